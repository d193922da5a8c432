// Identifiers and secrets: prefixed time-ordered ids (`msg_01k…`), random tokens, and API keys with a checksum.
// All randomness of the server is drawn here, from the operating system's generator, in pools.
import { randomBytes, randomFillSync, randomInt } from 'node:crypto'
import type { Keyring } from './keyring.ts'

const pool = Buffer.allocUnsafe(8192)
let poolAt = pool.length

/** One random byte. A pool of 8 KiB makes the generator's call cost nothing worth counting. */
function randomByte(): number {
  if (poolAt === pool.length) {
    randomFillSync(pool)
    poolAt = 0
  }
  return pool[poolAt++]!
}

/** A code that people read and type: decimal digits, each as likely as the others. */
export function newCode(digits: number): string {
  return Array.from({ length: digits }, () => randomInt(10)).join('')
}

// Crockford's base32 in lower case: no i, l, o, u.
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const PAIRS = Array.from({ length: 1024 }, (_, n) => BASE32[n >> 5]! + BASE32[n & 31]!)

// A clock set back by less than this is ridden out; an older instant is history (imports, sample data).
const HISTORY_MS = 60_000

let lastMs = -1
let timeText = ''
let headText = '' // the first 12 random digits; the last 4 are counted in `tail`
let tail = 0

/**
 * A new id: prefix, `_`, 10 digits of time and 16 of randomness in lower-case Crockford base32 (the ULID layout: 48-bit
 * milliseconds, 80 random bits). Ids of one process increase strictly, also within a millisecond and when the clock
 * steps back a little; an explicit `nowMs` more than a minute before the last one gives an id of that past instant.
 */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  const ms = Math.floor(nowMs)
  if (ms < lastMs - HISTORY_MS) return `${prefix}_${timeDigits(ms)}${randomDigits(16)}`
  if (!(ms <= lastMs))
    startAt(ms) // said so that NaN is refused there
  else if (tail === 0xfffff) carry()
  else tail++
  return `${prefix}_${timeText}${headText}${PAIRS[tail >> 10]!}${PAIRS[tail & 1023]!}`
}

function startAt(ms: number): void {
  timeText = timeDigits(ms)
  lastMs = ms
  headText = randomDigits(12)
  tail = (randomByte() << 12) | (randomByte() << 4) | (randomByte() & 15)
}

// Adds one to the 12 leading digits. When even those are spent, the next millisecond is borrowed (2^80 ids: never).
function carry(): void {
  tail = 0
  for (let i = headText.length - 1; i >= 0; i--) {
    const digit = BASE32.indexOf(headText[i]!)
    if (digit === 31) continue
    headText = headText.slice(0, i) + BASE32[digit + 1]! + '0'.repeat(headText.length - 1 - i)
    return
  }
  startAt(lastMs + 1)
}

function randomDigits(count: number): string {
  let text = ''
  for (let i = 0; i < count; i++) text += BASE32[randomByte() & 31]! // 32 divides 256: no bias
  return text
}

function timeDigits(ms: number): string {
  if (!(ms >= 0 && ms <= 0xffff_ffff_ffff)) throw new RangeError(`no id can carry the time ${ms}`)
  let text = ''
  for (let rest = ms, i = 0; i < 5; i++) {
    text = PAIRS[rest % 1024]! + text
    rest = Math.floor(rest / 1024)
  }
  return text
}

/**
 * The smallest id an instant can have: a time range as a range of ids. Ids are made a moment before or (with a clock set
 * back) after the time a row records, so take a minute more on both sides and compare the row's own time as well.
 */
export function firstIdAt(prefix: string, ms: number): string {
  return `${prefix}_${timeDigits(Math.min(Math.max(0, Math.floor(ms)), 0xffff_ffff_ffff))}${'0'.repeat(16)}`
}

/** The milliseconds since 1970 an id of ours holds in its first ten digits. Ids sort as these times do. */
export function timeOfId(id: string): number {
  let ms = 0
  for (let at = id.length - 26; at < id.length - 16; at++) ms = ms * 32 + BASE32.indexOf(id[at]!)
  return ms
}

const ID_DIGITS = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Whether a string is an id of this kind: the prefix, `_`, and 26 digits of lower-case Crockford base32. */
export function isId(prefix: string, s: string): boolean {
  const at = prefix.length
  return s.length === at + 27 && s.startsWith(prefix) && s[at] === '_' && ID_DIGITS.test(s.slice(at + 1))
}

/** `bytes` random bytes in base64url without padding (RFC 4648 §5): 32 bytes are 43 characters, 256 bits. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

export type KeyMode = 'live' | 'test'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_BODY = 41 // `tdm_live_` and 32 random characters
const KEY_LENGTH = 47

/**
 * Finds API keys in text. For secret scanners: `tdm_(live|test)_[0-9A-Za-z]{38}`, of which the last 6 characters are
 * the CRC-32 (IEEE 802.3) of the 41 before them, in base62 (0-9, A-Z, a-z), most significant digit first, padded
 * with 0.
 */
export const apiKeyPattern: RegExp = /\btdm_(?:live|test)_[0-9A-Za-z]{38}\b/

/** A new API key: `tdm_live_` or `tdm_test_`, 32 random base62 characters (190 bits), 6 of checksum. */
export function newApiKey(mode: KeyMode): string {
  return newSecret(`tdm_${mode}_`)
}

/** A secret with this prefix, 32 random base62 characters (190 bits), 6 of the CRC-32 of what is before them. */
export function newSecret(prefix: string): string {
  let body = prefix
  while (body.length < prefix.length + 32) {
    const n = randomByte() & 63
    if (n < 62) body += BASE62[n]! // drawing again instead of a remainder keeps every character equally likely
  }
  return body + checksum(body)
}

// CRC-32 of IEEE 802.3, reflected (polynomial 0xedb88320), a byte at a time.
const CRC_TABLE = Int32Array.from({ length: 256 }, (_, n) => {
  let crc = n
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

// The value of each base62 character by its code, -1 for all others.
const BASE62_VALUES = Int8Array.from({ length: 128 }, (_, code) => BASE62.indexOf(String.fromCharCode(code)))

function checksum(body: string): string {
  let crc = -1
  for (let i = 0; i < body.length; i++) crc = CRC_TABLE[(crc ^ body.charCodeAt(i)) & 255]! ^ (crc >>> 8)
  let rest = (crc ^ -1) >>> 0
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = BASE62[rest % 62]! + text
    rest = Math.floor(rest / 62)
  }
  return text
}

const KEY_START = 9
const LIVE: { readonly mode: KeyMode } = Object.freeze({ mode: 'live' })
const TEST: { readonly mode: KeyMode } = Object.freeze({ mode: 'test' })

/**
 * The mode of a well-formed API key, or undefined. The checksum turns away typing errors and junk before any look-up;
 * it proves nothing about the key being known. One pass over the text, nothing allocated: it is asked on every request.
 */
export function parseApiKey(s: string): { readonly mode: KeyMode } | undefined {
  if (s.length !== KEY_LENGTH) return undefined
  const live = s.startsWith('tdm_live_')
  if (!live && !s.startsWith('tdm_test_')) return undefined
  let crc = -1
  let sum = 0
  for (let i = 0; i < KEY_LENGTH; i++) {
    const code = s.charCodeAt(i)
    if (i < KEY_BODY) crc = CRC_TABLE[(crc ^ code) & 255]! ^ (crc >>> 8)
    if (i < KEY_START) continue
    const value = code < 128 ? BASE62_VALUES[code]! : -1
    if (value < 0) return undefined
    if (i >= KEY_BODY) sum = sum * 62 + value
  }
  if (sum !== (crc ^ -1) >>> 0) return undefined
  return live ? LIVE : TEST
}

/** What is stored of a key: HMAC-SHA-256 under the installation's pepper (FIPS 198-1), 32 bytes. */
export function hashApiKey(keyring: Keyring, key: string): Buffer {
  return keyring.mac(key)
}

/** What is stored of a bearer secret of one kind: HMAC-SHA-256 under the installation's pepper, 32 bytes. */
export function hashOf(keyring: Keyring, kind: string, secret: string): Buffer {
  return keyring.mac(`${kind}:${secret}`)
}

/** The same under every pepper that is accepted, the one in use first. */
export function hashesOf(keyring: Keyring, kind: string, secret: string): Buffer[] {
  return keyring.macs(`${kind}:${secret}`)
}

/**
 * What an id that nobody can guess is kept under, where its text must not lie in the database: under the key that is never rotated, so
 * that it is found for as long as it is there.
 */
export function hashOfId(keyring: Keyring, kind: string, id: string): Buffer {
  return keyring.lastingMac(`${kind}:${id}`)
}

/** The last four characters, shown beside a key's name; they belong to the checksum and reveal nothing of the secret. */
export function lastFour(key: string): string {
  return key.slice(-4)
}
