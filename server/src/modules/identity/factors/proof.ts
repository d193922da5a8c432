// Whether what somebody sends is a second factor of the account: a code of an app, a recovery code, or what a passkey signed. Each is
// taken once.
import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Static } from 'typebox'
import type { Asked } from '../../../kernel/audit/record.ts'
import type { Refusals } from '../../../kernel/audit/refusals.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { createSeal, type Seal } from '../../../kernel/values/seal.ts'
import { mailQueue, notify } from '../notices/index.ts'
import { passkeyClonedNotice } from './notices.ts'
import { checkAssertion, handleOf, readPasskeyChallenge, siteOf } from './passkey.ts'
import type { Assertion } from './passkey_schemas.ts'
import {
  confirmFactor,
  type FactorRow,
  findAddress,
  insertTotp,
  listFactors,
  newFactorId,
  replaceRecoveryCodes,
  takeCount,
  takeProof,
  takeRecoveryCode,
  takeStep,
} from './store.ts'
import { base32, fromBase32, stepOf } from './totp.ts'

/** One of them. */
export type FactorProof = {
  code?: string | undefined
  recoveryCode?: string | undefined
  assertion?: Static<typeof Assertion> | undefined
}

/** What proofs are checked with, and what a copied passkey is reported to. */
type Means = {
  keyring: Keyring
  refusals: Pick<Refusals, 'count'>
  ownAddress(): string | undefined
  wake(queue: string): void
}

/** Whose proof it is said to be, and of which request. */
export type Proving = { scope: Scope & { person: { accountId: number } }; userId: number; asked: Asked; nowMs: number }

/** Secrets of factors lie sealed, each for its own row. */
export function sealOf(keyring: Keyring): Seal {
  return createSeal(keyring, 'factors')
}

export const placeOf = (accountId: number, factorId: string) => `${accountId} ${factorId}`

/**
 * How it proves who they are (RFC 8176), or undefined when it does not; what proves it is used up then. The transaction is the
 * account's.
 */
export async function proveFactor(
  tx: Tx,
  means: Means,
  proving: Proving,
  proof: FactorProof,
): Promise<string[] | undefined> {
  const { keyring } = means
  const { nowMs } = proving
  const { accountId } = proving.scope.person
  if (proof.assertion !== undefined) {
    const verdict = await provePasskey(tx, means, proving, proof.assertion)
    return Array.isArray(verdict) ? verdict : undefined
  }
  if (proof.recoveryCode !== undefined) {
    const hashes = recoveryHashes(keyring, accountId, proof.recoveryCode)
    return (await takeRecoveryCode(tx, accountId, hashes)) ? ['otp', 'mfa'] : undefined
  }
  for (const { id, kind, secret } of await listFactors(tx, accountId)) {
    if (kind !== 'totp' || secret === null) continue
    const step = stepOf(openSecret(keyring, accountId, id, secret), proof.code ?? '', nowMs)
    if (step !== undefined && (await takeStep(tx, accountId, id, step))) return ['otp', 'mfa']
  }
  return undefined
}

/**
 * How a passkey of the account proves who they are (RFC 8176), or why it does not: `passkey_cloned` when another device counted further
 * with the same key, which the audit log and a mail to the person say. The transaction is the account's, and commits either way: a
 * challenge is good for one try.
 */
export async function provePasskey(
  tx: Tx,
  means: Means,
  proving: Proving,
  sent: Static<typeof Assertion>,
): Promise<string[] | 'passkey_refused' | 'passkey_cloned'> {
  const { keyring, ownAddress } = means
  const { accountId } = proving.scope.person
  const { clientDataJSON, userHandle } = sent.response
  const site = siteOf(ownAddress())
  const asked = readPasskeyChallenge(keyring, 'assertion', clientDataJSON, proving.nowMs)
  const row = (await listFactors(tx, accountId)).find(factor => factor.credential_id === sent.id)
  if (site === undefined || asked === undefined || row === undefined) return 'passkey_refused'
  const known = { credential_id: sent.id, public_key: row.public_key as Buffer }
  const isWhose = userHandle === undefined || userHandle === handleOf(keyring, accountId)
  const asserted = await checkAssertion(site, known, sent as AuthenticationResponseJSON, asked.challenge)
  if (!isWhose || asserted === undefined) return 'passkey_refused'
  if (!(await takeProof(tx, `passkey challenge ${asked.challenge}`, asked.until))) return 'passkey_refused'
  if (await takeCount(tx, accountId, row.id, asserted)) return asserted.how
  await reportClone(tx, means, proving, row)
  return 'passkey_cloned'
}

/** Somebody has the key beside its owner: the mail goes once a day for each passkey, however often they try. */
async function reportClone(tx: Tx, means: Means, proving: Proving, { id, name: passkey }: FactorRow): Promise<void> {
  const { scope, userId, asked, nowMs } = proving
  means.refusals.count({
    by: { organizationId: scope.organizationId, type: 'anonymous' },
    action: 'user.sign_in_refused',
    reason: 'passkey_cloned',
    targets: [
      { type: 'user', id: userId },
      { type: 'factor', id },
    ],
    asked,
  })
  const to = await findAddress(tx, scope.person.accountId)
  const dedupeKey = `passkey cloned ${id} ${new Date(nowMs).toISOString().slice(0, 10)}`
  await notify(tx, means, scope, { notice: passkeyClonedNotice, to, detail: passkey, asked, nowMs, dedupeKey })
  means.wake(mailQueue)
}

export function openSecret(keyring: Keyring, accountId: number, factorId: string, sealed: string): Buffer {
  return fromBase32(sealOf(keyring).open(placeOf(accountId, factorId), sealed))
}

/** The step of time whose code this is, of a secret in base 32. */
export function stepOfSecret(secret: string, code: string, nowMs: number): number | undefined {
  return stepOf(fromBase32(secret), code, nowMs)
}

/**
 * An app that was set up during a login, with the step of the code that showed it; the account had no factor.
 * @returns recovery codes, which come with the first
 */
export async function addConfirmedTotp(
  tx: Tx,
  keyring: Keyring,
  accountId: number,
  { secret, step }: { secret: string; step: number },
): Promise<string[]> {
  const id = newFactorId()
  const sealed = sealOf(keyring).close(placeOf(accountId, id), secret)
  await insertTotp(tx, accountId, { id, name: 'Authenticator app', secret: sealed })
  await takeStep(tx, accountId, id, step)
  await confirmFactor(tx, accountId, id)
  return renewCodes(tx, keyring, accountId)
}

const codes = 10
/** 160 bits: 32 characters, in groups that can be read aloud. */
const codeBytes = 20

/** Ten others take the place of all there were. */
export async function renewCodes(tx: Tx, keyring: Keyring, accountId: number): Promise<string[]> {
  const made = newRecoveryCodes()
  const hashes = made.map(code => recoveryHashes(keyring, accountId, code)[0] as Buffer)
  await replaceRecoveryCodes(tx, accountId, { hashes, pepper_version: keyring.pepperVersion })
  return made
}

function newRecoveryCodes(): string[] {
  return Array.from({ length: codes }, () => base32(randomBytes(codeBytes)).replaceAll(/(.{4})(?=.)/g, '$1-'))
}

/** What is stored of a code, under each pepper that is accepted, the one in use first. Case, blanks and hyphens aside. */
export function recoveryHashes(keyring: Keyring, accountId: number, code: string): Buffer[] {
  const letters = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')
  return keyring.macs(`recovery code ${accountId} ${letters}`)
}
