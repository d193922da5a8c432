// Whether somebody holds a right to records of a noun, whose permission is put together from its name.
import type { Principal } from '../access/principal.ts'
import { Problem } from '../values/problem.ts'

export type Right = 'read' | 'create' | 'update' | 'delete'

/** @param many the noun as in its permissions: `companies` */
export function holdsRight({ permissions }: Pick<Principal, 'permissions'>, many: string, right: Right): boolean {
  return (permissions as ReadonlySet<string>).has(`${many}:${right}`)
}

/** @throws Problem `insufficient_role` @param what needs it, as its message begins */
export function requireRight(
  principal: Pick<Principal, 'permissions'>,
  many: string,
  right: Right,
  what = 'This needs',
): void {
  if (holdsRight(principal, many, right)) return
  throw new Problem('insufficient_role', { message: `${what} the permission ${many}:${right}.` })
}
