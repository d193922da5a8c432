// The role that a member is given: one of the four that everybody has, or one of the organization's own.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isPermission, type Permission, type Rights, type Role } from '../../../kernel/values/permission.ts'
import { type FieldFault, invalid } from '../../../kernel/values/problem.ts'
import { rolePermissions } from '../../../nouns.ts'
import { findRole } from './store.ts'

/** What is asked for: one of both. */
export type AskedRole = { role?: Role | undefined; roleId?: string | undefined }

/** As a member has it. `role` is what v1 shows: of one of the organization's own, its base. */
export type HeldRole = { role: Role; role_id: string | null }
export type Chosen = HeldRole & { role_name: string | null; permissions: ReadonlySet<Permission> }

/** Either is named, not both. */
export function roleFaultsOf({ role, roleId }: AskedRole, isNeeded: boolean): FieldFault[] {
  if (role !== undefined && roleId !== undefined)
    return [{ field: 'roleId', code: 'not_allowed', message: 'cannot be combined with role: a member has one role' }]
  if (role === undefined && roleId === undefined && isNeeded)
    return [
      { field: 'role', code: 'required', message: "must be sent, or roleId for a role of the organization's own" },
    ]
  return []
}

/** What a member has, or is to have; it stays as it is until the transaction ends. @throws Problem `validation_failed` */
export async function chosenRole(tx: Tx, scope: Scope, { role, roleId }: AskedRole): Promise<Chosen> {
  if (roleId === undefined) return { role: role!, role_id: null, role_name: null, permissions: rolePermissions[role!] }
  const row = await findRole(tx, scope, roleId, 'share')
  if (row === undefined) {
    const message = 'is the id of no role of the organization; GET /v2/roles lists them'
    throw invalid({ field: 'roleId', code: 'not_found', message })
  }
  const permissions = new Set(row.permissions.filter(isPermission))
  return { role: row.base, role_id: row.id, role_name: row.name, permissions }
}

/** The role that somebody has now. */
export function standingRole(tx: Tx, scope: Scope, { role, role_id }: HeldRole): Promise<Chosen> {
  return chosenRole(tx, scope, role_id === null ? { role } : { roleId: role_id })
}

/** What somebody gets who may act as a member with any of these roles: they log in, in either mode. */
export function rightsOfMembers(...held: readonly Chosen[]): Rights {
  const permissions = new Set(held.flatMap(role => [...role.permissions]))
  return { permissions, mode: 'live', endsAtMs: null, ...(held.length > 0 && { seesOthers: true }) }
}
