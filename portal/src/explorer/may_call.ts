// May this caller use that endpoint, and if not, why not and what helps. Pure: the Explorer shows the answer, the list is
// filtered by it.
import type { IndexEntry } from '@tandem/catalog'

/** A person by their role, or an API key of theirs: a key has the role's rights, or of those only its scopes. */
export type Caller = {
  role: string
  /** The mode the portal is in, or that of the key. */
  mode?: 'live' | 'test'
  key?: { name: string; scopes: readonly string[] | null }
}

export type Verdict = { allowed: boolean; reason: string }

/** Joins names as a sentence does: `A, B and C`. */
export function listed(names: readonly string[], word = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}

/** The verdict in words; `reason` is a whole sentence that names the remedy when the answer is no. */
export function mayCall(
  { level, roles, liveOnly }: Pick<IndexEntry, 'level' | 'roles' | 'liveOnly'>,
  { role, mode, key }: Caller,
): Verdict {
  const who = key === undefined ? 'You' : `The key “${key.name}”`
  if (level === 'public') return { allowed: true, reason: 'Anyone may call it, without a credential.' }
  if (level === 'any credential') return { allowed: true, reason: `${who} may call it: any credential will do.` }
  if (!roles.includes(role)) {
    const whose = key === undefined ? 'Your role' : 'The role of its owner'
    const remedy = `Ask an Admin for a role that holds it: ${listed(roles, 'or')}.`
    return { allowed: false, reason: `${who} may not call it. ${whose}, ${role}, does not hold ${level}. ${remedy}` }
  }
  if (liveOnly === true && mode === 'test') {
    const remedy = key === undefined ? 'Switch to live mode to call it.' : 'Use a live key.'
    const why = 'It changes what live and test mode share, so it is called in live mode.'
    return { allowed: false, reason: `${who} may not call it in test mode. ${why} ${remedy}` }
  }
  if (key === undefined) return { allowed: true, reason: `You may call it: your role, ${role}, holds ${level}.` }
  if (key.scopes === null) {
    return { allowed: true, reason: `${who} may call it: it may do all that the role of its owner, ${role}, may.` }
  }
  if (key.scopes.includes(level)) return { allowed: true, reason: `${who} may call it: ${level} is one of its scopes.` }
  return {
    allowed: false,
    reason: `${who} may not call it. It was not given the scope ${level}. Create a key that has it.`,
  }
}
