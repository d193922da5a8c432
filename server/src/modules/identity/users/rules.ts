// Rules of users: what a change does to a user, to what they have open, and to the organization's Admins.
import type { Role } from '../../../kernel/values/permission.ts'

export type UserState = { email: string; name: string; role: Role; role_id: string | null; disabled: boolean }
export type UserChange = Partial<UserState> & { password?: string }

export type Verdict = {
  after: UserState
  /** Whether anything differs afterwards; a new password always counts. */
  changed: boolean
  /** Rights or credentials changed: every session of the user must end. */
  endsSessions: boolean
  /** Nodes know the user's e-mail, role and standing: they must forget it. */
  forgets: boolean
  /** The user was an active Admin and would be none. */
  losesAdmin: boolean
}

/** What a change makes of a user. */
export function validateChange(before: UserState, { password, ...change }: UserChange): Verdict {
  const after: UserState = { ...before, ...change }
  const differs = (field: keyof UserState) => after[field] !== before[field]
  const endsSessions =
    differs('role') || differs('role_id') || (after.disabled && !before.disabled) || password !== undefined
  return {
    after,
    changed: password !== undefined || (Object.keys(after) as (keyof UserState)[]).some(differs),
    endsSessions,
    forgets: endsSessions || differs('email'),
    losesAdmin: isActiveAdmin(before) && !isActiveAdmin(after),
  }
}

/** One who holds everything: a role made of Admin may hold less, and counts for nothing here. */
function isActiveAdmin({ role, role_id, disabled }: UserState): boolean {
  return role === 'Admin' && role_id === null && !disabled
}
