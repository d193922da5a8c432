// What is in the headers of a message, read when it is asked for: texts by any name, typed values by the names below.
// A value that is malformed, or comes twice where one may be, is a fault; a header that is not there is undefined or [].
import { headerName, isSameName } from './header_names.ts'
import type { SipFault, SipHeader, SipMessage, SipRequest } from './message.ts'
import { createFault } from './message.ts'
import { expectEnd, flaw, isAtEnd, isFlaw, moveTo, open, skipSpace, take } from './scan.ts'
import type { Uri } from './uri.ts'
import { readUri } from './uri.ts'
import {
  readDate,
  scanAddress,
  scanCallId,
  scanContact,
  scanCSeq,
  scanMediaType,
  scanNumber,
  scanRAck,
  scanReplaces,
  scanRoute,
  scanSeconds,
  scanToken,
  scanTokenValue,
  scanVia,
  scanWarning,
} from './values.ts'

const maxUint32 = 2 ** 32 - 1

/** Headers of one value. */
const single = {
  From: scanAddress,
  To: scanAddress,
  'Call-ID': scanCallId,
  CSeq: scanCSeq,
  'Max-Forwards': scanNumber(255),
  Expires: scanNumber(maxUint32),
  'Min-Expires': scanNumber(maxUint32),
  'Content-Length': scanNumber(maxUint32),
  'Content-Type': scanMediaType,
  'Content-Disposition': scanTokenValue,
  'Session-Expires': scanSeconds,
  'Min-SE': scanSeconds,
  'Retry-After': scanSeconds,
  RSeq: scanNumber(maxUint32),
  RAck: scanRAck,
  'Refer-To': scanAddress,
  'Referred-By': scanAddress,
  'Reply-To': scanAddress,
  Replaces: scanReplaces,
  Event: scanTokenValue,
  'Subscription-State': scanTokenValue,
  'SIP-ETag': scanToken,
  'SIP-If-Match': scanToken,
  Date: (value: string): number => {
    moveTo(value.length)
    return readDate(value)
  },
} satisfies Readers

/** Headers of a list: on several lines, between commas, or both (§7.3.1). */
const lists = {
  Via: scanVia,
  Contact: scanContact,
  Route: scanRoute,
  'Record-Route': scanRoute,
  Path: scanRoute,
  'Service-Route': scanRoute,
  'P-Asserted-Identity': scanAddress,
  'P-Preferred-Identity': scanAddress,
  'P-Called-Party-ID': scanAddress,
  'Remote-Party-ID': scanAddress,
  Diversion: scanAddress,
  'History-Info': scanAddress,
  Reason: scanTokenValue,
  Require: scanToken,
  'Proxy-Require': scanToken,
  Supported: scanToken,
  Unsupported: scanToken,
  Allow: scanToken,
  'Allow-Events': scanToken,
  'Content-Encoding': scanToken,
  'In-Reply-To': scanCallId,
  Accept: scanMediaType,
  'Accept-Encoding': scanTokenValue,
  'Accept-Language': scanTokenValue,
  Warning: scanWarning,
} satisfies Readers

type Readers = Record<string, (value: string) => unknown>
type SingleValues = { [Name in keyof typeof single]: ReturnType<(typeof single)[Name]> }
type ListValues = { [Name in keyof typeof lists]: ReturnType<(typeof lists)[Name]> }
export type SingleName = keyof SingleValues
export type ListName = keyof ListValues

/** Lists that may be there and empty (§20.1, §20.5, §20.37). */
const mayBeEmpty: readonly string[] = ['Accept', 'Accept-Encoding', 'Accept-Language', 'Allow', 'Supported']

/** Values of one list; more are an attack on our patience. */
const maxValues = 256

/** The first line of a header as text, whatever its name and its spelling. */
export function header(message: SipMessage, name: string): string | undefined {
  const wanted = headerName(name)
  for (const line of message.headers) if (isSameName(line.name, wanted)) return line.value
  return undefined
}

/** All lines of a header as texts, in their order. Commas are left as they are: only some headers are lists. */
export function headerLines(message: SipMessage, name: string): string[] {
  const wanted = headerName(name)
  return message.headers.filter(line => isSameName(line.name, wanted)).map(line => line.value)
}

export function hasHeader(message: SipMessage, name: string): boolean {
  return header(message, name) !== undefined
}

/** The value of a header that may come once; undefined when it is not there. */
export function readOne<Name extends SingleName>(
  message: SipMessage,
  name: Name,
): SingleValues[Name] | undefined | SipFault {
  let found: SipHeader | undefined
  for (const line of message.headers) {
    if (line.name !== name) continue
    if (found !== undefined) return createFault('duplicate', `${name} comes twice`, { header: name, message })
    found = line
  }
  if (found === undefined) return undefined
  try {
    return scanOne(name, found.value)
  } catch (thrown) {
    return faultOf(thrown, name, message)
  }
}

/** All values of a list, over all its lines; [] when it is not there. */
export function readAll<Name extends ListName>(message: SipMessage, name: Name): ListValues[Name][] | SipFault {
  const values: ListValues[Name][] = []
  try {
    for (const line of message.headers) if (line.name === name) scanList(name, line.value, values)
    return values
  } catch (thrown) {
    return faultOf(thrown, name, message)
  }
}

/** Reads one value; throws a flaw. */
export function scanOne<Name extends SingleName>(name: Name, value: string): SingleValues[Name] {
  open(value)
  const read = (single[name] as (value: string) => SingleValues[Name])(value)
  expectEnd()
  return read
}

/** Reads the values of one line into `values`; throws a flaw. */
export function scanList<Name extends ListName>(name: Name, value: string, values: ListValues[Name][]): void {
  open(value)
  skipSpace()
  if (isAtEnd() && mayBeEmpty.includes(name)) return
  do {
    if (values.length === maxValues) flaw(`more than ${maxValues} values`)
    values.push((lists[name] as (value: string) => ListValues[Name])(value))
  } while (take(44))
  expectEnd()
}

/** What a reader threw, as a fault of that header. */
export function faultOf(thrown: unknown, name: string, message: SipMessage): SipFault {
  if (!isFlaw(thrown)) throw thrown
  return createFault('header', `${name}: ${thrown.flaw}`, { header: name, message })
}

/** The Request-URI. Its scheme may be any; to refuse one is for anyone who handles the request (416). */
export function requestUri(request: SipRequest): Uri | SipFault {
  try {
    return readUri(request.uri)
  } catch (thrown) {
    return faultOf(thrown, 'Request-URI', request)
  }
}
