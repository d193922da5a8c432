// Rules of roles of an organization's own: what they may hold, and what goes together.
import type { RowScope } from '../../../kernel/values/custom_role.ts'
import type { Permission, Role } from '../../../kernel/values/permission.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'

export const maxRoles = 50

/** What everybody holds, whatever their role: oneself, and to hear at once of what they may read. */
export const alwaysHeld = ['profile:read', 'profile:update', 'stream:open'] as const satisfies readonly Permission[]

/** What the owner of an organization alone may do: in no role of its own. */
const ofOwner: ReadonlySet<string> = new Set(['organization:transfer', 'organization:delete'])

/** What decides over how everybody logs in and what they may do: in roles made of Admin only. */
const ofAdmin: ReadonlySet<string> = new Set([
  'security:manage',
  'sso:manage',
  'scim:manage',
  'roles:manage',
  'support:grant',
])

/** What shows records, or lets others see them, no matter who owns them: it goes with seeing all of every kind. */
const ofAllRows: ReadonlySet<string> = new Set([
  'events:read',
  'webhooks:read',
  'webhooks:manage',
  'mail:manage',
  'users:manage',
  'apps:manage',
  'teams:manage',
  'roles:manage',
  'scim:manage',
  'sso:manage',
  'organization:export',
  'privacy:export',
  'privacy:erase',
])

/** Where a permission may be: in all roles, in those made of Admin, or in none of the organization's own. */
export type Assignable = 'all' | 'admin' | 'never'

export function assignableOf(permission: string): Assignable {
  if (ofOwner.has(permission)) return 'never'
  return ofAdmin.has(permission) ? 'admin' : 'all'
}

export const needsAllRows = (permission: string): boolean => ofAllRows.has(permission)

export type RoleState = {
  base: Role
  permissions: readonly string[]
  /** With every kind of record. */
  rows: Readonly<Record<string, RowScope>>
}

/** What is wrong with a role. */
export function roleFaults({ base, permissions, rows }: RoleState): FieldFault[] {
  const partly = Object.entries(rows).flatMap(([kind, scope]) => (scope === 'all' ? [] : [kind]))
  return permissions.flatMap((permission, index): FieldFault[] => {
    const field = `permissions[${index}]`
    const assignable = assignableOf(permission)
    if (assignable === 'never')
      return [{ field, code: 'not_allowed', message: `${permission} is for the owner of the organization alone` }]
    if (assignable === 'admin' && base !== 'Admin')
      return [{ field, code: 'not_allowed', message: `${permission} is for roles made of Admin only` }]
    if (partly.length > 0 && needsAllRows(permission)) {
      const message = `${permission} reaches records of everybody: take it out, or let the role see all ${partly.join(', ')}`
      return [{ field, code: 'not_allowed', message }]
    }
    return []
  })
}
