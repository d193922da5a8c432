// Offer and answer for telephone audio (RFC 3264): one stream of PCMU or PCMA with telephone events, plain or SDES-SRTP. Pure:
// descriptions go in, descriptions and the agreed stream come out. Media lines we do not want are refused, never dropped.
import type { SipFault } from './message.ts'
import { createFault } from './message.ts'
import type { Sdp, SdpAddress, SdpAttribute, SdpMedia } from './sdp.ts'
import { formatSdp } from './sdp.ts'
import type { AudioCodec, Direction, SdpCrypto } from './sdp_audio.ts'
import {
  codecsOf,
  cryptosOf,
  directionFrom,
  directionOf,
  formatCrypto,
  hasRtcpMux,
  mediaAddress,
  packetTimeOf,
  receivesIn,
  rtcpOf,
  sendsIn,
} from './sdp_audio.ts'

export type CodecName = 'PCMU' | 'PCMA'

/** What we bring to a session. */
export type LocalAudio = {
  /** Digits; the same through the whole session. */
  sessionId: string
  /** Digits; the version of the next description, which a changed one counts up by itself when `previous` is given. */
  sessionVersion?: string
  address: SdpAddress
  /** RTP; RTCP is the port above it, unless both share this one. */
  port: number
  /** In our order of preference. Left out: PCMU, PCMA. */
  codecs?: readonly CodecName[]
  /** The payload type to offer for telephone events. Left out: 101; null: none. An answer mirrors the offered one. */
  telephoneEvent?: number | null
  /** What we want. Left out: sendrecv. */
  direction?: Direction
  /** Milliseconds per packet we want to get. Left out: 20. */
  packetTime?: number
  /** Offer, or agree to, one port for RTP and RTCP. */
  rtcpMux?: boolean
  /**
   * SRTP by SDES (RFC 4568). In an offer 'allowed' means RTP/AVP without keys, the other two RTP/SAVP; in an answer 'allowed' and
   * 'preferred' follow the offer, also where that is RTP/AVP with keys (RFC 8643). Left out: 'never'.
   */
  srtp?: 'never' | 'allowed' | 'preferred' | 'required'
  /** Our keys, one for each suite we take; tags are put in by us. Needed for SRTP. */
  cryptos?: readonly Omit<SdpCrypto, 'tag'>[]
  /** Whose order of codecs an answer follows. Left out: the offer's (§6.1). */
  prefer?: 'offer' | 'local'
}

/** Payload types as each side wants to get them (§5.1): `send` is what the remote party expects, `receive` what we do. */
export type PayloadTypes = { readonly send: number; readonly receive: number }

export type AudioStream = {
  /** The place of the media line. */
  readonly index: number
  readonly codec: CodecName
  readonly payloadTypes: PayloadTypes
  /** Undefined when the remote party has no telephone events. `events` as in fmtp, for instance 0-16. */
  readonly telephoneEvent: (PayloadTypes & { readonly events: string }) | undefined
  /** Undefined while the remote party wants nothing sent (c=0.0.0.0). */
  readonly remote:
    | { readonly address: string; readonly port: number; readonly rtcpAddress: string; readonly rtcpPort: number }
    | undefined
  /** Ours: what we may send and have to expect. */
  readonly direction: Direction
  /** The remote party has put us on hold: it does not want to hear us. */
  readonly isHeld: boolean
  /** Milliseconds of sound in each packet we send. */
  readonly packetTime: number
  readonly rtcpMux: boolean
  readonly crypto: { readonly local: SdpCrypto; readonly remote: SdpCrypto } | undefined
}

const fixedTypes: Readonly<Record<CodecName, number>> = { PCMU: 0, PCMA: 8 }
const defaultCodecs: readonly CodecName[] = ['PCMU', 'PCMA']
const allEvents = '0-16'
const plainProtocols = ['RTP/AVP', 'RTP/AVPF']
const secureProtocols = ['RTP/SAVP', 'RTP/SAVPF']

/** An offer of one audio stream. */
export function createOffer(local: LocalAudio): Sdp {
  const { codecs = defaultCodecs, telephoneEvent = 101, srtp = 'never', cryptos = [] } = local
  const isSecure = srtp === 'required' || srtp === 'preferred'
  const types = codecs.map(codec => fixedTypes[codec])
  const attributes = codecs.map(codec => ({ name: 'rtpmap', value: `${fixedTypes[codec]} ${codec}/8000` }))
  if (telephoneEvent !== null) attributes.push(...eventAttributes(telephoneEvent, allEvents))
  const keys = isSecure ? cryptos.map((crypto, index) => ({ ...crypto, tag: index + 1 })) : []
  if (isSecure && keys.length === 0) throw new RangeError('cryptos: SRTP needs a key of ours')
  const formats = telephoneEvent === null ? types : [...types, telephoneEvent]
  const media = createMedia(local, isSecure ? 'RTP/SAVP' : 'RTP/AVP', formats, [
    ...attributes,
    ...shared(local, local.direction ?? 'sendrecv', local.rtcpMux === true, keys),
  ])
  return createSession(local, ['t=0 0'], [media], local.sessionVersion ?? local.sessionId)
}

function createSession(local: LocalAudio, timing: readonly string[], media: readonly SdpMedia[], version: string): Sdp {
  const { address, sessionId } = local
  return {
    origin: { username: '-', sessionId, sessionVersion: version, ...address },
    name: '-',
    information: undefined,
    uri: undefined,
    emails: [],
    phones: [],
    connection: address,
    bandwidths: [],
    timing,
    key: undefined,
    attributes: [],
    media,
  }
}

function createMedia(
  { port }: LocalAudio,
  protocol: string,
  types: readonly number[],
  attributes: readonly SdpAttribute[],
): SdpMedia {
  const formats = types.map(String)
  const empty = { information: undefined, connection: undefined, bandwidths: [], key: undefined }
  return { kind: 'audio', port, portCount: 1, protocol, formats, ...empty, attributes }
}

function eventAttributes(payloadType: number, events: string): { name: string; value: string }[] {
  return [
    { name: 'rtpmap', value: `${payloadType} telephone-event/8000` },
    { name: 'fmtp', value: `${payloadType} ${events}` },
  ]
}

function shared(
  { packetTime = 20 }: LocalAudio,
  direction: Direction,
  rtcpMux: boolean,
  cryptos: readonly SdpCrypto[],
): SdpAttribute[] {
  const attributes: SdpAttribute[] = [{ name: 'ptime', value: String(packetTime) }]
  if (rtcpMux) attributes.push({ name: 'rtcp-mux', value: undefined })
  for (const crypto of cryptos) attributes.push({ name: 'crypto', value: formatCrypto(crypto) })
  attributes.push({ name: direction, value: undefined })
  return attributes
}

/** What both sides can, found on one media line. */
type Match = {
  media: SdpMedia
  codec: AudioCodec & { name: CodecName }
  event: AudioCodec | undefined
  crypto: SdpCrypto | undefined
}

function matchMedia(media: SdpMedia, local: LocalAudio): Match | undefined {
  if (media.kind !== 'audio' || media.port === 0) return undefined
  const { srtp = 'never', cryptos = [], codecs = defaultCodecs } = local
  const isSecure = secureProtocols.includes(media.protocol)
  if (!isSecure && !plainProtocols.includes(media.protocol)) return undefined
  if (isSecure && srtp === 'never') return undefined
  const crypto =
    srtp === 'never' ? undefined : cryptosOf(media).find(theirs => cryptos.some(ours => ours.suite === theirs.suite))
  if ((isSecure || srtp === 'required') && crypto === undefined) return undefined
  const offered = codecsOf(media)
  const common = offered.flatMap(codec => {
    const name = codecs.find(ours => isCodec(codec, ours))
    return name === undefined ? [] : [{ ...codec, name }]
  })
  if (local.prefer === 'local') common.sort((one, other) => codecs.indexOf(one.name) - codecs.indexOf(other.name))
  const codec = common[0]
  if (codec === undefined) return undefined
  const event = local.telephoneEvent === null ? undefined : offered.find(entry => isCodec(entry, 'telephone-event'))
  return { media, codec, event, crypto }
}

function isCodec({ encoding, clockRate, channels }: AudioCodec, name: string): boolean {
  return encoding.toLowerCase() === name.toLowerCase() && clockRate === 8000 && channels === 1
}

/**
 * Answers an offer (§6): takes the first audio line that fits and refuses the others with port 0. `previous` is our last
 * description of this session, when there is one: its version goes on, and lines may not vanish (§8). Fault 488 when no line
 * fits.
 */
export function createAnswer(
  offer: Sdp,
  local: LocalAudio,
  previous?: Sdp,
): { readonly answer: Sdp; readonly stream: AudioStream } | SipFault {
  if (previous !== undefined && offer.media.length < previous.media.length) {
    return notAcceptable('the offer has fewer media lines than before')
  }
  let match: Match | undefined
  const media = offer.media.map((line): SdpMedia => {
    const found = match === undefined ? matchMedia(line, local) : undefined
    if (found === undefined || !hasConnection(offer, line)) return refusedMedia(line)
    match = found
    return answerMedia(offer, found, local)
  })
  if (match === undefined) return notAcceptable('the offer has no audio we can take')
  const answer = continued(createSession(local, offer.timing, media, local.sessionVersion ?? local.sessionId), previous)
  const index = offer.media.indexOf(match.media)
  return { answer, stream: streamOf(offer, match.media, answer, index, match) }
}

function hasConnection(sdp: Sdp, media: SdpMedia): boolean {
  return (media.connection ?? sdp.connection) !== undefined
}

function refusedMedia(line: SdpMedia): SdpMedia {
  const { kind, protocol, formats } = line
  const empty = { information: undefined, connection: undefined, bandwidths: [], key: undefined, attributes: [] }
  return { kind, port: 0, portCount: 1, protocol, formats, ...empty }
}

function answerMedia(offer: Sdp, { media, codec, event, crypto }: Match, local: LocalAudio): SdpMedia {
  const offered = directionOf(offer, media)
  const wanted = local.direction ?? 'sendrecv'
  const direction = directionFrom(sendsIn(wanted) && receivesIn(offered), receivesIn(wanted) && sendsIn(offered))
  const attributes: SdpAttribute[] = [{ name: 'rtpmap', value: `${codec.payloadType} ${codec.name}/8000` }]
  if (event) attributes.push(...eventAttributes(event.payloadType, commonEvents(event)))
  const ours = crypto && local.cryptos?.find(own => own.suite === crypto.suite)
  const keys = crypto && ours ? [{ ...ours, tag: crypto.tag }] : []
  const rtcpMux = local.rtcpMux === true && hasRtcpMux(media)
  const types = event ? [codec.payloadType, event.payloadType] : [codec.payloadType]
  return createMedia(local, media.protocol, types, [...attributes, ...shared(local, direction, rtcpMux, keys)])
}

/** The digits alone where the remote party names no events (RFC 4733 §2.4.1), or names them in a way of its own. */
function commonEvents({ fmtp }: AudioCodec): string {
  return fmtp !== undefined && /\b16\b/.test(fmtp) ? allEvents : '0-15'
}

/** Gives a description the version after the previous one, or the same when nothing else has changed (§8). */
function continued(next: Sdp, previous: Sdp | undefined): Sdp {
  if (previous === undefined) return next
  const same = { ...next, origin: { ...next.origin, sessionVersion: previous.origin.sessionVersion } }
  return formatSdp(same) === formatSdp(previous) ? same : withVersionAfter(next, previous)
}

function withVersionAfter(next: Sdp, previous: Sdp): Sdp {
  const sessionVersion = String(BigInt(previous.origin.sessionVersion) + 1n)
  return { ...next, origin: { ...next.origin, sessionVersion } }
}

/**
 * The next offer of a session, as for hold ('sendonly', 'inactive') and resume ('sendrecv'): our last description with
 * another direction. Refused lines stay where they are (§8).
 */
export function createReoffer(previous: Sdp, direction: Direction): Sdp {
  const media = previous.media.map((line): SdpMedia => {
    if (line.port === 0) return line
    const others = line.attributes.filter(({ name }) => !/^(sendrecv|sendonly|recvonly|inactive)$/.test(name))
    return { ...line, attributes: [...others, { name: direction, value: undefined }] }
  })
  return continued({ ...previous, media }, previous)
}

/**
 * Reads the answer to an offer of ours (§7). Fault 488 when no audio line was taken, or when the answer does not fit the
 * offer: the caller ends the call then.
 */
export function readAnswer(offer: Sdp, answer: Sdp, local: LocalAudio): AudioStream | SipFault {
  if (answer.media.length !== offer.media.length) return notAcceptable('the answer has another number of media lines')
  for (let index = 0; index < offer.media.length; index++) {
    const [ours, theirs] = [offer.media[index]!, answer.media[index]!]
    if (ours.port === 0 || theirs.port === 0) continue
    if (theirs.kind !== ours.kind || theirs.protocol !== ours.protocol) {
      return notAcceptable(`media line ${index + 1} of the answer is not of the kind that was offered`)
    }
    const match = matchMedia(theirs, { ...local, srtp: srtpOfAnswer(ours, local) })
    if (match === undefined) return notAcceptable(`media line ${index + 1} of the answer has no codec or key of ours`)
    if (!hasConnection(answer, theirs)) return notAcceptable(`media line ${index + 1} of the answer has no address`)
    const offered = codecsOf(ours)
    if (!offered.some(codec => isCodec(codec, match.codec.name))) {
      return notAcceptable(`media line ${index + 1} of the answer has a codec that was not offered`)
    }
    if (match.crypto !== undefined && !cryptosOf(ours).some(own => isSameLine(own, match.crypto!))) {
      return notAcceptable(`media line ${index + 1} of the answer has a key for no line that was offered`)
    }
    return streamOf(answer, theirs, offer, index, match)
  }
  return notAcceptable('the answer takes no audio')
}

/** Keys are taken only for keys that were offered; anyone who wants nothing else takes no answer without. */
function srtpOfAnswer(ours: SdpMedia, { srtp }: LocalAudio): LocalAudio['srtp'] {
  if (secureProtocols.includes(ours.protocol) || srtp === 'required') return 'required'
  return cryptosOf(ours).length > 0 ? 'allowed' : 'never'
}

function isSameLine(one: SdpCrypto, other: SdpCrypto): boolean {
  return one.tag === other.tag && one.suite === other.suite
}

/** The stream two descriptions agree on; `theirs` says where to send and how, `ours` what we expect. */
function streamOf(sdp: Sdp, theirs: SdpMedia, own: Sdp, index: number, match: Match): AudioStream {
  const ours = own.media[index]!
  const codecs = codecsOf(ours)
  const { codec, event, crypto } = match
  const typeOf = (name: string) => codecs.find(entry => isCodec(entry, name))?.payloadType
  const receiveEvent = typeOf('telephone-event')
  const address = mediaAddress(sdp, theirs)
  const rtcpMux = hasRtcpMux(ours) && hasRtcpMux(theirs)
  const rtcp = rtcpOf(theirs)
  const remoteDirection = directionOf(sdp, theirs)
  const ourDirection = directionOf(own, ours)
  const sends = sendsIn(ourDirection) && receivesIn(remoteDirection) && address !== undefined
  const localCrypto = crypto && cryptosOf(ours).find(entry => isSameLine(entry, crypto))
  return {
    index,
    codec: codec.name,
    payloadTypes: { send: codec.payloadType, receive: typeOf(codec.name) ?? codec.payloadType },
    telephoneEvent:
      event === undefined || receiveEvent === undefined
        ? undefined
        : { send: event.payloadType, receive: receiveEvent, events: event.fmtp ?? '0-15' },
    remote: address && {
      address: address.address,
      port: theirs.port,
      rtcpAddress: rtcp?.address?.address ?? address.address,
      rtcpPort: rtcpMux ? theirs.port : (rtcp?.port ?? theirs.port + 1),
    },
    direction: directionFrom(sends, receivesIn(ourDirection) && sendsIn(remoteDirection)),
    isHeld: !receivesIn(remoteDirection) || address === undefined,
    packetTime: packetTimeOf(theirs) ?? 20,
    rtcpMux,
    crypto: crypto && localCrypto && { local: localCrypto, remote: crypto },
  }
}

function notAcceptable(detail: string): SipFault {
  return createFault('refused', `SDP: ${detail}`, { status: 488 })
}
