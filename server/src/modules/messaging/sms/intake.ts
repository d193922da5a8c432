// From what a request asks for to a message that can be taken in: who sends it, in which form it travels, by which carrier
// and at what price. Nothing is written here but by `queueSms`.

import { customerUrl } from '../../../kernel/callback_url.ts'
import { isoMs } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db.ts'
import type { Services } from '../../../kernel/endpoint.ts'
import { newId, timeOfId } from '../../../kernel/ids.ts'
import { callingCode } from '../../../kernel/phone.ts'
import { type FieldFault, Problem } from '../../../kernel/problem.ts'
import { destinationRefusal, type Policy, policiesFor, refusedBy } from '../../destinations/index.ts'
import { submitQueue } from '../carrier.ts'
import { type Directory, type DirectoryNumber, type DirectoryService, directoryIn, directoryOf } from '../directory.ts'
import { liveWay, type Way } from '../routing.ts'
import { maxSegments, segmentsOf, smartText } from '../segments.ts'
import { findDuplicate, readServiceSenders } from './asking.ts'
import {
  defaultValiditySeconds,
  firstEventData,
  type MessageRow,
  readRecipient,
  readSender,
  refusalOf,
  senderQueueRetrySeconds,
} from './rules.ts'
import { type IntakeRefusal, takeMessage, takeMessagesIn } from './spending.ts'
import type { NewMessage } from './store.ts'

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

export type Sending = {
  services: Pick<Services, 'db' | 'egress'>
  tenantId: number
  mode: 'live' | 'test'
  defaultCountry: string | null
  /** The API key that asks, whose destination policy counts. */
  keyId: string | null
  nowMs: number
}

const minAheadMs = 5 * 60_000
const maxAheadMs = 35 * 24 * 3_600_000

/**
 * The message a request asks for, ready to be taken in.
 * @throws Problem that says what is wrong with it; what is refused because of other messages is found when it is taken in
 */
export async function messageOf(input: SendInput, sending: Sending): Promise<NewMessage> {
  const { message, duplicateWindowSeconds } = await readMessage(input, sending)
  if (duplicateWindowSeconds > 0) await refuseDuplicate(message, duplicateWindowSeconds, sending)
  return message
}

/** A message that can be taken in, and for how long its service keeps the same text from going to the same recipient again. */
export type ReadMessage = { message: NewMessage; duplicateWindowSeconds: number }

/** As `messageOf`, without looking for duplicates. */
export async function readMessage(input: SendInput, sending: Sending): Promise<ReadMessage> {
  const to = recipientOf(input.to, sending.defaultCountry)
  const route = await routeOf(input, to, sending)
  const { service } = route
  const text = textOf(input, service)
  const { encoding, segments } = segmentsOf(text)
  if (segments > maxSegments)
    throw new Problem('body_too_long', {
      message: `The text needs ${segments} segments in ${encoding}; at most ${maxSegments} are sent. Shorten it, or send it in parts.`,
    })
  const callbackUrl =
    input.callbackUrl === undefined
      ? (service?.callbackUrl ?? null)
      : customerUrl(input.callbackUrl, sending.services.egress, sending)
  const sendAt = sendAtOf(input.sendAt, sending.nowMs)
  const refusal = refusalOf(sending.mode, route.from, to)
  if (refusal !== undefined) throw refused(refusal)
  const message: NewMessage = {
    ...newMessage({
      tenantId: sending.tenantId,
      ...route,
      to,
      text,
      sendAt,
      callbackUrl,
      validitySeconds: input.validityPeriod ?? service?.validitySeconds ?? defaultValiditySeconds,
      tags: input.tags ?? null,
      metadata: input.metadata ?? null,
    }),
    mode: sending.mode,
    resend: service?.unknownOutcome === 'resend',
    segmentsPerSecond: route.segmentsPerSecond,
    ...limitsOf(route.policies),
  }
  return { message, duplicateWindowSeconds: service?.duplicateWindowSeconds ?? 0 }
}

/** Those of the policies that limit what may be spent. */
function limitsOf(policies: readonly Policy[]): Pick<NewMessage, 'limits'> {
  const limits = policies.filter(policy => policy.daily_spend !== null)
  return limits.length === 0 ? {} : { limits }
}

/** The recipient in E.164. @throws Problem `invalid_to_number` */
export function recipientOf(text: string, country: string | null): string {
  const to = readRecipient(text, country)
  if (to === undefined) throw addressProblem('invalid_to_number', 'to', country)
  return to
}

/** The text as it is sent. */
export function textOf(
  { body, smartEncoding }: Pick<SendInput, 'body' | 'smartEncoding'>,
  service: DirectoryService | undefined,
): string {
  return (smartEncoding ?? service?.smartEncoding) ? smartText(body) : body
}

export type MessageRoute = Way & {
  from: string
  service: DirectoryService | undefined
  segmentsPerSecond: number | null
  /** The destination policies that hold. */
  policies: readonly Policy[]
}

/** In the test mode a segment has a cost, so that prices can be tried. */
const testWay: Way = { carrier: 'simulator', costMicros: 10_000, currency: 'USD' }

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
  const named = input.serviceId === undefined ? undefined : directory.services.get(input.serviceId)
  if (input.serviceId !== undefined && named === undefined) throw refused('service_not_found')
  const from =
    input.from === undefined
      ? await senderOfService(directory, named as DirectoryService, to, sending)
      : senderOf(input.from, sending.defaultCountry)
  const number = directory.numbers.get(from)
  if (named !== undefined && number?.serviceId !== named.id)
    throw refused('sender_not_owned', {
      message: 'The sender does not belong to the messaging service. Add it there, or leave from out.',
    })
  if (sending.mode === 'live' && directory.hadCarrier && number === undefined)
    throw refused('sender_not_owned', {
      message:
        'The sender is not a number or sender id of the organization. Use one of GET /v2/numbers as from, or add it with POST /v2/numbers.',
    })
  if (number?.contested)
    throw refused('sender_not_owned', {
      message:
        'Another organization on this server has this number too. Prove that it is yours with POST /v2/numbers/{numberId}/verification.',
    })
  if (number?.sms === false) throw refused('sender_not_capable')
  const policies = policiesFor(directory.policies, sending)
  const against = destinationRefusal(policies, to, sending.defaultCountry)
  if (against !== undefined) throw refusedBy(against)
  const service = number?.serviceId == null ? undefined : directory.services.get(number.serviceId)
  const sender = { from, service, segmentsPerSecond: number?.segmentsPerSecond ?? null, policies }
  const way = sending.mode === 'test' ? testWay : liveWay(directory, to, { only: number?.carrierId ?? null })
  if (way === undefined) throw refused('no_route')
  return { ...sender, ...way }
}

function senderOf(text: string, country: string | null): string {
  const from = readSender(text, country)
  if (from === undefined) throw addressProblem('invalid_from_number', 'from', country)
  return from
}

/**
 * The sender of a service for a recipient: the one the recipient knows, else one of the recipient's country, else any; among
 * equals the one that is free first.
 */
async function senderOfService(
  directory: Directory,
  service: DirectoryService,
  to: string,
  { services: { db }, tenantId, mode }: Sending,
): Promise<string> {
  const candidates = [...directory.numbers.values()].filter(
    number => number.serviceId === service.id && number.sms && !number.contested,
  )
  const [only] = candidates
  if (only === undefined) throw refused('service_without_senders')
  if (candidates.length === 1) return only.address
  const states = await readServiceSenders(
    db,
    { tenantId, mode, serviceId: service.id, to },
    candidates.map(number => number.address),
  )
  const sticky = service.stickySender ? states.find(state => state.known) : undefined
  if (sticky !== undefined) return sticky.sender
  const waits = new Map(states.map(state => [state.sender, state.waits_seconds]))
  const abroad = ({ country }: DirectoryNumber) =>
    Number(country === null || !to.startsWith(callingCode(country) ?? '-'))
  const waiting = ({ address }: DirectoryNumber) => waits.get(address) ?? 0
  const [best] = candidates.toSorted((a, b) => abroad(a) - abroad(b) || waiting(a) - waiting(b))
  return best!.address
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
  const known = await findDuplicate(sending.services.db, sending, {
    serviceId: row.service_id as string,
    to: row.to_address,
    body: row.body as string,
    since: isoMs(sending.nowMs - windowSeconds * 1_000),
  })
  if (known !== undefined) throw duplicateProblem(known)
}

/** Why a text is refused that went to its recipient as `id` already. */
export function duplicateProblem(id: string): Problem {
  return new Problem('duplicate_suppressed', {
    message: `The same text went to this recipient within the duplicate window of the service, as ${id}.`,
  })
}

function addressProblem(code: 'invalid_from_number' | 'invalid_to_number', field: string, country: string | null) {
  const what = field === 'from' ? 'a telephone number, short code or sender id' : 'a telephone number'
  const home = country === null ? '; without + and country code it cannot be understood' : ` (read for ${country})`
  return new Problem(code, { details: [{ field, code: 'wrong_format', message: `is not ${what}${home}` }] })
}

/** What is at fault where a message is refused. */
const faults: { [code in Problem['code']]?: FieldFault } = {
  invalid_from_number: {
    field: 'from',
    code: 'wrong_format',
    message: 'is not a telephone number, short code or sender id',
  },
  invalid_to_number: { field: 'to', code: 'wrong_format', message: 'is not a telephone number' },
  sender_not_owned: { field: 'from', code: 'not_owned', message: 'is no number or sender id that may be used here' },
  sender_not_capable: { field: 'from', code: 'not_capable', message: 'sends no texts: its sms is false' },
  sender_queue_full: { field: 'from', code: 'queue_full', message: 'has ten hours to send already' },
  service_not_found: { field: 'serviceId', code: 'not_found', message: 'is no messaging service of this tenant' },
  service_without_senders: { field: 'serviceId', code: 'no_senders', message: 'has no number that sends texts' },
  no_route: { field: 'to', code: 'no_route', message: 'begins with no prefix of an enabled carrier' },
  destination_not_allowed: {
    field: 'to',
    code: 'not_allowed',
    message: 'is not among the destinations that are allowed',
  },
  recipient_opted_out: { field: 'to', code: 'opted_out', message: 'wants no texts from this sender' },
}

/** The problem of a message that is refused for what its sender, service or recipient is, with the field at fault. */
export function refused(code: Problem['code'], { message }: { message?: string } = {}): Problem {
  const fault = faults[code]
  return new Problem(code, {
    ...(message === undefined ? {} : { message }),
    ...(fault === undefined ? {} : { details: [fault] }),
    ...(code === 'sender_queue_full' ? { headers: { 'retry-after': String(senderQueueRetrySeconds) } } : {}),
  })
}

/** The problem of a message that was not taken in. */
export function refusedAs(refusal: IntakeRefusal): Problem {
  return 'by' in refusal ? refusedBy(refusal.by) : refused(refusal.refusal)
}

type Written = {
  tenantId: number
  from: string
  to: string
  text: string
  service: DirectoryService | undefined
  carrier: string
  costMicros: number | null
  currency: string | null
  sendAt: string | null
  callbackUrl: string | null
  validitySeconds: number
  tags: string[] | null
  metadata: Record<string, string> | null
}

function newMessage(written: Written): NewMessage {
  const id = newId('msg')
  const { encoding, segments } = segmentsOf(written.text)
  const row: MessageRow = {
    tenant_id: written.tenantId,
    id,
    direction: 'outbound',
    status: written.sendAt === null ? 'queued' : 'scheduled',
    code: null,
    carrier: written.carrier,
    from_address: written.from,
    to_address: written.to,
    body: written.text,
    encoding,
    segments,
    attempts: 0,
    validity_seconds: written.validitySeconds,
    callback_url: written.callbackUrl,
    tags: written.tags,
    metadata: written.metadata,
    created_at: isoMs(timeOfId(id)),
    sent_at: null,
    delivered_at: null,
    final_at: null,
    service_id: written.service?.id ?? null,
    send_at: written.sendAt,
    segments_delivered: 0,
    price_micros: written.costMicros === null ? null : written.costMicros * segments,
    currency: written.currency,
    partial: false,
    redacted_at: null,
  }
  return { row, eventData: firstEventData(row) }
}

/**
 * Takes one text in that no request asked for, such as one of a call's instructions, and lets its carrier know. Who may send,
 * from what and to whom is as for a request.
 * @throws Problem as POST /v2/messages/sms answers it
 */
export async function sendText(
  services: Pick<Services, 'db' | 'egress' | 'clock' | 'wake'>,
  { tenantId, mode, keyId }: { tenantId: number; mode: 'live' | 'test'; keyId: string | null },
  { from, to, body }: { from: string; to: string; body: string },
): Promise<{ messageId: string }> {
  const nowMs = services.clock.now()
  const sending = { services, tenantId, mode, keyId, defaultCountry: null, nowMs }
  const message = await messageOf({ from, to, body }, sending)
  const taken = await takeMessage(services.db, message, nowMs)
  if (taken !== undefined && 'refusal' in taken) throw refusedAs(taken)
  services.wake(submitQueue(message.row.carrier))
  return { messageId: message.row.id }
}

export type QueuedSms = {
  /** In E.164, or as the sender id is. */
  from: string
  to: string
  body: string
  /** Whether it reaches a recipient who opted out: only answers to their own words may. */
  ignoreOptOut?: boolean
}

/**
 * Takes messages of ours in within a transaction: answers to keywords, instructions of a call. All of a transaction at once,
 * so that transactions wait for each other in one order. Wake the queue of each `carrier` (`submitQueue`) after the commit.
 * For each one undefined when nobody carries it, the recipient opted out, or a destination policy is against it.
 */
export async function queueSms(
  tx: Tx,
  { tenantId, mode }: { tenantId: number; mode: 'live' | 'test' },
  texts: readonly QueuedSms[],
): Promise<({ messageId: string; carrier: string } | undefined)[]> {
  if (texts.length === 0) return []
  const directory = await directoryIn(tx, tenantId)
  const messages = texts.map(text => queuedMessage(directory, { tenantId, mode }, text))
  const carried = messages.filter(message => message !== undefined)
  const refusals = await takeMessagesIn(tx, { tenantId }, carried, timeOfId(newId('msg')))
  return messages.map(message => {
    if (message === undefined || refusals[carried.indexOf(message)] !== undefined) return undefined
    return { messageId: message.row.id, carrier: message.row.carrier }
  })
}

function queuedMessage(
  directory: Directory,
  { tenantId, mode }: { tenantId: number; mode: 'live' | 'test' },
  { from, to, body, ignoreOptOut = false }: QueuedSms,
): NewMessage | undefined {
  const number = directory.numbers.get(from)
  const service = number?.serviceId == null ? undefined : directory.services.get(number.serviceId)
  if (number?.contested) return undefined
  const policies = policiesFor(directory.policies, { mode, keyId: null })
  if (destinationRefusal(policies, to, null) !== undefined) return undefined
  const way = mode === 'test' ? testWay : liveWay(directory, to, { only: number?.carrierId ?? null })
  if (way === undefined) return undefined
  return {
    ...newMessage({
      tenantId,
      from,
      to,
      text: body,
      service,
      ...way,
      sendAt: null,
      callbackUrl: service?.callbackUrl ?? null,
      validitySeconds: defaultValiditySeconds,
      tags: null,
      metadata: null,
    }),
    ignoresOptOut: ignoreOptOut,
    segmentsPerSecond: number?.segmentsPerSecond ?? null,
    ...limitsOf(policies),
  }
}
