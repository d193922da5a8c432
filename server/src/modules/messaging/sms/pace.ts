// How fast messages are handed over beside requests. Where one process does both and the machine is at its limit, a burst
// of requests comes first: what it accepts is durable and can wait a second, a client at the line cannot. On a machine
// with time to spare, and in a process that stores none, nothing waits. A burst that goes on is the intake gate's.
import { createIdleMeter } from './idle_meter.ts'

/** Between two claims of all lanes together, so that what is accepted at the same moment travels together. */
const calmMs = 4
/** On a machine with much to do, more travel together. */
const busyMs = 24
/** On one that is at its limit, while requests come in. */
const strainedMs = 200
/** What has waited this long is in a hurry again. */
const patienceMs = 1_000
const sampleEveryMs = 250

/** What a pause is decided from. */
export type Strain = {
  /** How many messages were being stored here at once, in the mean: a burst makes many, texts that come one by one few. */
  accepting: number
  /** Share of the machine's time that nobody used, from 0 to 1. */
  idle: number
  /** How long the oldest message waited that was claimed last. */
  waitedMs: number
  /** Whether the last claim left messages behind: then there is nothing to gather. */
  behind: boolean
}

/** Milliseconds between two claims. */
export function pauseMs({ accepting, idle, waitedMs, behind }: Strain): number {
  const pace = behind ? calmMs : calmMs + (busyMs - calmMs) * ramp(1 - idle, 0.3, 0.6)
  const strained =
    ramp(accepting, 24, 48) * ramp(1 - idle, 0.85, 0.95) * (1 - ramp(waitedMs, patienceMs, 2 * patienceMs))
  return pace + (strainedMs - pace) * strained
}

function ramp(value: number, from: number, to: number): number {
  return Math.min(Math.max((value - from) / (to - from), 0), 1)
}

/** Measures how much is under way at once, and how much was. */
export type Meter = {
  enter(): void
  leave(): void
  /** How long everything together has been under way: over the time between two looks, how much there was in the mean. */
  sumMs(): number
  under(): number
  count(): number
}

export function createMeter(now: () => number = () => performance.now()): Meter {
  let under = 0
  let sinceMs = 0
  let doneMs = 0
  let count = 0
  const pass = () => {
    const nowMs = now()
    doneMs += under * (nowMs - sinceMs)
    sinceMs = nowMs
  }
  return {
    enter() {
      pass()
      under++
    },
    leave() {
      pass()
      under--
      count++
    },
    sumMs() {
      pass()
      return doneMs
    },
    under: () => under,
    count: () => count,
  }
}

export type Pace = {
  /** Resolves when the next claim may be made. */
  wait(): Promise<void>
  /** Says how long the oldest of what was claimed had waited, and whether more is left. */
  claimed(waitedMs: number, behind: boolean): void
}

export function createPace(meter: Meter): Pace {
  const strain: Strain = { accepting: 0, idle: 1, waitedMs: 0, behind: false }
  const readIdle = createIdleMeter()
  let sampled = { atMs: performance.now(), acceptedMs: meter.sumMs() }
  let previous: Promise<void> = Promise.resolve()

  function sample(): void {
    const atMs = performance.now()
    if (atMs - sampled.atMs < sampleEveryMs) return
    const acceptedMs = meter.sumMs()
    strain.accepting = (acceptedMs - sampled.acceptedMs) / (atMs - sampled.atMs)
    strain.idle = readIdle()
    sampled = { atMs, acceptedMs }
  }

  async function pause(): Promise<void> {
    sample()
    await new Promise<void>(resolve => setTimeout(resolve, pauseMs(strain)))
  }

  return {
    wait() {
      previous = previous.then(pause)
      return previous
    },
    claimed(waitedMs, behind) {
      strain.waitedMs = waitedMs
      strain.behind = behind
    },
  }
}
