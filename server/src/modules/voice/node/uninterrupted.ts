// For how long something that is done every few seconds has succeeded without a break: neither did it fail meanwhile, nor did it take so
// long, or was so rare, that nobody can say.

export type Uninterrupted = {
  /** It succeeded. @returns for how many milliseconds it has, 0 for the first time */
  succeeded(): number
  failed(): void
}

/** @param maxGapMs the longest time between two successes that is none of a break */
export function createUninterrupted(now: () => number, maxGapMs: number): Uninterrupted {
  let since: number | undefined
  let last = 0
  return {
    succeeded() {
      const nowMs = now()
      // A clock that was put back, too, says nothing.
      if (since === undefined || nowMs < last || nowMs - last > maxGapMs) since = nowMs
      last = nowMs
      return nowMs - since
    },
    failed() {
      since = undefined
    },
  }
}
