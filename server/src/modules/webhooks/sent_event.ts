// The request that delivers an event to a webhook, or to the callback address of one message or call: for the documents.

import { Type } from 'typebox'
import { apiVersion, type SentRequest } from '../../kernel/documents/sent_request.ts'
import { OneOf, Timestamp } from '../../kernel/endpoint/schema.ts'
import type { EventType } from '../../kernel/values/event_types.ts'
import { eventTypes } from '../../nouns.ts'
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
