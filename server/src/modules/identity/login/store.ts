// SQL of logins: sessions, where they were opened from, and the account lookup that precedes any tenant.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganizationState } from '../../../kernel/access/principal.ts'
import type { Failures } from '../../../kernel/access/throttle.ts'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { sessionIdleSeconds, sessionMaxSeconds } from './rules.ts'

/** A person's account, and the membership that a login is for. */
export type Account = {
  account_id: number
  email: string
  organization_id: number
  user_id: number
  password_hash: string | null
  is_temporary: boolean
  disabled: boolean
}

/**
 * The account of an e-mail address or administrator identifier, and the text as the database compares it: spellings of one name
 * are one. Of several memberships it is that of the identifier, otherwise in the organization named, otherwise the last used.
 */
export async function findAccount(
  db: Db,
  identifier: string,
  organizationId: number | null,
): Promise<{ account: Account | undefined; folded: string }> {
  type Row = { [Field in keyof Account]: Account[Field] | null } & { folded: string }
  const rows = await db.call<Row>(
    'auth_login',
    'select a.*, lower($1) as folded from (values (1)) one left join auth_login($1, $2) a on true',
    [identifier, organizationId],
  )
  const { folded, ...account } = rows[0] as Row
  return { account: account.user_id === null ? undefined : (account as Account), folded }
}

/** Whose a passkey is, and the membership that a login with it is for: chosen as for a name. */
export async function findPasskeyOwner(
  db: Db,
  credentialId: string,
  organizationId: number | null,
): Promise<Pick<Account, 'account_id' | 'organization_id' | 'user_id'> | undefined> {
  const rows = await db.call<Pick<Account, 'account_id' | 'organization_id' | 'user_id'>>(
    'find_passkey',
    'select * from find_passkey($1, $2)',
    [credentialId, organizationId],
  )
  return rows[0]
}

/** Which of the places are known for the account, and how often the names failed. */
export async function findStanding(
  db: Db,
  asked: { account: Pick<Account, 'account_id'> | undefined; places: string[]; sinceMs: number; names: string[] },
): Promise<{ known: Set<string>; failures: Map<string, Failures> }> {
  const { account, places, sinceMs, names } = asked
  const rows = await db.call<{ kind: string; name: string; failures: number; last_ms: number }>(
    'login_standing',
    'select * from login_standing($1, $2, $3, $4)',
    [account?.account_id ?? 0, places, new Date(sinceMs).toISOString(), names],
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

/** Each is forgotten after its own time without another. */
export type Failure = { name: string; forgetMs: number }

export async function countFailures(db: Db, failures: readonly Failure[], nowMs: number): Promise<void> {
  const [names, forgetMs] = [failures.map(({ name }) => name), failures.map(failure => failure.forgetMs)]
  await db.call('login_failed', 'select login_failed($1, $2, $3)', [names, forgetMs, nowMs])
}

export async function clearFailures(db: Db, names: readonly string[]): Promise<void> {
  await db.call('login_cleared', 'select login_cleared($1)', [names])
}

/** Where somebody is: the address, what the browser or program calls itself, and the places an attempt is made from. */
export type Whereabouts = { ip: string; userAgent: string | null; places: string[] }

/** Keeps the places an account logged in from, the newest `most` of them. The transaction is the account's. */
export async function rememberPlaces(
  tx: Tx,
  accountId: number,
  { places, ip, userAgent }: Whereabouts,
  { nowMs, most }: { nowMs: number; most: number },
): Promise<void> {
  const now = new Date(nowMs).toISOString()
  const ids = places.map(place => (place.startsWith('device ') ? newId('dev', nowMs) : null))
  // Once an hour is often enough, and spares most logins the write. In order: two logins never wait for one another.
  await sql`insert into login_places (account_id, place, id, user_agent, ip, seen_at)
            select ${accountId}, place, id, ${userAgent}, ${ip}, ${now}::timestamptz
            from unnest(${places}::text[], ${ids}::text[]) as p (place, id) order by place
            on conflict (account_id, place) do update set seen_at = excluded.seen_at, ip = excluded.ip,
              user_agent = excluded.user_agent
            where login_places.seen_at < excluded.seen_at - interval '1 hour'`.execute(tx)
  await sql`delete from login_places where account_id = ${accountId} and place in (
              select place from login_places where account_id = ${accountId}
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

export type LoginUserRow = UserRow & { password_ends_at: string | null }

/**
 * The user of a login, if password and standing are still the ones that were checked. The share lock makes a change of
 * either wait until the session is in, and then end it with all others. The transaction is the account's.
 */
export async function lockLoginUser(tx: Tx, scope: Scope, account: Account): Promise<LoginUserRow | undefined> {
  const { rows } = await sql<LoginUserRow>`
    select u.id, u.email, u.name, u.role, u.admin_id, a.password_ends_at from users u join accounts a on a.id = u.account_id
    where u.organization_id = ${scope.organizationId} and u.id = ${account.user_id}
      and a.password_hash is not distinct from ${account.password_hash} and u.disabled_at is null
    for no key update of u for share of a`.execute(tx)
  return rows[0]
}

/** Notes that a person chose this organization: their next login goes there, unless it names another. */
export async function touchMembership(tx: Tx, scope: Scope, userId: number, nowMs: number): Promise<void> {
  await sql`update users set last_used_at = ${new Date(nowMs).toISOString()}
            where organization_id = ${scope.organizationId} and id = ${userId}`.execute(tx)
}

/** Replaces a password's hash by another of the same password, unless it was changed meanwhile. */
export async function renewPasswordHash(tx: Tx, account: Account, renewed: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts set password_hash = ${renewed}
    where id = ${account.account_id} and password_hash = ${account.password_hash}`.execute(tx)
  return numAffectedRows === 1n
}

/** The same by a membership of somebody whose password was checked before. The transaction is the account's. */
export async function findMember(tx: Tx, { organizationId }: Scope, userId: number): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select a.id as account_id, a.email, u.organization_id, u.id as user_id, a.password_hash,
      a.password_is_temporary as is_temporary, u.disabled_at is not null as disabled
    from users u join accounts a on a.id = u.account_id
    where u.organization_id = ${organizationId} and u.id = ${userId}`.execute(tx)
  return rows[0]
}

/** Whether it is the first time that this proof is used; it is used then. */
export async function useOnce(db: Db, proof: string, until: Date): Promise<boolean> {
  const hash = createHash('sha256').update(proof).digest()
  const rows = await db.call<{ first: boolean }>('use_once', 'select use_once($1, $2) as first', [
    hash,
    until.toISOString(),
  ])
  return rows[0]?.first === true
}

/** What a person is in one organization. */
export type Membership = {
  organization_id: number
  organization_name: string
  user_id: number
  role: Role
  disabled: boolean
  last_used_at: string | null
  organization_state: OrganizationState
}

/** All memberships of an account that were not ended, the one used last first. */
export async function listMemberships(tx: Tx, accountId: number): Promise<Membership[]> {
  const { rows } = await sql<Membership>`select * from memberships_of(${accountId})`.execute(tx)
  return rows
}

/** A member who may log in, locked so that a change of standing waits and then ends what is opened now. */
export async function lockMember(tx: Tx, scope: Scope, userId: number): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select id, email, name, role, admin_id from users
    where organization_id = ${scope.organizationId} and id = ${userId} and disabled_at is null
    for no key update`.execute(tx)
  return rows[0]
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

export type NewSession = {
  organization_id: number
  id: string
  login_id: string
  user_id: number
  tenant_id: number
  amr: string[]
  auth_at: string
  factor_at: string | null
  ip: string | null
  user_agent: string | null
  /** Of the login, where another session of it opens this one. */
  created_at?: string
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

/** How the person of a session proved who they are, and from where: what a session beside it begins with. */
export type SessionProof = Pick<
  NewSession,
  'login_id' | 'user_id' | 'amr' | 'auth_at' | 'factor_at' | 'ip' | 'user_agent' | 'created_at'
>
/** With the age of its login, by the database's clock. */
export type AgedProof = SessionProof & { age_seconds: number }

export async function findSessionProof(tx: Tx, organizationId: number, id: string): Promise<AgedProof | undefined> {
  const { rows } = await sql<AgedProof>`
    select login_id, user_id, amr, auth_at, factor_at, ip, user_agent, created_at,
      extract(epoch from clock_timestamp() - created_at)::float8 as age_seconds
    from sessions where organization_id = ${organizationId} and id = ${id} and revoked_at is null`.execute(tx)
  return rows[0]
}

export type SessionRow = {
  organization_id: number
  tenant_id: number
  user_id: number
  generation: number
  proofs: number
  renews: boolean
  rotated_seconds_ago: number | null
  idle_seconds: number
  age_seconds: number
  revoked: boolean
}

/** A session with its row locked, ages by the database's clock. */
export async function lockSession(tx: Tx, organizationId: number, id: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select organization_id, tenant_id, user_id, generation, proofs, renews, revoked_at is not null as revoked,
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
              rotated_at = clock_timestamp(), last_used_at = clock_timestamp(), renews = false
            where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

/** Ends a session and notifies every node. */
/** Whether it was open. */
export async function revokeSession(tx: Tx, organizationId: number, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update sessions set revoked_at = clock_timestamp()
            where organization_id = ${organizationId} and id = ${id} and revoked_at is null`.execute(tx)
  await insertRevocation(tx, 'session', id)
  return numAffectedRows === 1n
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
  kind: 'session' | 'user' | 'key' | 'organization' | 'account' | 'oauth',
  subject: string | number,
) {
  await tx
    .insertInto('revocations')
    .values({ kind, subject: String(subject) })
    .execute()
}

/** Whose a session is, before any context is known. */
export type SessionScope = {
  organization_id: number
  tenant_id: number
  user_id: number
  email: string
  account_id: number
  login_id: string
}

export async function findSessionScope(db: Db, id: string): Promise<SessionScope | undefined> {
  const rows = await db.call<SessionScope>('auth_session', 'select * from auth_session($1)', [id])
  return rows[0]
}

/** Ends sessions of a person in all organizations: of one login, or of all but one. @returns how many logins that ended */
export async function endLogins(tx: Tx, accountId: number, which: { only?: string; but?: string }): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    select end_account_sessions(${accountId}, ${which.only ?? null}, ${which.but ?? null}) as ended`.execute(tx)
  return rows[0]?.ended ?? 0
}

/** How often a session was proved again. */
export async function findProofs(tx: Tx, { organizationId }: Scope, id: string): Promise<number> {
  const { rows } = await sql<{ proofs: number }>`
    select proofs from sessions where organization_id = ${organizationId} and id = ${id}`.execute(tx)
  return rows[0]?.proofs ?? 0
}

/** How fresh the proof is of all sessions of a login. */
export async function changeProof(
  tx: Tx,
  accountId: number,
  loginId: string,
  { nowMs, isStrong, how }: { nowMs: number; isStrong: boolean; how: string[] },
): Promise<void> {
  const at = new Date(nowMs).toISOString()
  await sql`select prove_login(${accountId}, ${loginId}, ${at}, ${isStrong}, ${how}::text[])`.execute(tx)
}

/** What people know as one session: a login with all that it opened. */
export type LoginRow = {
  login_id: string
  organizations: string[]
  modes: string[]
  amr: string[]
  ip: string | null
  user_agent: string | null
  created_at: string
  last_used_at: string
}

/** The open logins of a person in all organizations, the one used last first. */
export async function listLogins(tx: Tx, accountId: number): Promise<LoginRow[]> {
  const { rows } = await sql<LoginRow>`
    select * from account_sessions(${accountId}, ${sessionIdleSeconds}, ${sessionMaxSeconds})
    order by last_used_at desc, login_id`.execute(tx)
  return rows
}

/** Ends the logins of a person beyond the newest so many. @returns how many that ended */
export async function endOldestLogins(tx: Tx, accountId: number, most: number): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    select end_oldest_logins(${accountId}, ${most}, ${sessionIdleSeconds}) as ended`.execute(tx)
  return rows[0]?.ended ?? 0
}
