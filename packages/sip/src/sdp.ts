// SDP (RFC 8866, RFC 4566): the lines of a session description as a value, and back. What the attributes of a telephone call
// mean is read by sdp_audio.ts.
import type { SipFault } from './message.ts'
import { createFault } from './message.ts'
import { flaw, isFlaw } from './scan.ts'

/** `address` as written: a name, an address, for multicast with /ttl. The network type is always IN. */
export type SdpAddress = { readonly family: 'IP4' | 'IP6'; readonly address: string }

/** Id and version are decimal numbers of any length, so they stay text. */
export type SdpOrigin = SdpAddress & {
  readonly username: string
  readonly sessionId: string
  readonly sessionVersion: string
}

export type SdpAttribute = { readonly name: string; readonly value: string | undefined }

export type SdpBandwidth = { readonly type: string; readonly value: number }

export type SdpMedia = {
  readonly kind: string
  readonly port: number
  /** 1 unless the line says port/count. */
  readonly portCount: number
  readonly protocol: string
  readonly formats: readonly string[]
  readonly information: string | undefined
  readonly connection: SdpAddress | undefined
  readonly bandwidths: readonly SdpBandwidth[]
  readonly key: string | undefined
  readonly attributes: readonly SdpAttribute[]
}

/** `timing` holds the t, r and z lines as they are; an answer repeats those of its offer (RFC 3264 §6). */
export type Sdp = {
  readonly origin: SdpOrigin
  readonly name: string
  readonly information: string | undefined
  readonly uri: string | undefined
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly connection: SdpAddress | undefined
  readonly bandwidths: readonly SdpBandwidth[]
  readonly timing: readonly string[]
  readonly key: string | undefined
  readonly attributes: readonly SdpAttribute[]
  readonly media: readonly SdpMedia[]
}

const maxLines = 1000
const maxMedia = 32

type Mutable<Value> = {
  -readonly [Key in keyof Value]: Value[Key] extends readonly (infer Item)[] ? Item[] : Value[Key]
}
type Section = Mutable<Pick<SdpMedia, 'information' | 'connection' | 'bandwidths' | 'key' | 'attributes'>>

/**
 * Reads a description. Line ends may be CR LF or LF (§5). Tolerated, as no meaning hangs on them: lines of a section in another
 * order, no s= or t= line. A letter that the standard does not know makes the whole unreadable (§5). Faults have status 400.
 */
export function parseSdp(body: Buffer | string): Sdp | SipFault {
  try {
    return readSdp(typeof body === 'string' ? body : body.toString('utf8'))
  } catch (thrown) {
    if (!isFlaw(thrown)) throw thrown
    return createFault('header', `SDP: ${thrown.flaw}`)
  }
}

function readSdp(text: string): Sdp {
  const lines = text.split('\n', maxLines + 1)
  if (lines.length > maxLines) flaw(`more than ${maxLines} lines`)
  const session: Mutable<Partial<Sdp>> & Section & { emails: string[]; phones: string[]; timing: string[] } = {
    ...createSection(),
    emails: [],
    phones: [],
    timing: [],
  }
  const media: Mutable<SdpMedia>[] = []
  let section: Section = session
  if (!/^v=0\r?$/.test(lines[0] ?? '')) flaw('it must begin with v=0')
  for (let index = 1; index < lines.length; index++) {
    const line = cleanLine(lines[index]!, index === lines.length - 1)
    if (line === undefined) continue
    const [letter, value] = [line[0]!, line.slice(2)]
    if (letter === 'm') {
      if (media.length === maxMedia) flaw(`more than ${maxMedia} media`)
      const next = readMedia(value)
      media.push(next)
      section = next
    } else if (!readShared(section, letter, value) && (media.length > 0 || !readSession(session, letter, value))) {
      flaw(`the line ${letter}= stands where it may not, or is unknown`)
    }
  }
  const { origin, name = '-', information, uri, timing, emails, phones } = session
  if (origin === undefined) return flaw('o= is missing')
  const times = timing.length === 0 ? ['t=0 0'] : timing
  const { connection, bandwidths, key, attributes } = session
  return {
    origin,
    name,
    information,
    uri,
    emails,
    phones,
    connection,
    bandwidths,
    timing: times,
    key,
    attributes,
    media,
  }
}

function createSection(): Section {
  return { information: undefined, connection: undefined, bandwidths: [], key: undefined, attributes: [] }
}

/** A line without its end; undefined for an empty last one. */
function cleanLine(raw: string, isLast: boolean): string | undefined {
  const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
  if (line === '' && isLast) return undefined
  if (line.charCodeAt(1) !== 61) flaw(`a line must be letter=value, not "${line.slice(0, 20)}"`)
  if (line.includes('\r') || line.includes('\0')) flaw('a line has a CR or a NUL in it')
  return line
}

/** The lines that a session and a medium both may have. */
function readShared(section: Section, letter: string, value: string): boolean {
  switch (letter) {
    case 'a':
      section.attributes.push(readAttribute(value))
      return true
    case 'b':
      section.bandwidths.push(readBandwidth(value))
      return true
    case 'c':
      // A medium may name several, for layered multicast; telephony has one.
      if (section.connection !== undefined) flaw('c= comes twice')
      section.connection = readConnection(value)
      return true
    case 'i':
      if (section.information !== undefined) flaw('i= comes twice')
      section.information = value
      return true
    case 'k':
      section.key = value
      return true
    default:
      return false
  }
}

type SessionParts = Mutable<Partial<Sdp>> & { emails: string[]; phones: string[]; timing: string[] }

function readSession(session: SessionParts, letter: string, value: string): boolean {
  switch (letter) {
    case 'o':
      if (session.origin !== undefined) flaw('o= comes twice')
      session.origin = readOrigin(value)
      return true
    case 's':
      if (session.name !== undefined) flaw('s= comes twice')
      session.name = value
      return true
    case 'u':
      session.uri = value
      return true
    case 'e':
      session.emails.push(value)
      return true
    case 'p':
      session.phones.push(value)
      return true
    case 't':
    case 'r':
    case 'z':
      session.timing.push(`${letter}=${value}`)
      return true
    default:
      return false
  }
}

function readAttribute(value: string): SdpAttribute {
  const colon = value.indexOf(':')
  const name = colon === -1 ? value : value.slice(0, colon)
  if (!/^[!#-'*+\-.0-9A-Z^-~]+$/.test(name)) flaw(`an attribute has no name: a=${value.slice(0, 20)}`)
  return { name, value: colon === -1 ? undefined : value.slice(colon + 1) }
}

function readBandwidth(value: string): SdpBandwidth {
  const match = /^([!#-'*+\-.0-9A-Z^-~]+):(\d{1,15})$/.exec(value)
  if (match === null) return flaw('b= must be type:number')
  return { type: match[1]!, value: Number(match[2]) }
}

function readConnection(value: string): SdpAddress {
  const match = /^IN (IP[46]) ([^ ]+) *$/.exec(value)
  if (match === null) return flaw('c= must be IN IP4 or IN IP6 and an address')
  return { family: match[1] as SdpAddress['family'], address: match[2]! }
}

function readOrigin(value: string): SdpOrigin {
  const match = /^([^ ]+) (\d+) (\d+) IN (IP[46]) ([^ ]+) *$/.exec(value)
  if (match === null) return flaw('o= must be user, id, version, IN, IP4 or IP6 and an address')
  const [, username, sessionId, sessionVersion, family, address] = match as unknown as string[]
  return {
    username: username!,
    sessionId: sessionId!,
    sessionVersion: sessionVersion!,
    family: family as SdpAddress['family'],
    address: address!,
  }
}

function readMedia(value: string): Mutable<SdpMedia> {
  const [kind = '', ports = '', protocol = '', ...formats] = value.trimEnd().split(' ')
  const match = /^(\d{1,5})(?:\/(\d{1,5}))?$/.exec(ports)
  const port = Number(match?.[1])
  const portCount = Number(match?.[2] ?? 1)
  if (kind === '' || match === null || port > 65_535 || portCount < 1 || protocol === '') {
    flaw(`m= must be kind, port, protocol and formats, not "${value.slice(0, 30)}"`)
  }
  if (formats.length === 0 || formats.includes('')) flaw('m= needs a format, with one space between formats')
  return { kind, port, portCount, protocol, formats, ...createSection() }
}

/** The text of a description, with CR LF. Throws a RangeError for a value with a line end: an error of the program. */
export function formatSdp(sdp: Sdp): string {
  const { origin } = sdp
  const lines = ['v=0']
  lines.push(
    `o=${origin.username} ${origin.sessionId} ${origin.sessionVersion} IN ${origin.family} ${origin.address}`,
    `s=${sdp.name}`,
  )
  if (sdp.information !== undefined) lines.push(`i=${sdp.information}`)
  if (sdp.uri !== undefined) lines.push(`u=${sdp.uri}`)
  for (const email of sdp.emails) lines.push(`e=${email}`)
  for (const phone of sdp.phones) lines.push(`p=${phone}`)
  pushConnection(lines, sdp)
  lines.push(...sdp.timing)
  pushAttributes(lines, sdp)
  for (const media of sdp.media) {
    const ports = media.portCount === 1 ? media.port : `${media.port}/${media.portCount}`
    lines.push(`m=${media.kind} ${ports} ${media.protocol} ${media.formats.join(' ')}`)
    if (media.information !== undefined) lines.push(`i=${media.information}`)
    pushConnection(lines, media)
    pushAttributes(lines, media)
  }
  for (const line of lines)
    if (/[\r\n\0]/.test(line)) throw new RangeError(`SDP line ${line.slice(0, 2)} has a line end`)
  return `${lines.join('\r\n')}\r\n`
}

/** The body of a message, to go with the Content-Type application/sdp. */
export function serializeSdp(sdp: Sdp): Buffer {
  return Buffer.from(formatSdp(sdp))
}

function pushConnection(lines: string[], section: Pick<SdpMedia, 'connection' | 'bandwidths'>): void {
  const { connection, bandwidths } = section
  if (connection !== undefined) lines.push(`c=IN ${connection.family} ${connection.address}`)
  for (const { type, value } of bandwidths) lines.push(`b=${type}:${value}`)
}

function pushAttributes(lines: string[], section: Pick<SdpMedia, 'key' | 'attributes'>): void {
  if (section.key !== undefined) lines.push(`k=${section.key}`)
  for (const { name, value } of section.attributes) lines.push(value === undefined ? `a=${name}` : `a=${name}:${value}`)
}
