// For tests of calls and of the engines that carry them: runs queues on a test application, makes calls, waits for
// them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../src/kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../src/kernel/jobs/background.ts'
import { type Queue, startQueue } from '../../src/kernel/jobs/queue.ts'
import { newId } from '../../src/kernel/values/ids.ts'
import { receiveCallEvents } from '../../src/modules/voice/call_records/receive.ts'
import type { CallEvent, CallState } from '../../src/modules/voice/call_records/rules.ts'
import { endLostCalls, ownerSilenceSeconds } from '../../src/modules/voice/node/jobs.ts'
import type { TestApp } from '../harness.ts'

/** What GET /v2/voice/calls/{callId} answers, as far as tests look into it. */
export type SeenCall = {
  callId: string
  state: string
  hangupCause: string | null
  hangupBy: string | null
  errorCode: string | null
  sipCode: number | null
  q850: number | null
  answeredBy: string | null
  simulated: boolean
  earlyMedia: boolean
  ringSeconds: number | null
  durationSeconds: number | null
  billableSeconds: number | null
  createdAt: string
  dialedAt: string | null
  ringingAt: string | null
  answeredAt: string | null
  endedAt: string | null
  history: { sequence: number; type: string; at: string; state: string; details: Record<string, unknown> | null }[]
}

export type RunningQueues = { services: Services; stop(): Promise<void> }

/** Starts queues beside a test application, polling often so that a test need not wait. */
export function startQueues(t: TestApp, makers: readonly QueueMaker[], pollMs = 20): RunningQueues {
  const queues = new Map<string, Queue>()
  const services: Services = { ...t.app.services, wake: name => queues.get(name)?.wake() }
  for (const make of makers) {
    const options = { ...make(services), pollMs }
    queues.set(options.name, startQueue(options, { log: services.log, newToken: () => newId('lse') }))
  }
  return { services, stop: async () => void (await Promise.all([...queues.values()].map(queue => queue.stop()))) }
}

/** `endLostCalls` of a worker that has been there, and has had the database, for longer than calls may be silent. */
export async function patientWatch(t: TestApp): Promise<ReturnType<QueueMaker>> {
  let nowMs = 0
  const queue = endLostCalls({ ...t.app.services, clock: { now: () => nowMs } })
  for (; nowMs <= ownerSilenceSeconds * 1_000; nowMs += 10_000) await queue.claim('', 0)
  return queue
}

/** Starts a call and answers its id. */
export async function startCall(
  t: TestApp,
  to: string,
  more: Record<string, unknown> = {},
  as = t.main.testKey,
): Promise<string> {
  const { status, json } = await t.call('POST', '/v2/voice/calls', { as, body: { from: '+15550100001', to, ...more } })
  if (status !== 200) throw new Error(`the call was refused: ${JSON.stringify(json)}`)
  return json.data.callId
}

export async function seeCall(t: TestApp, callId: string, as = t.main.testKey): Promise<SeenCall> {
  const { status, json } = await t.call('GET', `/v2/voice/calls/${callId}`, { as })
  if (status !== 200) throw new Error(`the call cannot be read: ${JSON.stringify(json)}`)
  return json.data
}

/** The call as soon as it is in one of these states; an error that shows its history when that takes too long. */
export async function callIn(
  t: TestApp,
  callId: string,
  states: readonly string[],
  as = t.main.testKey,
  timeoutMs = 10_000,
): Promise<SeenCall> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const call = await seeCall(t, callId, as)
    if (states.includes(call.state)) return call
    if (performance.now() > deadline) throw new Error(`still ${call.state}: ${JSON.stringify(call.history)}`)
    await sleep(10)
  }
}

/** Rows that would keep a call alive or be left over from it: of a finished call there must be none. */
export async function leftovers(t: TestApp, callId: string): Promise<number> {
  const rows = await t.ownerSql<{ count: number }>(
    `select (select count(*) from call_jobs where call_id = $1) + (select count(*) from call_leases where call_id = $1)
          + (select count(*) from call_commands where call_id = $1) as count`,
    [callId],
  )
  return rows[0]?.count ?? 0
}
/** Reports events of one call of the test mode, as an engine would. */
export function reportEvents(t: TestApp, callId: string, events: readonly CallEvent[], atMs = t.clock.now()) {
  const scope = { tenantId: t.main.testTenantId, organizationId: t.main.organizationId }
  const reports = events.map(event => ({ callId, atMs, event }))
  return t.app.services.db.inTenant(scope, tx => receiveCallEvents(tx, scope, reports))
}

/** What leads to each state. */
export const waysTo: Record<CallState, CallEvent[]> = {
  initiated: [],
  ringing: [{ type: 'ringing' }],
  answered: [{ type: 'ringing' }, { type: 'answered' }],
  completed: [{ type: 'answered' }, { type: 'ended', cause: 'normal', by: 'callee' }],
  busy: [{ type: 'ended', cause: 'user_busy', by: 'callee' }],
  no_answer: [{ type: 'ringing' }, { type: 'ended', cause: 'no_answer', by: 'system' }],
  rejected: [{ type: 'ended', cause: 'declined', by: 'callee' }],
  failed: [{ type: 'ended', cause: 'unallocated', by: 'carrier' }],
  canceled: [{ type: 'ended', cause: 'canceled', by: 'caller' }],
}
