// What happens to messages behind the requests: they are handed to carriers in batches, the carriers' answers, receipts and
// inbound messages are taken in, and what a carrier never spoke of again is settled.
import { setTimeout as sleep } from 'node:timers/promises'
import type { QueueMaker } from '../../../kernel/background.ts'
import { isoMs } from '../../../kernel/clock.ts'
import type { Db } from '../../../kernel/db.ts'
import type { Services } from '../../../kernel/endpoint.ts'
import { newId, timeOfId } from '../../../kernel/ids.ts'
import type { QueueOptions } from '../../../kernel/queue.ts'
import {
  type Carrier,
  type CarrierContext,
  type CarrierMaker,
  type InboundMessage,
  type Receipt,
  type Submission,
  type SubmitResult,
  submitQueue,
  submitTimeoutMs,
} from '../carrier.ts'
import { segmentsOf } from '../segments.ts'
import { createPace } from './pace.ts'
import { firstEventData, type MessageEvent, type MessageRow, movesOf, retryAfterMs } from './rules.ts'
import {
  type ClaimedRow,
  type Conclusion,
  claimMessages,
  concludeMessages,
  insertInbound,
  insertReceipts,
  intakeMeter,
  maxClaimed,
  maxJobMessages,
  settleRoutes,
} from './store.ts'

/** Longer than a carrier may take to answer: a lease that ended means that the process did. */
export const leaseMs = submitTimeoutMs + 20_000
/** A receipt without its message waits this long for the carrier's answer: longer than any lease. */
const parkMs = 2 * leaseMs
/** After the time for receipts, a late one still counts this long. */
const lateReceiptMs = 7 * 24 * 3_600_000

const claimMoves = movesOf('claimed', 'answer_lost', 'outlived')
const receiptMoves = movesOf('receipt_delivered', 'receipt_undelivered', 'receipt_expired')
const concludeMoves = [...movesOf('accepted', 'throttled', 'refused', 'answer_lost'), ...receiptMoves]
const settleMoves = [...movesOf('receipt_missing'), ...receiptMoves]

/** The queues of messages: for each carrier one that hands over and the carrier's own, and one that settles. */
export function messageQueues(carriers: readonly CarrierMaker[]): QueueMaker[] {
  const ofCarriers = carriers.flatMap(maker => [
    (services: Services) => submitLoop(maker, services),
    ...(maker.queues ?? []).map(makeQueue => (services: Services) => makeQueue(contextOf(maker.name, services))),
  ])
  return [...ofCarriers, settleLoop]
}

function contextOf(carrier: string, { db, log, clock, wake }: Services): CarrierContext {
  return {
    db,
    log,
    clock,
    wake,
    receiveReceipts: batch => receiveReceipts(db, carrier, batch),
    receiveInbound: batch => receiveInbound(db, carrier, batch),
  }
}

function submitLoop(maker: CarrierMaker, services: Services): QueueOptions<ClaimedRow> {
  const { db, clock } = services
  const carrier = maker.open(contextOf(maker.name, services))
  const pace = createPace(intakeMeter(db))
  return {
    name: submitQueue(maker.name),
    // Jobs are claimed whole: a claim with less room left than the largest one holds has found all there was.
    batch: maxClaimed - maxJobMessages,
    async claim(token) {
      await pace.turn()
      const rows = await claimMessages(db, maker.name, { token, leaseMs, moves: claimMoves })
      if (rows[0] !== undefined) pace.claimed(clock.now() - timeOfId(rows[0].id))
      return rows
    },
    async work(rows, token) {
      const results = await submit(carrier, rows, services)
      const conclusions = rows.map((row, index) => conclusionOf(row, results[index] as SubmitResult))
      await conclude(maker.name, carrier, conclusions, token, services)
    },
    closed: () => carrier.close(),
  }
}

async function submit(carrier: Carrier, rows: ClaimedRow[], { log }: Services): Promise<SubmitResult[]> {
  try {
    const results = await carrier.submit(rows.map(submissionOf))
    if (results.length === rows.length) return results
    log.error({ submitted: rows.length, answered: results.length }, 'a carrier must answer each submission')
  } catch (error) {
    log.error({ err: error, messages: rows.length }, 'submission failed; what became of its messages is unknown')
  }
  return rows.map(() => ({ outcome: 'unknown' }))
}

function submissionOf(row: ClaimedRow): Submission {
  return {
    tenantId: row.tenant_id,
    messageId: row.id,
    attempt: row.attempt,
    from: row.from_address,
    to: row.to_address,
    body: row.body,
    encoding: row.encoding,
    segments: row.segments,
    expiresAt: row.expires_at,
  }
}

function conclusionOf(row: ClaimedRow, result: SubmitResult): Conclusion {
  const conclusion = { tenantId: row.tenant_id, id: row.id, code: null, carrierMessageId: null, retryMs: null }
  switch (result.outcome) {
    case 'accepted':
      return { ...conclusion, event: 'accepted', carrierMessageId: result.carrierMessageId }
    case 'throttled':
      return {
        ...conclusion,
        event: 'throttled',
        code: result.code ?? 'carrier_throttled',
        retryMs: retryAfterMs(row.attempt, result.retryAfterMs),
      }
    case 'refused':
      return { ...conclusion, event: 'refused', code: result.code }
    case 'unknown':
      return { ...conclusion, event: 'answer_lost', code: 'submit_unconfirmed' }
  }
}

/** An answer is worth some patience: unwritten, its messages would end unconfirmed although the carrier has spoken. */
async function conclude(
  name: string,
  { receiptTimeoutMs }: Carrier,
  conclusions: Conclusion[],
  token: string,
  { db, log }: Services,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await concludeMessages(db, name, conclusions, { token, receiptTimeoutMs, moves: concludeMoves })
      return
    } catch (error) {
      if (attempt === 5) throw error
      log.warn(
        { err: error, carrier: name, messages: conclusions.length },
        'could not store the answers of a carrier; trying again',
      )
      await sleep(250 * 2 ** attempt)
    }
  }
}

/** Does its work while claiming: what is due is settled in one statement, and nothing is left to be done outside. */
function settleLoop({ db }: Services): QueueOptions<number> {
  return {
    name: 'message_routes',
    batch: 1,
    lanes: 1,
    pollMs: 1_000,
    async claim() {
      const due = await settleRoutes(db, { lateMs: lateReceiptMs, moves: settleMoves })
      return due === 0 ? [] : [due]
    },
    async work() {},
  }
}

const receiptEvents: Record<Receipt['status'], MessageEvent> = {
  delivered: 'receipt_delivered',
  undelivered: 'receipt_undelivered',
  expired: 'receipt_expired',
}

/**
 * Takes receipts of a carrier in; when this resolves they are durable and may be acknowledged. One that comes before the
 * carrier's answer waits for it; a repeated one, or one after the end, changes nothing.
 */
export async function receiveReceipts(db: Db, carrier: string, batch: readonly Receipt[]): Promise<void> {
  const first = new Map<string, Receipt>()
  for (const receipt of batch) {
    const key = `${receipt.tenantId} ${receipt.carrierMessageId}`
    if (!first.has(key)) first.set(key, receipt)
  }
  const receipts = [...first.values()].map(receipt => ({
    tenantId: receipt.tenantId,
    carrierMessageId: receipt.carrierMessageId,
    messageId: receipt.messageId ?? null,
    event: receiptEvents[receipt.status],
    code: receipt.code ?? null,
    at: receipt.at ?? null,
  }))
  for (let from = 0; from < receipts.length; from += maxClaimed)
    await insertReceipts(db, carrier, receipts.slice(from, from + maxClaimed), { parkMs, moves: receiptMoves })
}

/** Takes inbound messages of a carrier in; when this resolves they are durable. A repeated one (by `reference`) changes nothing. */
export async function receiveInbound(db: Db, carrier: string, batch: readonly InboundMessage[]): Promise<void> {
  if (batch.length === 0) return
  await insertInbound(
    db,
    carrier,
    batch.map(message => {
      const row = inboundRow(carrier, message)
      return { row, reference: message.reference, eventData: firstEventData(row) }
    }),
  )
}

function inboundRow(carrier: string, { tenantId, from, to, body }: InboundMessage): MessageRow {
  const id = newId('msg')
  const at = isoMs(timeOfId(id))
  const { encoding, segments } = segmentsOf(body)
  return {
    tenant_id: tenantId,
    id,
    direction: 'inbound',
    status: 'received',
    code: null,
    carrier,
    from_address: from,
    to_address: to,
    body,
    encoding,
    segments,
    attempts: 0,
    validity_seconds: null,
    callback_url: null,
    tags: null,
    metadata: null,
    created_at: at,
    sent_at: null,
    delivered_at: null,
    final_at: at,
  }
}
