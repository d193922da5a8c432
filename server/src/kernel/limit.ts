// Rate limits: the door to the limiter of this process or of several nodes, the key a client is counted under, the
// headers that tell a client where it stands, and the brake on guessing passwords.
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createMemoryLimiter, type Decision } from './limit_memory.ts'
import type { LimiterLog } from './limit_valkey.ts'

export { createMemoryLimiter, type Decision, type MemoryLimiter } from './limit_memory.ts'
export type { LimiterLog, ValkeyLimiter } from './limit_valkey.ts'
export { createFailureThrottle, type FailureThrottle } from './throttle.ts'

const WINDOW_SECONDS = 60

/** Both kinds of limiter. In one process `take` answers at once; shared by Valkey it answers a promise. */
export type Limiter = {
  take(key: string, limit: number, nowMs: number, cost?: number): Decision | Promise<Decision>
  close(): void
}

/** The limiter of the settings: shared when there is a Valkey, else in memory. Windows of 60 seconds, 200,000 keys. */
export async function createLimiter({ valkeyUrl, log }: { valkeyUrl?: string; log: LimiterLog }): Promise<Limiter> {
  const memory = createMemoryLimiter({ windowSeconds: WINDOW_SECONDS, maxKeys: 200_000 })
  if (!valkeyUrl) return { take: memory.take, close() {} }
  // A single node is spared the memory of that client.
  const { createValkeyLimiter } = await import('./limit_valkey.ts')
  return createValkeyLimiter({ url: valkeyUrl, log, fallback: memory, windowSeconds: WINDOW_SECONDS })
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

/**
 * Response headers for a decision: `RateLimit-Policy: "ip";q=100;w=60`, `RateLimit: "ip";r=…;t=…`, and `Retry-After`
 * in seconds when refused (draft-ietf-httpapi-ratelimit-headers-10 §3-4; RFC 9110 §10.2.3).
 */
export function limitHeaders(name: 'ip' | 'key', decision: Decision): Record<string, string> {
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${name}";q=${decision.limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${name}";r=${decision.remaining};t=${decision.resetSeconds}`,
  }
  if (!decision.allowed) headers['Retry-After'] = String(decision.retryAfterSeconds)
  return headers
}
