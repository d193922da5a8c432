// What engines and other modules may use of calls: reporting what happened to them, and keeping the ones an engine holds.
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { listWaiting } from './history_store.ts'
import { type Call, type CallReport, type CallStep, isLive, leavesQueue, nextCall } from './rules.ts'
import { changeCalls, lockCalls } from './store.ts'

/** What became of a batch of reports. */
export type Received = {
  /** How many changed their call; the others came too late or could not happen. */
  applied: number
  /** Calls of the batch that are over: an engine drops what it still holds of them. */
  over: string[]
}

/**
 * Takes what an engine reports of calls of one tenant, in order, within a transaction of that tenant: states move, events
 * are written, nothing is applied to a call that is over. What the engine writes in the same transaction
 * commits with it.
 */
export async function receiveCallEvents(tx: Tx, scope: Scope, reports: readonly CallReport[]): Promise<Received> {
  if (reports.length === 0) return { applied: 0, over: [] }
  const before = await lockCalls(tx, scope, [...new Set(reports.map(report => report.callId))])
  const now = new Map<string, Call>(before.map(call => [call.id, call]))
  const steps: CallStep[] = []
  function take(call: Call, { event, atMs, number }: Pick<CallReport, 'event' | 'atMs' | 'number'>): void {
    const step = nextCall(call, event, atMs)
    if (step === undefined) return
    if (number !== undefined) step.call.reported = number
    now.set(call.id, step.call)
    steps.push(step)
  }
  const waiting = await waitingOf(tx, scope, before, reports)
  for (const report of reports) {
    const { callId, atMs, number } = report
    const waits = isForeignEnd(report) ? waiting.get(callId) : undefined
    const call = now.get(callId)
    if (call === undefined || (number !== undefined && number <= call.reported)) continue
    if (waits !== undefined) take(call, { event: leavesQueue(waits, atMs), atMs })
    take(now.get(callId) ?? call, report)
  }
  await changeCalls(tx, scope, before, steps)
  return { applied: steps.length, over: [...now.values()].filter(call => !isLive(call)).map(call => call.id) }
}

/** The process that holds a call reports itself what it waits in, before its end; others know of that by its history alone. */
const isForeignEnd = ({ event, number }: CallReport) => event.type === 'ended' && number === undefined

async function waitingOf(tx: Tx, scope: Scope, calls: readonly Call[], reports: readonly CallReport[]) {
  const ending = new Set(reports.filter(isForeignEnd).map(({ callId }) => callId))
  const ids = calls.flatMap(({ id, state }) => (state === 'answered' && ending.has(id) ? [id] : []))
  return new Map((await listWaiting(tx, scope, ids)).map(waits => [waits.callId, waits]))
}

type TenantRow = { tenant_id: number; organization_id: number }

/**
 * Works through rows of many tenants: one transaction for the rows of each. When several rows of a tenant fail together
 * they are tried one by one, so a bad row holds up nobody else.
 * @param options.committed gets each result as soon as its transaction has committed; it does not throw
 * @param options.atOnce how many tenants are under way at a time, so that one which waits for a lock holds up no other; one when not said
 * @returns the results of what committed, after which the first fault, if any, can be thrown
 */
export async function inEachTenant<Row extends TenantRow, Result>(
  db: Db,
  rows: readonly Row[],
  work: (tx: Tx, scope: Scope, rows: readonly Row[]) => Promise<Result>,
  { committed, atOnce = 1 }: { committed?: (result: Result) => Promise<void>; atOnce?: number } = {},
): Promise<{ results: Result[]; faults: unknown[] }> {
  const results: Result[] = []
  const faults: unknown[] = []
  async function run(scope: Scope, group: readonly Row[]): Promise<void> {
    let result: Result
    try {
      result = await db.inTenant(scope, tx => work(tx, scope, group))
    } catch (error) {
      if (group.length === 1) faults.push(error)
      else for (const row of group) await run(scope, [row])
      return
    }
    results.push(result)
    await committed?.(result)
  }
  const groups = Map.groupBy(rows, row => row.tenant_id).entries()
  async function go(): Promise<void> {
    for (const [tenantId, group] of groups)
      await run({ tenantId, organizationId: (group[0] as Row).organization_id }, group)
  }
  await Promise.all(Array.from({ length: atOnce }, go))
  return { results, faults }
}
