// Signatures of deliveries, as Standard Webhooks has them: https://www.standardwebhooks.com. A webhook has a secret of its
// own, sealed in the database; what goes to callback URLs is signed with a secret made from the installation's pepper, the
// tenant and a number that grows with each rotation, so it is stored nowhere.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { createSeal, type Seal } from '../../kernel/seal.ts'

const secretBytes = 32
const mark = 'whsec_'

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return mark + randomBytes(secretBytes).toString('base64')
}

/** The secret of callback URLs of a tenant. */
export function callbackSecret(pepper: Buffer, tenantId: number, generation: number): string {
  const info = `tandem callback secret: ${tenantId} ${generation}`
  return mark + Buffer.from(hkdfSync('sha256', pepper, '', info, secretBytes)).toString('base64')
}

/** The bytes a secret stands for. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(mark.length), 'base64')
}

const seals = new WeakMap<Buffer, Seal>()

function sealOf(pepper: Buffer): Seal {
  let seal = seals.get(pepper)
  if (seal === undefined) {
    seal = createSeal(pepper, 'webhook')
    seals.set(pepper, seal)
  }
  return seal
}

/** A webhook's secret as it may lie in the database: it opens for this webhook only. */
export function sealSecret(pepper: Buffer, tenantId: number, webhookId: string, secret: string): string {
  return sealOf(pepper).close(`${tenantId} ${webhookId}`, secret)
}

/** @throws when it was not sealed for this webhook by this installation */
export function openSecret(pepper: Buffer, tenantId: number, webhookId: string, sealed: string): string {
  return sealOf(pepper).open(`${tenantId} ${webhookId}`, sealed)
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
