// Filters live in the address: a screen reads and changes them here, so that every view can be linked to and gone back to.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Params } from './params.ts'

/** The parts of the address after the ?, and a way to change some of them; undefined and '' take one away. */
export function useParamsOfAddress(): [params: Params, change: (patch: Params, options?: { push?: boolean }) => void] {
  const params = useSearch({ strict: false }) as Params
  const navigate = useNavigate()
  const change = useCallback(
    (patch: Params, { push = false }: { push?: boolean } = {}) => {
      void navigate({
        to: '.',
        search: (old: Record<string, unknown>) => ({ ...old, ...patch }),
        replace: !push,
        hash: true,
      })
    },
    [navigate],
  )
  return [params, change]
}

/** Filters as the API is asked, where the one of this name is a day YYYY-MM-DD: the moment it begins where the reader is. */
export function fromStartOfDay(filters: Params, name: string): Params {
  const day = filters[name]
  return day === undefined ? filters : { ...filters, [name]: startOfDay(day) }
}

/** Text that is no day is left to the API to check. */
export function startOfDay(day: string): string {
  const date = new Date(`${day}T00:00:00`)
  return Number.isNaN(date.getTime()) ? day : date.toISOString()
}
