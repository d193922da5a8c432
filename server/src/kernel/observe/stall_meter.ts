// How long the event loop stood still: what arrived meanwhile waited in the buffers of the operating system, and is older than it seems.

const tickMs = 100
/** Less than this is the usual work of a turn. */
const leastMs = 500
/** What arrived during a stall is read soon after it. */
const afterMs = 1_000

export type StallMeter = {
  /** Milliseconds by which what is read now may be older than it seems; 0 where the event loop has not stood still. */
  stalledMs(): number
  stop(): void
}

let shared: StallMeter | undefined
let holders = 0

/** The one meter of this process, for as long as anybody holds it: `stop` gives it back. */
export function holdStallMeter(): StallMeter {
  shared ??= createStallMeter()
  const meter = shared
  holders++
  return {
    stalledMs: meter.stalledMs,
    stop() {
      if (--holders > 0) return
      meter.stop()
      shared = undefined
    },
  }
}

/** @param nowMs a clock that never goes back, in milliseconds */
export function createStallMeter(nowMs: () => number = () => performance.now()): StallMeter {
  let tickedMs = nowMs()
  let stall = { endedMs: Number.NEGATIVE_INFINITY, ms: 0 }
  function look(): void {
    const present = nowMs()
    const ms = present - tickedMs - tickMs
    tickedMs = present
    const isLast = present - stall.endedMs > afterMs
    if (ms >= leastMs && (isLast || ms > stall.ms)) stall = { endedMs: present, ms }
  }
  const timer = setInterval(look, tickMs)
  timer.unref()
  return {
    stalledMs() {
      const present = nowMs()
      const underWay = present - tickedMs - tickMs
      if (underWay >= leastMs) return underWay
      return present - stall.endedMs <= afterMs ? stall.ms : 0
    },
    stop: () => clearInterval(timer),
  }
}
