// What an entry of the suppression list looks like from outside, and in its events.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { resourceFields, shown } from '../../../kernel/resource/fields.ts'
import { streams } from '../templates/index.ts'

export const reasons = ['hard_bounce', 'complaint', 'unsubscribe', 'manual'] as const

const fields = resourceFields({
  suppressionId: shown(Type.String({ description: 'Identifier, `sup_…`.' }), { column: 'id' }),
  address: shown(Type.String({ description: 'In small letters.' })),
  stream: shown(Nullable(OneOf(streams, { description: 'Mails of which sort it does not get; null for all.' })), {
    show: (stream: string) => (stream === '' ? null : stream),
  }),
  reason: shown(
    OneOf(reasons, {
      description:
        'hard_bounce: the address takes no mail. complaint: its holder called one unwanted. Mails that open something are stopped by hard_bounce and manual alone.',
    }),
  ),
  note: shown(Nullable(Type.String({ description: 'What the report said, or your words.' }))),
  mailId: shown(Nullable(Type.String({ description: 'The mail that led to it.' }))),
  createdAt: shown(Timestamp),
})

export const Suppression = fields.Shown
export const presentSuppression = fields.present

export const sampleSuppression: Static<typeof Suppression> = {
  suppressionId: 'sup_01k9r7d3w2v8e6q4n5m1b0c9xz',
  address: 'ada@example.com',
  stream: null,
  reason: 'manual',
  note: 'Asked for it on the telephone.',
  mailId: null,
  createdAt: '2026-11-21T08:44:00.123Z',
}
