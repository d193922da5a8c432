// The server's side of digest (RFC 3261 §22.4, RFC 7616 §3.3, §5): nonces that it recognises without keeping them, each good for one
// address only, and a count for each that is in use, so that no credentials are good twice. Time comes in, nothing is random: nonces
// are sealed.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { DigestAlgorithm, DigestCredentials } from './digest.ts'
import { formatChallenge, isRightResponse } from './digest.ts'
import type { SipHeader } from './message.ts'
import { isFault } from './message.ts'
import { isSameTarget, parseUri } from './uri.ts'

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
  /** When this process began, in milliseconds since 1970: nonces from before may have been used, and are stale. */
  startedAt?: number
}

/**
 * - 'right': the password is proved.
 * - 'stale': the nonce is old, not ours or another address's, or its count was used: challenge again with `isStale`, and no person is
 *   asked. Nothing is said of the password, which nobody has looked at.
 * - 'elsewhere': the password is right, but for a request to another URI (RFC 7616 §3.4.6): answer 400.
 * - 'wrong': it is not, or the algorithm is none that was offered.
 */
export type Verdict = 'right' | 'stale' | 'elsewhere' | 'wrong'

export type Proof = {
  /** As `digestSecret` gives it for the algorithm of the credentials. */
  secret: string
  method: string
  /** The Request-URI. */
  uri: string
  body?: Buffer
  /** Where the request came from: what the challenge was made for. */
  address?: string
}

export type DigestGuard = {
  /**
   * One header for each algorithm, for a 401 or a 407. `now` in milliseconds since 1970. `address`: the only one that may use it, so
   * that whoever answers it has received it there.
   */
  challenge(status: 401 | 407, now: number, options?: { isStale?: boolean; address?: string }): SipHeader[]
  /** Whether a nonce is one of ours for this address, and still young: otherwise credentials with it are 'stale'. */
  isFresh(nonce: string, now: number, address?: string): boolean
  check(credentials: DigestCredentials, proof: Proof, now: number): Verdict
  /** Nonces whose counts are kept. */
  readonly kept: number
}

/** Octets of a nonce: when it was made, its number, its seal. */
const [timeLength, textLength, sealLength] = [6, 10, 12]

export function createDigestGuard(options: GuardOptions): DigestGuard {
  const { realm, key, algorithms = ['SHA-256', 'MD5'], lifetimeMs = 300_000, maxNonces = 100_000 } = options
  if (key.length < 16) throw new RangeError('key: 16 octets or more are needed to seal nonces')
  /** The last count of each nonce, oldest nonce in use first. */
  const counts = new Map<string, { time: number; count: number }>()
  /** Nonces up to this time whose count is not kept may have been used. */
  let forgottenUntil = (options.startedAt ?? 0) - 1
  let issued = 0

  const seal = (text: Buffer, address: string) =>
    createHmac('sha256', key).update(`${realm}\n${address}\n`).update(text).digest().subarray(0, sealLength)

  function createNonce(now: number, address: string): string {
    issued = (issued + 1) % 0x1_0000_0000
    const text = Buffer.alloc(textLength)
    text.writeUIntBE(Math.floor(now), 0, timeLength)
    text.writeUInt32BE(issued, timeLength)
    return Buffer.concat([text, seal(text, address)]).toString('base64url')
  }

  /** When the nonce was made; undefined when it is not ours, or another address's. */
  function timeOf(nonce: string, address: string): number | undefined {
    const octets = Buffer.from(nonce, 'base64url')
    // One spelling only: its count is kept by it.
    if (octets.length !== textLength + sealLength || octets.toString('base64url') !== nonce) return undefined
    const text = octets.subarray(0, textLength)
    if (!timingSafeEqual(octets.subarray(textLength), seal(text, address))) return undefined
    return text.readUIntBE(0, timeLength)
  }

  function freshTimeOf(nonce: string, now: number, address: string): number | undefined {
    const time = timeOf(nonce, address)
    if (time === undefined || now - time > lifetimeMs) return undefined
    return time <= forgottenUntil && !counts.has(nonce) ? undefined : time
  }

  function challenge(
    status: 401 | 407,
    now: number,
    { isStale = false, address = '' }: { isStale?: boolean; address?: string } = {},
  ): SipHeader[] {
    const name = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate'
    const nonce = createNonce(now, address)
    return algorithms.map(algorithm => {
      const value = formatChallenge({ realm, nonce, opaque: undefined, isStale, algorithm, qop: ['auth'] })
      return { name, value }
    })
  }

  function check(credentials: DigestCredentials, proof: Proof, now: number): Verdict {
    const { nonce, algorithm, realm: theirs, uri } = credentials
    const time = freshTimeOf(nonce, now, proof.address ?? '')
    if (time === undefined) return 'stale'
    if (theirs !== realm || !algorithms.includes(algorithm)) return 'wrong'
    const { secret, method, body } = proof
    if (!isRightResponse(credentials, { secret, method, ...(body && { body }) })) return 'wrong'
    if (!isFor(uri, proof.uri)) return 'elsewhere'
    return takeCount(nonce, time, credentials, now) ? 'right' : 'stale'
  }

  function takeCount(nonce: string, time: number, credentials: DigestCredentials, now: number): boolean {
    const last = counts.get(nonce)?.count
    // Without qop nothing is counted, so such a nonce is good once.
    const count = credentials.qop === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(credentials.nonceCount!, 16)
    if (count < 1 || (last !== undefined && count <= last)) return false
    counts.set(nonce, { time, count })
    forget(now)
    return true
  }

  function forget(now: number): void {
    for (const [nonce, { time }] of counts) {
      const isOld = now - time > lifetimeMs
      if (!isOld && counts.size <= maxNonces) return
      if (!isOld) forgottenUntil = Math.max(forgottenUntil, time)
      counts.delete(nonce)
    }
  }

  return {
    challenge,
    isFresh: (nonce, now, address = '') => freshTimeOf(nonce, now, address) !== undefined,
    check,
    get kept() {
      return counts.size
    },
  }
}

/** Phones write their URI with or without port and parameters of the transport; whom they call, and where, must be the same. */
function isFor(credentials: string, requested: string): boolean {
  if (credentials === requested) return true
  const [one, other] = [parseUri(credentials), parseUri(requested)]
  return !isFault(one) && !isFault(other) && isSameTarget(one, other)
}
