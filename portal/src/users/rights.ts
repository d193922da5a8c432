// What roles may do: no texts of ours, for who asks only whether.
import type { Role } from '../session/session.ts'
import { rights } from './rights.generated.ts'

export type Right = { permission: string; allows: string }

/** What somebody may do who holds these. */
export function rightsIn(permissions: ReadonlySet<string>): Right[] {
  return rights
    .filter(({ permission }) => permissions.has(permission))
    .map(({ permission, allows }) => ({ permission, allows }))
}

/** What one of the four roles may do that everybody has. */
export function rightsOf(role: Role): Right[] {
  return rightsIn(new Set(rights.filter(({ roles }) => roles.includes(role)).map(({ permission }) => permission)))
}

/** What somebody of the one role gets, and no longer has, who becomes one of the other. */
export function rightsBetween(from: ReadonlySet<string>, to: ReadonlySet<string>) {
  return { gained: rightsIn(to.difference(from)), lost: rightsIn(from.difference(to)) }
}
