// What may happen to a mail, when it is tried again and when given up, and what the reply of a server means for it.
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { move, type Table } from '../../../kernel/values/states.ts'

export const mailStates = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'suppressed',
  'canceled',
  'expired',
  'failed',
  'unconfirmed',
] as const
export type MailState = (typeof mailStates)[number]

export type MailEvent =
  | 'claimed'
  | 'canceled'
  | 'all_suppressed'
  | 'outlived'
  | 'unusable'
  | 'accepted'
  | 'partly_accepted'
  | 'rest_refused'
  | 'deferred'
  | 'given_back'
  | 'refused'
  | 'answer_lost'
  | 'asked_again'
  | 'report_delivered'
  | 'report_bounced'
  | 'report_complained'

/**
 * Sending and delivery. `sent` means that the next server took it on. What was handed over without an answer is `unconfirmed` and not
 * sent again unless a person asks for it; then it has the same Message-ID.
 */
export const mailTable: Table<MailState, MailEvent> = {
  claimed: { from: ['queued'], to: 'sending' },
  canceled: { from: ['queued'], to: 'canceled' },
  all_suppressed: { from: ['queued'], to: 'suppressed' },
  outlived: { from: ['queued'], to: 'expired' },
  unusable: { from: ['queued'], to: 'failed' },
  accepted: { from: ['sending', 'unconfirmed'], to: 'sent' },
  // Those who have it have it: the others are tried again, or are rejected alone.
  partly_accepted: { from: ['sending'], to: 'queued' },
  rest_refused: { from: ['sending'], to: 'sent' },
  deferred: { from: ['sending'], to: 'queued' },
  given_back: { from: ['sending'], to: 'queued' },
  refused: { from: ['sending'], to: 'failed' },
  answer_lost: { from: ['sending'], to: 'unconfirmed' },
  asked_again: { from: ['unconfirmed', 'failed', 'expired', 'suppressed', 'canceled', 'bounced'], to: 'queued' },
  report_delivered: { from: ['sent', 'unconfirmed'], to: 'delivered' },
  report_bounced: { from: ['sent', 'delivered', 'unconfirmed'], to: 'bounced' },
  report_complained: { from: ['sent', 'delivered', 'unconfirmed'], to: 'complained' },
}

export function nextMail(state: MailState, event: MailEvent): MailState | undefined {
  return move(mailTable, state, event)
}

/** Out of these it can be asked for again. */
export const retriable: readonly MailState[] = mailTable.asked_again.from

const minute = 60_000
const hour = 60 * minute
const pausesMs = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour]

/** How long a mail waits after this many attempts that were put off (1 for the first). */
export function retryDelayMs(attempts: number): number {
  return pausesMs[Math.min(attempts, pausesMs.length) - 1]!
}

/** From when it was due: what opens something is of no use later. */
export function validityMs(stream: string): number {
  return stream === 'security' ? 30 * minute : 48 * hour
}

/** What opens something is of use for minutes: it goes before the rest, within an allowance of its own. */
export const isUrgent = ({ stream }: Pick<MailRow, 'stream'>) => stream === 'security'

export const limits = { recipients: 50, bytes: 10 * 1024 * 1024, attachments: 20, subject: 998, dedupeKey: 200 }

export type Outcome = 'kept' | 'accepted' | 'deferred' | 'refused' | 'unconfirmed' | 'given_back'

/** What an attempt means for its mail. */
export const eventOf: Readonly<Record<Outcome, MailEvent>> = {
  kept: 'accepted',
  accepted: 'accepted',
  deferred: 'deferred',
  refused: 'refused',
  unconfirmed: 'answer_lost',
  given_back: 'given_back',
}

/** Event types of the log by the state that a move entered; moves into others are of no interest outside. */
export const eventTypes = {
  queued: 'mail.queued',
  sent: 'mail.sent',
  delivered: 'mail.delivered',
  bounced: 'mail.bounced',
  complained: 'mail.complained',
  suppressed: 'mail.suppressed',
  canceled: 'mail.canceled',
  expired: 'mail.expired',
  failed: 'mail.failed',
  unconfirmed: 'mail.unconfirmed',
} as const

/** A line break or other control character in what becomes a header would begin another one. */
export function headerFaults(texts: Readonly<Record<string, string | null | undefined>>): FieldFault[] {
  return Object.entries(texts).flatMap(([field, text]) =>
    text != null && /[\p{Cc}\u2028\u2029]/u.test(text)
      ? [{ field, code: 'not_allowed', message: 'must be one line without control characters' }]
      : [],
  )
}

const maxMessageIdBytes = 900

/** Message-IDs in a header, without angle brackets; not those that an index could not hold. */
export function messageIdsIn(text: string): string[] {
  return [...text.matchAll(/<([^<>\s]{1,900})>/g)]
    .map(([, id = '']) => id.replaceAll(/\p{Cc}/gu, '').toWellFormed())
    .filter(id => id !== '' && Buffer.byteLength(id) <= maxMessageIdBytes)
}

/** An address as suppressions, filters and recipients compare it. */
export function comparedAddress(address: string): string {
  return /^\p{ASCII}*$/u.test(address) ? address.toLowerCase() : address.normalize('NFC').toLowerCase()
}

export type RecipientKind = 'to' | 'cc' | 'bcc'
export type Recipient = { kind: RecipientKind; address: string; name: string | null }

export type RecipientRow = Recipient & {
  place: number
  outcome: 'accepted' | 'rejected' | 'suppressed' | 'delivered' | 'bounced' | 'complained' | null
  code: string | null
  reply: string | null
}

export type MailRow = {
  id: string
  stream: 'security' | 'transactional' | 'conversation' | 'marketing'
  state: MailState
  code: string | null
  template: string | null
  locale: string | null
  sender_id: string | null
  from_address: string | null
  from_name: string | null
  reply_to: string | null
  subject: string
  text: string | null
  html: string | null
  message_id: string | null
  dedupe_key: string | null
  /** The lead or contact that it was written to, as others name it: `lead:17`. */
  record_id: string | null
  /** Message-IDs that it answers, the nearest last. */
  answers: readonly string[]
  user_id: number | null
  transport: string | null
  size_bytes: number | null
  attempts: number
  version: number
  scheduled_at: string | null
  expires_at: string
  created_at: string
  updated_at: string
  sent_at: string | null
  recipients: RecipientRow[]
}
