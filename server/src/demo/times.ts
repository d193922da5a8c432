// When things happen in the demo company: on working days, in working hours of those who do them, more of them every
// month, and never later than the present.
import type { Random } from './random.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The story ends this long before the present, so that what is done from now on comes after it. */
const pauseMs = 3 * minuteMs

/** The last moment of the story. */
export function endOfStory(nowMs: number): number {
  return nowMs - pauseMs
}

/** The present of a story that ends at `endMs`. */
export function presentOf(endMs: number): number {
  return endMs + pauseMs
}

/** How busy the trade is by month, from January: quiet in late summer, busy before the holidays. */
const seasons = [0.85, 0.9, 1, 1, 1.05, 1, 0.85, 0.75, 1.1, 1.15, 1.25, 1.1]
/** By day of the week, from Sunday. */
const weekdays = [0.03, 1.25, 1.1, 1.05, 1, 0.85, 0.08]

/**
 * `count` days (their midnight in UTC, ascending) from `fromMs` to `untilMs`, as many as the season, the weekday and
 * steady growth by the factor `growth` over the whole time make of each.
 */
export function busyDays(count: number, fromMs: number, untilMs: number, growth: number): number[] {
  const days: { atMs: number; weight: number }[] = []
  for (let atMs = Math.floor(fromMs / dayMs) * dayMs; atMs <= untilMs; atMs += dayMs) {
    const day = new Date(atMs)
    const grown = 1 + ((growth - 1) * Math.max(0, atMs - fromMs)) / (untilMs - fromMs)
    const share = Math.min(1, (untilMs - atMs) / dayMs) // today is not over
    const weight = grown * (seasons[day.getUTCMonth()] as number) * (weekdays[day.getUTCDay()] as number) * share
    days.push({ atMs, weight })
  }
  const step = days.reduce((sum, day) => sum + day.weight, 0) / count
  const result: number[] = []
  let reached = 0
  for (const { atMs, weight } of days) {
    reached += weight
    while (result.length < count && (result.length + 0.5) * step <= reached) result.push(atMs)
  }
  while (result.length < count) result.push((days.at(-1) as { atMs: number }).atMs)
  return result
}

/**
 * A moment in the working hours of a day, seen from `utcOffset` hours ahead of UTC; before `latestMs` on the last
 * day.
 */
export function inWorkingHours(random: Random, dayStartMs: number, utcOffset: number, latestMs: number): number {
  const hour = random.chance(0.55) ? random.between(8.3, 12.4) : random.between(13, 17.8)
  const moment = Math.floor(dayStartMs + (hour - utcOffset) * hourMs)
  if (moment <= latestMs) return moment
  return Math.floor(latestMs - random.next() * Math.min(6 * hourMs, Math.max(minuteMs, latestMs - dayStartMs)))
}

/** The moment itself when somebody works then; else in the morning of the next working day. */
export function whenAtWork(random: Random, momentMs: number, utcOffset: number): number {
  const local = momentMs + utcOffset * hourMs
  let day = Math.floor(local / dayMs) * dayMs
  const hour = (local - day) / hourMs
  const weekday = new Date(day).getUTCDay()
  if (weekday !== 0 && weekday !== 6 && hour >= 8 && hour < 18.5) return Math.floor(momentMs)
  if (hour >= 8) day += dayMs
  while ([0, 6].includes(new Date(day).getUTCDay())) day += dayMs
  return Math.floor(day + (random.between(8.3, 11) - utcOffset) * hourMs)
}

/** The day itself, or the Monday after it: the same time of a day on which people work. */
export function onWorkday(momentMs: number): number {
  const weekday = new Date(momentMs).getUTCDay()
  return momentMs + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0) * dayMs
}
