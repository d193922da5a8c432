// SQL of domains that mails are from.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import type { DomainRow } from './rules.ts'

const columnsText =
  'r.id, r.domain, r.selector, r.private_key, r.public_key, r.return_path_host, r.status, r.found, r.checked_at, r.version, ' +
  'r.created_at, r.updated_at'

export const domains = resourceRows<DomainRow, 'domain' | 'status'>({
  table: 'mail_domains',
  columns: columnsText,
  json: ['found'],
  filters: { domain: 'domain', status: 'status' },
})

export async function listDomains(tx: Tx, { tenantId }: Scope): Promise<DomainRow[]> {
  const { rows } = await sql<DomainRow>`
    select ${sql.raw(columnsText)} from mail_domains r where tenant_id = ${tenantId}`.execute(tx)
  return rows
}
