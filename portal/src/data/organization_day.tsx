// Which day it is where the organization is: what is due and what is late goes by its days, wherever the reader is.
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Day } from '../ui/index.ts'
import { dayOf } from './due_days.ts'

const staleMs = 5 * 60_000

/** The calendar day of a moment where the organization is; undefined until its time zone is known. Where that fails, the reader's. */
export function useOrganizationDays(): (iso: string) => string | undefined {
  const api = useApi()
  const { mode } = useSession()
  const { data, isError } = useQuery({
    queryKey: [mode, 'organization'],
    queryFn: ({ signal }) => api.organization.get({}, { signal }),
    staleTime: staleMs,
  })
  return iso => (data === undefined ? (isError ? dayOf(iso) : undefined) : dayOf(iso, data.timeZone))
}

/** Today. */
export function useOrganizationDay(): string | undefined {
  return useOrganizationDays()(new Date().toISOString())
}

/** The day of a moment where the organization is, as it was typed, wherever the reader is. */
export function OrganizationDay({ iso }: { iso: string }) {
  const day = useOrganizationDays()(iso)
  return day === undefined ? null : <Day date={day} />
}
