// Accepts messages within what may be spent a day: stores them, and counts what they cost where a destination policy has a ceiling.
// Elsewhere nothing is asked or counted.

import type { Principal } from '../../../kernel/access/principal.ts'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import type { Replay } from '../../../kernel/data/idempotency.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import {
  type CeilingRefusal,
  lockTextSpend,
  type Policy,
  policiesFor,
  takeSpend,
  takeSpendIn,
} from '../../destinations/index.ts'
import type { Directory } from '../directory.ts'
import { insertMessage, insertMessagesIn, type NewMessage, type Refusal } from './intake_store.ts'
import { findMessage, type MessageInFull } from './read_store.ts'
import { movesOf } from './rules.ts'
import { cancelMessage, findSpendKey } from './store.ts'

/** Why a valid message is not accepted: because of other messages, or of what was spent. */
export type IntakeRefusal = Refusal | { refusal: 'daily_spend_exceeded'; by: CeilingRefusal }

const priceOf = ({ row }: NewMessage) => ({ micros: row.price_micros, currency: row.currency })
const returned = ({ row }: NewMessage) => ({ micros: -(row.price_micros ?? 0), currency: row.currency })

/**
 * Accepts a message, as `insertMessage` does. What it costs is counted before: a crash in between leaves it counted, never the
 * other way round.
 * @param findBefore what the request was answered before: a repeat is answered as it was, whatever was spent since
 * @throws Problem `idempotency_mismatch`
 */
export async function acceptMessage(
  db: Db,
  message: NewMessage,
  nowMs: number,
  findBefore: () => Promise<Replay | undefined> = async () => undefined,
): Promise<Replay | IntakeRefusal | undefined> {
  const { limits, row } = message
  if (limits === undefined) return insertMessage(db, message)
  const scope = { tenantId: row.tenant_id }
  const by = (await takeSpend(db, scope, limits, [priceOf(message)], nowMs)).get(0)
  if (by !== undefined) return (await findBefore()) ?? { refusal: 'daily_spend_exceeded', by }
  const giveBack = () => takeSpend(db, scope, limits, [returned(message)], nowMs)
  try {
    const outcome = await insertMessage(db, message)
    if (outcome !== undefined) await giveBack()
    return outcome
  } catch (error) {
    // Nothing was stored. Behind any other error it may have been, and stays counted.
    if (error instanceof Problem && error.code === 'idempotency_mismatch') await giveBack()
    throw error
  }
}

/** Those with a ceiling for what is spent. */
export function spendLimits(policies: readonly Policy[]): Policy[] {
  return policies.filter(policy => policy.daily_spend !== null)
}

/** The policies with a ceiling that what an organization sends is under; with those of the API key whose own ceiling counted it. */
export function ceilingsOf({ policies }: Pick<Directory, 'policies'>, keyId: string | null): Policy[] {
  return spendLimits(policiesFor(policies, { mode: 'live', keyId }))
}

type Price = { tenant_id: number; price_micros: number | null; currency: string | null; counted_today: boolean }

/**
 * Counts what a message costs by another carrier in place of what was counted for it: what it costs more, where that was on another day.
 * @returns false where a ceiling does not allow that: then nothing is changed
 */
export async function recountPrice(
  db: Db,
  { tenant_id: tenantId, price_micros: before, currency, counted_today: isOfToday }: Price,
  way: { priceMicros: number | null; currency: string | null },
  limits: readonly Policy[],
  nowMs: number,
): Promise<boolean> {
  const take = async (micros: number, of: string | null) =>
    micros === 0 || (await takeSpend(db, { tenantId }, limits, [{ micros, currency: of }], nowMs)).size === 0
  const now = way.priceMicros ?? 0
  const more = now - (before ?? 0)
  if (currency === way.currency) return take(isOfToday ? more : Math.max(0, more), currency)
  if (!(await take(now, way.currency))) return false
  if (isOfToday) await take(-(before ?? 0), currency)
  return true
}

/** The same for many of one tenant, within a transaction. */
export async function acceptMessagesIn(
  tx: Tx,
  scope: Pick<Scope, 'tenantId'>,
  batch: readonly NewMessage[],
  nowMs: number,
): Promise<(IntakeRefusal | undefined)[]> {
  const limits = batch.find(message => message.limits !== undefined)?.limits
  if (limits === undefined) return insertMessagesIn(tx, batch)
  const over = await takeSpendIn(tx, scope, limits, batch.map(priceOf), nowMs)
  const within = batch.filter((_, index) => !over.has(index))
  // By the same ceilings: each remembers the key that counted it.
  const refusals = await insertMessagesIn(
    tx,
    within.map(message => ({ ...message, limits })),
  )
  const back = within.filter((_, index) => refusals[index] !== undefined)
  if (back.length > 0) await takeSpendIn(tx, scope, limits, back.map(returned), nowMs)
  const of = new Map(within.map((message, index) => [message, refusals[index]]))
  return batch.map((message, index) => {
    const by = over.get(index)
    return by === undefined ? of.get(message) : { refusal: 'daily_spend_exceeded', by }
  })
}

/** Takes a message back that no carrier has, and gives back what was counted for it today; the message, and whether it moved. */
export async function takeBack(
  tx: Tx,
  principal: Principal,
  id: string,
  nowMs: number,
): Promise<{ isCanceled: boolean; message: MessageInFull | undefined }> {
  const keyId = await findSpendKey(tx, principal, id)
  const giveBack = await lockTextSpend(tx, principal, { timeZone: principal.settings.timeZone, nowMs, keyId })
  const isCanceled = await cancelMessage(tx, principal, id, movesOf('canceled'))
  const message = await findMessage(tx, principal, id)
  if (isCanceled && message !== undefined) {
    const { price_micros: micros, currency, created_at } = message
    await giveBack({ micros, currency, acceptedMs: Date.parse(created_at) })
  }
  return { isCanceled, message }
}
