// SQL of how far the log of events was followed. Who holds the row of a tenant is the only one who begins, joins or moves conversations by
// what happened.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/data/db.ts'
import { firstIdAt, newId, timeOfId } from '../../kernel/values/ids.ts'
import type { FollowedEvent } from './exchanges.ts'

export type Tenant = Scope & { mode: 'live' | 'test' }

/** What the clocks of two nodes may differ by, and how long before its transaction an id may be made. */
const slackMs = 30_000
const digits = (id: string) => id.slice(-26)

/** Whose log has something that was not followed, from the one behind a tenant on, and round. */
export async function tenantsBehind(db: Db, behindTenant: number, limit: number): Promise<Tenant[]> {
  const rows = await db.work<{ tenant_id: number; organization_id: number; mode: 'live' | 'test' }>(
    'tenants_behind_with_conversations',
    'select tenant_id, organization_id, mode from tenants_behind_with_conversations($1, $2)',
    [behindTenant, limit],
  )
  return rows.map(row => ({ tenantId: row.tenant_id, organizationId: row.organization_id, mode: row.mode }))
}

export type Position = {
  snapshot: string
  page_snapshot: string | null
  page_id: string | null
  floor_at: string
  fill_behind: string | null
  fill_before: string
}

/**
 * The position, held until the transaction ends; undefined where another holds it, or none was there: then one is begun, at the present.
 * @param isPatient waits for who holds it
 */
export async function holdPosition(tx: Tx, { tenantId }: Scope, isPatient = false): Promise<Position | undefined> {
  const wait = isPatient ? sql`` : sql`skip locked`
  const { rows } = await sql<Position>`
    select p.snapshot::text as snapshot, p.page_snapshot::text as page_snapshot, p.page_id, p.floor_at, p.fill_behind, p.fill_before
    from conversation_positions p where p.tenant_id = ${tenantId} for update of p ${wait}`.execute(tx)
  if (rows[0] !== undefined) return rows[0]
  await sql`
    insert into conversation_positions (tenant_id, snapshot, floor_at, mark_at, mark_xid, seen_id, look_until, fill_behind, fill_before)
    select ${tenantId}, pg_current_snapshot(), clock_timestamp(), clock_timestamp(), pg_snapshot_xmax(pg_current_snapshot()), '',
      'infinity', '', ${digits(newId('cnv'))}
    on conflict do nothing`.execute(tx)
  return undefined
}

/** For whom what happens may mean something. */
export type Audience = {
  /** There are conversations with people whom nobody knows. */
  hasStrangers: boolean
  /** There are conversations, or people who may have one. */
  hasAnyone: boolean
}

/** While the position is held no conversation begins elsewhere; those that will begin find records that were committed before. */
export async function audienceOf(tx: Tx, { tenantId }: Scope): Promise<Audience> {
  const { rows } = await sql<Audience>`
    select exists (
        select from conversations where tenant_id = ${tenantId} and party_kind = 'unknown' and merged_into is null) as "hasStrangers",
      exists (select from conversations where tenant_id = ${tenantId}) or exists (select from leads where tenant_id = ${tenantId})
        or exists (select from contacts where tenant_id = ${tenantId}) as "hasAnyone"`.execute(tx)
  return rows[0]!
}

/**
 * What is read: sets of types, each by itself, as what an index has of one set is not read with the others; and whether texts that went out
 * are.
 */
export type Reading = { types: readonly (readonly string[])[]; withTexts: boolean; limit: number }

type Read = { events: FollowedEvent[]; snapshot: string; wentBack: boolean }

/** Events behind the position, in the order of their ids, and the snapshot that they were read with. */
export async function readEvents(
  tx: Tx,
  { tenantId }: Scope,
  position: Position,
  { types, withTexts, limit }: Reading,
): Promise<Read> {
  const { snapshot, page_snapshot: page, page_id: pageId } = position
  // Within a page nothing is looked for before its last event.
  const oldest = pageId ?? firstIdAt('evt', Date.parse(position.floor_at) - slackMs)
  // Types are written out: only so does PostgreSQL know that an index has them all.
  const eventsOf = (some: readonly string[]) => sql`
        (select e.id, e.type, e.sequence, e.data from events e
        where e.tenant_id = ${tenantId} and e.id >= ${oldest} and e.type in (${sql.join(some.map(type => sql.lit(type)))})
          and not pg_visible_in_snapshot(e.written_in, ${snapshot}::pg_snapshot)
          and (${page}::pg_snapshot is null or (e.id > ${pageId}::text and pg_visible_in_snapshot(e.written_in, ${page}::pg_snapshot)))
        order by e.id limit ${limit})`
  const texts = sql`
        select v.id, 'message.' || case when (v.message).send_at is null then 'queued' else 'scheduled' end, v.sequence,
          json_build_object('messageId', (v.message).id, 'direction', (v.message).direction, 'from', (v.message).from_address,
            'to', (v.message).to_address, 'body', (v.message).body, 'createdAt', iso_ms((v.message).created_at))
        from message_moves_behind(${tenantId}, ${oldest}, ${snapshot}::pg_snapshot, ${page}::pg_snapshot, ${pageId}, ${page}::pg_snapshot,
          null, true, ${limit}) v`
  const { rows } = await sql<{ snapshot: string; went_back: boolean } & (FollowedEvent | { id: null })>`
    select present.snapshot::text as snapshot,
      pg_snapshot_xmax(present.snapshot) < pg_snapshot_xmax(${snapshot}::pg_snapshot) as went_back, found.*
    from (select pg_current_snapshot() as snapshot) present left join lateral (
      select * from (${sql.join([...types.map(eventsOf), ...(withTexts ? [texts] : [])], sql` union all `)}
      ) e
      order by e.id limit ${limit}
    ) found on true
    order by found.id`.execute(tx)
  return {
    events: rows.filter((row): row is (typeof rows)[number] & FollowedEvent => row.id !== null),
    snapshot: rows[0]!.snapshot,
    wentBack: rows[0]!.went_back,
  }
}

/** Moves on within a page. */
export async function movePage(tx: Tx, { tenantId }: Scope, snapshot: string, id: string): Promise<void> {
  await sql`
    update conversation_positions set page_snapshot = ${snapshot}::pg_snapshot, page_id = ${id} where tenant_id = ${tenantId}`.execute(
    tx,
  )
}

/**
 * Everything in the snapshot is followed. Looking on ends when nothing older than the newest event can come: all transactions that were
 * under way when it was made have ended.
 */
export async function moveBehind(tx: Tx, { tenantId }: Scope, snapshot: string): Promise<void> {
  await sql`
    update conversation_positions p set snapshot = ${snapshot}::pg_snapshot, page_snapshot = null, page_id = null,
      floor_at = case when pg_snapshot_xmin(${snapshot}::pg_snapshot) >= p.mark_xid then p.mark_at else p.floor_at end,
      mark_at = case when pg_snapshot_xmin(${snapshot}::pg_snapshot) >= p.mark_xid then clock_timestamp() else p.mark_at end,
      mark_xid = case when pg_snapshot_xmin(${snapshot}::pg_snapshot) >= p.mark_xid then pg_snapshot_xmax(pg_current_snapshot())
        else p.mark_xid end,
      seen_id = greatest(p.seen_id, n.id)
    from (select coalesce(newest_event(${tenantId}), '') as id) n
    where p.tenant_id = ${tenantId}`.execute(tx)
  const { rows } = await sql<{ floor_at: string; seen_id: string }>`
    select floor_at, seen_id from conversation_positions where tenant_id = ${tenantId}`.execute(tx)
  const { floor_at, seen_id } = rows[0]!
  const isSettled = seen_id === '' || Date.parse(floor_at) > timeOfId(seen_id) + slackMs
  await sql`
    update conversation_positions set look_until = ${isSettled ? '-infinity' : 'infinity'}::timestamptz
    where tenant_id = ${tenantId}`.execute(tx)
}

/** How far what there was before is taken in; null when all of it is. */
export async function moveFill(tx: Tx, { tenantId }: Scope, behind: string | null): Promise<void> {
  await sql`update conversation_positions set fill_behind = ${behind} where tenant_id = ${tenantId}`.execute(tx)
}

/** The database was restored, and counts transactions from further back: what is there now is taken in again from the floor on. */
export async function beginAgain(tx: Tx, { tenantId }: Scope, { floor_at }: Position): Promise<void> {
  const behind = digits(firstIdAt('cnv', Date.parse(floor_at) - slackMs))
  await sql`
    update conversation_positions set snapshot = pg_current_snapshot(), page_snapshot = null, page_id = null, mark_at = clock_timestamp(),
      mark_xid = pg_snapshot_xmax(pg_current_snapshot()), fill_behind = ${behind}, fill_before = ${digits(newId('cnv'))}
    where tenant_id = ${tenantId}`.execute(tx)
}

/** Deletes signals that are over and who is gone, at most so many; how many went. */
export async function purgeSignals(db: Db, limit: number): Promise<number> {
  const rows = await db.work<{ gone: number }>(
    'purge_conversation_signals',
    'select purge_conversation_signals($1) as gone',
    [limit],
  )
  return rows[0]?.gone ?? 0
}
