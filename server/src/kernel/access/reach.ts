// Whose records somebody sees. One rule, from what is known of who asks: no statement is sent for it.
import type { RowScope } from '../values/custom_role.ts'
import type { Role } from '../values/role.ts'
import type { Principal } from './principal.ts'

/** Who asks, as far as it decides what they see. */
export type Viewer = Pick<Principal, 'role' | 'custom' | 'userId'>

/** A kind of records that have an owner, as its noun declares it: which roles see own ones only. */
export type RowKind = { many: string; own: readonly Role[] }

/** What somebody sees of a kind: own records, those of these owners, or all. */
export type Reach = 'own' | readonly number[] | 'all'

/** What a role sees of a kind. */
export function rowScopeOf({ role, custom }: Pick<Viewer, 'role' | 'custom'>, { many, own }: RowKind): RowScope {
  return custom?.rows[many] ?? (own.includes(role) ? 'own' : 'all')
}

export function reachOf(viewer: Viewer, kind: RowKind): Reach {
  const scope = rowScopeOf(viewer, kind)
  if (scope !== 'team') return scope
  const mates = viewer.custom?.mates ?? []
  return mates.includes(viewer.userId) ? mates : [viewer.userId, ...mates]
}
