// SQL of mails: written with their job, found, listed, and moved from state to state by what happened to them.
import { type RawBuilder, sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { seenRecord } from '../records/index.ts'
import { comparedAddress, isUrgent, type MailRow, type MailState, type Recipient } from './rules.ts'

const columns =
  sql.raw(`m.id, m.stream, m.state, m.code, m.template, m.locale, m.sender_id, m.from_address, m.from_name, m.reply_to,
  m.subject, m.text, m.html, m.message_id, m.dedupe_key, m.record_id, m.answers, m.user_id::float8 as user_id, m.transport, m.size_bytes, m.attempts, m.version,
  m.scheduled_at, m.expires_at, m.created_at, m.updated_at, m.sent_at, (
    select coalesce(json_agg(json_build_object('place', r.place, 'kind', r.kind, 'address', r.address, 'name', r.name,
      'outcome', r.outcome, 'code', r.code, 'reply', r.reply) order by r.place), '[]')
    from mail_recipients r where r.tenant_id = m.tenant_id and r.mail_id = m.id) as recipients`)

export type NewMail = Pick<
  MailRow,
  | 'id'
  | 'stream'
  | 'template'
  | 'locale'
  | 'sender_id'
  | 'from_address'
  | 'from_name'
  | 'reply_to'
  | 'subject'
  | 'text'
  | 'html'
  | 'dedupe_key'
  | 'record_id'
  | 'answers'
  | 'user_id'
  | 'scheduled_at'
  | 'expires_at'
  | 'created_at'
> & {
  code: string | null
  recipients: readonly Recipient[]
  attachments: readonly Attachment[]
}
export type Attachment = { fileName: string; mediaType: string; content: Buffer }

/** Writes a mail with its job; false where one with this dedupe key is there already. */
export async function insertMail(tx: Tx, { tenantId, organizationId }: Scope, mail: NewMail): Promise<boolean> {
  const { rows } = await sql`
    insert into mails (tenant_id, id, stream, state, code, template, locale, sender_id, from_address, from_name, reply_to, subject,
      text, html, dedupe_key, record_id, answers, user_id, scheduled_at, expires_at, created_at, updated_at)
    values (${tenantId}, ${mail.id}, ${mail.stream}, 'queued', ${mail.code}, ${mail.template}, ${mail.locale}, ${mail.sender_id},
      ${mail.from_address}, ${mail.from_name}, ${mail.reply_to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${mail.dedupe_key},
      ${mail.record_id}, ${mail.answers}::text[], ${mail.user_id}, ${mail.scheduled_at}, ${mail.expires_at}, ${mail.created_at}, ${mail.created_at})
    on conflict on constraint mails_dedupe do nothing returning id`.execute(tx)
  if (rows.length === 0) return false
  const { recipients, attachments } = mail
  await sql`
    insert into mail_recipients (tenant_id, mail_id, place, kind, address, compared, name)
    select ${tenantId}, ${mail.id}, u.place, u.kind, u.address, u.compared, u.name
    from unnest(${recipients.map(one => one.kind)}::text[], ${recipients.map(one => one.address)}::text[],
      ${recipients.map(one => comparedAddress(one.address))}::text[], ${recipients.map(one => one.name)}::text[])
      with ordinality as u (kind, address, compared, name, place)`.execute(tx)
  for (const [index, { fileName, mediaType, content }] of attachments.entries())
    await sql`
      insert into mail_attachments (tenant_id, mail_id, place, file_name, media_type, content)
      values (${tenantId}, ${mail.id}, ${index + 1}, ${fileName}, ${mediaType}, ${content})`.execute(tx)
  await sql`
    insert into mail_jobs (tenant_id, organization_id, mail_id, is_urgent, due_at)
    values (${tenantId}, ${organizationId}, ${mail.id}, ${isUrgent(mail)},
      -- The time of an id may be ahead of a clock that was set back.
      coalesce(${mail.scheduled_at}::timestamptz, least(${mail.created_at}::timestamptz, clock_timestamp())))`.execute(
    tx,
  )
  return true
}

export async function findMail(tx: Tx, { tenantId }: Scope, id: string): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`
    select ${columns} from mails m where m.tenant_id = ${tenantId} and m.id = ${id}`.execute(tx)
  return rows[0]
}

export async function findMailByDedupeKey(tx: Tx, { tenantId }: Scope, key: string): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`
    select ${columns} from mails m where m.tenant_id = ${tenantId} and m.dedupe_key = ${key}`.execute(tx)
  return rows[0]
}

/** The same, and nobody else changes it before the transaction ends. */
export async function lockMail(tx: Tx, { tenantId }: Scope, id: string): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`
    select ${columns} from mails m where m.tenant_id = ${tenantId} and m.id = ${id} for update of m`.execute(tx)
  return rows[0]
}

/** Several at once, in the order of their ids. */
export async function lockMails(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select ${columns} from mails m where m.tenant_id = ${tenantId} and m.id = any(${ids}::text[])
    order by m.id for update of m`.execute(tx)
  return rows
}

export type MailFilter = {
  beforeId: string
  state: MailState | undefined
  stream: string | undefined
  template: string | undefined
  recordId: string | undefined
  /** Only mails of these people; undefined for all. */
  userIds: readonly number[] | undefined
  /** Also those that open something. */
  withSecurity: boolean
  /** As compared. */
  to: string | undefined
}

/** Newest first, at most `limit + 1`. Each filter makes a statement of its own, so that each can go by its index. */
export async function listMails(tx: Tx, { tenantId }: Scope, filter: MailFilter, limit: number): Promise<MailRow[]> {
  const { beforeId, state, stream, template, recordId, userIds, withSecurity, to } = filter
  const conditions = [sql`m.tenant_id = ${tenantId}`, sql`m.id < ${beforeId}`]
  // Written out: only so does PostgreSQL know that the index has them all.
  if (state !== undefined) conditions.push(sql`m.state = ${sql.lit(state)}`)
  if (stream !== undefined) conditions.push(sql`m.stream = ${stream}`)
  if (template !== undefined) conditions.push(sql`m.template = ${template}`)
  if (recordId !== undefined) conditions.push(sql`m.record_id = ${recordId}`)
  if (!withSecurity) conditions.push(sql`m.stream <> 'security'`)
  if (to !== undefined)
    conditions.push(
      sql`m.id in (select r.mail_id from mail_recipients r where r.tenant_id = ${tenantId} and r.compared = ${to})`,
    )
  const newest = (whose: RawBuilder<unknown>) =>
    sql`(select * from mails m where ${whose} and ${sql.join(conditions, sql` and `)} order by m.id desc limit ${limit + 1}) m`
  // Those of each person stand together in the index.
  const listed =
    userIds === undefined
      ? newest(sql`true`)
      : sql`unnest(${userIds}::bigint[]) as u (id) cross join lateral ${newest(sql`m.user_id = u.id`)}`
  const { rows } = await sql<MailRow>`
    select ${columns} from ${listed} order by m.id desc limit ${limit + 1}`.execute(tx)
  return rows
}

export type AttemptRow = {
  number: number
  transport: string
  host: string | null
  started_at: string
  ended_at: string | null
  outcome: string | null
  reply_code: number | null
  enhanced_status: string | null
  reply: string | null
  code: string | null
}

export async function listAttempts(tx: Tx, { tenantId }: Scope, id: string): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select number, transport, host, started_at, ended_at, outcome, reply_code, enhanced_status, reply, code
    from mail_attempts where tenant_id = ${tenantId} and mail_id = ${id} order by number`.execute(tx)
  return rows
}

export async function listAttachments(tx: Tx, { tenantId }: Scope, id: string): Promise<Attachment[]> {
  const { rows } = await sql<Attachment>`
    select file_name as "fileName", media_type as "mediaType", content
    from mail_attachments where tenant_id = ${tenantId} and mail_id = ${id} order by place`.execute(tx)
  return rows
}

/** How many attachments each of these mails has, where it has any. */
export async function countAttachments(
  tx: Tx,
  { tenantId }: Scope,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select mail_id as id, count(*)::integer as count from mail_attachments
    where tenant_id = ${tenantId} and mail_id = any(${ids}::text[]) group by mail_id`.execute(tx)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

export type HistoryEntry = { state: string; at: string; code: string | null }

/** What happened to it, first to last, by its events. */
export async function listHistory(tx: Tx, { tenantId }: Scope, id: string): Promise<HistoryEntry[]> {
  const { rows } = await sql<HistoryEntry>`
    select substr(type, length('mail.') + 1) as state, at::timestamptz(3) as at, data ->> 'code' as code
    from events where tenant_id = ${tenantId} and resource_id = ${id} order by sequence`.execute(tx)
  return rows
}

/** Moves a locked mail and counts its events. */
export async function moveMail(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  { state, code, nowMs }: { state: MailState; code: string | null; nowMs: number },
): Promise<void> {
  await sql`
    update mails set state = ${state}, code = ${code}, version = version + 1, updated_at = greatest(${isoMs(nowMs)}::timestamptz, created_at)
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** What waited does no more. */
export async function removeJob(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await sql`delete from mail_jobs where tenant_id = ${tenantId} and mail_id = ${id}`.execute(tx)
}

/** It waits again, for those who do not have it: a person asked for it. */
export async function queueAgain(
  tx: Tx,
  { tenantId, organizationId }: Scope,
  { id, stream }: Pick<MailRow, 'id' | 'stream'>,
  { expiresAt, nowMs }: { expiresAt: string; nowMs: number },
): Promise<void> {
  await sql`
    update mails set state = 'queued', code = null, version = version + 1, expires_at = ${expiresAt}, updated_at = ${isoMs(nowMs)}
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
  await sql`
    update mail_recipients set outcome = null, code = null, reply = null
    where tenant_id = ${tenantId} and mail_id = ${id} and (outcome is null or outcome in ('rejected', 'suppressed', 'bounced'))`.execute(
    tx,
  )
  await sql`
    insert into mail_jobs (tenant_id, organization_id, mail_id, is_urgent, due_at)
    values (${tenantId}, ${organizationId}, ${id}, ${isUrgent({ stream })}, ${isoMs(nowMs)})`.execute(tx)
}

/** The place of one more event about a locked mail. */
export async function countEvent(tx: Tx, { tenantId }: Scope, id: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update mails set version = version + 1 where tenant_id = ${tenantId} and id = ${id} returning version`.execute(tx)
  return rows[0]!.version
}

export type AnsweredMail = { messageId: string | null; answers: string[]; recordId: string | null }

/** A mail that came in and is to be answered, where the caller sees it. */
export async function findAnsweredMail(tx: Tx, principal: Principal, id: string): Promise<AnsweredMail | undefined> {
  const { rows } = await sql<AnsweredMail>`
    select r.message_id as "messageId", r.answered_ids as answers, r.record_id as "recordId" from inbound_mails r
    where r.tenant_id = ${principal.tenantId} and r.id = ${id} and ${seenRecord(principal)}`.execute(tx)
  return rows[0]
}

/** The Message-IDs of a mail that came in and of those that it answers, the nearest last. */
export async function messageIdsOf(tx: Tx, { tenantId }: Scope, inboundId: string): Promise<string[]> {
  const { rows } = await sql<{ messageId: string | null; answers: string[] }>`
    select r.message_id as "messageId", r.answered_ids as answers from inbound_mails r
    where r.tenant_id = ${tenantId} and r.id = ${inboundId}`.execute(tx)
  const [row] = rows
  if (row === undefined) return []
  return [...row.answers.toReversed(), row.messageId].filter(id => id !== null).slice(-20)
}
