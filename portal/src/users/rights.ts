// What roles may do: no texts of ours, for who asks only whether.
import type { Role } from '../session/session.ts'
import { rights } from './rights.generated.ts'

/** What somebody may do who holds these: permissions, in the order in which they are read. */
export function rightsIn(permissions: ReadonlySet<string>): string[] {
  return rights.map(({ permission }) => permission).filter(permission => permissions.has(permission))
}

/** What one of the four roles may do that everybody has. */
export function rightsOf(role: Role): string[] {
  return rightsIn(new Set(rights.filter(({ roles }) => roles.includes(role)).map(({ permission }) => permission)))
}

/** What somebody of the one role gets, and no longer has, who becomes one of the other. */
export function rightsBetween(from: ReadonlySet<string>, to: ReadonlySet<string>) {
  return { gained: rightsIn(to.difference(from)), lost: rightsIn(from.difference(to)) }
}
