// A record in its three forms: the row of the database, the values that rules see, and what the API shows.
import { type FieldFault, invalid } from '../values/problem.ts'
import type { AnyField, NounRecord, Reading } from './field.ts'
import { idsOf, ownIdOf, recordIdOf } from './record_ids.ts'
import type { AnySpec } from './spec.ts'

export const stampColumns = [
  'tenant_id',
  'id',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
  'merged_into',
] as const

type Named = readonly [name: string, field: AnyField]

/** The fields of a noun with their names, read once. */
const entries = new WeakMap<object, readonly Named[]>()
export function fieldsOf({ fields }: Pick<AnySpec, 'fields'>): readonly Named[] {
  let known = entries.get(fields)
  if (known === undefined) {
    known = Object.entries(fields)
    entries.set(fields, known)
  }
  return known
}

/** The columns that are read for these fields. */
export function columnsOf(spec: AnySpec, names: ReadonlySet<string> | undefined): string[] {
  const own = fieldsOf(spec).flatMap(([name, field]) =>
    names === undefined || names.has(name) ? field.parts.columns(name).map(column => column.name) : [],
  )
  return [...stampColumns, ...own]
}

/** @param names the fields that were read; all when not said */
export function loadRecord(
  spec: AnySpec,
  row: Readonly<Record<string, unknown>>,
  names?: ReadonlySet<string>,
): NounRecord {
  const record: Record<string, unknown> = {}
  for (const stamp of stampColumns) record[stamp] = row[stamp] ?? null
  record['id'] = recordIdOf(idsOf(spec), row['id'] as string | number)
  for (const [name, field] of fieldsOf(spec))
    if (names === undefined || names.has(name)) record[name] = field.parts.load(row, name)
  return record as NounRecord
}

/** What a record of a noun looks like in each of its forms: objects to copy, with all members and no values. */
type Forms = Readonly<Record<'record' | 'row' | 'shown', Readonly<Record<string, unknown>>>>
const forms = new WeakMap<object, Forms>()

function formsOf(spec: AnySpec): Forms {
  let known = forms.get(spec.fields)
  if (known === undefined) {
    const names = fieldsOf(spec).map(([name]) => name)
    known = {
      record: blank([...stampColumns, ...names]),
      row: blank([...columnsOf(spec, undefined), 'find']),
      shown: blank(['id', 'tenant_id', ...names, 'created_at', 'updated_at', 'version']),
    }
    forms.set(spec.fields, known)
  }
  return known
}

/**
 * An object with these members. V8 makes a hash table of an object that gets more than a dozen members one by one; of one that comes out of
 * JSON it makes none, and copies are as it is: writing and reading them takes a third of the time.
 */
function blank(members: readonly string[]): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(Object.fromEntries(members.map(member => [member, null]))))
}

/** As a row, for json_populate_recordset. */
export function storeRecord(spec: AnySpec, record: NounRecord): Record<string, unknown> {
  const row: Record<string, unknown> = { ...formsOf(spec).row }
  for (const stamp of stampColumns) row[stamp] = record[stamp]
  row['id'] = ownIdOf(idsOf(spec), record.id)
  for (const [name, { parts }] of fieldsOf(spec))
    if (parts.isPlain) row[name] = record[name] ?? null
    else Object.assign(row, parts.store(record[name], name))
  row['find'] = searchedText(spec, record)
  return row
}

/** What a search looks through; the database folds it. */
function searchedText(spec: AnySpec, record: NounRecord): string {
  const words: string[] = []
  for (const [name, field] of fieldsOf(spec)) {
    const value = record[name]
    if (field.find && value !== null && value !== undefined) words.push(...(field.parts.words?.(value) ?? []))
  }
  return words.join(' ')
}

const empty = new WeakMap<object, Readonly<Record<string, unknown>>>()
/** What a new record has of which nothing is sent. */
export function emptyValues(spec: AnySpec): Readonly<Record<string, unknown>> {
  let known = empty.get(spec.fields)
  if (known === undefined) {
    known = Object.fromEntries(
      fieldsOf(spec).map(([name, field]) => [name, Object.freeze(field.initial ?? field.parts.load({}, name))]),
    )
    empty.set(spec.fields, known)
  }
  return known
}

/** A new record: of what is not in `values` what a new one has. */
export function draftRecord(spec: AnySpec, ...values: readonly Readonly<Record<string, unknown>>[]): NounRecord {
  return Object.assign({ ...formsOf(spec).record }, emptyValues(spec), ...values) as NounRecord
}

/** As the API shows it; of a list only the fields that were read. `deleted_at` is there only of what is in the trash. */
export function showRecord(spec: AnySpec, record: NounRecord & { merged_into?: unknown }) {
  const { id, tenant_id, created_at, updated_at, version, deleted_at } = record
  const fields = fieldsOf(spec)
  const isWhole = fields.every(([name]) => name in record)
  const shown: Record<string, unknown> = isWhole ? { ...formsOf(spec).shown } : {}
  shown['id'] = ownIdOf(idsOf(spec), id)
  shown['tenant_id'] = tenant_id
  for (const [name] of fields) if (isWhole || name in record) shown[name] = record[name]
  shown['created_at'] = created_at
  shown['updated_at'] = updated_at
  shown['version'] = version
  return deleted_at === null ? shown : { ...shown, deleted_at }
}

/**
 * The values of a body, as they are stored: every field that it names, null for what is emptied.
 * @throws Problem `validation_failed` with all faults
 */
export function readBody(
  spec: AnySpec,
  body: Readonly<Record<string, unknown>>,
  reading: Reading,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const faults: FieldFault[] = []
  for (const [name, field] of fieldsOf(spec)) {
    const given = body[name]
    if (given === undefined) continue
    if (isEmpty(given)) {
      if (field.required) faults.push({ field: name, code: 'required', message: 'must not be empty' })
      values[name] = field.parts.load({}, name)
      continue
    }
    const read = field.parts.read(given, reading)
    if ('value' in read) values[name] = read.value ?? field.parts.load({}, name)
    else faults.push({ field: name, ...read })
  }
  if (faults.length > 0) throw invalid(...faults)
  return values
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '')
}

/** The values that are another than those of a record. */
export function differences(record: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(record[name], value)))
}

export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The records that a value names, the primary one first. */
export function idsNamed({ kind }: AnyField, value: unknown): readonly (string | number)[] {
  if (value === null || value === undefined) return []
  if (kind !== 'refs') return [value as string | number]
  const entries = value as { value: string; is_primary: boolean }[]
  return [...entries].sort((a, b) => Number(b.is_primary) - Number(a.is_primary)).map(entry => entry.value)
}
