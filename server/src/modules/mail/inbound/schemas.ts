// What a mail that came in looks like from outside, and in its events: without its words.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { doors, inboundStates, matchings, senderChecks } from './rules.ts'
import type { InboundRow } from './store.ts'

const Mailbox = Type.Object({ address: Type.String(), name: Nullable(Type.String()) })

export const Inbound = Type.Object({
  inboundId: Type.String({ description: 'Identifier, `inm_…`.' }),
  state: OneOf(inboundStates, {
    description:
      'matched: it stands on the timeline of a lead or contact. unmatched: it waits for somebody to put it there. ignored: it was set aside.',
  }),
  direction: OneOf(['inbound', 'outbound'], {
    description: 'outbound: a person wrote it elsewhere, and sent a blind copy to their address here.',
  }),
  door: OneOf(doors, { description: 'How it came: over SMTP, from a mailbox, or handed in over HTTP.' }),
  mailboxId: Nullable(Type.String({ description: 'The mailbox that it was read from, `mbx_…`.' })),
  from: Nullable(Mailbox),
  sender: OneOf(senderChecks, {
    description:
      'Whether it is from whom it says, by DMARC. unverified: it failed, so the address that it came to is all that it is matched by.',
  }),
  to: Type.Array(Mailbox),
  cc: Type.Array(Mailbox),
  subject: Type.String(),
  isAutomatic: Type.Boolean({
    description: 'Whether a machine wrote it (RFC 3834). Nothing that comes in is answered by itself.',
  }),
  matchedBy: Nullable(
    OneOf(matchings, {
      description:
        'token: the address that it came to. thread: it answers a mail. sender, recipient: the one record with this address. person: somebody put it there.',
    }),
  ),
  recordId: Nullable(
    Type.String({ description: 'The lead (`lead:17`) or contact (`con_…`) on whose timeline it stands.' }),
  ),
  answersMailId: Nullable(Type.String({ description: 'The mail from here that it answers, `mail_…`.' })),
  candidates: Type.Array(Type.String(), { description: 'Records that it may belong to, where there are several.' }),
  userId: Nullable(Type.Integer({ description: 'Who sent the blind copy.' })),
  messageId: Nullable(Type.String({ description: 'Its Message-ID, without angle brackets.' })),
  sizeBytes: Type.Integer({ description: 'As it came.' }),
  attachments: Type.Array(
    Type.Object({
      number: Type.Integer({ description: 'From 1, to download it with.' }),
      fileName: Type.String(),
      mediaType: Type.String({ description: 'As the sender says.' }),
      sizeBytes: Type.Integer(),
      isInline: Type.Boolean({ description: 'Whether it is shown within the HTML.' }),
    }),
  ),
  writtenAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'As the sender says.' })),
  receivedAt: Timestamp,
  updatedAt: Timestamp,
})

export function presentInbound(row: InboundRow): Static<typeof Inbound> {
  return {
    inboundId: row.id,
    state: row.state,
    direction: row.direction,
    door: row.door,
    mailboxId: row.mailbox_id,
    from: row.from_address === null ? null : { address: row.from_address, name: row.from_name },
    sender: row.sender_check,
    to: [...row.to_list],
    cc: [...row.cc_list],
    subject: row.subject,
    isAutomatic: row.is_automatic,
    matchedBy: row.matched_by,
    recordId: row.record_id,
    answersMailId: row.mail_id,
    candidates: [...row.candidates],
    userId: row.user_id,
    messageId: row.message_id,
    sizeBytes: row.size_bytes,
    attachments: row.attachments.map(one => ({
      number: one.place,
      fileName: one.file_name,
      mediaType: one.media_type,
      sizeBytes: one.size_bytes,
      isInline: one.is_inline,
    })),
    writtenAt: row.written_at,
    receivedAt: row.received_at,
    updatedAt: row.updated_at,
  }
}

export const sampleInbound: Static<typeof Inbound> = {
  inboundId: 'inm_01k9r7d3w2v8e6q4n5m1b0c9xz',
  state: 'matched',
  direction: 'inbound',
  door: 'smtp',
  mailboxId: null,
  from: { address: 'ada@example.com', name: 'Ada Park' },
  sender: 'verified',
  to: [{ address: 'office@example.com', name: null }],
  cc: [],
  subject: 'Re: Your appointment on Monday',
  isAutomatic: false,
  matchedBy: 'token',
  recordId: 'lead:17',
  answersMailId: 'mail_01k9r7d3w2v8e6q4n5m1b0c9xz',
  candidates: [],
  userId: null,
  messageId: 'CAF3b7x@mail.example.com',
  sizeBytes: 2412,
  attachments: [],
  writtenAt: '2026-11-21T09:12:00.000Z',
  receivedAt: '2026-11-21T09:12:04.120Z',
  updatedAt: '2026-11-21T09:12:04.120Z',
}
