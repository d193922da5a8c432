// What goes on beside requests: conversations follow what is committed, snoozed ones come back, and signals are forgotten.
import type { JobMaker, QueueMaker } from '../../kernel/jobs/background.ts'
import { followTenant } from './following.ts'
import { purgeSignals, type Tenant, tenantsBehind } from './position_store.ts'
import { wake } from './snoozing.ts'
import { type DueConversation, dueConversations } from './store.ts'

export const conversationsQueue = 'conversations'

/** Queue `conversations`: tenants whose log has something new. Two nodes do no harm: one holds a tenant, the other passes on. */
export const followConversations: QueueMaker = services => {
  const { db, log } = services
  const under = new Set<number>()
  let behindTenant = 0
  return {
    name: conversationsQueue,
    batch: 20,
    lanes: 2,
    pollMs: 400,
    async claim(_token, limit) {
      const behind = await tenantsBehind(db, behindTenant, limit + under.size)
      const free = behind.filter(({ tenantId }) => !under.has(tenantId)).slice(0, limit)
      for (const { tenantId } of free) under.add(tenantId)
      behindTenant = free.at(-1)?.tenantId ?? 0
      return free
    },
    async work(tenants: Tenant[], _token, isStopping) {
      for (const tenant of tenants)
        try {
          await followTenant(services, tenant, isStopping)
        } catch (error) {
          log.warn({ tenantId: tenant.tenantId, err: error }, 'conversations have to wait')
        } finally {
          under.delete(tenant.tenantId)
        }
    },
  }
}

/** Queue `snoozed_conversations`: those whose time has come. */
export const wakeConversations: QueueMaker = ({ db, clock }) => ({
  name: 'snoozed_conversations',
  batch: 100,
  lanes: 1,
  pollMs: 2_000,
  claim: (_token, limit) => dueConversations(db, limit),
  work: (due: DueConversation[]) => wake(db, due, clock.now()),
})

const rowsAtOnce = 5_000

export const purgeConversationSignals: JobMaker = ({ db, log }) => ({
  name: 'purge_conversation_signals',
  cron: '*/10 * * * *',
  async run() {
    let gone = 0
    for (let count = rowsAtOnce; count >= rowsAtOnce; gone += count) {
      count = await purgeSignals(db, rowsAtOnce)
    }
    log.debug({ rows: gone }, 'forgot signals of conversations')
  },
})
