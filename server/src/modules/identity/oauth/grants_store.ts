// SQL of what people let clients do, and of what an organization decided on clients that it did not register.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Ending } from './rules.ts'

export type GrantRow = {
  id: string
  tenant_id: number
  mode: 'live' | 'test'
  client_id: string
  client_name: string
  app_id: string | null
  user_id: number
  user_name: string
  scopes: string[]
  resource: string
  created_at: string
  last_used_at: string | null
  expires_at: string
  revoked_at: string | null
  revoked_because: Ending | null
}

const columns = sql.raw(
  `g.id, g.tenant_id, g.mode, g.client_id, g.client_name, g.app_id, g.user_id, u.name as user_name, g.scopes, g.resource,
   g.created_at, g.last_used_at, g.expires_at, g.revoked_at, g.revoked_because`,
)
const grants = sql`oauth_grants g join users u on u.organization_id = g.organization_id and u.id = g.user_id`

/** Whose grants one may see; null of everybody. */
export type GrantReach = { userId: number | null }

export async function findGrant(
  tx: Tx,
  { organizationId }: Scope,
  { userId }: GrantReach,
  id: string,
): Promise<GrantRow | undefined> {
  const { rows } = await sql<GrantRow>`
    select ${columns} from ${grants}
    where g.organization_id = ${organizationId} and g.id = ${id}
      and ${userId === null ? sql`true` : sql`g.user_id = ${userId}`}`.execute(tx)
  return rows[0]
}

export type GrantFilter = {
  userId?: number | undefined
  appId?: string | undefined
  clientId?: string | undefined
  active?: boolean | undefined
}

/** Newest first, one more than `limit` when there are more. */
export async function listGrants(
  tx: Tx,
  { organizationId }: Scope,
  { userId, appId, clientId, active }: GrantFilter,
  page: { limit: number; beforeId: string | undefined },
): Promise<GrantRow[]> {
  const conditions = [sql`g.organization_id = ${organizationId}`]
  if (userId !== undefined) conditions.push(sql`g.user_id = ${userId}`)
  if (appId !== undefined) conditions.push(sql`g.app_id = ${appId}`)
  if (clientId !== undefined) conditions.push(sql`g.client_id = ${clientId}`)
  if (active !== undefined)
    conditions.push(sql`(g.revoked_at is null and g.expires_at > clock_timestamp()) = ${active}`)
  if (page.beforeId !== undefined) conditions.push(sql`g.id < ${page.beforeId}`)
  const { rows } = await sql<GrantRow>`
    select ${columns} from ${grants} where ${sql.join(conditions, sql` and `)}
    order by g.id desc limit ${page.limit + 1}`.execute(tx)
  return rows
}

export type NewGrant = Pick<
  GrantRow,
  'id' | 'mode' | 'client_id' | 'client_name' | 'app_id' | 'user_id' | 'scopes' | 'resource' | 'expires_at'
> & { ip: string }

export async function insertGrant(tx: Tx, scope: Scope, grant: NewGrant): Promise<GrantRow> {
  await sql`
    insert into oauth_grants (organization_id, id, tenant_id, mode, client_id, client_name, app_id, user_id, scopes, resource,
      ip, expires_at)
    values (${scope.organizationId}, ${grant.id}, ${scope.tenantId}, ${grant.mode}, ${grant.client_id}, ${grant.client_name},
      ${grant.app_id}, ${grant.user_id}, ${grant.scopes}, ${grant.resource}, ${grant.ip}, ${grant.expires_at})`.execute(
    tx,
  )
  return (await findGrant(tx, scope, { userId: null }, grant.id))!
}

export function presentGrant(row: GrantRow) {
  return {
    authorizationId: row.id,
    clientId: row.client_id,
    clientName: row.client_name,
    appId: row.app_id,
    userId: row.user_id,
    userName: row.user_name,
    mode: row.mode,
    scopes: row.scopes,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    revokedBecause: row.revoked_because,
  }
}

/**
 * Ends grants, with everything that was made of them, and writes an event for each that stood. Every node knows within two seconds;
 * the caller has this one forget at once.
 */
export async function revokeGrants(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
  because: Ending,
  by: Principal | null,
): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string; tenant_id: number }>`
    select id, tenant_id from oauth_revoke_grants(${ids}::text[], ${because})`.execute(tx)
  const author = by && { userId: by.userId, keyId: by.keyId }
  for (const { id } of rows) {
    const grant = await findGrant(tx, scope, { userId: null }, id)
    const data = { ...presentGrant(grant!), by: author }
    await emit(tx, scope, { type: 'authorization.revoked', resourceId: id, data })
  }
}

/** Ends all that a person let clients do; the caller has the nodes forget them. */
export async function endGrantsOf(tx: Tx, principal: Principal, userId: number, because: Ending): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select g.id from oauth_grants g
    where g.organization_id = ${principal.organizationId} and g.user_id = ${userId} and g.revoked_at is null`.execute(
    tx,
  )
  const ids = rows.map(row => row.id)
  await revokeGrants(tx, principal, ids, because, principal)
}

/** Ids of the grants that stand, of an app or of a client, the oldest first. */
export async function standingGrants(
  tx: Tx,
  { organizationId }: Scope,
  of: { appId: string } | { clientId: string; userId?: number },
): Promise<string[]> {
  const whose =
    'appId' in of
      ? sql`g.app_id = ${of.appId}`
      : sql`g.client_id = ${of.clientId} and ${of.userId === undefined ? sql`true` : sql`g.user_id = ${of.userId}`}`
  const { rows } = await sql<{ id: string }>`
    select g.id from oauth_grants g
    where g.organization_id = ${organizationId} and ${whose} and g.revoked_at is null and g.expires_at > clock_timestamp()
    order by g.id`.execute(tx)
  return rows.map(row => row.id)
}

export type PolicyRow = {
  client_id: string
  client_name: string
  decision: 'allowed' | 'blocked' | null
  decided_by: number | null
  decided_at: string | null
  asked_by: number | null
  created_at: string
}

const policyColumns = sql.raw(
  'p.client_id, p.client_name, p.decision, p.decided_by, p.decided_at, p.asked_by, p.created_at',
)

/** What the organization decided on a client; the row is locked. */
export async function lockPolicy(tx: Tx, { organizationId }: Scope, clientId: string): Promise<PolicyRow | undefined> {
  const { rows } = await sql<PolicyRow>`
    select ${policyColumns} from oauth_client_policies p
    where p.organization_id = ${organizationId} and p.client_id = ${clientId} for no key update`.execute(tx)
  return rows[0]
}

/** Notes that somebody asked for a client; what was decided stays. */
export async function notePolicy(
  tx: Tx,
  { organizationId }: Scope,
  client: { client_id: string; client_name: string; asked_by: number },
): Promise<PolicyRow> {
  await sql`
    insert into oauth_client_policies (organization_id, client_id, client_name, asked_by)
    values (${organizationId}, ${client.client_id}, ${client.client_name}, ${client.asked_by})
    on conflict (organization_id, client_id) do update set client_name = excluded.client_name`.execute(tx)
  return (await lockPolicy(tx, { organizationId, tenantId: 0 }, client.client_id))!
}

export async function changePolicy(
  tx: Tx,
  { organizationId }: Scope,
  clientId: string,
  { decision, by }: { decision: 'allowed' | 'blocked'; by: number },
): Promise<PolicyRow> {
  const { rows } = await sql<PolicyRow>`
    update oauth_client_policies p set decision = ${decision}, decided_by = ${by}, decided_at = clock_timestamp()
    where p.organization_id = ${organizationId} and p.client_id = ${clientId} returning ${policyColumns}`.execute(tx)
  return rows[0]!
}

/** By name, one more than `limit` when there are more. */
export async function listPolicies(
  tx: Tx,
  { organizationId }: Scope,
  page: { limit: number; afterId: string | undefined },
): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    select ${policyColumns} from oauth_client_policies p
    where p.organization_id = ${organizationId}
      and ${page.afterId === undefined ? sql`true` : sql`p.client_id > ${page.afterId}`}
    order by p.client_id limit ${page.limit + 1}`.execute(tx)
  return rows
}
