// The chain that makes a change of the audit log show: each event's hash holds the one before it. The same few lines write it and verify
// it. Pure.
import { createHash } from 'node:crypto'
import type { AuditTarget, Json, JsonObject } from './entry.ts'

/** An event as the chain holds it: without labels, with their digests. */
export type ChainedEvent = {
  id: string
  at: string
  action: string
  actor: { type: string; id: string | null; onBehalfOf: string | null }
  targets: readonly AuditTarget[]
  outcome: string
  reason: string | null
  context: JsonObject
  before: JsonObject | null
  after: JsonObject | null
  digests: Readonly<Record<string, string>>
}

/** What the first event of a chain follows. */
export const chainStart = '0'.repeat(64)

/** The hash of an event and all before it, in hexadecimal: SHA-256 of the hash before it, a line feed, and its canonical JSON. */
export function linkOf(previous: string, event: ChainedEvent): string {
  return sha256(`${previous}\n${canonical(event as unknown as Json)}`)
}

/** What the chain holds of a label: SHA-256 of its salt, a line feed and the label. */
export function digestOf(salt: string, label: string): string {
  return sha256(`${salt}\n${label}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** JSON without blanks, members in the order of their names by UTF-16 code units (as RFC 8785 §3.2.3 orders them). */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value as JsonObject).filter(([, member]) => member !== undefined)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
