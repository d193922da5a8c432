// The request that tells a webhook, or the callback address of one message or call, of an event: for the documents.
import { Type } from 'typebox'
import { type EventType, eventTypes } from '../../kernel/event_types.ts'
import { OneOf, Timestamp } from '../../kernel/schema.ts'
import { apiVersion, type SentRequest } from '../../kernel/sent_request.ts'
import { sampleDetail } from './schemas.ts'

export const sentEvent: SentRequest = {
  id: 'event',
  category: 'Developer',
  name: 'An event',
  description:
    'Sent to each webhook of the mode that hears of its type, and to the `callbackUrl` of the message or call it is about. ' +
    'Any 2xx within 15 seconds is success; otherwise it is tried again, ten times in 75 hours. Deliveries come at least ' +
    'once, and not always in order. See docs/webhooks.md.',
  bodyName: 'WebhookEvent',
  body: Type.Object({
    id: Type.String({
      description: 'The event; the same in every attempt and replay, and in the header `webhook-id`.',
    }),
    type: OneOf(Object.keys(eventTypes) as EventType[], { description: 'What happened.' }),
    timestamp: Timestamp,
    apiVersion: Type.Literal(apiVersion),
    livemode: Type.Boolean({ description: 'false for test data.' }),
    organizationId: Type.Integer({ description: 'Whose event it is.' }),
    sequence: Type.Integer({ description: 'Grows with each event of one resource.' }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The resource as the API shows it, at that moment, with what belongs to this event only.',
    }),
  }),
  answer: { description: 'It is delivered; what the answer says is not read.' },
  sample: sampleDetail.payload,
}
