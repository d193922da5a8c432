// Writes what happens on calls, in order and in batches: while one transaction of a tenant runs, the next gathers. What
// cannot be written waits; a database that is away for a while loses nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, isServerError, type Scope } from '../../kernel/db.ts'
import type { Log } from '../../kernel/log.ts'
import { receiveCallEvents } from './calls/index.ts'
import type { CallReport } from './calls/rules.ts'

export type Reporter = {
  /** Never throws and never waits. Numbers the reports of each call, so that none is written twice. */
  report(scope: Scope, report: Omit<CallReport, 'number'>): void
  /** Nothing more will be told of this call. */
  forget(callId: string): void
  /** Resolves when all that was reported so far is written. */
  flush(): Promise<void>
}

export type ReporterOptions = {
  db: Db
  log: Log
  /** Calls whose rows have ended, whoever ended them. */
  over(scope: Scope, callIds: readonly string[]): void
}

const mostReports = 200
const retryMs = 250

type Line = { scope: Scope; waiting: CallReport[]; work: Promise<void> | undefined }

export function createReporter({ db, log, over }: ReporterOptions): Reporter {
  const lines = new Map<number, Line>()
  const numbers = new Map<string, number>()

  async function write(scope: Scope, reports: readonly CallReport[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const received = await db.inTenant(scope, tx => receiveCallEvents(tx, scope, reports))
        if (received.over.length > 0) over(scope, received.over)
        return
      } catch (error) {
        if (tries === 1)
          log.warn({ err: error, reports: reports.length }, 'what happened on calls could not be written')
        if (isServerError(error) && tries > 3) return oneByOne(scope, reports, error)
        await sleep(Math.min(retryMs * tries, 2_000))
      }
    }
  }

  /** A report that the database refuses holds up nobody else. */
  async function oneByOne(scope: Scope, reports: readonly CallReport[], error: unknown): Promise<void> {
    if (reports.length > 1) for (const report of reports) await write(scope, [report])
    else log.error({ err: error, report: reports[0] }, 'what happened on a call was given up')
  }

  async function run(line: Line): Promise<void> {
    // All that this turn of the event loop tells goes together.
    await Promise.resolve()
    while (line.waiting.length > 0) await write(line.scope, line.waiting.splice(0, mostReports))
    line.work = undefined
    lines.delete(line.scope.tenantId)
  }

  return {
    report(scope, report) {
      let line = lines.get(scope.tenantId)
      if (line === undefined) {
        line = {
          scope: { tenantId: scope.tenantId, organizationId: scope.organizationId },
          waiting: [],
          work: undefined,
        }
        lines.set(scope.tenantId, line)
      }
      const number = (numbers.get(report.callId) ?? 0) + 1
      numbers.set(report.callId, number)
      line.waiting.push({ ...report, number })
      line.work ??= run(line)
    },
    forget: callId => void numbers.delete(callId),
    async flush() {
      await Promise.all([...lines.values()].map(line => line.work))
    },
  }
}
