// Takes messages in within what may be spent a day. Only where a destination policy has such a ceiling is anything asked or counted;
// else they go straight to the store.

import type { Db, Scope, Tx } from '../../../kernel/db.ts'
import type { Replay } from '../../../kernel/idempotency.ts'
import { type CeilingRefusal, takeSpend, takeSpendIn } from '../../destinations/index.ts'
import { insertMessage, insertMessagesIn, type NewMessage, type Refusal } from './store.ts'

/** Why a message is not taken in: because of other messages, or of what was spent. */
export type IntakeRefusal = Refusal | { refusal: 'daily_spend_exceeded'; by: CeilingRefusal }

const priceOf = ({ row }: NewMessage) => ({ micros: row.price_micros, currency: row.currency })
const returned = ({ row }: NewMessage) => ({ micros: -(row.price_micros ?? 0), currency: row.currency })

/**
 * Takes a message in, as `insertMessage` does. What it costs is counted before: a crash in between leaves it counted, never the
 * other way round.
 * @param findBefore what the request was answered before: a repeat is answered as it was, whatever was spent since
 * @throws Problem `idempotency_mismatch`
 */
export async function takeMessage(
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
  const taken = await insertMessage(db, message)
  if (taken !== undefined) await takeSpend(db, scope, limits, [returned(message)], nowMs)
  return taken
}

/** The same for many of one tenant, within a transaction. */
export async function takeMessagesIn(
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
