// Fields that name other records: users of the organization, and records of other nouns. What they name must be there, and to be seen.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { integerCells } from './cells.ts'
import { listOf } from './composites.ts'
import type { Common, Field, FieldParts, Filter, NeedOf, Read } from './field.ts'
import { columnOf, isNeeded, make, oneOf, ownerKey } from './field_parts.ts'

/** A user of the organization, by id. */
export function user<const O extends Common>(options: O): Field<number, number, NeedOf<O>, 'user'> {
  const { about } = options
  const required = isNeeded(options)
  const schema = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: about })
  const parts: FieldParts = {
    shown: schema,
    sent: schema,
    columns: name => [{ name, type: 'bigint', notNull: required }],
    read: value => ({ value }),
    load: (row, name) => row[name] ?? null,
    store: (value, name) => ({ [name]: value ?? null }),
    cells: integerCells,
    filters: name => [userFilter(name)],
  }
  return make('user', options, parts, { of: 'user' })
}

function userFilter(name: string): Filter {
  const idOf = (text: string, userId: number) => (text === 'none' ? 0 : text === 'me' ? userId : Number(text))
  const asked = (value: string, userId: number) => value.split(',').map(text => idOf(text.trim(), userId))
  return {
    parameter: name,
    schema: Type.String({
      pattern: '^(?:me|none|[1-9]\\d{0,14})(?:,(?:me|none|[1-9]\\d{0,14})){0,49}$',
      errorMessage: 'must be ids of users, me, or none, with commas between',
      description: 'Ids of users, `me`, or `none` for records without one; several with commas between.',
    }),
    condition: (value: string, { userId }) => sql`${ownerKey(name)} = any(${asked(value, userId)}::bigint[])`,
    counted: (value: string, { userId }) => asked(value, userId).map(String),
  }
}

/** A record of another noun, by id. @param of the noun's name, such as `company` @param prefix of its ids */
export function ref<const O extends Common & { prefix: string }>(
  of: string,
  options: O,
): Field<string, string, NeedOf<O>, 'ref'> {
  const { about, prefix } = options
  const required = isNeeded(options)
  const id = `${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}`
  const schema = Type.String({
    pattern: `^${id}$`,
    errorMessage: `must be the id of a ${of}, such as ${prefix}_01k9r7d3w2v8e6q4n5m1b0c9xz`,
    description: about,
  })
  const parts: FieldParts = {
    shown: schema,
    sent: schema,
    columns: name => [{ name, type: 'text collate "C"', notNull: required }],
    read: (value): Read => ({ value }),
    load: (row, name) => row[name] ?? null,
    store: (value, name) => ({ [name]: value ?? null }),
    filters: name => [
      {
        parameter: name,
        schema: Type.String({
          pattern: `^(?:none|${id})(?:,(?:none|${id})){0,49}$`,
          errorMessage: 'must be ids, or none, with commas between',
          description: 'Ids, or `none` for records without one; several with commas between.',
        }),
        condition(value: string) {
          const asked = value.split(',')
          const ids = asked.filter(text => text !== 'none')
          const named = oneOf(columnOf(name), ids)
          return asked.includes('none') ? sql`(${columnOf(name)} is null or ${named})` : named
        },
        counted: (value: string) => value.split(',').map(text => (text === 'none' ? '' : text)),
      },
    ],
  }
  return make('ref', options, parts, { of })
}

/** The record that this one is put on, of any noun that holds others: `cmp_…`, or the noun, a colon and its number where ids are numbers. */
export function record<const O extends Common>(options: O): Field<string, string, NeedOf<O>, 'record'> {
  const id = '[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\\d{0,14}'
  const required = isNeeded(options)
  const schema = Type.String({
    pattern: `^(?:${id})$`,
    maxLength: 60,
    errorMessage:
      'must be the id of a record, such as cmp_01k9r7d3w2v8e6q4n5m1b0c9xz, or with its noun in front where it is a number',
    description: options.about,
  })
  const none = required ? '' : 'none|'
  const parts: FieldParts = {
    shown: schema,
    sent: schema,
    columns: name => [{ name, type: 'text collate "C"', notNull: required }],
    read: (value): Read => ({ value }),
    load: (row, name) => row[name] ?? null,
    store: (value, name) => ({ [name]: value ?? null }),
    filters: name => [
      {
        parameter: name,
        schema: Type.String({
          pattern: `^(?:${none}${id})(?:,(?:${none}${id})){0,49}$`,
          errorMessage: `must be ids of records${required ? '' : ', or none'}, with commas between`,
          description: `Ids of records, such as \`cmp_…\`, with the noun in front where they are numbers${required ? '' : ', or `none`'}; several with commas between.`,
        }),
        condition(value: string) {
          const asked = value.split(',')
          const named = oneOf(
            columnOf(name),
            asked.filter(text => text !== 'none'),
          )
          return asked.includes('none') ? sql`(${columnOf(name)} is null or ${named})` : named
        },
      },
    ],
  }
  return make('record', options, parts)
}

/** Several records of another noun, of which one is the main one, each with what it is to this one. */
export function refs<const O extends Common & { prefix: string }>(of: string, options: O) {
  const { prefix } = options
  const id = Type.String({
    pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    errorMessage: `must be the id of a ${of}, such as ${prefix}_01k9r7d3w2v8e6q4n5m1b0c9xz`,
    description: `Identifier of the ${of}.`,
  })
  return listOf<string, O>(options, {
    kind: 'refs',
    of,
    shown: id,
    sent: id,
    read: value => ({ value }),
    text: value => value,
    identity: value => value,
  })
}
