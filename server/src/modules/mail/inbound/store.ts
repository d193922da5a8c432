// SQL of mails that came in: stored once, found, listed, moved; and what they are found to be about.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { seenRecord } from '../records/index.ts'
import type { Mailbox } from './read_mime.ts'
import type { Door, InboundState, Matching, SenderCheck } from './rules.ts'
import type { AuthResults } from './sender_check.ts'

export type InboundAttachment = {
  place: number
  file_name: string
  media_type: string
  size_bytes: number
  is_inline: boolean
}

export type InboundRow = {
  id: string
  state: InboundState
  direction: 'inbound' | 'outbound'
  door: Door
  mailbox_id: string | null
  storage: string
  storage_key: string
  folder: string | null
  size_bytes: number
  sha256: string
  message_id: string | null
  answered_ids: string[]
  from_address: string | null
  from_name: string | null
  to_list: readonly Mailbox[]
  cc_list: readonly Mailbox[]
  subject: string
  written_at: string | null
  sender_check: SenderCheck
  auth: AuthResults
  is_automatic: boolean
  matched_by: Matching | null
  mail_id: string | null
  record_id: string | null
  candidates: readonly string[]
  user_id: number | null
  version: number
  received_at: string
  updated_at: string
  attachments: InboundAttachment[]
}
export type InboundWords = { text: string; html: string | null }

const columns =
  sql.raw(`r.id, r.state, r.direction, r.door, r.mailbox_id, r.storage, r.storage_key, r.folder, r.size_bytes, r.sha256,
  r.message_id, r.answered_ids, r.from_address, r.from_name, r.to_list, r.cc_list, r.subject, r.written_at, r.sender_check, r.auth,
  r.is_automatic, r.matched_by, r.mail_id, r.record_id, r.candidates, r.user_id::float8 as user_id, r.version, r.received_at, r.updated_at, (
    select coalesce(json_agg(json_build_object('place', a.place, 'file_name', a.file_name, 'media_type', a.media_type,
      'size_bytes', a.size_bytes, 'is_inline', a.is_inline) order by a.place), '[]')
    from inbound_mail_attachments a where a.tenant_id = r.tenant_id and a.inbound_id = r.id) as attachments`)

/** Stores a mail; false where it is there already. */
export async function insertInbound(
  tx: Tx,
  { tenantId }: Scope,
  { attachments, text, html, ...row }: InboundRow & InboundWords,
  dedupe: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    insert into inbound_mails (tenant_id, id, state, direction, door, mailbox_id, dedupe, storage, storage_key, folder, size_bytes, sha256,
      message_id, answered_ids, from_address, from_name, to_list, cc_list, subject, text, html, written_at, sender_check, auth,
      is_automatic, matched_by, mail_id, record_id, candidates, user_id, version, received_at, updated_at)
    values (${tenantId}, ${row.id}, ${row.state}, ${row.direction}, ${row.door}, ${row.mailbox_id}, ${dedupe}, ${row.storage},
      ${row.storage_key}, ${row.folder}, ${row.size_bytes}, ${row.sha256}, ${row.message_id}, ${row.answered_ids}::text[],
      ${row.from_address}, ${row.from_name}, ${JSON.stringify(row.to_list)}::json, ${JSON.stringify(row.cc_list)}::json, ${row.subject},
      ${text}, ${html}, ${row.written_at}, ${row.sender_check}, ${JSON.stringify(row.auth)}::json, ${row.is_automatic},
      ${row.matched_by}, ${row.mail_id}, ${row.record_id}, ${row.candidates}::text[], ${row.user_id}, ${row.version},
      ${row.received_at}, ${row.updated_at})
    on conflict on constraint inbound_mails_once do nothing returning id`.execute(tx)
  if (rows.length === 0) return false
  await sql`
    insert into inbound_mail_attachments (tenant_id, inbound_id, place, file_name, media_type, size_bytes, is_inline)
    select ${tenantId}, ${row.id}, u.* from unnest(${attachments.map(one => one.place)}::integer[],
      ${attachments.map(one => one.file_name)}::text[], ${attachments.map(one => one.media_type)}::text[],
      ${attachments.map(one => one.size_bytes)}::integer[], ${attachments.map(one => one.is_inline)}::boolean[]) as u`.execute(
    tx,
  )
  return true
}

/** Which of these were stored before, in hexadecimal. */
export async function knownKeys(tx: Tx, { tenantId }: Scope, keys: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select encode(dedupe, 'hex') as key from inbound_mails
    where tenant_id = ${tenantId} and dedupe = any(${keys.map(key => `\\x${key.toString('hex')}`)}::bytea[])`.execute(
    tx,
  )
  return new Set(rows.map(({ key }) => key))
}

export async function findByKey(tx: Tx, { tenantId }: Scope, key: Buffer): Promise<InboundRow | undefined> {
  const { rows } = await sql<InboundRow>`
    select ${columns} from inbound_mails r where r.tenant_id = ${tenantId} and r.dedupe = ${key}`.execute(tx)
  return rows[0]
}

/** The mail, where the caller sees what it stands on. */
export async function findInbound(
  tx: Tx,
  principal: Principal,
  id: string,
  { locked = false } = {},
): Promise<(InboundRow & InboundWords) | undefined> {
  const { rows } = await sql<InboundRow & InboundWords>`
    select ${columns}, r.text, r.html from inbound_mails r
    where r.tenant_id = ${principal.tenantId} and r.id = ${id} and ${seenRecord(principal)}
    ${locked ? sql`for update of r` : sql``}`.execute(tx)
  return rows[0]
}

export type InboundFilter = {
  beforeId: string | undefined
  state: InboundState | undefined
  recordId: string | undefined
  mailboxId: string | undefined
}

/** Newest first, at most `limit + 1`, those that the caller sees. */
export async function listInbound(
  tx: Tx,
  principal: Principal,
  { beforeId, state, recordId, mailboxId }: InboundFilter,
  limit: number,
): Promise<(InboundRow & { beginning: string })[]> {
  const conditions = [sql`r.tenant_id = ${principal.tenantId}`, seenRecord(principal)]
  if (beforeId !== undefined) conditions.push(sql`r.id < ${beforeId}`)
  if (state !== undefined) conditions.push(sql`r.state = ${state}`)
  if (recordId !== undefined) conditions.push(sql`r.record_id = ${recordId}`)
  if (mailboxId !== undefined) conditions.push(sql`r.mailbox_id = ${mailboxId}`)
  const { rows } = await sql<InboundRow & { beginning: string }>`
    select ${columns}, left(r.text, 400) as beginning from inbound_mails r
    where ${sql.join(conditions, sql` and `)} order by r.id desc limit ${limit + 1}`.execute(tx)
  return rows
}

/** Moves a locked mail. */
export async function moveInbound(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  {
    state,
    recordId,
    matchedBy,
    nowMs,
  }: { state: InboundState; recordId: string | null; matchedBy: Matching | null; nowMs: number },
): Promise<void> {
  await sql`
    update inbound_mails set state = ${state}, record_id = ${recordId}, matched_by = ${matchedBy}, version = version + 1,
      updated_at = greatest(${isoMs(nowMs)}::timestamptz, received_at)
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

export type Answered = { mailId: string | null; recordId: string | null }

/** The newest mail that has one of these Message-IDs and stands on a record: one that was sent here, or one that came in. */
export async function findAnswered(
  tx: Tx,
  { tenantId }: Scope,
  messageIds: readonly string[],
): Promise<Answered | undefined> {
  if (messageIds.length === 0) return undefined
  const { rows } = await sql<Answered>`
    select "mailId", "recordId" from (
      select id as "mailId", record_id as "recordId", created_at as at from mails
      where tenant_id = ${tenantId} and message_id = any(${messageIds}::text[])
      union all
      select mail_id, record_id, received_at from inbound_mails
      where tenant_id = ${tenantId} and message_id = any(${messageIds}::text[]) and record_id is not null
    ) m order by "recordId" is null, at desc limit 1`.execute(tx)
  return rows[0]
}

/** The record of a mail that was sent from here; undefined where there is no such mail. */
export async function recordOfMail(
  tx: Tx,
  { tenantId }: Scope,
  mailId: string,
): Promise<{ recordId: string | null } | undefined> {
  const { rows } = await sql<{ recordId: string | null }>`
    select record_id as "recordId" from mails where tenant_id = ${tenantId} and id = ${mailId}`.execute(tx)
  return rows[0]
}

/** Whether a mail left from here under this Message-ID: then what came is our own. */
export async function isOwnMail(tx: Tx, { tenantId }: Scope, messageId: string): Promise<boolean> {
  const { rows } =
    await sql`select from mails where tenant_id = ${tenantId} and message_id = ${messageId} limit 1`.execute(tx)
  return rows.length > 0
}

/** Whether somebody is in the organization still. */
export async function isMember(tx: Tx, { organizationId }: Scope, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from users where organization_id = ${organizationId} and id = ${userId} and disabled_at is null`.execute(tx)
  return rows.length > 0
}

/** Mails of records that became another stand on that one. */
export async function moveToRecord(tx: Tx, { tenantId }: Scope, ids: readonly string[], into: string): Promise<void> {
  await sql`
    update inbound_mails set record_id = ${into}, version = version + 1
    where tenant_id = ${tenantId} and record_id = any(${ids}::text[])`.execute(tx)
  await sql`update mails set record_id = ${into} where tenant_id = ${tenantId} and record_id = any(${ids}::text[])`.execute(
    tx,
  )
}

/** Mails of records that are removed for good stand on none; what came in waits to be put on another. */
export async function leaveRecords(
  tx: Tx,
  { tenantId }: Scope,
  ids: readonly string[],
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    update inbound_mails set record_id = null, state = 'unmatched', matched_by = null, version = version + 1
    where (tenant_id, id) in (
      select tenant_id, id from inbound_mails where tenant_id = ${tenantId} and record_id = any(${ids}::text[]) limit ${limit})
    returning id`.execute(tx)
  const { rows: sent } = await sql`
    update mails set record_id = null
    where (tenant_id, id) in (
      select tenant_id, id from mails where tenant_id = ${tenantId} and record_id = any(${ids}::text[]) limit ${limit - rows.length})
    returning id`.execute(tx)
  return rows.length + sent.length
}

/** Those of these keys that no mail names, of tenants at the same places. */
export async function unknownKeys(db: Db, tenantIds: readonly number[], keys: readonly string[]): Promise<string[]> {
  const rows = await db.work<{ key: string }>(
    'unknown_inbound_mail_keys',
    'select key from unknown_inbound_mail_keys($1, $2) as key',
    [tenantIds, keys],
  )
  return rows.map(({ key }) => key)
}

/** Whose these tenants are; those that are not there are left out. */
export async function ownersOf(db: Db, tenantIds: readonly number[]): Promise<Scope[]> {
  const rows = await db.call<{ tenant_id: number; organization_id: number }>(
    'owners_of_tenants',
    'select * from owners_of_tenants($1)',
    [tenantIds],
  )
  return rows.map(({ tenant_id, organization_id }) => ({ tenantId: tenant_id, organizationId: organization_id }))
}
