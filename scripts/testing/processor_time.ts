// Processor time of processes, as Linux counts it.
import { readFileSync } from 'node:fs'

/**
 * In seconds: of a process, and of those that it started and that have ended. NaN where it is gone, or there is no /proc.
 * Source: proc(5), after the name in brackets utime, stime, cutime and cstime are the 12th to 15th field, in hundredths of a second.
 */
export function processorTime(pid: number | 'self'): { own: number; children: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number]
    return { own: (user + system) / 100, children: (childUser + childSystem) / 100 }
  } catch {
    return { own: Number.NaN, children: Number.NaN }
  }
}
