// Second factors of a person: an app that makes codes, passkeys, recovery codes. Seen, added, renamed and removed by their owner only.
import { randomBytes } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Person } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { type Context, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Deleted, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { mailQueue, type Notice, notify } from '../notices/index.ts'
import { factorAddedNotice, factorRemovedNotice, recoveryCodesNotice } from './notices.ts'
import { siteOf } from './passkey.ts'
import { openSecret, placeOf, renewCodes, sealOf } from './proof.ts'
import {
  confirmFactor,
  countRecoveryCodes,
  doubtLogins,
  type FactorRow,
  findAddress,
  findFactor,
  insertTotp,
  listFactors,
  lockFactors,
  newFactorId,
  removeFactor,
  renameFactor,
  replaceRecoveryCodes,
  takeStep,
} from './store.ts'
import { base32, stepOf, totpUri } from './totp.ts'

const issuer = 'Tandem'
const maxFactors = 10
/** RFC 4226 §4: 160 bits, as long as the hash. */
const secretBytes = 20

export const Factor = Type.Object({
  factorId: Type.String(),
  kind: OneOf(['totp', 'passkey'], {
    description: 'An app that makes codes by time (RFC 6238), or a passkey (WebAuthn).',
  }),
  name: Type.String({ description: 'What its owner calls it.' }),
  backedUp: Nullable(
    Type.Boolean({ description: 'Of a passkey: whether it is kept beyond the device it was made on.' }),
  ),
  lastUsedAt: Nullable(Timestamp),
  createdAt: Timestamp,
})

const sampleId = 'fac_01k9r7d3w2v8e6q4n5m1b0c9xz'
export const sampleFactor: Static<typeof Factor> = {
  factorId: sampleId,
  kind: 'totp',
  name: 'Phone',
  backedUp: null,
  lastUsedAt: null,
  createdAt: '2026-11-21T08:44:00.123Z',
}
const sampleCodes = Array.from({ length: 10 }, () => 'MZXW-6YTB-OIAA-MZXW-6YTB-OIAA-MZXW-6YTB')

export function presentFactor(row: FactorRow): Static<typeof Factor> {
  return {
    factorId: row.id,
    kind: row.kind,
    name: row.name,
    backedUp: row.backed_up,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  }
}

const FactorParams = Type.Object({ factorId: RecordId('fac', 'Identifier of the factor.') })
export const FactorName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  errorMessage: 'must not be empty',
})
export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each stands for the second factor once. They are not stored readably and never shown again.',
})

/** What all of them are: about the account of the person who asks. */
export const own = { version: 'v2', category: 'User', personOnly: true, envelope: 'data' } as const

export const listOwnFactors = endpoint({
  ...own,
  id: 'factors.list',
  method: 'GET',
  path: '/users/me/factors',
  name: 'List second factors',
  description: 'What the account asks for beside the password, and how many recovery codes are left.',
  permission: 'profile:read',
  whileSuspended: true,
  reply: Type.Object({
    factors: Type.Array(Factor),
    recoveryCodesLeft: Type.Integer(),
    passkeysAt: Nullable(
      Type.String({
        description: 'The only origin on whose pages passkeys are made and used; null where there can be none.',
      }),
    ),
  }),
  sample: { reply: { factors: [sampleFactor], recoveryCodesLeft: 10, passkeysAt: 'https://crm.example.com' } },
  async handle({ tx, principal: { person }, services }) {
    const factors = await listFactors(tx, person!.accountId)
    return {
      factors: factors.map(presentFactor),
      recoveryCodesLeft: await countRecoveryCodes(tx, person!.accountId),
      passkeysAt: siteOf(services.ownAddress())?.origin ?? null,
    }
  },
})

export const addTotp = endpoint({
  ...own,
  id: 'factors.create_totp',
  method: 'POST',
  path: '/users/me/factors/totp',
  audit: 'factor.created',
  name: 'Create an authenticator app',
  description:
    'Makes a secret for an app such as those of password managers. It counts once a first code was confirmed; one that waits for that ' +
    'is replaced by the next.',
  permission: 'profile:update',
  whileSuspended: true,
  recent: 'factor',
  status: 201,
  secretReply: true,
  body: Type.Object({ name: Type.Optional(FactorName) }),
  reply: Type.Object({
    factorId: Type.String(),
    secret: Type.String({ description: 'In base 32, for an app that takes no QR code. Shown this once.' }),
    uri: Type.String({ description: 'The same as an otpauth address: what a QR code for the app holds.' }),
  }),
  problems: ['factor_limit_reached'],
  sample: {
    body: { name: 'Phone' },
    reply: {
      factorId: sampleId,
      secret: 'EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAM',
      uri: 'otpauth://totp/Tandem:grace%40example.com?secret=EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAM&issuer=Tandem&algorithm=SHA1&digits=6&period=30',
    },
  },
  async handle({ tx, principal, body, services: { keyring } }) {
    const { accountId } = principal.person!
    await refuseMany(tx, accountId)
    const factorId = newFactorId()
    const secret = base32(randomBytes(secretBytes))
    const sealed = sealOf(keyring).close(placeOf(accountId, factorId), secret)
    await insertTotp(tx, accountId, { id: factorId, name: body.name?.trim() ?? 'Authenticator app', secret: sealed })
    return { factorId, secret, uri: totpUri({ issuer, account: principal.email, secret }) }
  },
})

export const confirmTotp = endpoint({
  ...own,
  id: 'factors.confirm_totp',
  method: 'POST',
  path: '/users/me/factors/totp/{factorId}/confirm',
  audit: 'factor.confirmed',
  name: 'Confirm an authenticator app',
  description:
    'Takes a first code of the app; from then on every login of the account asks for one. With the first factor of the account come ' +
    'ten recovery codes.',
  permission: 'profile:update',
  whileSuspended: true,
  recent: 'factor',
  secretReply: true,
  params: FactorParams,
  body: Type.Object({ code: Type.String({ pattern: '^\\d{6}$', description: 'The six digits that the app shows.' }) }),
  reply: Type.Object({ factor: Factor, recoveryCodes: Type.Optional(RecoveryCodes) }),
  problems: ['not_found', 'invalid_second_factor'],
  sample: {
    params: { factorId: sampleId },
    body: { code: '287082' },
    reply: { factor: sampleFactor, recoveryCodes: sampleCodes },
  },
  async handle(context) {
    const {
      tx,
      principal,
      params: { factorId },
      body,
      now,
      services,
      audited,
      afterCommit,
    } = context
    const person = principal.person!
    const { accountId } = person
    audited({ after: null })
    await lockFactors(tx, accountId)
    const row = await findFactor(tx, accountId, factorId)
    if (row === undefined || row.secret === null) throw new Problem('not_found')
    const step = stepOf(openSecret(services.keyring, accountId, factorId, row.secret), body.code, now)
    if (step === undefined || !(await takeStep(tx, accountId, factorId, step))) {
      throw new Problem('invalid_second_factor')
    }
    await confirmFactor(tx, accountId, factorId)
    afterCommit(() => services.authenticator.forget())
    const recoveryCodes = await begin(tx, services.keyring, person)
    await noticeFactors(context, factorAddedNotice, 'an app that makes codes')
    const factor = presentFactor((await findFactor(tx, accountId, factorId)) as FactorRow)
    return recoveryCodes === undefined ? { factor } : { factor, recoveryCodes }
  },
})

type Changing = Pick<
  Context<unknown, unknown, unknown>,
  'tx' | 'principal' | 'asked' | 'now' | 'services' | 'afterCommit'
>

/** Says to the person, by mail, what became of their factors. */
export async function noticeFactors(context: Changing, said: Notice, detail: string): Promise<void> {
  const { tx, principal, asked, now, services, afterCommit } = context
  const { email, name } = await findAddress(tx, principal.person!.accountId)
  await notify(tx, services, principal, { notice: said, to: { email, name }, detail, asked, nowMs: now })
  afterCommit(() => services.wake(mailQueue))
}

/** @throws Problem `factor_limit_reached` */
export async function refuseMany(tx: Tx, accountId: number): Promise<void> {
  await lockFactors(tx, accountId)
  if ((await listFactors(tx, accountId)).length >= maxFactors) throw new Problem('factor_limit_reached')
}

/**
 * What goes with a new factor: other logins have not proved it, and the first brings recovery codes.
 * @returns those, for the first
 */
export async function begin(tx: Tx, keyring: Keyring, { accountId, loginId }: Person): Promise<string[] | undefined> {
  await doubtLogins(tx, accountId, loginId)
  if ((await countRecoveryCodes(tx, accountId)) > 0) return undefined
  return renewCodes(tx, keyring, accountId)
}

export const updateFactor = endpoint({
  ...own,
  id: 'factors.update',
  method: 'PATCH',
  path: '/users/me/factors/{factorId}',
  audit: 'factor.renamed',
  name: 'Update a second factor',
  description: 'Changes what its owner calls the factor, to know it from others.',
  permission: 'profile:update',
  whileSuspended: true,
  params: FactorParams,
  body: Type.Object({ name: Type.Optional(FactorName) }),
  reply: Factor,
  problems: ['not_found'],
  sample: { params: { factorId: sampleId }, body: { name: 'Phone' }, reply: sampleFactor },
  async handle({ tx, principal: { person }, params: { factorId }, body }) {
    await renameFactor(tx, person!.accountId, factorId, (body.name as string).trim())
    const row = await findFactor(tx, person!.accountId, factorId)
    if (row === undefined || row.confirmed_at === null) throw new Problem('not_found')
    return presentFactor(row)
  },
})

export const deleteFactor = endpoint({
  ...own,
  id: 'factors.delete',
  method: 'DELETE',
  path: '/users/me/factors/{factorId}',
  audit: 'factor.deleted',
  name: 'Delete a second factor',
  description:
    'The factor counts no more. With the last one go the recovery codes, and logins ask for the password alone.',
  permission: 'profile:update',
  whileSuspended: true,
  recent: 'factor',
  params: FactorParams,
  reply: Deleted('factorId'),
  problems: ['not_found'],
  sample: { params: { factorId: sampleId }, reply: { factorId: sampleId, deleted: true } },
  async handle(context) {
    const {
      tx,
      principal: { person },
      params: { factorId },
    } = context
    const { accountId } = person!
    await lockFactors(tx, accountId)
    const row = await findFactor(tx, accountId, factorId)
    if (row === undefined) throw new Problem('not_found')
    await removeFactor(tx, accountId, factorId)
    // One that waits for its first code never counted.
    if (row.confirmed_at !== null) await noticeFactors(context, factorRemovedNotice, row.name)
    if ((await listFactors(tx, accountId)).length === 0)
      await replaceRecoveryCodes(tx, accountId, { hashes: [], pepper_version: 1 })
    return { factorId, deleted: true as const }
  },
})

export const createRecoveryCodes = endpoint({
  ...own,
  id: 'factors.create_recovery_codes',
  method: 'POST',
  path: '/users/me/recovery-codes',
  audit: 'factor.recovery_codes_replaced',
  name: 'Create recovery codes',
  description: 'Ten new codes take the place of all there were, used or not. For an account with a second factor.',
  permission: 'profile:update',
  whileSuspended: true,
  recent: 'factor',
  secretReply: true,
  status: 201,
  reply: Type.Object({ recoveryCodes: RecoveryCodes }),
  problems: ['factor_required'],
  sample: { reply: { recoveryCodes: sampleCodes } },
  async handle(context) {
    const {
      tx,
      principal: { person },
      services: { keyring },
    } = context
    const { accountId } = person!
    await lockFactors(tx, accountId)
    if ((await listFactors(tx, accountId)).length === 0) throw new Problem('factor_required')
    await noticeFactors(context, recoveryCodesNotice, '')
    return { recoveryCodes: await renewCodes(tx, keyring, accountId) }
  },
})

export const endpoints = [listOwnFactors, addTotp, confirmTotp, updateFactor, deleteFactor, createRecoveryCodes]
