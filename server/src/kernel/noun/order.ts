// The order of a list: keys by which rows are sorted, and the condition of standing behind a row in it, which a cursor names.
import { sql } from 'kysely'
import { behindKeys } from '../data/keyset.ts'
import { type SortKey, sortOf } from '../endpoint/list_query.ts'
import type { CursorKey } from '../endpoint/page.ts'
import { Problem } from '../values/problem.ts'
import type { AnyField, OrderKey, Sql } from './field.ts'
import { columnOf } from './field_parts.ts'
import type { AnySpec } from './spec.ts'
import { byMoment } from './value_kinds.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * Rows that an index has in order. Empty values come last in both directions, which no index has by itself: they are an arm of their own,
 * read behind the others.
 */
export type Arm = { where: Sql; keys: readonly OrderKey[]; behind: Sql | undefined }
export type Order = {
  /** The one column that is sorted by, where it is one. */
  column: string | undefined
  keys: readonly OrderKey[]
  /** The condition of standing behind the row of a cursor, where one was sent. */
  behind: Sql | undefined
  arms: readonly Arm[]
}

const byId = (descending: boolean, { prefix }: Pick<AnySpec, 'prefix'>): OrderKey => ({
  sql: columnOf('id'),
  descending,
  type: prefix === undefined ? 'bigint' : 'text',
  value: row => row['id'] as string | number,
})

/** Whether the value of a field is there: the key before its own. */
function presence(name: string): OrderKey {
  return {
    sql: sql`(case when ${columnOf(name)} is null then 1 else 0 end)`,
    descending: false,
    type: 'bigint',
    value: row => (row[name] === null || row[name] === undefined ? 1 : 0),
  }
}

/** What a list of these fields can be sorted by. */
export function sortableNames(fields: Readonly<Record<string, AnyField>>): string[] {
  const own = Object.entries(fields).flatMap(([name, field]) => (field.parts.order === undefined ? [] : [name]))
  return ['created_at', 'updated_at', ...own, 'id']
}

/** Reads `sort`, and the key of a cursor. @throws Problem `invalid_cursor` for values that no row has */
export function orderOf(spec: Pick<AnySpec, 'fields' | 'prefix'>, sort: string, behind: CursorKey | undefined): Order {
  const { fields } = spec
  const asked = sortOf(sort, sortableNames(fields))
  const keys = asked.flatMap(key => keysOf(spec, key))
  if (!asked.some(({ column }) => column === 'id')) keys.push(byId(asked.at(-1)?.descending ?? false, spec))
  const past = behind && behindCursor(keys, behind)
  const [{ column, descending }] = asked as [SortKey<string>]
  const only = asked.length === 1 ? column : undefined
  const first = fields[column]
  if (first?.parts.order === undefined || first.required)
    return { column: only, keys, behind: past, arms: [{ where: sql`true`, keys, behind: past }] }
  return {
    column: only,
    keys,
    behind: past,
    arms: armsOf(column, first.parts.order(column, descending), keys.slice(2), behind),
  }
}

function keysOf(spec: Pick<AnySpec, 'fields' | 'prefix'>, { column, descending }: SortKey<string>): OrderKey[] {
  if (column === 'id') return [byId(descending, spec)]
  const field = spec.fields[column]
  if (field?.parts.order === undefined) return [byMoment(column, descending)]
  const own = field.parts.order(column, descending)
  return field.required ? [own] : [presence(column), filled(own)]
}

const fillers = { text: '', bigint: 0, date: '0001-01-01', timestamptz: '0001-01-01T00:00:00.000Z' } as const

/** With something to compare where there is no value: null is neither before nor behind anything. */
function filled(key: OrderKey): OrderKey {
  const filler = fillers[key.type]
  return {
    ...key,
    sql: sql`coalesce(${key.sql}, ${sql.lit(filler)}::${sql.raw(key.type)})`,
    value: row => key.value(row) ?? filler,
  }
}

/** @param own the key of the column, as an index has it @param rest the keys behind it */
function armsOf(column: string, own: OrderKey, rest: readonly OrderKey[], behind: CursorKey | undefined): Arm[] {
  const there = { where: sql`${columnOf(column)} is not null`, keys: [own, ...rest] }
  const empty = { where: sql`${columnOf(column)} is null`, keys: rest }
  const [flag, value, ...others] = behind ?? []
  if (behind !== undefined && flag === 1) return [{ ...empty, behind: behindOf(rest, others) }]
  return [
    { ...there, behind: behind && behindOf(there.keys, [value!, ...others]) },
    { ...empty, behind: undefined },
  ]
}

type Key = Pick<OrderKey, 'sql' | 'descending' | 'type'>

/** The condition of standing behind the row of a cursor. @throws Problem `invalid_cursor` for values that no row has */
export function behindCursor(keys: readonly Key[], values: CursorKey): Sql {
  if (values.length !== keys.length || !keys.every((key, at) => fits(key, values[at])))
    throw new Problem('invalid_cursor')
  return behindOf(keys, values)
}

function behindOf(keys: readonly Key[], values: CursorKey): Sql {
  const [first, ...rest] = keys.map((key, at) => ({ ...key, bound: sql`${values[at]}::${sql.raw(key.type)}` }))
  return behindKeys([first!, ...rest])
}

export function orderBy(keys: readonly Key[]): Sql {
  return sql.join(keys.map(key => (key.descending ? sql`${key.sql} desc` : key.sql)))
}

/** The values of a row that the next page goes on behind. */
export function cursorOf(keys: readonly OrderKey[], row: Row): CursorKey {
  return keys.map(key => key.value(row as Record<string, unknown>))
}

function fits({ type }: Key, value: unknown): boolean {
  if (type === 'bigint') return Number.isSafeInteger(value)
  if (typeof value !== 'string' || value.includes('\0')) return false
  if (type === 'text') return true
  const shape = type === 'date' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  return shape.test(value) && !Number.isNaN(Date.parse(value))
}
