// SQL of addresses that mails are from.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'

export type SenderRow = {
  id: string
  address: string
  name: string | null
  reply_to: string | null
  transport_id: string | null
  default_for: string[]
  version: number
  created_at: string
  updated_at: string
}

const columnsText =
  'r.id, r.address, r.name, r.reply_to, r.transport_id, r.default_for, r.version, r.created_at, r.updated_at'

export const senders = resourceRows<SenderRow, 'address'>({
  table: 'mail_senders',
  columns: columnsText,
  filters: { address: 'address' },
})

export async function listSenders(tx: Tx, { tenantId }: Scope): Promise<SenderRow[]> {
  const { rows } = await sql<SenderRow>`
    select ${sql.raw(columnsText)} from mail_senders r where tenant_id = ${tenantId} order by id`.execute(tx)
  return rows
}

/** What one sender is the default for, the others are not. */
export async function takeDefaults(tx: Tx, { tenantId }: Scope, streams: readonly string[]): Promise<void> {
  await sql`
    update mail_senders set version = version + 1,
      default_for = array(select s from unnest(default_for) s where s <> all(${streams}::text[]))
    where tenant_id = ${tenantId} and default_for && ${streams}::text[]`.execute(tx)
}
