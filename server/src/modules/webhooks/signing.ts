// Secrets of webhooks as they lie in the database: each is sealed for its webhook.

import type { Keyring } from '../../kernel/values/keyring.ts'
import { createSeal } from '../../kernel/values/seal.ts'

const sealOf = (keyring: Keyring) => createSeal(keyring, 'webhook')

/** A webhook's secret as it may lie in the database: it opens for this webhook only. */
export function sealSecret(keyring: Keyring, tenantId: number, webhookId: string, secret: string): string {
  return sealOf(keyring).close(`${tenantId} ${webhookId}`, secret)
}

/** @throws when it was not sealed for this webhook by this installation */
export function openSecret(keyring: Keyring, tenantId: number, webhookId: string, sealed: string): string {
  return sealOf(keyring).open(`${tenantId} ${webhookId}`, sealed)
}
