// Instructions on their way into the database and out again: a list that holds secrets, such as the password of a SIP
// address, is sealed for the one record it belongs to; others lie there as they are.
import type { Scope } from '../../../kernel/data/db.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { createSeal } from '../../../kernel/values/seal.ts'
import { withoutSecrets } from './describe.ts'
import type { InstructionList } from './schema.ts'

/** A list as it is stored: JSON, or a sealed text. */
export type StoredInstructions = readonly unknown[] | string

/** What a call that comes in starts with: a list, or the addresses that are asked for one. */
export type CallHandling = {
  callback_url: string | null
  fallback_url: string | null
  instructions: InstructionList | null
}

const sealOf = (keyring: Keyring) => createSeal(keyring, 'instructions')
const placeOf = ({ tenantId }: Scope, id: string) => `${tenantId} ${id}`

/** @param id of the call, command or number that the list belongs to */
export function closeInstructions(
  keyring: Keyring,
  scope: Scope,
  id: string,
  list: InstructionList,
): StoredInstructions {
  const text = JSON.stringify(list)
  return JSON.stringify(withoutSecrets(list)) === text ? list : sealOf(keyring).close(placeOf(scope, id), text)
}

/** @throws when they were sealed by another installation or for another record */
export function openInstructions(
  keyring: Keyring,
  scope: Scope,
  id: string,
  stored: StoredInstructions,
): InstructionList {
  if (typeof stored !== 'string') return stored as InstructionList
  return JSON.parse(sealOf(keyring).open(placeOf(scope, id), stored)) as InstructionList
}
