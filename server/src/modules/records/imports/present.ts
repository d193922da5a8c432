// Imports as the API shows them.
import { Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { manyNamed } from '../../../kernel/noun/registry.ts'
import { fieldIn, rowTargets } from '../../../kernel/noun/row_reader.ts'
import { importStates } from './rules.ts'
import type { ImportRow, RowFaults } from './store.ts'

export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const
export const encodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const
export const duplicateChoices = ['skip', 'update', 'create'] as const

/** How the bytes of a file are read. */
export const FileForm = {
  delimiter: Type.Optional(
    OneOf(Object.keys(delimiters) as (keyof typeof delimiters)[], {
      description: 'Between the columns; found out when left out.',
    }),
  ),
  encoding: Type.Optional(OneOf(encodings, { description: 'How the bytes are read; found out when left out.' })),
}
export type FileFormAsked = {
  delimiter?: keyof typeof delimiters | undefined
  encoding?: (typeof encodings)[number] | undefined
}

const Target = Type.Object({
  name: Type.String({ description: 'What a mapping calls it: a field, or a part of one.' }),
  label: Type.String({ description: 'The same for people.' }),
  about: Type.String({ description: 'What it holds.' }),
  several: Type.Boolean({ description: 'Whether several columns may stand for it.' }),
})

const Fault = Type.Object({
  row: Type.Integer({ description: 'The row of the file; the names of the columns are row 1.' }),
  column: Nullable(Type.String({ description: 'The column of the file; null where none stands for the field.' })),
  field: Type.String({ description: 'The field, with the place in it; empty for the row as a whole.' }),
  code: Type.String({ description: 'A word for what is wrong.' }),
  message: Type.String({ description: 'What is wrong, and what it takes.' }),
})

const count = (description: string) => Type.Integer({ description })

export const Options = {
  duplicates: OneOf(duplicateChoices, {
    description:
      'What becomes of a row that is the same as a record: skip leaves it out, update changes the record, create makes one more.',
  }),
  match: Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: 20,
    description: 'The fields by which a row is the same as a record: those of the noun, or some of them.',
  }),
  lists: OneOf(['add', 'replace'], {
    description:
      'Whether an update adds entries to lists such as e-mails, or puts them in the place of those that are there.',
  }),
  dates: OneOf(['day_first', 'month_first'], { description: 'How a date such as 03/04/2026 is read.' }),
  decimal: OneOf(['.', ','], { description: 'What stands between a number and its decimals.' }),
}

export const Mapping = Type.Array(Nullable(Type.String({ maxLength: 100 })), {
  maxItems: 500,
  description:
    'By column of the file, in its order, the name of the target that it stands for; null for a column that is left out.',
})

export const Import = Type.Object({
  id: Type.String({ description: 'Identifier.' }),
  tenant_id: Type.Integer({ description: 'The tenant it belongs to: live and test are two.' }),
  noun: Type.String({ description: 'What its rows are, such as contacts.' }),
  file_name: Nullable(Type.String({ description: 'What the file was called.' })),
  state: OneOf(importStates, {
    description:
      'draft until it is begun; checking and checked are the trial; running, completed, canceled and failed the import.',
  }),
  user_id: Type.Integer({ description: 'Who sent the file, for whom it runs.' }),
  size_bytes: Type.Integer({ description: 'Length of the file.' }),
  encoding: OneOf(encodings, { description: 'How its bytes are read.' }),
  delimiter: OneOf(Object.keys(delimiters) as (keyof typeof delimiters)[], {
    description: 'What stands between its columns.',
  }),
  columns: Type.Array(
    Type.Object({
      name: Type.String({ description: 'As the first line has it.' }),
      samples: Type.Array(Type.String(), { description: 'Values of the first rows.' }),
      cells: Type.Array(Type.String(), { description: 'Its cells of the first 5 rows, the empty ones too.' }),
    }),
    { description: 'The columns of the file.' },
  ),
  mapping: Mapping,
  targets: Type.Optional(Type.Array(Target, { description: 'What a column can stand for.' })),
  ...Options,
  rows: Nullable(
    Type.Integer({
      description:
        'How many rows the file has, the first line and empty ones aside; null until all were read, which a short file is when it is sent.',
    }),
  ),
  done: count('Rows of the trial, or of the import, that are done.'),
  created: count('Rows that created a record, or would.'),
  updated: count('Rows that changed a record, or would.'),
  unchanged: count('Rows that say what a record says already.'),
  skipped: count('Rows that were left out as duplicates.'),
  refused: count('Rows that cannot be imported.'),
  faults: Type.Optional(
    Type.Array(Fault, {
      description: 'What is wrong with the first rows that are refused; the file of refused rows has all.',
    }),
  ),
  problem: Nullable(Type.String({ description: 'Why it failed, and what to do.' })),
  batch_id: Nullable(
    Type.String({
      description: 'Names its changes in the histories of records, and takes them back; null before it runs.',
    }),
  ),
  reverted_by: Nullable(
    Type.String({ description: 'The last batch that takes its changes back; null while none does.' }),
  ),
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  finished_at: Nullable(Timestamp),
})

export function presentImport(tenantId: number, row: ImportRow) {
  const { options, delimiter, columns, mapping, row_count: rows } = row
  return {
    id: row.id,
    tenant_id: tenantId,
    noun: row.noun,
    file_name: row.file_name,
    state: row.state,
    user_id: row.user_id,
    size_bytes: row.size_bytes,
    encoding: row.encoding as (typeof encodings)[number],
    delimiter: nameOfDelimiter(delimiter),
    columns,
    mapping,
    ...options,
    rows,
    done: row.done,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    skipped: row.skipped,
    refused: row.refused,
    problem: row.problem,
    batch_id: row.batch_id,
    reverted_by: row.reverted_by ?? null,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    finished_at: row.finished_at,
  }
}

export function nameOfDelimiter(delimiter: string): keyof typeof delimiters {
  const [name] = Object.entries(delimiters).find(([, mark]) => mark === delimiter) ?? []
  return (name ?? 'comma') as keyof typeof delimiters
}

/** With what columns can stand for, and what is wrong with rows. */
export function presentWhole(tenantId: number, row: ImportRow, faults: readonly RowFaults[]) {
  const targets = rowTargets(manyNamed(row.noun).spec).map(({ name, label, about, several }) => ({
    name,
    label,
    about,
    several,
  }))
  return { ...presentImport(tenantId, row), targets, faults: presentFaults(row, faults) }
}

function presentFaults(row: ImportRow, all: readonly RowFaults[]) {
  return all.flatMap(({ place, faults }) =>
    faults.map(({ field, code, message }) => ({ row: place, column: columnOf(row, field), field, code, message })),
  )
}

/** The first column that stands for a field. */
export function columnOf({ mapping, columns }: Pick<ImportRow, 'mapping' | 'columns'>, path: string): string | null {
  const field = fieldIn(path)
  const at = field === '' ? -1 : mapping.findIndex(target => target !== null && fieldIn(target) === field)
  return columns[at]?.name ?? null
}
