// The catalog inside the portal: the index of all endpoints comes with the first screen that needs it; what belongs to one endpoint is
// fetched once, when it is opened.

import { categories, commonProblems, detailUrls, endpoints, planned, problemsUrl } from 'virtual:catalog'
import {
  type Endpoint,
  endpointAddress,
  type IndexEntry,
  type Planned,
  type Problem as ProblemTexts,
} from '@tandem/catalog'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { loadProblemWords } from '../problems/said.ts'
import { queryClient } from './api.ts'

/** A line of the error reference, with the ids of the endpoints that may answer it. */
export type Problem = ProblemTexts & { endpoints: string[] }

export type { Endpoint, IndexEntry, Planned }
export { categories, endpointAddress, endpoints, planned }

const byId = new Map(endpoints.map(entry => [entry.id, entry]))
const byAddress = new Map(endpoints.map(entry => [endpointAddress(entry), entry]))

export function endpointById(id: string): IndexEntry | undefined {
  return byId.get(id)
}

/** The endpoint of an Explorer address, `/explorer/v2/messaging/post-messages-sms`. */
export function endpointByAddress(address: string): IndexEntry | undefined {
  return byAddress.get(address)
}

const common = new Set(commonProblems)

/** Whether many endpoints may answer this code: those that take a credential, a body, an id. */
export function isCommonProblem(code: string): boolean {
  return common.has(code)
}

/** The categories in the order of the catalog, each with its endpoints. */
export function byCategory(entries: readonly IndexEntry[] = endpoints): [category: string, entries: IndexEntry[]][] {
  const groups = new Map<string, IndexEntry[]>()
  for (const entry of entries) groups.set(entry.category, [...(groups.get(entry.category) ?? []), entry])
  return [...groups]
}

async function fetchJson<Value>(url: string): Promise<Value> {
  const response = await fetch(url, { credentials: 'omit' })
  if (!response.ok) throw new Error(`The catalog file could not be loaded (${response.status}). Reload the page.`)
  return (await response.json()) as Value
}

const detailQuery = (id: string) => ({
  queryKey: ['catalog', id],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: () => fetchJson<Endpoint>(detailUrls[id] ?? ''),
})

/** Everything about one endpoint. */
export function useEndpoint(id: string | undefined): UseQueryResult<Endpoint> {
  return useQuery({ ...detailQuery(id ?? ''), enabled: id !== undefined && id in detailUrls })
}

/** The same for code outside components. */
export function loadEndpoint(id: string): Promise<Endpoint> {
  return queryClient.fetchQuery(detailQuery(id))
}

/** Fetches an endpoint ahead, when it is pointed at. */
export function preloadEndpoint(id: string): void {
  if (id in detailUrls) void queryClient.prefetchQuery(detailQuery(id))
}

const problemsQuery = {
  queryKey: ['catalog', 'problems'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => {
    // Shown together.
    const [problems] = await Promise.all([fetchJson<Problem[]>(problemsUrl), loadProblemWords()])
    return problems
  },
}

/** The whole error reference. */
export function useProblems(): UseQueryResult<Problem[]> {
  return useQuery(problemsQuery)
}
