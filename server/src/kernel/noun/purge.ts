// Records that have been in the trash for long enough are removed for good, with their history and what was put on them. What names them
// names them no more: that is a change of its own, with its history and its event.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../data/db.ts'
import { emit } from '../data/events.ts'
import type { EventType } from '../values/noun.ts'
import { type Host, hostFieldOf } from './hosts.ts'
import { idsOf, recordIdOf, rowIds } from './record_ids.ts'
import { emptyReferences } from './referring.ts'
import { allTables, followersOf, type NounTable } from './registry.ts'

/** How long the trash keeps a record. */
export const trashDays = 30

/** So many records that name others are changed in one transaction at most, or so many removed that were put on them. */
const changedAtOnce = 500

export type ExpiredRecord = { tenant_id: number; organization_id: number; id: string }

/** Records of all tenants but these whose time in the trash is over. */
export function listExpired(
  db: Db,
  { table }: Host,
  limit: number,
  leftOut: readonly number[],
): Promise<ExpiredRecord[]> {
  const values = [table, trashDays, limit, leftOut]
  return db.work('expired_trash', 'select * from expired_trash($1, $2, $3, $4)', values)
}

/**
 * Removes those of these records that are in the trash still, for as long as it keeps them. What names them is changed first, and what was
 * put on them removed; where that is more than one transaction should hold, it is a part of it, and none of them goes yet.
 * @param asked ids as the table has them, as texts
 * @param days that they have been in the trash; 0 for those that were moved there at a moment before
 * @returns how many were removed, and whether it has to be called again
 */
export async function purgeRecords(
  tx: Tx,
  scope: Scope,
  of: Host,
  asked: readonly string[],
  nowMs: number,
  days = trashDays,
): Promise<{ removed: number; isMore: boolean }> {
  const { rows } = await sql<{ id: string | number }>`
    select id from ${sql.table(of.table)}
    where tenant_id = ${scope.tenantId} and id = any(${rowIds(
      of,
      asked.map(id => recordIdOf(of, id)),
    )}) and deleted_at < now() - make_interval(days => ${days})
    order by id for update`.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return { removed: 0, isMore: false }
  const named = ids.map(id => recordIdOf(of, id))
  let left = changedAtOnce - (await nameNoMore(tx, scope, of.name, named, nowMs))
  for (const other of allTables()) {
    const field = hostFieldOf(other.spec)
    if (field !== undefined && left > 0) left -= await removePutOn(tx, scope, other, field, named, left)
  }
  if (left <= 0) return { removed: 0, isMore: true }
  await sql`
    delete from record_tags
    where tenant_id = ${scope.tenantId} and (record_id = any(${named}::text[]) or tag_id = any(${named}::text[]))`.execute(
    tx,
  )
  await removeTraces(tx, scope, named)
  await sql`delete from ${sql.table(of.table)} where tenant_id = ${scope.tenantId} and id = any(${rowIds(of, named)})`.execute(
    tx,
  )
  const type = `${of.name}.purged` as EventType
  const events = ids.map(id => ({ type, resourceId: id, data: { id } }))
  await emit(tx, scope, ...events)
  return { removed: ids.length, isMore: false }
}

/** How many that named them were changed: where that is as many as may be, there may be more. */
async function nameNoMore(tx: Tx, scope: Scope, name: string, ids: readonly string[], nowMs: number): Promise<number> {
  const { tenantId, organizationId } = scope
  const author = { tenantId, organizationId, userId: null, keyId: null }
  const origin = { source: 'purge', batchId: null, nowMs } as const
  let left = changedAtOnce - (await emptyReferences(tx, author, name, ids, origin, changedAtOnce))
  for (const { empty } of followersOf(name))
    if (empty !== undefined && left > 0) left -= await empty(tx, scope, ids, left, nowMs)
  return changedAtOnce - left
}

/** How many of the records that are put on these were removed, at most `limit`. */
async function removePutOn(
  tx: Tx,
  scope: Scope,
  { spec, table }: NounTable,
  field: string,
  named: readonly string[],
  limit: number,
): Promise<number> {
  const { tenantId } = scope
  const own = idsOf(spec)
  const { rows } = await sql<{ id: string | number }>`
    select id from ${sql.table(table)}
    where tenant_id = ${tenantId} and ${sql.ref(field)} = any(${named}::text[]) order by id limit ${limit} for update`.execute(
    tx,
  )
  const ids = rows.map(({ id }) => recordIdOf(own, id))
  if (ids.length === 0) return 0
  await removeTraces(tx, scope, ids)
  await sql`delete from ${sql.table(table)} where tenant_id = ${tenantId} and id = any(${rowIds(own, ids)})`.execute(tx)
  return ids.length
}

/** Their history, and what they were the same as others by. */
async function removeTraces(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<void> {
  await sql`delete from changes where tenant_id = ${tenantId} and record_id = any(${ids}::text[])`.execute(tx)
  await sql`delete from record_keys where tenant_id = ${tenantId} and record_id = any(${ids}::text[])`.execute(tx)
}
