// HTTP digest as SIP uses it (RFC 3261 §22, RFC 7616, RFC 8760): challenges and credentials, read and written, the hashes, and
// the client's answer to a challenge. The server's side is digest_guard.ts.
import { createHash, timingSafeEqual } from 'node:crypto'
import { faultOf, headerLines } from './headers.ts'
import type { SipFault, SipHeader, SipMessage, SipRequest } from './message.ts'
import { isFault } from './message.ts'
import type { Param } from './scan.ts'
import {
  bareValue,
  expect,
  expectEnd,
  flaw,
  isFlaw,
  open,
  param,
  peek,
  quoted,
  skipSpace,
  take,
  token,
} from './scan.ts'
import { quote } from './values.ts'

export const digestAlgorithms = [
  'MD5',
  'MD5-sess',
  'SHA-256',
  'SHA-256-sess',
  'SHA-512-256',
  'SHA-512-256-sess',
] as const
export type DigestAlgorithm = (typeof digestAlgorithms)[number]
export type Qop = 'auth' | 'auth-int'

/** A challenge or credentials of any scheme, as written. */
export type AuthValue = { readonly scheme: string; readonly params: readonly Param[] }

/** `qop` is empty where the server speaks the older form (RFC 2069). */
export type DigestChallenge = {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
  readonly isStale: boolean
  readonly algorithm: DigestAlgorithm
  readonly qop: readonly Qop[]
}

/** `nonceCount` as written, eight hexadecimal digits. */
export type DigestCredentials = {
  readonly username: string
  readonly realm: string
  readonly nonce: string
  readonly uri: string
  readonly response: string
  readonly algorithm: DigestAlgorithm
  readonly opaque: string | undefined
  readonly qop: Qop | undefined
  readonly nonceCount: string | undefined
  readonly cnonce: string | undefined
}

export type AuthHeader = 'WWW-Authenticate' | 'Proxy-Authenticate' | 'Authorization' | 'Proxy-Authorization'

const maxAuthParams = 32

/** Reads one header line. Challenges are never lists: their own parameters stand between commas (§20.44). */
function scanAuth(value: string): AuthValue {
  open(value)
  skipSpace()
  const scheme = token('a scheme')
  // What other schemes look like inside is theirs.
  if (scheme.toLowerCase() !== 'digest') return { scheme, params: [] }
  const params: Param[] = []
  do {
    skipSpace()
    const name = token('a parameter name')
    expect(61)
    if (param({ params }, name) !== undefined) flaw(`parameter ${name} comes twice`)
    if (params.length === maxAuthParams) flaw(`more than ${maxAuthParams} parameters`)
    params.push({ name, value: peek() === 34 ? quoted() : bareValue() })
  } while (take(44))
  expectEnd()
  return { scheme: 'Digest', params }
}

/** All challenges or credentials of a message under one name, in their order. */
export function readAuth(message: SipMessage, name: AuthHeader): AuthValue[] | SipFault {
  try {
    return headerLines(message, name).map(scanAuth)
  } catch (thrown) {
    return faultOf(thrown, name, message)
  }
}

function algorithmOf(value: AuthValue): DigestAlgorithm | undefined {
  const name = (param(value, 'algorithm') ?? 'MD5').toLowerCase()
  return digestAlgorithms.find(algorithm => algorithm.toLowerCase() === name)
}

/** Undefined for another scheme, an algorithm or a qop that we do not know, and where realm or nonce are missing. */
export function toChallenge(value: AuthValue): DigestChallenge | undefined {
  const [realm, nonce] = [param(value, 'realm'), param(value, 'nonce')]
  const algorithm = algorithmOf(value)
  if (value.scheme !== 'Digest' || realm === undefined || !nonce || algorithm === undefined) return undefined
  const offered = (param(value, 'qop') ?? '').toLowerCase().split(/[ ,]+/).filter(Boolean)
  const qop = offered.filter((name): name is Qop => name === 'auth' || name === 'auth-int')
  if (offered.length > 0 && qop.length === 0) return undefined
  const isStale = param(value, 'stale')?.toLowerCase() === 'true'
  return { realm, nonce, opaque: param(value, 'opaque'), isStale, algorithm, qop }
}

/** Undefined for another scheme or algorithm; a text on what the credentials lack (§22.4). */
export function toCredentials(value: AuthValue): DigestCredentials | undefined | string {
  const algorithm = algorithmOf(value)
  if (value.scheme !== 'Digest' || algorithm === undefined) return undefined
  const get = (name: string) => param(value, name)
  const [username, realm, nonce] = [get('username'), get('realm'), get('nonce')]
  const [uri, response, qop] = [get('uri'), get('response'), get('qop')?.toLowerCase()]
  if (username === undefined || realm === undefined || !nonce || !uri || !response) {
    return 'digest credentials need username, realm, nonce, uri and response'
  }
  if (qop !== undefined && qop !== 'auth' && qop !== 'auth-int') return 'qop must be auth or auth-int'
  const [nonceCount, cnonce] = [get('nc'), get('cnonce')]
  const isCounted = /^[0-9a-fA-F]{8}$/.test(nonceCount ?? '') && cnonce !== undefined
  if (qop !== undefined && !isCounted) return 'with qop, nc of eight digits and cnonce are needed'
  return { username, realm, nonce, uri, response, algorithm, opaque: get('opaque'), qop, nonceCount, cnonce }
}

/**
 * The challenges of a 401 or 407 that can be answered: for each realm the first in the server's order (RFC 8760 §2.3).
 * Lines that are malformed are passed over: one good challenge is enough.
 */
export function challengesOf(response: SipMessage, name: 'WWW-Authenticate' | 'Proxy-Authenticate'): DigestChallenge[] {
  const byRealm = new Map<string, DigestChallenge>()
  for (const line of headerLines(response, name)) {
    try {
      const challenge = toChallenge(scanAuth(line))
      if (challenge && !byRealm.has(challenge.realm)) byRealm.set(challenge.realm, challenge)
    } catch (thrown) {
      if (!isFlaw(thrown)) throw thrown
    }
  }
  return [...byRealm.values()]
}

function hash(algorithm: DigestAlgorithm, text: string | Buffer): string {
  const name = algorithm.startsWith('MD5') ? 'md5' : algorithm.startsWith('SHA-256') ? 'sha256' : 'sha512-256'
  return createHash(name).update(text).digest('hex')
}

/** H(username:realm:password), all that a server has to keep of a password. The same for an algorithm and its -sess form. */
export function digestSecret(algorithm: DigestAlgorithm, username: string, realm: string, password: string): string {
  return hash(algorithm, `${username}:${realm}:${password}`)
}

export type DigestInput = {
  algorithm: DigestAlgorithm
  /** As `digestSecret` gives it. */
  secret: string
  nonce: string
  method: string
  uri: string
  qop?: Qop | undefined
  nonceCount?: string | undefined
  cnonce?: string | undefined
  body?: Buffer | undefined
}

/** The `response` parameter (RFC 7616 §3.4.1; without qop as RFC 2069). */
export function digestResponse(input: DigestInput): string {
  const { algorithm, nonce, method, uri, qop, nonceCount = '', cnonce = '', body } = input
  const isSession = algorithm.endsWith('-sess')
  const secret = isSession ? hash(algorithm, `${input.secret}:${nonce}:${cnonce}`) : input.secret
  const target = `${method}:${uri}`
  const ha2 = hash(algorithm, qop === 'auth-int' ? `${target}:${hash(algorithm, body ?? '')}` : target)
  const middle = qop === undefined ? nonce : `${nonce}:${nonceCount}:${cnonce}:${qop}`
  return hash(algorithm, `${secret}:${middle}:${ha2}`)
}

export type Answer = {
  username: string
  password: string
  method: string
  /** The Request-URI as it goes out. */
  uri: string
  /** How often this nonce has been answered, from 1. */
  nonceCount: number
  /** Random and of our choice, at least 8 characters; used with qop and with the -sess algorithms. */
  cnonce: string
  body?: Buffer
}

/** The value of Authorization or Proxy-Authorization that answers a challenge. */
export function answerChallenge(challenge: DigestChallenge, answer: Answer): string {
  const { realm, nonce, algorithm, opaque } = challenge
  const { username, password, method, uri, cnonce, body } = answer
  const qop = challenge.qop.includes('auth') ? 'auth' : challenge.qop[0]
  const nonceCount = answer.nonceCount.toString(16).padStart(8, '0')
  const secret = digestSecret(algorithm, username, realm, password)
  const response = digestResponse({ algorithm, secret, nonce, method, uri, qop, nonceCount, cnonce, body })
  return formatCredentials({ username, realm, nonce, uri, response, algorithm, opaque, qop, nonceCount, cnonce })
}

export function formatCredentials(credentials: DigestCredentials): string {
  const { username, realm, nonce, uri, response, algorithm, opaque, qop, nonceCount, cnonce } = credentials
  const names = `username=${quote(username)}, realm=${quote(realm)}, nonce=${quote(nonce)}, uri=${quote(uri)}`
  let text = `Digest ${names}, response="${response}", algorithm=${algorithm}`
  if (qop !== undefined) text += `, qop=${qop}, nc=${nonceCount}`
  if (cnonce !== undefined && (qop !== undefined || algorithm.endsWith('-sess'))) text += `, cnonce=${quote(cnonce)}`
  return opaque === undefined ? text : `${text}, opaque=${quote(opaque)}`
}

export function formatChallenge({ realm, nonce, opaque, isStale, algorithm, qop }: DigestChallenge): string {
  let text = `Digest realm=${quote(realm)}, nonce=${quote(nonce)}`
  if (opaque !== undefined) text += `, opaque=${quote(opaque)}`
  if (isStale) text += ', stale=true'
  text += `, algorithm=${algorithm}`
  return qop.length === 0 ? text : `${text}, qop="${qop.join(',')}"`
}

/** Whether credentials prove the secret, for that method and body. Takes the same time wherever they differ. */
export function isRightResponse(
  credentials: DigestCredentials,
  proof: { secret: string; method: string; body?: Buffer },
): boolean {
  const expected = Buffer.from(digestResponse({ ...credentials, ...proof }))
  const given = Buffer.from(credentials.response.toLowerCase())
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The header that answers, for the status of the challenge. */
export function authHeader(status: 401 | 407, value: string): SipHeader {
  return { name: status === 401 ? 'Authorization' : 'Proxy-Authorization', value }
}

/** The credentials a request has for our realm; undefined when it has none. */
export function credentialsOf(
  request: SipRequest,
  name: 'Authorization' | 'Proxy-Authorization',
  realm: string,
): DigestCredentials | undefined | SipFault {
  const values = readAuth(request, name)
  if (isFault(values)) return values
  for (const value of values) {
    if (param(value, 'realm') !== realm) continue
    const credentials = toCredentials(value)
    if (typeof credentials === 'string') return faultOf({ flaw: credentials }, name, request)
    if (credentials !== undefined) return credentials
  }
  return undefined
}
