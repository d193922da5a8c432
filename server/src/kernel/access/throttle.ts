// The brake on guessing passwords: after a few failures an account, and an address, must wait before the next attempt,
// twice as long each time, never longer than a quarter of an hour and never for good. Pure: time comes as an argument.
// Logins of people keep their counts in the database (identity/login/brake.ts), those of telephones in their process.

/** How the names of one kind are slowed down. */
export type BrakeOptions = {
  /** Failures that cost nothing: people mistype, and an office shares one address. */
  freeFailures: number
  /** The wait after the first failure beyond those; doubled by each further one. */
  firstDelayMs: number
  maxDelayMs: number
  /** Failures are forgotten after this long without another. */
  forgetMs: number
}

/** Failures in a row, and when the last of them was. */
export type Failures = { count: number; lastMs: number }

/** Whole seconds to wait before another attempt; 0 when it may be made now. */
export function waitSeconds({ count, lastMs }: Failures, options: BrakeOptions, nowMs: number): number {
  const { freeFailures, firstDelayMs, maxDelayMs, forgetMs } = options
  if (count <= freeFailures || nowMs - lastMs >= forgetMs) return 0
  const delayMs = Math.min(firstDelayMs * 2 ** (count - freeFailures - 1), maxDelayMs)
  // A clock set back makes nobody wait longer than the delay itself.
  return Math.ceil(Math.min(Math.max(0, lastMs + delayMs - nowMs), delayMs) / 1000)
}

export type ThrottleOptions = {
  account?: Partial<BrakeOptions>
  ip?: Partial<BrakeOptions>
  /** Names remembered of each kind; beyond, the one whose last failure is longest ago is forgotten. */
  maxKeys?: number
}

/** Keys are `account <name>` (lower-cased by the caller) and `ip <client key>`; ask and count both for an attempt. */
export type FailureThrottle = {
  /** Whole seconds to wait before an attempt may be made; 0 when it may be made now. */
  retryAfterSeconds(key: string, nowMs: number): number
  /** Counts a failed attempt; for names without an account too, or the difference would reveal which exist. */
  fail(key: string, nowMs: number): void
  /**
   * Clears a key: the account's, after a success. Not the address's: else a guesser could wipe its count by logging in
   * to an account of his own now and then.
   */
  succeed(key: string): void
}

/**
 * A throttle for logins, by default 5 free failures an account and 20 an address. Attempts made at the same time all
 * pass before the first fails; their failures count all the same, and the wait is the longer.
 */
export function createFailureThrottle({ account, ip, maxKeys = 100_000 }: ThrottleOptions = {}): FailureThrottle {
  const usual = { firstDelayMs: 1000, maxDelayMs: 15 * 60_000, forgetMs: 60 * 60_000 }
  const accounts = createBrake({ freeFailures: 5, ...usual, ...account }, maxKeys)
  const addresses = createBrake({ freeFailures: 20, ...usual, ...ip }, maxKeys)
  const brakeOf = (key: string) => (key.startsWith('ip ') ? addresses : accounts)
  return {
    retryAfterSeconds: (key, nowMs) => brakeOf(key).retryAfterSeconds(key, nowMs),
    fail: (key, nowMs) => brakeOf(key).fail(key, nowMs),
    succeed: key => brakeOf(key).succeed(key),
  }
}

function createBrake(options: BrakeOptions, maxKeys: number): FailureThrottle {
  const { forgetMs } = options
  // In the order of the last failure: a Map yields its keys in the order they were put in.
  const failures = new Map<string, Failures>()
  return {
    retryAfterSeconds(key, nowMs) {
      const seen = failures.get(key)
      return seen === undefined ? 0 : waitSeconds(seen, options, nowMs)
    },
    fail(key, nowMs) {
      const seen = failures.get(key)
      const remembered = seen !== undefined && nowMs - seen.lastMs < forgetMs ? seen.count : 0
      failures.delete(key)
      failures.set(key, { count: remembered + 1, lastMs: nowMs })
      for (const [oldest, { lastMs }] of failures) {
        if (failures.size <= maxKeys && nowMs - lastMs < forgetMs) break
        failures.delete(oldest)
      }
    },
    succeed(key) {
      failures.delete(key)
    },
  }
}
