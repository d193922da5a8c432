// Events of records that people set up: users, keys, webhooks, trunks and the like. Each change leaves one, in its transaction, with
// the record as the API shows it and who changed it; so secrets, which no reply shows twice, are in none.
import type { Principal } from '../access/principal.ts'
import { noteChange } from '../audit/record.ts'
import type { Tx } from '../data/db.ts'
import { emit } from '../data/events.ts'
import type { EventType } from '../values/noun.ts'

export type RecordChange = {
  /** `webhook.updated` */
  type: EventType
  resourceId: string | number
  /** The record as the API shows it, after the change. */
  record: object
  /** The body of a PATCH: the event names its fields, and no more of it. */
  change?: object
  /** The record as the API showed it before the change, for the audit log. */
  before?: object
}

/** Emits what a request did to records; their rows are locked, or of this transaction. */
export async function emitChange(tx: Tx, principal: Principal, ...changes: readonly RecordChange[]): Promise<void> {
  const { userId, keyId, client } = principal
  const by = { userId, keyId, ...(client !== null && { appId: client.appId, clientId: client.clientId }) }
  const events = changes.map(({ type, resourceId, record, change }) => {
    const changed = change === undefined ? {} : { changed: Object.keys(change) }
    return { type, resourceId, data: { ...record, ...changed, by } }
  })
  for (const change of changes) noteChange(tx, auditedChange(change))
  await emit(tx, principal, ...events)
}

/** What the audit log says of it. Without the record as it was before, only the fields that the request names are known to differ. */
function auditedChange({ type, resourceId, record, change, before }: RecordChange) {
  const [noun = '', verb] = type.split('.')
  const target = { type: noun, id: resourceId }
  if (verb === 'deleted') return { target, before: record, after: null }
  if (before !== undefined || change === undefined) return { target, before: before ?? null, after: record }
  const named = Object.entries(record).filter(([name]) => Object.hasOwn(change, name))
  return { target, before: null, after: Object.fromEntries(named) }
}
