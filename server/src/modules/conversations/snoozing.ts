// Snoozed conversations are open again when their time has come.
import { sql } from 'kysely'
import type { Db, Scope } from '../../kernel/data/db.ts'
import { emit } from '../../kernel/data/events.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { insertEntries, signal } from './entries_store.ts'
import { presentForEvent } from './present.ts'
import { lockConversations } from './store.ts'

export type DueConversation = { tenant_id: number; organization_id: number; id: string }

export function dueConversations(db: Db, limit: number): Promise<DueConversation[]> {
  return db.work('due_conversations', 'select tenant_id, organization_id, id from due_conversations($1)', [limit])
}

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
      const { rows: opened } = await sql<{ id: string }>`
        update conversations set state = 'open', snoozed_until = null, version = version + 1, updated_at = clock_timestamp()
        where tenant_id = ${tenantId} and id = any(${rows.map(({ id }) => id)}::text[]) and state = 'snoozed'
          and snoozed_until <= clock_timestamp() and merged_into is null
        returning id`.execute(tx)
      const woken = await lockConversations(
        tx,
        scope,
        opened.map(({ id }) => id),
      )
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
