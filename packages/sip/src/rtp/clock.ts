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
  return new SlottedClock(options)
}

/** Lives as long as the process that sends: the slots of a frame, and the streams in each. */
class SlottedClock implements FrameClock {
  private readonly startMs: FrameClockOptions['startMs']
  private readonly frameMs: NonNullable<FrameClockOptions['frameMs']>
  private readonly slotCount: NonNullable<FrameClockOptions['slots']>
  private readonly maxBehindMs: NonNullable<FrameClockOptions['maxBehindMs']>
  private readonly slotMs
  private readonly slots: Stream[][]
  /** Number of the next slot since the start, over all frames. */
  private position = 0
  streams = 0
  skipped = 0

  constructor(options: FrameClockOptions) {
    const { startMs, frameMs = 20, slots: slotCount = frameMs, maxBehindMs = 60 } = options
    this.startMs = startMs
    this.frameMs = frameMs
    this.slotCount = slotCount
    this.maxBehindMs = maxBehindMs
    this.slotMs = frameMs / slotCount
    this.slots = Array.from({ length: slotCount }, () => [])
  }

  private dueOf(slot: number) {
    return this.startMs + slot * this.slotMs
  }

  add(handler: FrameHandler, nowMs: number): () => void {
    // Where nothing was to be done there is nothing to catch up with.
    if (this.streams === 0) this.position = Math.max(this.position, Math.ceil((nowMs - this.startMs) / this.slotMs))
    const stream: Stream = { handler, skipped: 0, isGone: false }
    const slot = this.emptiest()
    slot.push(stream)
    this.streams += 1
    return () => {
      if (stream.isGone) return
      stream.isGone = true
      this.streams -= 1
      slot.splice(slot.indexOf(stream), 1)
    }
  }

  /** Of equally empty slots the one that comes next, so that the first streams do not wait. */
  private emptiest(): Stream[] {
    let best = this.slots[this.position % this.slotCount]!
    for (let i = 1; i < this.slotCount; i++) {
      const slot = this.slots[(this.position + i) % this.slotCount]!
      if (slot.length < best.length) best = slot
    }
    return best
  }

  run(nowMs: number): number | null {
    this.skipFrames(nowMs)
    while (this.streams > 0 && this.dueOf(this.position) <= nowMs) {
      const slot = this.slots[this.position % this.slotCount]!
      const dueMs = this.dueOf(this.position)
      this.position += 1
      if (slot.length > 0) this.runSlot(slot, dueMs)
    }
    return this.nextDue()
  }

  private skipFrames(nowMs: number): void {
    const behind = nowMs - this.dueOf(this.position)
    if (behind <= this.maxBehindMs) return
    const frames = Math.floor(behind / this.frameMs)
    this.position += frames * this.slotCount
    this.skipped += frames * this.streams
    for (const slot of this.slots) for (const stream of slot) stream.skipped += frames
  }

  private runSlot(slot: Stream[], dueMs: number): void {
    // A handler may add or remove streams, its own too.
    for (const stream of [...slot]) {
      if (stream.isGone) continue
      const missed = stream.skipped
      stream.skipped = 0
      stream.handler(dueMs, missed)
    }
  }

  private nextDue(): number | null {
    if (this.streams === 0) return null
    let next = this.position
    while (this.slots[next % this.slotCount]!.length === 0) next += 1
    return this.dueOf(next)
  }
}

/** Where time comes from at the edge: `performance.now` and the timers of Node, or a test's own. */
export type Timing = {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  /** Milliseconds since 1970, of traces. Left out: the system's. */
  wallNow?(): number
}

export const systemTiming: Required<Timing> = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
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
