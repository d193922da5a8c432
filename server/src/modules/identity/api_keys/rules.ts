// Rules of API keys: nobody makes a key that can do more than they can, neither by creating nor by rotating one.
import type { CustomRole } from '../../../kernel/values/custom_role.ts'
import type { Permission, Role } from '../../../kernel/values/permission.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'

/** Who makes, sees or ends keys. */
export type KeyMaker = {
  kind: 'user' | 'key' | 'app'
  mode: 'live' | 'test'
  userId: number
  role: Role
  custom: CustomRole | null
  /** The scopes of the key that asks; null for a person or a key with all rights of its role. */
  scopes: readonly string[] | null
  permissions: ReadonlySet<Permission>
}

/** The keys one may see and manage: an Admin all of the organization, others, with roles made of it too, their own, and a test key no live ones. */
export type KeyReach = { userId: number | null; mode: 'test' | null }

export function reachOf({ kind, mode, userId, role, custom }: KeyMaker): KeyReach {
  return {
    userId: role === 'Admin' && custom === null ? null : userId,
    mode: kind !== 'user' && mode === 'test' ? 'test' : null,
  }
}

/** What a new key would have that its maker does not. */
export function faultsOfNewKey(
  maker: KeyMaker,
  key: { mode: 'live' | 'test'; scopes: readonly string[] | null },
): FieldFault[] {
  const faults: FieldFault[] = []
  if (maker.kind === 'key' && maker.mode === 'test' && key.mode === 'live') {
    faults.push({ field: 'mode', code: 'not_held', message: 'a test key cannot create live keys' })
  }
  if (key.scopes === null && maker.scopes !== null) {
    faults.push({
      field: 'scopes',
      code: 'not_held',
      message: 'must be named, for this key has not all rights of its role',
    })
  }
  for (const [index, scope] of (key.scopes ?? []).entries()) {
    if (maker.permissions.has(scope as Permission)) continue
    faults.push({
      field: `scopes[${index}]`,
      code: 'not_held',
      message: `${scope} is not held by the creator of the key`,
    })
  }
  return faults
}

/**
 * When a token made of a key now ends, in whole seconds as a JWT has them: after `seconds`, or with the key.
 * @returns milliseconds since 1970
 */
export function tokenExpiry(
  key: { expires_at: string | null; revoked_at: string | null },
  seconds: number,
  nowMs: number,
): number {
  return Math.floor(Math.min(nowMs + seconds * 1000, endOf(key) ?? Number.POSITIVE_INFINITY) / 1000) * 1000
}

/** Whether the secret of a key with these scopes may be given to the one who rotates it: a key gets no stronger one. */
export function mayRotate(maker: KeyMaker, key: { scopes: readonly string[] | null; user_id: number }): boolean {
  if (maker.scopes === null) return true
  // A key without all rights acts for its own user only.
  if (key.user_id !== maker.userId) return false
  return key.scopes?.every(scope => maker.scopes?.includes(scope)) ?? false
}

/** When a key ends by what is known now, in milliseconds since 1970; null when never. */
export function endOf(key: { expires_at: string | null; revoked_at: string | null }): number | null {
  const ends = [key.expires_at, key.revoked_at].filter(end => end !== null).map(end => Date.parse(end))
  return ends.length === 0 ? null : Math.min(...ends)
}
