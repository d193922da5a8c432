// Sends what the lanes hold. A lane belongs to this process for some seconds: its jobs are fetched ahead of its calls, each
// call settles by itself, and bookkeeping writes down what came of them. A slow receiver holds up nothing but its own lane.
// One that was held long enough is given back, so that the slots of a tenant go round.

import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { OutboundReply } from '../../kernel/outbound/outbound.ts'
import { crashPoint } from '../../kernel/values/crash_points.ts'
import { outcomeOf, requestOf, resultOf } from './attempt.ts'
import { createBookkeeper, type WebhookActions } from './bookkeeping.ts'
import { isCallbackLane } from './delivery_id.ts'
import { addItems, type Item, type Lane, newLane, nextMaxJobs, targetOf } from './lane.ts'
import { countAttempt } from './meters.ts'
import { fullConcurrency, nextHealth, slotsFor } from './rules.ts'
import { fetchJobs, findTargets, type LeasedLane, type TargetRow } from './sender_store.ts'
import { traced } from './traced.ts'

export type SenderOptions = {
  /** A lane is given back after so long, so that others of its tenant get its slots. */
  tenureMs?: number
  /** A lane with nothing to do is kept so long for what may come. */
  lingerMs?: number
  /** What is under way when the process ends has so long to end. */
  graceMs?: number
}

export type Sender = {
  /** Takes lanes leased under a token. */
  take(rows: readonly LeasedLane[], token: string): void
  /** How many lanes it would take now. */
  room(): number
  /** Ends what is under way, writes it down, gives the lanes back. */
  close(): Promise<void>
}

const maxLanes = 1_000
const maxCalls = 2_000
/** Fetched ahead: fewer items than this make a lane hungry, and it gets about so many at once. */
const lowWater = 40
const itemsAhead = 256
/** One fetch is for so many lanes and events: every lane gets one job, of up to 64 events. */
const lanesAFetch = 50
const eventsAFetch = 4_096
const idleFetchMs = 50
const refreshMs = 1_000
/** A lane that had nothing more to send is aimed again for what comes, when that was longer ago. */
const idleRefreshMs = 10
const pauseMs = 1_000
/** Results that could not be written yet; beyond, nothing more is sent. */
const maxUnwritten = 5_000
/** After the grace, what is left to be written has so long. */
const lastWordMs = 3_000

/** One that holds many slots, or bears more than it was granted, comes to the next claim soon. */
function tenureOf({ granted, health }: Lane, tenureMs: number): number {
  return granted > fullConcurrency || health.concurrency > granted ? tenureMs / 5 : tenureMs
}

type Tools = Pick<Services, 'db' | 'log' | 'clock' | 'outbound' | 'keyring' | 'metrics' | 'tracer'>

/** A call that has ended: when it began, how long it took, and where it went. */
type Called = { atMs: number; ms: number; url: string | undefined; moved: boolean }

export function createSender(tools: Tools, actions: WebhookActions, options: SenderOptions = {}): Sender {
  const { db, log, clock, outbound, metrics, tracer } = tools
  const { tenureMs = 10_000, lingerMs = 500, graceMs = 5_000 } = options
  const lanes = new Set<Lane>()
  const books = createBookkeeper(tools, lanes, actions)
  const ending = new AbortController()
  let calls = 0
  let fetching = false
  let timer: NodeJS.Timeout | undefined
  let timerMs = 0
  let refreshedMs = 0

  function feed(lane: Lane): void {
    if (lane.target !== undefined) {
      while (!lane.closing && lane.items.length > 0 && books.unwritten() < maxUnwritten) {
        if (lane.underWay >= slotsFor(lane.health, lane.granted)) return
        void deliver(lane, lane.items.shift() as Item)
      }
    }
    if (lane.closing && lane.underWay === 0) books.wake()
  }

  async function deliver(lane: Lane, item: Item): Promise<void> {
    lane.underWay++
    calls++
    const startedMs = performance.now()
    lane.activeMs = startedMs
    const atMs = clock.now()
    const request = requestOf(lane, item, atMs)
    const url = lane.target?.url?.href
    const reply: OutboundReply =
      request === undefined
        ? { ok: false, error: 'failed' }
        : await traced(tracer, lane, item, () => outbound.send({ ...request, signal: ending.signal }))
    crashPoint('webhooks.sent')
    const moved = reply.ok && reply.status === 410 && (await hasMoved(lane, url))
    calls--
    lane.underWay--
    // What was cut off because the process ends is left to the next holder.
    const isCutOff = ending.signal.aborted && !reply.ok && reply.error === 'reset'
    if (!isCutOff) settle(lane, item, reply, { atMs, ms: Math.round(performance.now() - startedMs), url, moved })
    feed(lane)
    if (isHungry(lane, performance.now())) wake(0)
  }

  /** Whether a webhook has another address than the one that was called, which speaks for itself only. */
  async function hasMoved(lane: Lane, url: string | undefined): Promise<boolean> {
    if (isCallbackLane(lane.lane)) return false
    await aimAll([lane]).catch(error => log.error({ err: error }, 'could not look up where a webhook is'))
    return lane.target?.url?.href !== url
  }

  function settle(lane: Lane, item: Item, reply: OutboundReply, { atMs, ms, url, moved }: Called): void {
    const nowMs = clock.now()
    const outcome = outcomeOf(reply, ms, nowMs)
    if (!moved) lane.health = nextHealth(lane.health, outcome, nowMs)
    if (outcome.status === 410 && !moved && !isCallbackLane(lane.lane)) {
      lane.gone = url
      lane.closing = true
    }
    // It asked for rest, or is probed only: what else there is waits for the next lease.
    if (lane.health.resumeAtMs !== null) lane.closing = true
    books.note(lane, item, countAttempt(metrics, lane, resultOf(lane, item, { reply, outcome, atMs, nowMs, moved })))
  }

  /** Looks after the lanes in so long, or sooner when that was said before. */
  function wake(ms: number): void {
    if (fetching) return
    const atMs = performance.now() + ms
    if (timer !== undefined) {
      if (timerMs <= atMs) return
      clearTimeout(timer)
    }
    timerMs = atMs
    timer = setTimeout(() => void look(), ms)
  }

  async function look(): Promise<void> {
    timer = undefined
    fetching = true
    let failed = false
    try {
      const nowMs = performance.now()
      closeOld(nowMs)
      await refreshTargets(nowMs)
      await fetchFor(hungriest(nowMs))
    } catch (error) {
      failed = true
      log.error({ err: error }, 'could not fetch deliveries; trying again')
    }
    fetching = false
    for (const lane of lanes) feed(lane)
    const nowMs = performance.now()
    if (failed) wake(pauseMs)
    else if ([...lanes].some(lane => isHungry(lane, nowMs))) wake(0)
    else if (lanes.size > 0) wake(idleFetchMs)
  }

  function closeOld(nowMs: number): void {
    for (const lane of lanes) {
      const isOld = nowMs - lane.startedMs > tenureOf(lane, tenureMs)
      const isUnused = lane.drained && lane.jobs.size === 0 && nowMs - lane.activeMs > lingerMs
      if (isOld || isUnused || ending.signal.aborted) lane.closing = true
    }
  }

  function isHungry(lane: Lane, nowMs: number): boolean {
    if (lane.closing || lane.target === undefined || lane.items.length >= lowWater) return false
    return !lane.drained || nowMs - lane.fetchedMs >= idleFetchMs
  }

  /** Those that were not fetched for longest; the others come next. */
  function hungriest(nowMs: number): Lane[] {
    const hungry = [...lanes].filter(lane => isHungry(lane, nowMs))
    return hungry.sort((one, other) => one.fetchedMs - other.fetchedMs).slice(0, lanesAFetch)
  }

  async function refreshTargets(nowMs: number): Promise<void> {
    const all = nowMs - refreshedMs >= refreshMs
    if (all) refreshedMs = nowMs
    await aimAll([...lanes].filter(lane => !lane.closing && (all || lane.target === undefined)))
  }

  async function aimAll(asked: readonly Lane[]): Promise<void> {
    if (asked.length === 0) return
    const nowMs = performance.now()
    const rows = await findTargets(db, asked, clock.now())
    const found = new Map(rows.map(row => [row.item, row]))
    for (const [index, lane] of asked.entries()) {
      const row = found.get(index + 1)
      // Disabled or deleted meanwhile.
      if (row === undefined) lane.closing = true
      else aim(lane, row, tools)
      lane.aimedMs = nowMs
    }
  }

  async function fetchFor(hungry: readonly Lane[]): Promise<void> {
    if (hungry.length === 0) return
    const held = hungry.flatMap(lane => [...lane.jobs.keys()])
    for (const lane of hungry) lane.fetching = true
    try {
      const fetched = await fetchJobs(db, hungry, { held, maxEvents: eventsAFetch, nowMs: clock.now() })
      const rows = Map.groupBy(fetched, row => row.item)
      // A secret that was just replaced signs nothing that came later, unless a lane is too busy to ask for each.
      const oldMs = performance.now() - idleRefreshMs
      await aimAll(hungry.filter((lane, n) => lane.items.length === 0 && lane.aimedMs < oldMs && rows.has(n + 1)))
      for (const [index, lane] of hungry.entries()) {
        const own = rows.get(index + 1) ?? []
        addItems(lane, own)
        lane.drained = own.length === 0
        lane.fetchedMs = performance.now()
        // A receiver that is probed needs one; for others, more each time they come back for more.
        lane.maxJobs = slotsFor(lane.health, lane.granted) > 1 ? nextMaxJobs(lane.maxJobs, own, itemsAhead) : 1
        if (own.some(row => row.settled || row.type === null)) books.wake()
      }
    } finally {
      for (const lane of hungry) lane.fetching = false
    }
  }

  return {
    take(rows, token) {
      const nowMs = performance.now()
      for (const row of rows) lanes.add(newLane(row, token, nowMs))
      wake(0)
    },
    room: () => (ending.signal.aborted || calls >= maxCalls ? 0 : Math.max(0, maxLanes - lanes.size)),
    async close() {
      for (const lane of lanes) lane.closing = true
      const grace = setTimeout(() => ending.abort(), graceMs)
      const late = new Promise<void>(resolve => setTimeout(resolve, graceMs + lastWordMs).unref())
      books.wake()
      await Promise.race([books.emptied(), late])
      clearTimeout(grace)
      clearTimeout(timer)
    },
  }
}

function aim(lane: Lane, row: TargetRow, { keyring, clock, log }: Tools): void {
  try {
    lane.target = targetOf(row, lane, keyring)
  } catch (error) {
    // Its secret was sealed by another installation: nothing can be signed until somebody rotates it.
    log.error({ err: error, lane: lane.lane, tenantId: lane.tenantId }, 'the secret of a webhook cannot be read')
    lane.health = { ...lane.health, resumeAtMs: clock.now() + 60_000 }
    lane.closing = true
  }
}
