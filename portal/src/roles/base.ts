// What the role that another is made of means for it.
import type { Role } from '../session/session.ts'
import { t } from './texts.ts'

export const baseRoles: readonly Role[] = ['Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager']

/** What it is good for, and what it rules out. */
export function baseText(base: Role): string {
  return t(base === 'Admin' ? 'baseShownAdmin' : 'baseShownOther', { base })
}
