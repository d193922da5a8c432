// Events: what happened, written in the transaction of the change that it reports. The table is the customer's event log, the
// history of every resource, and the outbox of webhooks: a trigger on the table (0004_webhooks.sql) writes in the same
// transaction what is to be delivered. No event is sent that was not committed, and none that was is lost.

import { type RawBuilder, sql } from 'kysely'
import { newId } from '../values/ids.ts'
import type { EventType } from '../values/noun.ts'
import { storableJson } from '../values/storable_json.ts'
import type { Scope, Tx } from './db.ts'

export type NewEvent = {
  /** Past tense, `noun.verb`: `lead.created`. */
  type: EventType
  /** The id of the resource the event is about, as clients write it. */
  resourceId: string | number
  /**
   * Counts the events of one resource from 1, so receivers can order them. Left out: one more than in the log, which needs the
   * record to be locked; given by records so busy that they count in their own row.
   */
  sequence?: number
  /** A snapshot of the resource as the API presents it, with `previousStatus` where a status moved. */
  data: unknown
  /** The resource's own callbackUrl, when it has one: it hears of the event beside the webhooks of the organization. */
  callbackUrl?: string | null
}

/** An event of a record that counts its events in its own row. */
export type CountedEvent = NewEvent & { sequence: number }

/** Adds events to the transaction; their ids, in the order given. */
export async function emit(tx: Tx, scope: Scope, ...events: NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const ids = events.map(() => newId('evt'))
  // Arrays keep the text of the statement the same for any number of events, so it stays prepared.
  const given = sql`unnest(${ids}::text[], ${events.map(event => event.type)}::text[],
    ${events.map(event => String(event.resourceId))}::text[], ${events.map(event => event.sequence ?? null)}::integer[],
    ${events.map(event => storableJson(event.data))}::text[], ${events.map(event => event.callbackUrl ?? null)}::text[])
    as u (id, type, resource_id, sequence, data, callback_url)`
  // Busy records count for themselves: the log is not asked for what they say.
  const isCounted = events.every(event => event.sequence !== undefined)
  await sql`
    insert into events (tenant_id, id, type, resource_id, sequence, data, callback_url)
    select ${scope.tenantId}, e.id, e.type, e.resource_id, e.sequence, e.data::json, e.callback_url
    from ${isCounted ? sql`(select * from ${given})` : countedOn(scope, given)} e`.execute(tx)
  return ids
}

/** Events that go on counting where the log of their record ends. */
function countedOn({ tenantId }: Scope, given: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select n.id, n.type, n.resource_id, coalesce(n.sequence, n.place + coalesce((
        select p.sequence from events p where p.tenant_id = ${tenantId} and p.resource_id = n.resource_id
          and split_part(p.type, '.', 1) = split_part(n.type, '.', 1) order by p.sequence desc limit 1
      ), 0)) as sequence, n.data, n.callback_url
    from (
      select u.*, row_number() over (partition by split_part(u.type, '.', 1), u.resource_id order by u.id) as place from ${given}
    ) n)`
}
