// Passwords of phones: made for anyone who names none, and kept as the digests that prove them (RFC 7616 §3.4.2), sealed for the one
// credential they belong to. The password itself is kept nowhere.
import { createHash } from 'node:crypto'
import type { Scope } from '../../../kernel/data/db.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { createSeal } from '../../../kernel/values/seal.ts'
import { realm } from './rules.ts'

export type Digests = { md5: string; sha256: string }

const sealOf = (keyring: Keyring) => createSeal(keyring, 'sip_credentials')
const placeOf = ({ tenantId }: Scope, id: string) => `${tenantId} ${id}`

/** 144 bits in letters and digits, so that it can be typed on phones with few keys. */
export function newPassword(): string {
  return randomToken(18)
}

/** @param user the whole user name of the phone */
export function sealedDigests(keyring: Keyring, scope: Scope, id: string, user: string, password: string): string {
  const text = `${user}:${realm}:${password}`
  const digest = (name: string) => createHash(name).update(text).digest('hex')
  const digests: Digests = { md5: digest('md5'), sha256: digest('sha256') }
  return sealOf(keyring).close(placeOf(scope, id), JSON.stringify(digests))
}

/** @throws when they were sealed by another installation or for another record */
export function openDigests(keyring: Keyring, scope: Scope, id: string, sealed: string): Digests {
  return JSON.parse(sealOf(keyring).open(placeOf(scope, id), sealed)) as Digests
}
