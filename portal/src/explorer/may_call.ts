// May this caller use that endpoint, and if not, why not and what helps. Pure: the Explorer shows the answer, the list is
// filtered by it.
import type { IndexEntry } from '@tandem/catalog'

/** A person by their role, or an API key of theirs: a key has the role's rights, or of those only its scopes. */
export type Caller = {
  role: string
  /** What they hold, where that is known: a role of the organization's own holds other than its base. */
  permissions?: ReadonlySet<string>
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
  { role, permissions, mode, key }: Caller,
): Verdict {
  const who = key === undefined ? 'You' : `The key “${key.name}”`
  if (level === 'public') return { allowed: true, reason: 'Anyone may call it, without a credential.' }
  if (level === 'any credential') return { allowed: true, reason: `${who} may call it: any credential will do.` }
  if (level.startsWith('operator:'))
    return {
      allowed: false,
      reason: `${who} may not call it: it takes the token of an operator, which POST /v2/operator/tokens gives.`,
    }
  const holds = permissions?.has(level) ?? roles.includes(role)
  // Where it does other than the role that it is made of, it is not that one.
  const called = holds === roles.includes(role) ? `, ${role},` : ''
  if (!holds) {
    const whose = key === undefined ? 'Your role' : 'The role of its owner'
    const remedy = `Ask an Admin for a role that holds it: ${listed(roles, 'or')}.`
    return { allowed: false, reason: `${who} may not call it. ${whose}${called} does not hold ${level}. ${remedy}` }
  }
  if (liveOnly === true && mode === 'test') {
    const remedy = key === undefined ? 'Switch to live mode to call it.' : 'Use a live key.'
    const why = 'It changes what live and test mode share, so it is called in live mode.'
    return { allowed: false, reason: `${who} may not call it in test mode. ${why} ${remedy}` }
  }
  if (key === undefined) return { allowed: true, reason: `You may call it: your role${called} holds ${level}.` }
  if (key.scopes === null) {
    return { allowed: true, reason: `${who} may call it: it may do all that the role of its owner${called} may.` }
  }
  if (key.scopes.includes(level)) return { allowed: true, reason: `${who} may call it: ${level} is one of its scopes.` }
  return {
    allowed: false,
    reason: `${who} may not call it. It was not given the scope ${level}. Create a key that has it.`,
  }
}
