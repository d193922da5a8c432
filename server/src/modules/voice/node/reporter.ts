// Writes what happens on calls, in order and in batches: while one transaction of a tenant runs, the next gathers. What
// cannot be written waits; a database that is away for a while loses nothing. What it refuses is written with less, so that
// whatever a remote party says, a call that is over ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Db, isServerError, type Scope } from '../../../kernel/data/db.ts'
import type { Log } from '../../../kernel/observe/log.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { storableJson } from '../../../kernel/values/storable_json.ts'
import type { CallEvent, CallReport, Details } from '../call_records/index.ts'
import { receiveCallEvents } from '../call_records/index.ts'

export type Reporter = {
  /** Never throws and never waits. Numbers the reports of each call, so that none is written twice. */
  report(scope: Scope, report: Omit<CallReport, 'number'>): void
  /** Nothing more will be reported of this call. */
  forget(callId: string): void
  /** Resolves when all that was reported so far is written. */
  flush(): Promise<void>
}

export type ReporterOptions = {
  db: Db
  log: Log
  /** Calls whose rows have ended, no matter who ended them. */
  over(scope: Scope, callIds: readonly string[]): void
}

const maxReports = 200
/** The next transaction of a tenant begins so long after the one before: on a busy node each carries several reports, on an idle one none waits. */
const gatherMs = 20
const retryMs = 250

/** Words of remote parties and of the world may hold what PostgreSQL does not take in a text. */
function storable(event: CallEvent): CallEvent {
  if (event.type !== 'noted' || event.details === null) return event
  return { ...event, details: JSON.parse(storableJson(event.details)) as Details }
}

/** Of what the database refuses, such as for a deadlock. An end is tried on: nothing else would report it. */
const maxTries = 4

/** Faults that stay when it is tried again: what the report itself holds. */
function isPoison(error: unknown): boolean {
  if (isServerError(error)) return /^(22|23|42)/.test(error.code ?? '')
  return error instanceof TypeError || error instanceof RangeError
}

/** The database as a whole cannot write: its disk is full, it starts or stops, its files fail. */
function isAway(error: unknown): boolean {
  return isServerError(error) && /^(53|57P|58)/.test(error.code ?? '')
}

/** No more than what the state of the call needs. */
function bareOf(event: CallEvent): CallEvent | undefined {
  switch (event.type) {
    case 'ringing':
    case 'answered':
      return { type: event.type }
    case 'ended':
      return { type: 'ended', cause: event.cause, by: event.by }
    default:
      return undefined
  }
}

const barestEnd: CallEvent = { type: 'ended', cause: 'network', by: 'system' }

/** What to write in place of a report that was refused: less of it each time; undefined when nothing is left. */
function lessOf({ event, atMs, ...report }: CallReport): CallReport | undefined {
  const bare = bareOf(event)
  const at = Number.isFinite(atMs) ? atMs : 0
  if (bare === undefined || isDeepStrictEqual(event, barestEnd)) return undefined
  if (at !== atMs || !isDeepStrictEqual(bare, event)) return { ...report, atMs: at, event: bare }
  return event.type === 'ended' ? { ...report, atMs, event: barestEnd } : undefined
}

function passing(reports: readonly CallReport[], place: 'known' | 'committed'): void {
  for (const { event } of reports) {
    if (event.type === 'answered') crashPoint(`answer.${place}`)
    if (event.type === 'ended') crashPoint(`end.${place}`)
  }
}

type TenantQueue = { scope: Scope; waiting: CallReport[]; work: Promise<void> | undefined }

const emptyQueue = ({ tenantId, organizationId }: Scope): TenantQueue => ({
  scope: { tenantId, organizationId },
  waiting: [],
  work: undefined,
})

export function createReporter({ db, log, over }: ReporterOptions): Reporter {
  const queues = new Map<number, TenantQueue>()
  const numbers = new Map<string, number>()

  async function write(scope: Scope, reports: readonly CallReport[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        passing(reports, 'known')
        const received = await db.inTenant(scope, tx => receiveCallEvents(tx, scope, reports))
        passing(reports, 'committed')
        return reportOver(scope, received.over)
      } catch (error) {
        if (tries === 1)
          log.warn({ err: error, reports: reports.length }, 'what happened on calls could not be written')
        const isEnd = reports.length === 1 && reports[0]?.event.type === 'ended'
        const isRefused = isServerError(error) && !isAway(error) && !isEnd && tries >= maxTries
        if (isPoison(error) || isRefused) return splitUp(scope, reports, error)
        await sleep(Math.min(retryMs * tries, 2_000))
      }
    }
  }

  /** Reports that cannot be written hold up no others: each call's are written apart, then each by itself. */
  async function splitUp(scope: Scope, reports: readonly CallReport[], error: unknown): Promise<void> {
    const calls = [...Map.groupBy(reports, report => report.callId).values()]
    if (calls.length > 1) for (const group of calls) await write(scope, group)
    else if (reports.length > 1) for (const report of reports) await write(scope, [report])
    else await writeLess(scope, reports[0] as CallReport, error)
  }

  async function writeLess(scope: Scope, report: CallReport, error: unknown): Promise<void> {
    const less = lessOf(report)
    if (less === undefined) log.error({ err: error, report }, 'what happened on a call was given up')
    else {
      log.error({ err: error, report, instead: less.event }, 'what happened on a call was refused, and written shorter')
      await write(scope, [less])
    }
  }

  function reportOver(scope: Scope, callIds: readonly string[]): void {
    try {
      if (callIds.length > 0) over(scope, callIds)
    } catch (error) {
      // What was written is not to be written again.
      log.error({ err: error }, 'a call that is over could not be ended')
    }
  }

  async function run(queue: TenantQueue): Promise<void> {
    // All that this turn of the event loop reports goes together.
    await Promise.resolve()
    while (queue.waiting.length > 0)
      await Promise.all([
        write(queue.scope, queue.waiting.splice(0, maxReports)),
        sleep(gatherMs, undefined, { ref: false }),
      ])
    queue.work = undefined
    queues.delete(queue.scope.tenantId)
  }

  return {
    report(scope, report) {
      const queue = queues.getOrInsertComputed(scope.tenantId, () => emptyQueue(scope))
      const number = (numbers.get(report.callId) ?? 0) + 1
      numbers.set(report.callId, number)
      queue.waiting.push({ ...report, event: storable(report.event), number })
      queue.work ??= run(queue)
    },
    forget: callId => void numbers.delete(callId),
    async flush() {
      await Promise.all([...queues.values()].map(queue => queue.work))
    },
  }
}
