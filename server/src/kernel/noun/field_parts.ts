// What fields of all kinds are made with.
import { sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import type { Column, Common, Field, FieldParts, Filter, Need, OrderKey, Read, Reading, Sql } from './field.ts'

/** A column of the rows `r` that a list reads. */
export const columnOf = (name: string): Sql => sql.ref(`r.${name}`)

/** A field of these parts. */
export function make<Out, In, N extends Need, Kind extends string>(
  kind: Kind,
  options: Common,
  parts: FieldParts,
  more: Partial<Field> = {},
): Field<Out, In, N, Kind> {
  const { about, initial, label, find = false, setBy = 'change' } = options
  const field = {
    kind,
    required: isNeeded(options),
    initial,
    about,
    label,
    find,
    setBy,
    long: false,
    parts,
    ...more,
  }
  return field as unknown as Field<Out, In, N, Kind>
}

/** Whether a field is never empty. */
export function isNeeded({ required, initial }: Common): boolean {
  return required === true || initial !== undefined
}

/** What is kept in one column as it is shown. */
export function plain(
  type: string,
  shown: TSchema,
  more: Partial<FieldParts> & { check?: (column: string) => string; required?: boolean | undefined },
): FieldParts {
  const { check, required = false, ...parts } = more
  return {
    shown,
    sent: shown,
    columns: name => [{ name, type, notNull: required, ...(check && { check: check(name) }) } satisfies Column],
    read: value => ({ value }),
    ...(parts.load === undefined && parts.store === undefined && { isPlain: true }),
    load: (row, name) => row[name] ?? null,
    store: (value, name) => ({ [name]: value ?? null }),
    filters: () => [],
    ...parts,
  }
}

/** Equal to one, so that an index has the rest in order, or among several. */
export function oneOf(column: Sql, values: readonly string[]): Sql {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::text[])`
}

export function key(expression: Sql, descending: boolean, type: OrderKey['type'], name: string): OrderKey {
  return { sql: expression, descending, type, value: row => row[name] as string | number }
}

/** Text in the order people expect, whatever the database's own. */
const human = sql`collate "und-x-icu"`
export const byText = (name: string, descending: boolean) =>
  key(sql`${columnOf(name)} ${human}`, descending, 'text', name)

/** Owners as an index has them: nobody is 0, because the order of an index is of no use behind "is null". */
export function ownerKey(column: string, alias = 'r'): Sql {
  const owner = sql.ref(`${alias}.${column}`)
  return sql`(case when ${owner} is null then 0 else ${owner} end)`
}

/** `name[empty]=true`: records that have none. */
export function emptyFilter(name: string): Filter {
  return {
    parameter: `${name}[empty]`,
    schema: Type.Boolean({ description: `Whether ${name} is empty.` }),
    condition: (isEmpty: boolean) => (isEmpty ? sql`${columnOf(name)} is null` : sql`${columnOf(name)} is not null`),
  }
}

const bounds = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const
const boundNames = { gte: 'At least this.', gt: 'More than this.', lte: 'At most this.', lt: 'Less than this.' }

export function numberFilters(name: string, schema: (description: string) => TSchema, type: string): Filter[] {
  return (Object.keys(bounds) as (keyof typeof bounds)[]).map(bound => ({
    parameter: `${name}[${bound}]`,
    schema: schema(boundNames[bound]),
    condition: (value: number | string) => sql`${columnOf(name)} ${sql.raw(bounds[bound])} ${value}::${sql.raw(type)}`,
  }))
}

/** A filter by one value in one spelling. */
export function sameAs(name: string, schema: TSchema, read: (value: unknown, reading: Reading) => Read): Filter {
  return {
    parameter: name,
    schema,
    condition(value: string, reading) {
      const found = read(value, reading)
      return 'value' in found ? sql`${columnOf(name)} = ${found.value}` : sql`false`
    },
  }
}
