// How many texts a process takes in where there is too little for all of them. What is refused in time can be sent again, and what is
// accepted is delivered soon; a process that takes in all it is offered has no time left to carry it. On a machine with time to spare nothing
// is refused, however long a queue is: a slow carrier may have thousands waiting.
//
// Two things are watched. How long a turn of the event loop takes that takes texts in: answers of carriers wait as long, so that fewer are
// let in at once as turns grow. And how far carrying is behind, on whatever node: where that grows on a machine at its limit, texts are stored
// no faster than they are carried. Who waits for an answer before asking again is slowed down by that, and not refused.

import { createSpareMeter } from './idle_meter.ts'
import type { Meter } from './pace.ts'

/** With less of its time unused than this a machine, or a process's event loop, is at its limit. */
const minIdle = 0.1
/** How far carrying may be behind before anything is refused. */
const patienceSeconds = 1
/** Who is further behind is so by a carrier of its own, or by a campaign: what is let in this way never comes to that. */
const maxBehindSeconds = 60
/** After so long without anything carried nobody carries (no worker runs, say): then it helps nobody to store fewer. */
const maxStillSeconds = 5
/** Texts a second that are stored at the least, so that an estimate that was wrong is found out. */
const minPerSecond = 50
/** A turn of the event loop that takes longer keeps others waiting. */
const longTurnMs = 15
/** How many texts are being stored at once: at the most, and where turns are long: as many as one commit takes. */
const maxAtOnce = 1_000
const minAtOnce = 64
const sampleEveryMs = 250
/** Nobody waits longer than this to be stored. */
const maxWaitSeconds = 0.25

/** What an allowance is decided from. */
export type Load = {
  /** Texts a second that may be stored, as decided before. */
  allowance: number
  /** Texts a second that were stored since then, and those of this process that were carried. */
  stored: number
  carried: number
  /** Share of its time that the machine, or this process, did not use. */
  idle: number
  /** How far carrying is behind, in seconds. */
  lag: number
  /** How long nothing was carried that this process has stored, in seconds. */
  stillSeconds: number
}

/** Texts a second that may be stored from now on; Infinity where there is enough for all. */
export function nextAllowance({ allowance, stored, carried, idle, lag, stillSeconds }: Load): number {
  // A little less than is carried, so that the queue grows shorter: the less, the longer it is.
  if (idle < minIdle && lag > patienceSeconds && lag < maxBehindSeconds && stillSeconds < maxStillSeconds)
    return Math.max(minPerSecond, carried * Math.max(0.7, 1 - (lag - patienceSeconds) / 20))
  const more = Math.max(allowance, carried) * 1.25
  // Nobody has asked for as much for a while.
  return more > 4 * stored && idle >= minIdle ? Number.POSITIVE_INFINITY : more
}

/** How much was stored by when, of the last minute: so much is carried as was stored before the oldest message that still waits. */
function createHistory(first: { atMs: number; count: number }) {
  const samples = [first]
  return {
    add(sample: { atMs: number; count: number }) {
      samples.push(sample)
      if (samples.length > 240) samples.shift()
    },
    countAt(atMs: number): number {
      const next = samples.findIndex(sample => sample.atMs >= atMs)
      if (next <= 0) return (next === 0 ? samples[0] : samples.at(-1))!.count
      const [before, after] = [samples[next - 1]!, samples[next]!]
      return before.count + ((after.count - before.count) * (atMs - before.atMs)) / (after.atMs - before.atMs)
    },
  }
}

/** How many texts may be stored at once from now on, by how long turns have taken. */
export function nextAtOnce(atOnce: number, turnMs: number): number {
  if (turnMs > longTurnMs) return Math.max(minAtOnce, atOnce * 0.8)
  return Math.min(maxAtOnce, atOnce + Math.max(1, atOnce * 0.05))
}

/** The mean of how long the last turns of the event loop took, in milliseconds, each counted from its first call. */
function createTurnMeter(onTurn: (meanMs: number) => void) {
  let meanMs = 0
  let isUnder = false
  return () => {
    if (isUnder) return
    isUnder = true
    const beganMs = performance.now()
    setImmediate(() => {
      isUnder = false
      meanMs += (performance.now() - beganMs - meanMs) * 0.2
      onTurn(meanMs)
    })
  }
}

export type IntakeGate = {
  /** Undefined for a text that is let in; else the seconds after which its request may be tried again. */
  refusal(): number | undefined
  /** Reserves the next place for a text that was let in: how many milliseconds it is to wait before it is stored, mostly 0. */
  reserve(): number
}

export type GateOptions = {
  /** What is being stored here. */
  meter: Meter
  /** By how many seconds carrying is behind, on all nodes. */
  readLag(): Promise<number>
  nowMs?: () => number
  /** Share of its time that this process, or the machine, did not use since the last call. */
  readIdle?: () => number
}

export function createIntakeGate({
  meter,
  readLag,
  nowMs = () => performance.now(),
  readIdle = createSpareMeter(),
}: GateOptions): IntakeGate {
  const load: Load = { allowance: Number.POSITIVE_INFINITY, stored: 0, carried: 0, idle: 1, lag: 0, stillSeconds: 0 }
  let sampled = { atMs: nowMs(), count: meter.count() }
  const history = createHistory(sampled)
  let carriedBy = sampled
  let atOnce = maxAtOnce
  const turn = createTurnMeter(meanMs => {
    atOnce = nextAtOnce(atOnce, meanMs)
  })
  let nextTurnMs = 0
  let isReading = false

  function sample(atMs: number): void {
    const present = { atMs, count: meter.count() }
    load.stored = ((present.count - sampled.count) / (atMs - sampled.atMs)) * 1_000
    sampled = present
    history.add(present)
    load.idle = readIdle()
    if (load.idle >= minIdle) {
      load.lag = 0
      load.stillSeconds = 0
      load.allowance = nextAllowance(load)
      return
    }
    if (isReading) return
    isReading = true
    readLag()
      .then(lag => {
        const readMs = nowMs()
        const known = { atMs: readMs, count: history.countAt(readMs - lag * 1_000) }
        const passedMs = Math.max(1, readMs - carriedBy.atMs)
        const carried = ((known.count - carriedBy.count) / passedMs) * 1_000
        load.stillSeconds = carried > 0 ? 0 : load.stillSeconds + passedMs / 1_000
        carriedBy = known
        load.carried += (Math.max(0, carried) - load.carried) / 2
        load.lag = lag
        load.allowance = nextAllowance(load)
      })
      // A database that does not answer refuses by itself.
      .catch(() => {})
      .finally(() => {
        isReading = false
      })
  }

  return {
    refusal() {
      const atMs = nowMs()
      if (atMs - sampled.atMs >= sampleEveryMs) sample(atMs)
      turn()
      const waiting = Math.min(atOnce, Math.max(minAtOnce, load.allowance * maxWaitSeconds))
      return meter.under() >= waiting ? 1 + Math.round(Math.min(load.lag, maxBehindSeconds) / 10) : undefined
    },
    reserve() {
      if (load.allowance === Number.POSITIVE_INFINITY) return 0
      const atMs = nowMs()
      const turnMs = Math.min(Math.max(atMs, nextTurnMs), atMs + maxWaitSeconds * 1_000)
      nextTurnMs = turnMs + 1_000 / load.allowance
      return turnMs - atMs
    },
  }
}
