// Types of events, as the nouns declare them: who may see them, and which of them a filter means. Webhooks filter by these, so a
// type that no noun declares cannot be asked for.
import type { Permission } from './noun.ts'
import { vocabulary } from './vocabulary.ts'

export type { EventType } from './noun.ts'

/** The nouns (`lead` of `lead.created`) whose events may be seen with these permissions: an event shows its resource. */
export function readableNouns(held: ReadonlySet<Permission>): Set<string> {
  const readers = [...vocabulary().eventReaders]
  return new Set(readers.filter(([, permission]) => held.has(permission)).map(([noun]) => noun))
}

/** Whether a filter (`message.sent`, `message.*`) names types that exist. */
export function isEventFilter(filter: string): boolean {
  if (Object.hasOwn(vocabulary().eventTypes, filter)) return true
  return (
    filter.endsWith('.*') && Object.keys(vocabulary().eventTypes).some(type => type.startsWith(filter.slice(0, -1)))
  )
}

/** The filter that was probably meant. */
export function nearestEventFilter(filter: string): string {
  const types = Object.keys(vocabulary().eventTypes)
  const nouns = [...new Set(types.map(type => `${type.split('.')[0]}.*`))]
  const candidates = filter.endsWith('*') ? nouns : types
  const scored = candidates.map(candidate => [distance(filter, candidate), candidate] as const)
  return scored.reduce((best, next) => (next[0] < best[0] ? next : best))[1]
}

/** Letters to insert, delete or exchange (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
