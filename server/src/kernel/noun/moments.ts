// Ranges of time in query strings: dates and times as people write them, in the time zone of the organization.
import { isoMs } from '../values/clock.ts'

/** Bounds as ISO 8601 in UTC: from `from` on, before `before`. */
export type Range = { from?: string; before?: string }
export type Bounds = {
  gte?: string | undefined
  gt?: string | undefined
  lte?: string | undefined
  lt?: string | undefined
}

/** The range the four bounds have in common. */
export function rangeOf({ gte, gt, lte, lt }: Bounds, timeZone: string): Range {
  const from = [momentOf(gte, timeZone)?.from, momentOf(gt, timeZone)?.after]
  const before = [momentOf(lt, timeZone)?.from, momentOf(lte, timeZone)?.after]
  const lower = from.filter(ms => ms !== undefined)
  const upper = before.filter(ms => ms !== undefined)
  return {
    ...(lower.length > 0 && { from: storable(Math.max(...lower)) }),
    ...(upper.length > 0 && { before: storable(Math.min(...upper)) }),
  }
}

const firstMs = Date.parse('0001-01-02T00:00:00Z')
const lastMs = Date.parse('9999-12-31T00:00:00Z')

/** ISO 8601 with a year of four digits above zero, as PostgreSQL reads it. */
function storable(ms: number): string {
  return isoMs(Math.min(Math.max(ms, firstMs), lastMs))
}

const dayMs = 86_400_000

/**
 * What a moment covers, in milliseconds since 1970: a date is a whole day in the organization's time zone, a time its one
 * millisecond; without an offset it is local time there.
 */
function momentOf(text: string | undefined, timeZone: string): { from: number; after: number } | undefined {
  if (text === undefined) return undefined
  const isDate = text.length === 10
  if (/(?:Z|[+-]\d{2}:\d{2})$/.test(text) && !isDate) {
    const from = Date.parse(text)
    return { from, after: from + 1 }
  }
  const wallMs = Date.parse(isDate ? `${text}T00:00:00Z` : `${text}Z`)
  const from = instantMs(wallMs, timeZone)
  return { from, after: isDate ? instantMs(wallMs + dayMs, timeZone) : from + 1 }
}

/** The instant at which clocks in a zone show a wall time, itself given as if it were UTC. */
function instantMs(wallMs: number, timeZone: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO('UTC').toPlainDateTime()
  return wall.toZonedDateTime(timeZone).epochMilliseconds
}
