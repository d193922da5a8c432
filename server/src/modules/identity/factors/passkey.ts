// Passkeys (WebAuthn Level 3): where they work, challenges that say themselves what they are for, and whether what a browser answers is
// right. The library reads signatures and formats; what is kept and compared is ours.
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { isLoopback } from '../../../kernel/values/loopback.ts'
import { Problem } from '../../../kernel/values/problem.ts'

/** EdDSA, ES256, RS256: what authenticators make, most wanted first (IANA COSE algorithms). */
export const algorithms = [-8, -7, -257]
/** How long a browser may take, and a challenge is good for. */
export const challengeMs = 5 * 60_000
const nonceBytes = 16

/** Where passkeys work: the page they are asked for on, and the host that they are bound to (§5.1.2, rp.id). */
export type Site = { origin: string; rpId: string }

/** Found only with the library that is loaded for it: it is large, and most starts never need it. */
const library = () => import('@simplewebauthn/server')

/**
 * An address is no host that a passkey can be bound to, so a server of this machine is opened by its name; browsers make none on pages
 * that others can change on the way. Undefined where there can be none.
 */
export function siteOf(address: string | undefined): Site | undefined {
  if (address === undefined) return undefined
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) {
    if (!isLoopback(host)) return undefined
    return { origin: `${url.protocol}//localhost${url.port === '' ? '' : `:${url.port}`}`, rpId: 'localhost' }
  }
  const isOfMachine = host === 'localhost' || host.endsWith('.localhost')
  return url.protocol === 'https:' || isOfMachine ? { origin: url.origin, rpId: host } : undefined
}

/** @throws Problem `passkeys_unavailable` */
export function requireSite({ ownAddress }: { ownAddress(): string | undefined }): Site {
  const site = siteOf(ownAddress())
  if (site === undefined) throw new Problem('passkeys_unavailable')
  return site
}

/** What a challenge is for; one for the one is not taken for the other. */
export type Purpose = `registration ${number}` | 'assertion'

/** Random bytes, the time it is good until, and a MAC: nothing is stored until it is used. In base64url. */
export function newChallenge(keyring: Keyring, purpose: Purpose, nowMs: number): string {
  const body = Buffer.alloc(nonceBytes + 8)
  randomBytes(nonceBytes).copy(body)
  body.writeBigUInt64BE(BigInt(nowMs + challengeMs), nonceBytes)
  return Buffer.concat([body, keyring.mac(signedOf(purpose, body))]).toString('base64url')
}

/** The challenge that a browser answered, and until when it is good; undefined when it is none of ours, or over. */
export function readPasskeyChallenge(
  keyring: Keyring,
  purpose: Purpose,
  clientDataJSON: string,
  nowMs: number,
): { challenge: string; until: Date } | undefined {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === undefined) return undefined
  const bytes = Buffer.from(challenge, 'base64url')
  const [body, mac] = [bytes.subarray(0, nonceBytes + 8), bytes.subarray(nonceBytes + 8)]
  if (body.length !== nonceBytes + 8 || !keyring.isMac(signedOf(purpose, body), mac)) return undefined
  const until = Number(body.readBigUInt64BE(nonceBytes))
  // Written out again: other spellings of the same bytes would be other proofs to the list of those that were used.
  return until <= nowMs ? undefined : { challenge: bytes.toString('base64url'), until: new Date(until) }
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

function signedOf(purpose: Purpose, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`passkey challenge ${purpose} `), body])
}

/** What authenticators call the account: nothing that reveals whose it is (§14.6.1), and never another. In base64url. */
export function handleOf(keyring: Keyring, accountId: number): string {
  return keyring.lastingMac(`passkey handle ${accountId}`).toString('base64url')
}

/** A passkey as it is kept. */
export type NewPasskey = {
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  aaguid: string
  backed_up: boolean
}

/** The passkey that a browser made for a challenge (§7.1), its user verified; undefined when something of it is wrong. */
export async function checkRegistration(
  { origin, rpId }: Site,
  sent: RegistrationResponseJSON,
  challenge: string,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await library()
  const wanted = {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }
  const result = await orUndefined(
    verifyRegistrationResponse({ response: sent, ...wanted, supportedAlgorithmIDs: algorithms }),
  )
  if (result?.verified !== true) return undefined
  const { credential, aaguid, credentialBackedUp } = result.registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: sent.response.transports ?? [],
    aaguid,
    backed_up: credentialBackedUp,
  }
}

/** What an assertion says when it is right (§7.2), its user verified: the counter is still to be compared. */
export type Asserted = { counter: number; backedUp: boolean; how: string[] }

/** Undefined when something of it is wrong. */
export async function checkAssertion(
  { origin, rpId }: Site,
  known: { credential_id: string; public_key: Buffer },
  sent: AuthenticationResponseJSON,
  challenge: string,
): Promise<Asserted | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const wanted = {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }
  // The counter is compared by the write that keeps it, so that two at once cannot both pass.
  const credential = { id: known.credential_id, publicKey: new Uint8Array(known.public_key), counter: 0 }
  const result = await orUndefined(verifyAuthenticationResponse({ response: sent, ...wanted, credential }))
  if (result?.verified !== true) return undefined
  const { newCounter, credentialBackedUp, credentialDeviceType } = result.authenticationInfo
  // RFC 8176 §2: a key that stays in its device, or one that is carried to others.
  const key = credentialDeviceType === 'singleDevice' ? 'hwk' : 'swk'
  return { counter: newCounter, backedUp: credentialBackedUp, how: [key, 'user', 'mfa'] }
}

/** The library says by throwing what is wrong with what was sent. */
async function orUndefined<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result
  } catch {
    return undefined
  }
}
