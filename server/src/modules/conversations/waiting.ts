// What waits for an answer, for the beginning of a day: who waits longest, and how many there are.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { countViews, listConversations } from './list_store.ts'
import { presentConversations } from './present.ts'
import { sightOf } from './sight_store.ts'

/** @param limit how many are shown; they are counted up to one more than `maxCount` */
export async function listWaiting(tx: Tx, principal: Principal, limit: number) {
  const sight = sightOf(principal)
  const [rows, { waiting = 0 }] = await Promise.all([
    listConversations(tx, principal, { view: 'waiting', sight, isOldestFirst: true, behind: undefined, limit }),
    countViews(tx, principal, sight, ['waiting']),
  ])
  return { count: waiting, items: await presentConversations(tx, principal, rows) }
}
