// SQL of the stream: what has been committed to a log behind a position.
import { type RawBuilder, sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { firstIdAt, newId, timeOfId } from '../../../kernel/values/ids.ts'
import type { Moment, Position } from './position.ts'
import { type Chosen, exchanged, hearsMessages } from './rules.ts'

/**
 * How long after the moment in its id a row may commit and still be sent: longer than a request takes to arrive (10 s), to
 * be answered and to be logged, with what the clocks of two nodes may differ. A row that is later than this is missed.
 */
export const lateMs = 30_000

const eventColumns = sql.raw('id, type, at, resource_id, sequence, data')

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

/** A page of rows, in the order of their ids, and the snapshot they were read with. */
export type Page<Row> = {
  rows: Row[]
  snapshot: string
  /** Whether there may be more behind the last row. */
  isFull: boolean
  /** Rows of the log that were looked at for it, if it is full. */
  lookedAt: number
}

/** Rows that are looked at for one page of those chosen, however few are found among them. */
const lookRows = 20_000

/**
 * The rows behind `from`. With `chosen`, only such events, `skipsMessages` without those that are read out of messages; and of a full page perhaps one more, the last that was looked at, behind which
 * the next page begins.
 * @param upTo only rows that this snapshot has as well; null for all that are committed now
 */
export async function readBehind<Row extends { id: string }>(
  tx: Tx,
  scope: Scope,
  log: Log,
  from: Position,
  upTo: string | null,
  limit: number,
  { chosen, skipsMessages = false }: { chosen?: Chosen | undefined; skipsMessages?: boolean } = {},
): Promise<Page<Row>> {
  const { snapshot = null, id = null } = from.within ?? {}
  // Of one snapshot, everything up to the last row of a page was read with that page; other pages need not look at it again.
  const oldest = id !== null && upTo === snapshot ? id : firstIdAt(log.prefix, from.atMs - lateMs)
  const columns = log.table === 'events' ? eventColumns : sql.raw('*')
  const behind = (most: number) => sql`
    select ${columns} from ${sql.table(log.table)} l
    where l.tenant_id = ${scope.tenantId} and l.id >= ${oldest}
      and not pg_visible_in_snapshot(l.written_in, ${from.snapshot}::pg_snapshot)
      and (${snapshot}::pg_snapshot is null
        or not (l.id <= ${id}::text and pg_visible_in_snapshot(l.written_in, ${snapshot}::pg_snapshot)))
      and (${upTo}::pg_snapshot is null or pg_visible_in_snapshot(l.written_in, ${upTo}::pg_snapshot))
    order by l.id limit ${most}`
  // Events of messages are read out of the messages.
  const ofMessages = (most: number) => sql`
    select v.id, 'message.' || status_of_letter(x.letter), x.at, (v.message).id, v.sequence, x.data
    from message_moves_behind(${scope.tenantId}, ${oldest}, ${from.snapshot}::pg_snapshot, ${snapshot}::pg_snapshot, ${id},
      ${upTo}::pg_snapshot, ${lettersOf(chosen)}, false, ${most}) v
    cross join lateral message_event(v.message, v.sequence) x`
  const all = (most: number) =>
    log.table === 'events' && !skipsMessages && hearsMessages(chosen)
      ? sql`select * from (select * from (${behind(most)}) l union all ${ofMessages(most)}) l order by l.id limit ${most}`
      : behind(most)
  const source = chosen === undefined ? all(limit) : among(all(lookRows), chosen, limit)
  type Found = Row & { snapshot: string; nth?: number }
  const { rows } = await sql<Found | { id: null; snapshot: string }>`
    select present.snapshot::text as snapshot, found.*
    from (select pg_current_snapshot() as snapshot) present left join lateral (${source}) found on true
    order by found.id`.execute(tx)
  const found = rows.filter((row): row is Found => row.id !== null)
  const last = found.at(-1)
  return {
    rows: found,
    snapshot: rows[0]?.snapshot as string,
    isFull: found.length === limit || last?.nth === lookRows,
    lookedAt: last?.nth ?? found.length,
  }
}

/** The statuses of messages whose events are chosen, as letters; null for all. */
function lettersOf(chosen: Chosen | undefined): RawBuilder<unknown> {
  if (chosen === undefined || chosen.nouns === null || chosen.nouns.includes('message')) return sql`null`
  return sql`(select coalesce(string_agg(letter_of_status(substr(t, 9)), ''), '') from unnest(${chosen.types}::text[]) as t
    where t like 'message.%')`
}

/** Of rows that are looked at, those chosen, and the last where no more were looked at. */
function among(looked: RawBuilder<unknown>, { nouns, types, numbers }: Chosen, limit: number): RawBuilder<unknown> {
  return sql`
    select numbered.*
    from (select looked.*, (row_number() over (order by looked.id))::int as nth from (${looked}) looked) numbered
    where numbered.nth = ${lookRows}
      or (${nouns}::text[] is null or split_part(numbered.type, '.', 1) = any (${nouns}::text[])
          or numbered.type = any (${types}::text[]))
        and (${numbers}::text[] is null or split_part(numbered.type, '.', 1) <> all (${exchanged}::text[])
          or numbered.data ->> 'from' = any (${numbers}::text[]) or numbered.data ->> 'to' = any (${numbers}::text[]))
    order by numbered.id limit ${limit}`
}
