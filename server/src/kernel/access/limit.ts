// Rate limits: the door to the limiter of this process or of several nodes, the key a client is counted under, the
// headers that show a client where it stands, and the brake on guessing passwords.
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createMemoryLimiter, type Decision, type MemoryLimiter, stretched } from './limit_memory.ts'
import type { LimiterLog } from './limit_valkey.ts'

export { createMemoryLimiter, type Decision, type MemoryLimiter } from './limit_memory.ts'
export type { LimiterLog, ValkeyLimiter } from './limit_valkey.ts'
export { createFailureThrottle, type FailureThrottle } from './throttle.ts'

const WINDOW_SECONDS = 60

/**
 * Both kinds of limiter. In one process `take` answers at once; shared by Valkey it answers a promise. The window is a minute, or as
 * long as `windowSeconds` says, counted in sixtieths of it; a key has the same window always.
 */
export type Limiter = {
  take(key: string, limit: number, nowMs: number, cost?: number, windowSeconds?: number): Decision | Promise<Decision>
  close(): void
}

/** The limiter of the settings: shared when there is a Valkey, else in memory. 200,000 keys of each window. */
export async function createLimiter({ valkeyUrl, log }: { valkeyUrl?: string; log: LimiterLog }): Promise<Limiter> {
  const memory = createMemoryLimiters()
  if (!valkeyUrl) return { take: memory.take, close() {} }
  // A single node is spared the memory of that client.
  const { createValkeyLimiter } = await import('./limit_valkey.ts')
  return createValkeyLimiter({ url: valkeyUrl, log, fallback: memory, windowSeconds: WINDOW_SECONDS })
}

/** A limiter of one process for each window that is asked for: those of other windows live by a clock that runs faster or slower. */
export function createMemoryLimiters() {
  const minute = createMemoryLimiter({ windowSeconds: WINDOW_SECONDS, maxKeys: 200_000 })
  const others = new Map<number, MemoryLimiter>()
  return {
    take(key: string, limit: number, nowMs: number, cost?: number, windowSeconds = WINDOW_SECONDS): Decision {
      if (windowSeconds === WINDOW_SECONDS) return minute.take(key, limit, nowMs, cost)
      const limiter = others.get(windowSeconds) ?? createMemoryLimiter({ windowSeconds: WINDOW_SECONDS })
      others.set(windowSeconds, limiter)
      const stretch = windowSeconds / WINDOW_SECONDS
      return stretched(limiter.take(key, limit, nowMs / stretch, cost), stretch)
    },
  }
}

const MAPPED: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('::ffff:0:0'), 96] // RFC 4291 §2.5.5.2
// Translated clients (RFC 6052 §2.1): the IPv4 address is the client, the network before it is everybody's.
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96]

/**
 * What a client address is counted under: an IPv4 address as it is, also when written as IPv6 (`::ffff:192.0.2.1`); of
 * IPv6 the /64 network, for a single customer has all of it. Anything else (a local socket) shares the key `unknown`.
 */
export function clientKey(ip: string | undefined): string {
  if (ip === undefined) return 'unknown'
  if (isIPv4(ip)) return ip
  let key = networks.get(ip)
  if (key === undefined) {
    key = networkOf(ip)
    if (networks.size >= 10_000) networks.clear()
    networks.set(ip, key)
  }
  return key
}

/** The neighbourhood of an address, in which a client is still likely to be who it was: /24 of IPv4, /48 of IPv6. */
export function addressBlock(ip: string): string {
  const key = clientKey(ip)
  if (key === 'unknown') return key
  if (isIPv4(key)) return `${key.split('.').slice(0, 3).join('.')}.0/24`
  return `${key.split(':').slice(0, 3).join(':')}::/48`
}

// Reading an IPv6 address takes 3 µs, and a client sends more than one request.
const networks = new Map<string, string>()

function networkOf(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return 'unknown'
  const address = ipaddr.IPv6.parse(ip)
  const { parts } = address
  if (address.match(MAPPED) || address.match(NAT64)) {
    const [high, low] = [parts[6]!, parts[7]!]
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  const network = parts.slice(0, 4).map(part => part.toString(16))
  return `${network.join(':')}::/64`
}

/** Requests a minute. */
export type Limits = { perIp: number; perKey: number; perUser: number }

/** All keys of a user in a mode share this many times what one of them has: making keys must not multiply the limit. */
export const keysOfUserFactor = 5

/** One count that a request is charged to. `name` is the policy in the headers. */
export type Charge = { name: LimitName; key: string; limit: number }
export type LimitName = 'ip' | 'key' | 'keys' | 'user' | 'session' | 'app'

/** What each policy counts, as an error says it. */
export const limitedThing: Record<LimitName, string> = {
  ip: 'this IP address',
  key: 'this API key',
  keys: 'all API keys of this user in this mode',
  user: 'this user',
  session: 'this session or device',
  app: 'this app in this mode',
}

/**
 * What a request is charged to, in this order: an OAuth client to itself in its mode, no matter whom it acts for; an API key to itself
 * and then to all keys of its user in its mode; anyone who is logged in to the user, from wherever; anything else to the address, or to what a page of the portal proves of itself.
 */
export function chargesOf(
  caller: { keyId: string | null; client: { clientId: string } | null; userId: number; tenantId: number } | undefined,
  { ip, own }: { ip: string; own: string | undefined },
  { perIp, perKey, perUser }: Limits,
): [Charge, Charge?] {
  if (caller === undefined) {
    return own === undefined
      ? [{ name: 'ip', key: clientKey(ip), limit: perIp }]
      : [{ name: 'session', key: own, limit: perIp }]
  }
  const { keyId, client, userId, tenantId } = caller
  if (client !== null) return [{ name: 'app', key: `app ${client.clientId} ${tenantId}`, limit: perKey }]
  if (keyId === null) return [{ name: 'user', key: `user ${userId}`, limit: perUser }]
  return [
    { name: 'key', key: keyId, limit: perKey },
    { name: 'keys', key: `keys ${tenantId} ${userId}`, limit: perKey * keysOfUserFactor },
  ]
}

/**
 * Response headers for a decision: `RateLimit-Policy: "ip";q=100;w=60`, `RateLimit: "ip";r=…;t=…`, and `Retry-After`
 * in seconds when refused (draft-ietf-httpapi-ratelimit-headers-10 §3-4; RFC 9110 §10.2.3).
 */
export function limitHeaders(name: LimitName, decision: Decision): Record<string, string> {
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${name}";q=${decision.limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${name}";r=${decision.remaining};t=${decision.resetSeconds}`,
  }
  if (!decision.allowed) headers['Retry-After'] = String(decision.retryAfterSeconds)
  return headers
}
