// SQL of the sources of mails that came in: where the bytes of each lie, and what takes their place where a person who is erased was in them.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'

export type SourceRow = {
  id: string
  storage: string
  storage_key: string
  size_bytes: number
  from_address: string | null
  from_name: string | null
  subject: string
  written_at: string | null
}

/** Mails behind an id, in their order. */
export async function listSources(tx: Tx, { tenantId }: Scope, behind: string, limit: number): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select id, storage, storage_key, size_bytes, from_address, from_name, subject, written_at from inbound_mails
    where tenant_id = ${tenantId} and id > ${behind} order by id limit ${limit}`.execute(tx)
  return rows
}

/** Other bytes take the place of those at a key, for each mail that came with them. */
export async function replaceSource(
  tx: Tx,
  { tenantId }: Scope,
  old: Pick<SourceRow, 'storage' | 'storage_key'>,
  by: {
    storage: string
    storage_key: string
    folder: string | null
    size_bytes: number
    sha256: string
    nowMs: number
  },
): Promise<void> {
  await sql`
    update inbound_mails set storage = ${by.storage}, storage_key = ${by.storage_key}, folder = ${by.folder},
      size_bytes = ${by.size_bytes}, sha256 = ${by.sha256}, source_erased_at = ${isoMs(by.nowMs)}, version = version + 1
    where tenant_id = ${tenantId} and storage = ${old.storage} and storage_key = ${old.storage_key}`.execute(tx)
}
