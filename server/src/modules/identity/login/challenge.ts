// The token with which a login goes on that needs more than a password: it says who it is for and what was proved, and is signed.
// Nothing of it is stored until it is used, once.
import { createHash } from 'node:crypto'
import { addressBlock } from '../../../kernel/access/limit.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { Problem } from '../../../kernel/values/problem.ts'

export const challengeSeconds = 300

/** What a login still needs: a second factor, one to be set up, or a password of the person's own. */
export type Need = 'factor' | 'setup' | 'password'

export type Challenge = {
  accountId: number
  organizationId: number
  userId: number
  need: Need
  /** How they proved who they are so far (RFC 8176). */
  amr: string[]
  /** Whether the second factor is among it. */
  isStrong: boolean
  /** The secret of an app that is being set up, sealed. */
  setup?: string
}

/** A challenge as it is checked: bound to the password that was right, and to the neighbourhood it was sent to. */
type Signed = Challenge & { nonce: string; password: string; block: string; until: number }

const prefix = 'tdm_lc_'

/** @param passwordHash with another password the challenge is no good any more */
export function signChallenge(
  keyring: Keyring,
  challenge: Challenge,
  { passwordHash, ip, nowMs }: { passwordHash: string | null; ip: string; nowMs: number },
): string {
  const signed: Signed = {
    ...challenge,
    nonce: randomToken(16),
    password: digest(passwordHash),
    block: addressBlock(ip),
    until: nowMs + challengeSeconds * 1_000,
  }
  const body = Buffer.from(JSON.stringify(signed)).toString('base64url')
  return `${prefix}${body}.${keyring.mac(signedOf(body)).toString('base64url')}`
}

/** @throws Problem `challenge_expired` for what is none of ours, too old, or was sent to another neighbourhood */
export function readChallenge(keyring: Keyring, token: string, { ip, nowMs }: { ip: string; nowMs: number }): Signed {
  const [body = '', sent = ''] = token.startsWith(prefix) ? token.slice(prefix.length).split('.') : []
  if (!keyring.isMac(signedOf(body), sent)) throw new Problem('challenge_expired')
  const signed = JSON.parse(Buffer.from(body, 'base64url').toString()) as Signed
  if (signed.until <= nowMs || signed.block !== addressBlock(ip)) throw new Problem('challenge_expired')
  return signed
}

/** Whether the password is still the one that the challenge was given for. */
export function isOfPassword({ password }: Pick<Signed, 'password'>, passwordHash: string | null): boolean {
  return password === digest(passwordHash)
}

function digest(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
    .slice(0, 22)
}

function signedOf(body: string): string {
  return `login challenge ${body}`
}
