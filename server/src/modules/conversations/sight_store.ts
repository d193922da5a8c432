// Which conversations somebody sees: those with leads and contacts that they see; with unknown senders, those that nobody else has, by the
// rule of leads; and whichever they are assigned to or mentioned in.
import { sql } from 'kysely'
import type { Principal } from '../../kernel/access/principal.ts'
import type { Sql } from '../../kernel/noun/field.ts'
import { ownersSeen, tableNamed } from '../../kernel/noun/registry.ts'
import { holdsRight } from '../../kernel/noun/rights.ts'
import type { PartyKind } from './rules.ts'

/** Whose conversations of a kind are seen: of all where `holders` is undefined; 0 stands for nobody. */
export type KindSeen = { kind: PartyKind; holders: readonly number[] | undefined }
export type Sight = { kinds: readonly KindSeen[]; seesAll: boolean; userId: number }

type Viewer = Pick<Principal, 'permissions' | 'role' | 'custom' | 'userId'>

export function sightOf(viewer: Viewer): Sight {
  const kinds: KindSeen[] = (['lead', 'contact', 'unknown'] as const).flatMap(kind => {
    const { spec } = tableNamed(kind === 'contact' ? 'contact' : 'lead')
    const [, many] = spec.names
    if (kind !== 'unknown' && !holdsRight(viewer, many, 'read')) return []
    return [{ kind, holders: ownersSeen(many, spec.rows, viewer) }]
  })
  const seesAll = kinds.length === 3 && kinds.every(({ holders }) => holders === undefined)
  return { kinds, seesAll, userId: viewer.userId }
}

/** The condition on rows `c` of conversations that they are seen. */
export function isSeen({ kinds, seesAll, userId }: Sight): Sql {
  if (seesAll) return sql`true`
  const ofKinds = kinds.map(({ kind, holders }) =>
    holders === undefined
      ? sql`c.party_kind = ${kind}`
      : sql`(c.party_kind = ${kind} and c.holder = any(${holders}::bigint[]))`,
  )
  const own = sql`(c.assignee_id = ${userId} or exists (
    select from conversation_users m where m.tenant_id = c.tenant_id and m.conversation_id = c.id and m.user_id = ${userId}
      and m.mentioned_at is not null))`
  return sql`(${sql.join([...ofKinds, own], sql` or `)})`
}

export type Seeable = { party_kind: PartyKind; holder: number; user_ids: readonly number[]; is_private: boolean }

/** The same for what is sent to those who have the inbox open. */
export function sees({ kinds, userId }: Sight, { party_kind, holder, user_ids, is_private }: Seeable): boolean {
  if (user_ids.includes(userId)) return true
  if (is_private) return false
  const seen = kinds.find(({ kind }) => kind === party_kind)
  return seen !== undefined && (seen.holders === undefined || seen.holders.includes(holder))
}
