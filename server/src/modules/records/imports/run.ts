// The work of an import: rows are read, decided and written a thousand at a time. Each thousand is one transaction, with the count of rows
// that are done in it: a worker that dies leaves whole thousands, and the next one goes on behind them.
import type { Principal } from '../../../kernel/access/principal.ts'
import { isRefusedRow, type Scope, type Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import {
  holdJob,
  keepMarks,
  type Lease,
  lossOf,
  removeJob,
  standingPrincipal,
  takeMarks,
} from '../../../kernel/noun/record_jobs.ts'
import { manyNamed, type NounTable } from '../../../kernel/noun/registry.ts'
import { type Plan, planRows } from '../../../kernel/noun/row_plan.ts'
import { rowReader } from '../../../kernel/noun/row_reader.ts'
import { readingOf } from '../../../kernel/noun/verbs_read.ts'
import { writeRecords } from '../../../kernel/noun/write.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { EventType } from '../../../kernel/values/noun.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { move } from '../../../kernel/values/states.ts'
import { rowsOfFile } from './csv_file.ts'
import { type KnownMarks, knownMarks, maxKeptMarks } from './marks.ts'
import { presentImport } from './present.ts'
import { type ImportEvent, importTable } from './rules.ts'
import {
  changeImport,
  findImport,
  type ImportChange,
  type ImportRow,
  insertFaults,
  noCounts,
  removeFaults,
} from './store.ts'

export const rowsAtOnce = 1_000
export const maxRows = 1_000_000
const faultsAtOnce = 10_000
/** Behind so many rows that others have done the lease is renewed. */
const passedAtOnce = 50_000

/** A row that has cells, with its place in the file. */
type Row = { place: number; cells: string[] }

export type Run = {
  services: Services
  lease: Lease
  scope: Scope
  /** Whether the worker is to stop soon. */
  isStopping(): boolean
}

/** Goes on with a trial or a run where it stands. @throws what the database does; the job is tried again then */
export async function runImport(run: Run): Promise<void> {
  const { services, scope, lease } = run
  const { db } = services
  const loss = lossOf(lease)
  if (loss !== undefined) return fail(run, loss)
  const begun = await begin(run)
  if (begun === undefined) return
  const { row, made } = begun
  let { done } = row
  try {
    for await (const { rows, isLast } of thousandsOf(rowsOfFile(services, row), done)) {
      const isOn = await db.inTenant(scope, async tx => {
        if (rows.length === 0 && !isLast) return holdJob(tx, lease)
        const held = await hold(tx, run, done)
        return held !== undefined && workOn(tx, run, held, { rows, isLast, made })
      })
      if (!isOn) return
      done += rows.length
      if (rows.length === 0 || !run.isStopping()) continue
      if (made === undefined) return
      if (made.size() > maxKeptMarks) continue
      return await db.inTenant(scope, tx => keepMarks(tx, lease, made.bytes()))
    }
  } catch (error) {
    const why = reasonOf(error)
    if (why === undefined) throw error
    return fail(run, why)
  }
}

function fail(run: Run, problem: string): Promise<void> {
  const { services, scope } = run
  return services.db.inTenant(scope, async tx => {
    const row = await hold(tx, run, undefined)
    if (row !== undefined) await end(tx, scope, row, 'fail', { problem }, isoMs(services.clock.now()))
  })
}

type Begun = { row: ImportRow; made?: KnownMarks }

/**
 * A run goes on where it stands. So does a trial that its last worker gave back, with what its rows would have created; one whose worker died
 * begins from its first row. Undefined when there is nothing to do any more.
 */
async function begin({ services, scope, lease }: Run): Promise<Begun | undefined> {
  const { db, clock } = services
  const { row, marks } = await db.inTenant(scope, async tx => {
    const isHeld = await holdJob(tx, lease)
    return {
      row: isHeld ? await findImport(tx, scope, lease.job.id) : undefined,
      marks: isHeld ? await takeMarks(tx, lease) : undefined,
    }
  })
  if (row === undefined) return undefined
  if (row.state === 'running' && row.done > 0) return { row }
  if (row.state === 'checking' && marks !== undefined) return { row, made: knownMarks(marks) }
  for (let gone = faultsAtOnce; gone === faultsAtOnce; )
    gone = await db.inTenant(scope, async tx =>
      (await holdJob(tx, lease)) ? removeFaults(tx, scope, lease.job.id, faultsAtOnce) : 0,
    )
  return db.inTenant(scope, async tx => {
    const held = await hold(tx, { services, scope, lease }, undefined)
    if (held === undefined) return undefined
    const begun = await changeImport(tx, scope, held, noCounts, isoMs(clock.now()))
    return begun.state === 'checking' ? { row: begun, made: knownMarks() } : { row: begun }
  })
}

/** The import, locked, while this worker has it and it is at work. A job of an import that is over goes. */
async function hold(
  tx: Tx,
  { scope, lease }: Pick<Run, 'services' | 'scope' | 'lease'>,
  done: number | undefined,
): Promise<ImportRow | undefined> {
  if (!(await holdJob(tx, lease, done !== undefined))) return undefined
  const row = await findImport(tx, scope, lease.job.id, { locked: true })
  if (row?.state === 'checking' || row?.state === 'running')
    return done === undefined || row.done === done ? row : undefined
  await removeJob(tx, scope, lease.job.id)
  return undefined
}

type Thousand = { rows: readonly Row[]; isLast: boolean }

/** Rows behind the first line and those that are done; while these are passed, now and then none. */
async function* thousandsOf(all: AsyncIterable<string[]>, done: number): AsyncGenerator<Thousand, void> {
  let place = 0
  let seen = 0
  let rows: Row[] = []
  for await (const cells of all) {
    place++
    if (place === 1 || cells.every(cell => cell.trim() === '')) continue
    if (seen++ < done) {
      if (seen % passedAtOnce === 0) yield { rows, isLast: false }
      continue
    }
    if (seen > maxRows)
      throw new Problem('validation_failed', {
        message: `The file has more than ${maxRows} rows. Send it in several parts.`,
      })
    if (rows.length === rowsAtOnce) {
      yield { rows, isLast: false }
      rows = []
    }
    rows.push({ place, cells })
  }
  yield { rows, isLast: true }
}

type Work = Thousand & { made: KnownMarks | undefined }

/** Decides and writes rows; false when the import is over. */
async function workOn(
  tx: Tx,
  { services, scope }: Run,
  row: ImportRow,
  { rows, isLast, made }: Work,
): Promise<boolean> {
  const nowMs = services.clock.now()
  const noun = manyNamed(row.noun)
  const principal = await standingPrincipal(tx, scope, row, 'imports:run')
  const isTrial = row.state === 'checking'
  const { outcomes, writes } = await planned(tx, principal, noun, row, { rows, made, nowMs })
  if (!isTrial) await writeRecords(tx, principal, noun, writes, { source: 'import', batchId: row.batch_id, nowMs })
  const refused = outcomes.flatMap(outcome => (outcome.became === 'refused' ? [outcome] : []))
  await insertFaults(tx, scope, row.id, refused)
  const count = (became: string) => outcomes.filter(outcome => outcome.became === became).length
  const counts = {
    done: row.done + rows.length,
    created: row.created + count('created'),
    updated: row.updated + count('updated'),
    unchanged: row.unchanged + count('unchanged'),
    skipped: row.skipped + count('skipped'),
    refused: row.refused + refused.length,
  }
  if (isLast)
    await end(tx, scope, row, isTrial ? 'checked' : 'finish', { ...counts, row_count: counts.done }, isoMs(nowMs))
  else await changeImport(tx, scope, row, counts, isoMs(nowMs))
  return !isLast
}

async function planned(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  { mapping, options }: ImportRow,
  { rows, made, nowMs }: { rows: readonly Row[]; made: Work['made']; nowMs: number },
): Promise<Plan> {
  const reading = { ...readingOf(principal), dates: options.dates, decimal: options.decimal }
  const read = rowReader(noun.spec, mapping, reading)
  const all = rows.map(({ place, cells }) => read(place, cells))
  return planRows(tx, principal, noun, all, { rules: options, reading, nowMs, ...(made && { made }) })
}

const eventOf: Partial<Record<ImportEvent, EventType>> = {
  checked: 'import.checked',
  finish: 'import.completed',
  cancel: 'import.canceled',
  stop_check: 'import.canceled',
  fail: 'import.failed',
}

/** Ends what an import is at; its row is locked. */
export async function end(
  tx: Tx,
  scope: Scope,
  row: ImportRow,
  event: ImportEvent,
  change: ImportChange,
  nowIso: string,
): Promise<ImportRow> {
  const state = move(importTable, row.state, event)
  if (state === undefined) throw new Error(`an import that is ${row.state} meets no ${event}`)
  const finished = event === 'checked' || event === 'stop_check' ? {} : { finished_at: nowIso }
  const ended = await changeImport(tx, scope, row, { ...change, ...finished, state }, nowIso)
  await removeJob(tx, scope, row.id)
  await emit(tx, scope, { type: eventOf[event]!, resourceId: row.id, data: presentImport(scope.tenantId, ended) })
  return ended
}

/** Why an import cannot go on at all; undefined for what may pass. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Problem) return error.entry.retriable ? undefined : error.message
  const { code, message } = error as { code?: unknown; message?: string }
  if (typeof code === 'string' && code.startsWith('CSV_'))
    return `The file cannot be read to its end: ${message} Mend that place, and send the file again.`
  // A value that only the database refuses: an import that is tried again would meet it again.
  if (isRefusedRow(error)) return `The database refused a row: ${message}. Mend it, and send the file again.`
  return undefined
}
