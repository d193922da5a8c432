// Times as SMPP writes them: YYMMDDhhmmsstnnp, absolute with an offset in quarters of an hour or relative to when the
// message centre takes the message (SMPP 3.4 §7.1.1).

const dayMs = 86_400_000

const two = (value: number) => String(value).padStart(2, '0')

/** A period as `000002000000000R`: whole seconds, up to 99 days. Throws RangeError for others. */
export function formatRelativeTime(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  if (!(Number.isInteger(seconds) && seconds >= 0 && days <= 99)) {
    throw new RangeError(`seconds: ${seconds} is not a whole number of seconds of at most 99 days`)
  }
  const rest = seconds % 86_400
  return `0000${two(days)}${two(Math.floor(rest / 3600))}${two(Math.floor(rest / 60) % 60)}${two(rest % 60)}000R`
}

/** An instant (ms since 1970) as `261121143005000+`, in UTC. Years 2000 to 2099. */
export function formatAbsoluteTime(ms: number): string {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  if (!(year >= 2000 && year <= 2099)) throw new RangeError(`ms: ${ms} is not in the years 2000 to 2099`)
  const day = `${two(year % 100)}${two(date.getUTCMonth() + 1)}${two(date.getUTCDate())}`
  const time = `${two(date.getUTCHours())}${two(date.getUTCMinutes())}${two(date.getUTCSeconds())}`
  return `${day}${time}${Math.floor(date.getUTCMilliseconds() / 100)}00+`
}

/**
 * The instant (ms since 1970) that a schedule_delivery_time, validity_period or final_date means; relative ones count from
 * `nowMs`, months by the calendar. Null for '' and for what is no such time.
 */
export function parseTime(value: string, nowMs: number): number | null {
  const match = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([-+R])$/.exec(value)
  if (match === null) return null
  const [years, months, days, hours, minutes, seconds, tenths, quarters] = match.slice(1, 9).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const clockMs = ((hours * 60 + minutes) * 60 + seconds) * 1000 + tenths * 100
  if (match[9] === 'R') {
    const base = new Date(nowMs)
    base.setUTCFullYear(base.getUTCFullYear() + years, base.getUTCMonth() + months, base.getUTCDate())
    return base.getTime() + days * dayMs + clockMs
  }
  if (quarters > 48) return null
  const local = localMs({ year: 2000 + years, month: months, day: days, hour: hours, minute: minutes, second: seconds })
  const offsetMs = quarters * 900_000 * (match[9] === '-' ? -1 : 1)
  return local === null ? null : local + tenths * 100 - offsetMs
}

export type LocalTime = { year: number; month: number; day: number; hour: number; minute: number; second: number }

/** A calendar time as if it were UTC, in ms since 1970; null when there is no such day or time. */
export function localMs({ year, month, day, hour, minute, second }: LocalTime): number | null {
  if (hour > 23 || minute > 59 || second > 59) return null
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(ms)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : null
}
