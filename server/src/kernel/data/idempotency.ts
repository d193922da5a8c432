// Idempotency-Key: the answer to a write is stored in the transaction of its effect, so a repeat gets the same bytes and
// a race waits on the unique key instead of running twice. Refusals and failures are not stored.
import { createHash } from 'node:crypto'
import { Problem } from '../values/problem.ts'
import type { Scope, Tx } from './db.ts'

/** A request's key and what it was used for. `fingerprint` covers method, path, body and caller. */
export type Idempotency = { key: string; fingerprint: Buffer }

/** A stored answer, sent again byte for byte with `Idempotent-Replayed: true`. */
export type Replay = { status: number; body: string; version: number | null }

const printable = /^[\x20-\x7e]{1,255}$/

/**
 * Reads the header, bare or quoted (draft-ietf-httpapi-idempotency-key-header-06 §2.1).
 * @throws Problem `invalid_idempotency_key`
 */
export function readIdempotencyKey(header: string, timesSent: number): string {
  const trimmed = header.trim()
  const key = trimmed.length >= 2 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed
  if (timesSent !== 1 || !printable.test(key)) throw new Problem('invalid_idempotency_key')
  return key
}

export function fingerprintOf(method: string, path: string, caller: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method}\n${path}\n${caller}\n${canonicalJson(body)}`)
    .digest()
}

/** JSON with sorted keys, so spelling the same body with other spaces or key order is the same request. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/**
 * Claims the key inside the transaction of the effect. A concurrent request with the same key waits here until the first
 * has ended, and then gets its answer.
 * @returns the stored answer when this request was answered before, else undefined
 * @throws Problem `idempotency_mismatch` when the key was used for another request
 */
export async function claim(tx: Tx, scope: Scope, { key, fingerprint }: Idempotency): Promise<Replay | undefined> {
  for (;;) {
    const inserted = await tx
      .insertInto('idempotency_keys')
      .values({ tenant_id: scope.tenantId, key, fingerprint })
      .onConflict(conflict => conflict.columns(['tenant_id', 'key']).doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 1n) return undefined
    const replay = await findAnswer(tx, scope, { key, fingerprint })
    if (replay !== undefined) return replay
    // It was purged in between: now it can be had.
  }
}

/**
 * What is stored under a key; undefined when it was not used.
 * @throws Problem `idempotency_mismatch` when it was used for another request
 */
export async function findAnswer(tx: Tx, scope: Scope, { key, fingerprint }: Idempotency): Promise<Replay | undefined> {
  const stored = await tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'body', 'version'])
    .where('tenant_id', '=', scope.tenantId)
    .where('key', '=', key)
    .executeTakeFirst()
  return stored && replayOf(stored, fingerprint)
}

/** Whether a key was used before: then its request was answered, or is about to be. */
export async function isClaimed(tx: Tx, scope: Scope, key: string): Promise<boolean> {
  const row = await tx
    .selectFrom('idempotency_keys')
    .select('key')
    .where('tenant_id', '=', scope.tenantId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}

export type StoredAnswer = { fingerprint: Buffer; status: number | null; body: string | null; version: number | null }

/** @throws Problem `idempotency_mismatch` */
export function replayOf(stored: StoredAnswer, fingerprint: Buffer): Replay {
  if (!stored.fingerprint.equals(fingerprint)) throw new Problem('idempotency_mismatch')
  if (stored.status === null || stored.body === null)
    throw new Error('an idempotency key was committed without its answer')
  return { status: stored.status, body: stored.body, version: stored.version }
}

/** Stores the answer under the claimed key, in the same transaction. */
export async function store(tx: Tx, scope: Scope, key: string, replay: Replay): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status: replay.status, body: replay.body, version: replay.version })
    .where('tenant_id', '=', scope.tenantId)
    .where('key', '=', key)
    .execute()
}
