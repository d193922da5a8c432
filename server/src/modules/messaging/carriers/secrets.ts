// Where the secrets of a carrier are sealed: for it alone.
import type { SecretPlace } from '../../../kernel/links/settings.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'

export function secretsOf(keyring: Keyring, tenantId: number, carrierId: string): SecretPlace {
  return { keyring, purpose: 'carriers', tenantId, id: carrierId }
}
