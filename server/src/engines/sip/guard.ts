// The digest guards of the engine, of carriers and of phones: nonces are sealed with the installation's own secret, so all nodes
// know each other's.
import { createDigestGuard, type DigestAlgorithm, type DigestGuard } from '@tandem/sip'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { realm } from '../../modules/voice/sip_credentials/index.ts'

export function openGuard(
  { keyring, clock }: Pick<Services, 'keyring' | 'clock'>,
  algorithms?: readonly DigestAlgorithm[],
): DigestGuard {
  const startedAt = clock.now()
  return createDigestGuard({
    realm,
    key: keyring.lastingKey('sip nonces'),
    startedAt,
    ...(algorithms === undefined ? {} : { algorithms }),
  })
}
