// Accepts messages within what may be spent a day: stores them, and counts what they cost where a destination policy has a ceiling.
// Elsewhere nothing is asked or counted.

import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import type { Replay } from '../../../kernel/data/idempotency.ts'
import { type CeilingRefusal, takeSpend, takeSpendIn } from '../../destinations/index.ts'
import { insertMessage, insertMessagesIn, type NewMessage, type Refusal } from './intake_store.ts'

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
  const outcome = await insertMessage(db, message)
  if (outcome !== undefined) await takeSpend(db, scope, limits, [returned(message)], nowMs)
  return outcome
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
  const refusals = await insertMessagesIn(tx, within)
  const back = within.filter((_, index) => refusals[index] !== undefined)
  if (back.length > 0) await takeSpendIn(tx, scope, limits, back.map(returned), nowMs)
  const of = new Map(within.map((message, index) => [message, refusals[index]]))
  return batch.map((message, index) => {
    const by = over.get(index)
    return by === undefined ? of.get(message) : { refusal: 'daily_spend_exceeded', by }
  })
}
