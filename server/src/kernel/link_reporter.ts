// Tells what becomes of links to carriers: writes their states and counters down, when a state changes and every five
// seconds, and tells by events when one can be reached, cannot be reached any more, or slows us down. What was told last
// stands with the record, so that a restart, or another process that takes over, tells nothing twice.
import type { Scope, Tx } from './db.ts'
import type { Services } from './endpoint.ts'
import { emit } from './events.ts'
import type { ToldLink } from './link_store.ts'

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

/** One record of those that a process holds. */
export type LinkEntry = { scope: Scope; id: string }

export type LinkReporterOptions<Entry> = {
  /** Remembers what events told last. */
  store: {
    noun: string
    changeToldState(tx: Tx, scope: Scope, id: string, state: 'up' | 'down'): Promise<ToldLink | undefined>
    nextSequence(tx: Tx, scope: Scope, id: string): Promise<ToldLink | undefined>
  }
  /** All that this process holds. */
  current(): readonly Entry[]
  conditionOf(entry: Entry): LinkCondition
  write(entries: readonly Entry[]): Promise<void>
}

/** States that change together are written together. */
const gatherMs = 50
const everyMs = 5_000
/** A link that is back so soon was not down. */
const graceMs = 3_000
/** An event about throttling is followed by no other for this long. */
const throttledEveryMs = 60_000

type Known = { told: 'up' | 'down' | undefined; notUpSinceMs: number | undefined; throttledAtMs: number | undefined }

export function createLinkReporter<Entry extends LinkEntry>(
  { db, log, clock }: Pick<Services, 'db' | 'log' | 'clock'>,
  { store, current, conditionOf, write }: LinkReporterOptions<Entry>,
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

  /** Writes the event, unless the same state was told last. */
  async function tellState({ scope, id }: Entry, state: 'up' | 'down', reason: string | null): Promise<void> {
    await db.inTenant(scope, async tx => {
      const told = await store.changeToldState(tx, scope, id, state)
      if (told !== undefined) await emitState(tx, scope, id, told, state === 'down' ? { state, reason } : { state })
    })
  }

  async function tellThrottled({ scope, id }: Entry): Promise<void> {
    await db.inTenant(scope, async tx => {
      const told = await store.nextSequence(tx, scope, id)
      if (told !== undefined) await emitState(tx, scope, id, told, { state: 'throttled' })
    })
  }

  async function emitState(
    tx: Tx,
    scope: Scope,
    id: string,
    { sequence, ...about }: ToldLink,
    now: { state: 'up' | 'down' | 'throttled'; reason?: string | null },
  ): Promise<void> {
    const data = { [`${store.noun}Id`]: id, ...about, ...now }
    await emit(tx, scope, { type: `${store.noun}.${now.state}`, resourceId: id, sequence, data })
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
