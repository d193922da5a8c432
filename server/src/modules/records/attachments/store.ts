// All SQL of where the bytes of attachments are.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'

export type StoredFile = { attachment_id: string; storage: string; storage_key: string; folder: string | null }

export async function insertFile(
  tx: Tx,
  { tenantId }: Scope,
  { attachment_id, storage, storage_key, folder }: StoredFile,
): Promise<void> {
  await sql`
    insert into attachment_files (tenant_id, attachment_id, storage, storage_key, folder)
    values (${tenantId}, ${attachment_id}, ${storage}, ${storage_key}, ${folder})`.execute(tx)
}

export async function findFile(tx: Tx, { tenantId }: Scope, attachmentId: string): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`
    select attachment_id, storage, storage_key, folder from attachment_files
    where tenant_id = ${tenantId} and attachment_id = ${attachmentId}`.execute(tx)
  return rows[0]
}

/** Those of these keys that no attachment names, of tenants at the same places. */
export async function unknownKeys(db: Db, tenantIds: readonly number[], keys: readonly string[]): Promise<string[]> {
  const rows = await db.work<{ key: string }>(
    'unknown_attachment_keys',
    'select key from unknown_attachment_keys($1, $2) as key',
    [tenantIds, keys],
  )
  return rows.map(({ key }) => key)
}
