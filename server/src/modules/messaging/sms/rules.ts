// What may happen to a message, how it is shown, and what the numbers of the test mode with fixed outcomes answer.

import { microsText } from '../../../kernel/values/money.ts'
import { isSimulatorNumber } from '../../../kernel/values/phone.ts'
import type { ProblemCode } from '../../../kernel/values/problem.ts'
import { move, type Table } from '../../../kernel/values/states.ts'
import type { PartResult } from '../carrier.ts'
import type { Encoding } from '../segments.ts'

export const messageStatuses = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'expired',
  'failed',
  'canceled',
  'unconfirmed',
  'received',
] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Of one part, in its newest attempt. The last three are final. */
export const segmentStates = [
  'submitting',
  'accepted',
  'throttled',
  'refused',
  'unknown',
  'delivered',
  'undelivered',
  'expired',
] as const
export type SegmentState = (typeof segmentStates)[number]

export const directions = ['outbound', 'inbound'] as const
export type Direction = (typeof directions)[number]

/** The statuses a message may begin in: one sent, one to be sent later, one that came in. */
export const initialStatuses: readonly MessageStatus[] = ['queued', 'scheduled', 'received']

/** Nothing leads out of these. `unconfirmed` is not among them: a late answer or receipt of the carrier still counts. */
export const finalStatuses: readonly MessageStatus[] = [
  'delivered',
  'undelivered',
  'expired',
  'failed',
  'canceled',
  'received',
]

export type MessageEvent =
  | 'time_came'
  | 'canceled'
  | 'outlived'
  | 'outlived_in_part'
  | 'refused_by_us'
  | 'claimed'
  | 'throttled'
  | 'accepted'
  | 'refused'
  | 'answer_lost'
  | 'asked_again'
  | 'receipt_delivered'
  | 'receipt_undelivered'
  | 'receipt_expired'
  | 'receipt_missing'

/**
 * Sending and delivery. What was handed to a carrier without an answer is `unconfirmed` and not sent again, unless its
 * service asks for that; only the carrier's own word (a late answer, a receipt) leads out of `unconfirmed`.
 */
export const messageTable: Table<MessageStatus, MessageEvent> = {
  time_came: { from: ['scheduled'], to: 'queued' },
  canceled: { from: ['scheduled', 'queued'], to: 'canceled' },
  outlived: { from: ['queued', 'scheduled'], to: 'expired' },
  // A carrier has a part of it, or may have.
  outlived_in_part: { from: ['queued'], to: 'unconfirmed' },
  refused_by_us: { from: ['queued', 'scheduled'], to: 'failed' },
  claimed: { from: ['queued'], to: 'sending' },
  throttled: { from: ['sending'], to: 'queued' },
  accepted: { from: ['sending', 'unconfirmed'], to: 'sent' },
  refused: { from: ['sending'], to: 'failed' },
  answer_lost: { from: ['sending'], to: 'unconfirmed' },
  asked_again: { from: ['sending'], to: 'queued' },
  receipt_delivered: { from: ['sent', 'unconfirmed'], to: 'delivered' },
  receipt_undelivered: { from: ['sent', 'unconfirmed'], to: 'undelivered' },
  receipt_expired: { from: ['sent', 'unconfirmed'], to: 'expired' },
  receipt_missing: { from: ['sent'], to: 'unconfirmed' },
}

/** The status after an event, or undefined when the event does not apply: a repeated receipt, a receipt after the end. */
export function nextMessage(status: MessageStatus, event: MessageEvent): MessageStatus | undefined {
  return move(messageTable, status, event)
}

/** Moves as the database takes them, since it must compare and set many at once: event, status left, status entered. */
export type Moves = readonly (readonly [event: MessageEvent, from: MessageStatus, to: MessageStatus])[]

/** The part of the table that some events need. */
export function movesOf(...events: MessageEvent[]): Moves {
  return events.flatMap(event => messageTable[event].from.map(from => [event, from, messageTable[event].to] as const))
}

/** Validity of a message that names none, in seconds. */
export const defaultValiditySeconds = 4 * 3_600

/** A message as it is stored. */
export type MessageRow = {
  tenant_id: number
  id: string
  direction: Direction
  status: MessageStatus
  code: string | null
  carrier: string
  from_address: string
  to_address: string
  body: string
  encoding: Encoding
  segments: number
  attempts: number
  validity_seconds: number | null
  callback_url: string | null
  tags: string[] | null
  metadata: Record<string, string> | null
  created_at: string
  sent_at: string | null
  delivered_at: string | null
  final_at: string | null
  service_id: string | null
  send_at: string | null
  segments_delivered: number
  /** What all its segments cost by the route it took, in millionths of the currency. */
  price_micros: number | null
  currency: string | null
  partial: boolean
  redacted_at: string | null
}

/** A message as the API and its events show it. */
export function presentMessage(row: MessageRow) {
  return {
    messageId: row.id,
    direction: row.direction,
    from: row.from_address,
    to: row.to_address,
    body: row.body,
    status: row.status,
    code: row.code,
    encoding: row.encoding,
    segments: row.segments,
    segmentsDelivered: row.segments_delivered,
    attempts: row.attempts,
    carrier: row.carrier,
    serviceId: row.service_id,
    // The carrier is paid for what it took.
    price: row.sent_at === null || row.price_micros === null ? null : microsText(row.price_micros),
    currency: row.sent_at === null || row.price_micros === null ? null : row.currency,
    callbackUrl: row.callback_url,
    tags: row.tags ?? [],
    metadata: row.metadata ?? {},
    validityPeriod: row.validity_seconds,
    partial: row.partial,
    createdAt: row.created_at,
    sendAt: row.send_at,
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    finalAt: row.final_at,
    redactedAt: row.redacted_at,
  }
}

/** The data of a message's first event. */
export function firstEventData(row: MessageRow): string {
  return JSON.stringify({ ...presentMessage(row), previousStatus: null })
}

// What is refused at once. Most hold for the number as sender and as recipient, so that either side can be tried.
const refusedNumbers: Record<string, { sender?: ProblemCode; recipient?: ProblemCode }> = {
  '0001': { sender: 'invalid_from_number', recipient: 'invalid_to_number' },
  '0002': { sender: 'no_route', recipient: 'no_route' },
  '0003': { sender: 'destination_not_allowed', recipient: 'destination_not_allowed' },
  '0004': { sender: 'recipient_opted_out', recipient: 'recipient_opted_out' },
  '0007': { sender: 'sender_not_owned', recipient: 'sender_not_owned' },
  '0008': { sender: 'sender_queue_full', recipient: 'sender_queue_full' },
  // A recipient that cannot receive texts is known to the carrier only: see the simulator's script.
  '0009': { sender: 'sender_not_capable' },
}

/**
 * Why a message between two valid addresses is refused at once; undefined when it is accepted. In the test mode the
 * numbers with fixed outcomes decide. In the live mode any sender may be used as long as the organization has no carrier.
 */
export function refusalOf(mode: 'live' | 'test', sender: string, recipient: string): ProblemCode | undefined {
  if (mode === 'live') return undefined
  return fixedRefusal(recipient)?.recipient ?? fixedRefusal(sender)?.sender
}

function fixedRefusal(number: string) {
  return isSimulatorNumber(number) ? refusedNumbers[number.slice(-4)] : undefined
}

/**
 * How long a throttled message waits before its next attempt: as the carrier asks, else a second; doubling with each attempt
 * up to 5 minutes. One that is throttled again and again is not tried, and reported, every second of its validity.
 * @param attempt how often it was handed over so far
 */
export function retryAfterMs(attempt: number, asked = 1_000): number {
  return Math.min(asked * 2 ** Math.min(attempt - 1, 16), Math.max(asked, 300_000))
}

/** The parts still to be handed over, from 1. */
export function partsOf({ parts_mask: mask, segments }: { parts_mask: number; segments: number }): number[] {
  return Array.from({ length: segments }, (_, index) => index + 1).filter(part => (mask & (1 << (part - 1))) !== 0)
}

/** What the results of a submission mean for its message. */
export type Outcome = { event: MessageEvent; code: ProblemCode | null; retryMs: number | null }

/**
 * One refused part fails the message, since its text would arrive torn. Without a refusal, one part of unknown outcome makes
 * it unconfirmed (or has it handed over again, where its service asks for that), and one throttled part has it wait: only
 * the parts that were not taken are handed over again.
 */
export function outcomeOf(
  results: readonly PartResult[],
  { attempt, resend }: { attempt: number; resend: boolean },
): Outcome {
  const refused = results.find(result => result.outcome === 'refused')
  if (refused !== undefined) return { event: 'refused', code: refused.code, retryMs: null }
  if (results.some(result => result.outcome === 'unknown'))
    return resend
      ? { event: 'asked_again', code: 'submit_unconfirmed', retryMs: retryAfterMs(attempt, undefined) }
      : { event: 'answer_lost', code: 'submit_unconfirmed', retryMs: null }
  const throttled = results.filter(result => result.outcome === 'throttled')
  if (throttled.length === 0) return { event: 'accepted', code: null, retryMs: null }
  const asked = throttled.map(result => result.retryAfterMs).filter(ms => ms !== undefined)
  return {
    event: 'throttled',
    code: throttled[0]?.code ?? 'carrier_throttled',
    retryMs: retryAfterMs(attempt, asked.length === 0 ? undefined : Math.max(...asked)),
  }
}

/** Seconds until a full sender queue is worth trying again. */
export const senderQueueRetrySeconds = 30
