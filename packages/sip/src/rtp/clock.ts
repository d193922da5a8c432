// One clock for the frames of all streams: each stream has a slot of 1 ms within the 20 ms of a frame, so that a thousand of
// them spread over time. Due times are counted from the start and never from the last tick: nothing drifts.

export type FrameClockOptions = {
  /** The beginning of frame 0, of the same clock as `run`. */
  startMs: number
  /** Length of a frame; default 20. */
  frameMs?: number
  /** Slots in a frame; default one for each ms. */
  slots?: number
  /** A clock further behind than this skips whole frames instead of sending them all at once; default 60, what peers buffer. */
  maxBehindMs?: number
}

/**
 * Called once for each frame: when it was due, and how many before it were skipped because the process was held up. A stream
 * moves its timestamp on for those too.
 */
export type FrameHandler = (dueMs: number, skipped: number) => void

export type FrameClock = {
  /** Adds a stream to the emptiest slot; the first frame is due within one frame from now. Returns what removes it. */
  add(handler: FrameHandler, nowMs: number): () => void
  /** Runs all that is due. Returns when the next slot with a stream in it is due, or null without any stream. */
  run(nowMs: number): number | null
  /** Frames of streams that were skipped since the start. */
  readonly skipped: number
  readonly streams: number
}

type Stream = { handler: FrameHandler; skipped: number; isGone: boolean }

export function createFrameClock(options: FrameClockOptions): FrameClock {
  const { startMs, frameMs = 20, slots: slotCount = frameMs, maxBehindMs = 60 } = options
  const slotMs = frameMs / slotCount
  const slots: Stream[][] = Array.from({ length: slotCount }, () => [])
  /** Number of the next slot since the start, over all frames. */
  let position = 0
  let streams = 0
  let skipped = 0
  const dueOf = (slot: number) => startMs + slot * slotMs

  function add(handler: FrameHandler, nowMs: number): () => void {
    // Where nothing was to be done there is nothing to catch up with.
    if (streams === 0) position = Math.max(position, Math.ceil((nowMs - startMs) / slotMs))
    const stream: Stream = { handler, skipped: 0, isGone: false }
    const slot = emptiest()
    slot.push(stream)
    streams += 1
    return () => {
      if (stream.isGone) return
      stream.isGone = true
      streams -= 1
      slot.splice(slot.indexOf(stream), 1)
    }
  }

  /** Of equally empty slots the one that comes next, so that the first streams do not wait. */
  function emptiest(): Stream[] {
    let best = slots[position % slotCount]!
    for (let i = 1; i < slotCount; i++) {
      const slot = slots[(position + i) % slotCount]!
      if (slot.length < best.length) best = slot
    }
    return best
  }

  function run(nowMs: number): number | null {
    skipFrames(nowMs)
    while (streams > 0 && dueOf(position) <= nowMs) {
      const slot = slots[position % slotCount]!
      const dueMs = dueOf(position)
      position += 1
      if (slot.length > 0) runSlot(slot, dueMs)
    }
    return nextDue()
  }

  function skipFrames(nowMs: number): void {
    const behind = nowMs - dueOf(position)
    if (behind <= maxBehindMs) return
    const frames = Math.floor(behind / frameMs)
    position += frames * slotCount
    skipped += frames * streams
    for (const slot of slots) for (const stream of slot) stream.skipped += frames
  }

  function runSlot(slot: Stream[], dueMs: number): void {
    // A handler may add or remove streams, its own too.
    for (const stream of [...slot]) {
      if (stream.isGone) continue
      const missed = stream.skipped
      stream.skipped = 0
      stream.handler(dueMs, missed)
    }
  }

  function nextDue(): number | null {
    if (streams === 0) return null
    let next = position
    while (slots[next % slotCount]!.length === 0) next += 1
    return dueOf(next)
  }

  return {
    add,
    run,
    get skipped() {
      return skipped
    },
    get streams() {
      return streams
    },
  }
}

/** Where time comes from at the edge: `performance.now` and the timers of Node, or a test's own. */
export type Timing = {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout),
}

export type RunningClock = {
  /** As in FrameClock; the clock sleeps while there are no streams. */
  add(handler: FrameHandler): () => void
  stop(): void
  readonly skipped: number
  readonly streams: number
}

/** A frame clock that runs by timers. One for a process; work in its handlers delays all streams. */
export function startFrameClock(
  timing: Timing = systemTiming,
  options: Omit<FrameClockOptions, 'startMs'> = {},
): RunningClock {
  const clock = createFrameClock({ ...options, startMs: timing.now() })
  let timer: unknown
  let isRunning = false
  let isStopped = false

  function arm(ms: number): void {
    if (timer !== undefined) timing.clearTimeout(timer)
    timer = isStopped ? undefined : timing.setTimeout(run, ms)
  }

  function run(): void {
    timer = undefined
    isRunning = true
    // A handler that throws is a bug, but of one stream; the others go on in a ms.
    let dueMs: number | null = timing.now()
    try {
      dueMs = clock.run(timing.now())
    } finally {
      isRunning = false
      // Timers count whole ms, and one that is early would have to be set again.
      if (dueMs !== null) arm(Math.max(1, Math.ceil(dueMs - timing.now())))
    }
  }

  return {
    add(handler) {
      const remove = clock.add(handler, timing.now())
      // Its slot may come before the one that is waited for.
      if (!isRunning) arm(1)
      return remove
    },
    stop() {
      isStopped = true
      if (timer !== undefined) timing.clearTimeout(timer)
      timer = undefined
    },
    get skipped() {
      return clock.skipped
    },
    get streams() {
      return clock.streams
    },
  }
}
