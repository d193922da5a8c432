// Reports what becomes of links to carriers: writes their states and counters down, when a state changes and every five
// seconds, and emits events when one can be reached, cannot be reached any more, or slows us down. What was reported last
// stands with the record, so that a restart, or another process that takes over, reports nothing twice.
import type { Scope, Tx } from '../data/db.ts'
import { emit } from '../data/events.ts'
import type { Services } from '../endpoint/endpoint.ts'
import type { LinkEvent, LinkNoun } from './link_store.ts'

/** What is so now of one entry. */
export type LinkCondition = {
  /** Stands for this opening of the links: another one reports again, and only what is not reported yet is an event. */
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
  /** Remembers what events reported last. */
  store: {
    noun: LinkNoun
    changeReported(tx: Tx, scope: Scope, id: string, state: 'up' | 'down'): Promise<LinkEvent | undefined>
    lockEvent(tx: Tx, scope: Scope, id: string): Promise<LinkEvent | undefined>
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

type Known = {
  reported: 'up' | 'down' | undefined
  notUpSinceMs: number | undefined
  throttledAtMs: number | undefined
}

export function createLinkReporter<Entry extends LinkEntry>(
  { db, log, clock }: Pick<Services, 'db' | 'log' | 'clock'>,
  { store, current, conditionOf, write }: LinkReporterOptions<Entry>,
) {
  const { noun } = store
  const known = new WeakMap<object, Known>()
  let timer: NodeJS.Timeout | undefined
  let writtenMs = Number.NEGATIVE_INFINITY
  let stopped = false
  // One after the other: what is written last is what is so.
  const { sequentially, settled } = createSequence()

  async function reportNow(isChange: boolean): Promise<void> {
    const entries = current()
    try {
      if (isChange || performance.now() - writtenMs >= everyMs) {
        await write(entries)
        writtenMs = performance.now()
      }
      for (const entry of entries) await emitChanges(entry)
    } catch (error) {
      log.warn({ err: error }, 'the states of links could not be written down')
    }
  }

  async function emitChanges(entry: Entry): Promise<void> {
    const now = clock.now()
    const { opening, isUp, isDown, isThrottled, reason } = conditionOf(entry)
    const memory = known.get(opening) ?? { reported: undefined, notUpSinceMs: undefined, throttledAtMs: undefined }
    known.set(opening, memory)
    memory.notUpSinceMs = isUp ? undefined : (memory.notUpSinceMs ?? now)
    const state = isUp ? 'up' : isDown && now - (memory.notUpSinceMs ?? now) >= graceMs ? 'down' : undefined
    if (state !== undefined && state !== memory.reported) {
      await emitStateChange(entry, state, reason)
      memory.reported = state
    }
    if (isThrottled && now - (memory.throttledAtMs ?? Number.NEGATIVE_INFINITY) >= throttledEveryMs) {
      memory.throttledAtMs = now
      await emitThrottled(entry)
    }
  }

  /** Writes the event, unless the same state was reported last. */
  async function emitStateChange({ scope, id }: Entry, state: 'up' | 'down', reason: string | null): Promise<void> {
    const changed = await db.inTenant(scope, async tx => {
      const link = await store.changeReported(tx, scope, id, state)
      if (link !== undefined)
        await emitState(tx, { scope, id, noun }, link, state === 'down' ? { state, reason } : { state })
      return link
    })
    if (changed !== undefined) logState(log, { scope, id, noun }, changed, { state, reason })
  }

  async function emitThrottled({ scope, id }: Entry): Promise<void> {
    const link = await db.inTenant(scope, async tx => {
      const about = await store.lockEvent(tx, scope, id)
      if (about !== undefined) await emitState(tx, { scope, id, noun }, about, { state: 'throttled' })
      return about
    })
    if (link !== undefined) logState(log, { scope, id, noun }, link, { state: 'throttled', reason: null })
  }

  return {
    /** To be called every second. */
    round: () => sequentially(() => reportNow(false)),
    /** A state changed. */
    soon(): void {
      if (stopped) return
      timer ??= setTimeout(() => {
        timer = undefined
        void sequentially(() => reportNow(true))
      }, gatherMs)
    },
    /** Writes these down, behind what is being written. */
    write: (entries: readonly Entry[]) => sequentially(() => write(entries)),
    /** Resolves when nothing is being written. */
    settled,
    stop(): void {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Does one thing at a time, in the order it was asked for. */
function createSequence() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    sequentially(work: () => Promise<void>): Promise<void> {
      const done = last.then(work)
      last = done.catch(() => {})
      return done
    },
    settled: async () => void (await last),
  }
}

type Said = { state: 'up' | 'down' | 'throttled'; reason?: string | null }
type About = LinkEntry & { noun: LinkNoun }

async function emitState(tx: Tx, { scope, id, noun }: About, about: LinkEvent, said: Said): Promise<void> {
  const data = { [`${noun}Id`]: id, ...about, ...said }
  await emit(tx, scope, { type: `${noun}.${said.state}`, resourceId: id, data })
}

/** Once a change, as the event. */
function logState(
  log: Services['log'],
  { scope, id, noun }: About,
  { name }: LinkEvent,
  { state, reason }: Said,
): void {
  const about = { [noun]: id, name, organizationId: scope.organizationId, state }
  if (state === 'up') log.info(about, `a ${noun} is up`)
  else log.warn({ ...about, ...(reason == null ? {} : { reason }) }, `a ${noun} is ${state}`)
}
