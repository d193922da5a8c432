// Rows of a file as requests would send them: which column stands for what, what its cells say, and what is wrong with them.
import { compileValidator, type Validator } from '../endpoint/validate.ts'
import { withoutApostrophe } from '../values/csv.ts'
import { type FieldFault, Problem } from '../values/problem.ts'
import type { CellReading } from './cells.ts'
import { cellsOf, columnLabel, columnName } from './columns.ts'
import type { AnyField } from './field.ts'
import { idsOf, recordIdOf } from './record_ids.ts'
import { fieldsOf, readBody } from './records.ts'
import { patchSchema, words } from './schemas.ts'
import type { AnySpec } from './spec.ts'

/** What a column of a file can stand for: `id`, a field, or a part of one. */
export type RowTarget = {
  name: string
  label: string
  about: string
  /** Undefined for the id. */
  field: string | undefined
  kind: string
  part: string
  /** Whether several columns may stand for it. */
  several: boolean
}

/** What rows of a noun can hold, in its order. */
export function rowTargets(spec: AnySpec): RowTarget[] {
  const id = `The ${words(spec.names[0])} to update, by its id; a row without it is matched, or creates one.`
  // What rules set is in exports, and no row changes it.
  const sendable = fieldsOf(spec).filter(([, field]) => field.setBy === 'change')
  const own = sendable.flatMap(([name, field]) => {
    const { parts, onlyRead = [], several = false } = cellsOf(field)
    return [...onlyRead, ...parts].map(
      (part): RowTarget => ({
        name: columnName(name, part),
        label: columnLabel(name, field, part),
        about: field.about,
        field: name,
        kind: field.kind,
        part,
        several: several || name === spec.title,
      }),
    )
  })
  return [{ name: 'id', label: 'ID', about: id, field: undefined, kind: 'id', part: '', several: false }, ...own]
}

/** By place of the column, the name of the target that it stands for; null for none. */
export type RowMapping = readonly (string | null)[]

/** A row as it was read. `values` are as they are stored, of the fields that it says something about. */
export type ReadRow = {
  /** Counted from 1, which is the first line. */
  place: number
  id: string | undefined
  body: Record<string, unknown>
  faults: FieldFault[]
}

/** What of a row names another record by its name and not by its id. */
export type Naming = { of: string; text: string; set(id: string | number): void; field: string }

const validators = new WeakMap<object, Validator>()
function validatorOf(spec: AnySpec): Validator {
  let known = validators.get(spec.fields)
  if (known === undefined) {
    known = compileValidator({ body: patchSchema(spec) })
    validators.set(spec.fields, known)
  }
  return known
}

export type RowReader = (place: number, cells: readonly string[]) => ReadRow & { naming: Naming[] }

/** Makes what reads rows of one file. */
export function rowReader(spec: AnySpec, mapping: RowMapping, reading: CellReading): RowReader {
  const targets = new Map(rowTargets(spec).map(target => [target.name, target]))
  const columns = mapping.flatMap((name, at) => {
    const target = name === null ? undefined : targets.get(name)
    return target === undefined ? [] : [{ at, target }]
  })
  const idAt = columns.find(({ target }) => target.field === undefined)?.at
  const byField = [...Map.groupBy(columns, ({ target }) => target.field)].flatMap(([name, own]) =>
    name === undefined ? [] : [{ name, field: spec.fields[name]!, own }],
  )
  return (place, cells) => {
    const textAt = (at: number) => cells[at]?.trim() ?? ''
    const body: Record<string, unknown> = {}
    const faults: FieldFault[] = []
    const naming: Naming[] = []
    for (const { name, field, own } of byField) {
      const texts: Record<string, string[]> = {}
      for (const { at, target } of own) {
        const text = withoutApostrophe(textAt(at))
        if (text !== '') texts[target.part] = [...(texts[target.part] ?? []), text]
      }
      if (Object.keys(texts).length === 0) continue
      const [first = ''] = texts[''] ?? []
      const { maxLength } = cellsOf(field)
      if (Object.values(texts).some(part => part.some(text => text.length > maxLength)))
        faults.push({ field: name, code: 'too_long', message: `must have at most ${maxLength} characters in a cell` })
      else if (Object.values(texts).some(part => part.some(text => text.includes('\0'))))
        faults.push({ field: name, code: 'wrong_format', message: 'must not contain the NUL character' })
      else if (field.kind === 'user' || field.kind === 'ref') readReference(body, naming, name, field, first)
      else {
        // First name and last name are one name.
        const said = cellsOf(field).read(name === spec.title ? { '': [texts['']!.join(' ')] } : texts, reading)
        if (said !== undefined && 'value' in said) body[name] = said.value
        else if (said !== undefined) faults.push({ field: name, ...said })
        if (field.kind === 'refs') namesInList(naming, name, field, body[name])
      }
    }
    const id = idAt === undefined ? '' : textAt(idAt)
    return { place, id: id === '' ? undefined : namedIn(spec, id, faults), body, faults, naming }
  }
}

function readReference(body: Record<string, unknown>, naming: Naming[], name: string, field: AnyField, text: string) {
  if (field.kind === 'user' && /^[1-9]\d{0,14}$/.test(text)) body[name] = Number(text)
  else if (isIdOf(field, text)) body[name] = text
  else
    naming.push({
      of: field.of!,
      field: name,
      text: text.toLowerCase(),
      set: id => {
        body[name] = field.kind === 'user' ? Number(id) : id
      },
    })
}

function namesInList(naming: Naming[], name: string, field: AnyField, value: unknown): void {
  for (const entry of (value ?? []) as { value: string }[])
    if (!isIdOf(field, entry.value))
      naming.push({
        of: field.of!,
        field: name,
        text: entry.value.toLowerCase(),
        set: id => {
          entry.value = String(id)
        },
      })
}

/** The record that a cell names; where ids are numbers the number alone will do. */
function namedIn(spec: AnySpec, text: string, faults: FieldFault[]): string | undefined {
  const ids = idsOf(spec)
  if (!ids.isNumbered) return text
  const own = text.startsWith(ids.prefix) ? text.slice(ids.prefix.length) : text
  if (/^[1-9]\d{0,14}$/.test(own)) return recordIdOf(ids, own)
  faults.push({ field: 'id', code: 'wrong_format', message: `must be the number of a ${words(spec.names[0])}` })
  return undefined
}

const anyId = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const isIdOf = (field: AnyField, text: string) => field.kind !== 'user' && anyId.test(text)

/** The values of a row, as they are stored; undefined with what is wrong added to its faults. */
export function valuesOf(spec: AnySpec, row: ReadRow, reading: CellReading): Record<string, unknown> | undefined {
  const faulty = new Set(row.faults.map(({ field }) => field))
  const found = validatorOf(spec)({ query: {}, body: row.body }) ?? []
  row.faults.push(...found.filter(({ field }) => !faulty.has(fieldIn(field))))
  if (row.faults.length > 0) return undefined
  try {
    return readBody(spec, row.body, reading)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    row.faults.push(...faultsOf(error))
    return undefined
  }
}

/** `emails[0].value` is of the field emails. */
export function fieldIn(path: string): string {
  return /^\w+/.exec(path)?.[0] ?? ''
}

/** What a refusal says of a row. */
export function faultsOf({ code, message, details }: Problem): FieldFault[] {
  return details ?? [{ field: '', code, message }]
}
