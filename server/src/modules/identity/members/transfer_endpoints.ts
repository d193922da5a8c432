// The ownership of an organization: offered by the owner to another Admin, who accepts; and taken back for a while.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { type Context, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { EventType } from '../../../kernel/values/noun.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { move } from '../../../kernel/values/states.ts'
import { mailQueue } from '../../mail/mails/index.ts'
import { findWorking } from '../connections/index.ts'
import { listFactors } from '../factors/index.ts'
import { findOwnAccount } from '../login/index.ts'
import { findOwnerId, lockOrganization } from '../organizations/index.ts'
import { findPolicy, isAllowedAddress } from '../security/index.ts'
import { findUser, type UserRow } from '../users/index.ts'
import { mailTransfer } from './mails.ts'
import { acceptWithinMs, type TransferEvent, transferStates, transferTable, undoWithinMs } from './transfer_rules.ts'
import {
  cancelExpired,
  changeOwner,
  changeTransfer,
  findOpenTransfer,
  insertTransfer,
  type TransferRow,
} from './transfer_store.ts'

const Transfer = Type.Object({
  transferId: Type.String(),
  fromUserId: IntegerId,
  toUserId: IntegerId,
  state: OneOf(transferStates),
  expiresAt: Type.String({ format: 'date-time', description: 'Until then it can be accepted: seven days.' }),
  undoUntil: Nullable(
    Type.String({ format: 'date-time', description: 'Until then who owned it before can take it back: 72 hours.' }),
  ),
  createdAt: Timestamp,
})

const sampleTransfer: Static<typeof Transfer> = {
  transferId: 'own_01k9r7d3w2v8e6q4n5m1b0c9xz',
  fromUserId: 1,
  toUserId: 12,
  state: 'pending',
  expiresAt: '2026-11-28T08:44:00.123Z',
  undoUntil: null,
  createdAt: '2026-11-21T08:44:00.123Z',
}

const presentTransfer = (row: TransferRow) => ({
  transferId: row.id,
  fromUserId: row.from_user_id,
  toUserId: row.to_user_id,
  state: row.state,
  expiresAt: row.expires_at,
  undoUntil: row.undo_until,
  createdAt: row.created_at,
})

const common = {
  version: 'v2',
  category: 'Organization',
  permission: 'organization:transfer',
  envelope: 'data',
} as const
/** Both sides prove who they are, with the second factor where they have one. */
const changing = {
  ...common,
  method: 'POST',
  shared: true,
  personOnly: true,
  recent: 'factor',
  reply: Transfer,
} as const

type Asking = Pick<Context<unknown, unknown, unknown>, 'tx' | 'principal' | 'now' | 'services' | 'afterCommit'>

export const getTransfer = endpoint({
  ...common,
  id: 'ownership.get',
  method: 'GET',
  path: '/organization/transfer',
  name: 'Get the transfer of ownership',
  description: 'The transfer that waits for its answer, or that can still be undone; null where there is none.',
  whileSuspended: true,
  reply: Type.Object({ ownerUserId: Nullable(IntegerId), transfer: Nullable(Transfer) }),
  sample: { reply: { ownerUserId: 1, transfer: sampleTransfer } },
  async handle({ tx, principal, now }) {
    const [row, ownerUserId] = await Promise.all([findOpenTransfer(tx, principal, now), findOwnerId(tx, principal)])
    return { ownerUserId, transfer: row === undefined ? null : presentTransfer(row) }
  },
})

export const offerOwnership = endpoint({
  ...changing,
  id: 'ownership.offer',
  path: '/organization/transfer',
  name: 'Start a transfer of ownership',
  description:
    'The owner offers the organization to another active Admin, who has seven days to accept; until then nothing changes. Both get a mail. ' +
    'Who could not log in to take it back is refused (`would_lock_out`): from an address that the organization does not allow, and, where it has ' +
    'single sign-on, without a password and a second factor of their own, or a passkey.',
  audit: 'ownership.offered',
  status: 201,
  body: Type.Object({ toUserId: IntegerId }),
  problems: ['not_owner', 'transfer_open', 'would_lock_out'],
  sample: { body: { toUserId: 12 }, reply: sampleTransfer },
  async handle({ tx, principal, body: { toUserId }, ip, now, services, afterCommit }) {
    const asking = { tx, principal, now, services, afterCommit }
    await lockOrganization(tx, principal)
    if ((await findOwnerId(tx, principal)) !== principal.userId) throw new Problem('not_owner')
    if ((await findOpenTransfer(tx, principal, now)) !== undefined) throw new Problem('transfer_open')
    await requireAdmin(tx, principal, toUserId)
    await requireWayBack(tx, principal, ip)
    await cancelExpired(tx, principal, now)
    const row = await insertTransfer(tx, principal, {
      id: newId('own', now),
      from_user_id: principal.userId,
      to_user_id: toUserId,
      expires_at: isoMs(now + acceptWithinMs),
      created_at: isoMs(now),
    })
    return report(asking, row, 'offered')
  },
})

/** @throws Problem `validation_failed` */
async function requireAdmin(tx: Tx, principal: Principal, userId: number): Promise<UserRow> {
  const user = await findUser(tx, principal, userId)
  // What is made of Admin is none: it holds less, and could not accept.
  if (user?.role === 'Admin' && user.role_id === null && user.disabled_at === null && user.id !== principal.userId)
    return user
  throw invalid({ field: 'toUserId', code: 'not_allowed', message: 'must be the id of another active Admin' })
}

/**
 * Who offers it must be able to log in afterwards, whatever becomes of an identity provider: it may be in the hands of who gets the ownership.
 * Later, nobody else makes that harder (`refuseShuttingOut`).
 * @throws Problem `would_lock_out`
 */
async function requireWayBack(tx: Tx, principal: Principal, ip: string): Promise<void> {
  const { allowed_addresses: ranges } = await findPolicy(tx, principal)
  if (!isAllowedAddress(ip, ranges)) {
    const message = `You could not take it back from ${ip}, where you are: the organization does not let people log in from there.`
    throw new Problem('would_lock_out', { message })
  }
  if ((await findWorking(tx, principal)) === undefined) return
  const { accountId } = principal.person!
  const kinds = (await listFactors(tx, accountId)).map(({ kind }) => kind)
  if (kinds.includes('passkey')) return
  if (kinds.length > 0 && (await findOwnAccount(tx, accountId)).password_hash !== null) return
  const message =
    'You could not take it back without the identity provider of the organization. Give your account a passkey, or a password and a second factor.'
  throw new Problem('would_lock_out', { message })
}

/**
 * The open transfer, if the caller is the one of the two whose turn it is and it may take this step; the organization is locked then.
 * @throws Problem `transfer_not_open`
 */
async function step(
  { tx, principal, now }: Asking,
  event: TransferEvent,
  whose: 'from_user_id' | 'to_user_id',
): Promise<TransferRow> {
  await lockOrganization(tx, principal)
  const row = await findOpenTransfer(tx, principal, now)
  const isTheirs = row !== undefined && row[whose] === principal.userId
  if (!isTheirs || move(transferTable, row.state, event) === undefined) throw new Problem('transfer_not_open')
  return row
}

/** Reports it, and mails both. */
async function report(
  { tx, principal, services, afterCommit }: Asking,
  row: TransferRow,
  verb: 'offered' | 'accepted' | 'declined' | 'canceled' | 'reverted',
) {
  const record = presentTransfer(row)
  await emitChange(tx, principal, { type: `ownership.${verb}` as EventType, resourceId: row.id, record })
  const [from, to] = [await findUser(tx, principal, row.from_user_id), await findUser(tx, principal, row.to_user_id)]
  await mailTransfer(tx, principal, { verb, from, to, url: services.ownAddress() })
  afterCommit(() => services.wake(mailQueue))
  return record
}

export const acceptOwnership = endpoint({
  ...changing,
  id: 'ownership.accept',
  path: '/organization/transfer/accept',
  name: 'Accept the ownership',
  description:
    'The Admin whom the owner chose becomes the owner. Who owned the organization before can take it back for 72 hours, and stays an ' +
    'Admin at least as long.',
  audit: 'ownership.accepted',
  problems: ['transfer_not_open'],
  sample: { reply: { ...sampleTransfer, state: 'accepted', undoUntil: '2026-11-25T08:44:00.123Z' } },
  async handle(context) {
    const { tx, principal, now } = context
    const open = await step(context, 'accept', 'to_user_id')
    // The owner may have changed by an operator since.
    if ((await findOwnerId(tx, principal)) !== open.from_user_id) throw new Problem('transfer_not_open')
    await changeOwner(tx, principal, open.to_user_id)
    const undoUntil = isoMs(now + undoWithinMs)
    return report(
      context,
      await changeTransfer(tx, principal, open.id, { state: 'accepted', nowMs: now, undoUntil }),
      'accepted',
    )
  },
})

export const declineOwnership = endpoint({
  ...changing,
  id: 'ownership.decline',
  path: '/organization/transfer/decline',
  name: 'Decline the ownership',
  description: 'The Admin whom the owner chose does not want the organization; nothing changes.',
  audit: 'ownership.declined',
  problems: ['transfer_not_open'],
  sample: { reply: { ...sampleTransfer, state: 'declined' } },
  async handle(context) {
    const open = await step(context, 'decline', 'to_user_id')
    const change = { state: 'declined', nowMs: context.now } as const
    return report(context, await changeTransfer(context.tx, context.principal, open.id, change), 'declined')
  },
})

export const cancelOwnership = endpoint({
  ...changing,
  id: 'ownership.cancel',
  path: '/organization/transfer/cancel',
  name: 'Cancel the transfer of ownership',
  description: 'The owner takes the offer back before it was accepted.',
  audit: 'ownership.canceled',
  problems: ['transfer_not_open'],
  sample: { reply: { ...sampleTransfer, state: 'canceled' } },
  async handle(context) {
    const open = await step(context, 'cancel', 'from_user_id')
    const change = { state: 'canceled', nowMs: context.now } as const
    return report(context, await changeTransfer(context.tx, context.principal, open.id, change), 'canceled')
  },
})

export const undoOwnership = endpoint({
  ...changing,
  id: 'ownership.undo',
  path: '/organization/transfer/undo',
  name: 'Undo the transfer of ownership',
  description:
    'Who owned the organization before takes it back, within 72 hours of its acceptance, also while it is suspended or being closed; then POST /v2/organization/reopen.',
  // Otherwise anyone who got it could make that impossible, by closing it at once.
  whileSuspended: true,
  audit: 'ownership.reverted',
  problems: ['transfer_not_open'],
  sample: { reply: { ...sampleTransfer, state: 'undone', undoUntil: '2026-11-25T08:44:00.123Z' } },
  async handle(context) {
    const { tx, principal, now } = context
    const open = await step(context, 'undo', 'from_user_id')
    await changeOwner(tx, principal, open.from_user_id)
    return report(context, await changeTransfer(tx, principal, open.id, { state: 'undone', nowMs: now }), 'reverted')
  },
})

export const endpoints = [
  getTransfer,
  offerOwnership,
  acceptOwnership,
  declineOwnership,
  cancelOwnership,
  undoOwnership,
]
