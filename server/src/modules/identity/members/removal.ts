// The end of a membership, however it comes: sessions, keys and authorizations of it end, and what the person owned goes to another one.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { endKeysOf } from '../api_keys/index.ts'
import { endInvitationsOf } from '../invitations/index.ts'
import { insertRevocation, revokeUserSessions } from '../login/index.ts'
import { endGrantsOf } from '../oauth/index.ts'
import { findOtherAdmins, presentUser, type UserRow } from '../users/index.ts'
import { type HandOverRow, insertHandOver, redirectHandOvers } from './hand_over_store.ts'
import { refuseLosing } from './owner.ts'
import { presentHandOver } from './present.ts'
import { findStanding, markRemoved } from './store.ts'

/**
 * Refuses where the organization would be without its owner or without an Admin. Only certain while the organization is locked.
 * @throws Problem `last_owner`, `transfer_open` or `last_admin`
 */
export async function refuseLast(tx: Tx, principal: Principal, user: UserRow, nowMs: number): Promise<void> {
  await refuseLosing(tx, principal, user.id, nowMs)
  const isActiveAdmin = user.role === 'Admin' && user.disabled_at === null
  if (isActiveAdmin && (await findOtherAdmins(tx, principal, user.id)) === 0) throw new Problem('last_admin')
}

/** @throws Problem `validation_failed` for anyone who cannot take over */
export async function requireHeir(tx: Tx, principal: Principal, userId: number, from: number): Promise<void> {
  if (userId !== from && (await findStanding(tx, principal, userId)) === 'active') return
  throw invalid({
    field: 'transferTo',
    code: 'not_found',
    message: 'must be the id of another active user of the organization',
  })
}

export type Leaving = { user: UserRow; heir: number; because: 'admin' | 'person'; nowMs: number }

/** @param principal who asks for it, in the organization that it is about */
export async function removeMember(
  tx: Tx,
  principal: Principal,
  { user, heir, because, nowMs }: Leaving,
): Promise<{ handOver: HandOverRow; endedKeys: number }> {
  const id = newId('hov', nowMs)
  const by = { by_user_id: principal.userId, key_id: principal.keyId }
  const created_at = isoMs(nowMs)
  const handOver = await insertHandOver(tx, principal, {
    id,
    from_user_id: user.id,
    to_user_id: heir,
    ...by,
    created_at,
  })
  await redirectHandOvers(tx, principal, { from: user.id, to: heir })
  const endedKeys = await endKeysOf(tx, principal, user.id)
  await endGrantsOf(tx, principal, user.id, because)
  await endInvitationsOf(tx, principal, user.id, nowMs)
  await revokeUserSessions(tx, principal.organizationId, user.id)
  await markRemoved(tx, principal, user.id)
  await insertRevocation(tx, 'user', user.id)
  const before = presentUser(user)
  await emitChange(tx, principal, {
    type: 'user.removed',
    resourceId: user.id,
    record: { ...before, disabled: true, admin_id: null },
    before,
  })
  await emitChange(tx, principal, { type: 'hand_over.started', resourceId: id, record: presentHandOver(handOver) })
  return { handOver, endedKeys }
}
