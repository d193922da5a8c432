// SQL of joining conversations: what belongs to one belongs to another from now on.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { hasNews } from './read_store.ts'

/** Addresses, entries, and what members read of `from` belong to `into`, of which `from` is a part. */
export async function moveParts(tx: Tx, { tenantId }: Scope, from: string, into: string): Promise<void> {
  const of = sql`tenant_id = ${tenantId} and conversation_id = ${from}`
  await sql`update conversation_addresses set conversation_id = ${into} where ${of}`.execute(tx)
  await sql`update conversation_entries set conversation_id = ${into} where ${of}`.execute(tx)
  // What is new to somebody in one of them, who may never have opened it, is new to them in both.
  await sql`
    insert into conversation_users (tenant_id, conversation_id, user_id, read_at, is_unread, mentioned_at)
    select ${tenantId}, ${into}, m.user_id,
      case when bool_or(n.has_news) then nullif(min(coalesce(u.read_at, '-infinity')) filter (where n.has_news), '-infinity') else max(u.read_at) end,
      bool_or(coalesce(u.is_unread, false)), max(u.mentioned_at)
    from (select distinct user_id from conversation_users
      where tenant_id = ${tenantId} and conversation_id in (${from}, ${into})) m
    cross join (select * from conversations where tenant_id = ${tenantId} and id in (${from}, ${into})) c
    left join conversation_users u on u.tenant_id = ${tenantId} and u.conversation_id = c.id and u.user_id = m.user_id
    cross join lateral (select ${hasNews} as has_news) n
    group by m.user_id order by m.user_id
    on conflict (tenant_id, conversation_id, user_id) do update set
      read_at = excluded.read_at, is_unread = excluded.is_unread, mentioned_at = excluded.mentioned_at`.execute(tx)
  await sql`delete from conversation_users where ${of}`.execute(tx)
  await sql`delete from conversation_presences where ${of}`.execute(tx)
  await sql`
    update conversations c set assignee_id = coalesce(c.assignee_id, o.assignee_id), team_id = coalesce(c.team_id, o.team_id),
      version = c.version + 1
    from conversations o
    where c.tenant_id = ${tenantId} and c.id = ${into} and o.tenant_id = ${tenantId} and o.id = ${from}`.execute(tx)
  await sql`
    update conversations set merged_into = ${into}, state = 'closed', snoozed_until = null, waiting_since = null, version = version + 1
    where tenant_id = ${tenantId} and (id = ${from} or merged_into = ${from})`.execute(tx)
}

export type KeptNote = { id: string; at: string; user_id: number; body: string }

/** Notes that stand in a conversation alone: from now on it knows only whom they mention. */
export async function takeNotes(tx: Tx, { tenantId }: Scope, conversationId: string): Promise<KeptNote[]> {
  const { rows } = await sql<KeptNote>`
    with taken as (
      select e.id, e.at, e.user_id, e.data ->> 'body' as body from conversation_entries e
      where e.tenant_id = ${tenantId} and e.conversation_id = ${conversationId} and e.kind = 'note' for update
    ), changed as (
      update conversation_entries e set kind = 'of_note', data = json_build_object('mentions', e.data -> 'mentions')
      from taken t where e.tenant_id = ${tenantId} and e.id = t.id
    )
    select * from taken`.execute(tx)
  return rows
}

/** Mails of the conversation that stand on no record stand on this one. */
export async function moveMails(tx: Tx, { tenantId }: Scope, conversationId: string, recordId: string): Promise<void> {
  const named = sql`(
    select e.id from conversation_entries e
    where e.tenant_id = ${tenantId} and e.conversation_id = ${conversationId} and e.kind = 'mail')`
  await sql`
    update inbound_mails r set record_id = ${recordId}, state = 'matched', matched_by = 'person', version = r.version + 1
    where r.tenant_id = ${tenantId} and r.id in ${named} and r.record_id is null and r.state = 'unmatched'`.execute(tx)
  await sql`
    update mails r set record_id = ${recordId}
    where r.tenant_id = ${tenantId} and r.id in ${named} and r.record_id is null`.execute(tx)
}
