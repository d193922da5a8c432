// Time. The only file that reads the system clock, and the arithmetic of calendar dates: which date it is in a
// tenant's time zone (an invoice's year, its being overdue), and dates as `YYYY-MM-DD` strings, which compare as text.
// Everything else receives `nowMs` (milliseconds since 1970 UTC) as an argument.

/** A source of the present. Tests pass one that stands still or is moved by hand. */
export type Clock = { now(): number /* ms since 1970 UTC */ }

export const systemClock: Clock = { now: () => Date.now() }

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const secondTexts = Array.from({ length: 60 }, (_, second) => `${String(second).padStart(2, '0')}.`)
const milliTexts = Array.from({ length: 1_000 }, (_, milli) => `${String(milli).padStart(3, '0')}Z`)

// The minute last asked for: nearly all that is written down is of the same few seconds, and the calendar takes thirty times as long.
let minuteFromMs = Number.NaN
let minuteText = ''

/** ISO 8601 in UTC with milliseconds, `2026-11-21T08:44:00.123Z` (RFC 3339 §5.6). Throws RangeError for no instant. */
export function isoMs(ms: number): string {
  const within = ms - minuteFromMs
  if (within >= 0 && within < MINUTE_MS && Number.isInteger(within)) {
    const second = Math.floor(within / 1_000)
    return minuteText + secondTexts[second]! + milliTexts[within - second * 1_000]!
  }
  const text = new Date(ms).toISOString()
  if (Number.isInteger(ms)) {
    minuteFromMs = Math.floor(ms / MINUTE_MS) * MINUTE_MS
    minuteText = text.slice(0, -7)
  }
  return text
}

// What is known of a zone: a stretch of constant offset between two transitions, and inside it the day last asked for.
type Zone = {
  fromMs: number
  toMs: number
  offsetMs: number
  dayFromMs: number
  dayToMs: number
  date: string
}

const zones = new Map<string, Zone>()

/**
 * The calendar date (`YYYY-MM-DD`) at an instant in a time zone of the IANA database.
 * Costs one map lookup until local midnight, and no calendar library until the zone's next change of offset.
 * Throws RangeError for an unknown zone: check with `isTimeZone` where it is taken in.
 */
export function dateIn(timeZone: string, nowMs: number): string {
  let zone = zones.get(timeZone)
  if (zone === undefined || nowMs < zone.fromMs || nowMs >= zone.toMs) {
    zone = stretchAt(timeZone, nowMs)
    zones.set(timeZone, zone)
  }
  if (nowMs < zone.dayFromMs || nowMs >= zone.dayToMs) {
    // Days are cut with the stretch's own offset, so a day that a clock change repeats or shortens comes out right.
    zone.dayFromMs = Math.floor((nowMs + zone.offsetMs) / DAY_MS) * DAY_MS - zone.offsetMs
    zone.dayToMs = zone.dayFromMs + DAY_MS
    zone.date = new Date(zone.dayFromMs + zone.offsetMs).toISOString().slice(0, 10)
  }
  return zone.date
}

/** The calendar year at an instant in a time zone. Throws RangeError for an unknown zone. */
export function yearIn(timeZone: string, nowMs: number): number {
  return Number(dateIn(timeZone, nowMs).slice(0, 4))
}

/**
 * When the hour an instant lies in began, where clocks show :00 (in India half an hour later than in Berlin). The first
 * hour after a change of offset may begin before the change. Throws RangeError for an unknown zone.
 */
export function hourStartIn(timeZone: string, nowMs: number): number {
  dateIn(timeZone, nowMs)
  const { offsetMs } = zones.get(timeZone)!
  return Math.floor((nowMs + offsetMs) / HOUR_MS) * HOUR_MS - offsetMs
}

/** When a calendar date begins in a time zone, in milliseconds: its first instant, also where midnight is skipped. */
export function dayStartIn(timeZone: string, date: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds
}

function stretchAt(timeZone: string, nowMs: number): Zone {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowMs)).toZonedDateTimeISO(timeZone)
  // 'previous' looks strictly before its instant; asked one millisecond later it includes a transition right now.
  const before = local.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const after = local.getTimeZoneTransition('next')
  return {
    fromMs: before === null ? -Infinity : before.epochMilliseconds,
    toMs: after === null ? Infinity : after.epochMilliseconds,
    offsetMs: local.offsetNanoseconds / 1e6,
    dayFromMs: Infinity,
    dayToMs: -Infinity,
    date: '',
  }
}

const knownZones = new Set<string>()

/**
 * Whether a name is a time zone of the IANA database in its usual spelling (`Europe/Berlin`, `UTC`), links included.
 * Bare offsets (`+01:00`) are refused: they know nothing of summer time. Other capitals are refused too, so that
 * every name means one string.
 */
export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true
  if (name.length > 64 || !/^[A-Z]/.test(name)) return false
  try {
    if (Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId !== name) return false
  } catch {
    return false
  }
  knownZones.add(name)
  return true
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether a string is a real calendar date `YYYY-MM-DD`, years 0001 to 9999 (PostgreSQL knows no year 0). */
export function isDate(s: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(s)) return false
  const year = Number(s.slice(0, 4))
  const month = Number(s.slice(5, 7))
  const day = Number(s.slice(8, 10))
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= MONTH_DAYS[month - 1]! + (leap ? 1 : 0)
}

/** The date `days` after `date` (before it when negative). Throws RangeError on a bad date or outside years 1-9999. */
export function addDays(date: string, days: number): string {
  if (!isDate(date) || !Number.isInteger(days)) throw new RangeError(`not a date and whole days: ${date}, ${days}`)
  const moved = new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS)
  const year = moved.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) throw new RangeError(`date out of range: ${date} and ${days} days`)
  return moved.toISOString().slice(0, 10)
}

/** Minutes between two moments, each one begun counts; 0 without a beginning. */
export function minutesBegun(fromIso: string | null, untilMs: number): number {
  return fromIso === null ? 0 : Math.ceil(Math.max(0, untilMs - Date.parse(fromIso)) / 60_000)
}
