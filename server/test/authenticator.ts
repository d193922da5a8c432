// For tests of passkeys: an authenticator in software (WebAuthn Level 3 §6, packed by hand), which can be made to lie.

import assert from 'node:assert/strict'
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { TestApp } from './harness.ts'
import { type Somebody, somebody } from './people.ts'

export type Authenticator = {
  id: string
  key: KeyObject
  counter: number
  origin: string
  rpId: string
  isVerifying: boolean
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

export function newAuthenticator(t: TestApp): Authenticator {
  const { port } = new URL(t.app.services.ownAddress() as string)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = base64url(randomBytes(20))
  const origin = `http://localhost${port === '' ? '' : `:${port}`}`
  return { id, key: privateKey, counter: 0, origin, rpId: 'localhost', isVerifying: true }
}

/** Another with the same key, as it is now. */
export function copyOf(authenticator: Authenticator): Authenticator {
  const key = createPrivateKey(authenticator.key.export({ type: 'pkcs8', format: 'pem' }))
  return { ...authenticator, key }
}

/** §6.1: user present, user verified, and for a new key that it is informed of. */
function dataOf({ rpId, counter, isVerifying }: Authenticator, attested = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5)
  head[0] = 1 | (isVerifying ? 4 : 0) | (attested.length > 0 ? 0x40 : 0)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), head, attested])
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/** A text of at most 23 bytes in CBOR (RFC 8949 §3.1). */
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** What a browser sends of a new passkey (RegistrationResponseJSON). */
export function make(authenticator: Authenticator, challenge: string) {
  const { x, y } = authenticator.key.export({ format: 'jwk' })
  const point = (text: unknown) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text as string, 'base64url')])
  // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}.
  const cose = [Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]), point(x), Buffer.from([0x22]), point(y)]
  const id = Buffer.from(authenticator.id, 'base64url')
  const length = Buffer.from([0, id.length])
  const data = dataOf(authenticator, Buffer.concat([Buffer.alloc(16), length, id, ...cose]))
  const map = [Buffer.from([0xa3]), cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])]
  const long = Buffer.from([0x59, data.length >> 8, data.length & 255])
  return {
    id: authenticator.id,
    rawId: authenticator.id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(clientData('webauthn.create', challenge, authenticator.origin)),
      attestationObject: base64url(Buffer.concat([...map, cborText('authData'), long, data])),
      transports: ['internal'],
    },
  }
}

/** What a browser sends of a passkey that is used (AuthenticationResponseJSON); it counts one further. */
export function use(authenticator: Authenticator, challenge: string) {
  authenticator.counter++
  const data = dataOf(authenticator)
  const client = clientData('webauthn.get', challenge, authenticator.origin)
  return {
    id: authenticator.id,
    rawId: authenticator.id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), authenticator.key)),
    },
  }
}

/** The challenge of new options: of a login, or with a token of a registration. */
export async function challengeFor(t: TestApp, as?: string): Promise<string> {
  const path = as === undefined ? '/v2/auth/passkeys/options' : '/v2/users/me/factors/passkeys/options'
  const { json, text } = await t.call('POST', path, as === undefined ? {} : { as })
  assert.ok(json.data?.challenge, text)
  return json.data.challenge
}

/** A new answer to new options of a login. */
export async function assertionOf(t: TestApp, authenticator: Authenticator) {
  return use(authenticator, await challengeFor(t))
}

export type KeyHolder = Somebody & { passkey: Authenticator; factorId: string; recoveryCodes: string[] }

/** Somebody with a passkey. */
export async function keyHolder(t: TestApp): Promise<KeyHolder> {
  const person = await somebody(t)
  const passkey = newAuthenticator(t)
  const credential = make(passkey, await challengeFor(t, person.as))
  const body = { name: 'Laptop', credential }
  const { status, json, text } = await t.call('POST', '/v2/users/me/factors/passkeys', { as: person.as, body })
  assert.equal(status, 201, text)
  return { ...person, passkey, factorId: json.data.factor.factorId, recoveryCodes: json.data.recoveryCodes }
}
