// What the owner of an organization, and who was it until a moment ago, cannot lose.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { findOwnerId } from '../organizations/index.ts'
import { findOpenTransfer } from './transfer_store.ts'

/**
 * Refuses to take role, standing or membership from the owner, and from who may still take the ownership back: otherwise anyone who got it could make
 * that impossible. Only certain while the organization is locked.
 * @throws Problem `last_owner` or `transfer_open`
 */
export async function refuseLosing(tx: Tx, scope: Scope, userId: number, nowMs: number): Promise<void> {
  if ((await findOwnerId(tx, scope)) === userId) throw new Problem('last_owner')
  const open = await findOpenTransfer(tx, scope, nowMs)
  if (open?.state === 'accepted' && open.from_user_id === userId) throw new Problem('transfer_open')
}
