// SQL of receipts, and of the routes by which they find their messages: which part of which message a carrier's id stands for.
import type { Db } from '../../../kernel/data/db.ts'
import { functionCall } from '../../../kernel/data/function_call.ts'
import { plainColumn, sparseColumn, textArray, textColumn } from '../../../kernel/data/pg_array.ts'
import { type MessageEvent, type Moves, movesOf } from './rules.ts'
import { moveColumns, noEventIds } from './store.ts'

/** What receipts may do to messages. */
export const receiptMoves = movesOf('receipt_delivered', 'receipt_undelivered', 'receipt_expired')

/** Key of a carrier's id, as write_answers makes it. */
function routeOf(carrier: string, carrierMessageId: string): string {
  return `${carrier}:${carrierMessageId}`
}

export type NewReceipt = {
  tenantId: number
  carrierMessageId: string
  messageId: string | null
  event: MessageEvent
  code: string | null
  carrierCode: string | null
  at: string | null
  from: string | null
  to: string | null
}

const receiveText = functionCall('receive_receipts', 14)

/** Takes receipts in; the number of messages that moved. At most one receipt for each carrier id. */
export async function insertReceipts(
  db: Db,
  carrier: string,
  batch: readonly NewReceipt[],
  { parkMs }: { parkMs: number },
): Promise<number> {
  const rows = await db.work<{ receive_receipts: number }>('receive_receipts', receiveText, [
    plainColumn(batch, item => item.tenantId),
    textColumn(batch, item => routeOf(carrier, item.carrierMessageId)),
    textColumn(batch, item => item.messageId),
    textColumn(batch, item => item.event),
    textColumn(batch, item => item.code),
    textColumn(batch, item => item.carrierCode),
    plainColumn(batch, item => item.at),
    textColumn(batch, item => item.from),
    textColumn(batch, item => item.to),
    parkMs / 1000,
    noEventIds,
    ...moveColumns(receiptMoves),
  ])
  return rows[0]!.receive_receipts
}

const receiveKnownText = functionCall('receive_known_receipts', 10)

export type KnownReceipt = Pick<NewReceipt, 'tenantId' | 'event' | 'code' | 'carrierCode' | 'at'> & {
  messageId: string
  /** To which its answer was. */
  attempt: number
}

/** Takes receipts of messages of one part in; the number of messages that moved. At most one receipt for each message. */
export async function insertKnownReceipts(db: Db, batch: readonly KnownReceipt[]): Promise<number> {
  const rows = await db.work<{ receive_known_receipts: number }>('receive_known_receipts', receiveKnownText, [
    plainColumn(batch, item => item.tenantId),
    textColumn(batch, item => item.messageId),
    plainColumn(batch, item => item.attempt),
    textColumn(batch, item => item.event),
    sparseColumn(batch, item => item.code, textArray),
    textColumn(batch, item => item.carrierCode),
    plainColumn(batch, item => item.at),
    ...moveColumns(receiptMoves),
  ])
  return rows[0]!.receive_known_receipts
}

/** Which message of one part a carrier's id stands for. */
export type Route = {
  carrierMessageId: string
  messageId: string
  /** When its receipt is overdue, by `performance.now()`. */
  dueMs: number
}

type Holder = { tenantId: number; carrier: string }

type GiveOptions = Holder & {
  nowMs: number
  receiptTimeoutMs: number
  /** Since when others are held: a moment that this returned; null leaves the mark as it is, `infinity` takes it away. */
  heldSince: string | null
}

const giveText = functionCall('give_routes', 11)

/** Stores routes that were held in memory; the moment before which no answer was written that the caller has not heard of. */
export async function giveRoutes(db: Db, routes: readonly Route[], options: GiveOptions): Promise<string> {
  const { tenantId, carrier, nowMs, receiptTimeoutMs, heldSince } = options
  const rows = await db.work<{ give_routes: string }>('give_routes', giveText, [
    tenantId,
    carrier,
    textColumn(routes, route => route.messageId),
    plainColumn(routes, () => 1),
    textColumn(routes, route => route.carrierMessageId),
    plainColumn(routes, route => Math.max(0, route.dueMs - nowMs) / 1000),
    heldSince,
    receiptTimeoutMs / 1000,
    ...moveColumns(receiptMoves),
  ])
  return rows[0]!.give_routes
}

const recoverText = functionCall('recover_routes', 7)

/**
 * Stores the routes that another process held when it ended, by the log of events; whether it had left a mark.
 * @param page how many rows of the log one statement reads: a busy carrier has too many for one
 */
export async function recoverRoutes(db: Db, { tenantId, carrier }: Holder, page = 200): Promise<boolean> {
  for (let behind: string | null = ''; ; ) {
    const rows: { recover_routes: string | null }[] = await db.work('recover_routes', recoverText, [
      tenantId,
      carrier,
      behind,
      page,
      ...moveColumns(receiptMoves),
    ])
    behind = rows[0]!.recover_routes
    if (behind === null || behind === '') return behind !== null
  }
}

const maxRoutes = 200
const settleText = functionCall('settle_message_routes', 6)

/** Looks after carrier ids whose receipt is overdue; how many there were, at most 200. */
export async function settleRoutes(db: Db, { lateMs, moves }: { lateMs: number; moves: Moves }): Promise<number> {
  const rows = await db.work<{ settle_message_routes: number }>('settle_message_routes', settleText, [
    maxRoutes,
    lateMs / 1000,
    noEventIds,
    ...moveColumns(moves),
  ])
  return rows[0]!.settle_message_routes
}
