/**
 * Fills the inbox of one tenant, by SQL as the owner of the database. What the bench relies on: nobody knows whose the numbers are, a tenth
 * waits for an answer, a tenth is snoozed, most are closed, and each has its number.
 */
import type pg from 'pg'

const insertConversations = `
  with made as (
    insert into conversations (tenant_id, id, party_kind, name, state, snoozed_until, waiting_since, last_inbound_at, last_at, last_item,
      last_kind, last_direction, last_preview, find, created_at, updated_at)
    select $1::bigint, 'cnv_' || lpad(n::text, 26, '0'), 'unknown', number, state,
      case state when 'snoozed' then now() + interval '400 days' end, case when n % 10 = 3 then at end, at, at,
      'msg_' || lpad(n::text, 26, '0'), 'text', 'inbound', 'Is offer ' || n || ' still good?', number, at, at
    from generate_series(1, $2::integer) as n
    cross join lateral (select case when n % 10 = 4 then 'snoozed' when n % 10 in (1, 2, 3) then 'open' else 'closed' end as state,
      now() - n * interval '1 minute' as at, '+1202' || lpad(n::text, 7, '0') as number) s
    returning tenant_id, id, name)
  insert into conversation_addresses (tenant_id, address, channel, conversation_id) select tenant_id, name, 'phone', id from made`

/** @param owner a connection that sees the rows of all tenants */
export async function seedConversations(owner: pg.Client, tenantId: number, n: number): Promise<void> {
  await owner.query(insertConversations, [tenantId, n])
  await owner.query('vacuum analyze conversations, conversation_addresses')
  await owner.query('checkpoint')
}
