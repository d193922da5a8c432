// Events: what happened, written in the transaction of the change it tells. The table is the customer's event log, the
// history of every resource, and the outbox of webhooks: a trigger on the table (migration 0009) writes in the same
// transaction what is to be delivered. Nothing is told that was not committed, and nothing that was is forgotten.

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
  /** The resource's own callbackUrl, when it has one: it hears of the event beside the webhooks of the organization. */
  callbackUrl?: string | null
}

/** Adds events to the transaction; their ids, in the order given. */
export async function emit(tx: Tx, scope: Scope, ...events: NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const ids = events.map(() => newId('evt'))
  // Arrays keep the text of the statement the same for any number of events, so it stays prepared.
  await sql`
    insert into events (tenant_id, id, type, resource_id, sequence, data, callback_url)
    select ${scope.tenantId}, e.id, e.type, e.resource_id, e.sequence, e.data::json, e.callback_url
    from unnest(${ids}::text[], ${events.map(event => event.type)}::text[],
      ${events.map(event => String(event.resourceId))}::text[], ${events.map(event => event.sequence)}::integer[],
      ${events.map(event => JSON.stringify(event.data))}::text[], ${events.map(event => event.callbackUrl ?? null)}::text[])
      as e (id, type, resource_id, sequence, data, callback_url)`.execute(tx)
  return ids
}
