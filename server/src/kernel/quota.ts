// What one tenant may take of what all share: connections and statements of the database, batches, event streams. No tenant takes
// everything, tests together leave most of it to live modes, and who waits is served tenant by tenant in turn.
import { Problem } from './problem.ts'

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
  /** Requests that take in up to a thousand records each. */
  batches: { total: 2, tenant: 2, testTenant: 1, tests: 1 },
  /** Event streams of programs and the portal. */
  streams: quotaOf(500, lasting),
  /** Event streams of telephones in browsers: they ring however many others there are. */
  phones: quotaOf(2_000, lasting),
} as const satisfies Record<string, Quota | ((size: number) => Quota)>

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
    const { tenantId } = waiter.holder
    const own = waiting.get(tenantId)?.filter(one => one !== waiter) ?? []
    count--
    if (own.length === 0) waiting.delete(tenantId)
    else waiting.set(tenantId, own)
  }

  /** Lets the next one in: of the tenant that has least under way, and among equals the one whose last turn is longest ago. */
  function pump(): void {
    if (count === 0) return
    const heads = [...waiting.values()].map(own => ({ own, next: own[0]!, held: shares.held(own[0]!.holder) }))
    for (const { own, next } of heads.sort((a, b) => a.held - b.held)) {
      if (!shares.take(next.holder)) continue
      const { tenantId } = next.holder
      own.shift()
      count--
      waiting.delete(tenantId)
      if (own.length > 0) waiting.set(tenantId, own)
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
