// SQL of users. They belong to the organization, not to one of its tenants: live and test mode share them.
import { sql } from 'kysely'
import { constraintOf, type Scope, type Tx } from '../../../kernel/data/db.ts'
import { containing } from '../../../kernel/data/like.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import type { UserState } from './rules.ts'

export type UserRow = {
  id: number
  email: string
  name: string
  role: Role
  role_id: string | null
  role_name: string | null
  admin_id: string | null
  disabled_at: string | null
  version: number
  created_at: string
  updated_at: string
}

const columns = [
  'id',
  'email',
  'name',
  'role',
  'role_id',
  'admin_id',
  'disabled_at',
  'version',
  'created_at',
  'updated_at',
] as const

const roleName = sql<string | null>`(
  select r.name from roles r where r.organization_id = users.organization_id and r.id = users.role_id)`.as('role_name')
const shown = [...columns, roleName] as const

export type NewUser = {
  email: string
  name: string
  role: Role
  role_id: string | null
  password_hash: string
  is_temporary: boolean
}

/** A new person, with an account of their own. @throws Problem `email_taken` */
export async function insertUser(tx: Tx, scope: Scope, user: NewUser): Promise<UserRow> {
  const { email, name, role, role_id, password_hash, is_temporary } = user
  const account_id = sql<number>`make_account(${email}, ${name}, ${password_hash}, ${is_temporary})`
  const insert = tx
    .insertInto('users')
    .values({ organization_id: scope.organizationId, account_id, email, name, role, role_id })
  const row = await refuseTakenEmail(insert.returning(shown).executeTakeFirstOrThrow())
  return row as UserRow
}

export async function findUser(tx: Tx, scope: Scope, id: number): Promise<UserRow | undefined> {
  return (await select(tx, scope, id).executeTakeFirst()) as UserRow | undefined
}

/** The person with the row locked until the transaction ends. */
export async function lockUser(tx: Tx, scope: Scope, id: number): Promise<UserRow | undefined> {
  return (await select(tx, scope, id).where('kind', '=', 'person').forNoKeyUpdate().executeTakeFirst()) as
    | UserRow
    | undefined
}

/** Who left is no user for the API. */
function select(tx: Tx, { organizationId }: Scope, id: number) {
  return tx
    .selectFrom('users')
    .select(shown)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
}

/** How many active Admins there are beside one user. Only certain while the organization is locked. */
export async function findOtherAdmins(tx: Tx, scope: Scope, id: number): Promise<number> {
  const { others } = await tx
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('others'))
    .where('organization_id', '=', scope.organizationId)
    .where('role', '=', 'Admin')
    .where('role_id', 'is', null)
    .where('kind', '=', 'person')
    .where('disabled_at', 'is', null)
    .where('id', '!=', id)
    .executeTakeFirstOrThrow()
  return others
}

/** What a change is to the account: what is null stays. */
export type AccountWrite = {
  email: string | null
  name: string | null
  password_hash: string | null
  is_temporary: boolean
  /** Whether it is the person's own. */
  by_person: boolean
}

/**
 * Changes the account of a member. One that other organizations share is its owner's alone: then a name is a matter of the
 * membership only, and anything else is refused.
 * @throws Problem `account_shared` or `email_taken`
 */
export async function changeAccount(tx: Tx, scope: Scope, id: number, account: AccountWrite): Promise<void> {
  const { email, name, password_hash, is_temporary, by_person } = account
  if (email === null && name === null && password_hash === null) return
  const changing = sql<{ outcome: string }>`
    select change_sole_account(${scope.organizationId}, ${id}, ${email}, ${name}, ${password_hash}, ${is_temporary},
      ${by_person}) as outcome`
  const { rows } = await refuseTakenEmail(changing.execute(tx))
  if (rows[0]?.outcome === 'shared' && (email !== null || password_hash !== null)) throw new Problem('account_shared')
}

export type UserWrite = UserState & { admin_id: string | null }

/** Writes a user's new state and counts the version up. */
export async function changeUser(tx: Tx, scope: Scope, id: number, { disabled, ...rest }: UserWrite): Promise<UserRow> {
  const update = tx
    .updateTable('users')
    .set({
      ...rest,
      disabled_at: disabled ? sql`coalesce(disabled_at, now())` : null,
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
  return (await update.returning(shown).executeTakeFirstOrThrow()) as UserRow
}

/** Gives a new Admin the identifier made from the id. */
export async function changeAdminId(tx: Tx, scope: Scope, id: number, adminId: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ admin_id: adminId })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute()
}

export type UserFilter = { role?: string; roleId?: string; disabled?: boolean; q?: string }
export type UserPage = { limit: number; offset: number; afterId?: number }

/** One page of users by id, one row more than `limit` when there is a next page, and how many match in all. */
export async function listUsers(
  tx: Tx,
  scope: Scope,
  filter: UserFilter,
  { limit, offset, afterId }: UserPage,
): Promise<{ rows: UserRow[]; totalCount: number }> {
  let matching = tx
    .selectFrom('users')
    .where('organization_id', '=', scope.organizationId)
    .where('kind', '=', 'person')
    .where('removed_at', 'is', null)
  if (filter.role !== undefined) matching = matching.where('role', '=', filter.role)
  if (filter.roleId !== undefined) matching = matching.where('role_id', '=', filter.roleId)
  if (filter.disabled !== undefined) matching = matching.where('disabled_at', filter.disabled ? 'is not' : 'is', null)
  if (filter.q !== undefined) {
    const pattern = containing(filter.q)
    matching = matching.where(({ or, eb }) => or([eb('name', 'ilike', pattern), eb('email', 'ilike', pattern)]))
  }
  let page = matching
    .select(shown)
    .orderBy('id')
    .limit(limit + 1)
  page = afterId === undefined ? page.offset(offset) : page.where('id', '>', afterId)
  const [rows, total] = await Promise.all([
    page.execute(),
    matching.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows: rows as UserRow[], totalCount: total.count }
}

export async function refuseTakenEmail<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (constraintOf(error) !== 'accounts_email_key') throw error
    const details = [
      {
        field: 'email',
        code: 'taken',
        message: 'is the e-mail of another account; use another address, or invite the person',
      },
    ]
    throw new Problem('email_taken', { details })
  }
}

/** Whether a user of the organization has this e-mail address, in whatever case. */
export async function isUserEmail(tx: Tx, { organizationId }: Scope, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where organization_id = ${organizationId} and lower(email) = ${email.toLowerCase()} and kind = 'person'
      and removed_at is null limit 1`.execute(tx)
  return rows.length > 0
}

export type UserName = { id: number; name: string; active: boolean }

/** Names of users, those that are active first, by name. */
export async function listNames(
  tx: Tx,
  { organizationId }: Scope,
  { ids, q }: { ids?: readonly number[] | undefined; q?: string | undefined },
  limit: number,
): Promise<UserName[]> {
  const { rows } = await sql<UserName>`
    select id, name, disabled_at is null as active from users
    where organization_id = ${organizationId}
      and ${ids === undefined ? sql`kind = 'person' and removed_at is null` : sql`id = any(${ids}::bigint[])`}
      and ${q === undefined ? sql`true` : sql`name ilike ${containing(q)}`}
    order by disabled_at is not null, name collate "und-x-icu", id limit ${limit}`.execute(tx)
  return rows
}

export type NewMember = { accountId: number; role: Role; role_id: string | null; email: string; name: string }

/** Makes the person of an account a member, or again one who had left; undefined for who is one. */
export async function insertMember(
  tx: Tx,
  { organizationId }: Scope,
  { accountId, role, role_id, email, name }: NewMember,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into users as u (organization_id, account_id, email, name, role, role_id)
    values (${organizationId}, ${accountId}, ${email}, ${name}, ${role}, ${role_id})
    on conflict (organization_id, account_id) do update set role = excluded.role, role_id = excluded.role_id,
      removed_at = null, disabled_at = null, version = u.version + 1, updated_at = now()
    where u.removed_at is not null
    returning id`.execute(tx)
  return rows[0]?.id
}
