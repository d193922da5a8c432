// How the inbox writes numbers, names and times.

import { spokenNumber } from '../sms_simulator/numbers.ts'
import { dayText as dayTextOf, timeText as timeTextOf } from '../words/format.ts'
import { t } from './texts.ts'
import type { Conversation, Item } from './views.ts'

export const timeText = (iso: string) => timeTextOf(new Date(iso))
/** "Mon, Nov 30, 9:00 AM". */
export const momentText = (iso: string) =>
  dayTextOf(new Date(iso), { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })

const startOfDayMs = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)
const daysAgo = (iso: string, nowMs = Date.now()) =>
  Math.round((startOfDayMs(nowMs) - startOfDayMs(Date.parse(iso))) / 86_400_000)

/** "9:41 AM" today, "Mon" within a week, then "3 Nov". */
export function shortTime(iso: string): string {
  const days = daysAgo(iso)
  if (days <= 0) return timeText(iso)
  return dayTextOf(new Date(iso), days < 7 ? { weekday: 'short' } : { day: 'numeric', month: 'short' })
}

export function dayText(iso: string): string {
  const days = daysAgo(iso)
  if (days === 0) return t('today')
  if (days === 1) return t('yesterday')
  return dayTextOf(new Date(iso), { weekday: 'long', day: 'numeric', month: 'long' })
}

/** "4 min", "3 h", "2 d": how long somebody has waited. */
export function waitText(since: string, nowMs = Date.now()): string {
  const minutes = Math.max(1, Math.floor((nowMs - Date.parse(since)) / 60_000))
  if (minutes < 60) return t('minutes', { count: minutes })
  if (minutes < 48 * 60) return t('hours', { count: Math.floor(minutes / 60) })
  return t('days', { count: Math.floor(minutes / 1_440) })
}

/** "0:42", "12:05". */
export const lengthText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

export const nameOf = ({ party: { name } }: Pick<Conversation, 'party'>) => spokenNumber(name)

/** Two letters; null for a number, which has none. */
export function initialsOf(name: string): string | null {
  const words = name.split(/\s+/).filter(word => /^\p{L}/u.test(word))
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  const letters = [...first].slice(0, 1).join('') + [...last].slice(0, 1).join('')
  return letters === '' || /^[^@\s]+@/.test(name) ? null : letters.toUpperCase()
}

export const isAnswer = ({ kind, direction, missed }: Item) =>
  direction === 'outbound' && kind !== 'note' && kind !== 'event' && !missed

/** The words of an item in one line. */
export function lineOf({ kind, body, subject }: Item): string {
  const text = (body ?? subject ?? kind).replace(/\s+/g, ' ').trim()
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

const failures = ['undelivered', 'failed', 'expired', 'refused']
export const statusText = (status: string) => t.of('status', status) ?? status.replaceAll('_', ' ')
export const isFailure = (status: string | null) => status !== null && failures.includes(status)
