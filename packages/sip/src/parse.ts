// Octets to a message (RFC 3261 §7): the start line, the header lines, the body. Strict about what frames a message, so that
// we never read another one than the sender's other peers do; what the values mean is checked by core.ts and headers.ts.
import { isAscii, isUtf8 } from 'node:buffer'
import { headerName } from './header_names.ts'
import type { SipFault, SipHeader, SipMessage } from './message.ts'
import { createFault, emptyBody, isFault } from './message.ts'
import { charSets, isInSet, tokenChar } from './scan.ts'

export type ParseLimits = {
  /** Octets of start line and headers together. */
  maxHead?: number
  /** Octets of the body. */
  maxBody?: number
  /** Header lines. */
  maxHeaders?: number
}

export const defaultLimits: Required<ParseLimits> = { maxHead: 65_536, maxBody: 65_536, maxHeaders: 256 }

const headEnd = Buffer.from('\r\n\r\n')

/**
 * Reads one datagram. Octets after the body that Content-Length gives are ignored (§18.3); without Content-Length the body
 * is the rest. The body is a view of `datagram`: copy what is to be kept for long. Empty lines before the start line are
 * skipped (§7.5); a datagram of nothing else is for `isKeepAlive`.
 */
export function parseMessage(datagram: Buffer, limits: ParseLimits = {}): SipMessage | SipFault {
  let start = 0
  while (datagram[start] === 13 && datagram[start + 1] === 10) start += 2
  const end = datagram.indexOf(headEnd, start)
  if (end === -1) return createFault('start_line', 'the empty line after the headers is missing')
  const head = parseHead(datagram, start, end, limits)
  if (isFault(head)) return head
  const from = end + 4
  const length = head.contentLength ?? datagram.length - from
  const message = head.message
  if (length > (limits.maxBody ?? defaultLimits.maxBody)) return tooLarge('the body', message)
  if (length > datagram.length - from) {
    const detail = `Content-Length is ${length}, but ${datagram.length - from} octets follow the headers`
    return createFault('length', detail, { header: 'Content-Length', message })
  }
  return length === 0 ? message : { ...message, body: datagram.subarray(from, from + length) }
}

/** RFC 5626 §3.5.1, §4.4.1: an empty datagram, or one of line ends or NULs only, keeps a NAT binding open. */
export function isKeepAlive(datagram: Buffer): boolean {
  if (datagram.length > 8) return false
  return datagram.every(octet => octet === 13 || octet === 10 || octet === 0)
}

export type Head = { readonly message: SipMessage; readonly contentLength: number | undefined }

/** Reads what lies before the empty line at `end`. The message has no body yet. */
export function parseHead(bytes: Buffer, start: number, end: number, limits: ParseLimits): Head | SipFault {
  if (end - start > (limits.maxHead ?? defaultLimits.maxHead)) return tooLarge('the head', undefined)
  const text = decode(bytes, start, end)
  let lineEnd = text.indexOf('\r\n')
  if (lineEnd === -1) lineEnd = text.length
  const line = text.slice(0, lineEnd)
  const headers: SipHeader[] = []
  const flaw = readHeaders(text, lineEnd + 2, headers, limits.maxHeaders ?? defaultLimits.maxHeaders)
  const message = line.startsWith('SIP/') ? readStatusLine(line, headers) : readRequestLine(line, headers)
  if (isFault(message)) return message
  if (flaw !== undefined) return { ...flaw, message }
  const contentLength = readContentLength(message)
  return isFault(contentLength) ? contentLength : { message, contentLength }
}

/** Headers are UTF-8 (§7.3.1). Where they are not, they are from an old device: Latin-1 loses no octet of a name. */
function decode(bytes: Buffer, start: number, end: number): string {
  const head = bytes.subarray(start, end)
  return isAscii(head) || !isUtf8(head) ? head.toString('latin1') : head.toString('utf8')
}

function tooLarge(what: string, message: SipMessage | undefined): SipFault {
  return createFault('size', `${what} of the message is larger than we take`, { status: 513, message })
}

function readRequestLine(line: string, headers: readonly SipHeader[]): SipMessage | SipFault {
  const first = line.indexOf(' ')
  const last = line.lastIndexOf(' ')
  const method = line.slice(0, Math.max(first, 0))
  const uri = line.slice(first + 1, Math.max(last, 0))
  const request: SipMessage = { kind: 'request', method, uri, headers, body: emptyBody }
  // Without a method there is nobody who would understand an answer.
  if (!isToken(method)) return createFault('start_line', 'the message does not begin as SIP does')
  const version = line.slice(last + 1)
  if (version !== 'SIP/2.0' && !/^SIP\/2\.0$/i.test(version)) {
    const isOther = /^SIP\/\d+\.\d+$/i.test(version)
    const detail = isOther ? `the version is ${version}, ours is SIP/2.0` : 'the request line does not end in SIP/2.0'
    return createFault(isOther ? 'version' : 'start_line', detail, { status: isOther ? 505 : 400, message: request })
  }
  if (uri === '' || !isWord(uri)) {
    const detail = 'the request line must be method, URI and version with one space between them'
    return createFault('start_line', detail, { message: request })
  }
  return request
}

function readStatusLine(line: string, headers: readonly SipHeader[]): SipMessage | SipFault {
  const status = Number(line.slice(8, 11))
  // The space before an empty reason phrase is often left out.
  const isWhole = line.length === 11 || line.charCodeAt(11) === 32
  if (isWhole && status >= 100 && status <= 699 && line.startsWith('SIP/2.0 ') && /^\d{3}$/.test(line.slice(8, 11))) {
    const reason = line.slice(12)
    if (!reason.includes('\r') && !reason.includes('\n')) {
      return { kind: 'response', status, reason, headers, body: emptyBody }
    }
  }
  const isVersion = !line.startsWith('SIP/2.0 ') && /^SIP\/\d+\.\d+ /.test(line)
  const detail = 'the status line must be SIP/2.0, a status of three digits and its reason'
  return createFault(isVersion ? 'version' : 'start_line', detail, { status: isVersion ? 505 : 400 })
}

function isToken(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isInSet(text.charCodeAt(at), tokenChar)) return false
  return text.length > 0
}

/** Whether a text is of visible characters only. */
function isWord(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code === 127) return false
  }
  return true
}

type HeaderFlaw = Omit<SipFault, 'message'>

/** Puts the header lines from `start` into `headers`; what is wrong with one does not hide the others. */
function readHeaders(text: string, start: number, headers: SipHeader[], max: number): HeaderFlaw | undefined {
  let flaw: HeaderFlaw | undefined
  let at = start
  while (at < text.length) {
    let end = text.indexOf('\r\n', at)
    if (end === -1) end = text.length
    let isFolded = false
    for (let next = text.charCodeAt(end + 2); next === 32 || next === 9; next = text.charCodeAt(end + 2)) {
      isFolded = true
      end = text.indexOf('\r\n', end + 2)
      if (end === -1) end = text.length
    }
    if (headers.length === max) return createFault('size', `the message has more than ${max} header lines`)
    flaw = readHeader(text, at, end, isFolded, headers) ?? flaw
    at = end + 2
  }
  return flaw
}

function readHeader(
  text: string,
  start: number,
  end: number,
  isFolded: boolean,
  headers: SipHeader[],
): HeaderFlaw | undefined {
  let at = start
  for (let code = text.charCodeAt(at); code < 128 && (charSets[code]! & tokenChar) !== 0; code = text.charCodeAt(++at));
  const nameEnd = at
  while (isSpace(text.charCodeAt(at))) at++
  if (nameEnd === start || at >= end || text.charCodeAt(at) !== 58) {
    return createFault(
      'header',
      `a header line must be name: value, not "${text.slice(start, Math.min(end, start + 20))}"`,
    )
  }
  at += 1
  while (at < end && isSpace(text.charCodeAt(at))) at++
  let last = end
  while (last > at && isSpace(text.charCodeAt(last - 1))) last--
  const raw = text.slice(at, last)
  const value = isFolded ? unfold(raw) : raw
  const name = headerName(text.slice(start, nameEnd))
  if (value.includes('\n') || value.includes('\r')) {
    return createFault('header', `${name} has a line end that is not CR LF`, { header: name })
  }
  headers.push({ name, value })
  return undefined
}

/** A line end with the space around it is one space (§7.3.1). */
function unfold(raw: string): string {
  const lines = raw.split('\r\n').map(line => line.trim())
  return lines.filter(line => line !== '').join(' ')
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9
}

/** Two of them, even of one value, leave open where the body ends. */
export function readContentLength(message: SipMessage): number | undefined | SipFault {
  let length: number | undefined
  for (const { name, value } of message.headers) {
    if (name !== 'Content-Length') continue
    if (length !== undefined) {
      return createFault('duplicate', 'Content-Length comes twice', { header: name, message })
    }
    if (!/^\d{1,10}$/.test(value)) {
      const detail = `Content-Length must be a number of octets, not "${value.slice(0, 20)}"`
      return createFault('length', detail, { header: name, message })
    }
    length = Number(value)
  }
  return length
}
