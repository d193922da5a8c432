// SQL of the mails of a record, newest first: each kind from its own index, a page at a time.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

export type MailOfRecordRow = {
  id: string
  direction: 'inbound' | 'outbound'
  at: string
  subject: string
  text: string | null
  from: string | null
  to: string | null
  status: string
  code: string | null
  userId: number | null
}

const sentColumns =
  sql.raw(`m.id, 'outbound' as direction, m.created_at as at, m.subject, m.text, m.from_address as "from", (
    select string_agg(t.address, ', ' order by t.place) from mail_recipients t
    where t.tenant_id = m.tenant_id and t.mail_id = m.id and t.kind = 'to') as "to",
  m.state as status, m.code, m.user_id::float8 as "userId"`)

const receivedColumns = sql.raw(`r.id, r.direction, r.received_at, r.subject, r.text, r.from_address, (
    select string_agg(t ->> 'address', ', ') from json_array_elements(r.to_list) t),
  r.sender_check, null, r.user_id::float8`)

export async function listMailRows(
  tx: Tx,
  { tenantId }: Scope,
  recordId: string,
  [at, id]: readonly [string, string] = ['infinity', ''],
  limit: number,
): Promise<MailOfRecordRow[]> {
  const { rows } = await sql<MailOfRecordRow>`
    (select ${sentColumns}
    from mails m
    where m.tenant_id = ${tenantId} and m.record_id = ${recordId} and (m.created_at, m.id) < (${at}::timestamptz, ${id}::text)
    order by m.created_at desc, m.id desc limit ${limit})
    union all
    (select ${receivedColumns}
    from inbound_mails r
    where r.tenant_id = ${tenantId} and r.record_id = ${recordId} and (r.received_at, r.id) < (${at}::timestamptz, ${id}::text)
    order by r.received_at desc, r.id desc limit ${limit})`.execute(tx)
  return rows
}

export async function listMailRowsNamed(
  tx: Tx,
  { tenantId }: Scope,
  ids: readonly string[],
): Promise<MailOfRecordRow[]> {
  const { rows } = await sql<MailOfRecordRow>`
    select ${sentColumns} from mails m where m.tenant_id = ${tenantId} and m.id = any(${ids}::text[])
    union all
    select ${receivedColumns} from inbound_mails r where r.tenant_id = ${tenantId} and r.id = any(${ids}::text[])`.execute(
    tx,
  )
  return rows
}
