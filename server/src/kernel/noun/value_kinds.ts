// Fields of values that are no text: choices and states, yes or no, numbers, dates and times.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { WordList, wordsOf } from '../endpoint/list_query.ts'
import { DateOnly, MomentInput, Timestamp } from '../endpoint/schema.ts'
import type { Table } from '../values/states.ts'
import { booleanCells, choiceCells, dateCells, integerCells, momentCells } from './cells.ts'
import type { Common, Field, FieldParts, Filter, NeedOf } from './field.ts'
import { columnOf, emptyFilter, isNeeded, key, make, numberFilters, oneOf, plain } from './field_parts.ts'
import { rangeOf } from './moments.ts'

/** A word of a list in any letter case; JSON Schema can say that only as a pattern. */
function anyCaseOf(words: readonly string[], about: string) {
  const letters = (word: string) => [...word].map(letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('')
  return Type.String({
    pattern: `^(?:${words.map(letters).join('|')})$`,
    errorMessage: `must be one of: ${words.join(', ')}`,
    examples: [...words],
    description: `${about} One of: ${words.join(', ')}; in any letter case.`,
  })
}

/** One of fixed words; with `anyCase` they are sent in any letter case. */
function choice<const Words extends readonly string[], const O extends Common & { anyCase?: true }>(
  words: Words,
  options: O,
): Field<Words[number], Words[number], NeedOf<O>, 'choice'> {
  const parts = choiceParts(words, options)
  if (options.anyCase !== true) return make('choice', options, parts, { choices: words })
  const read = (value: unknown) => ({
    value: words.find(word => word.toLowerCase() === String(value).toLowerCase()),
  })
  return make('choice', options, { ...parts, sent: anyCaseOf(words, options.about), read }, { choices: words })
}

function choiceParts(words: readonly string[], options: Common): FieldParts {
  const { about } = options
  const required = isNeeded(options)
  const list = sql.lit(`{${words.map(word => `"${word}"`).join(',')}}`)
  const shown = Type.Unsafe<string>({ type: 'string', enum: [...words], description: about })
  return plain('text collate "C"', shown, {
    check: column => `${column} in (${words.map(word => `'${word}'`).join(', ')})`,
    required,
    cells: choiceCells(words),
    order: (name, descending) => ({
      sql: sql`array_position(${list}::text[], ${columnOf(name)})`,
      descending,
      type: 'bigint',
      value: row => words.indexOf(row[name] as string) + 1,
    }),
    filters: name => [
      {
        parameter: name,
        schema: WordList(words, `Only records whose ${name} is among these.`),
        condition: (asked: string) => oneOf(columnOf(name), wordsOf(asked, words)),
        counted: (asked: string) => wordsOf(asked, words),
      },
      ...(required ? [] : [emptyFilter(name)]),
    ],
  })
}

/**
 * Where a record stands: a new one in the first of the states where nothing is sent. With `moves` a change goes only where the table
 * leads; without, rules decide. `elsewhere` says of states that no change of the field reaches how they are reached.
 */
function state<
  const Words extends readonly [string, ...string[]],
  const O extends Omit<Common, 'required' | 'initial'> & {
    moves?: Table<Words[number], string>
    elsewhere?: { [State in Words[number]]?: string }
  },
>(words: Words, options: O): Field<Words[number], Words[number], 'initial', 'state'> {
  const { moves, elsewhere, ...rest } = options
  const all = { ...rest, initial: words[0] }
  return make('state', all, choiceParts(words, all), {
    choices: words,
    ...(moves && { moves }),
    ...(elsewhere && { elsewhere: elsewhere as Record<string, string> }),
  })
}

function boolean<const O extends Common>(options: O): Field<boolean, boolean, NeedOf<O>, 'boolean'> {
  const parts = plain('boolean', Type.Boolean({ description: options.about }), {
    cells: booleanCells,
    required: isNeeded(options),
    order: (name, descending) => ({
      sql: sql`(case when ${columnOf(name)} then 1 else 0 end)`,
      descending,
      type: 'bigint',
      value: row => Number(row[name]),
    }),
    filters: name => [
      {
        parameter: name,
        schema: Type.Boolean({ description: options.about }),
        condition: (value: boolean) => sql`${columnOf(name)} = ${value}`,
      },
    ],
  })
  return make('boolean', options, parts)
}

type NumberOptions = Common & { min?: number; max?: number }

function integer<const O extends NumberOptions>(options: O): Field<number, number, NeedOf<O>, 'integer'> {
  const { about, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options
  const required = isNeeded(options)
  const schema = (description: string) => Type.Integer({ minimum: min, maximum: max, description })
  const parts = plain('bigint', schema(about), {
    check: column => `${column} between ${min} and ${max}`,
    required,
    cells: integerCells,
    order: (name, descending) => key(columnOf(name), descending, 'bigint', name),
    filters: name => [...numberFilters(name, schema, 'bigint'), ...(required ? [] : [emptyFilter(name)])],
  })
  return make('integer', options, parts)
}

function date<const O extends Common>(options: O): Field<string, string, NeedOf<O>, 'date'> {
  const parts = plain(
    'date',
    { ...DateOnly, description: options.about },
    {
      required: isNeeded(options),
      cells: dateCells,
      order: (name, descending) => key(columnOf(name), descending, 'date', name),
      filters: name => [
        ...numberFilters(name, description => ({ ...DateOnly, description }), 'date'),
        ...(isNeeded(options) ? [] : [emptyFilter(name)]),
      ],
    },
  )
  return make('date', options, parts)
}

const momentBound = (which: string) => ({
  ...MomentInput,
  description: `${which} ISO 8601 date, or time; without offset in the time zone of the organization.`,
})
const momentWords = {
  gte: 'At or after.',
  gt: 'After; after the whole day for a date.',
  lte: 'At or before; a date is included.',
  lt: 'Before.',
}

/** Filters of a point in time; also those of `created_at` and `updated_at`, which every noun has. */
export function momentFilters(name: string): Filter[] {
  return (Object.keys(momentWords) as (keyof typeof momentWords)[]).map(bound => ({
    parameter: `${name}[${bound}]`,
    schema: momentBound(momentWords[bound]),
    condition(value: string, { timeZone }) {
      const { from, before } = rangeOf({ [bound]: value }, timeZone)
      return from === undefined
        ? sql`${columnOf(name)} < ${before}::timestamptz`
        : sql`${columnOf(name)} >= ${from}::timestamptz`
    },
  }))
}

export const byMoment = (name: string, descending: boolean) => key(columnOf(name), descending, 'timestamptz', name)

/** `due_at[past]=true`: whether the moment has passed when the list is read, so that a saved filter stays true. */
function pastFilter(name: string): Filter {
  return {
    parameter: `${name}[past]`,
    schema: Type.Boolean({ description: `Whether ${name} has passed; false also for records without one.` }),
    condition: (isPast: boolean) =>
      isPast ? sql`${columnOf(name)} < now()` : sql`(${columnOf(name)} is null or ${columnOf(name)} >= now())`,
  }
}

function moment<const O extends Common>(options: O): Field<string, string, NeedOf<O>, 'moment'> {
  const parts = plain(
    'timestamptz(3)',
    { ...Timestamp, description: options.about },
    {
      required: isNeeded(options),
      read: value => ({ value: new Date(value as string).toISOString() }),
      cells: momentCells,
      order: byMoment,
      filters: name => [...momentFilters(name), pastFilter(name), ...(isNeeded(options) ? [] : [emptyFilter(name)])],
    },
  )
  return make('moment', options, parts)
}

export const valueKinds = { choice, state, boolean, integer, date, moment }
