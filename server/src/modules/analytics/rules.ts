// The time axis of every figure: hours or days of the tenant's own time zone, as a list of instants at which one bucket
// ends and the next begins. Days have 23 or 25 hours where the clocks change; hours begin where clocks show :00.
import { addDays, dateIn, dayStartIn, hourStartIn, isoMs } from '../../kernel/values/clock.ts'
import { invalid } from '../../kernel/values/problem.ts'

export const intervals = ['hour', 'day'] as const
export type Interval = (typeof intervals)[number]

const dayMs = 86_400_000
const hourMs = 3_600_000
const maxDaysByHour = 31

export type RangeInput = { after?: string; before?: string; interval?: Interval }

/** Whole buckets: `bounds` has one instant (ms) more than there are buckets. */
export type TimeAxis = { interval: Interval; timeZone: string; bounds: number[] }

/** What a caller may ask for: the longest stretch, and the unit when it is not theirs to choose. */
export type RangeLimits = { maxDays: number; unit?: Interval }

/**
 * The buckets that cover what was asked for: `after` is moved down to the beginning of its hour or day, `before` up to the
 * end. Without `before` the last bucket is the one that holds the present, without `after` there are 24 hours before it.
 * @throws Problem `validation_failed` when the stretch is empty or too long
 */
export function timeAxis(range: RangeInput, timeZone: string, nowMs: number, limits: RangeLimits): TimeAxis {
  const fromMs = range.after === undefined ? undefined : momentIn(timeZone, range.after)
  const toMs = range.before === undefined ? nowMs + 1 : momentIn(timeZone, range.before)
  const long = fromMs !== undefined && toMs - fromMs > 7 * dayMs + hourMs
  const interval = limits.unit ?? range.interval ?? (long ? 'day' : 'hour')
  if (fromMs !== undefined) refuseRange(toMs - fromMs, range, limits)
  const end = next(interval, timeZone, startIn(interval, timeZone, toMs - 1))
  const bounds: number[] = []
  for (let at = startIn(interval, timeZone, fromMs ?? end - 24 * hourMs); at < end; at = next(interval, timeZone, at))
    bounds.push(at)
  return { interval, timeZone, bounds: [...bounds, end] }
}

/** A date alone is the beginning of that day in the zone. */
function momentIn(timeZone: string, moment: string): number {
  return moment.length === 10 ? dayStartIn(timeZone, moment) : Date.parse(moment)
}

function refuseRange(lengthMs: number, { before, interval }: RangeInput, { maxDays, unit }: RangeLimits): void {
  const refuse = (message: string) => invalid({ field: 'after', code: 'out_of_range', message })
  if (lengthMs <= 0) throw refuse(before === undefined ? 'must lie in the past' : 'must be earlier than before')
  // An hour more than the days, for where the clocks go back in between.
  if (lengthMs > maxDays * dayMs + hourMs) throw refuse(`must be at most ${maxDays} days before the end`)
  if (unit === undefined && interval === 'hour' && lengthMs > maxDaysByHour * dayMs + hourMs)
    throw refuse(`must be at most ${maxDaysByHour} days before the end by the hour; ask for the interval day instead`)
}

function startIn(unit: Interval, timeZone: string, ms: number): number {
  return unit === 'hour' ? hourStartIn(timeZone, ms) : dayStartIn(timeZone, dateIn(timeZone, ms))
}

function next(unit: Interval, timeZone: string, startMs: number): number {
  if (unit === 'day') return dayStartIn(timeZone, addDays(dateIn(timeZone, startMs), 1))
  // Where the clocks change by half an hour, the hour around the change is shorter.
  const start = hourStartIn(timeZone, startMs + hourMs)
  return start > startMs ? start : startMs + hourMs
}

/** The bounds of an axis as replies give them. */
export function presentAxis({ interval, timeZone, bounds }: TimeAxis) {
  const buckets = bounds.slice(0, -1).map(isoMs)
  return { after: isoMs(bounds[0]!), before: isoMs(bounds.at(-1)!), interval, timeZone, buckets }
}

/** Buckets of zeros. */
export function zeros({ bounds }: TimeAxis): number[] {
  return new Array(bounds.length - 1).fill(0)
}
