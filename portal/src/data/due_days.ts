// When something is due, as people say it: "12 days late", "due today", "due in 5 days"; further away the day itself.
import type { Tone } from '../ui/chips.tsx'
import { countText } from '../words/format.ts'

const dayMs = 86_400_000

/** The calendar day (YYYY-MM-DD) of a moment (ISO 8601): in a time zone, or where the reader is. */
export const dayOf = (iso: string, timeZone?: string) =>
  new Date(iso).toLocaleDateString('sv-SE', timeZone === undefined ? {} : { timeZone })

/** Days from one calendar day (YYYY-MM-DD) to another; negative where that is past. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

const days = (count: number) => `${countText(count)} ${count === 1 ? 'day' : 'days'}`

/** In so many days it is said how many; before that, the day says enough. */
const soonDays = 14

/** @param isOverdue as the server says, which goes by the day where the organization is */
export function dueWords(date: string, today: string, isOverdue: boolean): { text: string; tone: Tone } | undefined {
  const left = daysBetween(today, date)
  if (isOverdue) return { text: `${days(Math.max(1, -left))} late`, tone: 'bad' }
  if (left <= 0) return { text: 'due today', tone: 'warn' }
  if (left === 1) return { text: 'due tomorrow', tone: 'warn' }
  return left <= soonDays ? { text: `due in ${days(left)}`, tone: left <= 7 ? 'warn' : 'neutral' } : undefined
}
