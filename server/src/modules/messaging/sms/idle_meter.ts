// How much of the machine's processor time nobody uses, as the operating system counts it. In a container with a share of a machine it is
// that of the whole machine.
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'

/** Returns at each call the share of time, from 0 to 1, that was unused since the call before; 1 where none has passed. */
export function createIdleMeter(): () => number {
  let before = cpuTimes()
  return () => {
    const present = cpuTimes()
    const total = present.total - before.total
    const idle = total === 0 ? 1 : (present.idle - before.idle) / total
    before = present
    return idle
  }
}

/**
 * The same of what this process can still do: it is at its limit when the machine is, or when its own event loop is never idle, which is one
 * processor of several.
 */
export function createSpareMeter(): () => number {
  const readIdle = createIdleMeter()
  let before = performance.eventLoopUtilization()
  return () => {
    const present = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(present, before)
    before = present
    return Math.min(readIdle(), 1 - utilization)
  }
}

function cpuTimes(): { idle: number; total: number } {
  let idle = 0
  let total = 0
  for (const { times } of cpus()) {
    idle += times.idle
    total += times.user + times.nice + times.sys + times.irq + times.idle
  }
  return { idle, total }
}
