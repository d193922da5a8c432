// What happens to messages behind the requests: they are handed to carriers in batches, the carriers' answers and receipts
// are taken in as they come, and what a carrier never spoke of again is settled.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueOptions } from '../../../kernel/jobs/queue.ts'
import type { Span, Tracer } from '../../../kernel/observe/tracing.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { timeOfId } from '../../../kernel/values/ids.ts'
import {
  type Carrier,
  type LateAnswer,
  type PartResult,
  type Receipt,
  type Submission,
  submitQueue,
  submitTimeoutMs,
} from '../carrier.ts'
import { intakeMeter } from './intake_store.ts'
import { createLostClaims } from './lost_claims.ts'
import { createPace } from './pace.ts'
import { insertKnownReceipts, insertReceipts, type NewReceipt, receiptMoves, settleRoutes } from './receipt_store.ts'
import { concludeMoves, createRecorder, type Recorder } from './recorder.ts'
import type { RouteMemory, SortedReceipts } from './route_memory.ts'
import { type MessageEvent, movesOf, outcomeOf, partsOf } from './rules.ts'
import {
  type ClaimedRow,
  type Conclusion,
  claimMessages,
  concludeMessages,
  maxClaimed,
  renewMessages,
} from './store.ts'

/** Longer than a carrier may take to answer: a lease that ended means that the process did. */
export const leaseMs = submitTimeoutMs + 20_000
/** A receipt without its message waits this long for the carrier's answer: longer than any lease. */
const parkMs = 2 * leaseMs
/** After the time for receipts, a late one still counts this long. */
const lateReceiptMs = 7 * 24 * 3_600_000
/** Answers that come one by one are gathered this long before they are written down. */
const gatherMs = 5

/** What claiming may do to messages. */
export const claimMoves = movesOf(
  'time_came',
  'claimed',
  'answer_lost',
  'asked_again',
  'outlived',
  'outlived_in_part',
  'refused_by_us',
  'accepted',
  'receipt_delivered',
  'receipt_undelivered',
  'receipt_expired',
)
const settleMoves = [...movesOf('receipt_missing'), ...receiptMoves]

export type SubmitOptions = {
  /** Batches handed over and not answered at once; for links the carrier's room is the bound. */
  maxBatches?: number
  /** Of a carrier whose receipts all come to this process. */
  routes?: RouteMemory
}

/**
 * The queue that claims messages of a carrier as it has room for them, hands them over, and writes its answers down as they
 * come. A batch that waits for its answers keeps no other from being claimed. Its end closes the carrier.
 */
export function submitQueueOf(
  name: string,
  carrier: Carrier,
  services: Services,
  { maxBatches = 1_000, routes }: SubmitOptions = {},
): QueueOptions<ClaimedRow> {
  const { db, clock, log, wake, testPace } = services
  const pace = createPace(intakeMeter(db))
  const record = createRecorder(name, carrier, { services, routes, leaseMs })
  const lost = createLostClaims(db, name, leaseMs)
  const underWay = new Set<Promise<void>>()
  let claiming = 0
  let sliceMs = 0
  const slice = () => (carrier.onlyTests === true ? testPace.slice() : undefined)
  const maxSegments = () => Math.min(maxClaimed, slice()?.records ?? maxClaimed)
  const room = () => (underWay.size >= maxBatches ? 0 : Math.min(maxSegments(), Math.floor(carrier.room()) - claiming))

  /** Resolves when it is time for the next slice of a test carrier. */
  async function spaced(): Promise<void> {
    const { everyMs } = slice() ?? { everyMs: 0 }
    const nowMs = performance.now()
    sliceMs = Math.max(nowMs, sliceMs + everyMs)
    if (sliceMs > nowMs) await sleep(sliceMs - nowMs)
  }

  return {
    name: submitQueue(name),
    // A claim that found anything is followed by another one.
    batch: 1,
    async claim(token) {
      await lost.giveBack()
      if (room() <= 0) return []
      await Promise.all([pace.wait(), spaced()])
      const limit = room()
      if (limit <= 0) return []
      claiming += limit
      try {
        const rows = await claimMessages(db, name, { token, limit, leaseMs, moves: claimMoves })
        if (rows[0] !== undefined) {
          crashPoint('claim.committed')
          if (carrier.onlyTests !== true) testPace.live()
          const segments = rows.reduce((sum, row) => sum + row.segments, 0)
          pace.claimed(clock.now() - timeOfId(rows[0].id), segments >= limit)
        }
        return rows
      } catch (error) {
        lost.failed(token, error)
        throw error
      } finally {
        claiming -= limit
      }
    },
    async work(rows, token) {
      const handover = handOver(carrier, rows, { token, record, routes, services })
        .catch(error => log.error({ err: error, carrier: name }, 'the answers of a batch could not be stored'))
        .finally(() => {
          underWay.delete(handover)
          // There was no room for another batch.
          if (underWay.size === maxBatches - 1) wake(submitQueue(name))
        })
      underWay.add(handover)
    },
    // What is not answered while it closes is settled by it.
    stopping: () => carrier.close(),
    async closed() {
      await carrier.close()
      await Promise.all(underWay)
      await lost.giveBack()
    },
  }
}

type Handover = { token: string; record: Recorder; routes: RouteMemory | undefined; services: Services }

/** One claimed batch, from the first byte to the last answer; the lease ends with the last one, and is renewed until then. */
async function handOver(
  carrier: Carrier,
  rows: readonly ClaimedRow[],
  { token, record, routes, services: { db, log, tracer } }: Handover,
): Promise<void> {
  const open = new Set(rows.keys())
  const spans = tracer.isOn ? rows.map(row => spanOf(row, tracer)) : []
  const written: Promise<void>[] = []
  let ready: Conclusion[] = []
  let timer: NodeJS.Timeout | undefined
  const write = async (isLast: boolean) => {
    const conclusions = ready
    ready = []
    try {
      await record({ conclusions, token, isLast })
    } catch (error) {
      routes?.fail(conclusions)
      throw error
    }
  }
  const flush = () => {
    timer = undefined
    if (ready.length === 0) return
    written.push(write(false))
    // Its failure is reported below, where all are waited for.
    written.at(-1)?.catch(() => {})
  }
  const settle = (index: number, results: readonly PartResult[], form?: string) => {
    if (!open.delete(index)) return
    endSpan(spans[index], results)
    const conclusion = { ...conclusionOf(rows[index] as ClaimedRow, results), form }
    routes?.hold(conclusion, carrier.receiptTimeoutMs)
    ready.push(conclusion)
    if (open.size > 0) timer ??= setTimeout(flush, gatherMs)
  }
  const renewal = setInterval(() => {
    renewMessages(db, token, leaseMs).catch(error => log.warn({ err: error }, 'a lease could not be renewed'))
  }, leaseMs / 3)
  try {
    const submitting = carrier.submit(rows.map(submissionOf), settle)
    setImmediate(crashPoint, 'submit.written')
    await submitting
    if (open.size > 0) log.error({ messages: open.size }, 'a carrier must answer each submission')
  } catch (error) {
    log.error({ err: error, messages: open.size }, 'submission failed; what became of its messages is unknown')
  } finally {
    clearInterval(renewal)
    clearTimeout(timer)
  }
  for (const index of [...open]) settle(index, unknownOf(rows[index] as ClaimedRow))
  clearTimeout(timer)
  // The lease may only end when all else is written: a batch that is cut off here is found by it.
  const failed = (await Promise.allSettled(written)).find(result => result.status === 'rejected')
  await write(failed === undefined)
  if (failed !== undefined) throw failed.reason
}

/** Handing a message over, within the trace in which it was accepted. */
function spanOf({ id, attempt, segments }: ClaimedRow, tracer: Tracer): Span {
  const attributes = { 'tandem.message_id': id, 'tandem.attempt': attempt, 'tandem.segments': segments }
  return tracer.begin('messages.submit', { kind: 'consumer', of: id, attributes })
}

function endSpan(span: Span | undefined, results: readonly PartResult[]): void {
  const outcome = results.find(part => part.outcome !== 'accepted')?.outcome ?? 'accepted'
  span?.set({ 'tandem.outcome': outcome })
  if (outcome !== 'accepted') span?.fail(outcome)
  span?.end()
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
    parts: partsOf(row),
    reference: row.reference ?? 0,
    form: row.form,
    expiresAt: row.expires_at,
  }
}

function unknownOf(row: ClaimedRow): PartResult[] {
  return partsOf(row).map(part => ({ part, outcome: 'unknown' }))
}

function conclusionOf(row: ClaimedRow, results: readonly PartResult[]): Conclusion {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    attempt: row.attempt,
    segments: row.segments,
    ...outcomeOf(results, { attempt: row.attempt, resend: row.resend }),
    parts: results,
  }
}

/** Queue `message_routes`. Does its work while claiming: what is due is settled in one statement, and nothing is left to be done outside. */
export function settleRoutesQueue({ db }: Services): QueueOptions<number> {
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
export async function receiveReceipts(
  db: Db,
  carrier: string,
  batch: readonly Receipt[],
  routes?: RouteMemory,
): Promise<void> {
  const first = new Map<string, Receipt>()
  for (const receipt of batch) {
    const key = `${receipt.tenantId} ${receipt.carrierMessageId}`
    if (!first.has(key)) first.set(key, receipt)
  }
  const receipts = [...first.values()]
  const store = (sorted: SortedReceipts) => storeReceipts(db, carrier, sorted)
  await (routes === undefined ? store({ known: [], others: receipts }) : routes.receive(receipts, store))
}

async function storeReceipts(db: Db, carrier: string, { known, others }: SortedReceipts): Promise<void> {
  for (let from = 0; from < known.length; from += maxClaimed) {
    const some = known.slice(from, from + maxClaimed)
    await insertKnownReceipts(
      db,
      some.map(({ receipt, route }) => ({
        ...writtenReceipt(receipt),
        messageId: route.messageId,
        attempt: route.attempt,
      })),
    )
  }
  for (let from = 0; from < others.length; from += maxClaimed)
    await insertReceipts(db, carrier, others.slice(from, from + maxClaimed).map(writtenReceipt), { parkMs })
}

function writtenReceipt(receipt: Receipt): NewReceipt {
  return {
    tenantId: receipt.tenantId,
    carrierMessageId: receipt.carrierMessageId,
    messageId: receipt.messageId ?? null,
    event: receiptEvents[receipt.status],
    code: receipt.code ?? null,
    carrierCode: receipt.carrierCode ?? null,
    at: receipt.at ?? null,
    from: receipt.from ?? null,
    to: receipt.to ?? null,
  }
}

/** Takes answers in that come after their submission was given up. Only an acceptance changes anything. */
export async function receiveLateAnswers(db: Db, carrier: string, batch: readonly LateAnswer[]): Promise<void> {
  const conclusions = batch
    .filter(({ result }) => result.outcome === 'accepted')
    .map(
      ({ tenantId, messageId, attempt, segments, result }): Conclusion => ({
        tenantId,
        id: messageId,
        attempt,
        segments,
        // Of a message of several parts the others may be unknown still: its receipts decide.
        event: segments === 1 ? 'accepted' : null,
        code: null,
        retryMs: null,
        parts: [result],
      }),
    )
  if (conclusions.length === 0) return
  const receiptTimeoutMs = 72 * 3_600_000
  await concludeMessages(db, carrier, conclusions, { tokens: [], receiptTimeoutMs, moves: concludeMoves })
}
