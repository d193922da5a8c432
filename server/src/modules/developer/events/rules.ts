// Rules of the event log: an event tells what its resource tells, so one sees only events of what one may read.
import { isPermission, type Permission } from '../../../kernel/permission.ts'

/** Resources that are read with the permission of another. */
const readAs: Record<string, Permission> = {
  payment: 'invoices:read',
  optout: 'messages:read',
  // What happens in and to calls.
  conference: 'calls:read',
  gather: 'calls:read',
  queue: 'calls:read',
}

/**
 * The nouns (`lead` of `lead.created`) whose events a caller may see; null means all. Nouns that no permission speaks
 * of are for those who hold everything.
 * @param vocabulary every permission there is
 */
export function visibleNouns(held: ReadonlySet<Permission>, vocabulary: readonly string[]): string[] | null {
  if (vocabulary.every(name => isPermission(name) && held.has(name))) return null
  const direct = [...held].filter(name => name.endsWith(':read')).map(name => nounOf(name.slice(0, -':read'.length)))
  const borrowed = Object.keys(readAs).filter(noun => held.has(readAs[noun] as Permission))
  return [...new Set([...direct, ...borrowed])].sort()
}

function nounOf(plural: string): string {
  return plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.replace(/s$/, '')
}

/** `lead.created` is that type, `lead.*` and `lead` are all types of leads. */
export function typeFilter(type: string): { exact: string | null; noun: string | null } {
  const noun = type.endsWith('.*') ? type.slice(0, -2) : type
  return noun.includes('.') ? { exact: type, noun: null } : { exact: null, noun }
}
