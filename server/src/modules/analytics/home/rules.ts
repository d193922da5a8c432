// Which stretches of time somebody looks back on who begins their day: since yesterday, this week, and the week before as far as this one
// has come. Pure.
import { addDays, dateIn, dayStartIn } from '../../../kernel/values/clock.ts'

/** In milliseconds since 1970; `today` is a date where the organization is. */
export type Stretches = {
  today: string
  yesterdayMs: number
  /** Monday. */
  weekMs: number
  weekBeforeMs: number
  /** The moment of the week before that is to it what now is to this one. */
  weekBeforeUntilMs: number
  nowMs: number
}

const weekdayOf = (date: string) => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7

export function stretchesOf(timeZone: string, nowMs: number): Stretches {
  const today = dateIn(timeZone, nowMs)
  const startOf = (date: string) => dayStartIn(timeZone, date)
  const monday = addDays(today, -weekdayOf(today))
  const sameDay = addDays(today, -7)
  // Where the clocks changed in between, a day is an hour longer or shorter: its moment stays within it.
  const untilMs = Math.min(startOf(sameDay) + (nowMs - startOf(today)), startOf(addDays(sameDay, 1)))
  return {
    today,
    yesterdayMs: startOf(addDays(today, -1)),
    weekMs: startOf(monday),
    weekBeforeMs: startOf(addDays(monday, -7)),
    weekBeforeUntilMs: untilMs,
    nowMs,
  }
}

/** How many of a list are shown. */
export const shownItems = 5
/** How many of what happened are named. */
export const namedItems = 3
