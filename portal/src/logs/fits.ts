// Whether a request from the stream belongs into the list as it is filtered: the same filters the server applies.
import type { RequestsListParams } from '@tandem/sdk'

export type LoggedRequest = {
  method: string
  path: string
  status: number
  source: string
  endpointId: string | null
  keyId: string | null
  userId: number | null
  problem: string | null
  resourceId: string | null
  at: string
}

export function fitsFilters(request: LoggedRequest, filters: RequestsListParams): boolean {
  const { status, source, path, createdBefore: before, createdAfter: after } = filters
  if (filters.method !== undefined && request.method !== filters.method) return false
  if (path !== undefined && !request.path.startsWith(path)) return false
  if (source !== undefined && !String(source).split(',').includes(request.source)) return false
  if (status !== undefined && !fitsStatus(request.status, status)) return false
  for (const name of ['endpointId', 'keyId', 'userId', 'problem', 'resourceId'] as const) {
    if (filters[name] !== undefined && request[name] !== filters[name]) return false
  }
  if (after !== undefined && Date.parse(request.at) < Date.parse(after)) return false
  return before === undefined || Date.parse(request.at) < Date.parse(before)
}

/** `404` is that status, `4xx` the whole class. */
function fitsStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted)
}
