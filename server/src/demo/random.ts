// Chance that repeats itself: the demo company is the same on every machine. One stream of numbers from a seed, and
// what the stories draw from it.

/** A stream of draws; the same seed gives the same stream. */
export type Random = {
  /** At least 0, below 1. */
  next(): number
  /** A whole number, both ends included. */
  int(from: number, to: number): number
  /** Any number from `from` to below `to`. */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** A key, as often as its weight says among all weights. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key
  /** Positive, mostly around `median`, now and then several times as much: how long people take. */
  skewed(median: number): number
}

/**
 * A counter whose every step is scrambled by multiplying and folding: plenty for names and dates, useless for
 * secrets.
 */
export function createRandom(seed: string): Random {
  let counter = 0x2545f491
  for (const character of seed) counter = Math.imul(counter ^ (character.codePointAt(0) as number), 0x01000193)

  function next(): number {
    counter = (counter + 0x9e3779b9) | 0
    let mixed = Math.imul(counter ^ (counter >>> 15), 0x735a2d97)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x6f4f2a35)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
  }

  const between = (from: number, to: number) => from + next() * (to - from)
  const int = (from: number, to: number) => Math.floor(between(from, to + 1))

  return {
    next,
    int,
    between,
    chance: probability => next() < probability,
    pick: items => items[int(0, items.length - 1)] as never,
    weighted(weights) {
      const entries = Object.entries(weights) as [never, number][]
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [key, weight] of entries) {
        rest -= weight
        if (rest < 0) return key
      }
      return (entries.at(-1) as [never, number])[0]
    },
    // Three draws added up are nearly normal; the power makes the long tail.
    skewed: median => median * 2.6 ** (2 * (next() + next() + next()) - 3),
  }
}
