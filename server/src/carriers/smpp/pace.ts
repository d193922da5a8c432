// How fast a carrier is written to: a bucket of tokens, one a segment. A message takes the tokens of all its segments at
// once, running into debt, so that its parts go out together and the rate holds over time. When the carrier says that it
// is throttling, the rate is halved; every second without such a word gives a twentieth of the full rate back.

export type Pace = {
  /** Whether a message may begin now. */
  mayBegin(nowMs: number): boolean
  /** Milliseconds until one may; 0 when it may now. */
  waitMs(nowMs: number): number
  /** Takes the tokens of a message. */
  take(segments: number, nowMs: number): void
  /** Segments that could be begun within the next second. */
  within(nowMs: number): number
  /** The carrier did not take a segment that was written at `sentMs`. True when that slows it down. */
  throttled(sentMs: number, nowMs: number): boolean
  /** Whether it goes slower than the settings say. */
  isSlowed(nowMs: number): boolean
}

const pauseMs = 1_000
/** Of the full rate, given back every second. */
const recovery = 1 / 20
/** Of the full rate; slower it never gets. */
const floor = 1 / 64

/** @param full segments a second */
export function createPace(full: number, startMs: number): Pace {
  // What may go out at once after a quiet time: a twentieth of a second's worth.
  const burst = Math.max(1, full / 20)
  let rate = full
  let tokens = burst
  let atMs = startMs
  let cutMs = Number.NEGATIVE_INFINITY
  let pausedUntilMs = Number.NEGATIVE_INFINITY

  function refill(nowMs: number): void {
    const seconds = Math.max(0, nowMs - atMs) / 1_000
    atMs = Math.max(atMs, nowMs)
    if (nowMs >= pausedUntilMs && rate < full) rate = Math.min(full, rate + full * recovery * seconds)
    tokens = Math.min(burst, tokens + rate * seconds)
  }

  function waitMs(nowMs: number): number {
    refill(nowMs)
    const pause = Math.max(0, pausedUntilMs - nowMs)
    return tokens > 0 ? pause : Math.max(pause, Math.ceil((-tokens / rate) * 1_000) + 1)
  }

  return {
    waitMs,
    mayBegin: nowMs => waitMs(nowMs) === 0,
    take(segments, nowMs) {
      refill(nowMs)
      tokens -= segments
    },
    within(nowMs) {
      refill(nowMs)
      const pause = Math.max(0, pausedUntilMs - nowMs)
      return pause >= 1_000 ? 0 : Math.max(0, Math.floor(tokens + (rate * (1_000 - pause)) / 1_000))
    },
    throttled(sentMs, nowMs) {
      refill(nowMs)
      pausedUntilMs = nowMs + pauseMs
      // What was on its way when the rate was halved says nothing about the new one.
      if (sentMs < cutMs) return false
      cutMs = nowMs
      rate = Math.max(full * floor, rate / 2)
      tokens = Math.min(tokens, 0)
      return true
    },
    isSlowed(nowMs) {
      refill(nowMs)
      return rate < full
    },
  }
}
