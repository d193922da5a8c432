// SQL of mails on their way: leased, begun, and what came of each attempt.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { functionCall } from '../../../kernel/data/function_call.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { MailRow, MailState, Outcome, RecipientRow } from './rules.ts'

/** The name of the queue, to wake it. */
export const mailQueue = 'mails'

export type ClaimedMail = {
  tenant_id: number
  organization_id: number
  mode: 'live' | 'test'
  mail_id: string
  was_leased: boolean
}

export type MailClaim = {
  token: string
  limit: number
  tenantRoom: number
  leaseSeconds: number
  behindTenant: number
  /** How many each tenant has under way here. */
  busy: ReadonlyMap<number, number>
}

const claimText = functionCall('claim_mails', 7)

export function claimMails(db: Db, claim: MailClaim): Promise<ClaimedMail[]> {
  const { token, limit, tenantRoom, leaseSeconds, behindTenant, busy } = claim
  const values = [token, limit, tenantRoom, leaseSeconds, behindTenant, [...busy.keys()], [...busy.values()]]
  return db.work('claim_mails', claimText, values)
}

/** What takes longer keeps its lease. */
export async function renewMails(db: Db, token: string, leaseSeconds: number): Promise<void> {
  await db.work('renew_mails', 'select renew_mails($1, $2)', [token, leaseSeconds])
}

/** Those of these whose job is still leased under the token; the jobs stay as they are until the transaction ends. */
export async function holdJobs(tx: Tx, { tenantId }: Scope, token: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ mail_id: string }>`
    select mail_id from mail_jobs
    where tenant_id = ${tenantId} and mail_id = any(${ids}::text[]) and lease_token = ${token}
    order by mail_id for update`.execute(tx)
  return rows.map(row => row.mail_id)
}

export type Begun = Pick<MailRow, 'id' | 'from_address' | 'from_name' | 'message_id' | 'transport' | 'attempts'>

/** Marks locked mails as being handed over, with a row an attempt: from this commit on it is not certain that nobody got them. */
export async function beginMails(tx: Tx, { tenantId }: Scope, begun: readonly Begun[], nowMs: number): Promise<void> {
  if (begun.length === 0) return
  const column = <Name extends keyof Begun>(name: Name) => begun.map(row => row[name])
  const given = sql`unnest(${column('id')}::text[], ${column('from_address')}::text[], ${column('from_name')}::text[],
    ${column('message_id')}::text[], ${column('transport')}::text[], ${column('attempts')}::integer[])
    as u (id, from_address, from_name, message_id, transport, attempts)`
  await sql`
    update mails m set state = 'sending', from_address = u.from_address, from_name = u.from_name, message_id = u.message_id,
      transport = u.transport, attempts = u.attempts, updated_at = greatest(${isoMs(nowMs)}::timestamptz, m.created_at)
    from ${given} where m.tenant_id = ${tenantId} and m.id = u.id`.execute(tx)
  await sql`
    insert into mail_attempts (tenant_id, mail_id, number, transport, started_at)
    select ${tenantId}, u.id, u.attempts, u.transport, ${isoMs(nowMs)} from ${given}`.execute(tx)
}

export type Ended = {
  id: string
  state: MailState
  code: string | null
  version: number
  sizeBytes: number | null
  /** Whether it left: from then on it is `sent`. */
  hasLeft: boolean
  /** Whether its words are removed. */
  isEmptied: boolean
  /** When it is tried again; null for never. */
  dueAt: string | null
  attempt: {
    number: number
    outcome: Outcome
    host: string | null
    replyCode: number | null
    enhancedStatus: string | null
    reply: string | null
    code: string | null
  }
  recipients: readonly Pick<RecipientRow, 'place' | 'outcome' | 'code' | 'reply'>[]
}

/** Writes down what came of attempts; of jobs only those that are still leased under the token. */
export async function endMails(
  tx: Tx,
  { tenantId }: Scope,
  { token, ended, nowMs }: { token: string; ended: readonly Ended[]; nowMs: number },
): Promise<void> {
  if (ended.length === 0) return
  const now = isoMs(nowMs)
  const of = <Value>(value: (one: Ended) => Value) => ended.map(value)
  await sql`
    update mails m set state = u.state, code = u.code, version = u.version, size_bytes = coalesce(u.size_bytes, m.size_bytes),
      sent_at = case when u.has_left then coalesce(m.sent_at, ${now}) else m.sent_at end,
      text = case when not u.is_emptied then m.text end, html = case when not u.is_emptied then m.html end,
      updated_at = greatest(${now}::timestamptz, m.created_at)
    from unnest(${of(one => one.id)}::text[], ${of(one => one.state)}::text[], ${of(one => one.code)}::text[],
      ${of(one => one.version)}::integer[], ${of(one => one.sizeBytes)}::integer[], ${of(one => one.hasLeft)}::boolean[],
      ${of(one => one.isEmptied)}::boolean[]) as u (id, state, code, version, size_bytes, has_left, is_emptied)
    where m.tenant_id = ${tenantId} and m.id = u.id`.execute(tx)
  await sql`
    update mail_attempts a set ended_at = greatest(${now}::timestamptz, a.started_at), outcome = u.outcome, host = u.host,
      reply_code = u.reply_code, enhanced_status = u.enhanced_status, reply = u.reply, code = u.code
    from unnest(${of(one => one.id)}::text[], ${of(one => one.attempt.number)}::integer[], ${of(one => one.attempt.outcome)}::text[],
      ${of(one => one.attempt.host)}::text[], ${of(one => one.attempt.replyCode)}::integer[],
      ${of(one => one.attempt.enhancedStatus)}::text[], ${of(one => one.attempt.reply)}::text[],
      ${of(one => one.attempt.code)}::text[]) as u (id, number, outcome, host, reply_code, enhanced_status, reply, code)
    where a.tenant_id = ${tenantId} and a.mail_id = u.id and a.number = u.number`.execute(tx)
  const results = ended.flatMap(({ id, recipients }) => recipients.map(one => ({ id, ...one })))
  if (results.length > 0)
    await sql`
      update mail_recipients r set outcome = u.outcome, code = u.code, reply = u.reply
      from unnest(${results.map(one => one.id)}::text[], ${results.map(one => one.place)}::integer[],
        ${results.map(one => one.outcome)}::text[], ${results.map(one => one.code)}::text[], ${results.map(one => one.reply)}::text[])
        as u (id, place, outcome, code, reply)
      where r.tenant_id = ${tenantId} and r.mail_id = u.id and r.place = u.place`.execute(tx)
  await sql`
    delete from mail_jobs j using unnest(${of(one => one.id)}::text[], ${of(one => one.dueAt)}::timestamptz[]) as u (id, due_at)
    where j.tenant_id = ${tenantId} and j.mail_id = u.id and j.lease_token = ${token} and u.due_at is null`.execute(tx)
  await sql`
    update mail_jobs j set lease_token = null, due_at = u.due_at
    from unnest(${of(one => one.id)}::text[], ${of(one => one.dueAt)}::timestamptz[]) as u (id, due_at)
    where j.tenant_id = ${tenantId} and j.mail_id = u.id and j.lease_token = ${token} and u.due_at is not null`.execute(
    tx,
  )
}

/** Gives jobs back that were leased and not begun. */
export async function postponeJobs(
  tx: Tx,
  { tenantId }: Scope,
  { token, ids, dueAt }: { token: string; ids: readonly string[]; dueAt: string },
): Promise<void> {
  await sql`
    update mail_jobs set lease_token = null, due_at = ${dueAt}
    where tenant_id = ${tenantId} and mail_id = any(${ids}::text[]) and lease_token = ${token}`.execute(tx)
}

/** What suppresses these addresses, as compared, for mails of any stream. */
export async function findSuppressed(
  tx: Tx,
  { tenantId }: Scope,
  addresses: readonly string[],
): Promise<{ address: string; stream: string; reason: string }[]> {
  const { rows } = await sql<{ address: string; stream: string; reason: string }>`
    select address, stream, reason from mail_suppressions
    where tenant_id = ${tenantId} and address = any(${addresses}::text[])`.execute(tx)
  return rows
}

/** How many mails may leave: urgent ones by themselves. */
export type RateAsked = { isUrgent: boolean; wanted: number; perMinute: number; perDay: number; nowMs: number }

/**
 * Counts mails that are about to leave and answers how many may, in this minute and this day. Who read the clock just before the minute
 * ended and comes behind one who read it later counts in that later minute: it would begin again otherwise.
 */
export async function takeRate(
  tx: Tx,
  { tenantId, organizationId }: Scope,
  { isUrgent, wanted, perMinute, perDay, nowMs }: RateAsked,
): Promise<number> {
  const minute = isoMs(nowMs - (nowMs % 60_000))
  const day = isoMs(nowMs).slice(0, 10)
  await sql`
    insert into mail_rates (tenant_id, is_urgent, minute, minute_count, day, day_count)
    values (${tenantId}, ${isUrgent}, ${minute}, 0, ${day}, 0)
    on conflict (tenant_id, is_urgent) do nothing`.execute(tx)
  const sameMinute = sql`minute - ${minute}::timestamptz in ('0', '1 minute')`
  const sameDay = sql`day - ${day}::date in (0, 1)`
  const { rows } = await sql<{ minute_left: number; day_left: number }>`
    select ${perMinute}::integer - case when ${sameMinute} then minute_count else 0 end as minute_left,
      coalesce((select o.mails_per_day from organizations o where o.id = ${organizationId}), ${perDay}::integer)
        - case when ${sameDay} then day_count else 0 end as day_left
    from mail_rates where tenant_id = ${tenantId} and is_urgent = ${isUrgent} for update of mail_rates`.execute(tx)
  const { minute_left, day_left } = rows[0]!
  const taken = Math.max(0, Math.min(wanted, minute_left, day_left))
  await sql`
    update mail_rates set
      minute = case when ${sameMinute} then minute else ${minute} end,
      minute_count = case when ${sameMinute} then minute_count else 0 end + ${taken},
      day = case when ${sameDay} then day else ${day} end,
      day_count = case when ${sameDay} then day_count else 0 end + ${taken}
    where tenant_id = ${tenantId} and is_urgent = ${isUrgent}`.execute(tx)
  return taken
}

export const dayMs = 24 * 3_600_000

/**
 * How many mails may still be accepted for the day that one is due: less what left that day, and what waits to. Without urgent ones. What is
 * under way is counted when it leaves. Who asks next waits for the end of this transaction, so that two do not take the same place.
 */
export async function rateLeft(
  tx: Tx,
  { tenantId, organizationId }: Scope,
  { perDay, dueMs, nowMs }: { perDay: number; dueMs: number; nowMs: number },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('mails_per_day', ${tenantId}))`.execute(tx)
  const dayStartMs = dueMs - (dueMs % dayMs)
  const isToday = dayStartMs <= nowMs
  // What was due before leaves today as well.
  const from = isToday ? sql`true` : sql`j.due_at >= ${isoMs(dayStartMs)}`
  const { rows } = await sql<{ left: number }>`
    select c.cap - coalesce((
        select r.day_count from mail_rates r
        where r.tenant_id = ${tenantId} and not r.is_urgent and r.day = ${isoMs(dayStartMs).slice(0, 10)}), 0)
      - (select count(*)::integer from (
          select from mail_jobs j
          where j.tenant_id = ${tenantId} and not j.is_urgent and j.lease_token is null
            and ${from} and j.due_at < ${isoMs(dayStartMs + dayMs)}
          limit c.cap) w) as left
    from (
      select coalesce(o.mails_per_day, ${perDay}::integer) as cap from organizations o where o.id = ${organizationId}) c`.execute(
    tx,
  )
  return rows[0]!.left
}

const purgeText = 'select purge_mails($1, $2) as gone'

/** Removes mails that are older, some at a time; answers how many. */
export async function purgeMails(db: Db, before: string, maxRows: number): Promise<number> {
  const rows = await db.work<{ gone: number }>('purge_mails', purgeText, [before, maxRows])
  return rows[0]?.gone ?? 0
}

/** The attempt that was under way when its process died: nobody knows what came of it. */
export async function abandonAttempt(
  tx: Tx,
  { tenantId }: Scope,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  nowMs: number,
): Promise<void> {
  await sql`
    update mail_attempts set ended_at = greatest(${isoMs(nowMs)}::timestamptz, started_at), outcome = 'unconfirmed', code = 'mail_unconfirmed'
    where tenant_id = ${tenantId} and mail_id = ${id} and number = ${attempts} and outcome is null`.execute(tx)
}
