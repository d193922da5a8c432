// What a number looks like from outside.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { callbackUrl, optionalWording, resourceFields, settable, shown } from '../../../kernel/resource/fields.ts'
import { addressKinds } from '../addresses.ts'
import { ownerships } from './rules.ts'

export const numberFields = resourceFields({
  numberId: shown(Type.String({ description: 'Identifier, `num_…`.' }), { column: 'id' }),
  number: shown(Type.String({ description: 'E.164 with +, the digits of a short code, or the sender id.' }), {
    column: 'address',
  }),
  kind: shown(OneOf(addressKinds, { description: 'A telephone number, a short code, or a name that only sends.' })),
  country: shown(
    Nullable(
      Type.String({
        description: 'ISO 3166 country of its numbering plan; null for names, short codes and numbers of no country.',
      }),
    ),
  ),
  label: optionalWording('What it is for, in words of your own.'),
  serviceId: settable(
    Nullable(Type.String({ maxLength: 100, description: 'The messaging service whose senders it is one of.' })),
  ),
  carrierId: settable(
    Nullable(
      Type.String({
        maxLength: 100,
        description: 'The only carrier that carries what it sends; null lets the routes decide.',
      }),
    ),
  ),
  sms: settable(Type.Boolean({ description: 'Whether it sends texts.' })),
  voice: settable(
    Type.Boolean({
      description: 'Whether it makes and takes calls; only a telephone number does, and does by itself.',
    }),
  ),
  segmentsPerSecond: settable(
    Nullable(
      Type.Number({
        minimum: 0.01,
        maximum: 10_000,
        description: 'Segments it may send in a second; null sends as fast as the carrier takes them.',
      }),
    ),
  ),
  callbackUrl: callbackUrl(
    'Address that gets the events of what comes in to it; without one, that of its messaging service is used.',
  ),
  createsLeads: settable(
    Type.Boolean({ description: 'Whether a text from a number that no lead has adds a lead with that number.' }),
  ),
  ownership: shown(
    Nullable(
      OneOf(ownerships, {
        description:
          'Of a telephone number of the live mode. unverified: no other organization on this server had it before, so it works until one proves that it is theirs. verified: proved. contested: another organization has it, so it takes no calls and is no sender until you prove that it is yours with POST /v2/numbers/{numberId}/verification. Null for all else.',
      }),
    ),
  ),
  createdAt: shown(Timestamp),
  updatedAt: shown(Timestamp),
})

export const OwnNumber = numberFields.Shown

/** A number as the API and its events show it. */
export const presentNumber = numberFields.present

export const sampleNumber: Static<typeof OwnNumber> = {
  numberId: 'num_01k9r7d3w2v8e6q4n5m1b0c9xz',
  number: '+493012345678',
  kind: 'long_code',
  country: 'DE',
  label: 'Front desk',
  serviceId: null,
  carrierId: null,
  sms: true,
  voice: true,
  segmentsPerSecond: 1,
  callbackUrl: 'https://example.com/texts',
  createsLeads: true,
  ownership: 'unverified',
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}
