// The work of a batch: a change of all records that a filter found, or what takes a batch back. Some hundred records are one transaction,
// with what is left of the batch in it.
import type { Principal } from '../access/principal.ts'
import { isRefusedRow, type Scope, type Tx } from '../data/db.ts'
import { emit } from '../data/events.ts'
import type { Services } from '../endpoint/endpoint.ts'
import { isoMs } from '../values/clock.ts'
import type { EventType, Permission } from '../values/noun.ts'
import { Problem } from '../values/problem.ts'
import {
  type BatchFailure,
  type BatchRow,
  changeBatch,
  findBatch,
  insertFailures,
  listUndoings,
  presentBatch,
  takeBatchRecords,
  type Undoing,
} from './batches.ts'
import { decideTrash, refuseForeign } from './decide.ts'
import type { NounRecord } from './field.ts'
import { requireHostRight } from './hosts.ts'
import { lockMany } from './locks.ts'
import { stateEvents } from './moves.ts'
import { factsFrom, holdNamed } from './named.ts'
import { holdJob, type Lease, lossOf, removeJob, standingPrincipal } from './record_jobs.ts'
import { isSame } from './records.ts'
import { type NounTable, tableNamed } from './registry.ts'
import { requireRight } from './rights.ts'
import { changeGiven } from './verbs_many.ts'
import { type Write, writeRecords } from './write.ts'

const recordsAtOnce = 500

export type BatchRun = { services: Services; lease: Lease; scope: Scope; isStopping(): boolean }

/** What came of some records; `behind` is undefined where there are no more. */
type Part = { behind: string | undefined; changed: number; unchanged: number; failures: readonly BatchFailure[] }

/** Goes on with a batch where it stands. @throws what the database does; the job is tried again then */
export async function runBatch({ services, lease, scope, isStopping }: BatchRun): Promise<void> {
  const { db, clock } = services
  const { id } = lease.job
  const fail = (problem: string) =>
    db.inTenant(scope, async tx => {
      const row = await heldBatch(tx, scope, lease)
      if (row !== undefined) await endBatch(tx, scope, row, { state: 'failed', problem }, clock.now())
    })
  const loss = lossOf(lease)
  if (loss !== undefined) return fail(loss)
  for (let isOn = true; isOn && !isStopping(); ) {
    try {
      isOn = await db.inTenant(scope, async tx => {
        const row = await heldBatch(tx, scope, lease)
        return row !== undefined && workOn(tx, scope, row, clock.now())
      })
    } catch (error) {
      const problem = reasonOf(error)
      if (problem === undefined) throw error
      return fail(problem)
    }
  }
  services.log.debug({ batchId: id }, 'worked on a batch')
}

/** Why a batch cannot go on at all; undefined for what may pass. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Problem) return error.code === 'unavailable' ? undefined : error.message
  return isRefusedRow(error) ? `The database refused a record: ${error.message}.` : undefined
}

async function heldBatch(tx: Tx, scope: Scope, lease: Lease): Promise<BatchRow | undefined> {
  if (!(await holdJob(tx, lease, true))) return undefined
  const row = await findBatch(tx, scope, lease.job.id, { locked: true })
  if (row?.state === 'running') return row
  await removeJob(tx, scope, lease.job.id)
  return undefined
}

/** False when it is over. */
async function workOn(tx: Tx, scope: Scope, row: BatchRow, nowMs: number): Promise<boolean> {
  const noun = tableNamed(row.noun)
  const [, many] = noun.spec.names
  const right = row.work !== null && row.work.action !== undefined ? 'delete' : 'update'
  const principal = await standingPrincipal(tx, scope, row, `${many}:${right}` as Permission)
  const work = { tx, principal, noun, row, nowMs }
  const part = row.reverts === null ? await changePart(work) : await revertPart(work, row.reverts)
  await insertFailures(tx, scope, row.id, part.failures)
  const counts = {
    changed: row.changed + part.changed,
    unchanged: row.unchanged + part.unchanged,
    failed: row.failed + part.failures.length,
  }
  if (part.behind === undefined)
    await endBatch(tx, scope, { ...row, ...counts }, { state: 'completed', problem: null }, nowMs)
  else await changeBatch(tx, scope, row, { ...counts, behind: part.behind })
  return part.behind !== undefined
}

type Work = { tx: Tx; principal: Principal; noun: NounTable; row: BatchRow; nowMs: number }

async function changePart({ tx, principal, noun, row, nowMs }: Work): Promise<Part> {
  const ids = await takeBatchRecords(tx, principal, row.id, recordsAtOnce)
  const origin = { source: 'bulk', batchId: row.id, nowMs } as const
  const { changed, unchanged, failed } = await changeGiven(tx, principal, noun, { ids, ...row.work }, origin)
  return { behind: ids.length < recordsAtOnce ? undefined : row.behind, changed, unchanged, failures: failed }
}

async function revertPart({ tx, principal, noun, row, nowMs }: Work, batchId: string): Promise<Part> {
  const undoings = await listUndoings(tx, principal, batchId, row.behind, recordsAtOnce)
  const ids = undoings.map(({ record_id }) => record_id)
  const named = undoings.map(undoing => namedBy(noun, undoing))
  const held = await holdNamed(tx, principal, noun, named, ids)
  const records = await lockMany(tx, principal, noun, ids)
  const writes: Write[] = []
  const failures: BatchFailure[] = []
  for (const [at, undoing] of undoings.entries())
    try {
      const write = undone(noun, principal, records.get(undoing.record_id), undoing, nowMs)
      if (write === undefined) continue
      factsFrom(held, principal, noun.spec, named[at]!)
      writes.push(write)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failures.push({ id: undoing.record_id, code: error.code, message: error.message })
    }
  await writeRecords(tx, principal, noun, writes, { source: 'revert', batchId: row.id, nowMs })
  const behind = undoings.length < recordsAtOnce ? undefined : undoings.at(-1)!.record_id
  return { behind, changed: writes.length, unchanged: undoings.length - writes.length - failures.length, failures }
}

/** What the values that are put back name: it may be gone by now. */
function namedBy({ spec }: NounTable, { before }: Undoing): Record<string, unknown> {
  const isNaming = (name: string) => spec.fields[name]?.of !== undefined || spec.fields[name]?.kind === 'record'
  return Object.fromEntries(Object.entries(before).filter(([name]) => isNaming(name)))
}

/** A record as it was before the batch; undefined where it is so already. @throws Problem */
function undone(
  { spec }: NounTable,
  principal: Principal,
  record: NounRecord | undefined,
  { first, last, isWhole, before }: Undoing,
  nowMs: number,
): Write | undefined {
  if (record === undefined || record['merged_into'] !== null) throw new Problem('not_found')
  if (record.version !== last || !isWhole)
    throw new Problem('version_mismatch', {
      message: `It was changed ${isWhole ? 'since' : 'by others while the batch ran'}, and stays as it is. Put it back by hand if it has to be.`,
    })
  requireHostRight(principal, spec, record)
  refuseForeign(spec, principal, record, {})
  const nowIso = isoMs(nowMs)
  const { deleted_at: deleted, ...fields } = before
  const moves = first === 1 ? record.deleted_at === null : 'deleted_at' in before
  if (moves) requireRight(principal, spec.names[1], 'delete')
  if (first === 1) return moves ? decideTrash(record, nowIso, nowMs) : undefined
  const known = Object.fromEntries(Object.entries(fields).filter(([name]) => name in spec.fields))
  const deletedAt = moves ? (deleted as string | null) : record.deleted_at
  const after = {
    ...record,
    ...known,
    deleted_at: deletedAt,
    version: record.version + 1,
    updated_at: nowIso,
  } as NounRecord
  const isChanged = Object.keys(known).some(name => !isSame(record[name], after[name]))
  const moved = after.deleted_at === record.deleted_at ? [] : [after.deleted_at === null ? 'restored' : 'deleted']
  const events = [...(isChanged ? ['updated', ...stateEvents(spec, record, after)] : []), ...moved]
  return events.length === 0 ? undefined : { before: record, after, events }
}

/** Ends a batch; its row is locked. */
export async function endBatch(
  tx: Tx,
  scope: Scope,
  row: BatchRow,
  { state, problem }: Pick<BatchRow, 'state' | 'problem'>,
  nowMs: number,
): Promise<BatchRow> {
  const ended = await changeBatch(tx, scope, row, { ...row, state, problem, finished_at: isoMs(nowMs) })
  await removeJob(tx, scope, row.id)
  await emit(tx, scope, {
    type: `batch.${state}` as EventType,
    resourceId: row.id,
    data: presentBatch(scope.tenantId, ended),
  })
  return ended
}
