// What webhooks, their deliveries and attempts look like over HTTP.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, RecordId, Timestamp } from '../../kernel/endpoint/schema.ts'
import { errorWords } from '../../kernel/outbound/outbound.ts'
import { deliveryStatuses, disabledReasons, healths } from './rules.ts'

const crockford = '[0-9a-hjkmnp-tv-z]'
const id = (prefix: string) => `^${prefix}_${crockford}{26}$`

export const WebhookParams = Type.Object({
  webhookId: RecordId('whk', 'Identifier of the webhook.'),
})

export const DeliveryParams = Type.Object({
  deliveryId: Type.String({
    pattern: id('dlv'),
    errorMessage: 'must be the id of a delivery, such as dlv_01k9r7d3w24b1f0c7e9d2a6835',
  }),
})

const when = (description: string) => Type.String({ format: 'date-time', description })

export const webhookFields = {
  webhookId: Type.String({ description: 'Identifier.' }),
  url: Type.String({ description: 'Where events are sent to.' }),
  description: Nullable(Type.String({ description: 'What it is for, in your words.' })),
  eventTypes: Nullable(
    Type.Array(Type.String(), { description: 'Types it hears of, such as message.sent or message.*; null: all.' }),
  ),
  enabled: Type.Boolean({ description: 'Whether anything is sent.' }),
  disabledReason: Nullable(
    OneOf(disabledReasons, {
      description:
        'Why nothing is sent: request (somebody disabled it), gone (the address answered 410), failing ' +
        '(five days without a success). Null while it is enabled.',
    }),
  ),
  disabledAt: Nullable(when('Since when it has been disabled.')),
  mode: OneOf(['live', 'test'], { description: 'Whose events it hears of.' }),
  health: OneOf(healths, {
    description:
      'ok; failing (the last attempt failed); probing (20 attempts in a row failed, so one is tried now and then, once a minute ' +
      'in the end, while the rest waits); disabled.',
  }),
  failuresInRow: Type.Integer({ description: 'Attempts that failed since the last success.' }),
  failingSince: Nullable(when('When the first of them failed.')),
  lastDeliveredAt: Nullable(when('When an event was last delivered; exact to some seconds.')),
  lastError: Nullable(Type.String({ description: 'Why the last attempt failed: a word, or the HTTP status.' })),
  waiting: Type.Integer({ description: 'Events that wait to be sent, counted up to 10,000.' }),
  previousSecretUntil: Nullable(when('Until when deliveries carry a signature by the previous secret as well.')),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
export const Webhook = Type.Object(webhookFields)

const Secret = Type.String({
  description: 'Signs deliveries: `whsec_` and base64 of 32 bytes. Shown this once; it cannot be read again.',
})
export const NewWebhook = Type.Object({ ...webhookFields, secret: Secret })
export const ChangedWebhook = Type.Object({
  ...webhookFields,
  secret: Nullable(Type.String({ description: 'The new secret after a rotation, shown this once; otherwise null.' })),
})

export const sampleWebhook: Static<typeof Webhook> = {
  webhookId: 'whk_01k9r7d3w2v8e6q4n5m1b0c9xz',
  url: 'https://example.com/hooks/tandem',
  description: 'Status of messages, for the order system',
  eventTypes: ['message.*', 'call.completed'],
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  mode: 'live',
  health: 'ok',
  failuresInRow: 0,
  failingSince: null,
  lastDeliveredAt: null,
  lastError: null,
  waiting: 0,
  previousSecretUntil: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}
// Of the right shape, and nobody's.
export const sampleSecret = 'whsec_RVhBTVBMRSBFWEFNUExFIEVYQU1QTEUgRVhBTVBMRSE='

export const deliveryFields = {
  deliveryId: Type.String({ description: 'Identifier.' }),
  webhookId: Nullable(Type.String({ description: 'The webhook; null for a delivery to a callbackUrl.' })),
  url: Type.String({ description: 'Where it goes: the present address of the webhook, or the callbackUrl.' }),
  eventId: Type.String({
    description: 'The event; also the header webhook-id, which all attempts and replays of it share.',
  }),
  eventType: Type.String({ description: 'The type of the event.' }),
  resourceId: Nullable(
    Type.String({
      description:
        'What the event is about: the id of a message, a call, a lead. Null for those who may not read such.',
    }),
  ),
  status: OneOf(deliveryStatuses, {
    description: 'pending (waits for its first or next attempt), delivered (answered 2xx), failed (given up).',
  }),
  attempts: Type.Integer({ description: 'Attempts made so far, replays included.' }),
  createdAt: when('When the event happened.'),
  lastAttemptAt: Nullable(when('When it was last tried.')),
  nextAttemptAt: Nullable(when('When it is tried again; null when it is not, or waits for its turn.')),
  finishedAt: Nullable(when('When it was delivered or given up.')),
  lastStatus: Nullable(Type.Integer({ description: 'HTTP status of the last answer; null when none came.' })),
  lastError: Nullable(
    OneOf(errorWords, { description: 'Why no answer came to the last attempt; null when one came.' }),
  ),
}
export const Delivery = Type.Object(deliveryFields)

export const sampleDelivery: Static<typeof Delivery> = {
  deliveryId: 'dlv_01k9r7d3w24b1f0c7e9d2a6835',
  webhookId: sampleWebhook.webhookId,
  url: sampleWebhook.url,
  eventId: 'evt_01k9r7d3w2v8e6q4n5m1b0c9xz',
  eventType: 'message.delivered',
  resourceId: 'msg_01k9r7d3w0c5t2s8f7h4j6k9ma',
  status: 'delivered',
  attempts: 2,
  createdAt: '2026-11-21T08:44:00.123Z',
  lastAttemptAt: '2026-11-21T08:44:05.310Z',
  nextAttemptAt: null,
  finishedAt: '2026-11-21T08:44:05.310Z',
  lastStatus: 204,
  lastError: null,
}

export const Attempt = Type.Object({
  attempt: Type.Integer({ description: 'Counts from 1.' }),
  at: Timestamp,
  durationMs: Type.Integer({ description: 'Milliseconds from the attempt to its outcome.' }),
  status: Nullable(Type.Integer({ description: 'HTTP status of the answer; null when none came.' })),
  error: Nullable(OneOf(errorWords, { description: 'Why no answer came; null when one came.' })),
  reply: Nullable(
    Type.String({
      description: 'What was answered, at most the first 4 KiB. Null when nothing was, or it is not text.',
    }),
  ),
  requestHeaders: Type.Record(Type.String(), Type.String(), {
    description: 'The headers of the request, without its signature.',
  }),
})

export const DeliveryDetail = Type.Object({
  ...deliveryFields,
  attemptLog: Type.Array(Attempt, { description: 'The attempts, oldest first; of many, the newest 50.' }),
  payload: Nullable(
    Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description:
        'The body that is sent, byte for byte the same in every attempt. Null, like replies, for one who may not read the ' +
        'resource it is about.',
    }),
  ),
})

export const sampleDetail: Static<typeof DeliveryDetail> = {
  ...sampleDelivery,
  attemptLog: [
    {
      attempt: 1,
      at: '2026-11-21T08:44:00.187Z',
      durationMs: 412,
      status: 503,
      error: null,
      reply: 'Service Unavailable',
      requestHeaders: {
        'content-type': 'application/json',
        'user-agent': 'Tandem-Webhooks/1.0',
        'webhook-id': 'evt_01k9r7d3w2v8e6q4n5m1b0c9xz',
        'webhook-timestamp': '1795250640',
      },
    },
    {
      attempt: 2,
      at: '2026-11-21T08:44:05.310Z',
      durationMs: 38,
      status: 204,
      error: null,
      reply: null,
      requestHeaders: {
        'content-type': 'application/json',
        'user-agent': 'Tandem-Webhooks/1.0',
        'webhook-id': 'evt_01k9r7d3w2v8e6q4n5m1b0c9xz',
        'webhook-timestamp': '1795250645',
      },
    },
  ],
  payload: {
    id: 'evt_01k9r7d3w2v8e6q4n5m1b0c9xz',
    type: 'message.delivered',
    timestamp: '2026-11-21T08:44:00.123Z',
    apiVersion: 'v2',
    livemode: true,
    organizationId: 1,
    sequence: 4,
    data: { messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz', status: 'delivered', previousStatus: 'sent' },
  },
}

export const SigningSecret = Type.Object({
  secret: Type.String({ description: 'Signs what is sent to callback URLs: `whsec_` and base64 of 32 bytes.' }),
  rotatedAt: Nullable(when('When it was last rotated; null: never.')),
  previousSecretUntil: Nullable(when('Until when deliveries carry a signature by the secret before as well.')),
})

export const defaultOverlapSeconds = 86_400
export const overlapSeconds = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 7 * 86_400,
    default: defaultOverlapSeconds,
    description:
      'How long deliveries are signed by the old secret as well; 0 ends it at once. A day when left out, a week at most.',
  }),
)
