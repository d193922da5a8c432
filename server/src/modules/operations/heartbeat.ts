// Signs of life of this process, by which the status pages and an alert know of one that was killed.
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { QueueOptions } from '../../kernel/jobs/queue.ts'
import { beat, removeNode } from './store.ts'

const everyMs = 10_000

/** Queue `heartbeats`, of every process: writes a sign of life every ten seconds, and takes the process from the list when it ends. */
export function heartbeats({ db, node }: Pick<Services, 'db' | 'node'>): QueueOptions<never> {
  return {
    name: 'heartbeats',
    batch: 1,
    lanes: 1,
    pollMs: everyMs,
    async claim() {
      await beat(db, node, await node.disks())
      return []
    },
    async work() {},
    // Where the database is away, it is silent soon.
    closed: () => removeNode(db, node.id).catch(() => {}),
  }
}
