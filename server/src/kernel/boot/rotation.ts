// How one version of a secret takes the place of another while servers run. First it is there for all to know (`next`), then it is used
// (`active`), and what it replaced is still accepted for as long as something of it is about (`retiring`). Each step is a transaction by
// itself and is announced; a rotation that was broken off goes on where it stopped.
import type { JWK } from 'jose'
import type pg from 'pg'
import { accessTokenSeconds } from '../access/tokens.ts'
import type { ConnectionOptions } from '../data/db.ts'
import { withSecrets } from './instance.ts'
import type { RootKey, RootKeySource } from './root_key.ts'
import { addSecret, closeSecret, newSecretValue, type Secret } from './secrets.ts'
import {
  announceSecrets,
  changeSecretState,
  changeSecretValue,
  removeSecret,
  type SecretKind,
} from './secrets_store.ts'

/** Every process has heard of a change by then: each looks every second. */
export const settleMs = 5_000
/** How long a new signing key is published before it signs, so that everybody who keeps our JWKS has it by then. */
export const signingOverlapMs = 86_400_000
/** A token for a phone in a browser lives for a day, the longest of all; and clocks are not quite the same. */
const longestTokenMs = Math.max(accessTokenSeconds * 1_000, 86_400_000)
export const signingRetiresMs = longestTokenMs + 300_000
/** Sealed texts that travel (a login by SSO on its way) are good for ten minutes. */
export const sealingRetiresMs = 900_000

export type Ground = { owner: ConnectionOptions; source: RootKeySource; nowMs: number }

const ofKind = (secrets: readonly Secret[], kind: SecretKind) => secrets.filter(one => one.kind === kind)
export const activeOf = (secrets: readonly Secret[], kind: SecretKind) =>
  ofKind(secrets, kind).find(({ state }) => state === 'active') as Secret

/** All secrets as they are. */
export function readSecrets({ owner, source }: Pick<Ground, 'owner' | 'source'>): Promise<Secret[]> {
  return withSecrets(owner, source, async (_client, secrets) => secrets)
}

/**
 * Makes the next version known to all, without anyone using it; one that is there already is taken.
 * @param dueMs when a server makes it the active one by itself; null where the caller does
 */
export function announceNext(ground: Ground, kind: SecretKind, dueMs: number | null): Promise<Secret> {
  const { owner, source, nowMs } = ground
  return withSecrets(owner, source, async (client, secrets, root) => {
    const versions = ofKind(secrets, kind)
    const waiting = versions.find(({ state }) => state === 'next')
    if (waiting !== undefined) {
      await changeSecretState(client, waiting.name, { state: 'next', active_ms: null, due_ms: dueMs })
      return { ...waiting, due_ms: dueMs }
    }
    const version = Math.max(...versions.map(one => one.version)) + 1
    const value = await newSecretValue(kind)
    const made = await addSecret(client, root, { kind, value, nowMs, version, state: 'next', due_ms: dueMs })
    await announceSecrets(client)
    return made
  })
}

/**
 * Uses the next version from now on; the former one retires.
 * @param endsMs when a server ends the former one by itself; null: not by itself
 * @returns the version in use; undefined where there is no next one
 */
export function activateNext(ground: Ground, kind: SecretKind, endsMs: number | null): Promise<Secret | undefined> {
  return withSecrets(ground.owner, ground.source, async (client, secrets) => {
    const next = ofKind(secrets, kind).find(({ state }) => state === 'next')
    return next && activate(client, secrets, next, { nowMs: ground.nowMs, endsMs })
  })
}

async function activate(
  client: pg.Client,
  secrets: readonly Secret[],
  next: Secret,
  { nowMs, endsMs }: { nowMs: number; endsMs: number | null },
): Promise<Secret> {
  const former = activeOf(secrets, next.kind)
  await changeSecretState(client, former.name, { state: 'retiring', active_ms: null, due_ms: endsMs })
  await changeSecretState(client, next.name, { state: 'active', active_ms: nowMs, due_ms: null })
  await announceSecrets(client)
  return { ...next, state: 'active', active_ms: nowMs, due_ms: null }
}

/** Ends every retiring version of a kind. Of a signing key the public part stays: it verifies the audit log. @returns how many */
export function endRetiring({ owner, source }: Ground, kind: SecretKind): Promise<number> {
  return withSecrets(owner, source, async (client, secrets, root) => {
    const retiring = ofKind(secrets, kind).filter(({ state }) => state === 'retiring')
    for (const one of retiring) await end(client, one, root)
    if (retiring.length > 0) await announceSecrets(client)
    return retiring.length
  })
}

async function end(client: pg.Client, one: Secret, root: RootKey | undefined): Promise<void> {
  if (one.kind !== 'signing_key') return removeSecret(client, one.name)
  const { d: _, ...publicPart } = JSON.parse(one.value.toString('utf8')) as JWK
  await changeSecretValue(client, one.name, closeSecret(root, one.name, Buffer.from(JSON.stringify(publicPart))))
  await changeSecretState(client, one.name, { state: 'retired', active_ms: null, due_ms: null })
}

/** Says when a server ends the retiring versions of a kind. */
export function scheduleEnd({ owner, source }: Ground, kind: SecretKind, dueMs: number): Promise<void> {
  return withSecrets(owner, source, async (client, secrets) => {
    for (const { name, state } of ofKind(secrets, kind))
      if (state === 'retiring') await changeSecretState(client, name, { state, active_ms: null, due_ms: dueMs })
  })
}

/**
 * Does what has fallen due with signing keys, and begins their rotation when the one in use is too old. Safe on several nodes at once.
 * @param days after which the next key is made; 0: never by itself
 * @returns what was done, for the log
 */
export function advanceSigning({ owner, source, nowMs }: Ground, days: number): Promise<string[]> {
  return withSecrets(owner, source, async (client, secrets, root) => {
    const done: string[] = []
    const keys = ofKind(secrets, 'signing_key')
    const isDue = ({ due_ms }: Secret) => due_ms !== null && due_ms <= nowMs
    for (const one of keys.filter(({ state }) => state === 'retiring').filter(isDue)) {
      await end(client, one, root)
      done.push(`the signing key ${one.version} has ended`)
    }
    if (done.length > 0) await announceSecrets(client)
    const next = keys.find(({ state }) => state === 'next')
    if (next !== undefined && isDue(next)) {
      await activate(client, secrets, next, { nowMs, endsMs: nowMs + signingRetiresMs })
      done.push(`the signing key ${next.version} signs from now on`)
    }
    const { active_ms, created_ms } = activeOf(secrets, 'signing_key')
    if (next === undefined && days > 0 && nowMs - (active_ms ?? created_ms) > days * 86_400_000) {
      const version = Math.max(...keys.map(one => one.version)) + 1
      const value = await newSecretValue('signing_key')
      const due_ms = nowMs + signingOverlapMs
      await addSecret(client, root, { kind: 'signing_key', value, nowMs, version, state: 'next', due_ms })
      await announceSecrets(client)
      done.push(`the signing key ${version} is published, and signs in a day`)
    }
    return done
  })
}
