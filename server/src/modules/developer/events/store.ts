// SQL of the event log.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { type IdRange, scanRows } from '../newest_store.ts'

export type EventRow = { id: string; type: string; at: string; resource_id: string; sequence: number; data: unknown }

/** What a row must fulfil beyond its id; null asks nothing. */
export type EventFilter = {
  visibleNouns: string[] | null
  type: string | null
  noun: string | null
  resourceId: string | null
  after: string | null
  before: string | null
}

/**
 * Matching rows of a range, newest first, at most one more than `limit`. Of one resource all are looked at (they have
 * an index), else the newest `scanRows`.
 */
export async function listEvents(
  tx: Tx,
  scope: Scope,
  range: IdRange,
  filter: EventFilter,
  limit: number,
): Promise<EventRow[]> {
  const f = filter
  const inRange = sql`tenant_id = ${scope.tenantId} and id >= ${range.from} and id < ${range.before}`
  const source: RawBuilder<unknown> =
    f.resourceId === null
      ? sql`select * from events where ${inRange} order by id desc limit ${scanRows}`
      : sql`select * from events where ${inRange} and resource_id = ${f.resourceId}`
  const { rows } = await sql<EventRow>`
    select id, type, at, resource_id, sequence, data
    from (${source}) as newest
    where (${f.visibleNouns}::text[] is null or split_part(type, '.', 1) = any (${f.visibleNouns}::text[]))
      and (${f.type}::text is null or type = ${f.type}::text)
      and (${f.noun}::text is null or split_part(type, '.', 1) = ${f.noun}::text)
      and (${f.after}::timestamptz is null or at >= ${f.after}::timestamptz)
      and (${f.before}::timestamptz is null or at < ${f.before}::timestamptz)
    order by id desc limit ${limit + 1}`.execute(tx)
  return rows
}
