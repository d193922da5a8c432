// SQL of roles of an organization's own.
import { sql } from 'kysely'
import { constraintOf, type Scope, type Tx } from '../../../kernel/data/db.ts'
import type { RowScope } from '../../../kernel/values/custom_role.ts'
import { type Permission, type Role, rolesWith } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import type { Person } from '../../mail/mails/index.ts'

export type RoleRow = {
  id: string
  name: string
  description: string
  base: Role
  permissions: string[]
  rows: Record<string, RowScope>
  version: number
  created_at: string
  updated_at: string
}

const columns = sql`r.id, r.name, r.description, r.base, r.permissions, r.rows, r.version, r.created_at, r.updated_at`

/** With how many members each has. */
export async function listRoles(tx: Tx, { organizationId }: Scope): Promise<(RoleRow & { members: number })[]> {
  const { rows } = await sql<RoleRow & { members: number }>`
    select ${columns}, (
      select count(*)::integer from users u where u.organization_id = r.organization_id and u.role_id = r.id and u.removed_at is null
    ) as members
    from roles r where r.organization_id = ${organizationId} order by lower(r.name), r.id`.execute(tx)
  return rows
}

/** Members by the role that everybody may have. */
export async function countBuiltIn(tx: Tx, { organizationId }: Scope): Promise<Map<string, number>> {
  const { rows } = await sql<{ role: string; members: number }>`
    select role, count(*)::integer as members from users
    where organization_id = ${organizationId} and kind = 'person' and removed_at is null and role_id is null group by role`.execute(
    tx,
  )
  return new Map(rows.map(({ role, members }) => [role, members]))
}

/** @param lock `share` while it is given to somebody, `update` to change it */
export async function findRole(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  lock?: 'share' | 'update',
): Promise<RoleRow | undefined> {
  const locked = lock === undefined ? sql`` : lock === 'share' ? sql`for share` : sql`for update`
  const { rows } = await sql<RoleRow>`
    select ${columns} from roles r where r.organization_id = ${organizationId} and r.id = ${id} ${locked}`.execute(tx)
  return rows[0]
}

/** The owner, and the active members who hold a permission, by whatever role. */
export async function listPeopleWhoMay(tx: Tx, { organizationId }: Scope, permission: Permission): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select * from people_who_may(${organizationId}, ${permission}, ${rolesWith(permission)})`.execute(tx)
  return rows
}

export type RoleValues = Pick<RoleRow, 'name' | 'description' | 'base' | 'permissions' | 'rows'>

/** How many there are; others that make one wait for this transaction. */
export async function countRoles(tx: Tx, { organizationId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('roles', ${organizationId}))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from roles where organization_id = ${organizationId}`.execute(tx)
  return rows[0]!.count
}

/** @throws Problem `role_name_taken` */
export async function insertRole(tx: Tx, { organizationId }: Scope, id: string, values: RoleValues): Promise<RoleRow> {
  const { name, description, base, permissions, rows: seen } = values
  const { rows } = await refuseTaken(
    sql<RoleRow>`
      insert into roles as r (organization_id, id, name, description, base, permissions, rows)
      values (${organizationId}, ${id}, ${name}, ${description}, ${base}, ${permissions}, ${JSON.stringify(seen)}::jsonb)
      returning ${columns}`.execute(tx),
  )
  return rows[0]!
}

/** Of one that is locked. @throws Problem `role_name_taken` */
export async function changeRole(tx: Tx, { organizationId }: Scope, id: string, values: RoleValues): Promise<RoleRow> {
  const { name, description, permissions, rows: seen } = values
  const { rows } = await refuseTaken(
    sql<RoleRow>`
      update roles r set name = ${name}, description = ${description}, permissions = ${permissions},
        rows = ${JSON.stringify(seen)}::jsonb, version = r.version + 1, updated_at = now()
      where r.organization_id = ${organizationId} and r.id = ${id} returning ${columns}`.execute(tx),
  )
  return rows[0]!
}

async function refuseTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (constraintOf(error) === 'roles_name_key') throw new Problem('role_name_taken')
    throw error
  }
}

/** Whether somebody has it, or is invited to it. Only certain while its row is locked. */
export async function isRoleUsed(tx: Tx, { organizationId }: Scope, id: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from users where organization_id = ${organizationId} and role_id = ${id} and removed_at is null)
      or exists (select from invitations where organization_id = ${organizationId} and role_id = ${id} and state = 'pending'
        and expires_at > now()) as used`.execute(tx)
  return rows[0]!.used
}

/** Who left, and invitations that were answered, keep the base alone. */
export async function removeRole(tx: Tx, { organizationId }: Scope, id: string): Promise<void> {
  for (const table of ['users', 'invitations'])
    await sql`update ${sql.table(table)} set role_id = null where organization_id = ${organizationId} and role_id = ${id}`.execute(
      tx,
    )
  await sql`delete from roles where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}
