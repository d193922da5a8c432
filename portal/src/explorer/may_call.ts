// May this caller use that endpoint, and if not, why not and what helps. Pure: the Explorer shows the answer, the list is
// filtered by it.
import type { IndexEntry } from '@tandem/catalog'
import { listText } from '../words/format.ts'
import { t } from './texts.ts'

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

type Called = Pick<IndexEntry, 'level' | 'roles' | 'liveOnly'>

/** Whether the caller may use it, without the words. */
export function isOpenTo({ level, roles, liveOnly }: Called, { role, permissions, mode, key }: Caller): boolean {
  if (level === 'public' || level === 'any credential') return true
  if (level.startsWith('operator:')) return false
  if (!(permissions?.has(level) ?? roles.includes(role))) return false
  if (liveOnly === true && mode === 'test') return false
  return key === undefined || key.scopes === null || key.scopes.includes(level)
}

/** The verdict in words; `reason` is a whole sentence that names the remedy when the answer is no. */
export function mayCall(entry: Called, caller: Caller): Verdict {
  return { allowed: isOpenTo(entry, caller), reason: reasonOf(entry, caller) }
}

function reasonOf({ level, roles, liveOnly }: Called, { role, permissions, mode, key }: Caller): string {
  const by = key === undefined ? 'self' : 'key'
  const name = key?.name ?? ''
  if (level === 'public') return t('may.public')
  if (level === 'any credential') return key === undefined ? t('may.any.self') : t('may.any.key', { name })
  if (level.startsWith('operator:')) return key === undefined ? t('may.operator.self') : t('may.operator.key', { name })
  const holds = permissions?.has(level) ?? roles.includes(role)
  // Where it does other than the role that it is made of, it is not that one.
  const called = holds === roles.includes(role) ? 'named' : 'own'
  if (!holds) return t(`may.lacks.${by}.${called}`, { name, role, level, roles: listText(roles, 'disjunction') })
  if (liveOnly === true && mode === 'test')
    return key === undefined ? t('may.liveOnly.self') : t('may.liveOnly.key', { name })
  if (key === undefined) return t(`may.holds.${called}`, { role, level })
  if (key.scopes === null) return t(`may.all.${called}`, { name, role })
  return t(key.scopes.includes(level) ? 'may.scope' : 'may.noScope', { name, level })
}
