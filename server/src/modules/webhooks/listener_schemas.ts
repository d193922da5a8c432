// What listeners, and what was forwarded to them, look like over HTTP.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, RecordId, Timestamp } from '../../kernel/endpoint/schema.ts'
import { errorWords } from '../../kernel/outbound/outbound.ts'
import { deliveryStatuses, listenerStates } from './rules.ts'
import { sampleDelivery, sampleSecret, sampleWebhook } from './schemas.ts'

const when = (description: string) => Type.String({ format: 'date-time', description })

export const ListenerParams = Type.Object({ listenerId: RecordId('lsn', 'Identifier of the listener.') })

const listenerFields = {
  listenerId: Type.String({ description: 'Identifier.' }),
  name: Nullable(Type.String({ description: 'Which machine it is on, in the words of its program.' })),
  forwardTo: Type.String({ description: 'Where its program sends events, as that program reaches it.' }),
  eventTypes: Nullable(
    Type.Array(Type.String(), { description: 'Types it hears of; null: all, or those of its webhook.' }),
  ),
  webhookId: Nullable(Type.String({ description: 'The webhook whose secret signs; null where it has its own.' })),
  mode: OneOf(['live', 'test'], { description: 'Whose events it hears of.' }),
  state: OneOf(listenerStates, {
    description:
      'connected; away (not connected: what happens waits for it, for ten minutes); ended (nothing reaches it any more).',
  }),
  waiting: Type.Integer({ description: 'Events without an answer so far, counted up to 10,000.' }),
  createdAt: Timestamp,
  endedAt: Nullable(when('When it ended; null while it is open.')),
}
export const Listener = Type.Object(listenerFields)
export const NewListener = Type.Object({
  ...listenerFields,
  secret: Nullable(
    Type.String({
      description:
        'Signs what it is sent: `whsec_` and base64 of 32 bytes. Shown this once. Null where the secret of a webhook signs.',
    }),
  ),
})

export const sampleListener: Static<typeof Listener> = {
  listenerId: 'lsn_01k9r7d3w2v8e6q4n5m1b0c9xz',
  name: 'ada@laptop',
  forwardTo: 'http://localhost:4242/hooks',
  eventTypes: ['message.*', 'call.completed'],
  webhookId: null,
  mode: 'live',
  state: 'connected',
  waiting: 0,
  createdAt: '2026-11-21T08:44:00.123Z',
  endedAt: null,
}
export const sampleNewListener = { ...sampleListener, secret: sampleSecret }

export const forwardTo = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: 2048,
  pattern: '^https?://',
  errorMessage: 'must be an address that begins with http:// or https://, such as http://localhost:4242/hooks',
  description: 'Where the program sends events, as it reaches it; for people to see. The server never connects there.',
})
export const listenerName = Nullable(
  Type.String({ minLength: 1, maxLength: 100, description: 'Which machine it is on, such as ada@laptop.' }),
)
export const webhookToUse = Type.Optional(
  Type.String({
    pattern: '^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    errorMessage: `must be the id of a webhook, such as ${sampleWebhook.webhookId}`,
    description: 'Sign as this webhook does, and hear of what it hears of. It goes on receiving events itself.',
  }),
)

const result = {
  eventId: Type.String({ description: 'The event.' }),
  attempt: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Counts from 1; grows when it is sent again.' }),
  status: Nullable(
    Type.Integer({ minimum: 100, maximum: 599, description: 'HTTP status of the answer; null when none came.' }),
  ),
  error: Nullable(OneOf(errorWords, { description: 'Why no answer came; null when one came.' })),
  durationMs: Type.Integer({ minimum: 0, maximum: 3_600_000, description: 'Milliseconds until then.' }),
  reply: Type.Optional(Nullable(Type.String({ maxLength: 4_096, description: 'The beginning of what was answered.' }))),
}
export const ReportBody = Type.Object({
  results: Type.Array(Type.Object(result), { minItems: 1, maxItems: 200, description: 'One for each event.' }),
})
export type ReportedResult = Static<typeof ReportBody>['results'][number]

export const Forwarded = Type.Object({
  deliveryId: Type.String({ description: 'Identifier.' }),
  listenerId: Type.String({ description: 'The listener.' }),
  eventId: Type.String({ description: 'The event; also the header webhook-id.' }),
  eventType: Type.String({ description: 'The type of the event.' }),
  status: OneOf(deliveryStatuses, {
    description: 'pending (no answer so far), delivered (answered 2xx), failed (answered otherwise, or not at all).',
  }),
  attempt: Type.Integer({ description: 'Counts from 1; grows when it is sent again.' }),
  createdAt: when('When the event happened.'),
  finishedAt: Nullable(when('When the answer came.')),
  durationMs: Nullable(Type.Integer({ description: 'How long it took, in milliseconds.' })),
  lastStatus: Nullable(Type.Integer({ description: 'HTTP status of the last answer; null when none came.' })),
  lastError: Nullable(OneOf(errorWords, { description: 'Why no answer came; null when one came.' })),
  reply: Nullable(
    Type.String({
      description: 'The beginning of what was answered. Null also for one who may not read the resource of the event.',
    }),
  ),
})
export const sampleForwarded: Static<typeof Forwarded> = {
  deliveryId: sampleDelivery.deliveryId,
  listenerId: sampleListener.listenerId,
  eventId: sampleDelivery.eventId,
  eventType: 'message.delivered',
  status: 'delivered',
  attempt: 1,
  createdAt: '2026-11-21T08:44:00.123Z',
  finishedAt: '2026-11-21T08:44:00.310Z',
  durationMs: 12,
  lastStatus: 200,
  lastError: null,
  reply: 'ok',
}

const delivery = {
  deliveryId: Type.String({ description: 'Identifier.' }),
  eventId: Type.String({ description: 'The event; also the header webhook-id.' }),
  eventType: Type.String({ description: 'The type of the event.' }),
  attempt: Type.Integer({ description: 'Counts from 1; grows when it is sent again. Report the answer with it.' }),
  headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent as they are, signature included.' }),
  body: Type.String({ description: 'To be sent byte for byte: the signature is over it.' }),
}
export const ListenerMessage = Type.Union([
  Type.Object({ event: Type.Literal('ready'), data: Listener }),
  Type.Object({ event: Type.Literal('delivery'), data: Type.Object(delivery) }),
  Type.Object({
    event: Type.Literal('end'),
    data: Type.Object({
      reason: Type.String({
        description:
          'As of GET /v2/stream; also webhook_listener_ended, replaced (another connection has taken the listener over) and ' +
          'webhook_deleted (the webhook whose secret signs is gone).',
      }),
    }),
  }),
])
