// The schemas of a noun's endpoints, made of its fields.

import { type TObject, type TSchema, Type } from 'typebox'
import { SortBy, WordList } from '../endpoint/list_query.ts'
import { v1PageQuery } from '../endpoint/page.ts'
import { IntegerId, Nullable, Timestamp } from '../endpoint/schema.ts'
import { batchFilter } from './batched.ts'
import type { AnyField, Filter, SetBy } from './field.ts'
import { sortableNames } from './order.ts'
import { idSchema, idsOf, recordIdOf } from './record_ids.ts'
import { fieldsOf } from './records.ts'
import type { AnySpec } from './spec.ts'
import { tagFilters } from './tagged.ts'
import { momentFilters } from './value_kinds.ts'

export function recordSchema(spec: AnySpec): TObject {
  const own = fieldsOf(spec).map(([name, field]) => [name, shown(field)] as const)
  return Type.Object({
    id: spec.prefix === undefined ? IntegerId : Type.String({ description: 'Identifier.' }),
    tenant_id: Type.Integer({ description: 'The tenant it belongs to: live and test are two.' }),
    ...Object.fromEntries(own),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer({ description: 'Counts changes; the ETag.' }),
    deleted_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it was moved to the trash; absent for all others.' }),
    ),
  })
}

/** A record of a list, which has the fields that are asked for. */
export function listedSchema(spec: AnySpec): TObject {
  const { properties } = recordSchema(spec)
  const own = Object.fromEntries(fieldsOf(spec).map(([name]) => [name, Type.Optional(properties[name]!)]))
  return Type.Object({ ...properties, ...own })
}

/** Lists are there even when they are empty. */
function shown(field: AnyField): TSchema {
  return field.required || 'items' in field.parts.shown ? field.parts.shown : Nullable(field.parts.shown)
}

function sent(field: AnyField): TSchema {
  return field.required ? field.parts.sent : Nullable(field.parts.sent)
}

export function createSchema(spec: AnySpec): TObject {
  return bodyOf(spec, ['change', 'creation'], field => {
    if (field.initial !== undefined) return Type.Optional({ ...sent(field), default: field.initial })
    return field.required ? sent(field) : Type.Optional(sent(field))
  })
}

export function patchSchema(spec: AnySpec): TObject {
  return bodyOf(spec, ['change'], field => Type.Optional(sent(field)))
}

function bodyOf(spec: AnySpec, setBy: readonly SetBy[], schemaOf: (field: AnyField) => TSchema): TObject {
  const sendable = fieldsOf(spec).filter(([, field]) => setBy.includes(field.setBy))
  return Type.Object(Object.fromEntries(sendable.map(([name, field]) => [name, schemaOf(field)])))
}

export function paramsSchema(spec: AnySpec): TObject {
  return Type.Object({ id: idSchema(spec, `Identifier of the ${words(spec.names[0])}.`) })
}

/** The record that a path names, as others name it. */
export function pathId(spec: AnySpec, params: unknown): string {
  return recordIdOf(idsOf(spec), (params as { id: string | number }).id)
}

/** Every filter of a noun by its parameter, in the one order in which conditions are written. */
const filters = new WeakMap<object, ReadonlyMap<string, Filter>>()
export function filtersOf(spec: AnySpec): ReadonlyMap<string, Filter> {
  let known = filters.get(spec.fields)
  if (known === undefined) {
    const all = [
      ...fieldsOf(spec).flatMap(([name, field]) => field.parts.filters(name)),
      ...tagFilters(spec),
      batchFilter(spec),
      ...momentFilters('created_at'),
      ...momentFilters('updated_at'),
    ]
    known = new Map(all.map(filter => [filter.parameter, filter]))
    filters.set(spec.fields, known)
  }
  return known
}

export function listQuerySchema(spec: AnySpec): TObject {
  const [, many] = spec.names
  const fieldNames = fieldsOf(spec).map(([name]) => name)
  const searched = fieldsOf(spec).flatMap(([name, field]) => (field.find ? [name] : []))
  return Type.Object({
    ...Object.fromEntries(
      [...filtersOf(spec).values()].map(({ parameter, schema }) => [parameter, Type.Optional(schema)]),
    ),
    ...(searched.length > 0 && {
      q: Type.Optional(
        Type.String({
          maxLength: 100,
          description: `Searches ${searched.join(', ')}: every word, in any order, also parts of words (shorter than three letters: beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled like it.`,
        }),
      ),
    }),
    deleted: Type.Optional(
      Type.Boolean({ default: false, description: `Lists the trash instead; needs the permission ${many}:delete.` }),
    ),
    sort: Type.Optional(
      SortBy(sortableNames(spec.fields), spec.order.first, ' What is empty comes last. The id decides at the end.'),
    ),
    fields: Type.Optional(
      WordList(fieldNames, 'Only these fields, beside id and times. Long texts come only when they are named.'),
    ),
    ...includeSchema(spec),
    ...v1PageQuery,
    cursor: Type.Optional({ ...v1PageQuery.cursor, maxLength: 4_000 }),
  })
}

/** Fields that name other records. */
export function referencesOf(spec: AnySpec): string[] {
  return fieldsOf(spec).flatMap(([name, field]) => (field.of === undefined && field.kind !== 'record' ? [] : [name]))
}

export const NounPagination = Type.Object({
  page: Type.Integer({ description: 'The page used.' }),
  limit: Type.Integer({ description: 'The limit used.' }),
  totalCount: Type.Integer({ description: 'How many records match the filters.' }),
  totalIsExact: Type.Boolean({
    description:
      'False where more match than were counted: of filters that are not counted in advance at most 10,000, of a search at most 1,000. There are at least `totalCount` then.',
  }),
  nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the next page; null on the last.' }),
})

/** Records that are the same as one. */
export function duplicatesSchema({ prefix }: AnySpec) {
  return Type.Array(
    Type.Object({
      id: prefix === undefined ? IntegerId : Type.String({ description: 'Identifier.' }),
      title: Type.String({ description: 'What it is called.' }),
      matched_by: Type.String({ description: 'The field that is the same.' }),
    }),
    { description: 'Records that are the same by a field, the oldest first, at most ten, of those that one may read.' },
  )
}

/** The parameter by which titles of other records are asked for, of nouns that name some. */
export function includeSchema(spec: AnySpec): Record<string, TSchema> {
  const references = referencesOf(spec)
  if (references.length === 0) return {}
  return {
    include: Type.Optional(WordList(references, 'Titles of the records that these fields name, in `included`.')),
  }
}

export function includedSchema(spec: AnySpec): Record<string, TSchema> {
  return referencesOf(spec).length === 0 ? {} : { included: Type.Optional(Included) }
}

const Included = Type.Record(
  Type.String(),
  Type.Record(Type.String(), Type.Object({ title: Type.String({ description: 'What the record is called.' }) })),
  { description: 'Of each noun that `include` named, the records by id.' },
)

/** `opt_out` as people read it. */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}
