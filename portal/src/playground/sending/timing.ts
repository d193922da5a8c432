// Where the time of a request went: the browser's own record of it (Resource Timing) and the server's word for its part
// (Server-Timing header).
import { headerOf } from './rate_limit.ts'

export type TimeSplit = {
  /** From handing the request to the browser until the page had its last byte: with what the page itself was busy with. */
  totalMs: number
  /** From the start until the first byte of the answer; undefined when the browser did not report it. */
  waitMs: number | undefined
  downloadMs: number | undefined
  /** What the server says it took. */
  serverMs: number | undefined
}

/** The response time: what the network took, from the start to the last byte; where the browser did not report it, all there was. */
export function responseMs({ totalMs, waitMs, downloadMs }: TimeSplit): number {
  return waitMs === undefined || downloadMs === undefined ? totalMs : waitMs + downloadMs
}

export type Sizes = {
  /** Bytes of the body on the wire, compressed if it was; undefined when the browser did not report it. */
  wire: number | undefined
  decoded: number
}

/** The part of PerformanceResourceTiming that is read here. */
export type TimingEntry = Pick<
  PerformanceResourceTiming,
  'name' | 'initiatorType' | 'startTime' | 'responseStart' | 'responseEnd' | 'encodedBodySize'
>

/** `total` of a Server-Timing header, else the sum of its parts; milliseconds. */
export function readServerTiming(headers: readonly (readonly [string, string])[]): number | undefined {
  const text = headerOf(headers, 'Server-Timing')
  if (text === undefined) return undefined
  const metrics = Array.from(
    text.matchAll(/([\w!#$%&'*+.^`|~-]+)((?:\s*;\s*[\w-]+=(?:"[^"]*"|[^;,\s]*))*)/g),
    match => ({
      name: match[1]!,
      ms: Number(/;\s*dur=([\d.]+)/i.exec(match[2] ?? '')?.[1] ?? Number.NaN),
    }),
  ).filter(({ ms }) => !Number.isNaN(ms))
  if (metrics.length === 0) return undefined
  const total = metrics.find(({ name }) => name === 'total')
  return total?.ms ?? metrics.reduce((sum, { ms }) => sum + ms, 0)
}

/** The split of one request that began at `startMs` and ended at `endMs` (performance.now). */
export function splitTime(
  entry: TimingEntry | undefined,
  startMs: number,
  endMs: number,
  headers: readonly (readonly [string, string])[],
): TimeSplit {
  const known = entry !== undefined && entry.responseStart > 0
  return {
    totalMs: endMs - startMs,
    waitMs: known ? entry.responseStart - entry.startTime : undefined,
    downloadMs: known ? Math.max(0, entry.responseEnd - entry.responseStart) : undefined,
    serverMs: readServerTiming(headers),
  }
}

/** The browser's record of the request to `url` that began no earlier than `startMs`. */
export function entryFor(entries: readonly TimingEntry[], url: string, startMs: number): TimingEntry | undefined {
  return entries.findLast(
    entry => entry.initiatorType === 'fetch' && entry.name === url && entry.startTime >= startMs - 1,
  )
}
