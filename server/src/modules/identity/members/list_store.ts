// SQL of everybody an organization has: people, what apps act as, and who was invited, in one list.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { containing } from '../../../kernel/data/like.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { isOpenAt, type Offer } from '../invitations/index.ts'

export const memberKinds = ['person', 'app', 'invitation'] as const
export type MemberKind = (typeof memberKinds)[number]
export const memberStates = ['active', 'disabled', 'invited', 'expired'] as const
export type MemberState = (typeof memberStates)[number]

export type MemberRow = {
  kind: MemberKind
  /** Its place in the list: the name in small letters, as the database has them, then the kind and the id. */
  sorted: string
  key: string
  user_id: number | null
  invitation_id: string | null
  app_id: string | null
  name: string
  email: string | null
  role: Role
  role_id: string | null
  role_name: string | null
  state: MemberState
  has_factor: boolean | null
  is_shared: boolean
  last_used_at: string | null
  expires_at: string | null
  password_ends_at: string | null
  invited_by: number | null
  resent_count: number | null
  created_at: string
}

export type MemberFilter = {
  kind?: MemberKind | undefined
  role?: Role | undefined
  state?: MemberState | undefined
  userId?: number | undefined
  q?: string | undefined
}

/** `withInvitations`: whether the caller may see whom others invited; `voidOffers`: of which invitations the links open nothing. */
type Asked = { filter: MemberFilter; withInvitations: boolean; voidOffers: readonly Offer[] }
type Page = { limit: number; after: readonly [name: string, key: string] | undefined; nowMs: number }

/** By name, one more than `limit` where there are more. */
export async function listMembers(
  tx: Tx,
  { organizationId }: Scope,
  { filter, withInvitations, voidOffers }: Asked,
  { limit, after, nowMs }: Page,
): Promise<MemberRow[]> {
  const conditions = [sql`true`]
  if (filter.kind !== undefined) conditions.push(sql`m.kind = ${filter.kind}`)
  if (filter.role !== undefined) conditions.push(sql`m.role = ${filter.role}`)
  if (filter.state !== undefined) conditions.push(sql`m.state = ${filter.state}`)
  if (filter.userId !== undefined) conditions.push(sql`m.user_id = ${filter.userId}`)
  if (filter.q !== undefined) {
    const pattern = containing(filter.q)
    conditions.push(sql`(m.name ilike ${pattern} or m.email ilike ${pattern})`)
  }
  if (!withInvitations) conditions.push(sql`m.kind <> 'invitation'`)
  if (after !== undefined) conditions.push(sql`(lower(m.name) collate "C", m.key) > (${after[0]}, ${after[1]})`)
  const { rows } = await sql<MemberRow>`
    with m as (
      select u.kind, u.kind || ' ' || lpad(u.id::text, 15, '0') as key, u.id as user_id, null::text as invitation_id, p.id as app_id,
        coalesce(p.name, u.name) as name, case when u.kind = 'person' then u.email end as email, u.role, u.role_id,
        case when u.disabled_at is null then 'active' else 'disabled' end as state, f.has_factor, coalesce(f.is_shared, false) as is_shared,
        greatest(u.last_used_at, s.last_used_at) as last_used_at, null::timestamptz as expires_at,
        e.ends_at as password_ends_at, null::integer as invited_by,
        null::integer as resent_count, u.created_at
      from users u
      left join member_accounts(${organizationId}) f on f.user_id = u.id
      left join member_password_ends(${organizationId}) e on e.user_id = u.id
      left join oauth_apps p on p.organization_id = u.organization_id and p.service_user_id = u.id
      left join lateral (
        select max(s.last_used_at) as last_used_at from sessions s where s.organization_id = u.organization_id and s.user_id = u.id) s on true
      where u.organization_id = ${organizationId} and u.removed_at is null and (u.kind = 'person' or p.id is not null)
      union all
      select 'invitation', 'invitation ' || i.id, null, i.id, null, i.email, i.email, i.role, i.role_id,
        case when ${isOpenAt(nowMs, voidOffers)} then 'invited' else 'expired' end, null, false, null, i.expires_at, null, i.invited_by,
        i.resent_count, i.created_at
      from invitations i where i.organization_id = ${organizationId} and i.state = 'pending'
    )
    select m.*, lower(m.name) as sorted, r.name as role_name from m
    left join roles r on r.organization_id = ${organizationId} and r.id = m.role_id
    where ${sql.join(conditions, sql` and `)}
    order by lower(m.name) collate "C", m.key limit ${limit + 1}`.execute(tx)
  return rows
}
