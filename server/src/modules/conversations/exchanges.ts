// What events of messages, calls, mails, notes and records mean for conversations. Nothing here knows SQL.
import { isoMs } from '../../kernel/values/clock.ts'
import { cleanEmail } from '../../kernel/values/email.ts'
import type { EventType } from '../../kernel/values/noun.ts'
import { isE164 } from '../../kernel/values/phone.ts'
import type { SenderCheck } from '../mail/inbound/index.ts'
import { type Channel, type Exchange, previewOf } from './rules.ts'

/** An exchange, and with whom: an address, a record, or both. */
export type FoundExchange = Exchange & {
  address: { channel: Channel; address: string } | null
  recordId: string | null
  userId: number | null
}

/** An address that a record has: who wrote from it is this person. */
export type Claim = { recordId: string; addresses: readonly string[] }

export type Meaning =
  | { is: 'exchange'; exchange: FoundExchange }
  | { is: 'claim'; claim: Claim }
  /** A lead became a contact, or somebody said that an address is of a record. */
  | { is: 'became'; recordId: string; into: string }
  /** Somebody set a mail aside. */
  | { is: 'ignored'; itemId: string; at: string; address: string }
  /** A note says something else now; nothing, where it was deleted. */
  | { is: 'reworded'; itemId: string; preview: string }

const callEnds = [
  'call.completed',
  'call.busy',
  'call.no_answer',
  'call.rejected',
  'call.failed',
  'call.canceled',
] as const

/** The types of events that mean something here, no matter who is known. The index events_followed has just these. */
export const exchangeTypes: readonly EventType[] = [
  'message.received',
  'message.queued',
  'message.scheduled',
  ...callEnds,
  'mail.received',
  'mail.assigned',
  'mail.ignored',
  'mail.queued',
  'lead.converted',
  'note.updated',
  'note.deleted',
  'note.restored',
]

/**
 * Records that may have got addresses. That means something only where there are conversations with people whom nobody knows yet: one that
 * begins looks its person up by itself.
 */
export const claimTypes: readonly EventType[] = [
  'lead.created',
  'lead.updated',
  'lead.restored',
  'contact.created',
  'contact.updated',
  'contact.restored',
]

export type FollowedEvent = { id: string; type: string; sequence: number; data: unknown }

export function meaningsOf({ type, sequence, data }: FollowedEvent): Meaning[] {
  const [noun] = type.split('.')
  if (noun === 'message') {
    // What is handed over again was accepted before.
    if (type !== 'message.received' && sequence !== 1) return []
    return [{ is: 'exchange', exchange: ofText(data as TextFacts) }]
  }
  if (noun === 'note') {
    const { id, body } = data as { id: string; body: string }
    return [{ is: 'reworded', itemId: id, preview: type === 'note.deleted' ? '' : previewOf(body) }]
  }
  if (noun === 'call') return some(ofCall(data as CallFacts))
  if (noun === 'lead' || noun === 'contact') return ofRecord(noun, type, data as RecordFacts)
  if (type === 'mail.queued') return some(ofSentMail(data as SentMailFacts))
  return ofInboundMail(type, data as InboundMailFacts)
}

const some = (exchange: FoundExchange | undefined): Meaning[] =>
  exchange === undefined ? [] : [{ is: 'exchange', exchange }]

export type TextFacts = {
  messageId: string
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  body: string
  createdAt: string
}

export function ofText({ messageId, direction, from, to, body, createdAt }: TextFacts): FoundExchange {
  return {
    itemId: messageId,
    kind: 'text',
    direction,
    at: atMs(createdAt),
    preview: previewOf(body),
    effect: direction === 'inbound' ? 'waits' : 'answers',
    address: { channel: 'phone', address: direction === 'inbound' ? from : to },
    recordId: null,
    userId: null,
  }
}

export type CallFacts = {
  callId: string
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  state: string
  bridgedTo: string | null
  answeredAt: string | null
  createdAt: string
  endedAt?: string | null
}

/** Whether nobody took an inbound call: it talked with no other leg, only with instructions. */
export function isMissed({ direction, bridgedTo }: Pick<CallFacts, 'direction' | 'bridgedTo'>): boolean {
  return direction === 'inbound' && bridgedTo === null
}

/** A call that has ended. Of callers without a number, and of our own phones, nothing is made. */
export function ofCall(call: CallFacts): FoundExchange | undefined {
  const { callId, direction, from, to, answeredAt, createdAt, endedAt } = call
  const address = direction === 'inbound' ? from : to
  if (!isE164(address)) return undefined
  const missed = isMissed(call)
  const spoke = answeredAt !== null && !missed
  return {
    itemId: callId,
    kind: 'call',
    direction,
    // Until its end nobody could know that it is to be answered: what was written while somebody spoke on the box answers it not.
    at: atMs(missed ? (endedAt ?? createdAt) : createdAt),
    preview: missed ? 'Missed call' : direction === 'inbound' ? 'Call' : spoke ? 'Call' : 'Call, no answer',
    effect: missed ? 'waits' : spoke ? 'answers' : 'none',
    address: { channel: 'phone', address },
    recordId: null,
    userId: null,
  }
}

export type SentMailFacts = {
  mailId: string
  stream: string
  to: readonly { address: string }[]
  recordId: string | null
  userId: number | null
  subject: string
  createdAt: string
}

/** A mail that a person had sent answers; one that the server sends by itself does not. Resets and the like are nobody's conversation. */
export function ofSentMail(mail: SentMailFacts): FoundExchange | undefined {
  const { mailId, stream, to, recordId, userId, subject, createdAt } = mail
  const [first] = to
  if (stream === 'security' || (recordId === null && first === undefined)) return undefined
  return {
    itemId: mailId,
    kind: 'mail',
    direction: 'outbound',
    at: atMs(createdAt),
    preview: previewOf(subject),
    effect: userId === null || stream === 'marketing' ? 'none' : 'answers',
    address: first === undefined ? null : { channel: 'mail', address: mailKey(first.address) },
    recordId,
    userId,
  }
}

export type InboundMailFacts = {
  inboundId: string
  state: string
  direction: 'inbound' | 'outbound'
  from: { address: string } | null
  recordId: string | null
  userId: number | null
  isAutomatic: boolean
  sender: SenderCheck
  subject: string
  receivedAt: string
}

export function ofInbound(mail: InboundMailFacts): FoundExchange | undefined {
  const { inboundId, state, direction, from, recordId, userId, isAutomatic, sender, subject, receivedAt } = mail
  // A blind copy that belongs to no record says nothing of whom it went to.
  if (state === 'ignored' || (direction === 'outbound' && recordId === null)) return undefined
  if (recordId === null && from === null) return undefined
  return {
    itemId: inboundId,
    kind: 'mail',
    direction,
    at: atMs(receivedAt),
    preview: previewOf(subject),
    ...(direction === 'inbound' && { sender }),
    effect: direction === 'outbound' ? 'answers' : isAutomatic ? 'none' : 'waits',
    address: direction === 'inbound' && from !== null ? { channel: 'mail', address: mailKey(from.address) } : null,
    recordId,
    userId,
  }
}

function ofInboundMail(type: string, mail: InboundMailFacts): Meaning[] {
  const address = mail.from === null ? null : mailKey(mail.from.address)
  if (type === 'mail.ignored')
    return address === null ? [] : [{ is: 'ignored', itemId: mail.inboundId, at: atMs(mail.receivedAt), address }]
  const exchange = ofInbound(mail)
  if (exchange === undefined) return []
  const became: Meaning[] =
    type === 'mail.assigned' && mail.recordId !== null && exchange.address !== null
      ? [{ is: 'became', recordId: exchange.address.address, into: mail.recordId }]
      : []
  return [...became, { is: 'exchange', exchange }]
}

type RecordFacts = {
  id: string | number
  phone?: string | null
  email?: string | null
  phones?: readonly { value: string }[] | null
  emails?: readonly { value: string }[] | null
  contact_id?: string | null
}

function ofRecord(noun: 'lead' | 'contact', type: string, data: RecordFacts): Meaning[] {
  const recordId = noun === 'lead' ? `lead:${data.id}` : String(data.id)
  if (type === 'lead.converted')
    return typeof data.contact_id === 'string' ? [{ is: 'became', recordId, into: data.contact_id }] : []
  const addresses = addressesOf(data)
  return addresses.length === 0 ? [] : [{ is: 'claim', claim: { recordId, addresses } }]
}

/** The addresses of a lead or contact, as conversations know them. */
export function addressesOf({ phone, email, phones, emails }: Omit<RecordFacts, 'id'>): string[] {
  const mails = [...(email ? [email] : []), ...(emails ?? []).map(({ value }) => value)]
  return [...new Set([...(phone ? [phone] : []), ...(phones ?? []).map(({ value }) => value), ...mails.map(mailKey)])]
}

/** A mail address as it is compared. */
export function mailKey(address: string): string {
  return cleanEmail(address).toLowerCase()
}

const atMs = (text: string) => isoMs(Date.parse(text))
