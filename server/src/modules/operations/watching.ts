// Says in the log when a queue gets late and when it has caught up, once each.
import type { QueueMaker } from '../../kernel/jobs/background.ts'
import { isLate } from './rules.ts'
import { readBacklog } from './store.ts'

const everyMs = 30_000

/** Queue `queue_watch`: looks at what is due in all queues. */
export const watchQueues: QueueMaker = ({ db, log, clock }) => {
  const late = new Set<string>()
  return {
    name: 'queue_watch',
    batch: 1,
    lanes: 1,
    pollMs: everyMs,
    async claim() {
      for (const { queue, due, oldest_due_at } of await readBacklog(db)) {
        const isNow = isLate(oldest_due_at, clock.now())
        if (isNow && !late.has(queue)) {
          late.add(queue)
          log.warn({ queue, due, oldestDueAt: oldest_due_at }, 'a queue is late')
        } else if (!isNow && late.delete(queue)) log.info({ queue, due }, 'a queue has caught up')
      }
      return []
    },
    async work() {},
  }
}
