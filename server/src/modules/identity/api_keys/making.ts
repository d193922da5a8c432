// Making a key: who asks, how long that lives, how many there are already, and the secret.

import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { quotas } from '../../../kernel/data/quota.ts'
import type { Context } from '../../../kernel/endpoint/endpoint.ts'
import { hashApiKey, lastFour, newApiKey, newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { findPolicy } from '../security/index.ts'
import { endOf } from './rules.ts'
import { countKeys, holdKey, insertKey, type NewKey } from './store.ts'

/** @throws Problem `person_required` for a token made of a key, or of an app: what it made would outlive it */
export function refuseToken({ isKeyToken, kind }: Principal): void {
  if (!isKeyToken && kind !== 'app') return
  throw new Problem('person_required', {
    message:
      'A short-lived token of an API key, or an OAuth token, makes and rotates no keys. Send the key itself, or log in.',
  })
}

/** Which key asks, and when it ends; a person is none and does not end. @throws Problem `key_revoked` */
export async function makerOf(tx: Tx, principal: Principal, nowMs: number) {
  if (principal.keyId === null) return { keyId: null, endsAtMs: null }
  // Its end may have come since the request was let in: a key must not be made by one that is gone.
  const key = await holdKey(tx, principal, principal.keyId, nowMs)
  if (key.dead) throw new Problem('key_revoked')
  return { keyId: key.id, endsAtMs: endOf(key) }
}

/** Milliseconds since 1970 of a stored time. */
export function msOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso)
}

/** A time to come, as it is stored. @throws Problem `validation_failed` */
export function expiryOf(text: string | null, nowMs: number): string | null {
  if (text === null) return null
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) {
    throw invalid({ field: 'expiresAt', code: 'wrong_format', message: 'must be a time in ISO 8601 with offset' })
  }
  if (ms <= nowMs) throw invalid({ field: 'expiresAt', code: 'too_small', message: 'must be in the future' })
  return new Date(ms).toISOString()
}

type Making = Pick<Context<unknown, unknown, unknown>, 'tx' | 'principal' | 'now' | 'services'>

/**
 * Draws a secret and stores its hash; the secret is to be shown this once.
 * @throws Problem `too_many_keys`
 */
export async function makeKey(
  { tx, principal, now, services }: Making,
  key: Omit<NewKey, 'id' | 'hash' | 'pepper_version' | 'last_four'>,
) {
  const { ofUser, ofTenant } = await countKeys(tx, principal, key.user_id, key.tenant_id, now)
  const { user, tenant, testTenant } = quotas.keys
  const most = key.mode === 'test' ? testTenant : tenant
  if (ofUser >= user || ofTenant >= most) {
    const who = ofUser >= user ? `The user has ${user}` : `The organization has ${most}`
    throw new Problem('too_many_keys', {
      message: `${who} API keys that work in ${key.mode} mode, which is as many as there may be. Revoke one that nothing uses.`,
    })
  }
  const secret = newApiKey(key.mode)
  const { keyring } = services
  const kept = { hash: hashApiKey(keyring, secret), pepper_version: keyring.pepperVersion, last_four: lastFour(secret) }
  const row = await insertKey(tx, principal, { ...key, id: newId('key'), ...kept })
  return { row, secret }
}

/**
 * When a key ends whose maker said `asked`: as the organization's policy has it at the latest. Left out, or carried over from a key that
 * is rotated, it is cut down to that; one that was named and is later is refused.
 * @throws Problem `validation_failed`
 */
export async function endByPolicy(
  tx: Tx,
  principal: Principal,
  { expiresAt, isNamed, nowMs }: { expiresAt: string | null; isNamed: boolean; nowMs: number },
): Promise<string | null> {
  const { api_keys_max_days: days } = await findPolicy(tx, principal)
  if (days === null) return expiresAt
  const latestMs = nowMs + days * 86_400_000
  if (expiresAt !== null && Date.parse(expiresAt) <= latestMs) return expiresAt
  if (!isNamed) return new Date(latestMs).toISOString()
  const message = `must be within ${days} ${days === 1 ? 'day' : 'days'}, which is as long as the organization lets API keys live`
  throw invalid({ field: 'expiresAt', code: 'too_large', message })
}
