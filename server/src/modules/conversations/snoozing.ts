// Snoozed conversations are open again when their time has come.
import type { Db, Scope } from '../../kernel/data/db.ts'
import { emit } from '../../kernel/data/events.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { insertEntries, signal } from './entries_store.ts'
import { presentForEvent } from './present.ts'
import { type DueConversation, lockConversations, openDue } from './store.ts'

/** Opens them, those that are due still: somebody may have put one off meanwhile, or another node have opened it. */
export async function wake(db: Db, due: readonly DueConversation[], nowMs: number): Promise<void> {
  for (const [tenantId, some] of Map.groupBy(due, ({ tenant_id }) => tenant_id)) {
    const scope: Scope = { tenantId, organizationId: some[0]!.organization_id }
    await db.inTenant(scope, async tx => {
      const rows = await lockConversations(
        tx,
        scope,
        some.map(({ id }) => id),
      )
      const opened = await openDue(
        tx,
        scope,
        rows.map(({ id }) => id),
      )
      const woken = await lockConversations(tx, scope, opened)
      const at = isoMs(nowMs)
      await insertEntries(
        tx,
        scope,
        woken.map(({ id }) => ({ conversationId: id, at, kind: 'event', userId: null, data: { type: 'woken' } })),
      )
      const events = woken.map(row => ({
        type: 'conversation.reopened' as const,
        resourceId: row.id,
        data: presentForEvent(row, null),
      }))
      await emit(tx, scope, ...events)
      const signals = woken.map(
        conversation => ({ type: 'conversation.updated', conversation, userId: null, at }) as const,
      )
      await signal(tx, scope, signals)
    })
  }
}
