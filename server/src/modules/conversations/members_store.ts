// Members who can be given conversations, and be mentioned in them: those whose role reads conversations.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { permissionsOf } from '../../kernel/values/permission.ts'
import { type FieldFault, invalid } from '../../kernel/values/problem.ts'
import type { Role } from '../../kernel/values/role.ts'

type Member = { id: number; role: Role; permissions: string[] | null }

const needed = 'conversations:read'

/** @throws Problem `validation_failed` for each who is no active member, or whose role reads no conversations */
export async function requireReaders(
  tx: Tx,
  { organizationId }: Scope,
  named: readonly { field: string; userId: number }[],
): Promise<void> {
  if (named.length === 0) return
  const members = await membersWith(
    tx,
    organizationId,
    named.map(({ userId }) => userId),
  )
  const faults = named.flatMap(({ field, userId }): FieldFault[] => {
    const holds = members.get(userId)
    if (holds === undefined)
      return [{ field, code: 'not_found', message: 'names no active member of the organization' }]
    const message = `must be somebody whose role has the permission ${needed}; give them such a role first`
    return holds ? [] : [{ field, code: 'not_allowed', message }]
  })
  if (faults.length > 0) throw invalid(...faults)
}

/** Whether somebody is an active member whose role reads conversations. */
export async function isReader(tx: Tx, { organizationId }: Scope, userId: number): Promise<boolean> {
  return (await membersWith(tx, organizationId, [userId])).get(userId) ?? false
}

/** Those of them who are active members, and whether the role of each reads conversations. */
async function membersWith(tx: Tx, organizationId: number, userIds: readonly number[]): Promise<Map<number, boolean>> {
  const { rows } = await sql<Member>`
    select u.id::float8 as id, u.role, r.permissions from users u
    left join roles r on r.organization_id = u.organization_id and r.id = u.role_id
    where u.organization_id = ${organizationId} and u.id = any(${[...userIds]}::bigint[])
      and u.disabled_at is null and u.removed_at is null and u.kind = 'person'`.execute(tx)
  return new Map(
    rows.map(({ id, role, permissions }) => [
      id,
      permissions?.includes(needed) ?? permissionsOf({ role, custom: null }).has(needed),
    ]),
  )
}
