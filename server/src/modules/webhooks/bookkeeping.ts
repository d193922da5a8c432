// Writes down what came of deliveries, of all lanes together and as soon as the last batch is written: many results share a
// commit, and none waits for a call that is still under way. A job is cleared away with the last of its results, and a lane
// given back when nothing of it is left here.

import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { crashPoint } from '../../kernel/values/crash_points.ts'
import { type Item, type Lane, stateOf } from './lane.ts'
import { noticeHours } from './rules.ts'
import { type Batch, finishBatch, type JobKey, type KeptJob, type Result } from './sender_store.ts'

/** What is decided about a lane's webhook, to be done in the tenant's own transaction. */
export type WebhookActions = {
  /** This address of it answered 410: it is gone. */
  disable(lane: Lane, url: string): Promise<void>
  /** It has been failing so long that a notice is due. */
  sendNotice(lane: Lane, notice: number): Promise<void>
}

export type Bookkeeper = {
  /** Keeps the result of an item until it is written. */
  note(lane: Lane, item: Item, result: Omit<Result, 'lane'>): void
  /** Says that there may be something to write, or a lane to give back. */
  wake(): void
  /** Results that are not written yet. */
  unwritten(): number
  /** Resolves when no lane is left. */
  emptied(): Promise<void>
}

type Noted = { lane: Lane; item: Item; result: Omit<Result, 'lane'> }

const maxResults = 250
const gatherMs = 10
const retryMs = 1_000

type Tools = Pick<Services, 'db' | 'log' | 'clock'>

/** @param lanes those in the hands of this process; lanes that were given back or lost are taken out */
export function createBookkeeper({ db, log, clock }: Tools, lanes: Set<Lane>, actions: WebhookActions): Bookkeeper {
  let noted: Noted[] = []
  let writing = false
  let timer: NodeJS.Timeout | undefined
  const waiting: (() => void)[] = []

  function wake(ms = noted.length >= maxResults ? 0 : gatherMs): void {
    if (writing || timer !== undefined) return
    timer = setTimeout(() => void write(), ms)
  }

  async function write(): Promise<void> {
    timer = undefined
    writing = true
    let pauseMs: number | undefined
    try {
      while (await writeBatch());
    } catch (error) {
      pauseMs = retryMs
      log.error({ err: error, results: noted.length }, 'could not store what came of deliveries; trying again')
    }
    writing = false
    if (pauseMs !== undefined) wake(pauseMs)
    if (lanes.size === 0) for (const resolve of waiting.splice(0)) resolve()
  }

  async function writeBatch(): Promise<boolean> {
    const taken = take()
    const releasing = [...lanes].filter(isReleasable)
    const ended = [...lanes].flatMap(endedJobs)
    if (taken.length === 0 && releasing.length === 0 && ended.length === 0) return false
    const touched = [...new Set([...taken, ...ended].map(entry => entry.lane).concat(releasing))]
    const places = new Map(touched.map((lane, index) => [lane, index + 1]))
    const placeOf = (lane: Lane) => places.get(lane) as number
    const batch: Batch = {
      lanes: touched.map(lane => stateOf(lane, releasing.includes(lane))),
      results: taken.map(({ lane, result }) => ({ ...result, lane: placeOf(lane) })),
      done: ended.map(({ lane, job }): JobKey => ({ lane: placeOf(lane), dueAt: job.dueAt, id: job.id })),
      kept: releasing.flatMap(lane => keptJobs(lane, placeOf(lane))),
    }
    const finished = await finishBatch(db, batch, clock.now()).catch(error => {
      putBack(taken)
      throw error
    })
    crashPoint('webhooks.committed')
    for (const { lane, job } of ended) lane.jobs.delete(job.id)
    const notices = new Map(finished.map(row => [row.item, row.notice]))
    for (const lane of touched) {
      const notice = notices.get(placeOf(lane))
      if (notice === undefined) lose(lane)
      else await act(lane, notice)
    }
    for (const lane of releasing) lanes.delete(lane)
    return true
  }

  /** The first results; a second one of the same delivery stays, for one statement cannot write a row twice. */
  function take(): Noted[] {
    const taken: Noted[] = []
    const again: Noted[] = []
    const seen = new Set<string>()
    let at = 0
    for (; at < noted.length && taken.length < maxResults; at++) {
      const entry = noted[at] as Noted
      const delivery = `${entry.lane.tenantId} ${entry.lane.lane} ${entry.result.eventId}`
      if (seen.has(delivery)) again.push(entry)
      else taken.push(entry)
      seen.add(delivery)
    }
    noted = [...again, ...noted.slice(at)]
    for (const { lane, item } of taken) {
      lane.unwritten--
      item.job.unwritten--
    }
    return taken
  }

  function putBack(taken: readonly Noted[]): void {
    noted = [...taken, ...noted]
    for (const { lane, item } of taken) {
      lane.unwritten++
      item.job.unwritten++
    }
  }

  /** The lease ran out and another worker has the lane, or it was deleted: nothing of it is ours any more. */
  function lose(lane: Lane): void {
    if (!lanes.delete(lane)) return
    lane.closing = true
    lane.items = []
    noted = noted.filter(entry => entry.lane !== lane)
    log.warn({ lane: lane.lane, tenantId: lane.tenantId }, 'a lane of webhooks was lost; its deliveries are repeated')
  }

  async function act(lane: Lane, notice: number | null): Promise<void> {
    try {
      if (lane.gone !== undefined && lane.underWay === 0) {
        const gone = lane.gone
        lane.gone = undefined
        await actions.disable(lane, gone)
      } else if (notice !== null) {
        await actions.sendNotice(lane, notice)
        if (notice === noticeHours.length) lane.closing = true
      }
    } catch (error) {
      // The next failure brings it up again.
      log.error(
        { err: error, lane: lane.lane, tenantId: lane.tenantId },
        'could not disable a failing webhook, or send its notice',
      )
    }
  }

  return {
    note(lane, item, result) {
      noted.push({ lane, item, result })
      lane.unwritten++
      item.job.unwritten++
      item.job.left.delete(item.event_id)
      wake()
    },
    wake: () => wake(),
    unwritten: () => noted.length,
    emptied: () => (lanes.size === 0 ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))),
  }
}

function isReleasable(lane: Lane): boolean {
  return lane.closing && lane.underWay === 0 && lane.unwritten === 0 && !lane.fetching
}

/** Jobs of which all is done and written. */
function endedJobs(lane: Lane) {
  return [...lane.jobs.values()].filter(job => job.left.size === 0 && job.unwritten === 0).map(job => ({ lane, job }))
}

/** Jobs of which a part is done, with what is left of them. */
function keptJobs(lane: Lane, place: number): KeptJob[] {
  return [...lane.jobs.values()]
    .filter(job => job.left.size > 0 && job.left.size < job.total)
    .map(job => ({ lane: place, dueAt: job.dueAt, id: job.id, eventIds: [...job.left] }))
}
