// The work behind calls: gives new calls to a voice node, passes on what was asked of calls it holds, and ends calls whose
// node has died.

import { type Scope, type Tx, withCommit } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import type { Tracer } from '../../../kernel/observe/tracing.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { findPoliciesOfCalls, isNothingToLeave, type Policy } from '../../destinations/index.ts'
import type { Call, CallReport, HangupCause } from '../call_records/index.ts'
import {
  type CallJob,
  claimCallJobs,
  type Dialed,
  delayJobs,
  inEachTenant,
  insertHangupJobs,
  insertLeases,
  type LostCall,
  leasedBy,
  listLostCalls,
  lockCalls,
  lockUndialed,
  markDialed,
  receiveCallEvents,
  removeJobs,
  takeCommands,
  takeLostLeases,
} from '../call_records/index.ts'
import { identityIn } from '../clients/index.ts'
import type { Admission, VoiceEngine } from '../engine/index.ts'
import { engineCall } from './dialed_call.ts'
import { type NodeOptions, VoiceNode } from './node.ts'
import { placeWaitMs } from './places.ts'
import { createUninterrupted } from './uninterrupted.ts'

const jobLeaseSeconds = 30
/** A call that waited longer is not dialled any more: nobody wants their phone to ring for what is long past. */
const dialWithinMs = 5 * 60_000
/** Of calls that were claimed together: how many tenants' are marked at a time. Each takes a connection, of which requests need some. */
const tenantsAtOnce = 3
/** How long the owner of calls may be silent before they count as lost; it beats every 10 s. */
export const ownerSilenceSeconds = 30

type Tools = Pick<Services, 'db' | 'log' | 'clock'> & {
  node: VoiceNode
  nowMs: number
  token: string
  /** Calls of others whose remote party is being ended. */
  ending: Set<string>
}

/** Queue `call_jobs`: a voice node at work. Its end waits for the calls it holds. */
export function carryCalls(options: NodeOptions): QueueMaker {
  return services => {
    const { db, log, clock } = services
    const node = new VoiceNode(services, options)
    const engines = node.engines.all.map(engine => engine.name)
    const ending = new Set<string>()
    return {
      name: 'call_jobs',
      pollMs: 100,
      async claim(token, limit) {
        await node.ready()
        const mayDial = !node.isDraining
        return claimCallJobs(db, {
          token,
          limit,
          leaseSeconds: jobLeaseSeconds,
          engines,
          holder: node.owner,
          mayDial,
        })
      },
      async work(rows: CallJob[], token: string) {
        const tools = { db, log, clock, node, token, ending, nowMs: clock.now() }
        const { originate = [], hangup = [], command = [] } = Object.groupBy(rows, row => row.kind)
        const faults = await Promise.all([
          traced(services.tracer, originate, () => dial(tools, originate)),
          hangUp(tools, hangup),
          deliverCommands(tools, command),
        ])
        for (const fault of faults.flat()) throw fault
      },
      draining: () => node.drain(),
      closed: () => node.close(),
    }
  }
}

/** Dialling calls that were claimed together, as a span. */
async function traced<T>(tracer: Tracer, jobs: readonly CallJob[], work: () => Promise<T>): Promise<T> {
  if (!tracer.isOn || jobs.length === 0) return work()
  const ids = jobs.slice(0, 20).map(job => job.call_id)
  const span = tracer.begin('calls.dial', {
    kind: 'consumer',
    of: ids[0],
    attributes: { 'tandem.call_ids': ids.join(' '), 'tandem.calls': jobs.length },
  })
  try {
    return await tracer.within(span, work)
  } finally {
    span.end()
  }
}

/** Answers the faults of what could not be tried; those jobs come back when their lease ends. */
async function dial(tools: Tools, jobs: readonly CallJob[]): Promise<unknown[]> {
  const { db } = tools
  // Each tenant's are dialled as soon as they are marked: a hang-up must not find them marked and not begun.
  const { faults } = await inEachTenant(db, jobs, (tx, scope, group) => markDue(tx, scope, tools, group), {
    committed: due => handOver(tools, due),
    atOnce: tenantsAtOnce,
  })
  return faults
}

/** Marks those calls as dialled that may go now. What is answered is to be handed over once the transaction has committed. */
async function markDue(tx: Tx, scope: Scope, tools: Tools, group: readonly CallJob[]) {
  const { node, token, nowMs } = tools
  const { mode } = group[0] as CallJob
  // All at once: in two steps, they would be locked in an order that another transaction may take differently.
  const [locked, isHeld, policies] = await Promise.all([
    lockUndialed(tx, scope, idsOf(group)),
    isNothingToLeave(tx, scope),
    findPoliciesOfCalls(tx, scope, idsOf(group)),
  ])
  const lateIds = new Set(idsOf(group.filter(job => isLate(job, nowMs))))
  const { true: late = [], false: undialed = [] } = Object.groupBy(locked, ({ id }) => String(lateIds.has(id)))
  await receiveCallEvents(tx, scope, endedReports(idsOfCalls(late), 'dial_expired', nowMs))
  const admitted: Admitted[] = []
  const carrier = (call: Call) => node.engines.inside(call.to_number) ?? carriedBy(call)
  for (const [by, calls] of Map.groupBy(undialed, carrier)) {
    const engine = typeof by === 'string' ? await node.engines.carrying(tx, scope, mode, by) : by
    admitted.push({
      engine,
      ...(await admit(tx, scope, { ...tools, engine, mode, isHeld, policies, undialed: calls })),
    })
  }
  const delays = admitted.flatMap(part => part.delays)
  const ids = admitted.flatMap(({ going }) => going.map(({ id }) => id))
  const waiting = new Set(delays.map(delay => delay.callId))
  const done = idsOf(group).filter(callId => !waiting.has(callId))
  const marked = withCommit(
    Promise.all([
      Promise.all(admitted.map(part => mark(tx, scope, tools, part))),
      // What was asked of a call before it was dialled.
      takeCommands(tx, scope, ids),
      delayJobs(tx, scope, token, 'originate', delays),
      removeJobs(tx, scope, token, done, 'originate'),
    ]),
  )
  if (ids.length > 0) crashPoint('dial.marked')
  return { scope, mode, marked }
}

/** Dials what was marked. One call that fails holds up no other: all are marked, and nobody would dial the rest. */
async function handOver(
  { node, log }: Tools,
  { scope, mode, marked }: Awaited<ReturnType<typeof markDue>>,
): Promise<void> {
  const attempt = (callId: string, act: () => void) => {
    try {
      act()
    } catch (error) {
      log.error({ err: error, call: callId }, 'a call that was marked as dialled failed')
    }
  }
  const [handed, commands] = await marked
  if (handed.some(({ calls }) => calls.length > 0)) crashPoint('dial.committed')
  for (const { engine, calls } of handed)
    for (const call of calls) attempt(call.id, () => node.dial({ scope, mode, engine, call }))
  for (const { call_id, id, command } of commands) attempt(call_id, () => node.command(call_id, id, command))
}

function idsOf(rows: readonly { call_id: string }[]): string[] {
  return rows.map(row => row.call_id)
}

function idsOfCalls(calls: readonly Call[]): string[] {
  return calls.map(call => call.id)
}

function isLate(job: CallJob, nowMs: number): boolean {
  return nowMs - Date.parse(job.created_at) > dialWithinMs
}

/** What carries a call by the address it goes to. */
function carriedBy({ to_number }: Call): 'trunk' | 'client' {
  return identityIn(to_number) === undefined ? 'trunk' : 'client'
}

type Admitted = {
  engine: VoiceEngine
  going: Dialed[]
  delays: { callId: string; ms: number }[]
}

/** Marks calls as dialled by their engine, and as held by this node. */
async function mark(tx: Tx, scope: Scope, { node, clock }: Tools, { engine, going }: Admitted) {
  const ids = going.map(({ id }) => id)
  const [calls] = await Promise.all([
    // Now, not when the work started: it may have waited for its turn at a trunk.
    markDialed(tx, scope, going, engine.name, isoMs(clock.now())),
    insertLeases(tx, scope, engine.name, node.owner, ids),
  ])
  return { engine, calls }
}

type Admitting = Tools & {
  engine: VoiceEngine
  mode: 'live' | 'test'
  /** Nothing leaves for the organization. */
  isHeld: boolean
  policies: readonly Policy[]
  undialed: readonly Call[]
}

/** Which of these locked calls the engine has room for, and which are to wait. */
async function admit(tx: Tx, scope: Scope, { engine, mode, node, isHeld, policies, undialed, nowMs }: Admitting) {
  const fits = (call: Call) => !isHeld && (engine.virtual || call.simulated === null)
  // A simulated caller has no place on a real network, which came in between.
  const misplaced = undialed.filter(call => !fits(call))
  const holder = { tenantId: scope.tenantId, mode }
  const { true: waiting = [], false: crowded = [] } = Object.groupBy(undialed.filter(fits), call =>
    String(node.places.take(call.id, holder)),
  )
  await receiveCallEvents(tx, scope, endedReports(idsOfCalls(misplaced), isHeld ? 'congestion' : 'network', nowMs))
  const admissions =
    waiting.length === 0
      ? []
      : await engine.prepare(
          tx,
          scope,
          waiting.map(call => engineCall(call)),
          mode,
          policies,
        )
  const admitted = waiting.map((call, index) => ({ call, admission: admissions[index] as Admission }))
  for (const { call, admission } of admitted) if (admission.type !== 'dial') node.places.give(call.id)
  const refused = admitted.flatMap(({ call, admission }) =>
    admission.type === 'refuse' ? endedReports([call.id], admission.cause, nowMs) : [],
  )
  await receiveCallEvents(tx, scope, refused)
  return {
    going: admitted.flatMap(({ call, admission }) =>
      admission.type === 'dial' ? [{ id: call.id, ...admission }] : [],
    ),
    delays: [
      ...crowded.map(({ id }) => ({ callId: id, ms: placeWaitMs })),
      ...admitted.flatMap(({ call, admission }) =>
        admission.type === 'wait' ? [{ callId: call.id, ms: admission.ms }] : [],
      ),
    ],
  }
}

function endedReports(callIds: readonly string[], cause: HangupCause, atMs: number): CallReport[] {
  return callIds.map(callId => ({ callId, atMs, event: { type: 'ended', cause, by: 'system' } }))
}

async function hangUp(tools: Tools, jobs: readonly CallJob[]): Promise<unknown[]> {
  const { db, node, token } = tools
  const { true: held = [], false: stranded = [] } = Object.groupBy(jobs, job =>
    String(node.held(job.call_id) !== undefined),
  )
  for (const job of held) node.drop(job.call_id)
  // A remote party that cannot be reached takes half a minute: nobody waits for it.
  for (const job of stranded) void endStranded(tools, job)
  const removed = await inEachTenant(db, held, (tx, scope, group) =>
    removeJobs(tx, scope, token, idsOf(group), 'hangup'),
  )
  return removed.faults
}

/** Ends the remote party of a call whose process is gone. Its job comes back until that is done. */
async function endStranded({ db, log, node, token, ending }: Tools, job: CallJob): Promise<void> {
  const { call_id: callId } = job
  if (ending.has(callId)) return
  ending.add(callId)
  try {
    const ref = { tenantId: job.tenant_id, organizationId: job.organization_id, callId }
    await node.engines.named(job.engine ?? '')?.endStranded(ref)
    crashPoint('stranded.ended')
    await db.inTenant(ref, tx => removeJobs(tx, ref, token, [callId], 'hangup'))
  } catch (error) {
    log.warn({ err: error, call: callId }, 'the remote party of a call could not be ended; it is tried again')
  } finally {
    ending.delete(callId)
  }
}

/** How long a command waits for a call that this node has taken and not started with. */
const notStartedMs = 200

/**
 * Commands are carried out as soon as they are read, which they are once, and go with their jobs: where the transaction fails, or nobody
 * knows whether it committed, the job comes back. Those of calls that nobody holds any more go too: such calls are over, or about to be
 * ended.
 */
async function deliverCommands({ db, node, token }: Tools, jobs: readonly CallJob[]): Promise<unknown[]> {
  const { faults } = await inEachTenant(db, jobs, async (tx, scope, group) => {
    const ids = idsOf(group)
    const notHeld = ids.filter(id => node.held(id) === undefined)
    // Before their jobs, as everybody does who asks for something; and so that nobody ends them meanwhile.
    const [, waiting] = await Promise.all([lockCalls(tx, scope, ids), leasedBy(tx, scope, node.owner, notHeld)])
    const delays = [...waiting].map(callId => ({ callId, ms: notStartedMs }))
    await delayJobs(tx, scope, token, 'command', delays)
    const due = ids.filter(id => !waiting.has(id))
    await removeJobs(tx, scope, token, due, 'command')
    for (const { call_id, id, command } of await takeCommands(tx, scope, due)) node.command(call_id, id, command)
  })
  return faults
}

/**
 * Queue `call_leases`: calls whose owner has been silent for 30 s fail as `node_lost`, as of its last heartbeat. Silence counts only where
 * the database could be reached, and written, for as long: else nobody was heard, and those who live beat before anyone is given up.
 */
export const endLostCalls: QueueMaker = ({ db, log, wake, clock }) => {
  const silenceMs = ownerSilenceSeconds * 1_000
  const reached = createUninterrupted(() => clock.now(), silenceMs / 2)
  return {
    name: 'call_leases',
    lanes: 1,
    pollMs: 5_000,
    async claim(_token, limit) {
      const rows = await listLostCalls(db, ownerSilenceSeconds, limit).catch(error => {
        reached.failed()
        throw error
      })
      return reached.succeeded() < silenceMs ? [] : rows
    },
    async work(rows: LostCall[]) {
      const { results, faults } = await inEachTenant(db, rows, endLost)
      crashPoint('lost.committed')
      log.warn({ calls: results.reduce((sum, count) => sum + count, 0) }, 'ended calls of a process that went silent')
      wake('call_jobs')
      if (faults.length === 0) return
      reached.failed()
      throw faults[0]
    },
  }
}

async function endLost(tx: Tx, scope: Scope, group: readonly LostCall[]): Promise<number> {
  // The calls before their leases, as everybody takes them who ends a call.
  await lockCalls(tx, scope, idsOf(group))
  const taken = await takeLostLeases(tx, scope, ownerSilenceSeconds, idsOf(group))
  const ends = taken.flatMap(lease => endedReports([lease.call_id], 'node_lost', Date.parse(lease.heartbeat_at)))
  const { over } = await receiveCallEvents(tx, scope, ends)
  if (over.length > 0) await insertHangupJobs(tx, scope, await lockCalls(tx, scope, over))
  crashPoint('lost.taken')
  return ends.length
}
