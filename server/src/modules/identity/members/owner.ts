// What the owner of an organization, and who was it until a moment ago, cannot lose, nor be shut out of; and that nobody gets to be them, or an
// operator of the installation, by setting how they log in.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { findOwnerId } from '../organizations/index.ts'
import { isOperator } from './store.ts'
import { findKeptIn, findOpenTransfer } from './transfer_store.ts'

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

/**
 * Refuses to set how somebody else logs in who has more than any role gives: the owner, who may take the ownership back, an operator of the
 * installation. Only certain while the organization is locked.
 * @throws Problem `account_protected`
 */
export async function refuseProtected(tx: Tx, principal: Principal, userId: number, nowMs: number): Promise<void> {
  if (!isThemselves(principal, userId) && (await isProtected(tx, principal, userId, nowMs)))
    throw new Problem('account_protected')
}

/** Whether a person acts who has this account: an API key of theirs may be in the hands of others. */
export function isThemselves({ person, userId }: Principal, id: number): boolean {
  return person !== null && userId === id
}

/** Whether somebody has more than any role gives. */
export async function isProtected(tx: Tx, scope: Scope, userId: number, nowMs: number): Promise<boolean> {
  return (await mayOwn(tx, scope, userId, nowMs)) || isOperator(tx, scope, userId)
}

/** Whether somebody owns the organization, or may still take it back. Only certain while the organization is locked. */
export async function mayOwn(tx: Tx, scope: Scope, userId: number, nowMs: number): Promise<boolean> {
  if ((await findOwnerId(tx, scope)) === userId) return true
  const open = await findOpenTransfer(tx, scope, nowMs)
  return open?.state === 'accepted' && open.from_user_id === userId
}

/**
 * Refuses what could shut somebody out who offered the ownership, until it cannot be taken back any more, and for a while after it was: who takes it over
 * could make the way back worthless otherwise. They themselves may. Only certain while the organization is locked.
 * @throws Problem `transfer_open`
 */
export async function refuseShuttingOut(tx: Tx, principal: Principal, nowMs: number): Promise<void> {
  const kept = await findKeptIn(tx, principal, nowMs)
  if (kept !== undefined && !isThemselves(principal, kept.user_id)) throw new Problem('transfer_open')
}

/** Whether somebody owned the organization until a moment ago, or does again since, so that their way in is kept open. */
export async function isKeptIn(
  tx: Tx,
  scope: Pick<Scope, 'organizationId'>,
  userId: number,
  nowMs: number,
): Promise<boolean> {
  const kept = await findKeptIn(tx, scope, nowMs)
  return kept?.is_settled === true && kept.user_id === userId
}
