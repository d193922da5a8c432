// Lists by page number, as all v1 lists are: the page stands in the address, the total is exact.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Params } from './params.ts'
import { useSession } from './session.ts'

export const pageSize = 20

/** The page the address names; 1 where it names none that could be. */
export function pageOf(params: Params): number {
  const page = Number(params['page'] ?? '1')
  return Number.isInteger(page) && page >= 1 ? page : 1
}

/** A page of a list; the page before stands, greyed, until the next one is here. */
export function usePagedList<Reply>(
  key: string,
  filters: Readonly<Record<string, unknown>>,
  page: number,
  fetchPage: (signal: AbortSignal) => Promise<Reply>,
) {
  const { mode } = useSession()
  return useQuery({
    queryKey: [mode, key, filters, page],
    queryFn: ({ signal }) => fetchPage(signal),
    placeholderData: keepPreviousData,
  })
}
