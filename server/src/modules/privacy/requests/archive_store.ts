// SQL of the archive of a person: the rows that a request has found, and what belongs to them, as JSON lines without secrets.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { withheld } from '../../identity/organizations/index.ts'

/** A file of the archive: rows of a table that belong to items of a kind, by the column that names these; ids of items are texts. */
export type ArchivePart = { name: string; table: string; kind: string; by: string; ids: 'texts' | 'numbers' | 'leads' }

const part = (name: string, kind = name, by = 'id'): ArchivePart => ({ name, table: name, kind, by, ids: 'texts' })

export const archiveParts: readonly ArchivePart[] = [
  { ...part('leads', 'records'), ids: 'leads' },
  part('contacts', 'records'),
  { ...part('changes', 'records', 'record_id'), name: 'record_changes' },
  part('record_tags', 'records', 'record_id'),
  part('notes'),
  part('tasks'),
  part('attachments'),
  part('messages'),
  part('calls'),
  { ...part('calls', 'calls', 'parent_call_id'), name: 'call_legs' },
  part('recordings'),
  part('mails'),
  part('mail_recipients', 'mails', 'mail_id'),
  part('inbound_mails'),
  part('conversations'),
  part('conversation_entries', 'conversations', 'conversation_id'),
  { ...part('invoices'), ids: 'numbers' },
  { ...part('invoice_lines', 'invoices', 'invoice_id'), ids: 'numbers' },
  { ...part('payments', 'invoices', 'invoice_id'), ids: 'numbers' },
]

function idsOf({ ids: as }: ArchivePart, ids: readonly string[]) {
  if (as === 'texts') return sql`${ids}::text[]`
  const numbers = as === 'numbers' ? ids : ids.filter(id => id.startsWith('lead:')).map(id => id.slice(5))
  return sql`${numbers.map(Number)}::bigint[]`
}

/** Rows of the next items behind `behind`, with the last of these items; undefined when there are no more. */
export async function listLines(
  tx: Tx,
  { tenantId }: Scope,
  requestId: string,
  part: ArchivePart,
  behind: string,
  limit: number,
): Promise<{ lines: string[]; last: string | undefined }> {
  const { table, kind, by } = part
  const items = await sql<{ id: string }>`
    select id from privacy_items
    where tenant_id = ${tenantId} and request_id = ${requestId} and kind = ${kind} and id > ${behind} order by id limit ${limit}`.execute(
    tx,
  )
  const ids = items.rows.map(({ id }) => id)
  if (ids.length === 0) return { lines: [], last: undefined }
  const hidden = await hiddenOf(tx, table)
  const { rows } = await sql<{ line: string }>`
    select (to_jsonb(t) - ${hidden}::text[])::text as line from ${sql.table(table)} t
    where t.tenant_id = ${tenantId} and ${sql.ref(`t.${by}`)} = any(${idsOf(part, ids)})`.execute(tx)
  return { lines: rows.map(({ line }) => line), last: ids.length < limit ? undefined : ids.at(-1) }
}

/** Columns that are nobody's to read, or serve searching only. */
async function hiddenOf(tx: Tx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(
    tx,
  )
  return rows.map(({ name }) => name).filter(name => withheld.test(name) || name === 'tenant_id')
}

/** What found rows name that lies in a store. */
export async function listArchiveFiles(
  tx: Tx,
  { tenantId }: Scope,
  requestId: string,
): Promise<{ kind: string; id: string; storage: string; key: string }[]> {
  const found = (kind: string) => sql`(select i.id from privacy_items i
    where i.tenant_id = ${tenantId} and i.request_id = ${requestId} and i.kind = ${kind})`
  const { rows } = await sql<{ kind: string; id: string; storage: string; key: string }>`
    select 'attachments' as kind, attachment_id as id, storage, storage_key as key from attachment_files
    where tenant_id = ${tenantId} and attachment_id in ${found('attachments')}
    union all
    select 'recordings', id || '.wav', storage, storage_key from recordings
    where tenant_id = ${tenantId} and state = 'available' and id in ${found('recordings')}
    union all
    select 'inbound_mails', id || '.eml', storage, storage_key from inbound_mails
    where tenant_id = ${tenantId} and id in ${found('inbound_mails')}`.execute(tx)
  return rows
}
