// Events of records that people set up: users, keys, webhooks, trunks and the like. Each change leaves one, in its transaction, with
// the record as the API shows it and who changed it; so secrets, which no reply shows twice, are in none.
import type { Principal } from '../access/principal.ts'
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
}

/** Emits what a request did to records; their rows are locked, or of this transaction. */
export async function emitChange(tx: Tx, principal: Principal, ...changes: readonly RecordChange[]): Promise<void> {
  const by = { userId: principal.userId, keyId: principal.keyId }
  const events = changes.map(({ type, resourceId, record, change }) => {
    const changed = change === undefined ? {} : { changed: Object.keys(change) }
    return { type, resourceId, data: { ...record, ...changed, by } }
  })
  await emit(tx, principal, ...events)
}
