// Makes a message of what is asked for: its sender, the form its text travels in, its carrier and its price. The ways in end here:
// requests (one or a batch), texts that the server sends for a call, and answers to keywords. Storing is the work of spending.ts.

import type { Tx } from '../../../kernel/data/db.ts'
import { customerUrl } from '../../../kernel/endpoint/callback_url.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId, timeOfId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { recipientOf, senderOf } from '../addresses.ts'
import { type Directory, type DirectoryService, directoryIn, directoryOf } from '../directory.ts'
import { messagesAccepted } from '../meters.ts'
import { reachOf } from '../routing.ts'
import { maxSegments, type SegmentedText, segmentText } from '../segments.ts'
import { findDuplicate, type NewMessage, type Suspect } from './intake_store.ts'
import { duplicateProblem, intakeProblem, refusalProblem } from './refusals.ts'
import { type MessageRoute, type RouteScope, refuseFixedOutcome, routeMessage } from './router.ts'
import { defaultValiditySeconds, type MessageRow } from './rules.ts'
import { bestSender, type Chosen, nothingChosen, sendersOf } from './sender_choice.ts'
import { acceptMessage, acceptMessagesIn, spendLimits } from './spending.ts'

/** What a request asks for. */
export type SendInput = {
  from?: string | undefined
  serviceId?: string | undefined
  to: string
  body: string
  smartEncoding?: boolean | undefined
  sendAt?: string | undefined
  callbackUrl?: string | undefined
  tags?: string[] | undefined
  metadata?: Record<string, string> | undefined
  validityPeriod?: number | undefined
}

export type Sending = RouteScope & {
  services: Pick<Services, 'db' | 'egress'>
  tenantId: number
  nowMs: number
  /** Which senders the services of a batch chose so far, which nothing stored says yet. */
  chosen?: Chosen
}

const minAheadMs = 5 * 60_000
const maxAheadMs = 35 * 24 * 3_600_000

/**
 * The message a request asks for, ready to be accepted.
 * @throws Problem that says what is wrong with it; what is refused because of other messages is found when it is stored
 */
export async function prepareMessage(input: SendInput, sending: Sending): Promise<NewMessage> {
  const { message, duplicateWindowSeconds } = await draftMessage(input, sending)
  if (duplicateWindowSeconds > 0) await refuseDuplicate(message, duplicateWindowSeconds, sending)
  return message
}

/** A valid message, and for how long its service keeps the same text from going to the same recipient again. */
export type Draft = { message: NewMessage; duplicateWindowSeconds: number }

/** As `prepareMessage`, without looking for duplicates. */
export async function draftMessage(input: SendInput, sending: Sending): Promise<Draft> {
  const route = await routeOf(input, recipientOf(input.to, sending.defaultCountry), sending)
  const { service } = route
  const segmented = segmentedText(input, service)
  const { encoding, segments } = segmented
  if (segments > maxSegments)
    throw new Problem('body_too_long', {
      message: `The text needs ${segments} segments in ${encoding}; at most ${maxSegments} are sent. Shorten it, or send it in parts.`,
    })
  const callbackUrl =
    input.callbackUrl === undefined
      ? (service?.callbackUrl ?? null)
      : customerUrl(input.callbackUrl, sending.services.egress, sending)
  const sendAt = sendAtOf(input.sendAt, sending.nowMs)
  refuseFixedOutcome(route, sending)
  const message = newMessage(sending, route, segmented, {
    status: sendAt === null ? 'queued' : 'scheduled',
    send_at: sendAt,
    callback_url: callbackUrl,
    validity_seconds: input.validityPeriod ?? service?.validitySeconds ?? defaultValiditySeconds,
    tags: input.tags ?? null,
    metadata: input.metadata ?? null,
  })
  message.resend = service?.unknownOutcome === 'resend'
  message.fromPool = input.from === undefined && sendAt !== null
  return { message, duplicateWindowSeconds: service?.duplicateWindowSeconds ?? 0 }
}

/** The text as it is sent, and the segments it takes. */
export function segmentedText(
  { body, smartEncoding }: Pick<SendInput, 'body' | 'smartEncoding'>,
  service: DirectoryService | undefined,
): SegmentedText {
  return segmentText(body, { smart: smartEncoding ?? service?.smartEncoding ?? false })
}

/** Who sends it, and who carries it. What is not there is looked for again in the database before it is refused. */
export async function routeOf(input: SendInput, to: string, sending: Sending): Promise<MessageRoute> {
  const { db } = sending.services
  try {
    return await routeIn(await directoryOf(db, sending.tenantId), input, to, sending)
  } catch (error) {
    if (!(error instanceof Problem) || !missing.has(error.code)) throw error
    return routeIn(await directoryOf(db, sending.tenantId, { fresh: true }), input, to, sending)
  }
}

const missing = new Set([
  'service_not_found',
  'service_without_senders',
  'sender_not_owned',
  'sender_not_capable',
  'no_route',
  'destination_not_allowed',
  'destination_premium',
])

async function routeIn(directory: Directory, input: SendInput, to: string, sending: Sending): Promise<MessageRoute> {
  const { serviceId } = input
  const service = serviceId === undefined ? undefined : directory.services.get(serviceId)
  if (serviceId !== undefined && service === undefined) throw refusalProblem('service_not_found')
  const from =
    input.from === undefined
      ? await chooseSender(directory, service as DirectoryService, input, to, sending)
      : senderOf(input.from, sending.defaultCountry)
  return routeMessage(directory, { from, to, serviceId }, sending)
}

/** @throws Problem where the service has nobody who may send */
async function chooseSender(
  directory: Directory,
  service: DirectoryService,
  input: SendInput,
  to: string,
  { services: { db }, tenantId, mode, chosen = nothingChosen() }: Sending,
): Promise<string> {
  const own = sendersOf(directory, service)
  const reach = mode === 'test' ? () => 'now' as const : reachOf(directory, to)
  const carried = own.filter(({ carrierId }) => reach(carrierId) !== 'never')
  // Where nobody carries any of them, that is what is in the way.
  const candidates = carried.length > 0 ? carried : own
  const segments = input.sendAt === undefined ? () => segmentedText(input, service).segments : undefined
  const best = await bestSender(db, service, candidates, { tenantId, mode, to, reach, chosen, segments })
  if (best === undefined) throw refusalProblem('service_without_senders')
  return best.address
}

function sendAtOf(text: string | undefined, nowMs: number): string | null {
  if (text === undefined) return null
  const atMs = Date.parse(text)
  if (atMs < nowMs + minAheadMs || atMs > nowMs + maxAheadMs)
    throw new Problem('invalid_schedule', {
      details: [{ field: 'sendAt', code: 'out_of_range', message: 'must be 5 minutes to 35 days from now' }],
    })
  return isoMs(atMs)
}

/** Two at the very same moment may both pass: an Idempotency-Key is what excludes that. */
async function refuseDuplicate({ row }: NewMessage, windowSeconds: number, sending: Sending): Promise<void> {
  const known = await findDuplicate(sending.services.db, sending, suspectOf(row, windowSeconds, sending.nowMs))
  if (known !== undefined) throw duplicateProblem(known)
}

/** What would say the same as a message within so many seconds of it. What waits for its time may have been accepted long ago. */
export function suspectOf(row: MessageRow, windowSeconds: number, nowMs: number): Suspect {
  const windowMs = windowSeconds * 1_000
  const atMs = row.send_at === null ? nowMs : Date.parse(row.send_at)
  return {
    serviceId: row.service_id as string,
    to: row.to_address,
    body: row.body,
    since: isoMs(nowMs - maxAheadMs),
    sentFrom: isoMs(atMs - windowMs),
    sentUntil: isoMs(atMs + windowMs),
  }
}

type Terms = Pick<MessageRow, 'status' | 'send_at' | 'callback_url' | 'validity_seconds' | 'tags' | 'metadata'>

/** A message of ours by a route, on the terms it is sent on. */
function newMessage(
  { tenantId, mode }: Pick<Sending, 'tenantId' | 'mode'>,
  route: MessageRoute,
  { text, encoding, segments }: SegmentedText,
  terms: Terms,
): NewMessage {
  const id = newId('msg')
  const row: MessageRow = {
    tenant_id: tenantId,
    id,
    direction: 'outbound',
    status: terms.status,
    code: null,
    carrier: route.carrier,
    from_address: route.from,
    to_address: route.to,
    body: text,
    encoding,
    segments,
    attempts: 0,
    validity_seconds: terms.validity_seconds,
    callback_url: terms.callback_url,
    tags: terms.tags,
    metadata: terms.metadata,
    created_at: isoMs(timeOfId(id)),
    sent_at: null,
    delivered_at: null,
    final_at: null,
    service_id: route.service?.id ?? null,
    send_at: terms.send_at,
    segments_delivered: 0,
    price_micros: route.costMicros === null ? null : route.costMicros * segments,
    currency: route.currency,
    partial: false,
    redacted_at: null,
  }
  const message: NewMessage = {
    row,
    mode,
    segmentsPerSecond: route.segmentsPerSecond,
  }
  const limits = spendLimits(route.policies)
  if (limits.length > 0) message.limits = limits
  return message
}

/**
 * Accepts one text that no request asked for, such as one of a call's instructions, and wakes its carrier. Who may send,
 * from what and to whom is as for a request.
 * @throws Problem as POST /v2/messages/sms answers it
 */
export async function acceptSms(
  services: Pick<Services, 'db' | 'egress' | 'clock' | 'wake' | 'metrics'>,
  { tenantId, mode, keyId }: { tenantId: number; mode: 'live' | 'test'; keyId: string | null },
  { from, to, body }: { from: string; to: string; body: string },
): Promise<{ messageId: string }> {
  const nowMs = services.clock.now()
  const sending = { services, tenantId, mode, keyId, defaultCountry: null, nowMs }
  const message = await prepareMessage({ from, to, body }, sending)
  const outcome = await acceptMessage(services.db, message, nowMs)
  if (outcome !== undefined && 'refusal' in outcome) throw intakeProblem(outcome)
  messagesAccepted(services, message.row.carrier)
  return { messageId: message.row.id }
}

/**
 * Accepts one text that a person asked for, within the transaction of what goes with it. Say so after the commit, with its `carrier`
 * (`messagesAccepted`).
 * @throws Problem as POST /v2/messages/sms answers it
 */
export async function acceptTextIn(tx: Tx, input: SendInput, sending: Sending): Promise<MessageRow> {
  const message = await prepareMessage(input, sending)
  const [refused] = await acceptMessagesIn(tx, sending, [message], sending.nowMs)
  if (refused !== undefined) throw intakeProblem(refused)
  return message.row
}

export type Answer = {
  /** In E.164, or as the sender id is. */
  from: string
  to: string
  body: string
  /** Whether it reaches a recipient who opted out: only answers to their own words may. */
  ignoreOptOut?: boolean
}

/**
 * Accepts answers to what came in, within the transaction that stores that. All of a transaction at once, so that transactions wait
 * for each other in one order. Say of each `carrier` after the commit that it has one (`messagesAccepted`).
 * @returns undefined for each one that a request could not send either: nobody carries it, say, or the recipient opted out
 */
export async function acceptAnswersIn(
  tx: Tx,
  { tenantId, mode }: { tenantId: number; mode: 'live' | 'test' },
  answers: readonly Answer[],
): Promise<({ messageId: string; carrier: string } | undefined)[]> {
  if (answers.length === 0) return []
  const directory = await directoryIn(tx, tenantId)
  const messages = answers.map(answer => answerMessage(directory, { tenantId, mode }, answer))
  const sendable = messages.filter(message => message !== undefined)
  const refusals = await acceptMessagesIn(tx, { tenantId }, sendable, timeOfId(newId('msg')))
  return messages.map(message => {
    if (message === undefined || refusals[sendable.indexOf(message)] !== undefined) return undefined
    return { messageId: message.row.id, carrier: message.row.carrier }
  })
}

function answerMessage(
  directory: Directory,
  scope: { tenantId: number; mode: 'live' | 'test' },
  { from, to, body, ignoreOptOut = false }: Answer,
): NewMessage | undefined {
  const route = answerRoute(directory, scope.mode, { from, to, ignoreOptOut })
  if (route === undefined) return undefined
  const message = newMessage(scope, route, segmentText(body), {
    status: 'queued',
    send_at: null,
    callback_url: route.service?.callbackUrl ?? null,
    validity_seconds: defaultValiditySeconds,
    tags: null,
    metadata: null,
  })
  message.ignoresOptOut = ignoreOptOut
  return message
}

function answerRoute(
  directory: Directory,
  mode: 'live' | 'test',
  { from, to, ignoreOptOut }: Omit<Required<Answer>, 'body'>,
): MessageRoute | undefined {
  const scope = { mode, keyId: null, defaultCountry: null }
  try {
    const route = routeMessage(directory, { from, to }, scope)
    refuseFixedOutcome(route, scope, code => ignoreOptOut && code === 'recipient_opted_out')
    return route
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
