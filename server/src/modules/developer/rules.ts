// Who sees what in the logs: an event reports what its resource contains, so one sees only events of what one may read; requests are
// seen by who made them, and by Admins.
import { readableNouns } from '../../kernel/values/event_types.ts'
import { isPermission, type Permission, type Role } from '../../kernel/values/permission.ts'

export type RequestReader = { role: Role; custom: object | null; userId: number }

/**
 * The nouns (`lead` of `lead.created`) whose events a caller may see; null means all. Nouns that no permission speaks
 * of are for those who hold everything.
 * @param vocabulary every permission there is
 */
export function visibleNouns(held: ReadonlySet<Permission>, vocabulary: readonly string[]): string[] | null {
  if (vocabulary.every(name => isPermission(name) && held.has(name))) return null
  return [...readableNouns(held)].sort()
}

/** `lead.created` is that type, `lead.*` and `lead` are all types of leads. */
export function typeFilter(type: string): { exact: string | null; noun: string | null } {
  const noun = type.endsWith('.*') ? type.slice(0, -2) : type
  return noun.includes('.') ? { exact: type, noun: null } : { exact: null, noun }
}

/** An Admin sees the requests of everybody in the tenant; others, with roles made of it too, their own and those of their keys. */
export function visibleUser({ role, custom, userId }: RequestReader): number | null {
  return role === 'Admin' && custom === null ? null : userId
}
