// Events: what happened, written in the transaction of the change it tells. The table is the customer's event log, the
// history of every resource, and what webhooks will be delivered from; nothing is told that was not committed.

import { sql } from 'kysely'
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
  // Arrays keep the text of the statement the same for any number of events, so it stays prepared.
  await sql`
    insert into events (tenant_id, id, type, resource_id, sequence, data)
    select ${scope.tenantId}, e.id, e.type, e.resource_id, e.sequence, e.data::json
    from unnest(${events.map(() => newId('evt'))}::text[], ${events.map(event => event.type)}::text[],
      ${events.map(event => String(event.resourceId))}::text[], ${events.map(event => event.sequence)}::integer[],
      ${events.map(event => JSON.stringify(event.data))}::text[]) as e (id, type, resource_id, sequence, data)`.execute(
    tx,
  )
}
