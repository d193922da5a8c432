// The port to whoever carries messages: what messaging asks of a carrier, and what a carrier tells messaging. A carrier
// knows nothing of statuses, tenants' rows or events; messaging knows nothing of protocols.
import type { TObject } from 'typebox'
import type { Services } from '../../kernel/endpoint.ts'
import type { ProblemCode } from '../../kernel/problem.ts'
import type { QueueOptions } from '../../kernel/queue.ts'
import type { Encoding } from './segments.ts'

/** One message to hand over. The pair of `messageId` and `attempt` names this submission and no other. */
export type Submission = {
  tenantId: number
  messageId: string
  /** 1 for the first. Only a submission answered `throttled` is followed by another. */
  attempt: number
  /** E.164, a short code, or an alphanumeric sender id. */
  from: string
  /** E.164. */
  to: string
  body: string
  encoding: Encoding
  segments: number
  /** ISO 8601; a carrier passes on what is left of it as the validity period. */
  expiresAt: string
}

/**
 * What became of a submission.
 * - `accepted`: the carrier has it, under its id
 * - `throttled`: certainly not taken, may be tried again (also: no link was up, nothing was written)
 * - `refused`: certainly not taken, trying again cannot help
 * - `unknown`: written, but no answer came; it will not be sent again
 */
export type SubmitResult =
  | { outcome: 'accepted'; carrierMessageId: string }
  | { outcome: 'throttled'; code?: 'carrier_throttled' | 'carrier_link_down'; retryAfterMs?: number }
  | { outcome: 'refused'; code: ProblemCode }
  | { outcome: 'unknown' }

/** The final word on an accepted message. States between (en route, accepted) are not told. */
export type Receipt = {
  tenantId: number
  carrierMessageId: string
  status: 'delivered' | 'undelivered' | 'expired'
  code?: ProblemCode
  /** When it happened, ISO 8601, by the carrier's clock. */
  at?: string
  /** Our own id, where the carrier repeats it: then the receipt counts even if the answer to the submission was lost. */
  messageId?: string
}

/** A message from outside to one of our senders. */
export type InboundMessage = {
  tenantId: number
  /** The carrier's id of it: repeated, it is known. */
  reference: string
  from: string
  to: string
  body: string
}

/** What a carrier gets to work with. */
export type CarrierContext = Pick<Services, 'db' | 'log' | 'clock' | 'wake'> & {
  /** Stores receipts; acknowledge them to the carrier only when this has resolved. Repeating is harmless. */
  receiveReceipts(batch: readonly Receipt[]): Promise<void>
  /** Stores inbound messages, likewise. */
  receiveInbound(batch: readonly InboundMessage[]): Promise<void>
}

/** An open carrier. */
export type Carrier = {
  /** After this long without a receipt, an accepted message is unconfirmed. */
  receiptTimeoutMs: number
  /**
   * Hands messages over; one result for each, in their order, within `submitTimeoutMs` at the latest. Throwing means that
   * nothing is known of any of them. No transaction is open, and nothing is submitted twice.
   */
  submit(batch: readonly Submission[]): Promise<SubmitResult[]>
  /** Ends links and timers. Submissions under way are answered first. */
  close(): Promise<void>
}

/** A carrier has this long to answer; the lease of a batch is longer. */
export const submitTimeoutMs = 40_000

/** A kind of carrier, as the catalog lists it. */
export type CarrierMaker = {
  /** snake_case; stands in every message it carries. */
  name: string
  /** What an operator may set; the portal draws its form from it. */
  settings: TObject
  open(context: CarrierContext): Carrier
  /** Loops of its own over durable rows, run where the workers run. */
  // biome-ignore lint/suspicious/noExplicitAny: queues of every row type stand in one list
  queues?: readonly ((context: CarrierContext) => QueueOptions<any>)[]
}

/** The queue whose rows are messages waiting for this carrier. */
export function submitQueue(carrier: string): string {
  return `messages_${carrier}`
}
