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
  const { rows } = await sql<Member>`
    select u.id::float8 as id, u.role, r.permissions from users u
    left join roles r on r.organization_id = u.organization_id and r.id = u.role_id
    where u.organization_id = ${organizationId} and u.id = any(${named.map(({ userId }) => userId)}::bigint[])
      and u.disabled_at is null and u.removed_at is null and u.kind = 'person'`.execute(tx)
  const members = new Map(rows.map(row => [row.id, row]))
  const faults = named.flatMap(({ field, userId }): FieldFault[] => {
    const member = members.get(userId)
    if (member === undefined)
      return [{ field, code: 'not_found', message: 'names no active member of the organization' }]
    const holds = member.permissions?.includes(needed) ?? permissionsOf({ role: member.role, custom: null }).has(needed)
    const message = `must be somebody whose role has the permission ${needed}; give them such a role first`
    return holds ? [] : [{ field, code: 'not_allowed', message }]
  })
  if (faults.length > 0) throw invalid(...faults)
}
