// How phones are named, and what a phone means by what it dials. A phone's user name says whose it is: what the organization
// called it, the mode, and the number of the organization, as `reception.live1`. So no two tenants meet in one name, and any
// phone can be set up with server, user name and password alone. Pure.
import { parsePhone } from '../../../kernel/values/phone.ts'

type Mode = 'live' | 'test'
/** A phone's user name taken apart. */
export type PhoneName = { username: string; mode: Mode; organizationId: number }

/** The realm of all digests: it must not change, as passwords are kept as digests of it. */
export const realm = 'tandem'

/** The user name of a phone: what it logs in with and is called by. */
export function phoneUser({ username, mode, organizationId }: PhoneName): string {
  return `${username}.${mode}${organizationId}`
}

/** What a user name says; undefined for what is none of a phone, such as a telephone number. */
export function readPhoneUser(user: string): PhoneName | undefined {
  const [, username, mode, number] = /^([a-z0-9][a-z0-9._-]*)\.(live|test)([1-9]\d{0,14})$/.exec(user) ?? []
  if (username === undefined || number === undefined) return undefined
  return { username, mode: mode as Mode, organizationId: Number(number) }
}

/** The user part of a SIP address that leads to a phone of this server; undefined for any other address. */
export function ownUser(address: string, { domain, advertise }: { domain: string; advertise: string | null }) {
  const [, user, host] = /^sips?:([^@;?]+)@(\[[^\]]+\]|[^:;?>]+)(?:[:;?]|$)/i.exec(address) ?? []
  if (user === undefined || host === undefined) return undefined
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return bare === domain || bare === advertise ? user : undefined
}

/** The credential of a tenant that a user part means: its short name (`reception`) or the whole one. */
export function usernameIn(tenant: { mode: Mode; organizationId: number }, user: string): string | undefined {
  const named = readPhoneUser(user)
  if (named === undefined) return user.toLowerCase()
  return named.mode === tenant.mode && named.organizationId === tenant.organizationId ? named.username : undefined
}

/**
 * What a phone may mean by what it dials: another phone of its tenant, and if there is none of that name a telephone number.
 */
export function dialled(
  tenant: { mode: Mode; organizationId: number; defaultCountry: string | null },
  user: string,
): { username: string | undefined; number: string | undefined } {
  const digits = user.replace(/^sip:|;.*$/g, '')
  return { username: usernameIn(tenant, digits), number: parsePhone(digits, tenant.defaultCountry ?? undefined) }
}

/** The server that phones are set up with: host, with its port where that is not 5060. */
export function phoneServer({ domain, port }: { domain: string; port: number }): string {
  const host = domain.includes(':') ? `[${domain}]` : domain
  return port === 0 || port === 5060 ? host : `${host}:${port}`
}

/** The address of a phone of this server as it is stored; undefined for any other text. */
export function ownAddress(text: string, sip: { domain: string; advertise: string | null }): string | undefined {
  const user = ownUser(text.trim(), sip)
  return user === undefined ? undefined : `sip:${user}@${sip.domain}`
}
