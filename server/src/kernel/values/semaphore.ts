// A counting semaphore: so many pieces of work at a time, the others wait in memory, first come, first served, and hold nothing
// meanwhile. A permit is handed on, never given up while somebody waits, so no newcomer can overtake.
import { Problem } from './problem.ts'

export type Semaphore = {
  /**
   * Runs work as soon as there is a permit, and gives the permit back when it has settled.
   * @param work is passed whether it had to wait: what was known before may be out of date
   * @throws Problem `unavailable` when too many wait already
   */
  run<T>(work: (hasWaited: boolean) => Promise<T>): Promise<T>
  /** Whether nothing runs and nothing waits. */
  isIdle(): boolean
}

export type SemaphoreOptions = { permits: number; maxWaiting?: number }

export function createSemaphore({ permits, maxWaiting = Number.POSITIVE_INFINITY }: SemaphoreOptions): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []

  function release(): void {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }

  return {
    async run(work) {
      const mustWait = running >= permits
      if (!mustWait) running++
      else if (waiting.length >= maxWaiting) throw new Problem('unavailable', { headers: { 'retry-after': '2' } })
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        return await work(mustWait)
      } finally {
        release()
      }
    },
    isIdle: () => running === 0,
  }
}

/** A semaphore for each key, such as a tenant; kept only while something of the key runs or waits. */
export function createSemaphores<Key>(options: SemaphoreOptions): {
  run<T>(key: Key, work: (hasWaited: boolean) => Promise<T>): Promise<T>
  /** How many keys have something under way. */
  size(): number
} {
  const semaphores = new Map<Key, Semaphore>()
  return {
    async run(key, work) {
      const semaphore = semaphores.get(key) ?? createSemaphore(options)
      semaphores.set(key, semaphore)
      try {
        return await semaphore.run(work)
      } finally {
        if (semaphore.isIdle()) semaphores.delete(key)
      }
    },
    size: () => semaphores.size,
  }
}
