// Gives memory back when there is nothing to do. V8 keeps room for new objects as large as a start or a busy time has made it, and what these
// have left behind, because an idle program allocates too little for it to look: about 70 MiB of an idle server.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export type TrimOptions = {
  /** How long nothing must have been done, and how often that is looked at. */
  lookMs?: number
  /** Growth of the heap since the last time from which it is worth the pause. */
  worthBytes?: number
}

/**
 * By how much the heap may grow until the next collection, in percent of what the last one left. V8 chooses 30 to 300 by its own measurements, but
 * after a collection that gives memory back it lets the heap grow by the least for minutes: the first burst after a quiet time then paid a collection
 * every other second.
 */
const growthPercent = 150

/** Share of the time that an idle server spends on looking into its queues, at most, on a machine with other work. */
const idleShare = 0.1

/**
 * Collects once the event loop has been idle for a while and the heap has grown since the last time. That takes some 100 ms, in which requests
 * wait: not for a process that carries sound.
 */
export function trimWhenIdle({ lookMs = 10_000, worthBytes = 16 * 2 ** 20 }: TrimOptions = {}): { stop(): void } {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  let keptBytes = 0
  let last = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (utilization > idleShare || getHeapStatistics().total_heap_size < keptBytes + worthBytes) return
    collect()
    keptBytes = getHeapStatistics().total_heap_size
    // The collection itself was no work.
    last = performance.eventLoopUtilization()
  }, lookMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** What V8 does when memory runs out: it collects everything, drops code that is not in use, and shrinks the room for new objects. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
