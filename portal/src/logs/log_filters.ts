// What the address of the log says, and what the server is asked for it.
import type { RequestsListParams } from '@tandem/sdk'
import { chosenOf, type Params } from '../navigation/params.ts'

/** Everything in the address that narrows the log. */
export const filterNames = [
  'source',
  'status',
  'method',
  'path',
  'keyId',
  'endpointId',
  'problem',
  'resourceId',
  'userId',
  'since',
  'createdAfter',
  'createdBefore',
] as const

/** What a person looks for is seldom what the portal asked for its own screens. */
export const usualSources = 'api,playground'

export const spans = [
  { value: '15m', minutes: 15 },
  { value: '1h', minutes: 60 },
  { value: '24h', minutes: 1_440 },
] as const

/** The parts of the address that narrow the log, without those that are empty. */
export function chosenFilters(params: Params): Record<string, string> {
  return chosenOf(params, filterNames)
}

/** The query of the list. @param nowMs when the address was taken up: a span counts back from then */
export function queryOf(params: Params, nowMs: number): RequestsListParams {
  const { since, source = usualSources, userId, ...rest } = chosenFilters(params)
  const span = spans.find(({ value }) => value === since)
  const minute = Math.floor(nowMs / 60_000) * 60_000
  return {
    ...(span === undefined ? {} : { createdAfter: new Date(minute - span.minutes * 60_000).toISOString() }),
    ...rest,
    ...(source === 'all' ? {} : { source }),
    ...(userId !== undefined && /^\d{1,9}$/.test(userId) ? { userId: Number(userId) } : {}),
  } as RequestsListParams
}
