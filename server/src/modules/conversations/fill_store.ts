// SQL of what there was before conversations were followed: texts, calls and mails, in the order in which they were.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { type FoundExchange, type Meaning, ofCall, ofInbound, ofSentMail, ofText } from './exchanges.ts'

type Row = { digits: string; kind: 'text' | 'call' | 'sent' | 'received'; facts: unknown }

/**
 * Some of what happened, in the order of the digits of ids, which begin with the time.
 * @param behind digits of the last that was read
 * @returns the digits of the last one; null where nothing is left
 */
export async function readBefore(
  tx: Tx,
  { tenantId }: Scope,
  behind: string,
  before: string,
  limit: number,
): Promise<{ meanings: Meaning[]; behind: string | null }> {
  const within = (prefix: string) =>
    sql`r.tenant_id = ${tenantId} and r.id > ${`${prefix}_${behind}`} and r.id < ${`${prefix}_${before}`}`
  const { rows } = await sql<Row>`
    select u.* from (
      (select right(r.id, 26) as digits, 'text' as kind, json_build_object('messageId', r.id, 'direction', r.direction, 'from', r.from_address,
          'to', r.to_address, 'body', left(r.body, 400), 'createdAt', r.created_at) as facts
        from messages r where ${within('msg')} order by r.id limit ${limit})
      union all
      (select right(r.id, 26), 'call', json_build_object('callId', r.id, 'direction', r.direction, 'from', r.from_number, 'to', r.to_number,
          'state', r.state, 'bridgedTo', r.bridged_to, 'answeredAt', r.answered_at, 'createdAt', r.created_at, 'endedAt', r.ended_at)
        from calls r where ${within('call')} and r.ended_at is not null order by r.id limit ${limit})
      union all
      (select right(r.id, 26), 'sent', json_build_object('mailId', r.id, 'stream', r.stream, 'recordId', r.record_id, 'userId', r.user_id,
          'subject', r.subject, 'createdAt', r.created_at, 'to', (
            select coalesce(json_agg(json_build_object('address', t.address) order by t.place), '[]') from mail_recipients t
            where t.tenant_id = r.tenant_id and t.mail_id = r.id and t.kind = 'to'))
        from mails r where ${within('mail')} order by r.id limit ${limit})
      union all
      (select right(r.id, 26), 'received', json_build_object('inboundId', r.id, 'state', r.state, 'direction', r.direction,
          'from', case when r.from_address is not null then json_build_object('address', r.from_address) end, 'recordId', r.record_id,
          'userId', r.user_id, 'isAutomatic', r.is_automatic, 'sender', r.sender_check, 'subject', r.subject, 'receivedAt', r.received_at)
        from inbound_mails r where ${within('inm')} order by r.id limit ${limit})
    ) u order by u.digits limit ${limit}`.execute(tx)
  const exchanges = rows.flatMap(({ kind, facts }) => exchangeOf(kind, facts) ?? [])
  const last = rows.length < limit ? null : rows.at(-1)!.digits
  return { meanings: exchanges.map(exchange => ({ is: 'exchange', exchange })), behind: last }
}

function exchangeOf(kind: Row['kind'], facts: unknown): FoundExchange | undefined {
  if (kind === 'text') return ofText(facts as Parameters<typeof ofText>[0])
  if (kind === 'call') return ofCall(facts as Parameters<typeof ofCall>[0])
  if (kind === 'sent') return ofSentMail(facts as Parameters<typeof ofSentMail>[0])
  return ofInbound(facts as Parameters<typeof ofInbound>[0])
}

/**
 * What ended weeks ago waits for nobody. Only conversations that the fill has made are closed: others were there, and people work with them.
 * @param before digits of an id from when the fill began
 */
export async function closeOld(tx: Tx, { tenantId }: Scope, before: string): Promise<void> {
  await sql`
    update conversations set state = 'closed', waiting_since = null, snoozed_until = null
    where tenant_id = ${tenantId} and state = 'open' and id > ${`cnv_${before}`}
      and last_at < clock_timestamp() - interval '14 days'`.execute(tx)
}
