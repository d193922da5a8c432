// The schemas of saved views.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { layouts } from './rules.ts'

export const maxColumns = 60

const Noun = Type.String({
  pattern: '^[a-z_]{2,40}$',
  errorMessage: 'must be a list as in its path, such as companies or leads',
  description: 'The list that it is of, as in its path: companies, contacts, leads, invoices and others.',
})
const Name = Type.String({ minLength: 1, maxLength: 80, description: 'What it is called.' })
const Shared = Type.Boolean({ description: 'Whether everybody in the organization sees it, or its owner alone.' })
const LayoutWord = OneOf(layouts, { description: 'A list, or a board with a column for each value of group_by.' })
const Filters = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 20,
  additionalProperties: { type: 'string', maxLength: 1_000 },
  description:
    'Parameters of the list with their values, as in its query string: `{"industry": "Retail", "owner_id": "me"}`.',
})
const Sort = Type.String({ maxLength: 100, description: 'The `sort` of the list, such as -created_at,name.' })
const GroupBy = Type.String({ maxLength: 60, description: 'The field that the columns of a board are made of.' })
const Field = Type.String({ maxLength: 60, description: 'A field of the records, or `tags`.' })
const Width = Type.Integer({ minimum: 40, maximum: 2_000, description: 'Width in pixels.' })

const ColumnInput = Type.Object({ field: Field, width: Type.Optional(Nullable(Width)) })
const Columns = Type.Array(ColumnInput, { maxItems: maxColumns, description: 'The columns, in their order.' })

export const ViewBody = Type.Object({
  noun: Noun,
  name: Name,
  shared: Type.Optional(Shared),
  layout: Type.Optional(LayoutWord),
  columns: Type.Optional(Columns),
  filters: Type.Optional(Filters),
  sort: Type.Optional(Nullable(Sort)),
  group_by: Type.Optional(Nullable(GroupBy)),
})

export const ViewChange = Type.Object({
  name: Type.Optional(Name),
  shared: Type.Optional(Shared),
  layout: Type.Optional(LayoutWord),
  columns: Type.Optional(Columns),
  filters: Type.Optional(Filters),
  sort: Type.Optional(Nullable(Sort)),
  group_by: Type.Optional(Nullable(GroupBy)),
})

export const ViewParams = Type.Object({ id: RecordId('viw', 'Identifier of the view.') })
export const ViewQuery = Type.Object({ noun: Type.Optional(Noun) })

export const DefaultBody = Type.Object({
  noun: Noun,
  view_id: Nullable(
    Type.String({
      pattern: '^viw_[0-7][0-9a-hjkmnp-tv-z]{25}$',
      errorMessage: 'must be the id of a view, viw_…, or null',
      description: 'The view that the list opens with for you; null for the list as it is.',
    }),
  ),
})

export const SavedView = Type.Object({
  id: Type.String({ description: 'Identifier, `viw_…`.' }),
  noun: Noun,
  name: Name,
  owner_id: Type.Integer({ description: 'Who saved it.' }),
  shared: Shared,
  layout: LayoutWord,
  columns: Type.Array(Type.Object({ field: Field, width: Nullable(Width) }), {
    description: 'The columns, in their order; none: those of the list itself.',
  }),
  filters: Filters,
  sort: Nullable(Sort),
  group_by: Nullable(GroupBy),
  is_default: Type.Boolean({ description: 'Whether the list opens with it for the caller.' }),
  may_change: Type.Boolean({ description: 'Whether the caller may change and delete it.' }),
  dropped: Type.Array(Type.String(), {
    description:
      'What was saved and is left out, because the list has it no longer: `columns.region`, `filters.status`.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
})

export const sampleView: Static<typeof SavedView> = {
  id: 'viw_01k9r7d3w2v8e6q4n5m1b0c9xz',
  noun: 'companies',
  name: 'Own retailers',
  owner_id: 1,
  shared: false,
  layout: 'list',
  columns: [
    { field: 'name', width: 240 },
    { field: 'industry', width: null },
  ],
  filters: { industry: 'Retail', owner_id: 'me' },
  sort: '-created_at,name',
  group_by: null,
  is_default: false,
  may_change: true,
  dropped: [],
  created_at: '2026-11-21T08:44:00.123Z',
  updated_at: '2026-11-21T08:44:00.123Z',
  version: 1,
}
