// For tests of what becomes of a message: the steps of messages.ts, named by the event that a carrier's answer or receipt is.
import type { PartResult, Receipt } from '../src/modules/messaging/carrier.ts'
import { receiveReceipts } from '../src/modules/messaging/sms/jobs.ts'
import { type MessageEvent, movesOf, partsOf } from '../src/modules/messaging/sms/rules.ts'
import { type ClaimedRow, concludeMessages, maxClaimed } from '../src/modules/messaging/sms/store.ts'
import { startSteps } from './messages.ts'

export const carrier = 'simulator'

const allMoves = movesOf(
  ...([
    'accepted',
    'throttled',
    'refused',
    'answer_lost',
    'asked_again',
    'receipt_delivered',
    'receipt_undelivered',
    'receipt_expired',
    'receipt_missing',
  ] as const),
)

/** The carrier's id of a part. */
const carrierIdOf = (id: string, part = 1) => (part === 1 ? `c_${id}` : `c_${id}_${part}`)

function resultOf(row: ClaimedRow, part: number, event: MessageEvent): PartResult {
  switch (event) {
    case 'accepted':
      return { part, outcome: 'accepted', carrierMessageId: carrierIdOf(row.id, part) }
    case 'refused':
      return { part, outcome: 'refused', code: 'unknown_subscriber' }
    case 'throttled':
      return { part, outcome: 'throttled' }
    default:
      return { part, outcome: 'unknown' }
  }
}

/** What a file of tests begins with, as with `startSteps`: in the test mode, each test with nothing waiting. */
export async function startEvents() {
  const { t, s } = await startSteps()
  const { db, tenantId, settle } = s
  const send = (body = 'Hello', more: object = {}) => s.send({ body, ...more })
  const claim = (token: string, leaseMs = 60_000) => s.claim(token, { limit: maxClaimed, leaseMs })

  function conclude(
    token: string,
    rows: ClaimedRow[],
    event: MessageEvent,
    retryMs: number | null = null,
    receiptTimeoutMs = 60_000,
    on = db,
  ) {
    const conclusions = rows.map(row => ({
      tenantId: row.tenant_id,
      id: row.id,
      attempt: row.attempt,
      segments: row.segments,
      event,
      code: null,
      retryMs,
      parts: partsOf(row).map(part => resultOf(row, part, event)),
    }))
    return concludeMessages(on, carrier, conclusions, { tokens: [token], receiptTimeoutMs, moves: allMoves })
  }

  const receipt = (id: string, more: Partial<Receipt> = {}): Receipt => ({
    tenantId,
    carrierMessageId: carrierIdOf(id),
    status: 'delivered',
    ...more,
  })
  const receive = (...receipts: Receipt[]) => receiveReceipts(db, carrier, receipts)
  return { t, db, tenantId, send, read: s.read, claim, conclude, receipt, receive, settle }
}
