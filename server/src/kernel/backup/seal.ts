// Encryption of backups by age (https://age-encryption.org/v1): with a passphrase, or for the public key of who may open them, so that
// the machine that makes backups cannot read them.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { startFault } from '../values/start_fault.ts'

/** Encrypts a stream. */
export type Seal = (plain: Readable) => Promise<Readable>
/** Decrypts a stream. @throws StartFault when it has no key that fits */
export type Opener = (sealed: Readable) => Promise<Readable>

/** How the header of a sealed file begins (age, "Header"). */
const ageHeader = 'age-encryption.org/v1'

export function isSealed(first: Uint8Array): boolean {
  return Buffer.from(first).subarray(0, ageHeader.length).toString('latin1') === ageHeader
}

/** Shorter ones are guessed from a stolen file. */
export const shortestPassphrase = 12

/** @throws StartFault when the passphrase is too short, or a recipient is none */
export function sealWith(key: { passphrase: string } | { recipients: readonly string[] }): Seal {
  const encrypter = new Encrypter()
  if ('passphrase' in key) {
    if (key.passphrase.length < shortestPassphrase)
      throw startFault(`the passphrase has ${key.passphrase.length} characters; take ${shortestPassphrase} or more`)
    encrypter.setPassphrase(key.passphrase)
  } else {
    for (const recipient of key.recipients) {
      try {
        encrypter.addRecipient(recipient)
      } catch {
        throw startFault(
          `"${recipient}" is no public key of age: one begins with age1 (make a pair with: tandem backup keygen)`,
        )
      }
    }
  }
  return async plain => fromWeb(await encrypter.encrypt(toWeb(plain)))
}

/** @throws StartFault when an identity is none */
export function openWith(key: { passphrase: string } | { identities: readonly string[] }): Opener {
  const decrypter = new Decrypter()
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase)
  else {
    for (const identity of key.identities) {
      try {
        decrypter.addIdentity(identity)
      } catch {
        throw startFault('the file holds no private key of age: one is a line that begins with AGE-SECRET-KEY-1')
      }
    }
  }
  return async sealed => {
    try {
      return fromWeb(await decrypter.decrypt(toWeb(sealed)))
    } catch (error) {
      throw startFault(
        'passphrase' in key ? 'the passphrase does not open this backup' : 'the private key does not open this backup',
        error,
      )
    }
  }
}

/** The lines of an identity file that are keys; the others are comments. */
export function identitiesIn(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
}

/** A new pair: what opens backups, and what they are encrypted for. */
export async function newKeyPair(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

type BytesOfWeb = globalThis.ReadableStream<Uint8Array>
const toWeb = (stream: Readable) => Readable.toWeb(stream) as unknown as BytesOfWeb
const fromWeb = (stream: BytesOfWeb) => Readable.fromWeb(stream as unknown as ReadableStream)
