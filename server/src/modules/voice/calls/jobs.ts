// The work behind calls: gives new calls to an engine, asks engines to hang up, and ends calls whose owner has died.
import type { QueueMaker } from '../../../kernel/background.ts'
import { isoMs } from '../../../kernel/clock.ts'
import type { Db, Scope, Tx } from '../../../kernel/db.ts'
import type { Log } from '../../../kernel/log.ts'
import type { EngineCall, VoiceEngine, VoiceEngineMaker } from '../engine.ts'
import { inEachTenant, receiveCallEvents } from './index.ts'
import type { Call, CallReport, HangupCause } from './rules.ts'
import {
  type CallJob,
  claimCallJobs,
  insertHangupJobs,
  insertLeases,
  type LostCall,
  listLostCalls,
  lockCalls,
  markDialed,
  removeJobs,
  takeLostLeases,
} from './store.ts'

const jobLeaseSeconds = 30
/** A call that waited longer is not dialled any more: nobody wants their phone to ring for what is long past. */
const dialWithinMs = 5 * 60_000
/** How long the owner of calls may be silent before they count as lost; it beats every 10 s. */
export const ownerSilenceSeconds = 30

type Tools = { db: Db; log: Log; engines: readonly VoiceEngine[] }

/**
 * Queue `call_jobs`: dials new calls and hangs up ended ones. Live calls go to the first engine that reaches the world,
 * and to the virtual handset while there is none; test calls always to the virtual one.
 */
export function carryCalls(makers: readonly VoiceEngineMaker[]): QueueMaker {
  return services => {
    const { db, log, clock } = services
    const engines = makers.map(make => make(services))
    const names = engines.map(engine => engine.name)
    const tools = { db, log, engines }
    return {
      name: 'call_jobs',
      claim: (token, limit) => claimCallJobs(db, token, limit, jobLeaseSeconds, names),
      async work(rows: CallJob[], token: string) {
        const { originate = [], hangup = [] } = Object.groupBy(rows, row => row.kind)
        const faults = await dial(tools, originate, token, clock.now())
        faults.push(...(await hangUp(tools, hangup, token)))
        if (faults.length > 0) throw faults[0]
      },
    }
  }
}

/** Answers the faults of what could not be tried; those jobs come back when their lease ends. */
async function dial(tools: Tools, jobs: readonly CallJob[], token: string, nowMs: number): Promise<unknown[]> {
  const { db, log, engines } = tools
  const { results, faults } = await inEachTenant(db, jobs, async (tx, scope, group) => {
    const { true: late = [], false: due = [] } = Object.groupBy(group, job => String(isLate(job, nowMs)))
    const engine = engineFor(engines, (group[0] as CallJob).mode)
    await receiveCallEvents(tx, scope, endedReports(idsOf(late), 'dial_expired', nowMs))
    const calls = due.length === 0 ? [] : await handOver(tx, scope, engine, idsOf(due), nowMs)
    await removeJobs(tx, scope, token, idsOf(group), 'originate')
    return { scope, engine, calls }
  })
  for (const { scope, engine, calls } of results) {
    if (calls.length === 0) continue
    try {
      await engine.originate(scope, calls)
    } catch (error) {
      log.error({ engine: engine.name, err: error, calls: calls.length }, 'an engine failed to dial')
      const ids = calls.map(call => call.callId)
      const ends = endedReports(ids, 'network', nowMs)
      await db.inTenant(scope, tx => endAndHangUp(tx, scope, ends)).catch(fault => faults.push(fault))
    }
  }
  return faults
}

function idsOf(rows: readonly { call_id: string }[]): string[] {
  return rows.map(row => row.call_id)
}

function isLate(job: CallJob, nowMs: number): boolean {
  return nowMs - Date.parse(job.created_at) > dialWithinMs
}

/** Marks calls as the engine's, which stores what it needs; those canceled or dialled before are left out. */
async function handOver(tx: Tx, scope: Scope, engine: VoiceEngine, ids: readonly string[], nowMs: number) {
  const calls = (await markDialed(tx, scope, ids, engine.name, isoMs(nowMs))).map(engineCall)
  if (calls.length === 0) return calls
  const taken = calls.map(call => call.callId)
  if (engine.owner !== null) await insertLeases(tx, scope, engine.name, engine.owner, taken)
  await engine.prepare(tx, scope, calls)
  return calls
}

/** Ends calls for which their engine cannot speak, and asks it to end the far side. */
async function endAndHangUp(tx: Tx, scope: Scope, reports: readonly CallReport[]): Promise<void> {
  const { over } = await receiveCallEvents(tx, scope, reports)
  if (over.length > 0) await insertHangupJobs(tx, scope, await lockCalls(tx, scope, over))
}

function endedReports(callIds: readonly string[], cause: HangupCause, atMs: number): CallReport[] {
  return callIds.map(callId => ({ callId, atMs, happening: { type: 'ended', cause, by: 'system' } }))
}

/** @throws Error when the process has no engine that may carry calls of this mode */
export function engineFor(engines: readonly VoiceEngine[], mode: 'live' | 'test'): VoiceEngine {
  const virtual = engines.find(engine => engine.virtual)
  const engine = mode === 'live' ? (engines.find(candidate => !candidate.virtual) ?? virtual) : virtual
  if (engine === undefined) throw new Error(`no voice engine carries ${mode} calls`)
  return engine
}

function engineCall(call: Call): EngineCall {
  return {
    callId: call.id,
    from: call.from_number,
    to: call.to_number,
    callerName: call.caller_name,
    timeoutSeconds: call.timeout_seconds,
    timeLimitSeconds: call.time_limit_seconds,
  }
}

async function hangUp({ db, engines }: Tools, jobs: readonly CallJob[], token: string): Promise<unknown[]> {
  const faults: unknown[] = []
  const done: CallJob[] = []
  for (const job of jobs) {
    try {
      const engine = engines.find(candidate => candidate.name === job.engine)
      await engine?.hangup({ tenantId: job.tenant_id, organizationId: job.organization_id, callId: job.call_id })
      done.push(job)
    } catch (error) {
      faults.push(error)
    }
  }
  const removed = await inEachTenant(db, done, (tx, scope, group) =>
    removeJobs(tx, scope, token, idsOf(group), 'hangup'),
  )
  return [...faults, ...removed.faults]
}

/** Queue `call_leases`: calls whose owner has been silent for 30 s fail as `node_lost`, as of its last heartbeat. */
export const endLostCalls: QueueMaker = ({ db, log, wake }) => ({
  name: 'call_leases',
  lanes: 1,
  pollMs: 5_000,
  claim: (_token, limit) => listLostCalls(db, ownerSilenceSeconds, limit),
  async work(rows: LostCall[]) {
    const { results, faults } = await inEachTenant(db, rows, async (tx, scope, group) => {
      const taken = await takeLostLeases(tx, scope, ownerSilenceSeconds, idsOf(group))
      const ends = taken.flatMap(lease => endedReports([lease.call_id], 'node_lost', Date.parse(lease.heartbeat_at)))
      await endAndHangUp(tx, scope, ends)
      return ends.length
    })
    log.warn({ calls: results.reduce((sum, count) => sum + count, 0) }, 'ended calls of a process that went silent')
    wake('call_jobs')
    if (faults.length > 0) throw faults[0]
  },
})
