// What a mail that came back says: delivery reports (RFC 3464), those of qmail, which are plain text, and complaints (RFC 5965).
// Nothing here is believed yet: whose mail it is about is found by take_report.ts.
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { messageIdsIn } from './rules.ts'

export type ReportedRecipient = {
  /** Addresses that the report calls it by, the one that was written to first. */
  addresses: readonly string[]
  outcome: 'delivered' | 'bounced' | 'complained'
  /** Whether the address itself takes no mail; false for what may pass. */
  isHard: boolean
  /** Enhanced status code (RFC 3463 §2), such as 5.1.1. */
  status: string | null
  /** What the server said, its beginning. */
  reply: string | null
}

export type Report = {
  kind: 'delivery' | 'complaint'
  /** Addresses it was sent to: one of them may be the return path of the mail. */
  sentTo: readonly string[]
  /** ENVID (RFC 3461 §4.4) and Message-IDs of the mail it is about, as far as it says so. */
  envelopeId: string | null
  messageIds: readonly string[]
  /** Without those that are only late. */
  recipients: readonly ReportedRecipient[]
}

type Fields = ReadonlyMap<string, string>

const maxRecipients = 100
const maxReply = 500

/** @returns undefined for a mail that is no report */
export async function readReport(raw: Uint8Array): Promise<Report | undefined> {
  const mail = await PostalMime.parse(raw, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' }).catch(
    () => undefined,
  )
  if (mail === undefined) return undefined
  const partOf = (...types: string[]) => mail.attachments.find(({ mimeType }) => types.includes(mimeType.toLowerCase()))
  const status = partOf('message/delivery-status', 'message/global-delivery-status')
  const feedback = partOf('message/feedback-report')
  const original = partOf('message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers')
  const about = { sentTo: addressedTo(mail), messageIds: messageIdsOf(textOf(original)) }
  if (feedback !== undefined) return complaintOf(textOf(feedback), about)
  if (status !== undefined) return deliveryOf(textOf(status), about)
  return qmailReportOf((mail.text ?? '').replaceAll('\0', ''), about)
}

/** Without NUL, which no text of PostgreSQL can hold. */
const textOf = (part: Attachment | undefined): string =>
  typeof part?.content === 'string' ? part.content.replaceAll('\0', '') : ''

const excerpt = (text: string) => text.slice(0, maxReply).toWellFormed()

function addressedTo({ headers }: Email): string[] {
  const names = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-failed-recipients']
  return headers
    .filter(({ key }) => names.includes(key))
    .flatMap(({ value }) => value.split(/[\s,<>;"]+/))
    .filter(word => word.includes('@'))
}

/** Of the headers that a text begins with; lines that begin with a blank go on (RFC 5322 §2.2.3). */
function fieldsOf(text: string): Fields {
  const fields = new Map<string, string>()
  for (const line of text.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value = ''] = /^([!-9;-~]+):\s*(.*)$/.exec(line) ?? []
    if (name !== undefined && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim())
  }
  return fields
}

const plain = (text: string) => text.replaceAll('\r\n', '\n')

function messageIdsOf(original: string): string[] {
  const head = plain(original).trimStart().split('\n\n', 1)[0] ?? ''
  return messageIdsIn(fieldsOf(head).get('message-id') ?? '').slice(0, 1)
}

/** `rfc822; <ada@example.com>`, with what xtext wrote otherwise (RFC 3461 §4). */
function addressOf(field: string | undefined): string | undefined {
  const text = field?.replace(/^[\w-]+\s*;/, '').replace(/\+([0-9A-F]{2})/g, (whole, hex: string) =>
    // `ada+e1@…` may be meant as it stands: only what must be written so is read so.
    ['2B', '3D', '20'].includes(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : whole,
  )
  return /[^\s<>;,"]+@[^\s<>;,"]+/.exec(text ?? '')?.[0]
}

type About = Pick<Report, 'sentTo' | 'messageIds'>

function deliveryOf(text: string, about: About): Report {
  const [first = '', ...rest] = plain(text)
    .trim()
    .split(/\n[ \t]*\n/)
  // Some put the recipient into the first group.
  const groups = rest.length === 0 ? [first] : rest
  const recipients = groups.slice(0, maxRecipients).flatMap(group => recipientOf(fieldsOf(group)))
  return { kind: 'delivery', envelopeId: fieldsOf(first).get('original-envelope-id') ?? null, recipients, ...about }
}

function recipientOf(fields: Fields): ReportedRecipient[] {
  const addresses = ['original-recipient', 'final-recipient', 'x-actual-recipient'].flatMap(
    name => addressOf(fields.get(name)) ?? [],
  )
  const action = /^\w+/.exec(fields.get('action') ?? '')?.[0].toLowerCase()
  const said = fields.get('diagnostic-code')?.replace(/^[\w-]+\s*;\s*/, '')
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? null
  const common = { addresses, status, reply: said === undefined ? null : excerpt(said) }
  if (action === 'delivered') return [{ ...common, outcome: 'delivered', isHard: false }]
  // `delayed` is no end, `relayed` and `expanded` say nothing of the mailbox.
  return action === 'failed' ? [{ ...common, outcome: 'bounced', isHard: isHard(status, said) }] : []
}

/** By the status; where that is missing, or says nothing (5.0.0), by what the server said. */
function isHard(status: string | null, said = ''): boolean {
  const spoken = /\b([45])\.\d{1,3}\.\d{1,3}\b/.exec(said)?.[1] ?? /(?:^|\s)([45])\d\d[\s-]/.exec(said)?.[1]
  if (status === null || status === '5.0.0') return (spoken ?? status?.[0]) === '5'
  return status.startsWith('5')
}

/** What recipients do with a mail; `not-spam` and reports of a failed check are no complaints. */
const complaints = ['abuse', 'fraud', 'virus', 'opt-out', 'other']

function complaintOf(text: string, about: About): Report {
  const fields = fieldsOf(plain(text))
  const type = fields.get('feedback-type')?.toLowerCase() ?? ''
  const address = addressOf(fields.get('original-rcpt-to'))
  const recipient = {
    addresses: address === undefined ? [] : [address],
    outcome: 'complained',
    isHard: true,
    status: null,
    reply: excerpt(`feedback-type ${type}`),
  } as const
  const recipients = complaints.includes(type) ? [recipient] : []
  return { kind: 'complaint', envelopeId: fields.get('original-envelope-id') ?? null, recipients, ...about }
}

/** Those of qmail (QSBMF) are text: a paragraph begins with each address, and the mail follows. */
function qmailReportOf(text: string, { sentTo }: About): Report | undefined {
  const [said = '', original = ''] = plain(text).split(/^--- (?:Below this line|Enclosed|Undelivered).*$/m, 2)
  if (!/^Hi\. (?:This is|The) /.test(said.trimStart())) return undefined
  const recipients = said.split(/\n[ \t]*\n/).flatMap((paragraph): ReportedRecipient[] => {
    const [, address, why = ''] = /^\s*<([^<>\s]+@[^<>\s]+)>:\s*\n([\s\S]*)$/.exec(paragraph) ?? []
    if (address === undefined) return []
    const reply = excerpt(why.replace(/\s+/g, ' ').trim())
    const status = /#([245]\.\d{1,3}\.\d{1,3})/.exec(why)?.[1] ?? null
    return [{ addresses: [address], outcome: 'bounced', isHard: isHard(status, reply), status, reply }]
  })
  if (recipients.length === 0) return undefined
  const messageIds = messageIdsOf(original)
  return { kind: 'delivery', sentTo, envelopeId: null, messageIds, recipients: recipients.slice(0, maxRecipients) }
}
