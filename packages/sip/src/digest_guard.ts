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
   * that anyone who answers it has received it there.
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
  return new NonceGuard(options)
}

/** Lives as long as its realm is guarded: the counts of nonces that were used. */
class NonceGuard implements DigestGuard {
  private readonly realm: GuardOptions['realm']
  private readonly key: GuardOptions['key']
  private readonly algorithms: NonNullable<GuardOptions['algorithms']>
  private readonly lifetimeMs: NonNullable<GuardOptions['lifetimeMs']>
  private readonly maxNonces: NonNullable<GuardOptions['maxNonces']>
  /** The last count of each nonce, oldest nonce in use first. */
  private readonly counts = new Map<string, { time: number; count: number }>()
  /** Nonces up to this time whose count is not kept may have been used. */
  private forgottenUntil
  private issued = 0

  constructor(options: GuardOptions) {
    const { realm, key, algorithms = ['SHA-256', 'MD5'], lifetimeMs = 300_000, maxNonces = 100_000 } = options
    this.realm = realm
    this.key = key
    this.algorithms = algorithms
    this.lifetimeMs = lifetimeMs
    this.maxNonces = maxNonces
    if (key.length < 16) throw new RangeError('key: 16 octets or more are needed to seal nonces')
    this.forgottenUntil = (options.startedAt ?? 0) - 1
  }

  private seal(text: Buffer, address: string) {
    return createHmac('sha256', this.key)
      .update(`${this.realm}\n${address}\n`)
      .update(text)
      .digest()
      .subarray(0, sealLength)
  }

  private createNonce(now: number, address: string): string {
    this.issued = (this.issued + 1) % 0x1_0000_0000
    const text = Buffer.alloc(textLength)
    text.writeUIntBE(Math.floor(now), 0, timeLength)
    text.writeUInt32BE(this.issued, timeLength)
    return Buffer.concat([text, this.seal(text, address)]).toString('base64url')
  }

  /** When the nonce was made; undefined when it is not ours, or another address's. */
  private timeOf(nonce: string, address: string): number | undefined {
    const octets = Buffer.from(nonce, 'base64url')
    // One spelling only: its count is kept by it.
    if (octets.length !== textLength + sealLength || octets.toString('base64url') !== nonce) return undefined
    const text = octets.subarray(0, textLength)
    if (!timingSafeEqual(octets.subarray(textLength), this.seal(text, address))) return undefined
    return text.readUIntBE(0, timeLength)
  }

  private freshTimeOf(nonce: string, now: number, address: string): number | undefined {
    const time = this.timeOf(nonce, address)
    if (time === undefined || now - time > this.lifetimeMs) return undefined
    return time <= this.forgottenUntil && !this.counts.has(nonce) ? undefined : time
  }

  challenge(
    status: 401 | 407,
    now: number,
    { isStale = false, address = '' }: { isStale?: boolean; address?: string } = {},
  ): SipHeader[] {
    const name = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate'
    const nonce = this.createNonce(now, address)
    return this.algorithms.map(algorithm => {
      const value = formatChallenge({ realm: this.realm, nonce, opaque: undefined, isStale, algorithm, qop: ['auth'] })
      return { name, value }
    })
  }

  check(credentials: DigestCredentials, proof: Proof, now: number): Verdict {
    const { nonce, algorithm, realm: theirs, uri } = credentials
    const time = this.freshTimeOf(nonce, now, proof.address ?? '')
    if (time === undefined) return 'stale'
    if (theirs !== this.realm || !this.algorithms.includes(algorithm)) return 'wrong'
    const { secret, method, body } = proof
    if (!isRightResponse(credentials, { secret, method, ...(body && { body }) })) return 'wrong'
    if (!isFor(uri, proof.uri)) return 'elsewhere'
    return this.takeCount(nonce, time, credentials, now) ? 'right' : 'stale'
  }

  private takeCount(nonce: string, time: number, credentials: DigestCredentials, now: number): boolean {
    const last = this.counts.get(nonce)?.count
    // Without qop nothing is counted, so such a nonce is good once.
    const count = credentials.qop === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(credentials.nonceCount!, 16)
    if (count < 1 || (last !== undefined && count <= last)) return false
    this.counts.set(nonce, { time, count })
    this.forget(now)
    return true
  }

  private forget(now: number): void {
    for (const [nonce, { time }] of this.counts) {
      const isOld = now - time > this.lifetimeMs
      if (!isOld && this.counts.size <= this.maxNonces) return
      if (!isOld) this.forgottenUntil = Math.max(this.forgottenUntil, time)
      this.counts.delete(nonce)
    }
  }

  isFresh(nonce: string, now: number, address: string = ''): boolean {
    return this.freshTimeOf(nonce, now, address) !== undefined
  }

  get kept(): number {
    return this.counts.size
  }
}

/** Phones write their URI with or without port and parameters of the transport; whom they call, and where, must be the same. */
function isFor(credentials: string, requested: string): boolean {
  if (credentials === requested) return true
  const [one, other] = [parseUri(credentials), parseUri(requested)]
  return !isFault(one) && !isFault(other) && isSameTarget(one, other)
}
