// SQL of the stream: what has been committed to a log behind a position.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { firstIdAt, newId, timeOfId } from '../../../kernel/values/ids.ts'
import type { Moment, Position } from './position.ts'

/**
 * How long after the moment in its id a row may commit and still be sent: longer than a request takes to arrive (10 s), to
 * be answered and to be logged, with what the clocks of two nodes may differ. A row that is later than this is missed.
 */
export const lateMs = 30_000

export type Log = { table: 'request_log' | 'events' | 'conversation_signals'; prefix: string }

/** The time by the clock that ids are made with. */
export function idTime(): number {
  return timeOfId(newId('evt'))
}

/** The present: everything committed before counts as sent. */
export async function readMoment(db: Db): Promise<Moment> {
  const atMs = idTime()
  const [row] = await db.call<{ snapshot: string }>('stream_moment', 'select pg_current_snapshot()::text snapshot', [])
  return { atMs, snapshot: (row as { snapshot: string }).snapshot }
}

/**
 * The rows behind `from`, in the order of their ids, and the snapshot they were read with.
 * @param upTo only rows that this snapshot has as well; null for all that are committed now
 */
export async function readBehind<Row extends { id: string }>(
  tx: Tx,
  scope: Scope,
  log: Log,
  from: Position,
  upTo: string | null,
  limit: number,
): Promise<{ rows: Row[]; snapshot: string }> {
  const { snapshot = null, id = null } = from.within ?? {}
  // Of one snapshot, everything up to the last row of a page was read with that page; other pages need not look at it again.
  const oldest = id !== null && upTo === snapshot ? id : firstIdAt(log.prefix, from.atMs - lateMs)
  const { rows } = await sql<(Row & { snapshot: string }) | { id: null; snapshot: string }>`
    select present.snapshot::text as snapshot, found.*
    from (select pg_current_snapshot() as snapshot) present left join lateral (
      select l.*
      from ${sql.table(log.table)} l
      where l.tenant_id = ${scope.tenantId} and l.id >= ${oldest}
        and not pg_visible_in_snapshot(l.written_in, ${from.snapshot}::pg_snapshot)
        and (${snapshot}::pg_snapshot is null
          or not (l.id <= ${id}::text and pg_visible_in_snapshot(l.written_in, ${snapshot}::pg_snapshot)))
        and (${upTo}::pg_snapshot is null or pg_visible_in_snapshot(l.written_in, ${upTo}::pg_snapshot))
      order by l.id limit ${limit}
    ) found on true
    order by found.id`.execute(tx)
  return {
    rows: rows.filter((row): row is Row & { snapshot: string } => row.id !== null),
    snapshot: rows[0]?.snapshot as string,
  }
}
