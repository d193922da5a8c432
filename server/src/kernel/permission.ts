// Who may do what. One vocabulary of permissions serves roles, API keys and OAuth tokens (scopes are the same strings);
// an endpoint names one permission, and what the Explorer calls "permission level" is that permission with its roles.

/** Every permission of the product, with the sentence the Explorer and the key form show. */
export const permissions = {
  'profile:read': 'See who one is and which rights one holds.',
  'users:read': 'List and read the users of the organization.',
  'users:manage': 'Create users, change their roles, disable them.',
  'organization:read': "Read the organization's settings.",
  'organization:update': "Change the organization's settings.",
  'keys:read': 'List API keys (an Admin sees all, others their own).',
  'keys:manage': 'Create, rotate and revoke API keys (never with more rights than one holds).',
  'leads:read': 'List and read leads (a Sales Executive: own and unassigned ones).',
  'leads:create': 'Create leads.',
  'leads:update': 'Change leads (a Sales Executive: own ones).',
  'leads:delete': 'Delete and restore leads.',
  'invoices:read': 'List and read invoices, audit their numbers.',
  'invoices:create': 'Create draft invoices.',
  'invoices:update': 'Change invoices.',
  'invoices:send': 'Issue and send invoices.',
  'invoices:cancel': 'Cancel invoices.',
  'payments:create': 'Record payments on invoices.',
  'messages:send': 'Send messages.',
  'messages:read': 'List and read messages.',
  'messages:manage': 'Create and change messaging services; add opt-outs.',
  'messages:erase': 'Take away for good: the text of messages, messaging services, opt-outs.',
  'numbers:read': 'List and read numbers and sender ids.',
  'numbers:manage': 'Add, change and release numbers and sender ids.',
  'carriers:read': 'List and read carriers and the state of their links.',
  'carriers:manage': 'Add, change, test and remove carriers.',
  'trunks:read': 'List and read trunks and their states.',
  'trunks:manage': 'Add, change, test and remove trunks.',
  'destinations:read': 'Read the destination policies; ask whether a number may be called or texted.',
  'destinations:manage': 'Change the destination policies: which numbers are called and texted, and how much a day.',
  'sip_credentials:read': 'List SIP credentials and the phones that are registered with them.',
  'sip_credentials:manage': 'Add, change and remove SIP credentials.',
  'calls:create': 'Start calls.',
  'calls:read': 'List and read calls.',
  'calls:control': 'Steer and end calls that are under way.',
  'phone:use': 'Make and take calls with a phone in the browser.',
  'recordings:read': 'List, read and hear recordings of calls.',
  'recordings:delete': 'Delete recordings of calls.',
  'requests:read': 'Read the log of API requests.',
  'events:read': 'Read the log of events.',
  'webhooks:read': 'List and read webhooks and what was delivered to them.',
  'webhooks:manage': 'Add, change, test and remove webhooks; deliver events again.',
  'usage:read': 'See how much of the API, of messages and of calls was used (a Sales Executive: own API requests).',
} as const

export type Permission = keyof typeof permissions

export const roles = ['Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager'] as const
export type Role = (typeof roles)[number]

const everyone = [
  'profile:read',
  'organization:read',
  'keys:read',
  'keys:manage',
  'requests:read',
  'usage:read',
] as const
const sales = [
  ...everyone,
  'leads:read',
  'leads:create',
  'leads:update',
  'messages:send',
  'messages:read',
  'numbers:read',
  'calls:create',
  'calls:read',
  'calls:control',
  'phone:use',
  'recordings:read',
] as const

/** What each role holds. Roles are sets of permissions, nothing more. */
export const rolePermissions: Record<Role, ReadonlySet<Permission>> = {
  Admin: new Set(Object.keys(permissions) as Permission[]),
  'Sales Manager': new Set<Permission>([
    ...sales,
    'leads:delete',
    'users:read',
    'events:read',
    'messages:manage',
    'carriers:read',
    'trunks:read',
    'destinations:read',
    'sip_credentials:read',
    'webhooks:read',
  ]),
  'Sales Executive': new Set<Permission>(sales),
  'Finance Manager': new Set<Permission>([
    ...everyone,
    'users:read',
    'invoices:read',
    'invoices:create',
    'invoices:update',
    'invoices:send',
    'invoices:cancel',
    'payments:create',
    'messages:read',
    'calls:read',
    'recordings:read',
    'events:read',
  ]),
}

/** The roles that hold a permission, in the order of `roles`. */
export function rolesWith(permission: Permission): Role[] {
  return roles.filter(role => rolePermissions[role].has(permission))
}

export function isPermission(value: string): value is Permission {
  return Object.hasOwn(permissions, value)
}

/** Effective rights: those of the role, cut down to the scopes where there are any. */
export function effectivePermissions(role: Role, scopes: readonly string[] | null): ReadonlySet<Permission> {
  const held = rolePermissions[role]
  if (scopes === null) return held
  return new Set(scopes.filter((scope): scope is Permission => isPermission(scope) && held.has(scope)))
}

/**
 * What a credential may do, in which mode, and until when (milliseconds since 1970; null is for ever). Who may act in live
 * mode may in test mode, as a role is for both.
 */
export type Rights = { permissions: ReadonlySet<Permission>; mode: 'live' | 'test'; endsAtMs: number | null }

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
