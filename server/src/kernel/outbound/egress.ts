// Where callbacks and webhooks may go: the pure part of the guard against requests forged through us (SSRF). Decides
// about single addresses, which a sender asks after every name look-up and right before it dials, and about URLs when
// they are saved. A name that passes here may still resolve to a denied address: only the sender's check is final.
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A parsed address range: network and prefix length. */
export type Cidr = readonly [network: Address, prefix: number]

// Special-purpose addresses (IANA registries, RFC 6890): none is a place where a customer's server answers.
const DENIED_V4 = ranges(
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // carrier-grade NAT, RFC 6598
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, RFC 3927
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocols, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24', // AS112, RFC 7535
  '192.52.193.0/24', // AMT, RFC 7450
  '192.88.99.0/24', // 6to4 relays, RFC 7526
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112, RFC 7534
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved; with 255.255.255.255, broadcast
)

// Outside 2000::/3 nothing is global unicast: that alone denies loopback, unique local (fc00::/7), link-local,
// multicast, IPv4-mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64), SRv6 (5f00::/16).
const GLOBAL_V6 = ranges('2000::/3')
const DENIED_V6 = ranges(
  '2001::/23', // IETF protocols: Teredo, ORCHID, benchmarking (RFC 2928)
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056
  '2620:4f:8000::/48', // AS112, RFC 7534
  '3fff::/20', // documentation, RFC 9637
)

// Denied whatever the operator allows: addresses that mean this machine or its hypervisor wherever they are met. A
// cloud's metadata service hands out the machine's own credentials.
const NEVER = ranges(
  '0.0.0.0/8',
  '169.254.0.0/16', // all link-local: metadata of AWS, Azure, GCP, OpenStack, and of containers (169.254.170.2)
  '100.100.100.200/32', // Alibaba Cloud
  '168.63.129.16/32', // Azure's wire server, a public address
  '192.0.0.192/32', // Oracle Cloud, old
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // GCP
)

// IPv6 forms that carry an IPv4 address, and the 16-bit group it begins at. Translators and stacks send to that one.
const WRAPPERS: readonly { range: Cidr; group: number }[] = [
  { range: range('::/96'), group: 6 }, // IPv4-compatible, RFC 4291 §2.5.5.1
  { range: range('::ffff:0:0/96'), group: 6 }, // IPv4-mapped, RFC 4291 §2.5.5.2
  { range: range('::ffff:0:0:0/96'), group: 6 }, // IPv4-translated, RFC 7915
  { range: range('64:ff9b::/96'), group: 6 }, // NAT64, RFC 6052
  { range: range('64:ff9b:1::/48'), group: 6 }, // NAT64 of a site, RFC 8215
  { range: range('2002::/16'), group: 1 }, // 6to4, RFC 3056
]

const LOOPBACK_V6 = ranges('::1') // of the form ::/96, but carries nothing

/**
 * Whether no connection may be made to an address (`192.0.2.1`, `2001:db8::1`). `allow` lifts the denial of private and
 * other special ranges, but never of link-local and metadata addresses, nor for an IPv6 address that wraps one of them.
 * What is not a plain address, or has a zone (`%eth0`), is forbidden.
 */
export function forbiddenAddress(ip: string, allow: readonly Cidr[] = []): boolean {
  const address = plainAddress(ip)
  if (address === undefined) return true
  if (within(address, NEVER) || wrapsNever(address)) return true
  if (within(address, allow)) return false
  return address.kind() === 'ipv4'
    ? within(address, DENIED_V4)
    : !within(address, GLOBAL_V6) || within(address, DENIED_V6)
}

function plainAddress(ip: string): Address | undefined {
  if (isIPv4(ip)) return ipaddr.IPv4.parse(ip)
  return isIPv6(ip) && !ip.includes('%') ? ipaddr.IPv6.parse(ip) : undefined
}

function wrapsNever(address: Address): boolean {
  if (address.kind() === 'ipv4' || within(address, LOOPBACK_V6)) return false
  const { parts } = address as ipaddr.IPv6
  return WRAPPERS.some(({ range, group }) => {
    if (!within(address, [range])) return false
    const [high, low] = [parts[group]!, parts[group + 1]!]
    return within(new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]), NEVER)
  })
}

function within(address: Address, list: readonly Cidr[]): boolean {
  return list.some(([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix))
}

function ranges(...texts: string[]): Cidr[] {
  return texts.map(range)
}

function range(text: string): Cidr {
  const cidr = parseCidr(text)
  if (cidr === undefined) throw new RangeError(`not an address range: ${text}`)
  return cidr
}

/** A range (`10.1.0.0/16`, `fd00::/8`) or single address; undefined when it is neither. */
export function parseCidr(text: string): Cidr | undefined {
  const [ip = '', length, ...more] = text.trim().split('/')
  const address = plainAddress(ip)
  if (address === undefined || more.length > 0) return undefined
  const bits = address.kind() === 'ipv4' ? 32 : 128
  if (length === undefined) return [address, bits]
  return /^\d{1,3}$/.test(length) && Number(length) <= bits ? [address, Number(length)] : undefined
}

/** The ranges that the operator opened, as `TANDEM_EGRESS_ALLOW` names them. */
export function allowedRanges(allow: readonly string[]): Cidr[] {
  return allow.map(text => parseCidr(text)).filter(range => range !== undefined)
}

/** Why a callback URL is refused; a fixed set, fit to be shown. */
export type CallbackFault =
  | 'not_a_url'
  | 'too_long'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  | 'port_not_allowed'
  | 'host_not_public'
  | 'host_not_listed'
  | 'address_not_allowed'

export type CallbackOptions = {
  /** Takes `http:` too. Default: `https:` only, but for a literal address within `allow`. */
  allowHttp?: boolean
  /** Ranges the operator opened. With any, names of the inner network are taken too: what they resolve to decides. */
  allow?: readonly Cidr[]
  /** The only hosts, where the operator lists them. */
  hosts?: readonly string[]
  /** Default 443 and 8443; with `allowHttp` 80 and 8080 too. Not asked of a literal address within `allow`. */
  ports?: readonly number[]
}

/** What each fault says behind the name of the field: the sentence names the remedy. */
export const callbackFaults: Record<CallbackFault, string> = {
  not_a_url: 'is not an address; send one such as https://example.com/hooks',
  too_long: 'is longer than 2048 characters',
  scheme_not_allowed: 'must begin with https:// (http:// is for the test mode)',
  credentials_in_url: 'must not hold a user name or password; deliveries are signed instead',
  port_not_allowed:
    'names a port that callbacks do not use; 443 and 8443 are good, and any port at an address that TANDEM_EGRESS_ALLOW opens, if it is written as an address (127.0.0.1, not localhost)',
  host_not_public: 'names a host of an inner network; use a public name',
  host_not_listed: 'names a host that the operator of this server has not listed; have it added (TANDEM_EGRESS_HOSTS)',
  address_not_allowed:
    'names an address that callbacks may not reach; use a public one, or have the operator allow it (TANDEM_EGRESS_ALLOW)',
}

const MAX_URL = 2048
const HOST_NAME = /^(?:[^.]{1,63}\.)*[^.]{1,63}$/ // RFC 1035 §2.3.4
// Names that never lead out of a network: RFC 6761, RFC 6762, RFC 8375, and `internal` (ICANN, 2024).
const INNER_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa|onion)$/

/** The host of an address as it is looked up: without the brackets of IPv6 and the last dot. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/**
 * Whether the operator's list (`TANDEM_EGRESS_HOSTS`) has a host: a name, an address, or `*.example.com` for all names below one. An empty list
 * has all of them.
 */
export function isListedHost(hostname: string, hosts: readonly string[]): boolean {
  const host = bareHost(hostname).toLowerCase()
  return hosts.length === 0 || hosts.some(one => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one))
}

/** Of a link that an organization set up: why it is not made, in a sentence; undefined where it may be. */
export function unlistedHost(hostname: string, hosts: readonly string[]): string | undefined {
  return isListedHost(hostname, hosts)
    ? undefined
    : `${hostname} is not among the hosts that this server may reach; have its operator add it (TANDEM_EGRESS_HOSTS).`
}

/**
 * Whether what is sent there without TLS stays on this machine or in a private network, as far as the host says so: a literal address that is
 * not public, or a name that no public name server knows. What a name resolves to is checked again when it is dialled.
 */
export function isInnerHost(hostname: string): boolean {
  const host = bareHost(hostname)
  if (isIPv4(host) || isIPv6(host)) return forbiddenAddress(host)
  return !host.includes('.') || INNER_NAME.test(host)
}

/** Checks a callback URL when it is saved. `url` is the normalised form, which is the one to keep. */
export function checkCallbackUrl(
  text: string,
  { allowHttp = false, allow = [], hosts = [], ports }: CallbackOptions = {},
): { ok: true; url: URL } | { ok: false; reason: CallbackFault } {
  if (text.length > MAX_URL) return refused('too_long')
  const url = URL.parse(text)
  if (url === null) return refused('not_a_url')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('scheme_not_allowed')
  if (url.username !== '' || url.password !== '') return refused('credentials_in_url')
  // The parser has already turned every spelling of an address (decimal, octal, hexadecimal, short, full-width,
  // percent-encoded) into the usual one, so what looks like an address here is one, and nothing else is.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLiteral = isIPv4(host) || isIPv6(host)
  const isOpened = isLiteral && within(plainAddress(host)!, allow)
  if (url.protocol === 'http:' && !allowHttp && !isOpened) return refused('scheme_not_allowed')
  if (!isListedHost(host, hosts)) return refused('host_not_listed')
  if (isLiteral) {
    if (forbiddenAddress(host, allow)) return refused('address_not_allowed')
    return isOpened || portAllowed(url, allowHttp, ports) ? { ok: true, url } : refused('port_not_allowed')
  }
  const name = host.replace(/\.$/, '')
  if (!HOST_NAME.test(name) || name.length > 253) return refused('not_a_url')
  if (allow.length === 0 && (!name.includes('.') || INNER_NAME.test(name))) return refused('host_not_public')
  return portAllowed(url, allowHttp, ports) ? { ok: true, url } : refused('port_not_allowed')
}

function portAllowed(url: URL, allowHttp: boolean, ports?: readonly number[]): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return (ports ?? (allowHttp ? [443, 8443, 80, 8080] : [443, 8443])).includes(port)
}

function refused(reason: CallbackFault): { ok: false; reason: CallbackFault } {
  return { ok: false, reason }
}
