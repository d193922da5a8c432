// SIP, SIPS and tel URIs (RFC 3261 §19.1, RFC 3966): reading, writing, comparing. Parts are kept as they are written, with
// their escapes, so that nothing is lost on the way through; `unescapeUri` gives the text that people read.
import type { SipFault } from './message.ts'
import { createFault } from './message.ts'
import type { Param } from './scan.ts'
import {
  charSets,
  flaw,
  hnvChar,
  hostChar,
  isFlaw,
  isInSet,
  param,
  paramChar,
  passwordChar,
  uriChar,
  userChar,
} from './scan.ts'

/** `host` is a name, an IPv4 address or an IPv6 address in brackets. `headers` are what follows '?'. */
export type SipUri = {
  readonly scheme: 'sip' | 'sips'
  readonly user: string | undefined
  readonly password: string | undefined
  readonly host: string
  readonly port: number | undefined
  readonly params: readonly Param[]
  readonly headers: readonly Param[]
}

/** `number` is as dialled, with its visual separators; '+' makes it global (RFC 3966 §5.1). */
export type TelUri = { readonly scheme: 'tel'; readonly number: string; readonly params: readonly Param[] }

/** Any other absolute URI; `rest` is what follows the colon. `*` of a Contact has the scheme '*'. */
export type OtherUri = { readonly scheme: string; readonly rest: string; readonly params: readonly Param[] }

export type Uri = SipUri | TelUri | OtherUri

export function isSipUri(uri: Uri): uri is SipUri {
  return 'host' in uri
}

export function isTelUri(uri: Uri): uri is TelUri {
  return 'number' in uri
}

const noParams: readonly Param[] = Object.freeze([])
const maxParts = 64

/** Reads a URI alone, without < and >. The fault's status is 400. */
export function parseUri(text: string): Uri | SipFault {
  try {
    return readUri(text)
  } catch (thrown) {
    if (!isFlaw(thrown)) throw thrown
    return createFault('header', `"${text.slice(0, 80)}": ${thrown.flaw}`)
  }
}

/** As `parseUri`; throws a flaw. */
export function readUri(text: string): Uri {
  const colon = text.indexOf(':')
  const written = text.slice(0, Math.max(colon, 0))
  if (written === 'sip' || written === 'sips') return readSipUri(written, text, colon + 1)
  if (!/^[a-z][a-z0-9+.-]*$/i.test(written)) flaw('a URI begins with its scheme, as in sip:')
  const scheme = written.toLowerCase()
  if (scheme === 'sip' || scheme === 'sips') return readSipUri(scheme, text, colon + 1)
  if (scheme === 'tel') return readTelUri(text, colon + 1)
  checkSet(text, colon + 1, text.length, uriChar, 'the URI')
  if (colon + 1 === text.length) flaw('the URI ends after its scheme')
  return { scheme, rest: text.slice(colon + 1), params: noParams }
}

function readSipUri(scheme: 'sip' | 'sips', text: string, start: number): SipUri {
  const sign = text.indexOf('@', start)
  let user: string | undefined
  let password: string | undefined
  if (sign !== -1) {
    const colon = text.indexOf(':', start)
    const userEnd = colon === -1 || colon > sign ? sign : colon
    if (userEnd === start) flaw('the user part is empty')
    user = checkSet(text, start, userEnd, userChar, 'the user part')
    if (userEnd < sign) password = checkSet(text, userEnd + 1, sign, passwordChar, 'the password')
  }
  let at = sign === -1 ? start : sign + 1
  const hostEnd = endOfHost(text, at)
  const host = text.slice(at, hostEnd)
  at = hostEnd
  let port: number | undefined
  if (text.charCodeAt(at) === 58) {
    const portEnd = endOfDigits(text, at + 1)
    port = Number(text.slice(at + 1, portEnd))
    if (portEnd === at + 1 || portEnd > at + 6 || port > 65_535) flaw('the port must be 0 to 65535')
    at = portEnd
  }
  if (at === text.length) return { scheme, user, password, host, port, params: noParams, headers: noParams }
  const question = text.indexOf('?', at)
  const end = question === -1 ? text.length : question
  const params = readParams(text, at, end)
  const headers = question === -1 ? noParams : readHeaders(text.slice(question + 1))
  return { scheme, user, password, host, port, params, headers }
}

function endOfHost(text: string, start: number): number {
  if (text.charCodeAt(start) === 91) {
    const end = text.indexOf(']', start) + 1
    if (!/^\[[0-9A-Fa-f:.]{2,45}\]$/.test(text.slice(start, end))) flaw('the host is no IPv6 address in brackets')
    return end
  }
  let at = start
  for (let code = text.charCodeAt(at); isInSet(code, hostChar); code = text.charCodeAt(++at));
  if (at === start) flaw('the host is missing')
  return at
}

function endOfDigits(text: string, start: number): number {
  let at = start
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(++at));
  return at
}

/** Checks that a part has only characters of its set, and whole escapes. */
function checkSet(text: string, start: number, end: number, set: number, what: string): string {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code < 128 && (charSets[code]! & set) !== 0) continue
    if (code !== 37) flaw(`${what} has a character that must be escaped: ${JSON.stringify(text[at])}`)
    if (at + 2 >= end || !isHex(text.charCodeAt(at + 1)) || !isHex(text.charCodeAt(at + 2))) {
      flaw(`${what} has a broken escape: ${text.slice(at, at + 3)}`)
    }
    at += 2
  }
  return text.slice(start, end)
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)
}

/** `;name=value` from `start`, which is at a ';' or at the end. */
function readParams(text: string, start: number, end: number): readonly Param[] {
  if (start === end) return noParams
  const params: Param[] = []
  let at = start
  while (at < end) {
    if (text.charCodeAt(at) !== 59) flaw(`';' expected at "${text.slice(at, at + 12)}"`)
    const next = text.indexOf(';', at + 1)
    const stop = next === -1 || next > end ? end : next
    const equals = text.indexOf('=', at)
    const nameEnd = equals === -1 || equals > stop ? stop : equals
    if (nameEnd === at + 1) flaw('a parameter has no name')
    const name = checkSet(text, at + 1, nameEnd, paramChar, 'a parameter')
    if (nameEnd + 1 === stop) flaw(`parameter ${name} has an empty value`)
    const value = nameEnd === stop ? undefined : checkSet(text, nameEnd + 1, stop, paramChar, `parameter ${name}`)
    if (param({ params }, name) !== undefined) flaw(`parameter ${name} comes twice`)
    if (params.length === maxParts) flaw(`more than ${maxParts} parameters`)
    params.push({ name, value })
    at = stop
  }
  return params
}

function readHeaders(text: string): readonly Param[] {
  const parts = text.split('&', maxParts + 1)
  if (parts.length > maxParts) flaw(`more than ${maxParts} headers`)
  return parts.map(part => {
    const equals = part.indexOf('=')
    if (equals < 1) flaw('a header of the URI must be name=value')
    const name = checkSet(part, 0, equals, hnvChar, 'a header of the URI')
    return { name, value: checkSet(part, equals + 1, part.length, hnvChar, `header ${name} of the URI`) }
  })
}

function readTelUri(text: string, start: number): TelUri {
  const semicolon = text.indexOf(';', start)
  const end = semicolon === -1 ? text.length : semicolon
  const number = text.slice(start, end)
  const isGlobal = /^\+[-.()]*[0-9][-.()0-9]*$/.test(number)
  // A local number should have a phone-context (RFC 3966 §5.1.5); many senders leave it out.
  if (!isGlobal && !/^[-.()]*[0-9A-Fa-f*#][-.()0-9A-Fa-f*#]*$/.test(number)) flaw('tel: needs a telephone number')
  return { scheme: 'tel', number, params: readParams(text, end, text.length) }
}

export function formatUri(uri: Uri): string {
  if (isSipUri(uri)) {
    let text = `${uri.scheme}:`
    if (uri.user !== undefined) text += uri.password === undefined ? `${uri.user}@` : `${uri.user}:${uri.password}@`
    text += uri.host
    if (uri.port !== undefined) text += `:${uri.port}`
    for (const { name, value } of uri.params) text += value === undefined ? `;${name}` : `;${name}=${value}`
    let mark = '?'
    for (const { name, value } of uri.headers) {
      text += `${mark}${name}=${value ?? ''}`
      mark = '&'
    }
    return text
  }
  if (uri.scheme === '*') return '*'
  let text = `${uri.scheme}:${isTelUri(uri) ? uri.number : uri.rest}`
  for (const { name, value } of uri.params) text += value === undefined ? `;${name}` : `;${name}=${value}`
  return text
}

/** The text behind the escapes, as UTF-8; octets that are no UTF-8 show as U+FFFD. */
export function unescapeUri(part: string): string {
  return part.replace(/(?:%[0-9A-Fa-f]{2})+/g, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
}

function escapeFor(set: number, text: string): string {
  let escaped = ''
  for (const byte of Buffer.from(text)) {
    const isPlain = isInSet(byte, set)
    escaped += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return escaped
}

/** A text as the user part of a SIP URI. '#' is escaped, as the standard wants it. */
export function escapeUser(text: string): string {
  return escapeFor(userChar, text).replaceAll('#', '%23')
}

/** A text as the value of a parameter of a SIP URI. */
export function escapeUriParam(text: string): string {
  return escapeFor(paramChar, text)
}

/** A text as the name or the value of a header of a SIP URI, as Replaces in Refer-To. */
export function escapeUriHeader(text: string): string {
  return escapeFor(hnvChar, text)
}

/** For comparing: escapes of characters that need none count as the character (§19.1.4), those of others as they are. */
function normal(part: string): string {
  if (!part.includes('%')) return part
  return part.replace(/%([0-9A-Fa-f]{2})/g, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[A-Za-z0-9\-_.!~*'()]/.test(character) ? character : whole.toUpperCase()
  })
}

/** Parameters that distinguish two URIs when only one has them; others are then ignored. */
const decisive = ['user', 'ttl', 'method', 'maddr', 'transport']

/** Whether two URIs are equivalent: RFC 3261 §19.1.4, RFC 3966 §4. */
export function isSameUri(one: Uri, other: Uri): boolean {
  if (one.scheme !== other.scheme) return false
  if (isSipUri(one) && isSipUri(other)) {
    return (
      isSamePart(one.user, other.user) &&
      isSamePart(one.password, other.password) &&
      one.host.toLowerCase() === other.host.toLowerCase() &&
      one.port === other.port &&
      areSameParams(one, other) &&
      areSameHeaders(one.headers, other.headers)
    )
  }
  if (isTelUri(one) && isTelUri(other)) {
    const isSameNumber = dialled(one.number) === dialled(other.number)
    return isSameNumber && one.params.length === other.params.length && hasSameParams(one, other)
  }
  return formatUri(one) === formatUri(other)
}

/** Whether two URIs lead to the same user at the same host, whatever ports, passwords and parameters say of the way there. */
export function isSameTarget(one: Uri, other: Uri): boolean {
  if (!isSipUri(one) || !isSipUri(other)) return isSameUri(one, other)
  const isSameHost = one.host.toLowerCase() === other.host.toLowerCase()
  return one.scheme === other.scheme && isSamePart(one.user, other.user) && isSameHost
}

function isSamePart(one: string | undefined, other: string | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && normal(one) === normal(other))
}

function dialled(number: string): string {
  return number.replace(/[-.()]/g, '').toLowerCase()
}

function areSameParams(one: SipUri, other: SipUri): boolean {
  if (one.params.length === 0 && other.params.length === 0) return true
  for (const name of decisive) {
    if ((param(one, name) === undefined) !== (param(other, name) === undefined)) return false
  }
  return one.params.every(entry => {
    const value = otherValue(other, entry.name)
    return value === undefined || value === folded(entry.value)
  })
}

function hasSameParams(one: TelUri, other: TelUri): boolean {
  return one.params.every(entry => {
    const value = otherValue(other, entry.name)
    if (!/^(ext|phone-context)$/i.test(entry.name)) return value === folded(entry.value)
    return value !== undefined && dialled(value) === dialled(folded(entry.value))
  })
}

function otherValue(other: { readonly params: readonly Param[] }, name: string): string | undefined {
  const found = other.params.find(entry => folded(entry.name) === folded(name))
  return found && folded(found.value)
}

function folded(part: string | undefined): string {
  return normal(part ?? '').toLowerCase()
}

function areSameHeaders(one: readonly Param[], other: readonly Param[]): boolean {
  if (one.length !== other.length) return false
  const sorted = (headers: readonly Param[]) =>
    headers.map(({ name, value }) => `${folded(name)}=${normal(value ?? '')}`).sort()
  const others = sorted(other)
  return sorted(one).every((header, index) => header === others[index])
}
