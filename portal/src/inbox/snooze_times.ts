// When a conversation that is put off comes back: the choices that are offered.
import { dayOf } from '../data/due_days.ts'

export type Choice = { key: 'today' | 'tomorrow' | 'week'; at: Date }

const at = (from: Date, days: number, hour: number): Date =>
  new Date(from.getFullYear(), from.getMonth(), from.getDate() + days, hour)

/** Later today (where there is enough of the day left), tomorrow morning, and the next Monday morning. */
export function snoozeChoices(now: Date): Choice[] {
  const choices: Choice[] = []
  const later = new Date(now.getTime() + 3 * 3_600_000)
  later.setMinutes(0, 0, 0)
  if (later.getDate() === now.getDate() && later.getHours() < 20) choices.push({ key: 'today', at: later })
  choices.push({ key: 'tomorrow', at: at(now, 1, 9) })
  const toMonday = (8 - now.getDay()) % 7 || 7
  choices.push({ key: 'week', at: at(now, toMonday, 9) })
  return choices
}

/** As a field of the browser gives it, where the reader is. */
export function fieldValue(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${dayOf(date.toISOString())}T${two(date.getHours())}:${two(date.getMinutes())}`
}
