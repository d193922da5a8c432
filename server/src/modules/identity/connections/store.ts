// SQL of connections to identity providers.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { createSeal } from '../../../kernel/values/seal.ts'
import type { ConnectionRow } from './rules.ts'

const columns =
  'r.id, r.name, r.issuer, r.client_id, r.client_secret, r.scopes, r.status, r.role_claim, r.role_map, r.creates_members, ' +
  'r.default_role, r.strong_methods, r.break_glass, r.tested_at, r.tested_by, r.test_log, r.version, r.created_at, r.updated_at'

export const connections = resourceRows<ConnectionRow, 'status'>({
  table: 'sso_connections',
  of: 'organization',
  columns,
  json: ['role_map', 'test_log'],
  filters: { status: 'status' },
})

/** Seals the secret of one connection. */
export function secretSeal(keyring: Keyring) {
  return createSeal(keyring, 'sso_connections')
}

/** The connection that people are sent to. */
export async function findWorking(tx: Tx, { organizationId }: Pick<Scope, 'organizationId'>) {
  const { rows } = await sql<ConnectionRow>`
    select ${sql.raw(columns)} from sso_connections r
    where r.organization_id = ${organizationId} and r.status in ('active', 'enforced')`.execute(tx)
  return rows[0]
}

export type ConnectionPlace = { organization_id: number; tenant_id: number; organization_name: string }

/** Where a connection belongs, before any context is known. */
export async function findPlace(db: Db, id: string): Promise<ConnectionPlace | undefined> {
  const rows = await db.call<ConnectionPlace>('find_sso_connection', 'select * from find_sso_connection($1)', [id])
  return rows[0]
}

export type Discovered = { id: string; organization_name: string; status: 'active' | 'enforced' }

/** The connection of the organization that a domain belongs to. */
export async function discover(db: Db, domain: string): Promise<Discovered | undefined> {
  return (await db.call<Discovered>('discover_sso', 'select * from discover_sso($1)', [domain]))[0]
}

/** Whether somebody owns the organization, and none of these is an active Admin any more: who left, or became something else. */
export async function isLastWayIn(
  tx: Tx,
  { organizationId }: Pick<Scope, 'organizationId'>,
  userId: number,
  breakGlass: readonly number[],
): Promise<boolean> {
  const { rows } = await sql`
    select from organizations o where o.id = ${organizationId} and o.owner_user_id = ${userId} and not exists (
      select from users u where u.organization_id = o.id and u.id = any (${breakGlass}::bigint[]) and u.role = 'Admin'
        and u.role_id is null and u.disabled_at is null)`.execute(tx)
  return rows.length > 0
}

/** Which of these are active people of the organization, with role Admin or not: what is made of it may hold less. */
export async function listStanding(tx: Tx, { organizationId }: Scope, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; isAdmin: boolean }>`
    select id, role = 'Admin' and role_id is null as "isAdmin" from users where organization_id = ${organizationId} and id = any (${ids}::bigint[])
      and kind = 'person' and disabled_at is null`.execute(tx)
  return rows
}

/** People that must come by the provider from now on: at verified domains, and not let in otherwise. */
const bound = (organizationId: number, breakGlass: readonly number[]) => sql`
  u.organization_id = ${organizationId} and u.kind = 'person' and u.disabled_at is null
    and u.id <> all (${breakGlass}::bigint[])
    and exists (select from organization_domains d where d.organization_id = u.organization_id and d.status = 'verified'
      and d.domain = lower(split_part(u.email, '@', 2)))`

export async function countBound(tx: Tx, { organizationId }: Scope, breakGlass: readonly number[]) {
  const { rows } = await sql<{ bound: number; others: number }>`
    select count(*) filter (where ${bound(organizationId, breakGlass)})::integer as bound,
      count(*) filter (where not (${bound(organizationId, breakGlass)}))::integer as others
    from users u where u.organization_id = ${organizationId} and u.kind = 'person' and u.disabled_at is null`.execute(
    tx,
  )
  return rows[0]!
}

/** Ends the sessions of people who would not get in as they did; but for one to keep. @returns how many sessions that ended */
export async function endOtherSessions(
  tx: Tx,
  { organizationId }: Scope,
  breakGlass: readonly number[],
  keepLogin: string | null,
): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    with ended as (
      update sessions s set revoked_at = clock_timestamp() from users u
      where ${bound(organizationId, breakGlass)} and s.organization_id = u.organization_id and s.user_id = u.id
        and s.revoked_at is null and not ('sso' = any (s.amr)) and s.login_id is distinct from ${keepLogin}
      returning s.id),
    reported as (insert into revocations (kind, subject) select 'session', id from ended)
    select count(*)::integer as ended from ended`.execute(tx)
  return rows[0]!.ended
}

/** What a provider called people is forgotten with it. */
export async function removeIdentities(tx: Tx, { organizationId }: Scope, connectionId: string): Promise<void> {
  await sql`delete from sso_identities where organization_id = ${organizationId} and connection_id = ${connectionId}`.execute(
    tx,
  )
}
