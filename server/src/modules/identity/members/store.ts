// SQL of members who leave, and of what Admins see and end of others.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

/** Ends a membership: they can log in there no more, are in no list and no team, and the administrator identifier is nobody's. */
export async function markRemoved(tx: Tx, { organizationId }: Scope, userId: number): Promise<void> {
  await sql`
    update users set removed_at = now(), disabled_at = coalesce(disabled_at, now()), admin_id = null, role_id = null, version = version + 1,
      updated_at = now()
    where organization_id = ${organizationId} and id = ${userId}`.execute(tx)
  await sql`delete from team_members where organization_id = ${organizationId} and user_id = ${userId}`.execute(tx)
}

export async function findStanding(
  tx: Tx,
  { organizationId }: Scope,
  userId: number,
): Promise<'active' | 'disabled' | 'removed' | undefined> {
  const { rows } = await sql<{ standing: 'active' | 'disabled' | 'removed' }>`
    select case when removed_at is not null then 'removed' when disabled_at is not null then 'disabled' else 'active' end as standing
    from users where organization_id = ${organizationId} and id = ${userId} and kind = 'person'`.execute(tx)
  return rows[0]?.standing
}

/** The active Admin who has been there longest, but for one person. */
export async function findFirstAdmin(tx: Tx, { organizationId }: Scope, but: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from users where organization_id = ${organizationId} and role = 'Admin' and role_id is null and kind = 'person'
      and disabled_at is null and id <> ${but} order by id limit 1`.execute(tx)
  return rows[0]?.id
}

/** Whether a member runs the installation. */
export async function isOperator(tx: Tx, { organizationId }: Scope, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from users u cross join operator_standing(u.account_id) s
    where u.organization_id = ${organizationId} and u.id = ${userId} and s.level is not null`.execute(tx)
  return rows.length > 0
}

/** What a person has that ends with the membership. */
export async function countEnding(
  tx: Tx,
  { organizationId }: Scope,
  userId: number,
): Promise<{ apiKeys: number; authorizations: number; invitations: number }> {
  const { rows } = await sql<{ apiKeys: number; authorizations: number; invitations: number }>`
    select
      (select count(*) from api_keys k where k.organization_id = ${organizationId} and k.user_id = ${userId}
        and coalesce(least(k.revoked_at, k.expires_at) > clock_timestamp(), true)) as "apiKeys",
      (select count(*) from oauth_grants g where g.organization_id = ${organizationId} and g.user_id = ${userId}
        and g.revoked_at is null and g.expires_at > clock_timestamp()) as authorizations,
      (select count(*) from invitations i where i.organization_id = ${organizationId} and i.invited_by = ${userId}
        and i.state = 'pending' and i.expires_at > clock_timestamp()) as invitations`.execute(tx)
  return rows[0]!
}

/** Takes all second factors of a member away; `shared` where the account is also a member elsewhere. */
export async function resetFactors(
  tx: Tx,
  { organizationId }: Scope,
  userId: number,
): Promise<'none' | 'shared' | 'reset'> {
  const { rows } = await sql<{ outcome: 'none' | 'shared' | 'reset' }>`
    select reset_sole_factors(${organizationId}, ${userId}) as outcome`.execute(tx)
  return rows[0]!.outcome
}

/** What a person has open in one organization, by login. */
export type MemberSession = {
  login_id: string
  modes: ('live' | 'test')[]
  amr: string[]
  ip: string | null
  user_agent: string | null
  created_at: string
  last_used_at: string
}

export async function listMemberSessions(
  tx: Tx,
  { organizationId }: Scope,
  { userId, idleSeconds, maxSeconds }: { userId: number; idleSeconds: number; maxSeconds: number },
): Promise<MemberSession[]> {
  const { rows } = await sql<MemberSession>`
    select s.login_id, array_agg(distinct t.mode) as modes, max(s.amr) as amr, max(s.ip) as ip, max(s.user_agent) as user_agent,
      min(s.created_at) as created_at, max(s.last_used_at) as last_used_at
    from sessions s join tenants t on t.organization_id = s.organization_id and t.id = s.tenant_id
    where s.organization_id = ${organizationId} and s.user_id = ${userId} and s.revoked_at is null
      and s.last_used_at > clock_timestamp() - make_interval(secs => ${idleSeconds})
      and s.created_at > clock_timestamp() - make_interval(secs => ${maxSeconds})
    group by s.login_id order by max(s.last_used_at) desc, s.login_id`.execute(tx)
  return rows
}
