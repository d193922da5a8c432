// SQL of mail transports.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import type { TransportRow } from './settings.ts'

const columnsText =
  'r.id, r.kind, r.name, r.settings, r.secrets, r.is_default, r.enabled, r.per_minute, r.version, r.created_at, r.updated_at'

export const transports = resourceRows<TransportRow, 'kind' | 'enabled'>({
  table: 'mail_transports',
  columns: columnsText,
  json: ['settings'],
  filters: { kind: 'kind', enabled: 'enabled' },
})

/** Those that may be used. */
export async function listEnabled(tx: Tx, { tenantId }: Scope): Promise<TransportRow[]> {
  const { rows } = await sql<TransportRow>`
    select ${sql.raw(columnsText)} from mail_transports r where tenant_id = ${tenantId} and enabled order by id`.execute(
    tx,
  )
  return rows
}

/** Lets no other be the default. */
export async function clearDefault(tx: Tx, { tenantId }: Scope): Promise<void> {
  await sql`
    update mail_transports set is_default = false, version = version + 1
    where tenant_id = ${tenantId} and is_default`.execute(tx)
}
