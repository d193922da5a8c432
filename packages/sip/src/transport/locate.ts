// Where the server of a URI is (RFC 3263): which transport, which addresses and ports, in the order to try them. NAPTR, SRV and
// addresses come from a resolver that is passed in; nothing is connected to here.
import { isIP } from 'node:net'
import { param } from '../scan.ts'
import type { SipUri, Uri } from '../uri.ts'
import { formatUri, isSipUri } from '../uri.ts'
import { bareHost } from './route.ts'
import type { SrvRecord } from './srv.ts'
import { isRefusal, orderSrv } from './srv.ts'
import type { Target, TransportName } from './types.ts'
import { defaultPort, isTransportError, systemCode, transportError } from './types.ts'

export type NaptrRecord = {
  readonly flags: string
  readonly service: string
  readonly regexp: string
  readonly replacement: string
  readonly order: number
  readonly preference: number
}

/** What is needed of `node:dns/promises`, or of one of its `Resolver`s. */
export type SipResolver = {
  resolveNaptr(name: string): Promise<readonly NaptrRecord[]>
  resolveSrv(name: string): Promise<readonly SrvRecord[]>
  resolve4(name: string): Promise<readonly string[]>
  resolve6(name: string): Promise<readonly string[]>
  /** The machine's own way, which knows its hosts file; asked when the DNS knows no address. */
  lookup?(name: string, options: { all: true }): Promise<readonly { address: string; family: number }[]>
}

export type LocateOptions = {
  resolver: SipResolver
  /** What we speak, best first: the order counts where the domain states none. */
  transports: readonly TransportName[]
  /** 0 to below 1. */
  random: () => number
  /** The families of addresses we have sockets for, best first; default IPv4, then IPv6. */
  families?: readonly (4 | 6)[]
  /** Put on every target over TLS; see Target. */
  profile?: string | undefined
}

/** Targets of one URI; records beyond are not asked for, so that a hostile zone cannot keep us busy. */
const maxTargets = 32
const maxHosts = 16

type Step = { readonly transport: TransportName; readonly hosts: readonly { name: string; port: number }[] }

/**
 * The targets of a sip: or sips: URI, in the order to try them: the next one is for when the one before cannot be reached, does
 * not answer or answers 503 (RFC 3263 §4.3). Never empty. For a request the URI is the topmost Route's, when there is one and it is
 * loose, else the Request-URI (RFC 3261 §8.1.2); an outbound proxy is given as its URI.
 *
 * Rejects with a TransportError: `unsupported`, `not_found`, or `dns_failed` when the DNS gave no answer.
 */
export async function locate(uri: Uri, options: LocateOptions): Promise<Target[]> {
  if (!isSipUri(uri)) throw transportError('unsupported', `${formatUri(uri)}: only sip: and sips: can be sent to`)
  const domain = bareHost(uri.host).replace(/\.$/, '')
  const target = bareHost(param(uri, 'maddr') || domain)
  const transport = chosenTransport(uri, options)
  const port = uri.port || undefined
  const families = options.families ?? [4, 6]
  // The certificate is for the domain of the URI, whatever server the DNS leads to (RFC 5922 §4, RFC 3263 §4.1).
  const secure = { serverName: isIP(domain) === 0 ? domain : undefined, profile: options.profile }
  const made = (name: TransportName, address: string, at: number): Target => ({
    transport: name,
    address,
    port: at,
    ...(name === 'tls' ? secure : {}),
  })

  if (isIP(target) !== 0) {
    const name = transport ?? plainTransport(uri, options)
    return [made(name, target, port ?? defaultPort(name))]
  }
  const lookups: Lookups = { resolver: options.resolver, families, failure: undefined }
  const steps = await stepsOf(uri, target, transport, port, options, lookups)
  const targets: Target[] = []
  for (const step of steps) {
    const found = await Promise.all(step.hosts.map(({ name }) => addressesOf(name, lookups)))
    for (const [index, addresses] of found.entries()) {
      for (const address of addresses) targets.push(made(step.transport, address, step.hosts[index]!.port))
    }
    // Another service of the domain is only for when this one has no server at all.
    if (targets.length > 0) break
  }
  if (targets.length > 0) return distinct(targets).slice(0, maxTargets)
  throw nothingFound(target, lookups.failure)
}

/** The transport that the URI names (RFC 3263 §4.1); undefined when it leaves it open. */
function chosenTransport(uri: SipUri, { transports }: LocateOptions): TransportName | undefined {
  const written = param(uri, 'transport')?.toLowerCase()
  if (written === undefined || written === '') return undefined
  const isSecure = uri.scheme === 'sips'
  const name = isSecure && written === 'tcp' ? 'tls' : written
  if ((name !== 'udp' && name !== 'tcp' && name !== 'tls') || (isSecure && name !== 'tls')) {
    throw transportError('unsupported', `${formatUri(uri)}: transport=${written} is not for ${uri.scheme}: here`)
  }
  if (!transports.includes(name)) {
    throw transportError('unsupported', `${formatUri(uri)}: ${name.toUpperCase()} is switched off`)
  }
  return name
}

/** Where nothing determines it: TLS for sips:, UDP for sip:, and what we have when we have no UDP. */
function plainTransport(uri: SipUri, { transports }: LocateOptions): TransportName {
  const wanted = uri.scheme === 'sips' ? 'tls' : 'udp'
  const name = transports.includes(wanted) ? wanted : transports[0]
  if (name === undefined || (wanted === 'tls' && name !== 'tls')) {
    throw transportError('unsupported', `${formatUri(uri)}: ${wanted.toUpperCase()} is switched off`)
  }
  return name
}

async function stepsOf(
  uri: SipUri,
  target: string,
  transport: TransportName | undefined,
  port: number | undefined,
  options: LocateOptions,
  lookups: Lookups,
): Promise<Step[]> {
  if (port !== undefined) {
    return [{ transport: transport ?? plainTransport(uri, options), hosts: [{ name: target, port }] }]
  }
  if (transport !== undefined) {
    const hosts = await servers(serviceName(transport, target), options, lookups)
    return [{ transport, hosts: hosts ?? [{ name: target, port: defaultPort(transport) }] }]
  }
  const usable = options.transports.filter(name => uri.scheme !== 'sips' || name === 'tls')
  const named = await namedServices(target, usable, lookups)
  const services = named ?? usable.map(name => ({ transport: name, service: serviceName(name, target) }))
  const answers = await Promise.all(services.map(({ service }) => servers(service, options, lookups)))
  const steps: Step[] = []
  for (const [index, hosts] of answers.entries()) {
    if (hosts !== undefined) steps.push({ transport: services[index]!.transport, hosts })
  }
  if (steps.length > 0) return steps
  const name = plainTransport(uri, options)
  return [{ transport: name, hosts: [{ name: target, port: defaultPort(name) }] }]
}

const naptrServices: Readonly<Record<string, TransportName>> = {
  'SIP+D2U': 'udp',
  'SIP+D2T': 'tcp',
  'SIPS+D2T': 'tls',
}

/** What the domain says by NAPTR, of the lowest order that has something for us; undefined when it says nothing (§4.1). */
async function namedServices(
  target: string,
  usable: readonly TransportName[],
  { resolver }: Lookups,
): Promise<{ transport: TransportName; service: string }[] | undefined> {
  // Some resolvers cannot ask for NAPTR; then SRV decides, as it would for a domain without NAPTR.
  const records = await resolver.resolveNaptr(target).catch(() => [])
  const fitting = records
    .filter(({ flags, regexp }) => flags.toLowerCase() === 's' && regexp === '')
    .map(record => ({ ...record, transport: naptrServices[record.service.toUpperCase()] }))
    .filter(record => record.transport !== undefined && usable.includes(record.transport))
    .sort((one, other) => one.order - other.order || one.preference - other.preference)
  if (fitting.length === 0) return undefined
  return fitting
    .filter(record => record.order === fitting[0]!.order)
    .slice(0, maxHosts)
    .map(({ transport, replacement }) => ({ transport: transport!, service: replacement }))
}

function serviceName(transport: TransportName, target: string): string {
  return `${transport === 'tls' ? '_sips._tcp' : `_sip._${transport}`}.${target}`
}

/**
 * The servers of a service in the order to try them; undefined when it has no SRV records, [] when it is refused. Without an
 * answer it is [] too: the records may be there and lead elsewhere, and an address of the domain itself would be a guess.
 */
async function servers(
  service: string,
  { random }: LocateOptions,
  lookups: Lookups,
): Promise<{ name: string; port: number }[] | undefined> {
  const records = await asked(lookups, () => lookups.resolver.resolveSrv(service))
  if (records?.length === 0) return undefined
  if (records === undefined || isRefusal(records)) return []
  const usable = records.filter(({ name, port }) => port > 0 && port <= 65_535 && name !== '' && name !== '.')
  return orderSrv(usable, random).slice(0, maxHosts)
}

type Lookups = {
  readonly resolver: SipResolver
  readonly families: readonly (4 | 6)[]
  /** The first question that had no answer, neither yes nor no. */
  failure: unknown
}

/** No such name, and no such records of it. */
const absent = new Set(['ENOTFOUND', 'ENODATA'])

/** Undefined when there was no answer. */
async function asked<T>(lookups: Lookups, question: () => Promise<readonly T[]>): Promise<readonly T[] | undefined> {
  try {
    return await question()
  } catch (error) {
    if (absent.has(systemCode(error) ?? '')) return []
    lookups.failure ??= error
    return undefined
  }
}

async function addressesOf(name: string, lookups: Lookups): Promise<string[]> {
  const { resolver, families } = lookups
  const host = name.replace(/\.$/, '')
  const literal = isIP(host)
  if (literal !== 0) return families.includes(literal as 4 | 6) ? [host] : []
  // RFC 6761 §6.3: never a question for the DNS.
  if (/(^|\.)localhost$/i.test(host)) return families.map(family => (family === 4 ? '127.0.0.1' : '::1'))
  const found = await Promise.all(
    families.map(family => asked(lookups, () => (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host)))),
  )
  const addresses = found.flatMap(list => list ?? [])
  if (addresses.length > 0 || resolver.lookup === undefined) return addresses
  const own = await resolver.lookup(host, { all: true }).catch(error => {
    if (isTransportError(error)) lookups.failure ??= error
    return []
  })
  return families.flatMap(family => own.filter(entry => entry.family === family).map(entry => entry.address))
}

function distinct(targets: readonly Target[]): Target[] {
  const seen = new Set<string>()
  return targets.filter(({ transport, address, port }) => {
    const key = `${transport} ${address} ${port}`
    return !seen.has(key) && seen.add(key) !== undefined
  })
}

function nothingFound(target: string, failure: unknown): Error {
  if (failure === undefined) {
    return transportError('not_found', `${target}: the DNS has no SIP server and no address of that name`)
  }
  // A resolver that keeps addresses to itself says why.
  if (isTransportError(failure)) return failure
  const why = systemCode(failure) ?? String(failure)
  return transportError('dns_failed', `${target}: the DNS did not answer (${why}); try again later`, failure)
}
