// What one tenant may take of what all share: connections and statements of the database, batches, event streams. No tenant takes
// everything, tests together leave most of it to live modes, and who waits is served tenant by tenant in turn. While live mode is at
// work, tests begin no faster than their pace.
import { Problem } from '../values/problem.ts'

/** Who takes something. Without a mode it counts as live. */
export type Holder = { readonly tenantId: number; readonly mode?: 'live' | 'test' }

/** How much there is in all, and most that one tenant, one test tenant and all test tenants together hold of it at once. */
export type Quota = { total: number; tenant: number; testTenant: number; tests: number }

/** The parts of a total that a node hands out. At least one each, so that a small node still serves everybody. */
export function quotaOf(total: number, parts: { tenant: number; testTenant: number; tests: number }): Quota {
  const part = (share: number) => Math.max(1, Math.floor(total * share))
  return { total, tenant: part(parts.tenant), testTenant: part(parts.testTenant), tests: part(parts.tests) }
}

/** Work that lasts milliseconds: one tenant may have most of it while nobody else is there. */
const brief = { tenant: 0.8, testTenant: 0.3, tests: 0.5 }
/** What is held for long is not given back when another needs it: shares are smaller. */
const lasting = { tenant: 0.5, testTenant: 0.2, tests: 0.3 }

/** The quotas of one node, all in one place. */
export const quotas = {
  /** Transactions of requests, a connection each; of `TANDEM_DATABASE_POOL`. */
  transactions: (poolSize: number) => quotaOf(poolSize, brief),
  /** Statements under way on the shared connections. */
  statements: (connections: number) => quotaOf(8 * connections, brief),
  /** Connections with a request under way that is no stream: so many at once, whatever they wait for. */
  connections: quotaOf(10_000, { tenant: 0.8, testTenant: 0.05, tests: 0.1 }),
  /** Requests that take in up to a thousand records each. */
  batches: { total: 2, tenant: 2, testTenant: 1, tests: 1 },
  /** Event streams of programs and the portal. */
  streams: quotaOf(500, lasting),
  /** Event streams of telephones in browsers: they ring however many others there are. */
  phones: quotaOf(2_000, lasting),
  /** Calls and legs that a voice process holds; it has 5,000 pairs of ports by default. */
  calls: quotaOf(5_000, { tenant: 0.8, testTenant: 0.04, tests: 0.1 }),
  /** API keys that work, counted in the database: of one user in a mode, and of a tenant. */
  keys: { user: 50, tenant: 5_000, testTenant: 500 },
  /** Apps of an organization, secrets of an app in a mode, and authorizations that a person has given one client. */
  apps: { organization: 100, secrets: 2, grants: 20 },
} as const satisfies Record<string, object>

export type Shares = {
  /** Takes one, when the holder may have one more now. */
  take(holder: Holder): boolean
  give(holder: Holder): void
  /** How many its tenant has. */
  held(holder: Holder): number
}

export function createShares(quota: Quota): Shares {
  const held = new Map<number, number>()
  let all = 0
  let tests = 0
  return {
    take({ tenantId, mode }) {
      const own = held.get(tenantId) ?? 0
      const isTest = mode === 'test'
      if (all >= quota.total || own >= (isTest ? quota.testTenant : quota.tenant)) return false
      if (isTest && tests >= quota.tests) return false
      held.set(tenantId, own + 1)
      all++
      if (isTest) tests++
      return true
    },
    give({ tenantId, mode }) {
      const own = (held.get(tenantId) ?? 1) - 1
      if (own === 0) held.delete(tenantId)
      else held.set(tenantId, own)
      all--
      if (mode === 'test') tests--
    },
    held: ({ tenantId }) => held.get(tenantId) ?? 0,
  }
}

type Waiter = { holder: Holder; begin(): void }

export type FairQueue = {
  /**
   * Runs `work` when the holder's turn has come.
   * @throws Problem `unavailable` when too many wait already, or the turn did not come in time
   */
  run<T>(holder: Holder, work: () => Promise<T>): Promise<T>
  /** How many wait, for metrics. */
  waiting(): number
}

export type FairQueueOptions = {
  quota: Quota
  /** How long one waits at most: clients hear 503 rather than nothing. */
  maxWaitMs?: number
  /** Most that wait, in all and of one tenant: beyond that they are refused at once, so that memory stays bounded. */
  maxWaiting?: number
  maxWaitingOfTenant?: number
}

/** Takes the first waiter of a tenant out, and puts the tenant behind the others. */
function takeFirst<W>(waiting: Map<number, W[]>, tenantId: number): W {
  const own = waiting.get(tenantId) as W[]
  const first = own.shift() as W
  waiting.delete(tenantId)
  if (own.length > 0) waiting.set(tenantId, own)
  return first
}

/** Takes one out that waits no longer; its tenant keeps its turn. */
function withdraw<W>(waiting: Map<number, W[]>, tenantId: number, waiter: W): void {
  const left = (waiting.get(tenantId) ?? []).filter(one => one !== waiter)
  if (left.length === 0) waiting.delete(tenantId)
  else waiting.set(tenantId, left)
}

/** A queue in front of a quota: tenants take turns, each one's own work stays in its order. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { quota, maxWaitMs = 10_000, maxWaiting = 4_000, maxWaitingOfTenant = 2_000 } = options
  const shares = createShares(quota)
  /** In the order of turns. */
  const waiting = new Map<number, Waiter[]>()
  let count = 0

  function enter(holder: Holder): Promise<void> | undefined {
    // Who comes late does not overtake those of the same tenant.
    if (!waiting.has(holder.tenantId) && shares.take(holder)) return undefined
    const own = waiting.get(holder.tenantId) ?? []
    if (count >= maxWaiting || own.length >= maxWaitingOfTenant) throw busy(2)
    waiting.set(holder.tenantId, own)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leave(waiter)
        reject(busy(1))
      }, maxWaitMs)
      const waiter: Waiter = {
        holder,
        begin() {
          clearTimeout(timer)
          resolve()
        },
      }
      own.push(waiter)
      count++
    })
  }

  function leave(waiter: Waiter): void {
    count--
    withdraw(waiting, waiter.holder.tenantId, waiter)
  }

  /** Lets the next one in: of the tenant that has least under way, and among equals the one whose last turn is longest ago. */
  function pump(): void {
    if (count === 0) return
    const heads = [...waiting.values()].map(([next]) => ({ next: next!, held: shares.held(next!.holder) }))
    for (const { next } of heads.sort((a, b) => a.held - b.held)) {
      if (!shares.take(next.holder)) continue
      count--
      takeFirst(waiting, next.holder.tenantId)
      next.begin()
      return
    }
  }

  return {
    async run(holder, work) {
      const turn = enter(holder)
      if (turn !== undefined) await turn
      try {
        return await work()
      } finally {
        shares.give(holder)
        pump()
      }
    },
    waiting: () => count,
  }
}

function busy(seconds: number): Problem {
  return new Problem('unavailable', { headers: { 'retry-after': String(seconds) } })
}

/** What tests begin at their pace: requests, and the records that batches bring (messages). */
export type Paced = 'requests' | 'records'

/** Begun a second, of one test tenant and of all together, and how many may go before that counts. */
export type Pace = { testTenant: number; tests: number; burst: number }

export type Paces = Record<Paced, Pace>

/** The paces of tests on a node, made of the requests a second of one test tenant (`TANDEM_TESTS_PACE`); none of 0. */
export function pacesOf(requestsPerSecond: number): Paces | undefined {
  if (requestsPerSecond === 0) return undefined
  return {
    requests: { testTenant: requestsPerSecond, tests: 2 * requestsPerSecond, burst: requestsPerSecond },
    records: { testTenant: 4 * requestsPerSecond, tests: 8 * requestsPerSecond, burst: 4 * requestsPerSecond },
  }
}

export type TestPace = {
  /** Reports that live mode is at work here: for the next seconds tests keep to their pace. */
  live(): void
  /** Whether tests keep to their pace now. */
  isHeld(): boolean
  /** How much of the work behind requests is done for tests at once, and how often; undefined while they keep to no pace. */
  slice(): { records: number; everyMs: number } | undefined
  /**
   * Undefined when it may begin at once; else resolves when it may. Only tests wait.
   * @param count how many of the kind it is
   * @throws Problem `rate_limited` when its turn does not come in time, or too many wait already
   */
  turn(holder: Holder, kind?: Paced, count?: number): Promise<void> | undefined
}

export type TestPaceOptions = {
  /** None: tests keep to no pace. */
  paces: Paces | undefined
  /** Live mode counts as at work for so long after it last was. */
  liveForMs?: number
  /** How long one waits at most: less than a request may take to arrive, for its body is not read meanwhile. */
  maxWaitMs?: number
  /** Most that wait, of one tenant and in all. */
  maxWaitingOfTenant?: number
  maxWaiting?: number
}

/**
 * The pace of tests on one node. A test has the node to itself while no live mode is at work; beside one it waits, and what waits
 * costs next to nothing: a client that comes back at once is refused late.
 */
export function createTestPace(options: TestPaceOptions): TestPace {
  const { paces, liveForMs = 10_000, ...bounds } = options
  if (paces === undefined) return { live: () => {}, isHeld: () => false, slice: () => undefined, turn: () => undefined }
  let liveUntilMs = Number.NEGATIVE_INFINITY
  const isHeld = () => performance.now() < liveUntilMs
  const lanes = {
    requests: createPacedLane('requests', paces.requests, isHeld, bounds),
    records: createPacedLane('records', paces.records, isHeld, bounds),
  }
  return {
    live() {
      liveUntilMs = performance.now() + liveForMs
    },
    isHeld,
    slice: () =>
      isHeld() ? { records: Math.max(1, Math.floor(paces.records.testTenant / 10)), everyMs: 100 } : undefined,
    turn(holder, kind = 'requests', count = 1) {
      return holder.mode === 'test' && isHeld() ? lanes[kind](holder.tenantId, count) : undefined
    },
  }
}

type PacedWaiter = { count: number; begin(): void }
type PacedBounds = Pick<TestPaceOptions, 'maxWaitMs' | 'maxWaiting' | 'maxWaitingOfTenant'>

/** How often it is looked whether live mode is still at work. */
const lookEveryMs = 250

function createPacedLane(
  kind: Paced,
  { testTenant, tests, burst }: Pace,
  isHeld: () => boolean,
  { maxWaitMs = 5_000, maxWaiting = 4_000, maxWaitingOfTenant = 2_000 }: PacedBounds,
) {
  /** When what a tenant began is worked off at its pace, and what all began at theirs: milliseconds of `performance.now()`. */
  const clearMs = new Map<number, number>()
  let allClearMs = Number.NEGATIVE_INFINITY
  /** In the order of turns. */
  const waiting = new Map<number, PacedWaiter[]>()
  let count = 0
  let isPumping = false

  /** Milliseconds until a tenant may begin; none or less: now. */
  function restMs(tenantId: number, nowMs: number): number {
    if (!isHeld()) return 0
    const own = (clearMs.get(tenantId) ?? nowMs) - ((burst - 1) * 1_000) / testTenant
    return Math.max(own, allClearMs - ((burst - 1) * 1_000) / tests) - nowMs
  }

  function charge(tenantId: number, weight: number, nowMs: number): void {
    if (clearMs.size > 10_000) for (const [id, atMs] of clearMs) if (atMs < nowMs) clearMs.delete(id)
    clearMs.set(tenantId, Math.max(clearMs.get(tenantId) ?? nowMs, nowMs) + (weight * 1_000) / testTenant)
    allClearMs = Math.max(allClearMs, nowMs) + (weight * 1_000) / tests
  }

  function pump(): void {
    const nowMs = performance.now()
    let soonestMs = lookEveryMs
    for (const tenantId of [...waiting.keys()]) {
      const rest = restMs(tenantId, nowMs)
      if (rest > 0) {
        soonestMs = Math.min(soonestMs, rest)
        continue
      }
      soonestMs = 0
      count--
      const next = takeFirst(waiting, tenantId)
      charge(tenantId, next.count, nowMs)
      next.begin()
    }
    isPumping = count > 0
    if (isPumping) setTimeout(pump, soonestMs)
  }

  function refusal(tenantId: number): Problem {
    const seconds = Math.max(1, Math.ceil(restMs(tenantId, performance.now()) / 1_000))
    return new Problem('rate_limited', {
      message: `Live mode is at work on this server; beside it, tests have ${testTenant} ${pacedThing[kind]} a second. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, or raise TANDEM_TESTS_PACE.`,
      headers: { 'retry-after': String(seconds) },
    })
  }

  return (tenantId: number, weight: number): Promise<void> | undefined => {
    const nowMs = performance.now()
    const own = waiting.get(tenantId) ?? []
    if (own.length === 0 && restMs(tenantId, nowMs) <= 0) {
      charge(tenantId, weight, nowMs)
      return undefined
    }
    if (count >= maxWaiting || own.length >= maxWaitingOfTenant) throw refusal(tenantId)
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        count--
        withdraw(waiting, tenantId, waiter)
        reject(refusal(tenantId))
      }, maxWaitMs)
      const waiter: PacedWaiter = {
        count: weight,
        begin() {
          clearTimeout(late)
          resolve()
        },
      }
      own.push(waiter)
      waiting.set(tenantId, own)
      count++
      if (isPumping) return
      isPumping = true
      setTimeout(pump, Math.min(lookEveryMs, Math.max(0, restMs(tenantId, nowMs))))
    })
  }
}

const pacedThing: Record<Paced, string> = { requests: 'requests', records: 'messages of batches' }
