// Conversations go to another person with all else that somebody has; to nobody, where that person reads none: then all see them among
// those that are not assigned.
import type { Owned } from '../../kernel/noun/ownership.ts'
import { writeChange } from './changing.ts'
import { isReader } from './members_store.ts'
import { countAssigned, listAssigned } from './owned_store.ts'
import { lockConversations } from './store.ts'

export const ownedConversations: Owned = {
  name: 'conversations',
  count: countAssigned,
  async give(tx, author, { from, to, nowMs }, limit) {
    const ids = await listAssigned(tx, author, from, limit)
    const assigneeId = (await isReader(tx, author, to)) ? to : null
    const locked = await lockConversations(tx, author, ids)
    const theirs = locked.filter(row => row.assignee_id === from && row.merged_into === null)
    for (const row of theirs) await writeChange(tx, author, row, { assigneeId }, nowMs)
    return { given: theirs.length, more: ids.length > 0 }
  },
}
