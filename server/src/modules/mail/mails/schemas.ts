// What a mail looks like from outside, and in its events.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { streams } from '../templates/index.ts'
import { type MailRow, mailStates, type RecipientRow } from './rules.ts'

const RecipientShown = Type.Object({
  address: Type.String({ description: 'E-mail address.' }),
  name: Nullable(Type.String()),
  outcome: Nullable(
    OneOf(['accepted', 'rejected', 'suppressed', 'delivered', 'bounced', 'complained'], {
      description: 'What became of the mail for this one; null while it waits.',
    }),
  ),
  code: Nullable(Type.String({ description: 'Why, where that needs a reason.' })),
  reply: Nullable(Type.String({ description: 'What the server said of this one.' })),
})

const recipientsOf = (which: string) => Type.Array(RecipientShown, { description: which })

export const Mail = Type.Object({
  mailId: Type.String({ description: 'Identifier, `mail_…`.' }),
  state: OneOf(mailStates, {
    description:
      'sent: the next server took it on, or it is kept in the outbox. unconfirmed: it was handed over and the answer was lost; it is not repeated by itself.',
  }),
  code: Nullable(
    Type.String({
      description: 'Why, where that needs a reason: a problem code, or `kept_in_outbox` where nothing leaves.',
    }),
  ),
  stream: OneOf(streams, { description: 'Of what sort it is. Security: its words open something, such as a reset.' }),
  template: Nullable(Type.String({ description: 'Key of the template it was made of.' })),
  from: Nullable(
    Type.Object(
      { address: Type.String(), name: Nullable(Type.String()) },
      { description: 'Null until it first leaves.' },
    ),
  ),
  replyTo: Nullable(Type.String()),
  to: recipientsOf('Who gets it.'),
  cc: recipientsOf('Who gets a copy that all see.'),
  bcc: recipientsOf('Who gets a copy that nobody else sees.'),
  subject: Type.String(),
  messageId: Nullable(Type.String({ description: 'Message-ID without angle brackets; given when it first leaves.' })),
  dedupeKey: Nullable(Type.String()),
  recordId: Nullable(
    Type.String({
      description: 'The lead (`lead:17`) or contact (`con_…`) that it was written to, on whose timeline it stands.',
    }),
  ),
  userId: Nullable(Type.Integer({ description: 'Who had it sent; null for mails that the server sends by itself.' })),
  transport: Nullable(
    Type.String({ description: 'What it went by: `outbox`, `installation` (TANDEM_SMTP_URL), or `mtr_…`.' }),
  ),
  attempts: Type.Integer({ description: 'How often it was handed over.' }),
  sizeBytes: Nullable(Type.Integer({ description: 'Of the mail as it left.' })),
  scheduledAt: Nullable(Timestamp),
  expiresAt: Type.Unsafe<string>({ ...Timestamp, description: 'From then on it is not sent any more.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  sentAt: Nullable(Timestamp),
})

const shownRecipient = ({ address, name, outcome, code, reply }: RecipientRow) => ({
  address,
  name,
  outcome,
  code,
  reply,
})

/** A mail as lists and events show it: without its words. */
export function presentMail(row: MailRow): Static<typeof Mail> {
  const of = (kind: RecipientRow['kind']) => row.recipients.filter(one => one.kind === kind).map(shownRecipient)
  return {
    mailId: row.id,
    state: row.state,
    code: row.code,
    stream: row.stream,
    template: row.template,
    from: row.from_address === null ? null : { address: row.from_address, name: row.from_name },
    replyTo: row.reply_to,
    to: of('to'),
    cc: of('cc'),
    bcc: of('bcc'),
    subject: row.subject,
    messageId: row.message_id,
    dedupeKey: row.dedupe_key,
    recordId: row.record_id,
    userId: row.user_id,
    transport: row.transport,
    attempts: row.attempts,
    sizeBytes: row.size_bytes,
    scheduledAt: row.scheduled_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    sentAt: row.sent_at,
  }
}

export const sampleMail: Static<typeof Mail> = {
  mailId: 'mail_01k9r7d3w2v8e6q4n5m1b0c9xz',
  state: 'sent',
  code: 'kept_in_outbox',
  stream: 'transactional',
  template: null,
  from: { address: 'office@example.com', name: 'Example Company' },
  replyTo: null,
  to: [{ address: 'ada@example.com', name: 'Ada Park', outcome: 'accepted', code: null, reply: null }],
  cc: [],
  bcc: [],
  subject: 'Your appointment on Monday',
  messageId: 'mail_01k9r7d3w2v8e6q4n5m1b0c9xz@example.com',
  dedupeKey: null,
  recordId: null,
  userId: 1,
  transport: 'outbox',
  attempts: 1,
  sizeBytes: 1824,
  scheduledAt: null,
  expiresAt: '2026-11-23T08:44:00.123Z',
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.301Z',
  sentAt: '2026-11-21T08:44:00.301Z',
}
