// What comes back to us by address: the return path that bounces name their mail with, where answers and blind copies go, and the link that
// takes a recipient off the list. Each carries a MAC, so that nobody makes one up; others keep them, so the key of it is never rotated.
import { createHmac } from 'node:crypto'
import type { Scope } from '../../../kernel/data/db.ts'
import { isId } from '../../../kernel/values/ids.ts'
import { equalBytes, type Keyring } from '../../../kernel/values/keyring.ts'

const macLength = 10

function mac(keyring: Keyring, purpose: string, text: string): string {
  const key = keyring.lastingKey(`tandem mail mark: ${purpose}`)
  return createHmac('sha256', key)
    .update(text)
    .digest('hex')
    .slice(0, 2 * macLength)
}

const equal = (one: string, other: string) => equalBytes(Buffer.from(one), Buffer.from(other))

/**
 * What an address of ours is for: bounces of a mail, answers to it, blind copies of what a person sends from elsewhere, or the tray of what
 * came in. The tenant stands in it, so that a mail server knows whose it is before it takes the mail.
 */
export type Mark =
  | { kind: 'bounce' | 'reply'; tenantId: number; mailId: string }
  | { kind: 'log'; tenantId: number; userId: number }
  | { kind: 'inbox'; tenantId: number }

const words = { bounce: 'b', reply: 'r', log: 'log', inbox: 'in' } as const

/** `r+<tenant>-<mail>.<mac>@in.example.com`: at most 64 characters before the @ (RFC 5321 §4.5.3.1.1). */
export function markedAddress(keyring: Keyring, mark: Mark, host: string): string {
  const ref = refOf(mark)
  return `${words[mark.kind]}+${ref}.${mac(keyring, mark.kind, ref)}@${host}`
}

function refOf(mark: Mark): string {
  const tenant = mark.tenantId.toString(36)
  if (mark.kind === 'inbox') return tenant
  return `${tenant}-${mark.kind === 'log' ? mark.userId.toString(36) : mark.mailId.slice('mail_'.length)}`
}

const marked = /^(b|r|log|in)\+([0-9a-z]{1,11})(?:-([0-9a-z]{1,26}))?\.([0-9a-f]+)@[^@]+$/

/** What an address says, in whatever case it came; undefined for one that is none of ours. */
export function readMark(keyring: Keyring, address: string): Mark | undefined {
  const [, word, tenant = '', ref = '', given = ''] = marked.exec(address.trim().toLowerCase()) ?? []
  const kind = (Object.keys(words) as Mark['kind'][]).find(one => words[one] === word)
  if (kind === undefined) return undefined
  const mark = markOf(kind, Number.parseInt(tenant, 36), ref)
  return mark !== undefined && equal(given, mac(keyring, kind, refOf(mark))) ? mark : undefined
}

function markOf(kind: Mark['kind'], tenantId: number, ref: string): Mark | undefined {
  if (!Number.isSafeInteger(tenantId)) return undefined
  if (kind === 'inbox') return ref === '' ? { kind, tenantId } : undefined
  if (kind === 'log') {
    const userId = Number.parseInt(ref, 36)
    return Number.isSafeInteger(userId) ? { kind, tenantId, userId } : undefined
  }
  const mailId = `mail_${ref}`
  return isId('mail', mailId) ? { kind, tenantId, mailId } : undefined
}

/** `b+….<mac>@bounce.example.com` (variable envelope return path). */
export function returnPath(keyring: Keyring, { tenantId }: Scope, mailId: string, host: string): string {
  return markedAddress(keyring, { kind: 'bounce', tenantId, mailId }, host)
}

/** The mail of this tenant that an address for bounces names; undefined for one that is none of ours. */
export function readReturnPath(keyring: Keyring, { tenantId }: Scope, address: string): string | undefined {
  const mark = readMark(keyring, address)
  return mark?.kind === 'bounce' && mark.tenantId === tenantId ? mark.mailId : undefined
}

/** The last part of the address that takes the one recipient of a marketing mail off the list. */
export function unsubscribeToken(keyring: Keyring, { tenantId, organizationId }: Scope, mailId: string): string {
  const text = `${tenantId}.${organizationId}.${mailId}`
  return `${text}.${mac(keyring, 'unsubscribe', text)}`
}

export function readUnsubscribeToken(keyring: Keyring, token: string): { scope: Scope; mailId: string } | undefined {
  const [tenant = '', organization = '', mailId = '', given = '', ...more] = token.split('.')
  const isPlain = /^\d{1,15}$/.test(tenant) && /^\d{1,15}$/.test(organization) && isId('mail', mailId)
  if (!isPlain || more.length > 0) return undefined
  if (!equal(given, mac(keyring, 'unsubscribe', `${tenant}.${organization}.${mailId}`))) return undefined
  return { scope: { tenantId: Number(tenant), organizationId: Number(organization) }, mailId }
}
