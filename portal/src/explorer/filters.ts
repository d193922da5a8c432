// What the list shows: filters and search, all in the address, and the endpoints that pass all of them.
import { createSearch } from '@tandem/catalog'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Params } from '../navigation/params.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { endpoints, type IndexEntry } from '../session/catalog.ts'

export const filterNames = ['q', 'version', 'category', 'method', 'caller'] as const
export type FilterName = (typeof filterNames)[number]
export type Filters = Readonly<Record<FilterName, string>>

/** The filters of the address, those left out as ''; and a way to change some, which neither scrolls nor fills the history. */
export function useFilters(): [filters: Filters, change: (patch: Partial<Filters>) => void] {
  const [params] = useParamsOfAddress()
  const navigate = useNavigate()
  const change = useCallback(
    (patch: Partial<Filters>) => {
      void navigate({
        to: '.',
        search: (old: Record<string, unknown>) => ({ ...old, ...patch }),
        hash: true,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      })
    },
    [navigate],
  )
  return [filtersOf(params), change]
}

function filtersOf(params: Params): Filters {
  return Object.fromEntries(filterNames.map(name => [name, params[name] ?? ''])) as Filters
}

export const noFilters: Filters = { q: '', version: '', category: '', method: '', caller: '' }

/** Whether anything is filtered by. */
export function isFiltered(filters: Filters): boolean {
  return filterNames.some(name => filters[name] !== '')
}

/** The part of an address that keeps the filters: '' or `?version=v2&q=sms`. */
export function searchText(filters: Filters): string {
  const pairs = filterNames.filter(name => filters[name] !== '').map(name => [name, filters[name]])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Filters as the address has them, with the search as it is typed. */
export function useTyped(
  filters: Filters,
  change: (patch: Partial<Filters>) => void,
): [now: Filters, change: (patch: Partial<Filters>) => void] {
  const [typed, setTyped] = useState(filters.q)
  const taken = useRef(filters.q)
  useEffect(() => {
    // The address changed by other means: a link, the way back.
    if (filters.q !== taken.current) setTyped(filters.q)
    taken.current = filters.q
  }, [filters.q])
  const latest = useRef(change)
  useLayoutEffect(() => {
    latest.current = change
  })
  useEffect(() => {
    if (typed === taken.current) return undefined
    const timer = setTimeout(() => {
      taken.current = typed
      latest.current({ q: typed })
    }, 200)
    return () => clearTimeout(timer)
  }, [typed])
  const set = (patch: Partial<Filters>) => {
    if (patch.q !== undefined) setTyped(patch.q)
    const { q: _, ...others } = patch
    if (patch.q === '') {
      taken.current = ''
      change(patch)
    } else if (Object.keys(others).length > 0) change(others)
  }
  return [{ ...filters, q: typed }, set]
}

let search: ((typed: string) => IndexEntry[]) | undefined

/** Makes the index of the search ahead, so that the first key does not wait for it. */
export function prepareSearch(): void {
  search ??= createSearch(endpoints)
}

/** The endpoints that pass: best first when something was typed, else in the order of the catalog. */
export function matching(filters: Filters, mayCall: (entry: IndexEntry) => boolean): IndexEntry[] {
  search ??= createSearch(endpoints)
  return search(filters.q).filter(
    entry =>
      (filters.version === '' || entry.version === filters.version) &&
      (filters.category === '' || entry.category === filters.category) &&
      (filters.method === '' || entry.method === filters.method) &&
      mayCall(entry),
  )
}

/** The part of the address behind #. */
export function useHash(): string {
  return useLocation({ select: location => location.hash })
}
