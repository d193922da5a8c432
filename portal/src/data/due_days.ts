// When something is due, as people say it: "12 days late", "due today", "due in 5 days"; further away the day itself.
import type { Tone } from '../ui/chips.tsx'

import { t } from './texts.ts'

const dayMs = 86_400_000

/** The calendar day (YYYY-MM-DD) of a moment (ISO 8601): in a time zone, or where the reader is. */
export const dayOf = (iso: string, timeZone?: string) =>
  new Date(iso).toLocaleDateString('sv-SE', timeZone === undefined ? {} : { timeZone })

/** Days from one calendar day (YYYY-MM-DD) to another; negative where that is past. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

/** The calendar day so many days after another. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

/** In so many days it is said how many; before that, the day says enough. */
const soonDays = 14

/** @param isOverdue as the server says, which goes by the day where the organization is */
export function dueWords(date: string, today: string, isOverdue: boolean): { text: string; tone: Tone } | undefined {
  const left = daysBetween(today, date)
  if (isOverdue) return { text: t('due.late', { days: Math.max(1, -left) }), tone: 'bad' }
  if (left <= 0) return { text: t('due.today'), tone: 'warn' }
  if (left === 1) return { text: t('due.tomorrow'), tone: 'warn' }
  return left <= soonDays ? { text: t('due.in', { days: left }), tone: left <= 7 ? 'warn' : 'neutral' } : undefined
}
