// Where sessions get their time and chance from. Tests hand in their own.

/** `now` is in milliseconds and need not have to do with the time of day. */
export type Clock = {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout),
}
