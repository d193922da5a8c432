// One-time passwords by time (RFC 6238 over RFC 4226): SHA-1, six digits, thirty seconds, which is what apps that make codes
// understand without asking. Pure.
import { createHmac } from 'node:crypto'

export const stepSeconds = 30
const digits = 6
/** Clocks of phones differ: the step before and the one after are taken, too (RFC 6238 §5.2). */
const drift = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 §6, without padding: how secrets and recovery codes are written. */
export function base32(bytes: Uint8Array): string {
  let [text, bits, held] = ['', 0, 0]
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >>> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31]
}

/** The bytes of a text in base 32, blanks and case aside. */
export function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let [bits, held] = [0, 0]
  for (const letter of text.toUpperCase()) {
    const value = alphabet.indexOf(letter)
    if (value === -1) continue
    held = (held << 5) | value
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >>> bits) & 255)
    held &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}

/** RFC 4226 §5.3. */
export function hotp(secret: Uint8Array, counter: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  const offset = mac[19]! & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / 1_000 / stepSeconds)
}

/** The step whose code this is, if it is of now, or one before or after; undefined when it is none. */
export function stepOf(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const now = stepAt(nowMs)
  const steps = Array.from({ length: 2 * drift + 1 }, (_, index) => now - drift + index)
  return steps.find(step => step >= 0 && hotp(secret, step) === code)
}

/** What an app reads from the QR code (Key Uri Format). The issuer is in both places: apps differ in which they read. */
export function totpUri({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`
}
