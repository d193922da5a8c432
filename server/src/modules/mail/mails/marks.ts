// What comes back to us by address: the return path that bounces name their mail with, and the link that takes a recipient off the list.
// Both carry a MAC, so that nobody makes one up.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../../../kernel/data/db.ts'
import { isId } from '../../../kernel/values/ids.ts'

const macLength = 10

function mac(pepper: Buffer, purpose: string, text: string): string {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', `tandem mail mark: ${purpose}`, 32))
  return createHmac('sha256', key)
    .update(text)
    .digest('hex')
    .slice(0, 2 * macLength)
}

const equal = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** `b+mail_….<mac>@bounce.example.com` (variable envelope return path). */
export function returnPath(pepper: Buffer, { tenantId }: Scope, mailId: string, host: string): string {
  return `b+${mailId}.${mac(pepper, 'bounce', `${tenantId} ${mailId}`)}@${host}`
}

/** The mail that an address names; undefined for one that is none of ours. */
export function readReturnPath(pepper: Buffer, { tenantId }: Scope, address: string): string | undefined {
  const [, mailId = '', given = ''] = /^b\+([^.@]+)\.([0-9a-f]+)@/i.exec(address.trim()) ?? []
  return isId('mail', mailId) && equal(given, mac(pepper, 'bounce', `${tenantId} ${mailId}`)) ? mailId : undefined
}

/** The last part of the address that takes the one recipient of a marketing mail off the list. */
export function unsubscribeToken(pepper: Buffer, { tenantId, organizationId }: Scope, mailId: string): string {
  const text = `${tenantId}.${organizationId}.${mailId}`
  return `${text}.${mac(pepper, 'unsubscribe', text)}`
}

export function readUnsubscribeToken(pepper: Buffer, token: string): { scope: Scope; mailId: string } | undefined {
  const [tenant = '', organization = '', mailId = '', given = '', ...more] = token.split('.')
  const isPlain = /^\d{1,15}$/.test(tenant) && /^\d{1,15}$/.test(organization) && isId('mail', mailId)
  if (!isPlain || more.length > 0) return undefined
  if (!equal(given, mac(pepper, 'unsubscribe', `${tenant}.${organization}.${mailId}`))) return undefined
  return { scope: { tenantId: Number(tenant), organizationId: Number(organization) }, mailId }
}
