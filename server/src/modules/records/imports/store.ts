// SQL of imports: their records, and what is wrong with rows.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services, StoredUpload } from '../../../kernel/endpoint/endpoint.ts'
import { type ListAsked, revertedBy } from '../../../kernel/noun/batches.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import type { ImportOptions, ImportState } from './rules.ts'

export type ImportCounts = {
  done: number
  created: number
  updated: number
  unchanged: number
  skipped: number
  refused: number
}

export type ImportRow = ImportCounts & {
  id: string
  version: number
  created_at: string
  updated_at: string
  /** As in `company`. */
  noun: string
  file_name: string | null
  state: ImportState
  user_id: number
  key_id: string | null
  storage: string | null
  storage_key: string | null
  folder: string | null
  size_bytes: number
  sha256: string
  encoding: string
  delimiter: string
  columns: { name: string; samples: string[]; cells: string[] }[]
  mapping: (string | null)[]
  options: ImportOptions
  row_count: number | null
  problem: string | null
  batch_id: string | null
  finished_at: string | null
  /** The last batch that takes it back; read by lists and single reads only. */
  reverted_by?: string | null
}

export const noCounts: ImportCounts = { done: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, refused: 0 }

export type NewImport = Pick<
  ImportRow,
  | 'id'
  | 'created_at'
  | 'noun'
  | 'file_name'
  | 'user_id'
  | 'key_id'
  | 'encoding'
  | 'delimiter'
  | 'columns'
  | 'mapping'
  | 'options'
  | 'row_count'
> & { file: StoredUpload }

export async function insertImport(tx: Tx, { tenantId }: Scope, made: NewImport): Promise<ImportRow> {
  const { file } = made
  const { rows } = await sql<ImportRow>`
    insert into imports (tenant_id, id, version, created_at, updated_at, noun, file_name, state, user_id, key_id, storage, storage_key,
      folder, size_bytes, sha256, encoding, delimiter, columns, mapping, options, row_count, done,
      created, updated, unchanged, skipped, refused)
    values (${tenantId}, ${made.id}, 1, ${made.created_at}, ${made.created_at}, ${made.noun}, ${made.file_name}, 'draft', ${made.user_id},
      ${made.key_id}, ${file.storage}, ${file.key}, ${file.folder}, ${file.size}, ${file.sha256}, ${made.encoding}, ${made.delimiter},
      ${JSON.stringify(made.columns)}::json, ${JSON.stringify(made.mapping)}::json, ${JSON.stringify(made.options)}::json,
      ${made.row_count}, 0, 0, 0, 0, 0, 0)
    returning *`.execute(tx)
  return rows[0]!
}

/** @param userId whose imports are meant; those of all when not said */
export async function findImport(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  { userId, locked = false }: { userId?: number | undefined; locked?: boolean } = {},
): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`
    select i.*, ${revertedBy('i.batch_id')} as reverted_by from imports i
    where i.tenant_id = ${tenantId} and i.id = ${id} and ${userId === undefined ? sql`true` : sql`i.user_id = ${userId}`}
    ${locked ? sql`for update of i` : sql``}`.execute(tx)
  return rows[0]
}

/** The newest first. @param behind the id of the last one of the page before */
export async function listImports(
  tx: Tx,
  { tenantId }: Scope,
  { noun, userId, behind, limit }: ListAsked,
): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select i.*, ${revertedBy('i.batch_id')} as reverted_by from imports i
    where i.tenant_id = ${tenantId} and ${userId === undefined ? sql`true` : sql`i.user_id = ${userId}`}
      and ${noun === undefined ? sql`true` : sql`i.noun = ${noun}`} and ${behind === undefined ? sql`true` : sql`i.id < ${behind}`}
    order by i.id desc limit ${limit}`.execute(tx)
  return rows
}

export type ImportChange = Partial<
  Pick<
    ImportRow,
    | 'state'
    | 'problem'
    | 'batch_id'
    | 'finished_at'
    | 'row_count'
    | 'encoding'
    | 'delimiter'
    | 'columns'
    | 'mapping'
    | 'options'
    | 'user_id'
    | 'key_id'
  > &
    ImportCounts
>

/** Changes a locked import. */
export async function changeImport(
  tx: Tx,
  { tenantId }: Scope,
  row: ImportRow,
  change: ImportChange,
  nowIso: string,
): Promise<ImportRow> {
  const { columns, mapping, options, ...plain } = change
  const set = {
    ...plain,
    ...(columns && { columns: JSON.stringify(columns) }),
    ...(mapping && { mapping: JSON.stringify(mapping) }),
    ...(options && { options: JSON.stringify(options) }),
    version: row.version + 1,
    updated_at: nowIso,
  }
  await tx.updateTable('imports').set(set).where('tenant_id', '=', tenantId).where('id', '=', row.id).execute()
  return { ...row, ...change, version: row.version + 1, updated_at: nowIso }
}

export type RowFaults = { place: number; faults: FieldFault[] }

export async function insertFaults(
  tx: Tx,
  { tenantId }: Scope,
  importId: string,
  rows: readonly RowFaults[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into import_faults (tenant_id, import_id, place, faults)
    select ${tenantId}, ${importId}, f.place, f.faults::json
    from unnest(${rows.map(row => row.place)}::integer[], ${rows.map(row => JSON.stringify(row.faults))}::text[]) as f (place, faults)`.execute(
    tx,
  )
}

/** In the order of the file. Those of an earlier trial are there until the next one begins, and are not counted: they are none of its. */
export async function listFaults(
  tx: Tx,
  { tenantId }: Scope,
  { id: importId, refused }: Pick<ImportRow, 'id' | 'refused'>,
  behind: number,
  limit: number,
): Promise<RowFaults[]> {
  if (refused === 0) return []
  const { rows } = await sql<RowFaults>`
    select place, faults from import_faults
    where tenant_id = ${tenantId} and import_id = ${importId} and place > ${behind} order by place limit ${limit}`.execute(
    tx,
  )
  return rows
}

/** Removes some of what is known of rows; how many. */
export async function removeFaults(tx: Tx, { tenantId }: Scope, importId: string, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from import_faults where ctid = any (array(
      select ctid from import_faults where tenant_id = ${tenantId} and import_id = ${importId} limit ${limit})) returning place`.execute(
    tx,
  )
  return rows.length
}

/** Which of these files imports keep. */
export function keptFiles({ db }: Pick<Services, 'db'>, keys: readonly string[]): Promise<{ key: string }[]> {
  return db.work('kept_import_files', 'select k as key from kept_import_files($1) k', [keys])
}

export type ExpiredFile = { storage: string; storage_key: string }

/** Files that were kept long enough, but for those in these stores. */
export function expiredFiles(
  { db }: Pick<Services, 'db'>,
  limit: number,
  leftOut: readonly string[],
): Promise<ExpiredFile[]> {
  return db.work('expired_import_files', 'select * from expired_import_files($1, $2)', [limit, leftOut])
}

/** Has imports keep these files no longer; which are to be removed. */
export function forgetFiles({ db }: Pick<Services, 'db'>, keys: readonly string[]): Promise<{ key: string }[]> {
  return db.work('forget_import_files', 'select k as key from forget_import_files($1) k', [keys])
}

/** Whether an import whose changes are this batch is at work. */
export async function isImporting(tx: Tx, { tenantId }: Scope, batchId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from imports where tenant_id = ${tenantId} and batch_id = ${batchId} and state = 'running'`.execute(tx)
  return rows.length > 0
}
