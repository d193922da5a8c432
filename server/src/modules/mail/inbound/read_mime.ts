// A mail read as bytes (RFC 5322, RFC 2045): head, words and attachments, in bounds, and without what a database cannot hold. Nothing is
// fetched, and nothing here throws: what cannot be read is left out.
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { cleanEmail, isEmail } from '../../../kernel/values/email.ts'
import { messageIdsIn } from '../mails/index.ts'

export type Mailbox = { address: string; name: string | null }

export type ReadMail = {
  /** Whether it has a head at all. */
  isMail: boolean
  messageId: string | null
  /** Message-IDs that it answers, the nearest first. */
  answeredIds: string[]
  from: Mailbox | null
  /** Whether From names one sender, once: what is shown is then what can be proved. */
  hasOneSender: boolean
  to: Mailbox[]
  cc: Mailbox[]
  subject: string
  /** As it stands there. */
  date: string
  /** ISO 8601. */
  writtenAt: string | null
  text: string
  html: string | null
  isAutomatic: boolean
  /** Addresses that it was delivered for, as far as its head says so. */
  deliveredTo: string[]
  /** What servers on the way say of its sender, first to last (RFC 8601). */
  authResults: string[]
  attachments: ReadAttachment[]
}

export type ReadAttachment = {
  fileName: string
  mediaType: string
  isInline: boolean
  content: Buffer
}

const bounds = { text: 500_000, html: 1_000_000, subject: 998, name: 200, addresses: 200, ids: 50, attachments: 200 }

export async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw).catch((): Email => ({ headers: [], headerLines: [], attachments: [] }))
  const valuesOf = (name: string) => mail.headers.filter(({ key }) => key === name).map(({ value }) => value)
  const html = mail.html === undefined ? null : clean(mail.html, bounds.html)
  return {
    isMail: mail.headers.some(({ key }) => ['from', 'to', 'subject', 'date', 'message-id', 'received'].includes(key)),
    messageId: messageIdsIn(mail.messageId ?? '')[0] ?? null,
    answeredIds: [
      ...new Set([...messageIdsIn(mail.inReplyTo ?? ''), ...messageIdsIn(mail.references ?? '').reverse()]),
    ].slice(0, bounds.ids),
    from: mailboxesOf(mail.from === undefined ? [] : [mail.from])[0] ?? null,
    hasOneSender: valuesOf('from').length === 1 && mailboxesOf(mail.from === undefined ? [] : [mail.from]).length === 1,
    to: mailboxesOf(mail.to),
    cc: mailboxesOf(mail.cc),
    subject: line(mail.subject ?? '', bounds.subject),
    date: line(valuesOf('date')[0] ?? '', 100),
    writtenAt: momentOf(mail.date),
    text: clean(mail.text ?? (html === null ? '' : textOfHtml(html)), bounds.text),
    html,
    isAutomatic: isAutomatic(valuesOf),
    deliveredTo: ['delivered-to', 'x-original-to', 'envelope-to', 'to', 'cc']
      .flatMap(valuesOf)
      .flatMap(value => value.split(/[\s,<>;"]+/))
      .filter(word => word.includes('@'))
      .slice(0, bounds.addresses),
    authResults: valuesOf('authentication-results').slice(0, 10),
    attachments: mail.attachments.slice(0, bounds.attachments).map(readAttachment),
  }
}

/** Without NUL and halves of characters, which no text of PostgreSQL can hold. */
function clean(text: string, max: number): string {
  return text.replaceAll('\0', '').slice(0, max).toWellFormed()
}

function line(text: string, max: number): string {
  return clean(text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), max)
}

function mailboxesOf(list: readonly Address[] = []): Mailbox[] {
  const flat = list.flatMap(one => (one.group === undefined ? [one] : one.group))
  return flat
    .map(({ address = '', name }) => ({ address: cleanEmail(address), name: line(name, bounds.name) || null }))
    .filter(({ address }) => isEmail(address))
    .slice(0, bounds.addresses)
}

function momentOf(date: string | undefined): string | null {
  const ms = Date.parse(date ?? '')
  const isSensible = ms > Date.parse('1980-01-01T00:00:00Z') && ms < Date.parse('2200-01-01T00:00:00Z')
  return isSensible ? new Date(ms).toISOString() : null
}

/** Written by a machine: RFC 3834 §5, and what came before it. */
function isAutomatic(valuesOf: (name: string) => string[]): boolean {
  const submitted = valuesOf('auto-submitted')[0]?.trim().toLowerCase() ?? 'no'
  if (submitted !== 'no') return true
  if (['x-autoreply', 'x-autorespond', 'list-id', 'list-unsubscribe'].some(name => valuesOf(name).length > 0))
    return true
  if (/^(?:bulk|junk|list|auto_reply)\b/i.test(valuesOf('precedence')[0]?.trim() ?? '')) return true
  return valuesOf('return-path')[0]?.trim() === '<>'
}

function readAttachment(
  { filename, mimeType, disposition, related, content }: Attachment,
  index: number,
): ReadAttachment {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array)
  const isType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,60}$/.test(mimeType)
  const name = line((filename ?? '').replaceAll(/[/\\]/g, '_'), bounds.name)
  return {
    fileName: name === '' ? `attachment_${index + 1}${mimeType === 'message/rfc822' ? '.eml' : ''}` : name,
    mediaType: isType ? mimeType : 'application/octet-stream',
    isInline: related === true && disposition !== 'attachment',
    content: bytes,
  }
}

const dropped = /^(script|style|head|title|template|noscript)$/
const breaks = /^(br|p|div|tr|li|h[1-6]|blockquote|table|hr)$/

/** The words of HTML, a line a paragraph; in one pass, so that no markup makes it slow. */
export function textOfHtml(html: string): string {
  const parts: string[] = []
  let hidden: string | undefined
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    if (hidden === undefined) parts.push(html.slice(at, open === -1 ? html.length : open))
    const close = open === -1 ? -1 : html.indexOf('>', open)
    if (close === -1) break
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(open, Math.min(close, open + 20))) ?? []
    const tag = name.toLowerCase()
    if (hidden === undefined && slash === '' && dropped.test(tag)) hidden = tag
    else if (hidden === tag && slash === '/') hidden = undefined
    else if (hidden === undefined && breaks.test(tag)) parts.push('\n')
    at = close + 1
  }
  return decoded(parts.join(''))
    .replaceAll(/[ \t\u00a0]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decoded(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
    const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })
}
