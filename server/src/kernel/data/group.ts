// Group commit: many small writes of concurrent requests travel to the database as one statement and share one commit.
// Each request still gets its own result, and nothing is answered before the shared commit is durable.
import { isCanceled, isServerError } from './db_errors.ts'

export type Group<Item, Result> = (item: Item) => Promise<Result>

export type GroupOptions<Item, Result> = {
  /** Writes all items in one transaction; results in the order of the items. */
  run: (items: Item[]) => Promise<Result[]>
  /** At most this many items share one commit. */
  maxItems?: number
  /** At most this many commits are under way; what arrives meanwhile gathers for the next. */
  maxInFlight?: number
  /** While one is under way, another that is not full begins this long after it: so that a slow one holds nobody up. */
  overlapAfterMs?: number
  /** While one is under way, another of so many begins at once: the database works while the process fills the next. Only a full one when not said. */
  overlapItems?: number
  /** After one that carried several, the next that is not full begins this long after its begin: company gathers company. */
  gatherMs?: number
  /** Whose an item is: where more wait than one commit takes, each holder's items take turns. */
  holderOf?: (item: Item) => number
  /** The first item waits so long for company, where nobody is in a hurry; until the event loop turns when not said. */
  waitMs?: number
  /** What PostgreSQL canceled for its time fails as a whole, where callers try again themselves; it is run one by one when not said. */
  failsCanceled?: boolean
}

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

/**
 * Gathers items until the event loop turns (or `waitMs` have passed) and runs them together. When PostgreSQL refuses a group,
 * its items are run again one by one, so a poisonous item fails alone; when the connection dies the outcome is unknown
 * and every item of the group fails with that error (the caller may retry with its idempotency key).
 */
export function createGroup<Item, Result>({
  run,
  maxItems = 64,
  maxInFlight = 3,
  overlapAfterMs = 0,
  overlapItems = maxItems,
  gatherMs = 0,
  waitMs = 0,
  failsCanceled = false,
  holderOf,
}: GroupOptions<Item, Result>): Group<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let isTurning = false
  let timer: NodeJS.Timeout | undefined
  let inFlight = 0
  let begunMs = Number.NEGATIVE_INFINITY
  let begunItems = 0

  function restMs(): number {
    if (waiting.length >= (inFlight > 0 ? overlapItems : maxItems)) return 0
    const spacing = inFlight > 0 ? overlapAfterMs : begunItems > 1 ? gatherMs : 0
    return spacing === 0 ? 0 : begunMs + spacing - performance.now()
  }

  /** Takes what goes into the next commit. */
  function next(): Waiting<Item, Result>[] {
    if (waiting.length > maxItems && holderOf !== undefined) waiting = interleave(waiting, holderOf)
    const batch = waiting.slice(0, maxItems)
    waiting = waiting.slice(maxItems)
    return batch
  }

  function pump(): void {
    while (waiting.length > 0 && inFlight < maxInFlight) {
      const rest = restMs()
      if (rest > 0) {
        clearTimeout(timer)
        timer = setTimeout(() => {
          timer = undefined
          pump()
        }, rest)
        return
      }
      const batch = next()
      inFlight++
      begunMs = performance.now()
      begunItems = batch.length
      void settle(batch, run, failsCanceled).finally(() => {
        inFlight--
        pump()
      })
    }
    clearTimeout(timer)
    timer = undefined
  }

  return item =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isTurning) return
      isTurning = true
      const turn = () => {
        isTurning = false
        pump()
      }
      if (waitMs > 0) setTimeout(turn, waitMs)
      else setImmediate(turn)
    })
}

/** Runs a batch, and hands each of those who wait its own result or error. */
async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  run: (items: Item[]) => Promise<Result[]>,
  failsCanceled: boolean,
): Promise<void> {
  try {
    const results = await run(batch.map(waiter => waiter.item))
    for (const [index, waiter] of batch.entries()) waiter.resolve(results[index] as Result)
  } catch (error) {
    const isParted = isServerError(error) && !(failsCanceled && isCanceled(error))
    if (batch.length > 1 && isParted) {
      for (const waiter of batch) await settle([waiter], run, failsCanceled)
    } else {
      for (const waiter of batch) waiter.reject(error)
    }
  }
}

type Mode = 'live' | 'test'

/**
 * A group for each mode, of what requests write: tests share no commit with live modes. Without a mode an item counts as live. One that
 * takes too long is not run one by one, many times as long, when the database has the least to give: clients hear to try again.
 */
export function createGroupOfModes<Item extends { mode?: Mode }, Result>({
  run,
  ...options
}: Omit<GroupOptions<Item, Result>, 'run'> & {
  run: (items: Item[], mode: Mode) => Promise<Result[]>
}): Group<Item, Result> {
  const groupOf = (mode: Mode) =>
    createGroup({ failsCanceled: true, ...options, run: (items: Item[]) => run(items, mode) })
  const groups = { live: groupOf('live'), test: groupOf('test') }
  return item => groups[item.mode ?? 'live'](item)
}

/** The first of each holder, then the second of each, and so on. */
function interleave<Item, Result>(
  waiting: readonly Waiting<Item, Result>[],
  holderOf: (item: Item) => number,
): Waiting<Item, Result>[] {
  const seen = new Map<number, number>()
  const turns = waiting.map(waiter => {
    const holder = holderOf(waiter.item)
    const turn = seen.get(holder) ?? 0
    seen.set(holder, turn + 1)
    return { waiter, turn }
  })
  return turns.sort((a, b) => a.turn - b.turn).map(({ waiter }) => waiter)
}
