// Passkeys of a person: made by the browser for options of ours, and taken when what it made is right. Renamed and removed as the other
// second factors.
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import {
  begin,
  Factor,
  FactorName,
  noticeFactors,
  own,
  presentFactor,
  RecoveryCodes,
  refuseMany,
  sampleFactor,
} from './endpoints.ts'
import { factorAddedNotice } from './notices.ts'
import { checkRegistration, handleOf, newChallenge, readPasskeyChallenge, requireSite } from './passkey.ts'
import {
  CreationOptions,
  Registration,
  RequestOptions,
  sampleChallenge,
  sampleRegistration,
  wantedPasskey,
} from './passkey_schemas.ts'
import { type FactorRow, findFactor, insertPasskey, listFactors, newFactorId, takeProof } from './store.ts'

const samplePasskey = { ...sampleFactor, kind: 'passkey', name: 'Laptop', backedUp: true } as const

export const passkeyOptions = endpoint({
  ...own,
  id: 'factors.passkey_options',
  method: 'POST',
  path: '/users/me/factors/passkeys/options',
  name: 'Start to add a passkey',
  description:
    'What a browser makes a passkey by: for `PublicKeyCredential.parseCreationOptionsFromJSON`, on a page of this server. It counts ' +
    'as two factors, for it asks who uses it.',
  permission: 'profile:update',
  whileSuspended: true,
  recent: 'factor',
  idempotent: false,
  reply: CreationOptions,
  problems: ['factor_limit_reached', 'passkeys_unavailable'],
  sample: {
    reply: {
      ...wantedPasskey,
      pubKeyCredParams: [...wantedPasskey.pubKeyCredParams],
      challenge: sampleChallenge,
      rp: { id: 'crm.example.com', name: 'Tandem' },
      user: { id: 'c2FtcGxlLWhhbmRsZQ', name: 'grace@example.com', displayName: 'Grace Hopper' },
      excludeCredentials: [],
    },
  },
  async handle({ tx, principal, now, services }) {
    const { accountId } = principal.person!
    const { rpId } = requireSite(services)
    await refuseMany(tx, accountId)
    const known = (await listFactors(tx, accountId)).flatMap(({ credential_id: id }) => id ?? [])
    return {
      ...wantedPasskey,
      pubKeyCredParams: [...wantedPasskey.pubKeyCredParams],
      challenge: newChallenge(services.keyring, `registration ${accountId}`, now),
      rp: { id: rpId, name: 'Tandem' },
      user: { id: handleOf(services.keyring, accountId), name: principal.email, displayName: principal.email },
      excludeCredentials: known.map(id => ({ id, type: 'public-key' as const })),
    }
  },
})

export const addPasskey = endpoint({
  ...own,
  id: 'factors.create_passkey',
  method: 'POST',
  path: '/users/me/factors/passkeys',
  audit: 'factor.created',
  name: 'Create a passkey',
  description:
    'Takes what the browser made by the options. From then on it logs the person in by itself, and is a second factor beside the ' +
    'password. With the first factor of the account come ten recovery codes.',
  permission: 'profile:update',
  whileSuspended: true,
  recent: 'factor',
  status: 201,
  secretReply: true,
  body: Type.Object({ name: Type.Optional(FactorName), credential: Registration }),
  reply: Type.Object({ factor: Factor, recoveryCodes: Type.Optional(RecoveryCodes) }),
  problems: ['factor_limit_reached', 'passkey_refused', 'passkeys_unavailable'],
  sample: {
    body: {
      name: 'Laptop',
      credential: { ...sampleRegistration, response: { ...sampleRegistration.response, transports: ['internal'] } },
    },
    reply: { factor: samplePasskey },
  },
  async handle(context) {
    const { tx, principal, body, now, services, afterCommit } = context
    const person = principal.person!
    const { accountId } = person
    const site = requireSite(services)
    const { clientDataJSON } = body.credential.response
    const asked = readPasskeyChallenge(services.keyring, `registration ${accountId}`, clientDataJSON, now)
    if (asked === undefined) throw new Problem('passkey_refused')
    const made = await checkRegistration(site, body.credential as RegistrationResponseJSON, asked.challenge)
    if (made === undefined) throw new Problem('passkey_refused')
    await refuseMany(tx, accountId)
    const factorId = newFactorId()
    const isFirstUse = await takeProof(tx, `passkey challenge ${asked.challenge}`, asked.until)
    const name = body.name?.trim() ?? 'Passkey'
    if (!isFirstUse || !(await insertPasskey(tx, accountId, { id: factorId, name, ...made }))) {
      throw new Problem('passkey_refused')
    }
    afterCommit(() => services.authenticator.forget())
    const recoveryCodes = await begin(tx, services.keyring, person)
    await noticeFactors(context, factorAddedNotice, 'a passkey')
    const factor = presentFactor((await findFactor(tx, accountId, factorId)) as FactorRow)
    return recoveryCodes === undefined ? { factor } : { factor, recoveryCodes }
  },
})

export const passkeyLoginOptions = endpoint({
  id: 'auth.passkey_options',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/passkeys/options',
  name: 'Start to log in with a passkey',
  description:
    'What a browser asks for a passkey by: for `PublicKeyCredential.parseRequestOptionsFromJSON`, on a page of this server. The ' +
    'same for everybody: the passkey says whose it is. Its answer also goes to POST /v2/auth/step-up.',
  permission: 'public',
  idempotent: false,
  transaction: 'none',
  reply: RequestOptions,
  envelope: 'data',
  problems: ['passkeys_unavailable'],
  sample: {
    reply: {
      challenge: sampleChallenge,
      rpId: 'crm.example.com',
      timeout: wantedPasskey.timeout,
      userVerification: 'required',
    },
  },
  async handle({ now, services }) {
    const { rpId } = requireSite(services)
    const challenge = newChallenge(services.keyring, 'assertion', now)
    return { challenge, rpId, timeout: wantedPasskey.timeout, userVerification: 'required' as const }
  },
})

export const endpoints = [passkeyOptions, addPasskey, passkeyLoginOptions]
