// Who has how many calls on a node. A call takes its place before anything is dialled and gives it back with its end; a place whose
// call was never started (its transaction broke) is found by the heartbeat.
import { createShares, type Holder, type Quota } from '../../../kernel/data/quota.ts'

/** A call without a place is looked at again after so long. */
export const placeWaitMs = 1_000
/** From a place to the call that has it there lies one transaction. */
const unstartedMs = 60_000

export type Places = {
  /** Whether a call has a place, which it takes if its tenant may hold one more. */
  take(callId: string, holder: Holder): boolean
  give(callId: string): void
  /** Gives back the places of calls that were not started for a minute. */
  tidy(isHeld: (callId: string) => boolean): void
}

export function createPlaces(quota: Quota, now: () => number = () => performance.now()): Places {
  const shares = createShares(quota)
  const taken = new Map<string, { holder: Holder; sinceMs: number }>()
  function give(callId: string): void {
    const place = taken.get(callId)
    if (place !== undefined && taken.delete(callId)) shares.give(place.holder)
  }
  return {
    take(callId, holder) {
      if (taken.has(callId)) return true
      if (!shares.take(holder)) return false
      taken.set(callId, { holder, sinceMs: now() })
      return true
    },
    give,
    tidy(isHeld) {
      for (const [callId, { sinceMs }] of taken) if (now() - sinceMs > unstartedMs && !isHeld(callId)) give(callId)
    },
  }
}
