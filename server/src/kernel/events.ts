// Events: what happened, written in the transaction of the change it tells. The table is the customer's event log, the
// history of every resource, and what webhooks will be delivered from; nothing is told that was not committed.

import type { Scope, Tx } from './db.ts'
import { newId } from './ids.ts'

export type NewEvent = {
  /** Past tense, `noun.verb`: `lead.created`. */
  type: string
  /** The id of the resource the event is about, as clients write it. */
  resourceId: string | number
  /** Increases with every event of one resource, so receivers can order them. */
  sequence: number
  /** A snapshot of the resource as the API presents it, with `previousStatus` where a status moved. */
  data: unknown
}

/** Adds events to the transaction. */
export async function emit(tx: Tx, scope: Scope, ...events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('events')
    .values(
      events.map(event => ({
        tenant_id: scope.tenantId,
        id: newId('evt'),
        type: event.type,
        resource_id: String(event.resourceId),
        sequence: event.sequence,
        data: JSON.stringify(event.data),
      })),
    )
    .execute()
}
