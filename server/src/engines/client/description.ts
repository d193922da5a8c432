// Offer and answer of a browser (RFC 8866, RFC 8829). What the offer says is read here and checked field by field; the library is given
// a description of our own making with just those fields, and so is the browser: no text of a stranger reaches native code.
import { type G711Law, isFault, parseSdp, type Sdp, type SdpAttribute } from '@tandem/sip'

/** What a browser's offer says that matters. */
export type Offer = {
  ufrag: string
  password: string
  fingerprint: { algorithm: string; digest: string }
  /** Who may open DTLS, as the browser offers it (RFC 8842 §5). */
  setup: 'actpass' | 'active' | 'passive'
  mid: string
  isBundled: boolean
  law: G711Law
  /** The payload type of telephone events at 8,000 Hz; null where the browser offers none. */
  eventType: number | null
}

/** Our side of the connection, as the library reports it or was given it. */
export type Local = { ufrag: string; password: string; fingerprint: string; setup: string }

const payloadTypes: Record<G711Law, number> = { PCMU: 0, PCMA: 8 }
/** RFC 8839 §5.4: ice-char, and how many. */
const ufragForm = /^[A-Za-z0-9+/]{4,256}$/
const passwordForm = /^[A-Za-z0-9+/]{22,256}$/
/** SHA-1 is no proof any more. */
const digestForms: Record<string, RegExp> = {
  'sha-256': /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/,
  'sha-384': /^([0-9A-F]{2}:){47}[0-9A-F]{2}$/,
  'sha-512': /^([0-9A-F]{2}:){63}[0-9A-F]{2}$/,
}
/** RFC 8866 §9: token. */
const tokenForm = /^[A-Za-z0-9!#$%&'*+.^_`{|}~-]{1,64}$/

/** Reads an offer of audio alone; throws an Error that says what is wrong with it. */
export function readOffer(text: string): Offer {
  const sdp = parseSdp(text)
  if (isFault(sdp)) throw new Error(`the offer is no session description: ${sdp.detail}`)
  const [audio] = sdp.media
  if (audio?.kind !== 'audio') throw new Error('the offer has no audio')
  const all = [...audio.attributes, ...sdp.attributes]
  const fit = (name: string, form: RegExp) => {
    const value = valuesOf(all, name)[0]?.trim()
    if (value === undefined || !form.test(value)) throw new Error(`the offer has no a=${name} that can be used`)
    return value
  }
  return {
    ufrag: fit('ice-ufrag', ufragForm),
    password: fit('ice-pwd', passwordForm),
    fingerprint: fingerprintIn(all),
    setup: fit('setup', /^(actpass|active|passive)$/) as Offer['setup'],
    mid: fit('mid', tokenForm),
    isBundled: valuesOf(sdp.attributes, 'group').some(group => /^BUNDLE\b/.test(group)),
    law: audio.formats.includes('0') ? 'PCMU' : 'PCMA',
    eventType: eventTypeIn(audio),
  }
}

function valuesOf(attributes: readonly SdpAttribute[], name: string): string[] {
  return attributes.flatMap(one => (one.name === name && one.value !== undefined ? [one.value] : []))
}

function fingerprintIn(attributes: readonly SdpAttribute[]): Offer['fingerprint'] {
  for (const value of valuesOf(attributes, 'fingerprint')) {
    const [algorithm = '', digest = ''] = value.trim().split(/ +/)
    const found = { algorithm: algorithm.toLowerCase(), digest: digest.toUpperCase() }
    if (digestForms[found.algorithm]?.test(found.digest)) return found
  }
  throw new Error('the offer has no a=fingerprint by SHA-256, SHA-384 or SHA-512')
}

/** Browsers offer events at 48,000 Hz too, under the same name. */
function eventTypeIn({ formats, attributes }: Sdp['media'][number]): number | null {
  for (const value of valuesOf(attributes, 'rtpmap')) {
    const type = /^(\d{1,3}) telephone-event\/8000$/i.exec(value)?.[1]
    if (type !== undefined && Number(type) < 128 && formats.includes(type)) return Number(type)
  }
  return null
}

/** The offer as the library is given it: without candidates, for we call no address that a browser names. */
export function offerForLibrary({ ufrag, password, fingerprint, setup, mid, law, eventType }: Offer): string {
  return description(mid, true, law, eventType, [
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:${fingerprint.algorithm} ${fingerprint.digest}`,
    `a=setup:${setup}`,
  ])
}

/** What the library says of our side, of which the answer is made. */
export function readLocal(text: string): Local {
  const valueIn = (name: string) => new RegExp(`^a=${name}:(.+?)\\r?$`, 'm').exec(text)?.[1] ?? ''
  return {
    ufrag: valueIn('ice-ufrag'),
    password: valueIn('ice-pwd'),
    fingerprint: valueIn('fingerprint'),
    setup: valueIn('setup'),
  }
}

/** The answer: one host candidate for each address at which the one port is reached, the first of them first. */
export function writeAnswerSdp(
  { mid, isBundled, law, eventType }: Offer,
  { ufrag, password, fingerprint, setup }: Local,
  { addresses, port, ssrc }: { addresses: readonly string[]; port: number; ssrc: number },
): string {
  return description(mid, isBundled, law, eventType, [
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:${fingerprint}`,
    `a=setup:${setup}`,
    'a=msid:tandem audio',
    `a=ssrc:${ssrc} cname:tandem`,
    ...addresses.map(
      (address, at) => `a=candidate:${at + 1} 1 udp ${hostPriority - 2 ** 8 * at} ${address} ${port} typ host`,
    ),
    'a=end-of-candidates',
  ])
}

/** RFC 8445 §5.1.2.1: a host candidate of component 1, the first of its kind. */
const hostPriority = 2 ** 24 * 126 + 2 ** 8 * 65_535 + 255

function description(
  mid: string,
  isBundled: boolean,
  law: G711Law,
  eventType: number | null,
  own: readonly string[],
): string {
  const type = payloadTypes[law]
  const formats = eventType === null ? `${type}` : `${type} ${eventType}`
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    ...(isBundled ? [`a=group:BUNDLE ${mid}`] : []),
    `m=audio 9 UDP/TLS/RTP/SAVPF ${formats}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    'a=sendrecv',
    'a=rtcp-mux',
    `a=rtpmap:${type} ${law}/8000`,
    ...(eventType === null ? [] : [`a=rtpmap:${eventType} telephone-event/8000`, `a=fmtp:${eventType} 0-15`]),
    ...own,
  ]
  return `${lines.join('\r\n')}\r\n`
}
