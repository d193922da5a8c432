// Who may do what. One vocabulary of permissions serves roles, API keys and OAuth tokens (scopes are the same strings);
// an endpoint names one permission, and what the Explorer calls "permission level" is that permission with its roles.
import type { CustomRole } from './custom_role.ts'
import type { Permission } from './noun.ts'
import { type Role, roles } from './role.ts'
import { vocabulary } from './vocabulary.ts'

export type { Permission } from './noun.ts'
export { type Role, roles } from './role.ts'

/** The roles that hold a permission, in the order of `roles`. */
export function rolesWith(permission: Permission): Role[] {
  return roles.filter(role => vocabulary().rolePermissions[role].has(permission))
}

/** A role that everybody has, or one of the organization's own with that base. */
export type HoldsRole = { role: Role; custom: Pick<CustomRole, 'permissions'> | null }

/** What a role holds. */
export function permissionsOf({ role, custom }: HoldsRole): ReadonlySet<Permission> {
  return custom?.permissions ?? vocabulary().rolePermissions[role]
}

export function isPermission(value: string): value is Permission {
  return Object.hasOwn(vocabulary().permissions, value)
}

/** Effective rights: those of the role, cut down to the scopes where there are any. */
export function effectivePermissions(
  { role, custom }: HoldsRole,
  scopes: readonly string[] | null,
): ReadonlySet<Permission> {
  const held = permissionsOf({ role, custom })
  if (scopes === null) return held
  return new Set(scopes.filter((scope): scope is Permission => isPermission(scope) && held.has(scope)))
}

/**
 * What a credential may do, in which mode, and until when (milliseconds since 1970; null is for ever). Who may act in live
 * mode may in test mode, as a role is for both.
 */
export type Rights = {
  permissions: ReadonlySet<Permission>
  mode: 'live' | 'test'
  endsAtMs: number | null
  /** Whether somebody else sees records by it: then it is given by those who see the records of everybody. */
  seesOthers?: true
}

/** What `wanted` has and `held` has not: the one rule by which nobody hands out more than they hold. */
export function missingRights(held: Rights, wanted: Rights) {
  return {
    mode: wanted.mode === 'live' && held.mode === 'test',
    life: outlives(wanted.endsAtMs, held.endsAtMs),
    permissions: [...wanted.permissions].filter(permission => !held.permissions.has(permission)),
  }
}

/** Whether what is made would outlive its maker; null is for ever. */
export function outlives(madeEndsAtMs: number | null, makerEndsAtMs: number | null): boolean {
  return makerEndsAtMs !== null && (madeEndsAtMs === null || madeEndsAtMs > makerEndsAtMs)
}
