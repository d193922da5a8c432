// The queues that run in this process, and who is to be woken when a queue has new rows.
import type { Log } from '../observe/log.ts'
import { newId } from '../values/ids.ts'
import type { Queues } from './background.ts'
import { type Queue, startQueue } from './queue.ts'

export type RunningQueues = {
  queues: Queues
  /** Says to this process that a queue has new rows. True when the queue runs here. */
  wake(name: string): boolean
  /** Calls `action` whenever a queue has new rows. @returns what ends that */
  onWake(name: string, action: () => void): () => void
  /** Finishes what is under way. */
  stop(): Promise<void>
}

/** After so long without work or a wake, queues look less often. Longer than what is scheduled close to what caused it, such as receipts. */
const quietAfterMs = 30_000

/**
 * @param options.mayRest whether this process is woken for what it writes itself: one without the API learns of new rows by looking alone
 */
export function createRunningQueues(log: Log, { mayRest = false }: { mayRest?: boolean } = {}): RunningQueues {
  let stirredMs = performance.now()
  const isQuiet = () => mayRest && performance.now() - stirredMs > quietAfterMs
  const stirred = () => {
    stirredMs = performance.now()
  }
  const running = new Map<string, Queue>()
  const woken = new Map<string, Set<() => void>>()
  return {
    queues: {
      start(options) {
        const queue = startQueue(options, { log, newToken: () => newId('lse'), isQuiet, stirred })
        running.set(queue.name, queue)
        return {
          ...queue,
          async stop() {
            // Its successor may bear the same name.
            if (running.get(queue.name) === queue) running.delete(queue.name)
            await queue.stop()
          },
        }
      },
    },
    wake(name) {
      for (const action of woken.get(name) ?? []) action()
      const queue = running.get(name)
      queue?.wake()
      return queue !== undefined
    },
    onWake(name, action) {
      const actions = woken.get(name) ?? new Set()
      woken.set(name, actions.add(action))
      return () => void actions.delete(action)
    },
    async stop() {
      await Promise.all([...running.values()].map(queue => queue.stop()))
    },
  }
}
