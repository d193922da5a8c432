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

export function createRunningQueues(log: Log): RunningQueues {
  const running = new Map<string, Queue>()
  const woken = new Map<string, Set<() => void>>()
  return {
    queues: {
      start(options) {
        const queue = startQueue(options, { log, newToken: () => newId('lse') })
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
