// SQL of logins: sessions and the account lookup that precedes any tenant.
import { sql } from 'kysely'
import type { Failures } from '../../../kernel/access/throttle.ts'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import type { Role } from '../../../kernel/values/permission.ts'

export type Account = { organization_id: number; user_id: number; password_hash: string | null; disabled: boolean }

/**
 * The account of an e-mail address or administrator identifier, whatever the organization, and the text as the database
 * compares it: spellings of one name are one.
 */
export async function findAccount(
  db: Db,
  identifier: string,
): Promise<{ account: Account | undefined; folded: string }> {
  type Row = { [Field in keyof Account]: Account[Field] | null } & { folded: string }
  const rows = await db.call<Row>(
    'auth_login',
    'select a.*, lower($1) as folded from (values (1)) one left join auth_login($1) a on true',
    [identifier],
  )
  const { folded, ...account } = rows[0] as Row
  return { account: account.user_id === null ? undefined : (account as Account), folded }
}

/** Which of the places are known for the account, and how often the names failed. */
export async function findStanding(
  db: Db,
  asked: { account: Account | undefined; places: string[]; sinceMs: number; names: string[] },
): Promise<{ known: Set<string>; failures: Map<string, Failures> }> {
  const { account, places, sinceMs, names } = asked
  const rows = await db.call<{ kind: string; name: string; failures: number; last_ms: number }>(
    'login_standing',
    'select * from login_standing($1, $2, $3, $4, $5)',
    [account?.organization_id ?? 0, account?.user_id ?? 0, places, new Date(sinceMs).toISOString(), names],
  )
  return {
    known: new Set(rows.filter(row => row.kind === 'place').map(row => row.name)),
    failures: new Map(
      rows
        .filter(row => row.kind === 'failures')
        .map(row => [row.name, { count: row.failures, lastMs: Number(row.last_ms) }]),
    ),
  }
}

export async function countFailures(db: Db, names: string[], nowMs: number, forgetMs: number): Promise<void> {
  await db.call('login_failed', 'select login_failed($1, $2, $3)', [names, nowMs, forgetMs])
}

export async function clearFailures(db: Db, name: string): Promise<void> {
  await db.call('login_cleared', 'select login_cleared($1)', [name])
}

/** Keeps the places a user logged in from, the newest `most` of them. */
export async function rememberPlaces(
  tx: Tx,
  { organization_id, user_id }: Account,
  places: string[],
  { nowMs, most }: { nowMs: number; most: number },
): Promise<void> {
  const now = new Date(nowMs).toISOString()
  // Once an hour is often enough, and spares most logins the write. In order: two logins never wait for one another.
  await sql`insert into login_places (organization_id, user_id, place, seen_at)
            select ${organization_id}, ${user_id}, place, ${now}::timestamptz from unnest(${places}::text[]) place order by place
            on conflict (organization_id, user_id, place) do update set seen_at = excluded.seen_at
            where login_places.seen_at < excluded.seen_at - interval '1 hour'`.execute(tx)
  await sql`delete from login_places where organization_id = ${organization_id} and user_id = ${user_id} and place in (
              select place from login_places where organization_id = ${organization_id} and user_id = ${user_id}
              order by seen_at desc offset ${most})`.execute(tx)
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

/** Ends a session and notifies every node. */
export async function revokeSession(tx: Tx, organizationId: number, id: string): Promise<void> {
  await sql`update sessions set revoked_at = clock_timestamp()
            where organization_id = ${organizationId} and id = ${id} and revoked_at is null`.execute(tx)
  await insertRevocation(tx, 'session', id)
}

/** Ends every session of a user, but for one to keep; the caller notifies the nodes with `insertRevocation`. */
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

/** Makes every node forget, within two seconds of the commit, what it knows of a subject. */
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
