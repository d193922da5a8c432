// How many calls of a trunk this process carries, in both directions together, whatever its settings become meanwhile. A call that comes
// in takes its place in the same step in which it is seen that there is one here; others carry some as well (admission.ts).
import type { TrunkCounters } from '../../modules/voice/trunks/index.ts'

/** One of each trunk and process: all settings that a trunk has had share it. */
export type TrunkLoad = { active: number }

type Loaded = { readonly load: TrunkLoad }
type Limited = Loaded & { readonly settings: { concurrentCalls: number } }

/** Of a call whose place was found otherwise. What is answered gives the place back, once. */
export function occupy({ load }: Loaded): () => void {
  let isHeld = true
  load.active++
  return () => {
    if (isHeld) load.active--
    isHeld = false
  }
}

/** Takes a place for a call that comes in; undefined where the trunk is full. */
export function tryOccupy(trunk: Limited): (() => void) | undefined {
  return isFull(trunk) ? undefined : occupy(trunk)
}

export function isFull({ load, settings }: Limited): boolean {
  return load.active >= settings.concurrentCalls
}

/** What is counted of a trunk since it was set up, and what is under way of it. */
export function countersOf(load: TrunkLoad): TrunkCounters {
  return {
    calls: 0,
    failed: 0,
    get active() {
      return load.active
    },
  }
}

/** The loads of trunks by their keys, of one that is gone as long as it has calls: it may come back. */
export function createLoads() {
  const loads = new Map<string, TrunkLoad>()
  return {
    of(key: string): TrunkLoad {
      const load = loads.get(key) ?? { active: 0 }
      loads.set(key, load)
      return load
    },
    /** Forgets those that nobody has any more. */
    sweep(keys: { has(key: string): boolean }): void {
      for (const [key, { active }] of loads) if (active === 0 && !keys.has(key)) loads.delete(key)
    },
  }
}
