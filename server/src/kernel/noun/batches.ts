// Changes of many records by one request, and what takes them back: their records, and the SQL of these.

import { sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Scope, Tx } from '../data/db.ts'
import type { DuplicateMode } from '../values/duplicate_mode.ts'
import type { Sql } from './field.ts'
import { tableNamed } from './registry.ts'

/** What is done to each record: fields are set, or it is moved to the trash or out of it. */
export type BatchWork = {
  set?: Record<string, unknown>
  action?: 'delete' | 'restore'
  /** What X-Duplicate-Mode said; the organization's setting where it said nothing. */
  duplicates?: DuplicateMode
}

export type BatchState = 'running' | 'completed' | 'canceled' | 'failed'
export type BatchFailure = { id: string; code: string; message: string }

export type BatchRow = {
  id: string
  created_at: string
  /** As in `company`. */
  noun: string
  source: 'bulk' | 'revert'
  state: BatchState
  user_id: number
  key_id: string | null
  work: BatchWork | null
  reverts: string | null
  behind: string
  total: number
  changed: number
  unchanged: number
  failed: number
  problem: string | null
  finished_at: string | null
  /** The last batch that takes it back; read by lists and single reads only. */
  reverted_by?: string | null
}

/** What a list of imports or batches is asked for; the newest come first. `behind` is the id of the last one of the page before. */
export type ListAsked = {
  noun: string | undefined
  /** Whose are meant; those of all when not said. */
  userId: number | undefined
  behind: string | undefined
  limit: number
}

/** The last batch that takes one back, or has; one that was ended before is none. @param column of the batch that may be taken back, with its alias */
export function revertedBy(column: 'i.batch_id' | 'b.id'): Sql {
  const [alias] = column.split('.')
  return sql`(select max(t.id) from batches t where t.tenant_id = ${sql.ref(`${alias}.tenant_id`)} and t.reverts = ${sql.ref(column)}
    and t.state in ('running', 'completed'))`
}

export type NewBatch = Pick<BatchRow, 'id' | 'created_at' | 'noun' | 'source' | 'work' | 'reverts' | 'total'>

/** A batch that begins now. */
export async function insertBatch(tx: Tx, { tenantId, userId, keyId }: Principal, made: NewBatch): Promise<BatchRow> {
  const { rows } = await sql<BatchRow>`
    insert into batches (tenant_id, id, created_at, noun, source, state, user_id, key_id, work, reverts, behind, total, changed, unchanged,
      failed)
    values (${tenantId}, ${made.id}, ${made.created_at}, ${made.noun}, ${made.source}, 'running', ${userId}, ${keyId},
      ${made.work && JSON.stringify(made.work)}::json, ${made.reverts}, '', ${made.total}, 0, 0, 0)
    returning *`.execute(tx)
  return rows[0]!
}

/** @param userId whose batches are meant; those of all when not said */
export async function findBatch(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  { userId, locked = false }: { userId?: number | undefined; locked?: boolean } = {},
): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    select b.*, ${revertedBy('b.id')} as reverted_by from batches b
    where b.tenant_id = ${tenantId} and b.id = ${id} and ${userId === undefined ? sql`true` : sql`b.user_id = ${userId}`}
    ${locked ? sql`for update of b` : sql``}`.execute(tx)
  return rows[0]
}

export async function listBatches(
  tx: Tx,
  { tenantId }: Scope,
  { noun, userId, behind, limit }: ListAsked,
): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    select b.*, ${revertedBy('b.id')} as reverted_by from batches b
    where b.tenant_id = ${tenantId} and ${userId === undefined ? sql`true` : sql`b.user_id = ${userId}`}
      and ${noun === undefined ? sql`true` : sql`b.noun = ${noun}`} and ${behind === undefined ? sql`true` : sql`b.id < ${behind}`}
    order by b.id desc limit ${limit}`.execute(tx)
  return rows
}

export type BatchChange = Partial<
  Pick<BatchRow, 'state' | 'behind' | 'changed' | 'unchanged' | 'failed' | 'problem' | 'finished_at'>
>

export async function changeBatch(tx: Tx, { tenantId }: Scope, row: BatchRow, change: BatchChange): Promise<BatchRow> {
  const after = { ...row, ...change }
  await sql`
    update batches set state = ${after.state}, behind = ${after.behind}, changed = ${after.changed}, unchanged = ${after.unchanged},
      failed = ${after.failed}, problem = ${after.problem}, finished_at = ${after.finished_at}::timestamptz
    where tenant_id = ${tenantId} and id = ${row.id}`.execute(tx)
  return after
}

/** The records that are to be changed. */
export async function insertBatchRecords(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    insert into batch_records (tenant_id, batch_id, record_id)
    select ${tenantId}, ${id}, r from unnest(${ids}::text[]) r`.execute(tx)
}

/** Takes records off those that are still to be changed, in the order of their ids. */
export async function takeBatchRecords(tx: Tx, { tenantId }: Scope, id: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ record_id: string }>`
    delete from batch_records
    where tenant_id = ${tenantId} and batch_id = ${id} and record_id = any (array(
      select record_id from batch_records where tenant_id = ${tenantId} and batch_id = ${id} order by record_id limit ${limit}))
    returning record_id`.execute(tx)
  return rows.map(row => row.record_id)
}

export async function insertFailures(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  failures: readonly BatchFailure[],
): Promise<void> {
  if (failures.length === 0) return
  await sql`
    insert into batch_failures (tenant_id, batch_id, record_id, code, message)
    select ${tenantId}, ${id}, f.record_id, f.code, f.message
    from unnest(${failures.map(failure => failure.id)}::text[], ${failures.map(failure => failure.code)}::text[],
      ${failures.map(failure => failure.message)}::text[]) as f (record_id, code, message)
    on conflict do nothing`.execute(tx)
}

export async function listFailures(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  behind: string,
  limit: number,
): Promise<BatchFailure[]> {
  const { rows } = await sql<BatchFailure>`
    select record_id as id, code, message from batch_failures
    where tenant_id = ${tenantId} and batch_id = ${id} and record_id > ${behind} order by record_id limit ${limit}`.execute(
    tx,
  )
  return rows
}

export type BatchOrigin = { noun: string; source: string; total: number; hasCreated: boolean }

/** What a batch did, by the histories of its records; undefined where it did nothing. */
export async function findOrigin(tx: Tx, { tenantId }: Scope, batchId: string): Promise<BatchOrigin | undefined> {
  const { rows } = await sql<BatchOrigin>`
    select min(noun) as noun, min(source) as source, count(distinct record_id)::integer as total, bool_or(version = 1) as "hasCreated"
    from changes where tenant_id = ${tenantId} and batch_id = ${batchId} having count(*) > 0`.execute(tx)
  return rows[0]
}

/**
 * What a batch did to one record: the first and the last version that it made, whether all between were its own, and of each field the
 * value before.
 */
export type Undoing = {
  record_id: string
  first: number
  last: number
  isWhole: boolean
  before: Record<string, unknown>
}

/** Of the next records behind one, in the order of ids. */
export async function listUndoings(
  tx: Tx,
  { tenantId }: Scope,
  batchId: string,
  behind: string,
  limit: number,
): Promise<Undoing[]> {
  const { rows } = await sql<{ record_id: string; version: number; difference: Record<string, [unknown, unknown]> }>`
    select c.record_id, c.version, c.difference from changes c
    where c.tenant_id = ${tenantId} and c.batch_id = ${batchId} and c.record_id = any (array(
      select distinct record_id from changes
      where tenant_id = ${tenantId} and batch_id = ${batchId} and record_id > ${behind} order by record_id limit ${limit}))
    order by c.record_id, c.version`.execute(tx)
  const found = new Map<string, Undoing>()
  for (const { record_id, version, difference } of rows) {
    const known = found.get(record_id)
    const before = Object.fromEntries(Object.entries(difference).map(([field, [from]]) => [field, from]))
    if (known === undefined) found.set(record_id, { record_id, first: version, last: version, isWhole: true, before })
    else {
      known.isWhole &&= version === known.last + 1
      known.last = version
      known.before = { ...before, ...known.before }
    }
  }
  return [...found.values()]
}

/** As the API shows it. */
export function presentBatch(tenantId: number, row: BatchRow) {
  const { id, source, state, user_id, work, reverts, total, changed, unchanged, failed, problem } = row
  const noun = tableNamed(row.noun).spec.names[1]
  return {
    id,
    tenant_id: tenantId,
    noun,
    source,
    state,
    user_id,
    action: work?.action ?? null,
    fields: Object.keys(work?.set ?? {}),
    reverts,
    reverted_by: row.reverted_by ?? null,
    total,
    changed,
    unchanged,
    failed,
    problem,
    created_at: row.created_at,
    finished_at: row.finished_at,
  }
}
