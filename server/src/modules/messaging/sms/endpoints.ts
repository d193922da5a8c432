// Text messages: send one or a thousand, see first how one would travel, take one back, take its text away.

import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { findAnswer } from '../../../kernel/data/idempotency.ts'
import { type Erase, eraseKept, hintOf } from '../../../kernel/data/kept_text.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { microsText } from '../../../kernel/values/money.ts'
import { type FieldFault, Problem, type ProblemCode } from '../../../kernel/values/problem.ts'
import { problems } from '../../../nouns.ts'
import { recipientOf } from '../addresses.ts'
import { messagesAccepted } from '../meters.ts'
import { encodings, maxSegments, smartText, wideCharacters } from '../segments.ts'
import { acceptBatchIn, messagesOf, type BatchItem as PreparedItem, prepareBatch, problemOf } from './batch.ts'
import { prepareMessage, routeOf, type Sending, segmentedText } from './intake.ts'
import { intakeGate, type NewMessage, withLockedKey } from './intake_store.ts'
import { readEndpoints } from './read_endpoints.ts'
import { findMessage } from './read_store.ts'
import { intakeProblem } from './refusals.ts'
import { refuseFixedOutcome } from './router.ts'
import { presentMessage } from './rules.ts'
import { faultsOf, Message, PreviewBody, SendBody, sampleMessage } from './schemas.ts'
import { acceptMessage, type IntakeRefusal, takeBack } from './spending.ts'
import { redactMessage } from './store.ts'

const sendProblems = [
  'invalid_from_number',
  'invalid_to_number',
  'body_too_long',
  'invalid_callback_url',
  'invalid_schedule',
  'service_not_found',
  'service_without_senders',
  'no_route',
  'destination_not_allowed',
  'destination_premium',
  'daily_spend_exceeded',
  'recipient_opted_out',
  'sender_not_owned',
  'sender_queue_full',
  'sender_not_capable',
  'duplicate_suppressed',
] as const

function sendingOf(principal: Principal, services: Sending['services'], now: number): Sending {
  const { tenantId, mode, settings } = principal
  return { services, tenantId, mode, defaultCountry: settings.defaultCountry, keyId: principal.keyId, nowMs: now }
}

const Queued = Type.Object({
  messageId: Type.String({ description: 'Identifier of the message.' }),
  status: OneOf(['queued', 'scheduled'], {
    description: 'Queued: stored, and waiting for the carrier. Scheduled: with sendAt, until then.',
  }),
  deliveredAt: Nullable(Timestamp),
})

function queued({ row }: NewMessage) {
  return { messageId: row.id, status: row.status as 'queued' | 'scheduled', deliveredAt: null }
}

export const sendSms = endpoint({
  id: 'messages.sms.send',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/messages/sms',
  name: 'Send an SMS',
  description:
    'Accepts a text message and hands it to the carrier at once, in the background: what follows is reported by events, to callbackUrl, and by reading the message. In the test mode the simulator carries it, and no real phone is reached. In the live mode a carrier of the organization does; without one that is switched on it fails with `no_route`, and only numbers of the simulator (+1 500 555 xxxx) get it, on the virtual handset. From the first carrier on, the sender must be a number or sender id of the organization. Send an Idempotency-Key, so that repeating a request whose answer was lost sends no second message. Where the server is asked for more than it can carry, it answers 503 with Retry-After before it reads the request: nothing of it was stored, and it is in no request log.',
  permission: 'messages:send',
  logBody: 'refusals',
  body: SendBody,
  reply: Queued,
  envelope: 'none',
  transaction: 'none',
  idempotent: true,
  problems: sendProblems,
  sample: {
    body: { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' },
    reply: { messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz', status: 'queued', deliveredAt: null },
  },
  check: ({ body }) => faultsOf(body),
  overload: ({ db }) => intakeGate(db).refusal(),
  async handle({ body, principal, services, now, idempotency, serialize }) {
    const message = await prepareMessage(body, sendingOf(principal, services, now))
    const reply = queued(message)
    if (idempotency !== undefined) message.idempotency = { ...idempotency, answer: serialize(reply) }
    // Before anybody can claim it.
    services.tracer.remember(message.row.id)
    const outcome = await acceptMessage(
      services.db,
      message,
      now,
      async () => idempotency && services.db.inTenant(principal, tx => findAnswer(tx, principal, idempotency)),
    )
    if (outcome !== undefined) {
      if ('refusal' in outcome) throw intakeProblem(outcome)
      return { replay: outcome }
    }
    messagesAccepted(services, message.row.carrier)
    return reply
  },
})

const maxBatch = 1_000

const BatchItem = Type.Object({
  index: Type.Integer({ description: 'Place of the message in the request, from 0.' }),
  messageId: Nullable(Type.String({ description: 'Identifier, when the message was accepted.' })),
  status: OneOf(['queued', 'scheduled', 'refused']),
  code: Nullable(Type.String({ description: 'Why it was refused: a problem code.' })),
  message: Nullable(Type.String({ description: 'The same for people.' })),
  field: Nullable(Type.String({ description: 'The field at fault, where it is one.' })),
})

const BatchReply = Type.Object({
  accepted: Type.Integer({ description: 'How many were accepted.' }),
  refused: Type.Integer(),
  messages: Type.Array(BatchItem, { description: 'In the order of the request.' }),
})

export const sendBatch = endpoint({
  id: 'messages.sms.batch',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/messages/sms/batch',
  name: 'Send many SMS',
  description:
    'Accepts up to 1,000 messages, each with a result of its own: one that is refused keeps none of the others back; only where an entry is malformed (a field is missing, unknown or of the wrong form) is the whole request refused. All that are accepted are so at once, in one transaction; repeated with the same Idempotency-Key, the request is answered as it was and sends nothing again.',
  permission: 'messages:send',
  logBody: 'refusals',
  bodyLimit: 2 * 1024 * 1024,
  body: Type.Object({
    messages: Type.Array(SendBody, { minItems: 1, maxItems: maxBatch, description: 'As for sending one.' }),
  }),
  reply: BatchReply,
  envelope: 'data',
  sample: {
    body: {
      messages: [
        { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' },
        { from: '+15005550006', to: '+15005550004', body: 'Your table is ready.' },
      ],
    },
    reply: {
      accepted: 1,
      refused: 1,
      messages: [
        {
          index: 0,
          messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
          status: 'queued',
          code: null,
          message: null,
          field: null,
        },
        {
          index: 1,
          messageId: null,
          status: 'refused',
          code: 'recipient_opted_out',
          message: 'The recipient asked this sender to stop. Do not text this recipient until they opt in again.',
          field: null,
        },
      ],
    },
  },
  check: ({ body }) => body.messages.flatMap((message, index) => faultsOf(message, `messages[${index}].`)),
  transaction: 'none',
  idempotent: true,
  async handle({ body, principal, services, now, idempotency, transact }) {
    const { db, testPace, batches } = services
    await testPace.turn(principal, 'records', body.messages.length)
    return batches.run(principal, async () => {
      const items = await prepareBatch(body.messages, sendingOf(principal, services, now), principal)
      const messages = messagesOf(items)
      let accepted: NewMessage[] = []
      const reply = await withLockedKey(db, principal, idempotency?.key, () =>
        transact(async tx => {
          const refusals = await acceptBatchIn(tx, principal, messages, now)
          accepted = messages.filter(message => !refusals.has(message))
          return batchReply(items, refusals)
        }),
      )
      if (!('replay' in reply))
        for (const [carrier, own] of Map.groupBy(accepted, ({ row }) => row.carrier))
          messagesAccepted(services, carrier, own.length)
      return reply
    })
  },
})

function batchReply(items: readonly PreparedItem[], refusals: ReadonlyMap<NewMessage, IntakeRefusal>) {
  const messages = items.map((item, index) => {
    const problem = problemOf(item, refusals)
    if (problem !== undefined) return refusedItem(index, problem)
    const { messageId, status } = queued(item as NewMessage)
    return { index, messageId, status, code: null, message: null, field: null }
  })
  const accepted = messages.filter(item => item.messageId !== null).length
  return { accepted, refused: messages.length - accepted, messages }
}

function refusedItem(index: number, { code, message, details }: Problem): Static<typeof BatchItem> {
  const { cause, fix } = problems[code]
  const fault: FieldFault | undefined = details?.[0]
  // Only what is wrong with a value needs the words of its field.
  const said = code === 'validation_failed' && fault !== undefined ? `${fault.field} ${fault.message}` : message
  const text = said || `${cause} ${fix}`
  return { index, messageId: null, status: 'refused', code, message: text, field: fault?.field ?? null }
}

/** What is in the way of such a message whatever else was sent. */
const previewProblems: readonly ProblemCode[] = [
  'invalid_from_number',
  'invalid_to_number',
  'service_not_found',
  'service_without_senders',
  'no_route',
  'destination_not_allowed',
  'destination_premium',
  'sender_not_owned',
  'sender_not_capable',
]

export const previewSms = endpoint({
  id: 'messages.preview',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/messages/preview',
  name: 'Preview an SMS',
  description:
    'How a text would travel and what it would cost, without sending it: encoding, segments, the characters that make it UCS-2, and, with a recipient, the sender, the carrier and the price.',
  permission: 'messages:send',
  logBody: 'never',
  idempotent: false,
  transaction: 'none',
  body: PreviewBody,
  reply: Type.Object({
    body: Type.String({ description: 'The text as it would be sent.' }),
    encoding: OneOf(encodings),
    segments: Type.Integer(),
    units: Type.Integer({ description: 'Septets in GSM-7, 16-bit units in UCS-2.' }),
    unitsLeft: Type.Integer({ description: 'Units that still fit into the last segment.' }),
    tooLong: Type.Boolean({ description: 'Whether it needs more than 10 segments and would be refused.' }),
    wideCharacters: Type.Array(Type.String(), {
      description: 'The characters, at most 20, that are not in the GSM alphabet.',
    }),
    from: Nullable(Type.String({ description: 'The sender it would have.' })),
    to: Nullable(Type.String({ description: 'The recipient in E.164.' })),
    carrier: Nullable(
      Type.String({
        description: 'Who would carry it; `none` where it would fail with no_route for want of a carrier.',
      }),
    ),
    price: Nullable(Type.String({ description: 'For all segments, a decimal; null without recipient or price.' })),
    currency: Nullable(Type.String({ description: 'ISO 4217.' })),
  }),
  envelope: 'data',
  problems: previewProblems,
  sample: {
    body: { from: '+15005550006', to: '+15005550100', body: 'Your table is ready – see you at 8.' },
    reply: {
      body: 'Your table is ready – see you at 8.',
      encoding: 'UCS-2',
      segments: 1,
      units: 35,
      unitsLeft: 35,
      tooLong: false,
      wideCharacters: ['–'],
      from: '+15005550006',
      to: '+15005550100',
      carrier: 'simulator',
      price: '0.01',
      currency: 'USD',
    },
  },
  async handle({ body, principal, services, now }) {
    const sending = sendingOf(principal, services, now)
    const to = body.to === undefined ? null : recipientOf(body.to, sending.defaultCountry)
    const placed = to !== null && (body.from !== undefined || body.serviceId !== undefined)
    const route = placed ? await routeOf({ ...body, to }, to, sending) : undefined
    if (route !== undefined) refuseFixedOutcome(route, sending, code => !previewProblems.includes(code))
    const { text, encoding, segments, units, unitsLeft } = segmentedText(body, route?.service)
    return {
      body: text,
      encoding,
      segments,
      units,
      unitsLeft,
      tooLong: segments > maxSegments,
      wideCharacters: wideCharacters(text, 20),
      from: route?.from ?? null,
      to,
      carrier: route?.carrier ?? null,
      price: route === undefined || route.costMicros === null ? null : microsText(route.costMicros * segments),
      currency: route?.currency ?? null,
    }
  },
})

const messageParams = Type.Object({
  messageId: RecordId('msg', 'Identifier of the message.'),
})

export const cancelSms = endpoint({
  id: 'messages.cancel',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/messages/{messageId}/cancel',
  name: 'Cancel a message',
  description:
    'Takes a message back that is scheduled, or queued and of which no carrier has a part. Once it is canceled it is certain that nobody gets it. To cancel it again changes nothing.',
  permission: 'messages:send',
  // What is stored for repeats would hold the text, which may be redacted.
  idempotent: false,
  params: messageParams,
  reply: Message,
  envelope: 'data',
  problems: ['not_found', 'not_cancelable'],
  sample: {
    params: { messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz' },
    reply: {
      ...sampleMessage,
      status: 'canceled',
      segmentsDelivered: 0,
      attempts: 0,
      price: null,
      currency: null,
      sendAt: '2026-11-22T09:00:00.000Z',
      sentAt: null,
      deliveredAt: null,
    },
  },
  async handle({ tx, principal, params: { messageId }, now }) {
    const { isCanceled, message } = await takeBack(tx, principal, messageId, now)
    if (message === undefined) throw new Problem('not_found')
    if (!isCanceled && message.status !== 'canceled')
      throw new Problem('not_cancelable', {
        message: `The message is ${message.status}. Only messages that are scheduled, or queued and with no carrier yet, can be canceled.`,
      })
    return presentMessage(message)
  },
})

/** Shorter texts are too common to be looked for within others. */
const quotedLength = 8

/** Takes a text out of others: where it stands alone, also as it was before its typographic characters were replaced, or is quoted. */
function withoutText(text: string): Erase {
  return other => {
    if (other === text || smartText(other) === text) return ''
    return text.length >= quotedLength ? other.replaceAll(text, '') : other
  }
}

export const redactSms = endpoint({
  id: 'messages.redact',
  version: 'v2',
  category: 'Messaging',
  method: 'DELETE',
  path: '/messages/{messageId}',
  name: 'Redact a message',
  description:
    'Takes the text of a message that has come to its end away for good: here, in its events and what receivers of webhooks answered to them, in requests of the log, and in answers kept under an Idempotency-Key. That it was sent, to whom, when and at what price stays.',
  permission: 'messages:erase',
  audit: 'message.redacted',
  params: messageParams,
  reply: Message,
  envelope: 'data',
  problems: ['not_found', 'invalid_transition'],
  sample: {
    params: { messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz' },
    reply: { ...sampleMessage, body: '', redactedAt: '2026-11-21T09:00:00.000Z' },
  },
  async handle({ tx, principal, params: { messageId }, now }) {
    const before = await findMessage(tx, principal, messageId)
    const done = await redactMessage(tx, principal, messageId, isoMs(now))
    if (done && before !== undefined) await eraseKept(tx, principal, withoutText(before.body), hintOf(before.body))
    const message = await findMessage(tx, principal, messageId)
    if (message === undefined) throw new Problem('not_found')
    if (!done && message.redacted_at === null)
      throw new Problem('invalid_transition', {
        message: `The message is ${message.status}: its text is still needed. ${
          message.status === 'scheduled' || message.status === 'queued' ? 'Cancel it, or wait' : 'Wait'
        } until it has come to its end.`,
      })
    return presentMessage(message)
  },
})

export const endpoints = [sendSms, sendBatch, previewSms, ...readEndpoints, cancelSms, redactSms]
