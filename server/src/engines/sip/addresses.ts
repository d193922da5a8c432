// The addresses of a call by a trunk: where it goes, what it says of who calls, with which account.
import { type DigestAccount, escapeUser, formatAddress, type SipUri, type TlsClientOptions } from '@tandem/sip'
import { callerIdForm, dialledForm, domainOf, type TrunkSettings } from '../../modules/voice/trunks/index.ts'

/** Where everything for the trunk is sent: its outbound proxy, or its host. */
export function requestTarget({ outboundProxy, host, port, transport }: TrunkSettings): string {
  const place = outboundProxy ?? `${hostOf(host)}${port === null ? '' : `:${port}`}`
  return `sip:${place};transport=${transport}`
}

/**
 * Wherever somebody who knows the trunk's names could send a call past it: proxy, host and domain, as each transport finds them by SRV
 * and as plain names.
 */
export function placesOf(settings: TrunkSettings): string[] {
  const { outboundProxy, host } = settings
  const names = [outboundProxy?.replace(/:\d+$/, ''), hostOf(host), domainOf(settings)]
  return [...new Set(names)].flatMap(name =>
    name === undefined
      ? []
      : [`sip:${name}:5060`, ...['udp', 'tcp', 'tls'].map(transport => `sip:${name};transport=${transport}`)],
  )
}

/** As it is in a URI. */
const hostOf = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** The outbound proxy, or the host where the domain of addresses is another one. */
export function routesOf(settings: TrunkSettings): string[] {
  return [`<${requestTarget(settings)};lr>`]
}

/** Whose certificate is good. */
export function tlsOf({ tlsCa, tlsVerify }: TrunkSettings): TlsClientOptions {
  return { verify: tlsVerify, ...(tlsCa === null ? {} : { ca: tlsCa }) }
}

export function accountOf({ username, authUsername, password }: TrunkSettings): DigestAccount | undefined {
  const name = authUsername ?? username
  return name === null || password === null ? undefined : { username: name, password }
}

/** Where a call by the trunk to a number goes. */
export function numberUri(number: string, settings: TrunkSettings): string {
  return `sip:${escapeUser(dialledForm(number, settings))}@${domainOf(settings)}`
}

export type CallAddresses = {
  from: string
  to: string
  target: string
  routes: string[]
  headers: { name: string; value: string }[]
}

/** @param call numbers in E.164 with + */
export function callAddresses(
  call: { from: string; to: string; callerName: string | null },
  settings: TrunkSettings,
): CallAddresses {
  const { from, headers } = callerIdForm({ number: call.from, name: call.callerName }, settings)
  const target = numberUri(call.to, settings)
  const uri = (name: string, host: string): SipUri => ({
    scheme: 'sip',
    user: escapeUser(name),
    password: undefined,
    host,
    port: undefined,
    params: [],
    headers: [],
  })
  const address = (displayName: string | null, at: SipUri) =>
    formatAddress({ displayName: displayName ?? undefined, uri: at, params: [] })
  return {
    from: address(from.displayName, uri(from.user, from.host)),
    to: `<${target}>`,
    target,
    routes: routesOf(settings),
    headers,
  }
}
