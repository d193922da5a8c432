// The server's side of digest (RFC 3261 §22.4, RFC 7616 §3.3): nonces that it recognises without keeping them, and a count for
// each that is in use, so that no credentials are good twice. Time comes in, nothing is random: nonces are sealed.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { DigestAlgorithm, DigestCredentials } from './digest.ts'
import { formatChallenge, isRightResponse } from './digest.ts'
import type { SipHeader } from './message.ts'

export type GuardOptions = {
  realm: string
  /** Seals the nonces; at least 16 random octets, the same on all nodes that share a trunk. */
  key: Buffer
  /** Best first. Left out: SHA-256, then MD5 for those who know no other (RFC 8760 §2.3). */
  algorithms?: readonly DigestAlgorithm[]
  /** How long a nonce may be used. Left out: five minutes. */
  lifetimeMs?: number
  /** Nonces in use whose counts are kept; the oldest gives way and is stale then. */
  maxNonces?: number
}

/**
 * - 'right': the password is proved.
 * - 'stale': it is, but the nonce is old or its count was used: challenge again with `isStale`, and no person is asked.
 * - 'wrong': it is not, or the algorithm or nonce are not ours.
 */
export type Verdict = 'right' | 'stale' | 'wrong'

export type DigestGuard = {
  /** One header for each algorithm, for a 401 or a 407. `now` in milliseconds since 1970. */
  challenge(status: 401 | 407, now: number, isStale?: boolean): SipHeader[]
  /** `secret` as `digestSecret` gives it for the algorithm of the credentials. */
  check(credentials: DigestCredentials, proof: { secret: string; method: string; body?: Buffer }, now: number): Verdict
  /** Nonces whose counts are kept. */
  readonly kept: number
}

const sealLength = 24

export function createDigestGuard(options: GuardOptions): DigestGuard {
  const { realm, key, algorithms = ['SHA-256', 'MD5'], lifetimeMs = 300_000, maxNonces = 100_000 } = options
  if (key.length < 16) throw new RangeError('key: 16 octets or more are needed to seal nonces')
  /** The last count of each nonce, oldest nonce in use first. */
  const counts = new Map<string, number>()
  /** Nonces up to this time whose count is not kept may have been used. */
  let forgottenUntil = -1
  let issued = 0

  const seal = (text: string) => createHmac('sha256', key).update(`${realm}:${text}`).digest('hex').slice(0, sealLength)

  function createNonce(now: number): string {
    issued = (issued + 1) % 0x1_0000_0000
    const text = now.toString(16).padStart(12, '0') + issued.toString(16).padStart(8, '0')
    return text + seal(text)
  }

  /** When the nonce was made; undefined when it is not ours. */
  function timeOf(nonce: string): number | undefined {
    const text = nonce.slice(0, 20)
    const given = Buffer.from(nonce.slice(20))
    const expected = Buffer.from(seal(text))
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return Number.parseInt(text.slice(0, 12), 16)
  }

  function challenge(status: 401 | 407, now: number, isStale = false): SipHeader[] {
    const name = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate'
    const nonce = createNonce(now)
    return algorithms.map(algorithm => {
      const value = formatChallenge({ realm, nonce, opaque: undefined, isStale, algorithm, qop: ['auth'] })
      return { name, value }
    })
  }

  function check(
    credentials: DigestCredentials,
    proof: { secret: string; method: string; body?: Buffer },
    now: number,
  ): Verdict {
    const { nonce, algorithm, realm: theirs } = credentials
    const time = timeOf(nonce)
    if (time === undefined || theirs !== realm || !algorithms.includes(algorithm)) return 'wrong'
    if (!isRightResponse(credentials, proof)) return 'wrong'
    if (now - time > lifetimeMs) return 'stale'
    return takeCount(nonce, time, credentials, now) ? 'right' : 'stale'
  }

  function takeCount(nonce: string, time: number, credentials: DigestCredentials, now: number): boolean {
    const last = counts.get(nonce)
    // Without qop nothing is counted, so such a nonce is good once.
    const count = credentials.qop === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(credentials.nonceCount!, 16)
    if (last === undefined && time <= forgottenUntil) return false
    if (count < 1 || (last !== undefined && count <= last)) return false
    counts.set(nonce, count)
    forget(now)
    return true
  }

  function forget(now: number): void {
    for (const nonce of counts.keys()) {
      const time = Number.parseInt(nonce.slice(0, 12), 16)
      const isOld = now - time > lifetimeMs
      if (!isOld && counts.size <= maxNonces) return
      if (!isOld) forgottenUntil = Math.max(forgottenUntil, time)
      counts.delete(nonce)
    }
  }

  return {
    challenge,
    check,
    get kept() {
      return counts.size
    },
  }
}
