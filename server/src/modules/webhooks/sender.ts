// Sends what the lanes hold. A lane belongs to this process for some seconds: its jobs are fetched ahead of its calls, each
// call settles by itself, and what came of them is written down for all lanes together, many at a time. A slow receiver
// holds up nothing but its own lane. One that was held long enough is given back, so that the slots of a tenant go round.
import { crashPoint } from '../../kernel/crash_points.ts'
import type { Services } from '../../kernel/endpoint.ts'
import type { OutboundReply } from '../../kernel/outbound.ts'
import { isCallbackLane } from './delivery_id.ts'
import { addItems, type Item, type Lane, newLane, stateOf, targetOf } from './lane.ts'
import { bodyOf, fixedHeaders, secondsOf } from './present.ts'
import {
  chanceOf,
  maxTries,
  nextFare,
  type Outcome,
  parseRetryAfter,
  retryDelayMs,
  slotsFor,
  succeeded,
} from './rules.ts'
import {
  type Batch,
  fetchJobs,
  findTargets,
  finishBatch,
  type JobKey,
  type KeptJob,
  type LeasedLane,
  type Result,
  type TargetRow,
} from './sender_store.ts'
import { sign } from './signing.ts'

export type SenderOptions = {
  /** A lane is given back after so long, so that others of its tenant get its slots. */
  tenureMs?: number
  /** A lane with nothing to do is kept so long for what may come. */
  lingerMs?: number
  /** What is under way when the process ends has so long to end. */
  graceMs?: number
}

/** What the sender decided about lanes; acted on outside, in the tenant's own transaction. */
export type Telling = {
  gone(lane: Lane): Promise<void>
  notice(lane: Lane, notice: number): Promise<void>
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
const maxResults = 250
const maxJobsAhead = 4
/** Fetched ahead: fewer items than this make a lane hungry. */
const lowWater = 40
const gatherMs = 5
const idleFetchMs = 50
const refreshMs = 1_000
const replyBytes = 4_096
/** Results that could not be written yet; beyond, nothing more is sent. */
const maxUnwritten = 5_000

type Settled = { lane: Lane; item: Item; result: Omit<Result, 'lane'> }

type Waiting = { settled: Settled[]; done: { lane: Lane; dueAt: string; id: number }[] }

type Tools = Pick<Services, 'db' | 'log' | 'clock' | 'outbound' | 'pepper'>

export function createSender(tools: Tools, telling: Telling, options: SenderOptions = {}): Sender {
  const { db, log, clock, outbound, pepper } = tools
  const { tenureMs = 10_000, lingerMs = 500, graceMs = 5_000 } = options
  const lanes = new Set<Lane>()
  const waiting: Waiting = { settled: [], done: [] }
  const ending = new AbortController()
  let calls = 0
  let flushing = false
  let fetching = false
  let flushTimer: NodeJS.Timeout | undefined
  let fetchTimer: NodeJS.Timeout | undefined
  let refreshedMs = 0
  let idle: (() => void) | undefined

  function feed(lane: Lane): void {
    const { target } = lane
    if (target === undefined) return
    while (!lane.closing && lane.items.length > 0 && waiting.settled.length < maxUnwritten) {
      if (lane.underWay >= slotsFor(lane.fare, lane.granted)) return
      void deliver(lane, lane.items.shift() as Item)
    }
    if (lane.closing && lane.underWay === 0) scheduleFlush()
  }

  async function deliver(lane: Lane, item: Item): Promise<void> {
    lane.underWay++
    calls++
    const startedMs = performance.now()
    lane.activeMs = startedMs
    const atMs = clock.now()
    const reply = await post(lane, item, atMs)
    crashPoint('webhooks.sent')
    calls--
    lane.underWay--
    // What was cut off because the process ends is left to the next holder.
    if (!(ending.signal.aborted && !reply.ok && reply.error === 'reset'))
      settle(lane, item, reply, { atMs, ms: Math.round(performance.now() - startedMs) })
    feed(lane)
    if (isHungry(lane, performance.now())) scheduleFetch(0)
  }

  function post(lane: Lane, item: Item, atMs: number): Promise<OutboundReply> {
    const { url = URL.parse(item.callback_url ?? ''), keys, mode, organizationId } = lane.target!
    if (url === null) return Promise.resolve({ ok: false, error: 'failed' })
    const event = { ...item, event_type: item.type as string }
    const body = Buffer.from(bodyOf(event, { mode, organizationId }))
    const timestamp = secondsOf(atMs)
    const headers = [
      ...headerList,
      'webhook-id',
      item.event_id,
      'webhook-timestamp',
      String(timestamp),
      'webhook-signature',
      sign(keys, item.event_id, timestamp, body),
    ]
    return outbound.send({ url, headers, body, signal: ending.signal })
  }

  function settle(lane: Lane, item: Item, reply: OutboundReply, { atMs, ms }: { atMs: number; ms: number }): void {
    const nowMs = clock.now()
    const outcome = outcomeOf(reply, nowMs)
    lane.fare = nextFare(lane.fare, outcome, nowMs)
    const tries = Math.min(item.job.tries + 1, maxTries)
    const gone = outcome.status === 410
    const chance = chanceOf(`${item.event_id} ${lane.lane} ${tries}`)
    const delayMs = succeeded(outcome) || gone ? undefined : retryDelayMs(tries, chance, outcome.retryAfterMs)
    waiting.settled.push({
      lane,
      item,
      result: {
        eventId: item.event_id,
        eventType: item.type as string,
        url: isCallbackLane(lane.lane) ? item.callback_url : null,
        status: succeeded(outcome) ? 'delivered' : delayMs === undefined ? 'failed' : 'pending',
        tries,
        atMs,
        nextAtMs: delayMs === undefined ? null : nowMs + delayMs,
        httpStatus: outcome.status ?? null,
        error: outcome.error ?? null,
        entry: entryOf(reply, atMs, ms),
      },
    })
    if (gone && !isCallbackLane(lane.lane)) {
      lane.gone = true
      lane.closing = true
    }
    // It asked for rest, or is probed only: what else there is waits for the next lease.
    if (lane.fare.resumeAtMs !== null) lane.closing = true
    finishItem(lane, item)
    scheduleFlush()
  }

  function finishItem(lane: Lane, { job, event_id }: Item): void {
    job.left.delete(event_id)
    if (job.left.size === 0) waiting.done.push({ lane, dueAt: job.dueAt, id: job.id })
  }

  function scheduleFlush(): void {
    if (flushing || flushTimer !== undefined) return
    flushTimer = setTimeout(() => void flush(), waiting.settled.length >= maxResults ? 0 : gatherMs)
  }

  /** Writes down what has come in, again and again until nothing is left. */
  async function flush(): Promise<void> {
    flushTimer = undefined
    if (flushing) return
    flushing = true
    try {
      while (await flushOnce());
    } catch (error) {
      log.error(
        { err: error, results: waiting.settled.length },
        'could not store what came of deliveries; trying again',
      )
      setTimeout(scheduleFlush, 1_000).unref()
    } finally {
      flushing = false
      if (lanes.size === 0) idle?.()
    }
  }

  async function flushOnce(): Promise<boolean> {
    const settled = takeResults(waiting.settled, maxResults)
    // A job is done when the last of its results is written: not before.
    const unwritten = new Set(waiting.settled.map(entry => entry.item.job))
    const done = waiting.done.filter(job => !unwritten.has(job.lane.jobs.get(job.id)!))
    const releasing = [...lanes].filter(
      lane =>
        lane.closing && lane.underWay === 0 && !lane.fetching && !waiting.settled.some(entry => entry.lane === lane),
    )
    if (settled.length === 0 && done.length === 0 && releasing.length === 0) return false
    waiting.done = waiting.done.filter(job => !done.includes(job))
    const touched = [...new Set([...settled.map(entry => entry.lane), ...done.map(job => job.lane), ...releasing])]
    const places = new Map(touched.map((lane, index) => [lane, index + 1]))
    const placeOf = (lane: Lane) => places.get(lane) as number
    const batch: Batch = {
      lanes: touched.map(lane => stateOf(lane, releasing.includes(lane))),
      results: settled.map(({ lane, result }) => ({ ...result, lane: placeOf(lane) })),
      done: done.map(job => ({ lane: placeOf(job.lane), dueAt: job.dueAt, id: job.id })),
      kept: releasing.flatMap(lane => keptJobs(lane, placeOf(lane), done)),
    }
    let finished: Awaited<ReturnType<typeof finishBatch>>
    try {
      finished = await finishBatch(db, batch, clock.now())
      crashPoint('webhooks.committed')
    } catch (error) {
      waiting.settled.unshift(...settled)
      waiting.done.unshift(...done)
      throw error
    }
    for (const job of done) job.lane.jobs.delete(job.id)
    const held = new Map(finished.map(lane => [lane.item, lane.notice]))
    for (const lane of touched) {
      if (!held.has(placeOf(lane))) lose(lane)
      else await tell(lane, held.get(placeOf(lane)) ?? null)
    }
    for (const lane of releasing) lanes.delete(lane)
    return true
  }

  /** The lease ran out, so another worker has the lane, or it was deleted: nothing of it is ours any more. */
  function lose(lane: Lane): void {
    if (!lanes.delete(lane)) return
    lane.closing = true
    lane.items = []
    waiting.settled = waiting.settled.filter(entry => entry.lane !== lane)
    waiting.done = waiting.done.filter(job => job.lane !== lane)
    log.warn({ lane: lane.lane, tenantId: lane.tenantId }, 'a lane of webhooks was lost; its deliveries are repeated')
  }

  async function tell(lane: Lane, notice: number | null): Promise<void> {
    try {
      if (lane.gone && lane.underWay === 0) {
        lane.gone = false
        await telling.gone(lane)
      } else if (notice !== null) {
        await telling.notice(lane, notice)
        if (notice >= 4) lane.closing = true
      }
    } catch (error) {
      // The next failure brings it up again.
      log.error({ err: error, lane: lane.lane, tenantId: lane.tenantId }, 'could not tell of a failing webhook')
    }
  }

  function scheduleFetch(ms: number): void {
    if (fetching) return
    if (fetchTimer !== undefined) {
      if (ms > 0) return
      clearTimeout(fetchTimer)
    }
    fetchTimer = setTimeout(() => void fetch(), ms)
  }

  async function fetch(): Promise<void> {
    fetchTimer = undefined
    if (fetching) return
    fetching = true
    let failed = false
    try {
      const nowMs = performance.now()
      closeOld(nowMs)
      await refreshTargets(nowMs)
      await fetchFor(
        [...lanes].filter(lane => isHungry(lane, nowMs)),
        nowMs,
      )
    } catch (error) {
      failed = true
      log.error({ err: error }, 'could not fetch deliveries; trying again')
    }
    fetching = false
    for (const lane of lanes) feed(lane)
    const nowMs = performance.now()
    if (failed) scheduleFetch(1_000)
    else if ([...lanes].some(lane => isHungry(lane, nowMs))) scheduleFetch(0)
    else if (lanes.size > 0) scheduleFetch(idleFetchMs)
  }

  function closeOld(nowMs: number): void {
    for (const lane of lanes) {
      const old = nowMs - lane.startedMs > tenureMs
      const unused = lane.drained && lane.jobs.size === 0 && nowMs - lane.activeMs > lingerMs
      if (old || unused || ending.signal.aborted) lane.closing = true
      if (lane.closing && lane.underWay === 0) scheduleFlush()
    }
  }

  function isHungry(lane: Lane, nowMs: number): boolean {
    if (lane.closing || lane.target === undefined || lane.items.length >= lowWater) return false
    return !lane.drained || nowMs - lane.fetchedMs >= idleFetchMs
  }

  async function refreshTargets(nowMs: number): Promise<void> {
    const all = nowMs - refreshedMs >= refreshMs
    const asked = [...lanes].filter(lane => !lane.closing && (all || lane.target === undefined))
    if (all) refreshedMs = nowMs
    if (asked.length === 0) return
    const rows = await findTargets(db, asked, clock.now())
    const found = new Map(rows.map(row => [row.item, row]))
    for (const [index, lane] of asked.entries()) {
      const row = found.get(index + 1)
      // Disabled or deleted meanwhile.
      if (row === undefined) lane.closing = true
      else aim(lane, row)
    }
  }

  function aim(lane: Lane, row: TargetRow): void {
    try {
      lane.target = targetOf(row, lane, pepper)
    } catch (error) {
      // Its secret was sealed by another installation: nothing can be signed until somebody rotates it.
      log.error({ err: error, lane: lane.lane, tenantId: lane.tenantId }, 'the secret of a webhook cannot be read')
      lane.fare = { ...lane.fare, resumeAtMs: clock.now() + 60_000 }
      lane.closing = true
    }
  }

  async function fetchFor(hungry: readonly Lane[], nowMs: number): Promise<void> {
    if (hungry.length === 0) return
    const asked = hungry.map(lane => ({ ...keyOfLane(lane), maxJobs: lane.maxJobs, recheck: lane.recheck }))
    const held = hungry.flatMap(lane => [...lane.jobs.keys()])
    for (const lane of hungry) lane.fetching = true
    try {
      const rows = await fetchJobs(db, asked, held, clock.now())
      const byLane = Map.groupBy(rows, row => row.item)
      for (const [index, lane] of hungry.entries()) {
        const own = byLane.get(index + 1) ?? []
        const before = new Set(lane.jobs.keys())
        addItems(lane, own)
        for (const job of lane.jobs.values())
          if (!before.has(job.id) && job.left.size === 0) waiting.done.push({ lane, dueAt: job.dueAt, id: job.id })
        lane.drained = own.length === 0
        lane.maxJobs = Math.min(lane.maxJobs * 2, slotsFor(lane.fare, lane.granted) > 1 ? maxJobsAhead : 1)
        lane.fetchedMs = nowMs
        // Something to do for what was only kept in case.
        if (own.length > 0 && waiting.done.length > 0) scheduleFlush()
      }
    } finally {
      for (const lane of hungry) lane.fetching = false
    }
  }

  return {
    take(rows, token) {
      const nowMs = performance.now()
      for (const row of rows) lanes.add(newLane(row, token, nowMs))
      scheduleFetch(0)
    },
    room: () => (ending.signal.aborted || calls >= maxCalls ? 0 : Math.max(0, maxLanes - lanes.size)),
    async close() {
      for (const lane of lanes) lane.closing = true
      const grace = setTimeout(() => ending.abort(), graceMs)
      const ended = new Promise<void>(resolve => {
        idle = resolve
      })
      scheduleFlush()
      if (lanes.size > 0) await Promise.race([ended, giveUp(graceMs + 3_000)])
      clearTimeout(grace)
      clearTimeout(fetchTimer)
      clearTimeout(flushTimer)
    },
  }
}

function giveUp(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}

function keyOfLane({ tenantId, lane }: Lane) {
  return { tenantId, lane }
}

/**
 * The first results, at most so many; a second one of the same delivery stays for the next batch, for one statement
 * cannot write a row twice.
 */
function takeResults(settled: Settled[], max: number): Settled[] {
  const taken: Settled[] = []
  const rest: Settled[] = []
  const seen = new Set<string>()
  for (const entry of settled.splice(0)) {
    const key = `${entry.lane.tenantId} ${entry.lane.lane} ${entry.result.eventId}`
    if (taken.length < max && !seen.has(key)) taken.push(entry)
    else rest.push(entry)
    seen.add(key)
  }
  settled.push(...rest)
  return taken
}

/** Jobs of which a part is done, with what is left of them. */
function keptJobs(lane: Lane, place: number, done: readonly JobKey[] | readonly { id: number }[]): KeptJob[] {
  const ended = new Set(done.map(job => job.id))
  return [...lane.jobs.values()]
    .filter(job => !ended.has(job.id) && job.left.size > 0 && job.left.size < job.total)
    .map(job => ({ lane: place, dueAt: job.dueAt, id: job.id, eventIds: [...job.left] }))
}

const headerList = [...Object.entries(fixedHeaders).flat(), 'accept-encoding', 'identity']

function outcomeOf(reply: OutboundReply, nowMs: number): Outcome {
  if (!reply.ok) return { error: reply.error }
  const header = reply.headers['retry-after']
  return { status: reply.status, retryAfterMs: parseRetryAfter(typeof header === 'string' ? header : undefined, nowMs) }
}

/** An attempt as the log keeps it. */
function entryOf(reply: OutboundReply, atMs: number, ms: number): string {
  const at = new Date(atMs).toISOString()
  if (!reply.ok) return `{"at":"${at}","ms":${ms},"error":"${reply.error}"}`
  const head = `{"at":"${at}","ms":${ms},"status":${reply.status}`
  const text = excerptOf(reply)
  return text === undefined ? `${head}}` : `${head},"reply":${JSON.stringify(text)}}`
}

/** The beginning of a reply, when it is text. */
function excerptOf({ body, cut }: Extract<OutboundReply, { ok: true }>): string | undefined {
  if (body.length === 0 || cut === 'encoded') return undefined
  // The last character may be cut in two.
  const text = body.toString('utf8', 0, replyBytes).replace(/\ufffd$/, '')
  return /[\0\ufffd]/.test(text) ? undefined : text
}
