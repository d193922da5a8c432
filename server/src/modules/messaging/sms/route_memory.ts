// Which part of which message a carrier's id stands for, while its receipt is likely to come soon: in the memory of the process that
// holds the carrier's links, which is who hears it. What waits longer is given to the table message_routes; what a process held
// when it was killed is found in the log of events by who takes the links over (SQL functions give_routes, recover_routes).
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { Receipt } from '../carrier.ts'
import { giveRoutes, type Route, recoverRoutes } from './receipt_store.ts'
import { type Conclusion, heldId } from './store.ts'

/** A route is held for so many periods; with more than `maxHeld` in all, fewer. */
const periodMs = 10_000
const maxPeriods = 6
const maxHeld = 200_000
/** Routes that one statement stores. */
const maxGiven = 1_000

/**
 * - `pending`: its answer is being written
 * - `written`: so it is durable, and receipts count
 * - `failed`: its answer could not be written; the lease of its message speaks for it
 * - `served`: its receipt is durable
 */
type HeldRoute = Route & { state: 'pending' | 'written' | 'failed' | 'served'; waiters: (() => void)[] }

/** `since`: none of its answers was written before that moment of the database; null: none before the mark that stands there. `age` in periods. */
type Period = { since: string | null; age: number; routes: HeldRoute[] }

const newPeriod = (since: string | null): Period => ({ since, age: 0, routes: [] })

/** Receipts of parts that are known, and those for which the database has to look. Repeated ones of known parts are neither. */
export type SortedReceipts = { known: { receipt: Receipt; route: Route }[]; others: Receipt[] }

export type RouteMemory = {
  /** Finds what the process that held the links before had in its memory when it ended. */
  open(): Promise<void>
  /** Keeps the route of an answer from now on; after `receiptTimeoutMs` without a receipt, its message is unconfirmed. */
  hold(conclusion: Conclusion, receiptTimeoutMs: number): void
  /** Has answers written down by `write`, which is to begin the mark of the carrier where it is told so. */
  write(conclusions: readonly Conclusion[], write: (beginsHolding: boolean) => Promise<void>): Promise<void>
  /** Answers will not be written any more. */
  fail(conclusions: readonly Conclusion[]): void
  /** Takes receipts in: `store` writes down what it is given. */
  receive(batch: readonly Receipt[], store: (sorted: SortedReceipts) => Promise<void>): Promise<void>
  /** Gives away what it holds. `isOwner`: no other process may have the links yet. */
  close(options: { isOwner: boolean }): Promise<void>
}

export type RouteMemoryOptions = {
  tenantId: number
  carrier: string
  /** How long answers of the process before may still be written after this one has the links. */
  stragglersMs: number
  /** How often it is looked what has been held long enough; not by itself when 0. */
  everyMs?: number
}

const isWaiting = ({ state }: HeldRoute) => state === 'pending' || state === 'written'

export function createRouteMemory(
  { db, log }: Pick<Services, 'db' | 'log'>,
  { tenantId, carrier, stragglersMs, everyMs = periodMs }: RouteMemoryOptions,
): RouteMemory & { give(): Promise<void> } {
  const byId = new Map<string, HeldRoute>()
  /** The last one collects. */
  let periods = [newPeriod(null)]
  let receiptTimeoutMs = 72 * 3_600_000
  /** Whether the database knows that something is held here. */
  let isMarked = false
  /** Until when the mark stays as the process before has left it. */
  let stragglersUntilMs: number | undefined
  /** Receipts that are being stored. */
  const storing = new Set<Promise<void>>()
  let clearing: Promise<unknown> | undefined
  let giving: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const routeOf = (conclusion: Conclusion): HeldRoute | undefined => {
    const id = heldId(conclusion)
    const route = id === undefined ? undefined : byId.get(id)
    return route?.messageId === conclusion.id ? route : undefined
  }

  function settle(conclusions: readonly Conclusion[], state: 'written' | 'failed'): void {
    for (const conclusion of conclusions) {
      const route = routeOf(conclusion)
      if (route?.state !== 'pending') continue
      route.state = state
      for (const go of route.waiters.splice(0)) go()
    }
  }

  /** What receipts are about; nothing is pending any more. */
  function sort(batch: readonly Receipt[]): SortedReceipts & { known: { route: HeldRoute }[] } {
    const sorted: SortedReceipts & { known: { receipt: Receipt; route: HeldRoute }[] } = { known: [], others: [] }
    for (const receipt of batch) {
      const route = byId.get(receipt.carrierMessageId)
      if (route === undefined) sorted.others.push(receipt)
      else if (route.state === 'failed') sorted.others.push({ ...receipt, messageId: route.messageId })
      else if (route.state === 'written') sorted.known.push({ receipt, route })
    }
    return sorted
  }

  /** How many of the oldest periods are over: all of their answers are written. */
  function countOver(all: boolean): number {
    const closed = all ? periods : periods.slice(0, -1)
    let rest = periods.reduce((sum, { routes }) => sum + routes.length, 0)
    let over = 0
    for (const { age, routes } of closed) {
      const isOver = all || age >= maxPeriods || rest > maxHeld
      if (!isOver || routes.some(({ state }) => state === 'pending')) break
      rest -= routes.length
      over++
    }
    return over
  }

  /** Gives away what was held long enough, and says since when there is more. */
  async function give({ all = false, isOwner = true } = {}): Promise<void> {
    if (stragglersUntilMs !== undefined && performance.now() >= stragglersUntilMs) {
      await recoverRoutes(db, { tenantId, carrier })
      stragglersUntilMs = undefined
    }
    const over = periods.slice(0, countOver(all))
    const given = over.flatMap(({ routes }) => routes.filter(({ state }) => state === 'written'))
    const [oldest] = periods.slice(over.length).filter(({ routes }) => routes.some(isWaiting))
    const keepsMark = stragglersUntilMs !== undefined || !isOwner
    let at: string | null = null
    if (oldest !== undefined || given.length > 0 || isMarked) {
      if (oldest !== undefined || keepsMark) at = await store(given, keepsMark ? null : oldest!.since)
      else await clear(given)
      isMarked ||= at !== null
    }
    for (const route of over.flatMap(({ routes }) => routes))
      if (byId.get(route.carrierMessageId) === route) byId.delete(route.carrierMessageId)
    // What came meanwhile stands in the last one.
    periods = periods.filter(period => !over.includes(period) && period.routes.length > 0)
    for (const period of periods) {
      period.age++
      if (at === null) period.since = null
    }
    periods.push(newPeriod(at))
  }

  /** Gives the last ones away, and takes the mark away: who writes answers meanwhile waits, and begins it again. */
  async function clear(given: readonly HeldRoute[]): Promise<void> {
    isMarked = false
    try {
      clearing = store(given, 'infinity')
      await clearing
    } finally {
      clearing = undefined
    }
  }

  async function store(given: readonly HeldRoute[], heldSince: string | null): Promise<string> {
    const to = { tenantId, carrier, receiptTimeoutMs, nowMs: performance.now() }
    const routes = given.map(route => {
      const { carrierMessageId: id, messageId } = route
      // Where the carrier has used the id again, receipts count for the newer message.
      return byId.get(id) === route ? route : { ...route, carrierMessageId: `${id}~${messageId}` }
    })
    const last = Math.max(0, Math.ceil(routes.length / maxGiven) - 1) * maxGiven
    for (let from = 0; from < last; from += maxGiven)
      await giveRoutes(db, routes.slice(from, from + maxGiven), { ...to, heldSince: null })
    return giveRoutes(db, routes.slice(last), { ...to, heldSince })
  }

  function giveByItself(): void {
    if (giving !== undefined) return
    giving = give()
      .catch(error => log.warn({ err: error, carrier }, 'ids of a carrier could not be stored; trying again'))
      .finally(() => {
        giving = undefined
      })
  }

  return {
    give,
    async open() {
      isMarked = await recoverRoutes(db, { tenantId, carrier })
      if (isMarked) stragglersUntilMs = performance.now() + stragglersMs
      if (everyMs > 0) timer = setInterval(giveByItself, everyMs)
    },
    hold(conclusion, timeoutMs) {
      const carrierMessageId = heldId(conclusion)
      if (carrierMessageId === undefined) return
      receiptTimeoutMs = timeoutMs
      const dueMs = performance.now() + timeoutMs
      const route: HeldRoute = { carrierMessageId, messageId: conclusion.id, dueMs, state: 'pending', waiters: [] }
      byId.set(carrierMessageId, route)
      periods.at(-1)!.routes.push(route)
    },
    async write(conclusions, write) {
      // Receipts that are stored without a route at this moment are found by the answers then.
      await Promise.allSettled([clearing, ...storing])
      const beginsHolding = !isMarked
      await write(beginsHolding)
      if (beginsHolding && conclusions.some(conclusion => routeOf(conclusion) !== undefined)) isMarked = true
      settle(conclusions, 'written')
    },
    fail: conclusions => settle(conclusions, 'failed'),
    async receive(batch, store) {
      for (;;) {
        const pending = batch.flatMap(({ carrierMessageId }) => byId.get(carrierMessageId) ?? [])
        const waiting = pending.filter(({ state }) => state === 'pending')
        if (waiting.length === 0) break
        await Promise.all(waiting.map(({ waiters }) => new Promise<void>(resolve => waiters.push(resolve))))
      }
      const sorted = sort(batch)
      const stored = store(sorted).finally(() => storing.delete(stored))
      storing.add(stored)
      await stored
      for (const { route } of sorted.known) route.state = 'served'
    },
    async close({ isOwner }) {
      clearInterval(timer)
      await giving
      await give({ all: true, isOwner }).catch(error =>
        log.error({ err: error, carrier }, 'ids of a carrier could not be stored; who has it next finds them'),
      )
    },
  }
}
