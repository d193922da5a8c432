// Members that are kept by an identity provider: what SCIM and single sign-on change of somebody's role and standing, by the same rules
// as an Admin does it.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { insertRevocation, revokeUserSessions } from '../login/index.ts'
import { mayOwn } from '../members/index.ts'
import { adminIdOf, lockOrganization } from '../organizations/index.ts'
import { presentUser } from './present.ts'
import { type UserState, validateChange } from './rules.ts'
import {
  changeAdminId,
  changeUser,
  findOtherAdmins,
  findUser,
  insertMember,
  lockUser,
  type NewMember,
  type UserRow,
} from './store.ts'

export type Kept = { outcome: 'changed' | 'same'; row: UserRow } | { outcome: 'last_admin' | 'owner' | 'not_found' }

/**
 * Changes role, standing or name of a member, and ends their sessions where that takes rights away. The nodes forget the member; the
 * caller has this one do so (`services.authenticator.forget`).
 */
export async function keepMember(
  tx: Tx,
  scope: Scope,
  userId: number,
  change: Partial<Pick<UserState, 'role' | 'role_id' | 'disabled' | 'name' | 'email'>>,
  nowMs: number,
): Promise<Kept> {
  await lockOrganization(tx, scope)
  const row = await lockUser(tx, scope, userId)
  if (row === undefined) return { outcome: 'not_found' }
  const { email, name, role, role_id } = row
  const before: UserState = { email, name, role, role_id, disabled: row.disabled_at !== null }
  // A role of the organization's own stays as long as the provider names the one that it was made of, and no other of theirs.
  const isOther = change.role_id === undefined && change.role !== undefined && change.role !== role
  const verdict = validateChange(before, isOther ? { ...change, role_id: null } : change)
  if (!verdict.changed) return { outcome: 'same', row }
  if (verdict.losesAdmin && (await mayOwn(tx, scope, userId, nowMs))) return { outcome: 'owner' }
  if (verdict.losesAdmin && (await findOtherAdmins(tx, scope, userId)) === 0) return { outcome: 'last_admin' }
  const admin_id = verdict.after.role === 'Admin' ? adminIdOf(userId) : null
  const changed = await changeUser(tx, scope, userId, { ...verdict.after, admin_id })
  if (verdict.endsSessions) await revokeUserSessions(tx, scope.organizationId, userId)
  if (verdict.forgets) await insertRevocation(tx, 'user', userId)
  const data = { ...presentUser(changed), changed: Object.keys(change) }
  await emit(tx, scope, { type: 'user.updated', resourceId: userId, data })
  return { outcome: 'changed', row: changed }
}

/** Makes the person of an account a member; one who was a member and left is the same user again. Undefined for who is one. */
export async function makeMember(tx: Tx, scope: Scope, member: NewMember): Promise<number | undefined> {
  const id = await insertMember(tx, scope, member)
  if (id !== undefined && member.role === 'Admin') await changeAdminId(tx, scope, id, adminIdOf(id))
  return id
}

/**
 * Makes the person of an account a member, or a member again who had left, and emits that.
 * @returns undefined when they are a member already
 */
export async function addMember(
  tx: Tx,
  scope: Scope,
  { accountId, role, email, name }: { accountId: number; role: Role; email: string; name: string },
): Promise<UserRow | undefined> {
  const id = await makeMember(tx, scope, { accountId, role, role_id: null, email, name })
  if (id === undefined) return undefined
  const row = (await findUser(tx, scope, id)) as UserRow
  await emit(tx, scope, { type: 'user.created', resourceId: row.id, data: presentUser(row) })
  return row
}
