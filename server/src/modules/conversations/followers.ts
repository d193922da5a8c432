// When leads or contacts become one, so do their conversations; when they are removed for good, what is left is with an address.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { Follower } from '../../kernel/noun/registry.ts'
import { putOnRecord } from './attach.ts'
import { findPersons } from './people_store.ts'
import { holdPosition } from './position_store.ts'
import { conversationsOfRecords, listAddresses, lockConversations, setParty } from './store.ts'

export const followers: readonly Follower[] = ['lead', 'contact'].map(of => ({ of, follow, empty }))

async function follow(
  tx: Tx,
  principal: Principal,
  ids: readonly string[],
  into: string,
  nowMs: number,
): Promise<void> {
  // First: who holds it may be about to begin a conversation with one of them.
  await holdPosition(tx, principal, true)
  const moving = await conversationsOfRecords(tx, principal, ids)
  if (moving.size === 0) return
  const person = (await findPersons(tx, principal, [into])).get(into)
  if (person === undefined) return
  const { userId, keyId } = principal
  const there = (await conversationsOfRecords(tx, principal, [into])).get(into)
  await lockConversations(tx, principal, [...moving.values(), ...(there === undefined ? [] : [there])])
  for (const id of moving.values()) {
    const [row] = await lockConversations(tx, principal, [id])
    if (row !== undefined && row.merged_into === null)
      await putOnRecord(tx, principal, row, person, { userId, keyId, nowMs })
  }
}

async function empty(tx: Tx, scope: Scope, ids: readonly string[], limit: number): Promise<number> {
  const found = [...(await conversationsOfRecords(tx, scope, ids)).values()].slice(0, limit)
  const rows = await lockConversations(tx, scope, found)
  const addresses = await listAddresses(tx, scope, found)
  for (const { id } of rows) {
    const address = addresses.find(one => one.conversation_id === id)?.address
    await setParty(tx, scope, id, { recordId: null, kind: 'unknown', name: address ?? 'Removed', ownerId: null })
  }
  return rows.length
}
