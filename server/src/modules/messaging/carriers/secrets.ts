// Where the secrets of a carrier are sealed: for it alone.
import type { SecretPlace } from '../../../kernel/links/settings.ts'

export function secretsOf(pepper: Buffer, tenantId: number, carrierId: string): SecretPlace {
  return { pepper, purpose: 'carriers', tenantId, id: carrierId }
}
