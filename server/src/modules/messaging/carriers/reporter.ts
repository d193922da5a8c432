// Tells what becomes of links: writes their states and counters down, when a state changes and every five seconds, and
// writes the events carrier.up, carrier.down and carrier.throttled. What was told last stands with the carrier, so that a
// restart, or another process that takes over, tells nothing twice.
import type { Scope } from '../../../kernel/db.ts'
import type { Services } from '../../../kernel/endpoint.ts'
import { emit } from '../../../kernel/events.ts'
import type { LinkReport } from './kind.ts'
import { changeToldState, nextSequence, writeLinks } from './store.ts'

/** `opening` stands for this opening of the carrier: another one tells anew, and only what is not told yet is an event. */
export type Told = { scope: Scope; id: string; opening: object; reports: readonly LinkReport[] }

/** States that change together are written together. */
const gatherMs = 50
const everyMs = 5_000
/** A link that is back so soon was not down. */
const graceMs = 3_000
/** An event about throttling is followed by no other for this long. */
const throttledEveryMs = 60_000

type Known = { told: 'up' | 'down' | undefined; notUpSinceMs: number | undefined; throttledAtMs: number | undefined }

/** Links that messages are sent on. */
const sending = (reports: readonly LinkReport[]) => reports.filter(report => report.role !== 'receiver')

/** @param owner names this process in what it writes */
export function createReporter(services: Services, owner: string, current: () => Told[]) {
  const { db, log, clock } = services
  const known = new WeakMap<object, Known>()
  let timer: NodeJS.Timeout | undefined
  let writtenMs = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  let stopped = false

  async function write(told: readonly Told[]): Promise<void> {
    const links = told.flatMap(({ scope, id, reports }) =>
      reports.map(report => ({ ...report, tenantId: scope.tenantId, carrierId: id })),
    )
    await writeLinks(db, owner, links)
  }

  async function tell({ isChange }: { isChange: boolean }): Promise<void> {
    // One after the other: what is written last is what is so.
    while (running !== undefined) await running
    running = tellNow(isChange).finally(() => {
      running = undefined
    })
    await running
  }

  async function tellNow(isChange: boolean): Promise<void> {
    const told = current()
    try {
      if (isChange || performance.now() - writtenMs >= everyMs) {
        await write(told)
        writtenMs = performance.now()
      }
      for (const entry of told) await tellEvents(entry)
    } catch (error) {
      log.warn({ err: error }, 'the states of links could not be written down')
    }
  }

  async function tellEvents({ scope, id, opening, reports }: Told): Promise<void> {
    const now = clock.now()
    const entry = known.get(opening) ?? { told: undefined, notUpSinceMs: undefined, throttledAtMs: undefined }
    known.set(opening, entry)
    const links = sending(reports)
    const isUp = links.some(({ state }) => state === 'up' || state === 'throttled')
    const isDown = links.length > 0 && links.every(({ state }) => state === 'down')
    entry.notUpSinceMs = isUp ? undefined : (entry.notUpSinceMs ?? now)
    const state = isUp ? 'up' : isDown && now - (entry.notUpSinceMs ?? now) >= graceMs ? 'down' : undefined
    if (state !== undefined && state !== entry.told) {
      const reason = links.find(link => link.lastError !== null)?.lastError ?? null
      await emitState(scope, id, state, reason)
      entry.told = state
    }
    const isThrottled = links.some(link => link.state === 'throttled')
    if (isThrottled && now - (entry.throttledAtMs ?? Number.NEGATIVE_INFINITY) >= throttledEveryMs) {
      entry.throttledAtMs = now
      await emitThrottled(scope, id)
    }
  }

  async function emitState(scope: Scope, id: string, state: 'up' | 'down', reason: string | null): Promise<void> {
    await db.inTenant(scope, async tx => {
      const row = await changeToldState(tx, scope, id, state)
      if (row === undefined) return
      const { name, kind, sequence } = row
      const data = { carrierId: id, name, kind, state, ...(state === 'down' ? { reason } : {}) }
      await emit(tx, scope, { type: `carrier.${state}`, resourceId: id, sequence, data })
    })
  }

  async function emitThrottled(scope: Scope, id: string): Promise<void> {
    await db.inTenant(scope, async tx => {
      const row = await nextSequence(tx, scope, id)
      if (row === undefined) return
      const { name, kind, sequence } = row
      const data = { carrierId: id, name, kind, state: 'throttled' }
      await emit(tx, scope, { type: 'carrier.throttled', resourceId: id, sequence, data })
    })
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
