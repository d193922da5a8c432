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
type HeldRoute = KnownRoute & { state: 'pending' | 'written' | 'failed' | 'served'; waiters: (() => void)[] }

/** `attempt`: to which the answer was that named the carrier's id. */
type KnownRoute = Route & { attempt: number }

/**
 * `since`: none of its answers was written before that moment of the database; null: none before the mark that stands there.
 * `age` in periods.
 */
type Period = { since: string | null; age: number; routes: HeldRoute[] }

const newPeriod = (since: string | null): Period => ({ since, age: 0, routes: [] })

/** Receipts of parts that are known, and those for which the database has to look. Repeated ones of known parts are neither. */
export type SortedReceipts = { known: { receipt: Receipt; route: KnownRoute }[]; others: Receipt[] }

const isWaiting = ({ state }: HeldRoute) => state === 'pending' || state === 'written'

export type RouteMemoryOptions = {
  tenantId: number
  carrier: string
  /** How long answers of the process before may still be written after this one has the links. */
  stragglersMs: number
  /** How often it is looked what has been held long enough; not by itself when 0. */
  everyMs?: number
}

type Store = (sorted: SortedReceipts) => Promise<void>

/** The routes of one carrier in the process that holds its links. */
export class RouteMemory {
  private readonly services: Pick<Services, 'db' | 'log'>
  private readonly options: RouteMemoryOptions
  private readonly byId = new Map<string, HeldRoute>()
  /** The route of each answer: under its id there is another one where the carrier has used that again meanwhile. */
  private readonly ofAnswer = new WeakMap<Conclusion, HeldRoute>()
  /** The last one collects. */
  private periods = [newPeriod(null)]
  private receiptTimeoutMs = 72 * 3_600_000
  /** Whether the database knows that something is held here. */
  private isMarked = false
  /** Until when the mark stays as the process before has left it. */
  private stragglersUntilMs: number | undefined
  /** Receipts that are being stored. */
  private readonly storing = new Set<Promise<void>>()
  private clearing: Promise<unknown> | undefined
  private giving: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private isOpen = false

  constructor(services: Pick<Services, 'db' | 'log'>, options: RouteMemoryOptions) {
    this.services = services
    this.options = options
  }

  /** Finds what the process that held the links before had in its memory when it ended. Again it does nothing, until it was closed. */
  async open(): Promise<void> {
    if (this.isOpen) return
    this.isOpen = true
    const { stragglersMs, everyMs = periodMs } = this.options
    try {
      this.isMarked = await recoverRoutes(this.services.db, this.options)
    } catch (error) {
      this.isOpen = false
      throw error
    }
    if (this.isMarked) this.stragglersUntilMs = performance.now() + stragglersMs
    if (this.isOpen && everyMs > 0) this.timer = setInterval(() => this.giveByItself(), everyMs)
  }

  /** Keeps the route of an answer from now on; after `receiptTimeoutMs` without a receipt, its message is unconfirmed. */
  hold(conclusion: Conclusion, receiptTimeoutMs: number): void {
    const carrierMessageId = heldId(conclusion)
    if (carrierMessageId === undefined) return
    this.receiptTimeoutMs = receiptTimeoutMs
    const dueMs = performance.now() + receiptTimeoutMs
    const { id: messageId, attempt } = conclusion
    const route: HeldRoute = { carrierMessageId, messageId, attempt, dueMs, state: 'pending', waiters: [] }
    this.byId.set(carrierMessageId, route)
    this.ofAnswer.set(conclusion, route)
    this.periods.at(-1)!.routes.push(route)
  }

  /** Has answers written down by `write`, which is to begin the mark of the carrier where `beginsHolding` says so. */
  async write(conclusions: readonly Conclusion[], write: (beginsHolding: boolean) => Promise<void>): Promise<void> {
    // Receipts that are stored without a route at this moment are found by the answers then.
    await Promise.allSettled([this.clearing, ...this.storing])
    const beginsHolding = !this.isMarked
    await write(beginsHolding)
    if (beginsHolding && conclusions.some(conclusion => this.ofAnswer.has(conclusion))) this.isMarked = true
    this.settle(conclusions, 'written')
  }

  /** Answers will not be written any more. */
  fail(conclusions: readonly Conclusion[]): void {
    this.settle(conclusions, 'failed')
  }

  /** Takes receipts in: `store` writes down what it is given. */
  async receive(batch: readonly Receipt[], store: Store): Promise<void> {
    for (;;) {
      const routes = batch.flatMap(({ carrierMessageId }) => this.byId.get(carrierMessageId) ?? [])
      const pending = routes.filter(({ state }) => state === 'pending')
      if (pending.length === 0) break
      await Promise.all(pending.map(({ waiters }) => new Promise<void>(resolve => waiters.push(resolve))))
    }
    const sorted = this.sort(batch)
    const stored = store(sorted).finally(() => this.storing.delete(stored))
    this.storing.add(stored)
    await stored
    for (const { route } of sorted.known) route.state = 'served'
  }

  /** Gives away what it holds. `isOwner`: no other process may have the links yet. */
  async close({ isOwner }: { isOwner: boolean }): Promise<void> {
    this.isOpen = false
    clearInterval(this.timer)
    await this.giving
    await this.give({ all: true, isOwner }).catch(error =>
      this.services.log.error(
        { err: error, carrier: this.options.carrier },
        'ids of a carrier could not be stored; who has it next finds them',
      ),
    )
  }

  /** Gives away what was held long enough, and says since when there is more. */
  async give({ all = false, isOwner = true } = {}): Promise<void> {
    if (this.stragglersUntilMs !== undefined && performance.now() >= this.stragglersUntilMs) {
      await recoverRoutes(this.services.db, this.options)
      this.stragglersUntilMs = undefined
    }
    const over = this.periods.slice(0, this.countOver(all))
    const given = over.flatMap(({ routes }) => routes.filter(({ state }) => state === 'written'))
    const [oldest] = this.periods.slice(over.length).filter(({ routes }) => routes.some(isWaiting))
    const keepsMark = this.stragglersUntilMs !== undefined || !isOwner
    let at: string | null = null
    if (oldest !== undefined || given.length > 0 || this.isMarked) {
      if (oldest !== undefined || keepsMark) at = await this.store(given, keepsMark ? null : oldest!.since)
      else await this.clear(given)
      this.isMarked ||= at !== null
    }
    this.drop(over, at)
  }

  /** Forgets periods, and begins one since `at`. What came meanwhile stands in the last one that is left. */
  private drop(over: readonly Period[], at: string | null): void {
    for (const route of over.flatMap(({ routes }) => routes))
      if (this.byId.get(route.carrierMessageId) === route) this.byId.delete(route.carrierMessageId)
    this.periods = this.periods.filter(period => !over.includes(period) && period.routes.length > 0)
    for (const period of this.periods) {
      period.age++
      if (at === null) period.since = null
    }
    this.periods.push(newPeriod(at))
  }

  /** How many of the oldest periods are over: all of their answers are written. */
  private countOver(all: boolean): number {
    const closed = all ? this.periods : this.periods.slice(0, -1)
    let rest = this.periods.reduce((sum, { routes }) => sum + routes.length, 0)
    let over = 0
    for (const { age, routes } of closed) {
      const isOver = all || age >= maxPeriods || rest > maxHeld
      if (!isOver || routes.some(({ state }) => state === 'pending')) break
      rest -= routes.length
      over++
    }
    return over
  }

  /** Gives the last ones away, and takes the mark away: who writes answers meanwhile waits, and begins it again. */
  private async clear(given: readonly HeldRoute[]): Promise<void> {
    this.isMarked = false
    try {
      this.clearing = this.store(given, 'infinity')
      await this.clearing
    } finally {
      this.clearing = undefined
    }
  }

  private async store(given: readonly HeldRoute[], heldSince: string | null): Promise<string> {
    const { tenantId, carrier } = this.options
    const to = { tenantId, carrier, receiptTimeoutMs: this.receiptTimeoutMs, nowMs: performance.now() }
    const routes = given.map(route => {
      const { carrierMessageId: id, messageId } = route
      // Where the carrier has used the id again, receipts count for the newer message.
      return this.byId.get(id) === route ? route : { ...route, carrierMessageId: `${id}~${messageId}` }
    })
    const last = Math.max(0, Math.ceil(routes.length / maxGiven) - 1) * maxGiven
    for (let from = 0; from < last; from += maxGiven)
      await giveRoutes(this.services.db, routes.slice(from, from + maxGiven), { ...to, heldSince: null })
    return giveRoutes(this.services.db, routes.slice(last), { ...to, heldSince })
  }

  private giveByItself(): void {
    if (this.giving !== undefined) return
    const { carrier } = this.options
    this.giving = this.give()
      .catch(error =>
        this.services.log.warn({ err: error, carrier }, 'ids of a carrier could not be stored; trying again'),
      )
      .finally(() => {
        this.giving = undefined
      })
  }

  private settle(conclusions: readonly Conclusion[], state: 'written' | 'failed'): void {
    for (const conclusion of conclusions) {
      const route = this.ofAnswer.get(conclusion)
      if (route?.state !== 'pending') continue
      route.state = state
      for (const go of route.waiters.splice(0)) go()
    }
  }

  /** What receipts are about; nothing of it is pending any more. */
  private sort(batch: readonly Receipt[]): SortedReceipts & { known: { route: HeldRoute }[] } {
    const sorted: SortedReceipts & { known: { receipt: Receipt; route: HeldRoute }[] } = { known: [], others: [] }
    for (const receipt of batch) {
      const route = this.byId.get(receipt.carrierMessageId)
      if (route === undefined) sorted.others.push(receipt)
      else if (route.state === 'failed') sorted.others.push({ ...receipt, messageId: route.messageId })
      else if (route.state === 'written') sorted.known.push({ receipt, route })
    }
    return sorted
  }
}
