// Where the media of a peer really come from. Behind NAT that is not what its SDP says, so a session learns it once from the
// packets (symmetric RTP, RFC 4961) and from then on neither listens to others nor sends to them.

export type Endpoint = { address: string; port: number }

/**
 * Which sources besides the signalled one may be learned: any, other ports of the signalled address, or none. With `any` the
 * first who guesses the port and sends believable packets is taken, unless SRTP proves who it is.
 */
export type LatchPolicy = 'any' | 'same_address' | 'strict'

/** Addresses that media may go to and come from. */
export type MayReach = (address: string) => boolean

export type Latch = {
  /** Whether a datagram is of one who may still be the peer; to be asked before work is spent on it. */
  mayBe(source: Endpoint): boolean
  /** Whether a valid packet is the peer's. True from the signalled endpoint at once, from another when it is learned. */
  accept(source: Endpoint, packet: { ssrc: number; sequence: number }): boolean
  /** Another endpoint was signalled (re-INVITE): learning starts again where it differs from the last. */
  signal(endpoint: Endpoint | null): void
  /** Where to send: what was learned, or else what was signalled, unless that may not be reached. */
  target(): Endpoint | null
  /** What was learned from packets; null before. */
  learned(): Endpoint | null
}

type Candidate = { ssrc: number; nextSequence: number; count: number }

/** Packets in order and without a gap that make a source believable (RFC 3550 A.1 asks for two). */
const probation = 3
const maxCandidates = 8

export function createLatch({
  signalled,
  policy = 'any',
  mayReach = () => true,
}: {
  signalled: Endpoint | null
  policy?: LatchPolicy
  mayReach?: MayReach | undefined
}): Latch {
  let expected = reachable(signalled)
  let known = signalled
  let learned: Endpoint | null = null
  const candidates = new Map<string, Candidate>()

  const isExpected = (source: Endpoint) => expected !== null && isSame(expected, source)

  /** An endpoint that may not be reached is as good as none: the peer is waited for, from where it may be. */
  function reachable(endpoint: Endpoint | null): Endpoint | null {
    return endpoint !== null && mayReach(endpoint.address) ? endpoint : null
  }

  function mayBe(source: Endpoint): boolean {
    // Signalling is worth more than packets: from there the peer may come whatever was learned.
    if (isExpected(source)) return true
    if (learned !== null) return isSame(learned, source)
    if (policy === 'strict') return false
    return (policy === 'any' || known?.address === source.address) && mayReach(source.address)
  }

  function accept(source: Endpoint, packet: { ssrc: number; sequence: number }): boolean {
    if (learned !== null && isSame(learned, source)) return true
    if (!mayBe(source)) return false
    // One who took the place before is not to be driven out by a single packet with a forged source.
    if ((!isExpected(source) || learned !== null) && !hasProved(source, packet)) return false
    learned = { address: source.address, port: source.port }
    candidates.clear()
    return true
  }

  function hasProved({ address, port }: Endpoint, { ssrc, sequence }: { ssrc: number; sequence: number }): boolean {
    const name = `${address} ${port}`
    const known = candidates.get(name)
    const isNext = known !== undefined && known.ssrc === ssrc && known.nextSequence === sequence
    const count = isNext ? known.count + 1 : 1
    if (known === undefined && candidates.size >= maxCandidates) candidates.clear()
    candidates.set(name, { ssrc, nextSequence: (sequence + 1) & 0xffff, count })
    return count >= probation
  }

  function signal(endpoint: Endpoint | null): void {
    const isUnchanged = endpoint === null ? known === null : known !== null && isSame(known, endpoint)
    if (isUnchanged) return
    known = endpoint
    expected = reachable(endpoint)
    learned = null
    candidates.clear()
  }

  return {
    mayBe,
    accept,
    signal,
    target: () => learned ?? expected,
    learned: () => learned,
  }
}

export function isSame(a: Endpoint, b: Endpoint): boolean {
  return a.port === b.port && a.address === b.address
}
