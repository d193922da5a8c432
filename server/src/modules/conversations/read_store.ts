// SQL of what conversations are to one member.
import { sql } from 'kysely'
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import type { Sql } from '../../kernel/noun/field.ts'

/** The condition on rows `c` of conversations, with the member's row `u` beside it, that something came in, or names them, since they read. */
export const hasNews: Sql = sql`(c.waiting_since is not null and c.last_inbound_at > coalesce(u.read_at, '-infinity')
  or coalesce(u.mentioned_at > coalesce(u.read_at, '-infinity'), false))`

/** Likewise, that there is something new to them, also where they only said so. */
export const isUnread: Sql = sql`(coalesce(u.is_unread, false) or ${hasNews})`

export type Own = { unread: boolean; mentioned: boolean }

export async function unreadOf(
  tx: Tx,
  { tenantId, userId }: Principal,
  ids: readonly string[],
): Promise<Map<string, Own>> {
  const { rows } = await sql<Own & { id: string }>`
    select c.id, ${isUnread} as unread, u.mentioned_at is not null as mentioned
    from conversations c
    left join conversation_users u on u.tenant_id = c.tenant_id and u.conversation_id = c.id and u.user_id = ${userId}
    where c.tenant_id = ${tenantId} and c.id = any(${ids}::text[])`.execute(tx)
  return new Map(rows.map(({ id, ...own }) => [id, own]))
}
