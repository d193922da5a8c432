// Text messages: send one, list them, look at one with everything that happened to it.
import { Type } from 'typebox'
import { isoMs } from '../../../kernel/clock.ts'
import { type CallbackFault, type Cidr, checkCallbackUrl, parseCidr } from '../../../kernel/egress.ts'
import { endpoint, type Services } from '../../../kernel/endpoint.ts'
import { firstIdAt, isId, newId, timeOfId } from '../../../kernel/ids.ts'
import { cutPage, decodeCursor, encodeCursor, v2PageQuery } from '../../../kernel/page.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { type FieldFault, invalid, Problem, type ProblemCode } from '../../../kernel/problem.ts'
import { MomentInput, Nullable, OneOf, PhoneInput, Timestamp } from '../../../kernel/schema.ts'
import { submitQueue } from '../carrier.ts'
import { encodings, maxSegments, segmentsOf } from '../segments.ts'
import {
  carrierOf,
  defaultValiditySeconds,
  directions,
  firstEventData,
  type MessageRow,
  messageStatuses,
  presentMessage,
  readRecipient,
  readSender,
  refusalOf,
  senderQueueRetrySeconds,
} from './rules.ts'
import { findMessage, insertMessage, listMessages } from './store.ts'

const Message = Type.Object({
  messageId: Type.String({ description: 'Identifier, `msg_…`. Later messages have greater ones.' }),
  direction: OneOf(directions),
  from: Type.String({ description: 'Sender: a number in E.164, a short code or a sender id.' }),
  to: Type.String({ description: 'Recipient in E.164; for an inbound message one of your senders.' }),
  body: Type.String(),
  status: OneOf(messageStatuses),
  code: Nullable(Type.String({ description: 'Why it is in this status, where that needs a reason: a problem code.' })),
  encoding: OneOf(encodings, { description: 'GSM-7 when every character is in the GSM alphabet, else UCS-2.' }),
  segments: Type.Integer({ description: 'Parts it is sent in, and charged for.' }),
  attempts: Type.Integer({ description: 'How often it was handed to the carrier.' }),
  carrier: Type.String({
    description: 'Who carries it: `simulator`, `handset` (the virtual handset), or a carrier of yours.',
  }),
  callbackUrl: Nullable(
    Type.String({ description: 'Where its events are sent besides the endpoints of the organization.' }),
  ),
  tags: Type.Array(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
  validityPeriod: Nullable(Type.Integer({ description: 'Seconds from creation within which it may be delivered.' })),
  createdAt: Timestamp,
  sentAt: Nullable(Timestamp),
  deliveredAt: Nullable(Timestamp),
  finalAt: Nullable(Timestamp),
})

const sampleMessage = {
  messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
  direction: 'outbound',
  from: '+15005550006',
  to: '+15005550100',
  body: 'Your table is ready.',
  status: 'delivered',
  code: null,
  encoding: 'GSM-7',
  segments: 1,
  attempts: 1,
  carrier: 'simulator',
  callbackUrl: null,
  tags: ['booking'],
  metadata: { bookingId: '4711' },
  validityPeriod: 14_400,
  createdAt: '2026-11-21T08:44:00.123Z',
  sentAt: '2026-11-21T08:44:00.161Z',
  deliveredAt: '2026-11-21T08:44:01.161Z',
  finalAt: '2026-11-21T08:44:01.164Z',
}

const SendBody = Type.Object({
  from: Type.String({
    minLength: 1,
    maxLength: 40,
    description:
      'Sender: a telephone number in any usual spelling (best E.164), a short code of 3 to 8 digits, or a sender id of up to 11 letters and digits.',
  }),
  to: Type.Unsafe<string>({
    ...PhoneInput,
    description: 'Recipient: a telephone number in any usual spelling, best E.164.',
  }),
  body: Type.String({ minLength: 1, maxLength: 1_600, description: 'The text; at most 10 segments.' }),
  callbackUrl: Type.Optional(
    Type.String({ format: 'url', maxLength: 2_048, description: 'Address that gets the events of this message.' }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, description: 'Words of your own.' }),
  ),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
      maxProperties: 20,
      description: 'Names and values of your own, given back with the message and its events.',
    }),
  ),
  validityPeriod: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_000,
      default: defaultValiditySeconds,
      description: 'Seconds from now within which it may be delivered; later it is expired.',
    }),
  ),
})

export const sendSms = endpoint({
  id: 'messages.sms.send',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/messages/sms',
  name: 'Send an SMS',
  description:
    'Takes a text message in and hands it to the carrier of the tenant at once, in the background: what follows is told by events, to callbackUrl, and by reading the message. In the test mode, and in the live mode until the organization has a carrier, no real phone is reached. Send an Idempotency-Key, so that repeating a request whose answer was lost sends no second message.',
  permission: 'messages:send',
  logBody: 'refusals',
  body: SendBody,
  reply: Type.Object({
    messageId: Type.String({ description: 'Identifier of the message.' }),
    status: OneOf(['queued'], { description: 'The message is stored and waits for the carrier.' }),
    deliveredAt: Nullable(Timestamp),
  }),
  envelope: 'none',
  transaction: 'none',
  idempotent: true,
  problems: [
    'invalid_from_number',
    'invalid_to_number',
    'body_too_long',
    'invalid_callback_url',
    'no_route',
    'destination_not_allowed',
    'recipient_opted_out',
    'sender_not_owned',
    'sender_queue_full',
    'sender_not_capable',
  ],
  sample: {
    body: { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' },
    reply: { messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz', status: 'queued', deliveredAt: null },
  },
  check({ body }) {
    const faults: FieldFault[] = []
    if (!body.body.isWellFormed())
      faults.push({
        field: 'body',
        code: 'wrong_format',
        message: 'must be well-formed Unicode, without lone surrogates',
      })
    return faults
  },
  async handle({ body, principal, services, idempotency, serialize }) {
    const { defaultCountry } = principal.settings
    const from = readSender(body.from, defaultCountry)
    if (from === undefined) throw addressProblem('invalid_from_number', 'from', defaultCountry)
    const to = readRecipient(body.to, defaultCountry)
    if (to === undefined) throw addressProblem('invalid_to_number', 'to', defaultCountry)
    const { encoding, segments } = segmentsOf(body.body)
    if (segments > maxSegments)
      throw new Problem('body_too_long', {
        message: `The text needs ${segments} segments in ${encoding}; at most ${maxSegments} are sent. Shorten it, or send it in parts.`,
      })
    const callbackUrl = body.callbackUrl === undefined ? null : callbackOf(body.callbackUrl, services.egress)
    const refusal = refusalOf(principal.mode, from, to)
    if (refusal !== undefined) throw refused(refusal)

    const id = newId('msg')
    const row: MessageRow = {
      tenant_id: principal.tenantId,
      id,
      direction: 'outbound',
      status: 'queued',
      code: null,
      carrier: carrierOf(principal.mode),
      from_address: from,
      to_address: to,
      body: body.body,
      encoding,
      segments,
      attempts: 0,
      validity_seconds: body.validityPeriod ?? defaultValiditySeconds,
      callback_url: callbackUrl,
      tags: body.tags ?? null,
      metadata: body.metadata ?? null,
      created_at: isoMs(timeOfId(id)),
      sent_at: null,
      delivered_at: null,
      final_at: null,
    }
    const reply = { messageId: id, status: 'queued', deliveredAt: null }
    const replay = await insertMessage(services.db, {
      row,
      eventData: firstEventData(row),
      ...(idempotency === undefined ? {} : { idempotency: { ...idempotency, answer: serialize(reply) } }),
    })
    if (replay !== undefined) return { replay }
    services.wake(submitQueue(row.carrier))
    return reply
  },
})

function addressProblem(code: 'invalid_from_number' | 'invalid_to_number', field: string, country: string | null) {
  const what = field === 'from' ? 'a telephone number, short code or sender id' : 'a telephone number'
  const home = country === null ? '; without + and country code it cannot be understood' : ` (read for ${country})`
  return new Problem(code, { details: [{ field, code: 'wrong_format', message: `is not ${what}${home}` }] })
}

function refused(code: ProblemCode): Problem {
  return new Problem(
    code,
    code === 'sender_queue_full' ? { headers: { 'retry-after': String(senderQueueRetrySeconds) } } : {},
  )
}

const parsedRanges = new WeakMap<readonly string[], Cidr[]>()

const callbackFaults: Record<CallbackFault, string> = {
  not_a_url: 'is not an address',
  too_long: 'is longer than 2048 characters',
  scheme_not_allowed: 'must begin with https://',
  credentials_in_url: 'must not hold a user name or password',
  port_not_allowed: 'names a port that callbacks do not use (443 and 8443 are good)',
  host_not_public: 'names a host of an inner network',
  address_not_allowed: 'names an address that callbacks may not reach',
}

/** The address in its normal form. @throws Problem `invalid_callback_url` */
function callbackOf(text: string, { allow, allowHttp }: Services['egress']): string {
  let ranges = parsedRanges.get(allow)
  if (ranges === undefined) {
    ranges = allow.map(parseCidr).filter(range => range !== undefined)
    parsedRanges.set(allow, ranges)
  }
  const checked = checkCallbackUrl(text, { allow: ranges, allowHttp })
  if (checked.ok) return checked.url.href
  const message = callbackFaults[checked.reason]
  throw new Problem('invalid_callback_url', { details: [{ field: 'callbackUrl', code: checked.reason, message }] })
}

const idPrefix = 'msg'

export const listAllMessages = endpoint({
  id: 'messages.list',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/messages',
  name: 'List messages',
  description:
    'The messages of this tenant and mode, newest first. With `to`, or with `from` and direction inbound, those of one person are found however old they are; with other filters that match little, a page may hold fewer messages than the limit while hasMore is true: go on with the cursor.',
  permission: 'messages:read',
  query: Type.Object({
    status: Type.Optional(OneOf(messageStatuses, { description: 'Only messages in this status.' })),
    direction: Type.Optional(OneOf(directions, { description: 'Only messages that went out, or came in.' })),
    to: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Only messages to this recipient.' })),
    from: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Only messages of this sender.' })),
    createdAfter: Type.Optional(MomentInput),
    createdBefore: Type.Optional(MomentInput),
    ...v2PageQuery,
  }),
  reply: Message,
  envelope: 'page',
  sample: { query: { status: 'delivered', limit: 20 }, reply: sampleMessage },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const upper =
      filter.createdBefore === undefined ? `${idPrefix}_z` : firstIdAt(idPrefix, Date.parse(filter.createdBefore))
    const behind = cursor === undefined ? undefined : idBehind(cursor, filter)
    const { rows, reached } = await listMessages(
      tx,
      principal,
      {
        fromId:
          filter.createdAfter === undefined ? `${idPrefix}_` : firstIdAt(idPrefix, Date.parse(filter.createdAfter)),
        beforeId: behind !== undefined && behind < upper ? behind : upper,
        status: filter.status ?? null,
        direction: filter.direction ?? null,
        to: addressFilter('to', filter.to, principal),
        from: addressFilter('from', filter.from, principal),
      },
      limit,
    )
    const page = cutPage(rows, limit, row => [row.id], filter)
    const goOn = reached === undefined ? page.nextCursor : encodeCursor([reached], filter)
    return { items: page.rows.map(presentMessage), limit, nextCursor: goOn }
  },
})

function idBehind(cursor: string, filter: unknown): string {
  const [id, ...more] = decodeCursor(cursor, filter)
  if (more.length > 0 || typeof id !== 'string' || !isId(idPrefix, id)) throw new Problem('invalid_cursor')
  return id
}

function addressFilter(field: string, text: string | undefined, { settings }: Principal): string | null {
  if (text === undefined) return null
  const address = readSender(text, settings.defaultCountry)
  if (address !== undefined) return address
  throw invalid({ field, code: 'wrong_format', message: 'must be a telephone number, a short code or a sender id' })
}

export const getMessage = endpoint({
  id: 'messages.get',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/messages/{messageId}',
  name: 'Get a message',
  description: 'One message with its history: every status it had, when, and why.',
  permission: 'messages:read',
  params: Type.Object({
    messageId: Type.String({ minLength: 1, maxLength: 100, description: 'Identifier of the message.' }),
  }),
  reply: Type.Object({
    ...Message.properties,
    history: Type.Array(
      Type.Object({
        status: OneOf(messageStatuses),
        at: Timestamp,
        code: Nullable(Type.String({ description: 'Why, where that needs a reason: a problem code.' })),
      }),
      { description: 'First to last.' },
    ),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz' },
    reply: {
      ...sampleMessage,
      history: [
        { status: 'queued', at: '2026-11-21T08:44:00.123Z', code: null },
        { status: 'sending', at: '2026-11-21T08:44:00.134Z', code: null },
        { status: 'sent', at: '2026-11-21T08:44:00.161Z', code: null },
        { status: 'delivered', at: '2026-11-21T08:44:01.164Z', code: null },
      ],
    },
  },
  async handle({ tx, principal, params }) {
    if (!isId(idPrefix, params.messageId)) throw new Problem('not_found')
    const row = await findMessage(tx, principal, params.messageId)
    if (row === undefined) throw new Problem('not_found')
    return { ...presentMessage(row), history: row.history }
  },
})

export const endpoints = [sendSms, listAllMessages, getMessage]
