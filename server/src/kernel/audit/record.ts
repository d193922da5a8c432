// Writes the audit log: an entry goes in with the transaction of what it reports, so there is none for what was rolled back and one for
// everything that was not. What a request's changes are is gathered while its handler runs; who asked, and from where, is known of its
// transaction.
import { sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Scope, Tx } from '../data/db.ts'
import { newId, randomToken } from '../values/ids.ts'
import { digestOf } from './chain.ts'
import {
  type ActorType,
  type AuditAction,
  type AuditEntry,
  type AuditTarget,
  differing,
  isPerson,
  type JsonObject,
  type Label,
  secretsIn,
  withoutPeople,
} from './entry.ts'

/** From where something was asked. */
export type Asked = { requestId: string | null; ip: string | null; userAgent: string | null }

/** Somebody who acts without a principal: one who is not known yet, the machinery, an operator. */
export type AuditActor = {
  organizationId: number
  type: ActorType
  id?: string | number | null
  onBehalfOf?: string | number | null
  /** What to call it; kept as a label. */
  name?: string | null
  mode?: 'live' | 'test'
  sessionId?: string | null
}

/** A change to one thing, as the event of it reports it. */
export type Change = { target: AuditTarget; before: object | null; after: object | null }

type Gathered = { asked: Asked; changes: Change[]; isRecorded: boolean }

const gathered = new WeakMap<Tx, Gathered>()
const nowhere: Asked = { requestId: null, ip: null, userAgent: null }

/** Says for whose request a transaction is. */
export function beginAudit(tx: Tx, asked: Asked): void {
  gathered.set(tx, { asked, changes: [], isRecorded: false })
}

/** Notes a change that the request of this transaction makes; it is part of the request's entry, where that has one. */
export function noteChange(tx: Tx, change: Change): void {
  gathered.get(tx)?.changes.push(change)
}

/** What is known of a request's entry beside its changes. */
type Known = {
  /** Where nothing was noted. */
  target: AuditTarget | undefined
  /** The body, or the query. */
  asked: unknown
  /** By the handler. */
  said: Partial<AuditEntry>
}

/** Writes the entry of a request, unless its handler wrote one. */
export async function endAudit(
  tx: Tx,
  principal: Principal,
  action: AuditAction,
  { target, asked, said }: Known,
): Promise<void> {
  const known = gathered.get(tx)
  if (known === undefined || known.isRecorded) return
  const { changes } = known
  const [first] = changes
  const derived: AuditEntry =
    first === undefined
      ? { action, targets: target === undefined ? [] : [target], after: sent(asked) }
      : { action, targets: changes.map(change => change.target), before: first.before, after: first.after }
  if (first !== undefined) {
    const secrets = secretsIn(asked)
    if (Object.keys(secrets).length > 0 && derived.after) derived.after = { ...derived.after, ...secrets }
  }
  await recordAudit(tx, principal, { ...derived, ...said })
}

function sent(asked: unknown): object | null {
  const isEmpty = typeof asked !== 'object' || asked === null || Object.keys(asked).length === 0
  return isEmpty ? null : (asked as object)
}

/**
 * Adds an entry to the audit log of the organization, in this transaction.
 * @param by who did it
 * @param asked from where, when the transaction is not that of a request
 * @returns the id of the entry
 */
export async function recordAudit(
  tx: Tx,
  by: Principal | AuditActor,
  entry: AuditEntry,
  asked: Asked = gathered.get(tx)?.asked ?? nowhere,
): Promise<string> {
  const known = gathered.get(tx)
  if (known !== undefined) known.isRecorded = true
  const id = newId('aud')
  const actor = 'type' in by ? by : actorOf(by)
  const isOfPerson = isPerson(entry.before) || isPerson(entry.after)
  const change = differing(entry.before, entry.after)
  const before = withoutPeople(change.before, '/before', isOfPerson)
  const after = withoutPeople(change.after, '/after', isOfPerson)
  const labels = [...labelsOf(actor, asked), ...before.labels, ...after.labels].map(label => {
    const salt = randomToken(16)
    return { ...label, salt, digest: digestOf(salt, label.label) }
  })
  const digests = Object.fromEntries(labels.map(({ field, digest }) => [field, digest]))
  const text = (value: string | number | null | undefined) => (value == null ? null : String(value))
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value))
  // One statement: the labels go in with their event.
  await sql`
    with event as (
      insert into audit_events (organization_id, id, action, actor_type, actor_id, on_behalf_of, outcome, reason, target_types,
        target_ids, context, before, after, digests)
      values (${by.organizationId}, ${id}, ${entry.action}, ${actor.type}, ${text(actor.id)}, ${text(actor.onBehalfOf)},
        ${entry.outcome ?? 'ok'}, ${entry.reason ?? null}, ${entry.targets.map(({ type }) => type)}::text[],
        ${entry.targets.map(target => String(target.id))}::text[], ${json(contextOf(actor, asked, entry))}::json,
        ${json(before.side)}::json, ${json(after.side)}::json, ${JSON.stringify(digests)}::json)
    )
    insert into audit_labels (organization_id, event_id, field, label, salt)
    select ${by.organizationId}, ${id}, l.field, l.label, l.salt
    from unnest(${labels.map(({ field }) => field)}::text[], ${labels.map(({ label }) => label)}::text[],
      ${labels.map(({ salt }) => salt)}::text[]) as l (field, label, salt)`.execute(tx)
  return id
}

/** A principal as the log names it. */
export function actorOf(principal: Principal): AuditActor {
  const { kind, organizationId, userId, keyId, client, email, mode, sessionId } = principal
  const own = { organizationId, name: email, mode, sessionId }
  if (client !== null) return { ...own, type: 'app', id: client.appId ?? client.clientId, onBehalfOf: userId }
  return kind === 'user' ? { ...own, type: kind, id: userId } : { ...own, type: kind, id: keyId, onBehalfOf: userId }
}

function contextOf(actor: AuditActor, { requestId }: Asked, { more }: AuditEntry): JsonObject {
  return {
    ...(requestId !== null && { requestId }),
    ...(actor.sessionId != null && { sessionId: actor.sessionId }),
    ...(actor.mode !== undefined && { mode: actor.mode }),
    ...more,
  }
}

function labelsOf({ name }: AuditActor, { ip, userAgent }: Asked): Label[] {
  const labels = { '/actor/name': name, '/context/ip': ip, '/context/userAgent': userAgent?.slice(0, 500) }
  return Object.entries(labels).flatMap(([field, label]) => (label ? [{ field, label }] : []))
}

/** The organization of an entry, where no tenant is meant: for what is written outside of requests. */
export function auditScope(organizationId: number): Scope {
  return { organizationId, tenantId: 0 }
}
