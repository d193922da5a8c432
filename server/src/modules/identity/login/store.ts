// SQL of logins: sessions and the account lookup that precedes any tenant.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/db.ts'
import type { Role } from '../../../kernel/permission.ts'

export type Account = { organization_id: number; user_id: number; password_hash: string | null; disabled: boolean }

/** The account of an e-mail address or administrator identifier, whatever the organization. */
export async function findAccount(db: Db, identifier: string): Promise<Account | undefined> {
  const rows = await db.call<Account>('auth_login', 'select * from auth_login($1)', [identifier])
  return rows[0]
}

export type UserRow = { id: number; email: string; name: string; role: Role; admin_id: string | null }

export async function findUser(tx: Tx, scope: Scope, userId: number): Promise<UserRow | undefined> {
  const row = await tx
    .selectFrom('users')
    .select(['id', 'email', 'name', 'role', 'admin_id'])
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row as UserRow | undefined
}

/**
 * The user of a login, if password and standing are still the ones that were checked. The share lock makes a change of
 * either wait until the session is in, and then end it with all others.
 */
export async function lockLoginUser(tx: Tx, scope: Scope, account: Account): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select id, email, name, role, admin_id from users
    where organization_id = ${scope.organizationId} and id = ${account.user_id}
      and password_hash = ${account.password_hash} and disabled_at is null
    for share`.execute(tx)
  return rows[0]
}

/** Replaces a password's hash by another of the same password, unless it was changed meanwhile. */
export async function changePasswordHash(tx: Tx, account: Account, renewed: string): Promise<void> {
  await sql`update users set password_hash = ${renewed}
            where organization_id = ${account.organization_id} and id = ${account.user_id}
              and password_hash = ${account.password_hash}`.execute(tx)
}

export async function findTenant(tx: Tx, organizationId: number, mode: 'live' | 'test'): Promise<number> {
  const row = await tx
    .selectFrom('tenants')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('mode', '=', mode)
    .executeTakeFirstOrThrow()
  return row.id
}

export async function insertSession(
  tx: Tx,
  session: { organization_id: number; id: string; user_id: number; tenant_id: number },
): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

export type SessionRow = {
  organization_id: number
  tenant_id: number
  user_id: number
  generation: number
  rotated_seconds_ago: number | null
  idle_seconds: number
  age_seconds: number
  revoked: boolean
}

/** A session with its row locked, ages by the database's clock. */
export async function lockSession(tx: Tx, organizationId: number, id: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select organization_id, tenant_id, user_id, generation, revoked_at is not null as revoked,
           extract(epoch from clock_timestamp() - rotated_at)::float8 as rotated_seconds_ago,
           extract(epoch from clock_timestamp() - last_used_at)::float8 as idle_seconds,
           extract(epoch from clock_timestamp() - created_at)::float8 as age_seconds
    from sessions where organization_id = ${organizationId} and id = ${id} for update`.execute(tx)
  return rows[0]
}

export async function changeSessionGeneration(
  tx: Tx,
  organizationId: number,
  id: string,
  generation: number,
): Promise<void> {
  await sql`update sessions set generation = ${generation},
              rotated_at = clock_timestamp(), last_used_at = clock_timestamp()
            where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

/** Ends a session and tells every node. */
export async function revokeSession(tx: Tx, organizationId: number, id: string): Promise<void> {
  await sql`update sessions set revoked_at = clock_timestamp()
            where organization_id = ${organizationId} and id = ${id} and revoked_at is null`.execute(tx)
  await insertRevocation(tx, 'session', id)
}

/** Ends every session of a user, but for one to keep; the caller tells the nodes with `insertRevocation`. */
export async function revokeUserSessions(
  tx: Tx,
  organizationId: number,
  userId: number,
  keep: string | null = null,
): Promise<void> {
  await sql`update sessions set revoked_at = clock_timestamp()
            where organization_id = ${organizationId} and user_id = ${userId} and revoked_at is null
              and id is distinct from ${keep}`.execute(tx)
}

/** Tells every node to forget, within two seconds of the commit, what it knows of a subject. */
export async function insertRevocation(
  tx: Tx,
  kind: 'session' | 'user' | 'key' | 'organization',
  subject: string | number,
) {
  await tx
    .insertInto('revocations')
    .values({ kind, subject: String(subject) })
    .execute()
}

/** Organization and tenant of a session, before any context is known. */
export async function findSessionScope(
  db: Db,
  id: string,
): Promise<{ organization_id: number; tenant_id: number } | undefined> {
  const rows = await db.call<{ organization_id: number; tenant_id: number }>(
    'auth_session',
    'select * from auth_session($1)',
    [id],
  )
  return rows[0]
}
