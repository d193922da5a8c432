// Deaths of processes, as every crash run has them: at random, at a named place, and of the database. Each leaves proof that it
// happened.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CrashPoint } from '../../src/kernel/values/crash_points.ts'
import type { House, Role } from './house.ts'

export type ProcessFault<Name extends Role> =
  | { kind: 'kill'; role: Name }
  | { kind: 'kill_database' }
  /** The process dies at a named place, at the n-th passing. */
  | { kind: 'die_at'; role: Name; point: CrashPoint; passes: number }

export function isProcessFault<Name extends Role>(fault: { kind: string }): fault is ProcessFault<Name> {
  return ['kill', 'kill_database', 'die_at'].includes(fault.kind)
}

export function describeProcessFault(fault: ProcessFault<Role>): string {
  switch (fault.kind) {
    case 'kill':
      return `kill -9 of the ${fault.role}`
    case 'kill_database':
      return 'kill -9 of the database'
    case 'die_at':
      return `${fault.role} dies at ${fault.point}, passing ${fault.passes}`
  }
}

/** @throws when it did not happen: then the run proves nothing */
export function proven(happened: boolean, what: string): void {
  if (!happened) throw new Error(`this did not happen, the run proves nothing: ${what}`)
}

/** How long a place is waited for; the load passes all of them again and again. */
const passingLimitMs = 60_000

export type FaultHooks<Name extends Role> = {
  /** Done while the process runs that is to die at a place. */
  armed?(): Promise<void>
  /** Done before the process is started again. */
  whileDead(role: Name): Promise<void>
}

export async function inflictOnProcess<Name extends Role>(
  { parts, killDatabase, databaseDeaths }: Pick<House<Name>, 'parts' | 'killDatabase' | 'databaseDeaths'>,
  fault: ProcessFault<Name>,
  { armed, whileDead }: FaultHooks<Name>,
): Promise<void> {
  const what = describeProcessFault(fault)
  if (fault.kind === 'kill_database') {
    const before = databaseDeaths().length
    await killDatabase()
    proven(databaseDeaths().length === before + 1, what)
    // One that took the death of its database for a reason to end is started again, as a supervisor would.
    await sleep(1_000)
    for (const part of Object.values<House<Name>['parts'][Name]>(parts))
      if (part.address() === undefined) await part.start()
    return
  }
  const part = parts[fault.role]
  // One that had ended by itself was started again, as a supervisor would.
  if (part.address() === undefined) await part.start()
  // One that holds calls would wait for them to end.
  const isHolding = fault.kind === 'die_at' && fault.role === 'voice'
  if (isHolding) await part.kill()
  const before = part.deaths()
  const pointsBefore = part.diedAtPoints().length
  if (fault.kind === 'kill') await part.kill()
  else {
    await part.stop()
    await part.start({ point: fault.point, passes: fault.passes })
    await armed?.()
    await part.died(passingLimitMs)
  }
  proven(part.deaths() === before + 1, what)
  proven(fault.kind === 'kill' || part.diedAtPoints().length === pointsBefore + 1, what)
  await whileDead(fault.role)
  await part.start()
}
