// Signatures of what we send, as Standard Webhooks has them: https://www.standardwebhooks.com. What goes to callback URLs is
// signed with a secret made from a key of the installation, the tenant and a number that grows with each rotation, so it is
// stored nowhere.
import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Keyring } from '../values/keyring.ts'
import type { Scope, Tx } from './db.ts'

const secretBytes = 32
const mark = 'whsec_'

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return mark + randomBytes(secretBytes).toString('base64')
}

/** The secret of callback URLs of a tenant. */
export function callbackSecret(keyring: Keyring, tenantId: number, generation: number): string {
  const info = `tandem callback secret: ${tenantId} ${generation}`
  return mark + keyring.lastingKey(info).toString('base64')
}

/** The bytes a secret stands for. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(mark.length), 'base64')
}

/**
 * The header `webhook-signature`: for each key `v1,` and base64 of HMAC-SHA-256 over `id.timestamp.body`, separated by
 * spaces (Standard Webhooks 1.0, "Signature scheme").
 * @param timestamp seconds since 1970
 */
export function sign(keys: readonly Buffer[], id: string, timestamp: number, body: Buffer): string {
  const head = `${id}.${timestamp}.`
  return keys.map(key => `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`).join(' ')
}

/** The keys that sign what goes to callback URLs of the tenant now: two while a rotation overlaps. */
export async function callbackKeys(tx: Tx, { tenantId }: Scope, keyring: Keyring): Promise<Buffer[]> {
  const { rows } = await sql<{ generation: number; overlaps: boolean }>`
    select generation, previous_until > now() as overlaps from webhook_signing where tenant_id = ${tenantId}`.execute(
    tx,
  )
  const { generation, overlaps } = rows[0] ?? { generation: 1, overlaps: false }
  return [generation, ...(overlaps ? [generation - 1] : [])].map(number =>
    keyOf(callbackSecret(keyring, tenantId, number)),
  )
}
