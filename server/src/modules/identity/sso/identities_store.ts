// SQL of identities: who people are at a provider.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

/** Whose an identity is; it is noted as used. */
export async function useIdentity(
  tx: Tx,
  { organizationId }: Scope,
  connectionId: string,
  subject: string,
  at: string,
) {
  const { rows } = await sql<{ user_id: number }>`
    update sso_identities set last_used_at = ${at}
    where organization_id = ${organizationId} and connection_id = ${connectionId} and subject = ${subject}
    returning user_id`.execute(tx)
  return rows[0]?.user_id
}

/** @returns false when the member has another identity at the provider already */
export async function insertIdentity(
  tx: Tx,
  { organizationId }: Scope,
  { connectionId, subject, userId, at }: { connectionId: string; subject: string; userId: number; at: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into sso_identities (organization_id, connection_id, subject, user_id, last_used_at)
    values (${organizationId}, ${connectionId}, ${subject}, ${userId}, ${at})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

export type Found = { id: number; account_id: number; email: string; role: string; disabled: boolean; removed: boolean }

const columns = sql`u.id, u.account_id, u.email, u.role, u.disabled_at is not null as disabled, u.removed_at is not null as removed`

export async function findPerson(tx: Tx, { organizationId }: Scope, userId: number): Promise<Found | undefined> {
  const { rows } = await sql<Found>`select ${columns} from users u
    where u.organization_id = ${organizationId} and u.id = ${userId} and u.kind = 'person'`.execute(tx)
  return rows[0]
}

/** By an address, in whatever case; one who left too. */
export async function findByAddress(tx: Tx, { organizationId }: Scope, email: string): Promise<Found | undefined> {
  const { rows } = await sql<Found>`select ${columns} from users u
    where u.organization_id = ${organizationId} and lower(u.email) = lower(${email}) and u.kind = 'person'`.execute(tx)
  return rows[0]
}

/** The account of an address at a verified domain, made where there is none; undefined at another domain. */
export async function accountByDomain(
  tx: Tx,
  { organizationId }: Scope,
  email: string,
  name: string,
): Promise<number | undefined> {
  const asked = sql<{ id: number | null }>`select account_by_domain(${organizationId}, ${email}, ${name}) as id`
  return (await asked.execute(tx)).rows[0]?.id ?? undefined
}
