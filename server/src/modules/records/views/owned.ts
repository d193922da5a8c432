// Saved views go to another person with all else that somebody owns.

import { emit } from '../../../kernel/data/events.ts'
import type { Owned } from '../../../kernel/noun/ownership.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { reported } from './rules.ts'
import { countViewsOf, giveViews } from './store.ts'

export const ownedViews: Owned = {
  name: 'saved_views',
  count: countViewsOf,
  async give(tx, author, { from, to, nowMs }, limit) {
    const rows = await giveViews(tx, author, { from, to, nowIso: isoMs(nowMs) }, limit)
    const by = { userId: author.userId, keyId: author.keyId }
    await emit(
      tx,
      author,
      ...rows.map(row => ({
        type: 'view.updated' as const,
        resourceId: row.id,
        data: { ...reported(row), changed: ['owner_id'], by },
      })),
    )
    return { given: rows.length, more: rows.length > 0 }
  },
}
