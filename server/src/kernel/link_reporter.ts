// Tells what becomes of links to carriers: writes their states and counters down, when a state changes and every five
// seconds, and tells by events when one can be reached, cannot be reached any more, or slows us down. What was told last
// stands with the record, so that a restart, or another process that takes over, tells nothing twice.
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** What is so now of one entry. */
export type LinkCondition = {
  /** Stands for this opening of the links: another one tells anew, and only what is not told yet is an event. */
  opening: object
  /** Neither: not known yet. */
  isUp: boolean
  isDown: boolean
  isThrottled: boolean
  /** Why it is down. */
  reason: string | null
}

export type LinkReporterOptions<Entry> = {
  /** All that this process holds. */
  current(): readonly Entry[]
  conditionOf(entry: Entry): LinkCondition
  write(entries: readonly Entry[]): Promise<void>
  /** Writes the event, unless the same state was told last. */
  tellState(entry: Entry, state: 'up' | 'down', reason: string | null): Promise<void>
  tellThrottled(entry: Entry): Promise<void>
}

/** States that change together are written together. */
const gatherMs = 50
const everyMs = 5_000
/** A link that is back so soon was not down. */
const graceMs = 3_000
/** An event about throttling is followed by no other for this long. */
const throttledEveryMs = 60_000

type Known = { told: 'up' | 'down' | undefined; notUpSinceMs: number | undefined; throttledAtMs: number | undefined }

export function createLinkReporter<Entry>(
  { log, clock }: { log: Log; clock: Clock },
  { current, conditionOf, write, tellState, tellThrottled }: LinkReporterOptions<Entry>,
) {
  const known = new WeakMap<object, Known>()
  let timer: NodeJS.Timeout | undefined
  let writtenMs = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  let stopped = false

  async function tell({ isChange }: { isChange: boolean }): Promise<void> {
    // One after the other: what is written last is what is so.
    while (running !== undefined) await running
    running = tellNow(isChange).finally(() => {
      running = undefined
    })
    await running
  }

  async function tellNow(isChange: boolean): Promise<void> {
    const entries = current()
    try {
      if (isChange || performance.now() - writtenMs >= everyMs) {
        await write(entries)
        writtenMs = performance.now()
      }
      for (const entry of entries) await tellEvents(entry)
    } catch (error) {
      log.warn({ err: error }, 'the states of links could not be written down')
    }
  }

  async function tellEvents(entry: Entry): Promise<void> {
    const now = clock.now()
    const { opening, isUp, isDown, isThrottled, reason } = conditionOf(entry)
    const memory = known.get(opening) ?? { told: undefined, notUpSinceMs: undefined, throttledAtMs: undefined }
    known.set(opening, memory)
    memory.notUpSinceMs = isUp ? undefined : (memory.notUpSinceMs ?? now)
    const state = isUp ? 'up' : isDown && now - (memory.notUpSinceMs ?? now) >= graceMs ? 'down' : undefined
    if (state !== undefined && state !== memory.told) {
      await tellState(entry, state, reason)
      memory.told = state
    }
    if (isThrottled && now - (memory.throttledAtMs ?? Number.NEGATIVE_INFINITY) >= throttledEveryMs) {
      memory.throttledAtMs = now
      await tellThrottled(entry)
    }
  }

  return {
    /** To be called every second. */
    round: () => tell({ isChange: false }),
    /** A state changed. */
    soon(): void {
      if (stopped) return
      timer ??= setTimeout(() => {
        timer = undefined
        void tell({ isChange: true })
      }, gatherMs)
    },
    write,
    stop(): void {
      stopped = true
      clearTimeout(timer)
    },
  }
}
