// SQL of who is in a conversation at this moment.
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { Presence } from './schemas.ts'

export type PresenceRow = Static<typeof Presence> & { conversationId: string }

/** Those who were heard of lately, who came first before. */
export async function listPresences(
  tx: Tx,
  { tenantId, organizationId }: Scope,
  ids: readonly string[],
): Promise<PresenceRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PresenceRow>`
    select p.conversation_id as "conversationId", p.user_id::float8 as "userId", u.name, p.state, p.since, p.expires_at as "expiresAt"
    from conversation_presences p
    join users u on u.organization_id = ${organizationId} and u.id = p.user_id
    where p.tenant_id = ${tenantId} and p.conversation_id = any(${ids}::text[]) and p.expires_at > clock_timestamp()
    order by p.conversation_id, p.since, p.user_id`.execute(tx)
  return rows
}

/**
 * Says what somebody does in a conversation, until a moment.
 * @returns whether that is news to others
 */
export async function putPresence(
  tx: Tx,
  { tenantId }: Scope,
  {
    conversationId,
    userId,
    state,
    at,
    until,
  }: { conversationId: string; userId: number; state: string; at: string; until: string },
): Promise<boolean> {
  const { rows } = await sql<{ is_news: boolean }>`
    with before as (
      select p.state from conversation_presences p
      where p.tenant_id = ${tenantId} and p.conversation_id = ${conversationId} and p.user_id = ${userId}
        and p.expires_at > clock_timestamp()
    ), put as (
      insert into conversation_presences as p (tenant_id, conversation_id, user_id, state, since, expires_at)
      values (${tenantId}, ${conversationId}, ${userId}, ${state}, ${at}::timestamptz, ${until}::timestamptz)
      on conflict (tenant_id, conversation_id, user_id) do update set state = excluded.state, expires_at = excluded.expires_at,
        since = case when p.state = excluded.state and p.expires_at > clock_timestamp() then p.since else excluded.since end
      returning p.state
    )
    select coalesce((select b.state from before b) <> (select p.state from put p), true) as is_news`.execute(tx)
  return rows[0]!.is_news
}

/** @returns whether somebody was there */
export async function removePresence(
  tx: Tx,
  { tenantId }: Scope,
  conversationId: string,
  userId: number,
): Promise<boolean> {
  const { rows } = await sql`
    delete from conversation_presences
    where tenant_id = ${tenantId} and conversation_id = ${conversationId} and user_id = ${userId} returning user_id`.execute(
    tx,
  )
  return rows.length > 0
}
