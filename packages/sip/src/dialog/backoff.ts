// How long to wait before something is tried again (RFC 5626 §4.5, RFC 3261 §21.5.4): twice as long after each failure, somewhere
// in the upper half of that, so that a thousand clients of one server do not come back in the same second.

export type BackoffLimits = { baseMs: number; maxMs: number }

/** The times of RFC 5626 where all flows have failed. */
export const defaultBackoff: BackoffLimits = { baseMs: 30_000, maxMs: 1_800_000 }

/** `failures`: in sequence, from 1. `part`: random, 0 to just below 1. */
export function backoffMs(failures: number, { baseMs, maxMs }: BackoffLimits, part: number): number {
  const longest = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30))
  return Math.round(longest * (0.5 + part / 2))
}

/** A fraction of 0 to just below 1 from random octets. */
export function fractionFrom(random: (bytes: number) => Buffer): number {
  return random(4).readUInt32BE() / 2 ** 32
}
