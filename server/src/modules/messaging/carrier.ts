// The port to anyone who carries messages: what messaging asks of a carrier, and what a carrier reports back. A carrier
// knows nothing of statuses, tenants' rows or events; messaging knows nothing of protocols.
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { QueueOptions } from '../../kernel/jobs/queue.ts'
import type { ProblemCode } from '../../kernel/values/problem.ts'
import type { Encoding } from './segments.ts'

/** One message to hand over. `messageId` and `attempt` together name this submission and no other. */
export type Submission = {
  tenantId: number
  messageId: string
  /** 1 for the first. Another follows only where a part was certainly not taken, or the sender asked for it. */
  attempt: number
  /** E.164, a short code, or an alphanumeric sender id. */
  from: string
  /** E.164. */
  to: string
  /** The whole text; a message of several segments is split as `segmentsOf` counts it. */
  body: string
  encoding: Encoding
  /** How many segments the message has. */
  segments: number
  /** Which of them are to be handed over, from 1: all at first, later those that were not taken. */
  parts: readonly number[]
  /** 0 to 65535, the same in every attempt: joins the parts at the recipient. */
  reference: number
  /** How the parts that were taken before were sent, as the carrier said with its results: the others join no other form. */
  form?: string | undefined
  /** ISO 8601; a carrier passes on what is left of it as the validity period. */
  expiresAt: string
}

/**
 * What became of one part of a submission.
 * - `accepted`: the carrier has it, under its id
 * - `throttled`: certainly not taken, may be tried again (also: no link was up, nothing was written)
 * - `refused`: certainly not taken, trying again cannot help
 * - `unknown`: written, but no answer came; it is not sent again unless the sender asked for that
 */
export type PartResult = { part: number } & (
  | { outcome: 'accepted'; carrierMessageId: string }
  | { outcome: 'throttled'; code?: ThrottleCode; carrierCode?: string; retryAfterMs?: number }
  | { outcome: 'refused'; code: ProblemCode; carrierCode?: string }
  | { outcome: 'unknown' }
)

/** Why a carrier took nothing for the moment. */
export type ThrottleCode = 'carrier_throttled' | 'carrier_queue_full' | 'carrier_link_down'

/** The final word on an accepted part. States between (en route, accepted) are not reported. */
export type Receipt = {
  tenantId: number
  carrierMessageId: string
  status: 'delivered' | 'undelivered' | 'expired'
  code?: ProblemCode
  /** The carrier's own code, kept for support. */
  carrierCode?: string
  /** When it happened, ISO 8601, by the carrier's clock. */
  at?: string
  /** Our own id, where the carrier repeats it: then the receipt counts even if the answer to the submission was lost. */
  messageId?: string
  /** Sender and recipient of the message it is about, where the carrier repeats them: they serve like `messageId`. */
  from?: string
  to?: string
}

/** The answer to a part that was given up as unknown, come after all. */
export type LateAnswer = Pick<Submission, 'tenantId' | 'messageId' | 'attempt' | 'segments'> & { result: PartResult }

/** A message from outside to one of our senders, or one part of it. */
export type InboundMessage = {
  tenantId: number
  /** The carrier's id of it, unique for the carrier: repeated, it is known. */
  reference: string
  from: string
  to: string
  body: string
  /** How it travelled; found from the text when not said. */
  encoding?: Encoding
  /** What joins the parts of a long message. */
  part?: { reference: number; part: number; total: number }
}

/** What a carrier gets to work with. */
export type CarrierContext = Pick<Services, 'db' | 'log' | 'clock' | 'wake' | 'testPace'> & {
  /** Stores receipts; acknowledge them to the carrier only when this has resolved. Repeating is harmless. */
  receiveReceipts(batch: readonly Receipt[]): Promise<void>
  /** Stores inbound messages, likewise. */
  receiveInbound(batch: readonly InboundMessage[]): Promise<void>
  /** Stores answers that came too late, likewise. */
  receiveLateAnswers(batch: readonly LateAnswer[]): Promise<void>
}

/**
 * Reports what became of the submission at `index` of the batch, one result for each of its parts; with several parts also the
 * form in which they were sent, which a later attempt gets back.
 */
export type Settle = (index: number, results: readonly PartResult[], form?: string) => void

/** An open carrier. */
export type Carrier = {
  /** After this long without a receipt, an accepted message is unconfirmed. */
  receiptTimeoutMs: number
  /** It carries the test mode and nothing else: beside live mode it gets little at a time. */
  onlyTests?: boolean
  /**
   * Segments that it would begin to write in a moment; 0 while it can take none (no link, window full, throttled). No more
   * than keeps it busy: what was handed over and not answered when the process dies is in doubt. When it changes from 0 it
   * wakes its queue.
   */
  room(): number
  /**
   * Hands messages over. Calls `settle` once for each submission as soon as its outcome is known, in any order, and
   * resolves when all are settled, within `submitTimeoutMs`. What is not settled when it rejects is unknown. No
   * transaction is open, and nothing is submitted twice.
   */
  submit(batch: readonly Submission[], settle: Settle): Promise<void>
  /** Ends links and timers. Submissions under way are answered first. */
  close(): Promise<void>
}

/** A carrier has this long to answer; the lease of a batch is longer. */
export const submitTimeoutMs = 40_000

/** A carrier that is part of the server and serves every tenant that has none of its own. */
export type CarrierMaker = {
  /** snake_case; stands in every message it carries. */
  name: string
  open(context: CarrierContext): Carrier
  /** Loops of its own over durable rows, run where the workers run. */
  // biome-ignore lint/suspicious/noExplicitAny: queues of every row type stand in one list
  queues?: readonly ((context: CarrierContext) => QueueOptions<any>)[]
}

/** Stands in the place of a carrier while nobody carries a message. */
export const noCarrier = 'none'

/** Where messages wait that nobody hands over: of no carrier, or of one that is gone or has no link. */
export const strandedQueue = 'stranded_messages'

/** The queue whose rows are messages waiting for this carrier. */
export function submitQueue(carrier: string): string {
  return carrier === noCarrier ? strandedQueue : `messages_${carrier}`
}
