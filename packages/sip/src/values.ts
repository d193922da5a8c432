// The values of headers, each with its reader and its writer: addresses, Via, CSeq, session timers, transfer, reasons.
// Readers work on the cursor of scan.ts and throw its flaws; headers.ts knows which header has which.
import type { Param } from './scan.ts'
import {
  expect,
  expectEnd,
  flaw,
  host,
  isInSet,
  moveTo,
  number,
  open,
  param,
  params,
  paramValue,
  peek,
  place,
  position,
  quoted,
  run,
  skipSpace,
  take,
  token,
  tokenChar,
  wordChar,
} from './scan.ts'
import type { Uri } from './uri.ts'
import { formatUri, isSipUri, readUri } from './uri.ts'

/** name-addr or addr-spec with header parameters (§20.10); `params` are those behind the URI, as `tag`. */
export type NameAddress = {
  readonly displayName: string | undefined
  readonly uri: Uri
  readonly params: readonly Param[]
}

/** §20.42. `transport` in capitals; `params` hold branch, received, rport. */
export type Via = {
  readonly transport: string
  readonly host: string
  readonly port: number | undefined
  readonly params: readonly Param[]
}

export type CSeq = { readonly number: number; readonly method: string }

/** RFC 3262 §7.2: what a PRACK acknowledges. */
export type RAck = { readonly rseq: number; readonly cseq: number; readonly method: string }

/** A token with parameters, as Event, Subscription-State, Accept-Encoding, Reason ('SIP', 'Q.850'). */
export type TokenValue = { readonly token: string; readonly params: readonly Param[] }

/** Lower-case; `application/sdp`. `*` stands for any in Accept. */
export type MediaType = { readonly type: string; readonly subtype: string; readonly params: readonly Param[] }

/** A number with parameters: Session-Expires (refresher), Min-SE, Retry-After. */
export type Seconds = { readonly seconds: number; readonly params: readonly Param[] }

/** RFC 3891: which dialog is to be replaced. */
export type Replaces = {
  readonly callId: string
  readonly toTag: string
  readonly fromTag: string
  readonly isEarlyOnly: boolean
}

/** §20.43 */
export type Warning = { readonly code: number; readonly agent: string; readonly text: string }

const maxUint32 = 2 ** 32 - 1

/** Scans an address at the cursor and stops behind its parameters. */
export function scanAddress(value: string): NameAddress {
  skipSpace()
  const start = position()
  const code = peek()
  if (code === 34) {
    const displayName = quoted()
    skipSpace()
    return bracketed(value, displayName)
  }
  if (code === 60) return bracketed(value, undefined)
  // Either the words of a display name or the URI itself: a '<' before any mark that ends a URI decides.
  const bracket = value.indexOf('<', start)
  if (bracket !== -1 && isTokens(value, start, bracket)) {
    moveTo(bracket)
    return bracketed(value, value.slice(start, bracket).trim())
  }
  let end = start
  while (end < value.length && !endsBareUri(value.charCodeAt(end))) end++
  if (value.charCodeAt(end) === 63) flaw('a URI with "?" must stand in < and >')
  if (end === start) flaw(`an address expected at ${place()}`)
  const uri = readUri(value.slice(start, end))
  moveTo(end)
  return { displayName: undefined, uri, params: params() }
}

function bracketed(value: string, displayName: string | undefined): NameAddress {
  const start = position()
  if (value.charCodeAt(start) !== 60) flaw(`'<' expected at ${place()}`)
  const end = value.indexOf('>', start)
  if (end === -1) flaw('an address is not closed by >')
  const uri = readUri(value.slice(start + 1, end))
  moveTo(end + 1)
  return { displayName, uri, params: params() }
}

/** Letters beyond ASCII would have to be quoted; many devices do not, and they end no display name. */
function isTokens(value: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = value.charCodeAt(at)
    if (code !== 32 && code !== 9 && code < 128 && !isInSet(code, tokenChar)) return false
  }
  return true
}

/** ; , ? < > and space */
function endsBareUri(code: number): boolean {
  return code === 59 || code === 44 || code === 63 || code === 60 || code === 62 || code === 32 || code === 9
}

/** A Contact value; `*` has the scheme '*'. */
export function scanContact(value: string): NameAddress {
  skipSpace()
  const start = position()
  if (peek() !== 42) return scanAddress(value)
  moveTo(start + 1)
  skipSpace()
  if (start !== 0 || position() < value.length) flaw('* must be the only Contact')
  return { displayName: undefined, uri: { scheme: '*', rest: '', params: [] }, params: [] }
}

/** A Route, Record-Route or Path value: always in brackets, always sip or sips (§20.34). */
export function scanRoute(value: string): NameAddress {
  const address = scanAddress(value)
  if (!isSipUri(address.uri)) flaw('a route must be a sip: or sips: URI')
  return address
}

export function scanVia(): Via {
  skipSpace()
  if (!/^SIP$/i.test(token('SIP/2.0'))) flaw('Via must begin with SIP/2.0')
  expect(47)
  if (token('2.0') !== '2.0') flaw('Via must begin with SIP/2.0')
  expect(47)
  const transport = token('a transport').toUpperCase()
  if (peek() !== 32 && peek() !== 9) flaw('a space must follow the transport of a Via')
  skipSpace()
  const sentBy = host()
  const port = take(58) ? number(65_535, 'the port') : undefined
  return { transport, host: sentBy, port, params: params() }
}

export function scanCSeq(): CSeq {
  skipSpace()
  // Below 2**31 by §8.1.1.5.
  const value = number(2 ** 31 - 1, 'the CSeq number')
  if (peek() !== 32 && peek() !== 9) flaw('a space must follow the CSeq number')
  skipSpace()
  return { number: value, method: token('a method') }
}

/** word [ "@" word ] (§25.1) */
export function scanCallId(): string {
  skipSpace()
  const word = run(wordChar, 'a Call-ID')
  if (peek() !== 64) return word
  moveTo(position() + 1)
  return `${word}@${run(wordChar, 'the part behind @ of the Call-ID')}`
}

export function scanNumber(max: number): () => number {
  return () => {
    skipSpace()
    return number(max)
  }
}

export function scanSeconds(): Seconds {
  skipSpace()
  const seconds = number(maxUint32, 'the seconds')
  skipSpace()
  // Retry-After may give a reason for people, in brackets (§20.33); nothing is lost by skipping that.
  if (peek() === 40) skipComment()
  return { seconds, params: params() }
}

function skipComment(): void {
  let depth = 0
  do {
    const code = peek()
    if (Number.isNaN(code)) flaw('a comment is not closed')
    if (code === 40) depth += 1
    if (code === 41) depth -= 1
    moveTo(position() + (code === 92 ? 2 : 1))
  } while (depth > 0)
}

export function scanRAck(): RAck {
  skipSpace()
  const rseq = number(maxUint32, 'the RSeq number')
  skipSpace()
  const cseq = number(2 ** 31 - 1, 'the CSeq number')
  skipSpace()
  return { rseq, cseq, method: token('a method') }
}

export function scanToken(): string {
  skipSpace()
  return token()
}

export function scanTokenValue(): TokenValue {
  skipSpace()
  return { token: token(), params: params() }
}

export function scanMediaType(): MediaType {
  skipSpace()
  const type = token('a media type').toLowerCase()
  expect(47)
  return { type, subtype: token('a media subtype').toLowerCase(), params: params() }
}

export function scanReplaces(): Replaces {
  const callId = scanCallId()
  const list = { params: params() }
  const [toTag, fromTag] = [param(list, 'to-tag'), param(list, 'from-tag')]
  if (!toTag || !fromTag) flaw('Replaces needs to-tag and from-tag')
  return { callId, toTag, fromTag, isEarlyOnly: param(list, 'early-only') !== undefined }
}

export function scanWarning(): Warning {
  skipSpace()
  const code = number(999, 'the warning code')
  skipSpace()
  const agent = paramValue()
  skipSpace()
  if (peek() !== 34) flaw('a warning ends in a quoted text')
  return { code, agent, text: quoted() }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const datePattern = /^([A-Z][a-z]{2}), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/

/** SIP-date (§20.17), always GMT: milliseconds since 1970. */
export function readDate(value: string): number {
  const match = datePattern.exec(value)
  const month = months.indexOf(match?.[3] ?? '')
  if (match === null || month === -1) return flaw('a date is as in "Sat, 13 Nov 2010 23:29:00 GMT"')
  const [day, year, hour, minute, second] = [match[2], match[4], match[5], match[6], match[7]].map(Number) as number[]
  const time = Date.UTC(year!, month, day!, hour!, minute!, second!)
  if (new Date(time).getUTCDate() !== day || hour! > 23 || minute! > 59 || second! > 60) flaw('there is no such date')
  return time
}

/** `time` in milliseconds since 1970. */
export function formatDate(time: number): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${weekdays[date.getUTCDay()]}, ${two(date.getUTCDate())} ${months[date.getUTCMonth()]}`
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':')
  return `${day} ${date.getUTCFullYear()} ${clock} GMT`
}

/** Reads a text that is one address alone, as for a setting that a person wrote; throws a flaw. */
export function readAddress(value: string): NameAddress {
  open(value)
  const address = scanAddress(value)
  expectEnd()
  return address
}

/** A text as a quoted string. Line ends, which no value may have, become spaces. */
export function quote(text: string): string {
  let quoted = '"'
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 13 || code === 10) quoted += ' '
    else if (code === 34 || code === 92 || code === 127 || (code < 32 && code !== 9)) quoted += `\\${text[at]}`
    else quoted += text[at]
  }
  return `${quoted}"`
}

const plainValue = /^(?:[A-Za-z0-9\-.!%*_+`'~:]|\[[0-9A-Fa-f:.]*\])+$/

export function formatParams(list: readonly Param[]): string {
  let text = ''
  for (const { name, value } of list) {
    if (value === undefined) text += `;${name}`
    else text += plainValue.test(value) ? `;${name}=${value}` : `;${name}=${quote(value)}`
  }
  return text
}

/** With brackets always: they keep the parameters of the URI and of the header apart. */
export function formatAddress({ displayName, uri, params: list }: NameAddress): string {
  if (uri.scheme === '*') return '*'
  const name = displayName === undefined || displayName === '' ? '' : `${quote(displayName)} `
  return `${name}<${formatUri(uri)}>${formatParams(list)}`
}

export function formatVia({ transport, host: sentBy, port, params: list }: Via): string {
  return `SIP/2.0/${transport} ${sentBy}${port === undefined ? '' : `:${port}`}${formatParams(list)}`
}

export function formatTokenValue(value: TokenValue): string {
  return value.token + formatParams(value.params)
}

export function formatMediaType({ type, subtype, params: list }: MediaType): string {
  return `${type}/${subtype}${formatParams(list)}`
}

export function formatReplaces({ callId, toTag, fromTag, isEarlyOnly }: Replaces): string {
  return `${callId};to-tag=${toTag};from-tag=${fromTag}${isEarlyOnly ? ';early-only' : ''}`
}
