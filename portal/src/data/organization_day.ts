// Which day it is where the organization is: what is due and what is late goes by its days, wherever the reader is.
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { dayOf } from './due_days.ts'

const staleMs = 5 * 60_000

/** Undefined until it is known. */
export function useOrganizationDay(): string | undefined {
  const api = useApi()
  const { mode } = useSession()
  const { data, isError } = useQuery({
    queryKey: [mode, 'organization'],
    queryFn: ({ signal }) => api.organization.get({}, { signal }),
    staleTime: staleMs,
  })
  const now = new Date().toISOString()
  return data === undefined ? (isError ? dayOf(now) : undefined) : dayOf(now, data.timeZone)
}
