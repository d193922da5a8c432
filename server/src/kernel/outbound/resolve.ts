// From a host to the addresses that may be dialled. All addresses of a name are asked for and checked together: a name with
// one forbidden address is forbidden, since nobody can say which one the next connection would get.
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopback } from '../values/loopback.ts'
import { bareHost, type Cidr, forbiddenAddress, isListedHost, parseCidr } from './egress.ts'

export type Resolved =
  | { ok: true; addresses: readonly string[] }
  | { ok: false; error: 'blocked_address' | 'dns_failed' }

export type ResolveOptions = {
  /** Ranges the operator opened. */
  allow: readonly string[]
  /** The only hosts to go to, as `TANDEM_EGRESS_HOSTS` has them; all where there are none. */
  hosts?: readonly string[]
  /** Where this process listens: never to be dialled, whatever is open. */
  own?: () => { address: string; port: number } | undefined
  /** `address:port` of the name servers to ask instead of those of the system (tests). */
  nameServers?: readonly string[]
  /** Milliseconds, never going back. */
  now?: () => number
}

export type HostResolver = {
  /** What was checked less than a second ago, if anything. */
  peek(host: string, port: number): Resolved | undefined
  /** @param host a name or literal address as `URL.hostname` has it */
  resolve(host: string, port: number): Promise<Resolved>
}

type Known = { untilMs: number; addresses: Promise<readonly string[]> }

/** What a name server said is believed so long at most, and so long at least: connections are checked by address anyway. */
const longestMs = 30_000
const shortestMs = 1_000
const maxKnown = 5_000
const maxAddresses = 16

export function createHostResolver(options: ResolveOptions): HostResolver {
  const { own = () => undefined, hosts = [], nameServers, now = () => performance.now() } = options
  const allow = options.allow.map(parseCidr).filter((range): range is Cidr => range !== undefined)
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (nameServers !== undefined) resolver.setServers([...nameServers])
  const known = new Map<string, Known>()
  const checked = new Map<string, { untilMs: number; resolved: Resolved }>()

  async function ask(name: string): Promise<{ addresses: string[]; ttlMs: number }> {
    const answers = await Promise.allSettled([
      resolver.resolve4(name, { ttl: true }),
      resolver.resolve6(name, { ttl: true }),
    ])
    const records = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    if (records.length > 0)
      return {
        addresses: records.map(record => record.address),
        ttlMs: Math.min(...records.map(record => record.ttl)) * 1000,
      }
    if (nameServers !== undefined) return { addresses: [], ttlMs: 0 }
    // The system knows names that no name server does: its hosts file, or those of a container network.
    const found = await lookup(name, { all: true }).catch(() => [])
    return { addresses: found.map(entry => entry.address), ttlMs: longestMs }
  }

  function addressesOf(name: string): Promise<readonly string[]> {
    const nowMs = now()
    const entry = known.get(name)
    if (entry !== undefined && entry.untilMs > nowMs) return entry.addresses
    if (known.size >= maxKnown) known.clear()
    const fresh: Known = { untilMs: nowMs + longestMs, addresses: Promise.resolve([]) }
    fresh.addresses = ask(name).then(({ addresses, ttlMs }) => {
      const believed = addresses.length === 0 ? 0 : Math.min(Math.max(ttlMs, shortestMs), longestMs)
      fresh.untilMs = now() + believed
      return addresses
    })
    known.set(name, fresh)
    return fresh.addresses
  }

  function isOwn(ip: string, port: number): boolean {
    const listener = own()
    if (listener === undefined || listener.port !== port) return false
    if (listener.address !== '0.0.0.0' && listener.address !== '::' && !isLoopback(listener.address))
      return ip === listener.address
    return isLoopback(ip) || localAddresses().has(ip)
  }

  async function check(host: string, port: number): Promise<Resolved> {
    const name = bareHost(host)
    if (!isListedHost(name, hosts)) return { ok: false, error: 'blocked_address' }
    const addresses = isIP(name) === 0 ? await addressesOf(name) : [name]
    if (addresses.length === 0) return { ok: false, error: 'dns_failed' }
    if (addresses.some(ip => forbiddenAddress(ip, allow) || isOwn(ip, port)))
      return { ok: false, error: 'blocked_address' }
    // IPv4 first: many hosts have an IPv6 address in the DNS and no way to it.
    const sorted = [...new Set(addresses)].sort((a, b) => isIP(a) - isIP(b) || (a < b ? -1 : 1))
    return { ok: true, addresses: sorted.slice(0, maxAddresses) }
  }

  return {
    peek(host, port) {
      const entry = checked.get(`${host} ${port}`)
      return entry !== undefined && entry.untilMs > now() ? entry.resolved : undefined
    },
    async resolve(host, port) {
      const resolved = await check(host, port)
      if (checked.size >= maxKnown) checked.clear()
      // A failure is asked for again at once, so that its end is seen.
      if (resolved.ok) checked.set(`${host} ${port}`, { untilMs: now() + shortestMs, resolved })
      return resolved
    },
  }
}

function localAddresses(): Set<string> {
  return new Set(
    Object.values(networkInterfaces())
      .flat()
      .map(entry => entry?.address ?? ''),
  )
}
