// Seals text that must lie in the database but not be readable there: AES-256-GCM under keys made from the server's
// pepper, which the role that serves requests cannot read. A sealed text opens only in the place it was sealed for.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export type Seal = {
  /** @param place what the text belongs to (`<tenant> <key>`): bound in, so that it cannot be moved elsewhere */
  close(place: string, text: string): string
  /** @throws when the text was not sealed with this pepper, for this purpose and place, or was edited since */
  open(place: string, sealed: string): string
}

const mark = 'sealed.1.'
const nonceBytes = 12
const tagBytes = 16

/**
 * A seal for one purpose; each purpose has a key of its own (HKDF-SHA-256, RFC 5869).
 * The result is `sealed.1.` and base64url of nonce, ciphertext and tag (NIST SP 800-38D); random nonces are safe up to
 * 2^32 texts a purpose.
 */
export function createSeal(pepper: Buffer, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', `tandem seal: ${purpose}`, 32))
  return {
    close(place, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return mark + Buffer.concat(parts).toString('base64url')
    },
    open(place, sealed) {
      if (!sealed.startsWith(mark)) throw new Error('not a sealed text')
      const bytes = Buffer.from(sealed.slice(mark.length), 'base64url')
      if (bytes.length < nonceBytes + tagBytes) throw new Error('a sealed text is too short')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-tagBytes))
      return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
