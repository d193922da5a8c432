// What becomes of rows of a file: which of them are records already, which create one, which change one, and which are refused and why.
// A few statements for any number of rows; nothing is written here.
import { sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Tx } from '../data/db.ts'
import { type FieldFault, invalid, Problem } from '../values/problem.ts'
import type { CellReading } from './cells.ts'
import { type Entry, requireRoom } from './composites.ts'
import { decideChange, decideCreation } from './decide.ts'
import { lockKeys, matchKeys } from './duplicates.ts'
import type { NounRecord } from './field.ts'
import { holdersOf } from './keys.ts'
import { factsFrom, type Held, holdNamed } from './named.ts'
import { idsOfTrial, type NewIds, takeIds } from './new_ids.ts'
import { idsOf, ownIdOf, rowIds } from './record_ids.ts'
import { columnsOf, differences, fieldsOf, loadRecord } from './records.ts'
import { maySee, type NounTable, targetNamed } from './registry.ts'
import { requireRight } from './rights.ts'
import { faultsOf, type Naming, type ReadRow, type RowReader, valuesOf } from './row_reader.ts'
import type { Said } from './spec.ts'
import type { Write } from './write.ts'

type Values = Record<string, unknown>

export type RowRules = {
  /** What a row is that is the same as a record: left out, a change of it, or one more. */
  duplicates: 'skip' | 'update' | 'create'
  /** The fields by which it is the same. */
  match: readonly string[]
  /** Whether entries are added to the lists of a record that is there, or take their place. */
  lists: 'add' | 'replace'
}

export type Outcome =
  | { place: number; became: 'created' | 'updated' | 'unchanged' | 'skipped' }
  | { place: number; became: 'refused'; faults: FieldFault[] }

export type Plan = { outcomes: Outcome[]; writes: Write[] }

export type PlanOptions = {
  rules: RowRules
  reading: CellReading
  nowMs: number
  /** Of a trial: what rows before these would have created. */
  made?: { has(mark: string): boolean; add(mark: string): void }
}

/** @param rows at most a thousand */
export async function planRows(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  read: readonly ReturnType<RowReader>[],
  options: PlanOptions,
): Promise<Plan> {
  const { spec } = noun
  const { rules, reading } = options
  await resolveNames(tx, principal, read)
  const rows = read.map(row => ({ row, values: valuesOf(spec, row, reading) }))
  const sound = rows.flatMap(({ row, values }) => (values === undefined ? [] : [{ row, values }]))
  const keyed = new Map(sound.map(({ row, values }) => [row.place, keysOf(noun, rules, values)]))
  await lockKeys(tx, principal, noun, [...keyed.values()].flat())
  const { byKey, ids } = await findHolders(tx, principal, noun, sound, keyed)
  const named = sound.map(({ values }) => values)
  const held = await holdNamed(tx, principal, noun, named, ids)
  const found = { byKey, byId: await lockPresent(tx, principal, noun, ids) }
  const planner = {
    noun,
    principal,
    options,
    found,
    held,
    ids: options.made === undefined ? await takeIds(tx, noun, sound.length) : idsOfTrial(spec),
    pending: new Map<string, string[]>(),
    writes: new Map<string, Write>(),
  }
  const outcomes = rows.map(({ row, values }): Outcome => {
    if (values === undefined) return refused(row)
    try {
      return decideRow(planner, row, values, keyed.get(row.place)!)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      row.faults.push(...faultsOf(error))
      return refused(row)
    }
  })
  return { outcomes, writes: [...planner.writes.values()] }
}

const refused = ({ place, faults }: ReadRow): Outcome => ({ place, became: 'refused', faults })

/** Records that are named by what people call them get their ids. */
async function resolveNames(
  tx: Tx,
  principal: Principal,
  rows: readonly (ReadRow & { naming: readonly Naming[] })[],
): Promise<void> {
  const wanted = new Map<string, Set<string>>()
  for (const { naming } of rows)
    for (const { of, text } of naming) wanted.set(of, (wanted.get(of) ?? new Set()).add(text))
  if (wanted.size === 0) return
  const known = new Map<string, Set<string>>()
  for (const [of, texts] of wanted) {
    const called = targetNamed(of).called(principal, [...texts])
    const named = await sql<{ text: string; id: string | number }>`${called}`.execute(tx)
    for (const { text, id } of named.rows) {
      const mark = `${of} ${text}`
      known.set(mark, (known.get(mark) ?? new Set()).add(String(id)))
    }
  }
  for (const { naming, faults } of rows)
    for (const { of, text, field, set } of naming) {
      const [id, ...others] = known.get(`${of} ${text}`) ?? []
      const name = of.replaceAll('_', ' ')
      if (id === undefined)
        faults.push({
          field,
          code: 'not_found',
          message: `names no ${name} that you may see: ${text}. Create it first, or name another`,
        })
      else if (others.length > 0)
        faults.push({
          field,
          code: 'ambiguous',
          message: `names several of them: ${text}. Write the id of the ${name} that is meant, such as ${id}`,
        })
      else set(id)
    }
}

type Sound = { row: ReadRow; values: Values }
type Key = { field: string; value: string }

function keysOf(noun: NounTable, { match, duplicates }: RowRules, values: Values): Key[] {
  if (duplicates === 'create') return []
  return matchKeys(noun, values).filter(({ field }) => match.includes(field))
}

const markOf = ({ field, value }: Key) => `${field} ${value}`

type Found = { byId: Map<string, NounRecord>; byKey: Map<string, Set<string>> }

/** Ids of the records that rows name by id, or are the same as. */
async function findHolders(
  tx: Tx,
  { tenantId }: Principal,
  noun: NounTable,
  rows: readonly Sound[],
  keyed: ReadonlyMap<number, readonly Key[]>,
): Promise<{ byKey: Found['byKey']; ids: string[] }> {
  const keys = [...new Map([...keyed.values()].flat().map(key => [markOf(key), key])).values()]
  const byKey = new Map<string, Set<string>>()
  const ids = new Set(rows.flatMap(({ row }) => row.id ?? []))
  if (keys.length > 0) {
    const same = await sql<{ field: string; value: string; record_id: string }>`
      select k.field, k.value, k.record_id from ${holdersOf(noun, { tenantId }, keys)} k`.execute(tx)
    for (const { record_id: id, ...key } of same.rows) {
      byKey.set(markOf(key), (byKey.get(markOf(key)) ?? new Set()).add(id))
      ids.add(id)
    }
  }
  return { byKey, ids: [...ids] }
}

/** Those of them that are not in the trash, by id; locked. */
async function lockPresent(
  tx: Tx,
  { tenantId }: Principal,
  { spec, table }: NounTable,
  ids: readonly string[],
): Promise<Found['byId']> {
  const byId = new Map<string, NounRecord>()
  if (ids.length === 0) return byId
  const there = await sql<Record<string, unknown>>`
    select ${sql.join(columnsOf(spec, undefined).map(column => sql.ref(column)))} from ${sql.table(table)}
    where tenant_id = ${tenantId} and id = any(${rowIds(idsOf(spec), ids)}) and deleted_at is null
    order by id for no key update`.execute(tx)
  for (const record of there.rows.map(row => loadRecord(spec, row))) byId.set(record.id, record)
  return byId
}

type Planner = {
  noun: NounTable
  principal: Principal
  options: PlanOptions
  found: Found
  held: Held
  ids: NewIds
  /** Ids of records that rows create, by what later rows may be the same as. */
  pending: Map<string, string[]>
  /** By record. */
  writes: Map<string, Write>
}

function decideRow(planner: Planner, row: ReadRow, values: Values, keys: readonly Key[]): Outcome {
  const { options, found } = planner
  const { place } = row
  const marks = keys.map(markOf)
  if (row.id !== undefined) return changeRow(planner, place, { id: row.id, values, marks })
  const same = new Set(
    marks.flatMap(mark => [
      ...[...(found.byKey.get(mark) ?? [])].filter(id => found.byId.has(id)),
      ...(planner.pending.get(mark) ?? []),
    ]),
  )
  const isMade = marks.some(mark => options.made?.has(mark))
  const [first, ...others] = same
  if (first === undefined && !isMade) return createRow(planner, place, values, marks)
  if (options.rules.duplicates === 'skip') return { place, became: 'skipped' }
  // A trial creates nothing that could be changed.
  if (first === undefined) return { place, became: 'updated' }
  if (others.length === 0) return changeRow(planner, place, { id: first, values, marks, by: keys[0]?.field })
  const named = [first, ...others].slice(0, 5).map(id => ownIdOf(idsOf(planner.noun.spec), id))
  const message = `is the same as several records: ${named.join(', ')}. Merge them, or name the one that is meant in a column with its id`
  throw invalid({ field: keys[0]?.field ?? '', code: 'ambiguous', message })
}

function createRow(planner: Planner, place: number, values: Values, marks: readonly string[]): Outcome {
  const { noun, principal, options, held, pending, writes } = planner
  const { spec } = noun
  requireRight(principal, spec.names[1], 'create', 'This row needs')
  const missing = fieldsOf(spec).flatMap(([name, field]) =>
    field.required && field.initial === undefined && (values[name] ?? null) === null
      ? [{ field: name, code: 'required', message: 'is required: fill in the cell, or map a column to it' }]
      : [],
  )
  if (missing.length > 0) throw invalid(...missing)
  const creating = { ids: planner.ids, isImport: true }
  const write = decideCreation(
    noun,
    principal,
    values,
    factsFrom(held, principal, spec, values),
    options.nowMs,
    creating,
  )
  writes.set(write.after.id, write)
  for (const mark of marks) {
    pending.set(mark, [write.after.id])
    options.made?.add(mark)
  }
  return { place, became: 'created' }
}

/** `by` is the field by which the row is the same as the record; undefined where it names the record. */
type Changed = { id: string; values: Values; marks: readonly string[]; by?: string | undefined }

function changeRow(planner: Planner, place: number, { id, values, marks, by }: Changed): Outcome {
  const { noun, principal, options, held, found, writes } = planner
  const { spec } = noun
  const before = writes.get(id)
  const record = before?.after ?? found.byId.get(id)
  if (record === undefined || !maySee(spec, principal, record)) {
    const [one] = spec.names
    if (by === undefined)
      throw invalid({
        field: 'id',
        code: 'not_found',
        message: `names no ${one} that you may see: ${ownIdOf(idsOf(spec), id)}. Leave it empty to create one`,
      })
    throw invalid({ field: by, code: 'duplicate', message: `is the ${by} of a ${one} of somebody else` })
  }
  requireRight(principal, spec.names[1], 'update', 'This row needs')
  const merged = options.rules.lists === 'add' ? withLists(record, values) : values
  // What stays as it is may name who is gone.
  const otherwise = Object.fromEntries(Object.keys(differences(record, merged)).map(name => [name, values[name]]))
  const facts = factsFrom(held, principal, spec, otherwise)
  const write = decideChange(noun, principal, record, merged, facts, options.nowMs)
  if (write === undefined) return { place, became: 'unchanged' }
  // A record that several rows change is written once.
  const again = before && {
    ...write,
    before: before.before,
    events: before.before === undefined ? before.events : eachOnce([...before.events, ...write.events]),
    after: { ...write.after, version: record.version },
  }
  writes.set(id, again ?? write)
  for (const mark of marks) planner.pending.set(mark, [...new Set([...(planner.pending.get(mark) ?? []), id])])
  return { place, became: 'updated' }
}

/** Each type of event, as it was said first. */
function eachOnce(events: readonly Said[]): Said[] {
  const types = events.map(said => (typeof said === 'string' ? said : said.type))
  return events.filter((_, at) => types.indexOf(types[at]!) === at)
}

/** What rows bring to lists is added to what is there. */
function withLists(record: NounRecord, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const there = record[name]
      if (!Array.isArray(value) || !Array.isArray(there) || there.length === 0) return [name, value]
      const mark = (entry: Entry<unknown>) => JSON.stringify(entry.value).toLowerCase()
      const known = new Set((there as Entry<unknown>[]).map(mark))
      const added = (value as Entry<unknown>[]).filter(entry => !known.has(mark(entry)))
      const all = [...there, ...added.map(entry => ({ ...entry, is_primary: false }))]
      requireRoom(name, there, all)
      return [name, all]
    }),
  )
}
