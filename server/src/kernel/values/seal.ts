// Seals text that must lie in the database but not be readable there: AES-256-GCM under keys made from the installation's sealing key,
// which the role that serves requests cannot read. A sealed text opens only in the place it was sealed for, and says which version of the
// key closed it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keyring } from './keyring.ts'

export type Seal = {
  /** @param place what the text belongs to (`<tenant> <key>`): bound in, so that it cannot be moved elsewhere */
  close(place: string, text: string): string
  /** @throws when the text was not sealed by this installation, for this purpose and place, or was edited since */
  open(place: string, sealed: string): string
}

/** What every sealed text begins with; the version of the key follows. */
export const sealMark = 'sealed.'
const marked = /^sealed\.([1-9]\d{0,8})\./
const nonceBytes = 12
const tagBytes = 16

/**
 * A seal for one purpose; each purpose has a key of its own (HKDF-SHA-256, RFC 5869).
 * The result is `sealed.<version>.` and base64url of nonce, ciphertext and tag (NIST SP 800-38D); random nonces are safe up to
 * 2^32 texts a purpose and version.
 */
export function createSeal(keyring: Keyring, purpose: string): Seal {
  return {
    close(place, text) {
      const { version, key } = keyring.sealingKeys(purpose).active
      return `${sealMark}${version}.${encrypt(key, place, Buffer.from(text)).toString('base64url')}`
    },
    open(place, sealed) {
      const [mark, version] = marked.exec(sealed) ?? []
      if (mark === undefined) throw new Error('not a sealed text')
      const found = keyring.sealingKeys(purpose).of(Number(version))
      if (found === undefined) throw new Error(`sealed with version ${version} of the sealing key, which is not here`)
      return decrypt(found.key, place, Buffer.from(sealed.slice(mark.length), 'base64url')).toString('utf8')
    },
  }
}

/** The version of the key that a text was sealed with; undefined for a text that is not sealed. */
export function sealVersionOf(text: string): number | undefined {
  const version = marked.exec(text)?.[1]
  return version === undefined ? undefined : Number(version)
}

/** AES-256-GCM: nonce, ciphertext and tag. @param place is bound in (associated data) */
export function encrypt(key: Uint8Array, place: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** @throws when it is of another key or place, or was edited since */
export function decrypt(key: Uint8Array, place: string, bytes: Uint8Array): Buffer {
  if (bytes.length < nonceBytes + tagBytes) throw new Error('a sealed text is too short')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
}
