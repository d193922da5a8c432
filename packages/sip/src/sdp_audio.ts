// What the attributes of an audio medium say: codecs, direction, packet time, where RTCP goes, SRTP keys (RFC 8866 §6,
// RFC 3605, RFC 5761, RFC 4568). A line that makes no sense counts as not there, as for everybody who does not know it.
import type { Sdp, SdpAddress, SdpAttribute, SdpMedia } from './sdp.ts'

/** `encoding` as written; compare without case. `clockRate` in Hz. `fmtp` is the text behind the payload type. */
export type AudioCodec = {
  readonly payloadType: number
  readonly encoding: string
  readonly clockRate: number
  readonly channels: number
  readonly fmtp: string | undefined
}

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

export const cryptoSuites = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const
export type CryptoSuite = (typeof cryptoSuites)[number]

/** `key` is master key and salt, 30 octets (RFC 4568 §6.1). */
export type SdpCrypto = { readonly tag: number; readonly suite: CryptoSuite; readonly key: Buffer }

/** Payload types that mean a codec without rtpmap (RFC 3551 §6), the ones of audio. */
const fixedCodecs: Readonly<Record<number, readonly [encoding: string, clockRate: number, channels?: number]>> = {
  0: ['PCMU', 8000],
  3: ['GSM', 8000],
  4: ['G723', 8000],
  5: ['DVI4', 8000],
  6: ['DVI4', 16000],
  7: ['LPC', 8000],
  8: ['PCMA', 8000],
  9: ['G722', 8000],
  10: ['L16', 44100, 2],
  11: ['L16', 44100, 1],
  12: ['QCELP', 8000],
  13: ['CN', 8000],
  14: ['MPA', 90000],
  15: ['G728', 8000],
  16: ['DVI4', 11025],
  17: ['DVI4', 22050],
  18: ['G729', 8000],
}

type WithAttributes = { readonly attributes: readonly SdpAttribute[] }

/** The value of the first attribute of a name; '' for one without a value, undefined when it is not there. */
export function attribute(section: WithAttributes, name: string): string | undefined {
  for (const entry of section.attributes) if (entry.name === name) return entry.value ?? ''
  return undefined
}

/** The codecs of a medium in its order of preference; formats that cannot be identified are left out. */
export function codecsOf(media: SdpMedia): AudioCodec[] {
  const codecs: AudioCodec[] = []
  for (const format of media.formats) {
    if (!/^\d{1,3}$/.test(format) || Number(format) > 127) continue
    const payloadType = Number(format)
    if (codecs.some(codec => codec.payloadType === payloadType)) continue
    const map = valueFor(media, 'rtpmap', format)
    const codec = map === undefined ? fixedCodec(payloadType) : readMap(map)
    if (codec !== undefined) codecs.push({ payloadType, ...codec, fmtp: valueFor(media, 'fmtp', format) })
  }
  return codecs
}

/** The rest of `a=name:format rest`. */
function valueFor(media: SdpMedia, name: string, format: string): string | undefined {
  for (const entry of media.attributes) {
    if (entry.name === name && entry.value?.startsWith(`${format} `)) return entry.value.slice(format.length + 1).trim()
  }
  return undefined
}

type CodecName = Pick<AudioCodec, 'encoding' | 'clockRate' | 'channels'>

function fixedCodec(payloadType: number): CodecName | undefined {
  const fixed = fixedCodecs[payloadType]
  return fixed && { encoding: fixed[0], clockRate: fixed[1], channels: fixed[2] ?? 1 }
}

function readMap(map: string): CodecName | undefined {
  const match = /^([^/ ]+)\/(\d{1,7})(?:\/(\d{1,2}))?$/.exec(map)
  return match === null
    ? undefined
    : { encoding: match[1]!, clockRate: Number(match[2]), channels: Number(match[3] ?? 1) }
}

const directions: readonly Direction[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive']

/** The direction as the writer of the description sees it; sendrecv when nothing is said (RFC 3264 §5.1). */
export function directionOf(sdp: Sdp, media: SdpMedia): Direction {
  return ownDirection(media) ?? ownDirection(sdp) ?? 'sendrecv'
}

function ownDirection(section: WithAttributes): Direction | undefined {
  for (const { name, value } of section.attributes) {
    const found = value === undefined ? directions.find(direction => direction === name) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

export function directionFrom(sends: boolean, receives: boolean): Direction {
  if (sends) return receives ? 'sendrecv' : 'sendonly'
  return receives ? 'recvonly' : 'inactive'
}

export function sendsIn(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'sendonly'
}

export function receivesIn(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'recvonly'
}

/** Milliseconds of sound per packet that the writer wants to get; undefined when it does not care. */
export function packetTimeOf(media: SdpMedia): number | undefined {
  const value = Number(attribute(media, 'ptime') || Number.NaN)
  return value >= 1 && value <= 1000 ? value : undefined
}

/** Where media go; undefined for an address of nothing but zeros, the hold of RFC 2543 (RFC 3264 §8.4). */
export function mediaAddress(sdp: Sdp, media: SdpMedia): SdpAddress | undefined {
  const connection = media.connection ?? sdp.connection
  if (connection === undefined || /^(0\.0\.0\.0|::|0(:0)*)$/.test(connection.address)) return undefined
  return connection
}

/** The port of RTCP, and its address where it is another one (RFC 3605); undefined: the port above that of RTP. */
export function rtcpOf(media: SdpMedia): { port: number; address: SdpAddress | undefined } | undefined {
  const match = /^(\d{1,5})(?: IN (IP[46]) ([^ ]+))?$/.exec(attribute(media, 'rtcp') ?? '')
  const port = Number(match?.[1] ?? 0)
  if (match === null || port < 1 || port > 65_535) return undefined
  const address = match[3] === undefined ? undefined : { family: match[2] as 'IP4' | 'IP6', address: match[3] }
  return { port, address }
}

/** RFC 5761: RTP and RTCP on one port. */
export function hasRtcpMux(media: SdpMedia): boolean {
  return attribute(media, 'rtcp-mux') !== undefined
}

/**
 * The crypto lines we could use (RFC 4568 §9.1): a known suite, one key without MKI, and no session parameter but those that
 * may be ignored.
 */
export function cryptosOf(media: SdpMedia): SdpCrypto[] {
  const lines = media.attributes.filter(entry => entry.name === 'crypto' && entry.value !== undefined)
  return lines.flatMap(entry => readCrypto(entry.value!) ?? [])
}

function readCrypto(value: string): SdpCrypto | undefined {
  const [tag = '', suite, keys = '', ...session] = value.trim().split(/ +/, 16)
  const known = cryptoSuites.find(name => name === suite)
  const match = /^inline:([A-Za-z0-9+/]{40})(?:\|(?:2\^)?\d{1,20})?$/.exec(keys)
  if (known === undefined || match === null || !/^\d{1,9}$/.test(tag)) return undefined
  if (!session.every(parameter => parameter.startsWith('-') || parameter.startsWith('WSH='))) return undefined
  return { tag: Number(tag), suite: known, key: Buffer.from(match[1]!, 'base64') }
}

export function formatCrypto({ tag, suite, key }: SdpCrypto): string {
  return `${tag} ${suite} inline:${key.toString('base64')}`
}
