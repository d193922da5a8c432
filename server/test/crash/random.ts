// Chance from a seed, so that a run can be repeated.

export type Random = {
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number
  oneIn(n: number): boolean
  pick<T>(items: readonly T[]): T | undefined
}

/** @param seed any integer; the generator is mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    below: limit => Math.floor(next() * limit),
    oneIn: n => next() * n < 1,
    pick: items => items[Math.floor(next() * items.length)],
  }
}

/** So many ms, or somewhere between two. */
export type Calm = number | readonly [leastMs: number, maxMs: number]

export function calmOf(calm: Calm, random: Random): number {
  if (typeof calm === 'number') return calm
  const [leastMs, maxMs] = calm
  return leastMs + random.below(maxMs - leastMs + 1)
}
