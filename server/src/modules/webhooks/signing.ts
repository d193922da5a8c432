// Secrets of webhooks as they lie in the database: each is sealed for its webhook.
import { createSeal, type Seal } from '../../kernel/values/seal.ts'

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
