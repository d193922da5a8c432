// Signs of life of this process, by which the status pages and an alert know of one that was killed.
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { beat, removeNode } from './store.ts'

const everyMs = 10_000

/** Writes one now and every ten seconds; `stop` takes the process from the list. A database that is away is reported elsewhere. */
export function startHeartbeat({ db, node }: Pick<Services, 'db' | 'node'>): { stop(): Promise<void> } {
  let beating: Promise<void> | undefined
  const go = () => {
    beating ??= node
      .disks()
      .then(disks => beat(db, node, disks))
      .catch(() => {})
      .finally(() => {
        beating = undefined
      })
  }
  const timer = setInterval(go, everyMs)
  timer.unref()
  go()
  return {
    async stop() {
      clearInterval(timer)
      await beating
      await removeNode(db, node.id).catch(() => {})
    },
  }
}
