// SQL of writing to members that they must come by a provider: how far that is, of all organizations, and whom it concerns.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'

const newestVerified = (organizationId: number) => sql`(
  select max(d.verified_at) from organization_domains d
  where d.organization_id = ${organizationId} and d.status = 'verified')`

/** Begins with the first member. @param since when it became so; null where it is so already, and others are concerned now */
export async function beginTelling(tx: Tx, { organizationId }: Scope, id: string, since: string | null): Promise<void> {
  await sql`
    update sso_connections set told = 0, enforced_at = coalesce(${since}, enforced_at), told_verified_at = ${newestVerified(organizationId)}
    where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

export type Telling = { organization_id: number; tenant_id: number; id: string }

export async function listTelling(db: Db, most: number): Promise<Telling[]> {
  return db.call<Telling>('telling_sso_connections', 'select * from telling_sso_connections($1)', [most])
}

type TellingRow = { name: string; status: string; told: number; enforced_at: string }

/** How far it is, with the row locked; it begins again where a domain was verified meanwhile. Undefined where all is done. */
export async function lockTelling(tx: Tx, { organizationId }: Scope, id: string): Promise<TellingRow | undefined> {
  const newest = newestVerified(organizationId)
  await sql`
    update sso_connections set told = 0, told_verified_at = ${newest}
    where organization_id = ${organizationId} and id = ${id} and status = 'enforced' and ${newest} > told_verified_at`.execute(
    tx,
  )
  const { rows } = await sql<TellingRow>`
    select name, status, told, enforced_at from sso_connections
    where organization_id = ${organizationId} and id = ${id} and told is not null for update`.execute(tx)
  return rows[0]
}

export async function moveTelling(tx: Tx, { organizationId }: Scope, id: string, told: number | null): Promise<void> {
  await sql`
    update sso_connections set told = ${told} where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

type Bound = { user_id: number; email: string; name: string; locale: string | null }

/** Members who must come by it, behind one of them. */
export async function listBound(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  after: number,
  most: number,
): Promise<Bound[]> {
  const { rows } = await sql<Bound>`
    select * from bound_members(${organizationId}, ${id}, ${after}, ${most})`.execute(tx)
  return rows
}
