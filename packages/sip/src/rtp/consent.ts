// Whether the peer's endpoint wants what is sent to it. An address in SDP is a claim: until something has come back from there
// a session sends no more than a few seconds of sound, so that nobody is made to flood a third party (as RFC 8445 §19.5.1
// has it of voice hammers); what it got from others pays for more. Afterwards the silence of a peer is its own matter:
// who suppresses silence (RFC 3389) or only listens sends nothing for long.

export type Consent = {
  /** A datagram came from where we send to. */
  heard(): void
  /** We send to somewhere else from now on. */
  moved(): void
  /** Whether the frame that is due may leave; counts it. */
  maySend(nowMs: number): boolean
}

const frameMs = 20
/** A packet now and then, so that the way through NAT stays open (RFC 6263) and anyone who waits for one gets it. */
const probeMs = 5_000

/** `unansweredMs`: of sound for endpoints from which nothing came; Infinity: no limit. */
export function createConsent(unansweredMs: number): Consent {
  const most = unansweredMs / frameMs
  let frames = most
  let isProved = false
  let probedMs = Number.NEGATIVE_INFINITY

  return {
    heard() {
      isProved = true
      if (frames < most) frames += 1
    },
    moved() {
      isProved = false
    },
    maySend(nowMs) {
      if (isProved) return true
      if (frames >= 1) {
        frames -= 1
        probedMs = nowMs
        return true
      }
      if (nowMs - probedMs < probeMs) return false
      probedMs = nowMs
      return true
    },
  }
}
