// What instructions that come with a request may do: no more than their sender may do by other requests. Those that a
// callback address answers, or that are stored, are the organization's own.
import type { Principal } from '../../../kernel/access/principal.ts'
import { type Permission, permissionsOf } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import type { Instruction } from './schema.ts'

/** What customers send along as it is: nothing in it is an instruction. */
const theirs: readonly string[] = ['data', 'metadata', 'headers']

/** Each property of instructions, those of nested lists too: its place, its name and what it is. */
export function* propertiesIn(
  value: unknown,
  root: string,
): Generator<readonly [place: string, name: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* propertiesIn(item, `${root}[${index}]`)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const place = root === '' ? name : `${root}.${name}`
    yield [place, name, member]
    if (!theirs.includes(name)) yield* propertiesIn(member, place)
  }
}

/**
 * Refuses the verb `message` from who may not send messages.
 * @param root where the list, or the one instruction, is in the body
 * @throws Problem `insufficient_scope`, `insufficient_role`, with the place of each
 */
export function requireRights(
  principal: Principal,
  instructions: readonly Instruction[] | Instruction,
  root: string,
): void {
  if (principal.permissions.has('messages:send')) return
  const places = [...propertiesIn(instructions, root)].flatMap(([place, name, value]) =>
    name === 'verb' && value === 'message' ? [place] : [],
  )
  if (places.length > 0) throw missing(principal, 'messages:send', places, 'message')
}

/**
 * Refuses instructions as a whole, given or asked for, from who may not start calls of their own making.
 * @throws Problem `insufficient_scope`, `insufficient_role`
 */
export function requireCreating(principal: Principal, field: string): void {
  if (!principal.permissions.has('calls:create')) throw missing(principal, 'calls:create', [field], field)
}

function missing(principal: Principal, permission: Permission, fields: readonly string[], what: string): Problem {
  const isOfRole = permissionsOf(principal).has(permission)
  const remedy = isOfRole ? `Use a key or token that has it, or leave ${what} out.` : `Leave ${what} out.`
  return new Problem(isOfRole ? 'insufficient_scope' : 'insufficient_role', {
    message: `${fields[0]}: ${what} needs the permission ${permission}. ${remedy}`,
    details: fields.map(field => ({ field, code: 'not_allowed', message: `needs the permission ${permission}` })),
  })
}
