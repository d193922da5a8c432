// Rotation of the installation's keys, as the command line and the schedule ask for it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { JWK } from 'jose'
import type { Config } from './config/config.ts'
import { engineOf, materialOf, withSecrets } from './kernel/boot/instance.ts'
import { countSealed, type Resealed, resealAll } from './kernel/boot/reseal_store.ts'
import { rootKeySource } from './kernel/boot/root_key.ts'
import { type RotatedRoot, rotateRoot, withoutRoot } from './kernel/boot/root_rotation.ts'
import {
  activateNext,
  activeOf,
  announceNext,
  endRetiring,
  type Ground,
  readSecrets,
  scheduleEnd,
  sealingRetiresMs,
  settleMs,
  signingRetiresMs,
} from './kernel/boot/rotation.ts'
import type { Secret } from './kernel/boot/secrets.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import { isoMs, systemClock } from './kernel/values/clock.ts'
import { createKeyring } from './kernel/values/keyring.ts'
import { startFault } from './kernel/values/start_fault.ts'
import { countNeeds, type Needs } from './modules/identity/operator/needs_store.ts'
import { sealedColumns } from './sealed_columns.ts'

/** Where the secrets of the installation are that the settings describe. */
export function groundOf(config: Config, owner: ConnectionOptions): () => Ground {
  const source = rootKeySource(config)
  return () => ({ owner, source, nowMs: systemClock.now() })
}

export type Signing = { version: number; kid: string; activeAtMs: number; formerEndsAtMs: number | null }

/** The next signing key: published now and used after `overlapMs`; or used as soon as all processes have it. */
export async function rotateSigning(
  ground: () => Ground,
  { overlapMs, isNow, revokesFormer }: { overlapMs: number; isNow: boolean; revokesFormer: boolean },
): Promise<Signing> {
  if (!isNow) {
    const next = await announceNext(ground(), 'signing_key', ground().nowMs + overlapMs)
    return { version: next.version, kid: kidOf(next), activeAtMs: next.due_ms as number, formerEndsAtMs: null }
  }
  await announceNext(ground(), 'signing_key', null)
  await sleep(settleMs)
  const { nowMs } = ground()
  const endsMs = nowMs + signingRetiresMs
  const active = (await activateNext(ground(), 'signing_key', endsMs)) as Secret
  // Until then another process may still sign with the former.
  await sleep(settleMs)
  if (revokesFormer) await endRetiring(ground(), 'signing_key')
  return {
    version: active.version,
    kid: kidOf(active),
    activeAtMs: nowMs,
    formerEndsAtMs: revokesFormer ? nowMs : endsMs,
  }
}

const jwkOf = ({ value }: Secret) => JSON.parse(value.toString('utf8')) as JWK
const kidOf = (secret: Secret) => jwkOf(secret).kid as string

/** The public keys of all signatures there were: exports of the audit log are verified with them. */
export async function publicKeys(ground: () => Ground): Promise<{ keys: JWK[] }> {
  const keys = (await readSecrets(ground())).filter(({ kind }) => kind === 'signing_key').map(jwkOf)
  return { keys: keys.map(({ d: _, key_ops: _ops, ...publicPart }) => ({ ...publicPart, alg: 'ES256', use: 'sig' })) }
}

/** The next pepper, in use when this resolves; the earlier ones are accepted until they are ended. */
export async function rotatePepper(ground: () => Ground): Promise<Needs> {
  await announceNext(ground(), 'pepper', null)
  await sleep(settleMs)
  await activateNext(ground(), 'pepper', null)
  await sleep(settleMs)
  return needsOf(ground)
}

export async function needsOf(ground: () => Ground): Promise<Needs> {
  const { owner } = ground()
  const peppers = (await readSecrets(ground())).filter(({ kind }) => kind === 'pepper')
  const active = activeOf(peppers, 'pepper')
  const since = { version: active.version, sinceMs: active.active_ms ?? active.created_ms }
  return countNeeds(engineOf(owner), peppers.some(({ state }) => state === 'retiring') ? since : undefined)
}

/** Ends the earlier peppers. @throws StartFault where something would stop to work, unless that is wanted */
export async function finishPepper(ground: () => Ground, isWanted: boolean): Promise<{ ended: number; needs: Needs }> {
  const needs = await needsOf(ground)
  if (needs.total > 0 && !isWanted)
    throw startFault([...needs.lines, 'Wait until they are used, renew them, or say --yes.'])
  return { ended: await endRetiring(ground(), 'pepper'), needs }
}

export type Resealing = Resealed & { version: number; removedAtMs: number | null }

/**
 * The next sealing key: in use when this resolves, and every text is sealed with it. One that was broken off goes on.
 * @param leavesUnreadable ends the former key even where texts do not open
 */
export async function rotateSealing(ground: () => Ground, leavesUnreadable: boolean): Promise<Resealing> {
  const { owner } = ground()
  const isUnfinished = (await readSecrets(ground())).some(
    ({ kind, state }) => kind === 'sealing_key' && state === 'retiring',
  )
  if (!isUnfinished) {
    await announceNext(ground(), 'sealing_key', null)
    await sleep(settleMs)
    await activateNext(ground(), 'sealing_key', null)
    await sleep(settleMs)
  }
  const secrets = await readSecrets(ground())
  const came = await reseal(owner, secrets)
  const { version } = activeOf(secrets, 'sealing_key')
  if (came.unreadable.length > 0 && !leavesUnreadable) return { ...came, version, removedAtMs: null }
  const removedAtMs = ground().nowMs + sealingRetiresMs
  await scheduleEnd(ground(), 'sealing_key', removedAtMs)
  return { ...came, version, removedAtMs }
}

/** Until nothing is left that opens and is not under the key in use. */
async function reseal(owner: ConnectionOptions, secrets: readonly Secret[]): Promise<Resealed> {
  const keyring = createKeyring(materialOf(secrets))
  let resealed = 0
  for (;;) {
    const pass = await resealAll(engineOf(owner), keyring, sealedColumns)
    resealed += pass.resealed
    if (pass.resealed === 0) return { resealed, unreadable: pass.unreadable }
  }
}

/** Removes a former sealing key whose time is over; what was sealed with it meanwhile is sealed again before. @returns what was done */
export async function advanceSealing(ground: Ground): Promise<string[]> {
  const secrets = await readSecrets(ground)
  const retiring = secrets.filter(({ kind, state }) => kind === 'sealing_key' && state === 'retiring')
  if (retiring.length === 0 || retiring.some(({ due_ms }) => due_ms === null || due_ms > ground.nowMs)) return []
  const { unreadable } = await reseal(ground.owner, secrets)
  const closed = unreadable.reduce((sum, { count }) => sum + count, 0)
  const counts = retiring.map(({ version }) => countSealed(engineOf(ground.owner), sealedColumns, version))
  // A row that was written between two looks waits for the next time.
  if ((await Promise.all(counts)).reduce((sum, count) => sum + count, 0) > closed) return []
  const ended = await endRetiring(ground, 'sealing_key')
  const columns = [...new Set(unreadable.map(({ table, column }) => `${table}.${column}`))]
  const left = columns.length === 0 ? '' : `; texts that do not open stay in ${columns.join(', ')}`
  return [`${ended} former sealing key${ended === 1 ? ' has' : 's have'} ended${left}`]
}

export async function changeRoot(ground: () => Ground, toFile: string | undefined): Promise<RotatedRoot> {
  const { owner, source } = ground()
  return rotateRoot({ owner, source, toFile })
}

export async function leaveInPlain(ground: () => Ground): Promise<void> {
  const { owner, source } = ground()
  await withoutRoot(owner, source)
}

export type KeyState = {
  kind: string
  version: number
  state: string
  createdAt: string
  activeAt: string | null
  dueAt: string | null
}

/** What there is, without a value of any secret. */
export async function statusOf(ground: () => Ground) {
  const { owner, source } = ground()
  const { secrets, root } = await withSecrets(owner, source, async (_client, secrets, root) => ({ secrets, root }))
  const iso = (ms: number | null) => (ms === null ? null : isoMs(ms))
  const states: KeyState[] = secrets.map(({ kind, version, state, created_ms, active_ms, due_ms }) => ({
    ...{ kind, version, state, createdAt: iso(created_ms) as string },
    ...{ activeAt: iso(active_ms), dueAt: iso(due_ms) },
  }))
  return {
    rootKey: root === undefined ? null : { fingerprint: root.fingerprint, place: source.place },
    secrets: states,
  }
}
