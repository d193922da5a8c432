// What other modules use of API keys: ending those of a user.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emitKeys } from './present.ts'
import { revokeKeysOf } from './store.ts'

/** Ends all keys of a user; the caller has the nodes forget them. @returns how many worked until now */
export async function endKeysOf(tx: Tx, principal: Principal, userId: number): Promise<number> {
  const ended = await revokeKeysOf(tx, principal, userId)
  await emitKeys(tx, principal, 'api_key.revoked', ...ended)
  return ended.length
}
