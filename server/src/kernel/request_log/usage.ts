// Counts requests for the usage figures: once a batch of the request log, never per request. Durations are counted in
// classes, from which percentiles of any stretch of time can be calculated without reading its requests.
import { hourStartIn } from '../values/clock.ts'
import type { LoggedRequest } from './logged_request.ts'

/** Upper bounds of the classes of durations, in milliseconds; a last class has none. Stored counts stand in this order. */
export const durationBounds: readonly number[] = [
  0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 2_000, 5_000, 10_000,
]

export const statusClasses = ['2xx', '3xx', '4xx', '429', '5xx'] as const
export type StatusClass = (typeof statusClasses)[number]

/** A status as usage counts it: by its hundred, but requests beyond the rate limit apart. */
export function statusClass(status: number): StatusClass {
  if (status === 429) return '429'
  if (status >= 500) return '5xx'
  if (status >= 400) return '4xx'
  return status >= 300 ? '3xx' : '2xx'
}

/** The class of a duration: an index into `durationBounds`, or its length. */
export function durationClass(durationMs: number): number {
  let low = 0
  let high = durationBounds.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (durationMs <= durationBounds[middle]!) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * The duration that a share (0.95) of counted requests did not exceed, in milliseconds, taken as spread evenly within its
 * class; undefined when there are none.
 */
export function percentile(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  const rank = share * total
  let below = 0
  for (const [index, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = index === 0 ? 0 : durationBounds[index - 1]!
      const to = durationBounds[index] ?? from
      return from + ((to - from) * (rank - below)) / count
    }
    below += count
  }
  return durationBounds.at(-1)
}

type UsageRow = {
  tenant: number
  /** Beginning of the hour, ms. */
  hour: number
  endpoint: string
  usr: number
  key: string
  source: string
  class: StatusClass
  requests: number
  durations: number[]
}

type RefusalRow = Omit<UsageRow, 'class' | 'durations'> & { problem: string; status: number; id: string; at: number }

/** What a batch adds to the counters, as `write_request_log` takes it. */
export function countBatch(batch: readonly LoggedRequest[]): { usage: UsageRow[]; refusals: RefusalRow[] } {
  const usage = new Map<string, UsageRow>()
  const refusals = new Map<string, RefusalRow>()
  let last: LoggedRequest | undefined
  let lastRow: UsageRow | undefined
  for (const entry of batch) {
    // Neighbours are often alike: then the counter is the one just used.
    if (lastRow === undefined || last === undefined || !countsLike(entry, last, lastRow))
      lastRow = usageRow(usage, entry)
    last = entry
    lastRow.requests++
    lastRow.durations[durationClass(entry.durationMs)]!++
    if (entry.status >= 400) countRefusal(refusals, entry, lastRow)
  }
  return { usage: [...usage.values()], refusals: [...refusals.values()] }
}

function countsLike(entry: LoggedRequest, last: LoggedRequest, row: UsageRow): boolean {
  return (
    entry.tenantId === last.tenantId &&
    entry.endpointId === last.endpointId &&
    entry.keyId === last.keyId &&
    entry.userId === last.userId &&
    entry.source === last.source &&
    entry.atMs >= row.hour &&
    // The stretch in which no zone begins another hour.
    Math.floor(entry.atMs / 900_000) === Math.floor(last.atMs / 900_000) &&
    statusClass(entry.status) === row.class
  )
}

function usageRow(rows: Map<string, UsageRow>, entry: LoggedRequest): UsageRow {
  const row: UsageRow = {
    tenant: entry.tenantId,
    hour: hourStartIn(entry.timeZone, entry.atMs),
    endpoint: entry.endpointId ?? '',
    usr: entry.userId,
    key: entry.keyId ?? '',
    source: entry.source,
    class: statusClass(entry.status),
    requests: 0,
    durations: [],
  }
  const name = [row.tenant, row.hour, row.endpoint, row.usr, row.key, row.source, row.class].join(' ')
  const known = rows.get(name)
  if (known !== undefined) return known
  row.durations = new Array(durationBounds.length + 1).fill(0)
  rows.set(name, row)
  return row
}

function countRefusal(rows: Map<string, RefusalRow>, entry: LoggedRequest, row: UsageRow): void {
  const { durations: _durations, class: _class, ...place } = row
  const problem = entry.problem ?? ''
  const name = [
    place.tenant,
    place.hour,
    place.endpoint,
    place.usr,
    place.key,
    place.source,
    problem,
    entry.status,
  ].join(' ')
  const known = rows.get(name)
  const requests = (known?.requests ?? 0) + 1
  const isNewer = known === undefined || entry.atMs >= known.at
  const newest = isNewer ? { id: entry.id, at: entry.atMs } : { id: known.id, at: known.at }
  rows.set(name, { ...place, problem, status: entry.status, requests, ...newest })
}
