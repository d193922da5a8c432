// The shapes of messages: what is sent, and how a message is shown.
import { type Static, Type } from 'typebox'
import { MomentInput, Nullable, OneOf, PhoneInput, Timestamp } from '../../../kernel/endpoint/schema.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { encodings } from '../segments.ts'
import { defaultValiditySeconds, directions, messageStatuses } from './rules.ts'

export const Message = Type.Object({
  messageId: Type.String({ description: 'Identifier, `msg_…`. Later messages have greater ones.' }),
  direction: OneOf(directions),
  from: Type.String({ description: 'Sender: a number in E.164, a short code or a sender id.' }),
  to: Type.String({ description: 'Recipient in E.164; for an inbound message one of your senders.' }),
  body: Type.String(),
  status: OneOf(messageStatuses),
  code: Nullable(Type.String({ description: 'Why it is in this status, where that needs a reason: a problem code.' })),
  encoding: OneOf(encodings, { description: 'GSM-7 when every character is in the GSM alphabet, else UCS-2.' }),
  segments: Type.Integer({ description: 'Parts it is sent in, and charged for.' }),
  segmentsDelivered: Type.Integer({ description: 'Parts of which the carrier has confirmed the delivery.' }),
  attempts: Type.Integer({ description: 'How often it was handed to the carrier.' }),
  carrier: Type.String({
    description:
      'Who carries it: a carrier of yours, or `simulator` or `handset` (the virtual handset), which reach no phone; `none` as long as nobody does.',
  }),
  serviceId: Nullable(Type.String({ description: 'The messaging service its sender belongs to, `msv_…`.' })),
  price: Nullable(
    Type.String({
      description:
        'What the carrier charges for all its segments, a decimal; null until it has taken it, or without price.',
    }),
  ),
  currency: Nullable(Type.String({ description: 'Currency of the price, ISO 4217.' })),
  callbackUrl: Nullable(
    Type.String({ description: 'Where its events are sent besides the endpoints of the organization.' }),
  ),
  tags: Type.Array(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
  validityPeriod: Nullable(Type.Integer({ description: 'Seconds from creation within which it may be delivered.' })),
  partial: Type.Boolean({ description: 'Whether parts of this inbound message never came.' }),
  createdAt: Timestamp,
  sendAt: Nullable(Type.String({ format: 'date-time', description: 'When it is, or was, to be sent.' })),
  sentAt: Nullable(Timestamp),
  deliveredAt: Nullable(Timestamp),
  finalAt: Nullable(Timestamp),
  redactedAt: Nullable(Type.String({ format: 'date-time', description: 'When its text was taken away.' })),
})

export const sampleMessage: Static<typeof Message> = {
  messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
  direction: 'outbound',
  from: '+15005550006',
  to: '+15005550100',
  body: 'Your table is ready.',
  status: 'delivered',
  code: null,
  encoding: 'GSM-7',
  segments: 1,
  segmentsDelivered: 1,
  attempts: 1,
  carrier: 'simulator',
  serviceId: null,
  price: '0.01',
  currency: 'USD',
  callbackUrl: null,
  tags: ['booking'],
  metadata: { bookingId: '4711' },
  validityPeriod: 14_400,
  partial: false,
  createdAt: '2026-11-21T08:44:00.123Z',
  sendAt: null,
  sentAt: '2026-11-21T08:44:00.161Z',
  deliveredAt: '2026-11-21T08:44:01.161Z',
  finalAt: '2026-11-21T08:44:01.164Z',
  redactedAt: null,
}

const From = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    'Sender: a telephone number in any usual spelling (best E.164), a short code of 3 to 8 digits, or a sender id of up to 11 letters and digits. May be left out where serviceId names a service.',
})

const To = Type.Unsafe<string>({
  ...PhoneInput,
  description: 'Recipient: a telephone number in any usual spelling, best E.164.',
})

/** Longer than ten segments hold, for what `smartEncoding` leaves out on the way does not count. */
const Text = Type.String({
  minLength: 1,
  maxLength: 1_600,
  description:
    'The text; at most 10 segments, which hold 1,530 characters of the GSM alphabet or 670 of others. More is refused with `body_too_long`; characters that `smartEncoding` leaves out do not count.',
})

const text = {
  body: Text,
  serviceId: Type.Optional(
    Type.String({ maxLength: 40, description: 'Messaging service that chooses the sender, `msv_…`.' }),
  ),
  smartEncoding: Type.Optional(
    Type.Boolean({
      description:
        'Replaces typographic characters (curly quotes, dashes) by plain ones where that lets the text travel as GSM-7. Default: as the service says, otherwise off.',
    }),
  ),
}

export const SendBody = Type.Object({
  from: Type.Optional(From),
  to: To,
  ...text,
  sendAt: Type.Optional(
    Type.Unsafe<string>({
      ...MomentInput,
      description:
        'When to send it: 5 minutes to 35 days from now. Default: at once. Where the sender that serviceId chose is gone from the service by then, another one sends it.',
    }),
  ),
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
      description: `Seconds from now (or from sendAt) within which it may be delivered; later it is expired. Default: as the service says, else ${defaultValiditySeconds}.`,
    }),
  ),
})

export const PreviewBody = Type.Object({ from: Type.Optional(From), to: Type.Optional(To), ...text })

/** What a schema cannot say of a text and its sender; `path` stands before the names of the fields. */
export function faultsOf({ from, serviceId }: { from?: string; serviceId?: string }, path = ''): FieldFault[] {
  const faults: FieldFault[] = []
  if (from === undefined && serviceId === undefined)
    faults.push({ field: `${path}from`, code: 'required', message: 'must be set, or serviceId' })
  return faults
}
