// Events of the audit log as the chain holds them and as the API shows them. Pure.
import type { ChainedEvent } from '../../kernel/audit/chain.ts'
import { type JsonObject, type Label, withLabels } from '../../kernel/audit/entry.ts'

export type EventRow = {
  id: string
  at: string
  action: string
  actor_type: string
  actor_id: string | null
  on_behalf_of: string | null
  outcome: string
  reason: string | null
  target_types: string[]
  target_ids: string[]
  context: JsonObject
  before: JsonObject | null
  after: JsonObject | null
  digests: Record<string, string>
}

/** A label with the salt that its digest was made with. */
export type SaltedLabel = Label & { salt: string }

/** An event with what is beside it: its labels, its place in the chain. */
export type ListedRow = EventRow & {
  labels: SaltedLabel[] | null
  position: number | null
  hash: string | null
  /** The hash of the event before it; null for the first. */
  previous: string | null
}

/** An event of the chain. */
export type LinkRow = EventRow & { position: number; hash: string; labels: SaltedLabel[] | null }

export type SealRow = {
  id: string
  at: string
  from_position: number
  to_position: number
  previous: string
  head: string
  signature: string
}

/** The event as it is hashed. */
export function chainedOf(row: EventRow): ChainedEvent {
  return {
    id: row.id,
    at: row.at,
    action: row.action,
    actor: { type: row.actor_type, id: row.actor_id, onBehalfOf: row.on_behalf_of },
    targets: row.target_types.map((type, index) => ({ type, id: row.target_ids[index]! })),
    outcome: row.outcome,
    reason: row.reason,
    context: row.context,
    before: row.before,
    after: row.after,
    digests: row.digests,
  }
}

const contextNames = ['ip', 'userAgent', 'requestId', 'sessionId', 'mode'] as const

export function presentEvent(row: ListedRow) {
  const { id, digests: _, ...event } = withLabels(chainedOf(row), row.labels ?? [])
  const { ip, userAgent, requestId, sessionId, mode, ...more } = event.context as Record<string, never>
  const named = { ip, userAgent, requestId, sessionId, mode }
  const context = Object.fromEntries(contextNames.map(name => [name, named[name] ?? null]))
  const { name = null } = event.actor as { name?: string | null }
  return {
    ...event,
    auditEventId: id,
    actor: { ...event.actor, name },
    targets: event.targets.map(({ type, id }) => ({ type, id: String(id) })),
    context: { ...context, more },
    position: row.position,
    hash: row.hash,
  }
}

/** What a seal signs. */
export function sealStatement(organizationId: number, seal: Omit<SealRow, 'signature'>) {
  const { id, at, from_position, to_position, previous, head } = seal
  return { organizationId, sealId: id, at, from: from_position, to: to_position, previous, head }
}
