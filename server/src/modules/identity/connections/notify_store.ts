// SQL of the mails to members who must come by a provider: how far they are, of all organizations, and whom they concern.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'

const newestVerified = (organizationId: number) => sql`(
  select max(d.verified_at) from organization_domains d
  where d.organization_id = ${organizationId} and d.status = 'verified')`

/** Begins with the first member. @param since when it became so; null where it is so already, and others are concerned now */
export async function beginNotifying(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  since: string | null,
): Promise<void> {
  await sql`
    update sso_connections set notified_up_to = 0, enforced_at = coalesce(${since}, enforced_at), notified_verified_at = ${newestVerified(organizationId)}
    where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

export type Notifying = { organization_id: number; tenant_id: number; id: string }

export async function listNotifying(db: Db, most: number): Promise<Notifying[]> {
  return db.call<Notifying>('sso_connections_to_notify', 'select * from sso_connections_to_notify($1)', [most])
}

type NotifyingRow = { name: string; status: string; notified_up_to: number; enforced_at: string }

/** How far it is, with the row locked; it begins again where a domain was verified meanwhile. Undefined where all is done. */
export async function lockNotifying(tx: Tx, { organizationId }: Scope, id: string): Promise<NotifyingRow | undefined> {
  const newest = newestVerified(organizationId)
  await sql`
    update sso_connections set notified_up_to = 0, notified_verified_at = ${newest}
    where organization_id = ${organizationId} and id = ${id} and status = 'enforced' and ${newest} > notified_verified_at`.execute(
    tx,
  )
  const { rows } = await sql<NotifyingRow>`
    select name, status, notified_up_to, enforced_at from sso_connections
    where organization_id = ${organizationId} and id = ${id} and notified_up_to is not null for update`.execute(tx)
  return rows[0]
}

export async function moveNotified(tx: Tx, { organizationId }: Scope, id: string, upTo: number | null): Promise<void> {
  await sql`
    update sso_connections set notified_up_to = ${upTo} where organization_id = ${organizationId} and id = ${id}`.execute(
    tx,
  )
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
