// What the role that another is made of means for it.
import type { Role } from '../session/session.ts'

export const baseRoles: readonly Role[] = ['Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager']

/** What it is good for, and what it rules out. */
export function baseText(base: Role): string {
  const shown = `Programs that use /v1 see ${base}. It stays.`
  return base === 'Admin'
    ? `${shown} Only roles made of Admin may decide over logins and roles.`
    : `${shown} Nothing that decides over logins and roles is in it.`
}
