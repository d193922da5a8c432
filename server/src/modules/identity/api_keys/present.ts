// API keys as the API shows them, and the events of what becomes of them. A secret is in neither.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import type { KeyRow } from './store.ts'

export function presentKey(row: KeyRow) {
  return {
    keyId: row.id,
    name: row.name,
    mode: row.mode,
    scopes: row.scopes,
    lastFour: row.last_four,
    userId: row.user_id,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    replacedBy: row.replaced_by,
    parentId: row.parent_id,
  }
}

/** Emitted in the mode of the one who asks, which need not be that of the keys. */
export async function emitKeys(
  tx: Tx,
  principal: Principal,
  type: 'api_key.created' | 'api_key.rotated' | 'api_key.revoked',
  ...rows: readonly KeyRow[]
): Promise<void> {
  await emitChange(tx, principal, ...rows.map(row => ({ type, resourceId: row.id, record: presentKey(row) })))
}
