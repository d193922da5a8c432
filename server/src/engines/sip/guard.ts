// The digest guards of the engine, of carriers and of phones: nonces are sealed with the installation's own secret, so all nodes
// know each other's.
import { createDigestGuard, type DigestAlgorithm, type DigestGuard } from '@tandem/sip'
import { realm } from '../../modules/voice/sip_credentials/index.ts'

export function openGuard(pepper: Buffer, algorithms?: readonly DigestAlgorithm[]): DigestGuard {
  return createDigestGuard({ realm, key: pepper, ...(algorithms === undefined ? {} : { algorithms }) })
}
