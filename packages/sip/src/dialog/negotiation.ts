// Offer and answer over the life of a dialog (RFC 3264, RFC 3261 §13.2.1 and §14, RFC 3311 §5, RFC 6337): who may offer now,
// which description in which message is an offer and which an answer, glare, hold. Plain data; descriptions are kept as text.
import type { SipFault, SipHeader } from '../message.ts'
import { createFault, isFault } from '../message.ts'
import type { AudioStream, LocalAudio } from '../offer_answer.ts'
import { createAnswer, createOffer, createReoffer, readAnswer } from '../offer_answer.ts'
import type { Sdp } from '../sdp.ts'
import { formatSdp, parseSdp } from '../sdp.ts'
import type { Direction } from '../sdp_audio.ts'
import { directionFrom, directionOf, sendsIn } from '../sdp_audio.ts'

/** The message an offer went in; 'response' is a reliable response to an INVITE without one. */
export type OfferCarrier = 'INVITE' | 'UPDATE' | 'PRACK' | 'response'

/**
 * Contains SRTP keys where SRTP is used: treat it as a secret when it is stored.
 * - `phase`: 'stable': a new offer may be made. 'offered': ours waits for its answer. 'asked': theirs waits for ours.
 *   'awaiting': our INVITE left the offer to them. 'owing': their INVITE left it to us.
 * - `offer`: the open one. `preview`: a description in a provisional response that was not reliable.
 * - `local`, `remote`: the descriptions in force; null until the first answer. `side`: whose offer led to them.
 * - `version`: the highest session version we have sent, '' before.
 * - `invite`: whose INVITE is without its final response; while there is one, no other may be sent (§14.1).
 * - `isHolding`: we keep the remote party on hold.
 */
export type Negotiation = {
  readonly phase: 'stable' | 'offered' | 'asked' | 'awaiting' | 'owing'
  readonly offer: { readonly sdp: string; readonly carrier: OfferCarrier } | null
  readonly preview: string | null
  readonly local: string | null
  readonly remote: string | null
  readonly side: 'ours' | 'theirs' | null
  readonly version: string
  readonly invite: 'ours' | 'theirs' | null
  readonly isHolding: boolean
}

/** What was agreed: `stream` for the RTP session. */
export type MediaAgreed = { readonly negotiation: Negotiation; readonly stream: AudioStream }

/** A description of ours to be sent as application/sdp. */
export type MediaDescribed = { readonly negotiation: Negotiation; readonly sdp: string }

export function createNegotiation(): Negotiation {
  return {
    phase: 'stable',
    offer: null,
    preview: null,
    local: null,
    remote: null,
    side: null,
    version: '',
    invite: null,
    isHolding: false,
  }
}

/** Whether an offer may leave in a request now; when not, wait for the end of what is open (§14.1, RFC 3311 §5.1). */
export function mayOffer(negotiation: Negotiation, carrier: 'INVITE' | 'UPDATE' | 'PRACK'): boolean {
  return negotiation.phase === 'stable' && (carrier !== 'INVITE' || negotiation.invite === null)
}

/** The next offers and answers ask to be heard no more, or again. Then make an offer. */
export function withHold(negotiation: Negotiation, isHolding: boolean): Negotiation {
  return { ...negotiation, isHolding }
}

function wanted({ isHolding }: Negotiation, local: LocalAudio): Direction {
  const direction = local.direction ?? 'sendrecv'
  return isHolding ? directionFrom(sendsIn(direction), false) : direction
}

/**
 * An offer of ours: the first, or the description in force with the direction we want now (hold, resume, session refresh).
 * 'response' is for an INVITE that came without one. Throws a RangeError where `mayOffer` says no.
 */
export function makeOffer(negotiation: Negotiation, local: LocalAudio, carrier: OfferCarrier): MediaDescribed {
  const isAllowed = carrier === 'response' ? negotiation.phase === 'owing' : mayOffer(negotiation, carrier)
  if (!isAllowed) throw new RangeError(`${carrier}: no offer may be made while the negotiation is ${negotiation.phase}`)
  const direction = wanted(negotiation, local)
  const inForce = negotiation.local === null ? undefined : read(negotiation.local)
  // Nobody can refuse an offer in a response and be made another one.
  const srtp = carrier === 'response' && local.srtp === 'preferred' ? 'allowed' : local.srtp
  const own: LocalAudio = { ...local, direction, ...(srtp === undefined ? {} : { srtp }) }
  const fresh = inForce === undefined ? createOffer(own) : createReoffer(inForce, direction)
  const { sdp, version } = stamped(fresh, negotiation)
  const invite = carrier === 'INVITE' ? 'ours' : negotiation.invite
  return { negotiation: { ...negotiation, phase: 'offered', offer: { sdp, carrier }, version, invite }, sdp }
}

/**
 * After a refusal of our INVITE's offer: the other one of RTP/SAVP and RTP/AVP, where both will do ('preferred' begins with the
 * first, 'allowed' with the second); undefined where there is no other. Ask once.
 */
export function otherOffer(
  negotiation: Negotiation,
  local: LocalAudio,
): { readonly negotiation: Negotiation; readonly local: LocalAudio } | undefined {
  const { srtp = 'never', cryptos = [] } = local
  if (cryptos.length === 0 || (srtp !== 'preferred' && srtp !== 'allowed')) return undefined
  return {
    negotiation: { ...createNegotiation(), version: negotiation.version },
    local: { ...local, srtp: srtp === 'preferred' ? 'allowed' : 'preferred' },
  }
}

/** Our INVITE goes out without a description: the remote party has to offer in its response. */
export function sendBareInvite(negotiation: Negotiation): Negotiation {
  if (!mayOffer(negotiation, 'INVITE')) throw new RangeError('INVITE: another one has no final response yet')
  return { ...negotiation, phase: 'awaiting', invite: 'ours' }
}

/** Gives a description the version after the highest we sent, unless it is the one in force (RFC 3264 §8). */
function stamped(sdp: Sdp, { local, version }: Negotiation): { sdp: string; version: string } {
  const text = formatSdp(sdp)
  if (text === local || version === '') return { sdp: text, version: higher(version, sdp.origin.sessionVersion) }
  const inForce = local === null ? undefined : read(local).origin.sessionVersion
  const same = inForce === undefined ? undefined : formatSdp(withVersion(sdp, inForce))
  if (same !== undefined && same === local) return { sdp: same, version }
  const next = String(BigInt(version) + 1n)
  return { sdp: formatSdp(withVersion(sdp, next)), version: next }
}

function withVersion(sdp: Sdp, sessionVersion: string): Sdp {
  return { ...sdp, origin: { ...sdp.origin, sessionVersion } }
}

function higher(one: string, other: string): string {
  return one !== '' && BigInt(one) > BigInt(other) ? one : other
}

/** A message, as much as matters for what its description is. `isReliable`: it has RSeq, as RFC 3262 wants. */
export type SdpCarrier =
  | { readonly kind: 'request'; readonly method: string }
  | { readonly kind: 'response'; readonly method: string; readonly status: number; readonly isReliable?: boolean }

/**
 * What a description in a message from the remote party is (RFC 6337 §2.1). 'preview' says where early media come from, before
 * anything is agreed. 'none': it repeats what was said, or says it where nothing may be said; act as if it were not there.
 */
export function roleOfSdp(negotiation: Negotiation, message: SdpCarrier): 'offer' | 'answer' | 'preview' | 'none' {
  const { phase, offer } = negotiation
  const { method } = message
  const isAnswerTo = (carrier: OfferCarrier) => phase === 'offered' && offer?.carrier === carrier
  if (message.kind === 'request') {
    if (method === 'ACK') return isAnswerTo('response') ? 'answer' : 'none'
    // INVITE and UPDATE are held against `refuseGlare` first; a PRACK cannot be refused, so its offer has to find us free.
    if (method === 'PRACK') return isAnswerTo('response') ? 'answer' : phase === 'stable' ? 'offer' : 'none'
    return method === 'INVITE' || method === 'UPDATE' ? 'offer' : 'none'
  }
  const { status, isReliable = false } = message
  if (status <= 100 || status >= 300) return 'none'
  if (method === 'UPDATE' || method === 'PRACK') return status >= 200 && isAnswerTo(method) ? 'answer' : 'none'
  if (method !== 'INVITE') return 'none'
  const isBinding = status >= 200 || isReliable
  if (isAnswerTo('INVITE')) return isBinding ? 'answer' : 'preview'
  return phase === 'awaiting' && isBinding ? 'offer' : 'none'
}

/**
 * Whether an INVITE or UPDATE from the remote party comes at a bad time: 491 when ours is open, so both step back and try again
 * (§14.2; see `glareDelayMs`), 500 with Retry-After when its own earlier one is. `retryAfter`: random, 0 to 10 seconds.
 */
export function refuseGlare(
  negotiation: Negotiation,
  method: 'INVITE' | 'UPDATE',
  hasOffer: boolean,
  retryAfter: number,
): SipFault | undefined {
  const { phase, invite } = negotiation
  const isOurs = phase === 'offered' || phase === 'awaiting'
  const isTheirs = phase === 'asked' || phase === 'owing'
  if (method === 'INVITE' ? invite === 'ours' || isOurs : hasOffer && isOurs) {
    return createFault('refused', 'a request of ours is open', { status: 491 })
  }
  if (method === 'INVITE' ? invite === 'theirs' || isTheirs : hasOffer && isTheirs) {
    const headers: SipHeader[] = [{ name: 'Retry-After', value: String(retryAfter) }]
    return { ...createFault('refused', 'an earlier request has no answer yet', { status: 500 }), headers }
  }
  return undefined
}

/**
 * Milliseconds to wait after a 491 before the same is tried again (§14.1): anyone who owns the Call-ID waits longer, so the two do
 * not meet again. `part`: random, 0 to just below 1.
 */
export function glareDelayMs(role: 'uac' | 'uas', part: number): number {
  return role === 'uac' ? 2_100 + Math.floor(part * 191) * 10 : Math.floor(part * 201) * 10
}

/** An INVITE of the remote party has come, and was not refused for glare. Undefined `sdp`: it leaves the offer to us. */
export function receiveInvite(negotiation: Negotiation, sdp: string | undefined): Negotiation | SipFault {
  const open: Negotiation = { ...negotiation, invite: 'theirs' }
  return sdp === undefined ? { ...open, phase: 'owing' } : receiveOffer(open, sdp, 'INVITE')
}

/** An offer of theirs, in a message that `roleOfSdp` called one. A description that cannot be read is a fault, 400. */
export function receiveOffer(negotiation: Negotiation, sdp: string, carrier: OfferCarrier): Negotiation | SipFault {
  const offer = parseSdp(sdp)
  if (isFault(offer)) return offer
  // Written again, so that it is no slice of a datagram.
  return { ...negotiation, phase: 'asked', offer: { sdp: formatSdp(offer), carrier } }
}

/** Our answer to their open offer. Fault 488 when nothing fits: refuse then, and `dropOffer`; what was agreed stays. */
export function makeAnswer(negotiation: Negotiation, local: LocalAudio): (MediaDescribed & MediaAgreed) | SipFault {
  const { phase, offer } = negotiation
  if (phase !== 'asked' || offer === null) throw new RangeError('answer: there is no offer to answer')
  const previous = negotiation.local === null ? undefined : read(negotiation.local)
  const made = createAnswer(read(offer.sdp), { ...local, direction: wanted(negotiation, local) }, previous)
  if (isFault(made)) return made
  const { sdp, version } = stamped(made.answer, negotiation)
  const next = { ...settled(negotiation), local: sdp, remote: offer.sdp, side: 'theirs', version } as const
  return { negotiation: next, sdp, stream: made.stream }
}

/**
 * Their answer to our open offer. A fault when it does not fit: end the call, or after a re-INVITE `dropOffer`. When a 2xx
 * comes without one, pass the `preview`: some take what they said in a provisional response for their answer (§13.2.1).
 */
export function receiveAnswer(negotiation: Negotiation, sdp: string, local: LocalAudio): MediaAgreed | SipFault {
  const { phase, offer } = negotiation
  if (phase !== 'offered' || offer === null) throw new RangeError('answer: there is no offer of ours')
  const answer = parseSdp(sdp)
  if (isFault(answer)) return answer
  const stream = readAnswer(read(offer.sdp), answer, local)
  if (isFault(stream)) return stream
  const next = { ...settled(negotiation), local: offer.sdp, remote: formatSdp(answer), side: 'ours' } as const
  return { negotiation: next, stream }
}

/** A description in an unreliable provisional response: early media may be played by it, and nothing is agreed. */
export function receivePreview(negotiation: Negotiation, sdp: string, local: LocalAudio): MediaAgreed | SipFault {
  const heard = receiveAnswer(negotiation, sdp, local)
  if (isFault(heard)) return heard
  return { negotiation: { ...negotiation, preview: heard.negotiation.remote }, stream: heard.stream }
}

function settled(negotiation: Negotiation): Negotiation {
  return { ...negotiation, phase: 'stable', offer: null, preview: null }
}

/** The request with the open offer was refused, or never answered: what was agreed before is in force (§14.1). */
export function dropOffer(negotiation: Negotiation): Negotiation {
  return settled(negotiation)
}

/**
 * The INVITE is over. Ours: its final response is here. Theirs: our final response is out, and where that had the offer, its
 * ACK is here. Not after 401, 407, 422 or a 3xx: the same description goes out again then. An offer still open is dropped, except one in a 2xx of ours, which the ACK answers.
 */
export function endInvite(negotiation: Negotiation): Negotiation {
  const { phase, offer } = negotiation
  const isOver = phase === 'awaiting' || phase === 'owing' || offer?.carrier === 'INVITE'
  return { ...(isOver ? settled(negotiation) : negotiation), invite: null }
}

/** The stream in force, read from the two descriptions; undefined before there is one, or when keys of ours are new. */
export function streamInForce(negotiation: Negotiation, local: LocalAudio): AudioStream | undefined {
  const { local: ours, remote, side } = negotiation
  if (ours === null || remote === null || side === null) return undefined
  if (side === 'ours') {
    const stream = readAnswer(read(ours), read(remote), local)
    return isFault(stream) ? undefined : stream
  }
  const answer = read(ours)
  const taken = answer.media.find(({ port }) => port !== 0)
  const made = taken && createAnswer(read(remote), { ...local, direction: directionOf(answer, taken) })
  if (made === undefined) return undefined
  return isFault(made) ? undefined : made.stream
}

function read(text: string): Sdp {
  const sdp = parseSdp(text)
  if (isFault(sdp)) throw new RangeError(`SDP of ours: ${sdp.detail}`)
  return sdp
}
