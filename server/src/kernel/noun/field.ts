// What a field of a noun is. For the compiler: how its value stands in a record and in a request. At run time: its schemas, columns,
// filters, order and what a search finds it by. The kinds of fields are in fields.ts.
import type { RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import type { Table } from '../values/states.ts'
import type { Cells, Reading } from './cells.ts'

export type { Reading } from './cells.ts'

export type Sql = RawBuilder<unknown>

/** A column as the migration of its table has it; `type` in PostgreSQL's words. */
export type Column = { name: string; type: string; notNull: boolean; check?: string }

/** A value as it is stored, or why it cannot be. */
export type Read = { value: unknown } | { code: string; message: string }

/** A parameter of the query string, and the condition on rows `r` that it stands for. */
export type Filter = {
  parameter: string
  schema: TSchema
  /**
   * What is asked for, of the text or value that the schema lets through.
   * @param inTrash whether records in the trash are asked for, which have no keys
   */
  condition(value: never, reading: Reading, inTrash: boolean): Sql
  /** The values of a facet that it asks for; undefined where the counters do not know it. */
  counted?(value: never, reading: Reading): readonly string[]
}

/** One key of an order: an expression on rows `r`, and the value that a row has for it, which a cursor carries. */
export type OrderKey<Row = Record<string, unknown>> = {
  sql: Sql
  descending: boolean
  value(row: Row): string | number
  type: 'timestamptz' | 'date' | 'text' | 'bigint'
}

export type FieldParts = {
  /** Without null. */
  shown: TSchema
  sent: TSchema
  columns(name: string): readonly Column[]
  /** Of a value that `sent` lets through. */
  read(value: unknown, reading: Reading): Read
  /** The value of a row, as it is shown; null where there is none. */
  load(row: Readonly<Record<string, unknown>>, name: string): unknown
  /** Whether it is kept in one column of its name, as it is shown. */
  isPlain?: true
  /** The columns of a value. */
  store(value: unknown, name: string): Record<string, unknown>
  filters(name: string): readonly Filter[]
  /** The keys to sort by; left out where there is no order that people expect. */
  order?(name: string, descending: boolean): OrderKey
  /** How it stands in a spreadsheet; as the text that it is when left out. */
  cells?: Cells
  /** What people search for: words of a name, digits of a number. */
  words?(value: unknown): readonly string[]
  /** What two records are the same by, in one spelling. */
  identity?(value: unknown): readonly string[]
}

/** Whether a creation must send it, what it is when nothing is sent, that it may be empty; or that nobody sends it, as rules set it. */
export type Need = 'required' | 'initial' | 'optional' | 'kept' | 'kept_optional'

/** Who sets a field: anyone who changes the record, anyone who creates it and nobody later, or rules alone. */
export type SetBy = 'change' | 'creation' | 'rules'

/** What declarations of all kinds may say. */
export type Common = {
  about: string
  required?: boolean
  initial?: unknown
  label?: string
  find?: boolean
  setBy?: SetBy
}
export type NeedOf<Options extends Common> = Options['setBy'] extends 'rules'
  ? Options['required'] extends true
    ? 'kept'
    : Options extends { initial: unknown }
      ? 'kept'
      : 'kept_optional'
  : Options['required'] extends true
    ? 'required'
    : Options extends { initial: unknown }
      ? 'initial'
      : 'optional'

/** @typeParam Out in a record @typeParam In in a request */
export type Field<Out = unknown, In = unknown, N extends Need = Need, Kind extends string = string> = {
  readonly kind: Kind
  /** Whether it is never empty. */
  readonly required: boolean
  /** What a new record has when nothing is sent. */
  readonly initial: unknown
  readonly about: string
  readonly label: string | undefined
  /** Left out of lists that do not name it: long texts. */
  readonly long: boolean
  /** The words of a choice or a state, in their order. */
  readonly choices?: readonly string[]
  /** Where a state leads; to any other where nothing is said. */
  readonly moves?: Table<string, string>
  /** How states are reached to which no move leads. */
  readonly elsewhere?: Readonly<Record<string, string>>
  readonly maxLength?: number
  /** The noun that a reference names. */
  readonly of?: string
  /** Whether a search looks through it. */
  readonly find: boolean
  readonly setBy: SetBy
  readonly parts: FieldParts
  /** Never there at run time. */
  readonly types?: { out: Out; in: In; need: N }
}

// biome-ignore lint/suspicious/noExplicitAny: fields of every type
export type AnyField = Field<any, any, Need, string>
export type Fields = Readonly<Record<string, AnyField>>

type OutOf<F> =
  F extends Field<infer Out, infer _In, infer N, infer _Kind>
    ? N extends 'optional' | 'kept_optional'
      ? Out | null
      : Out
    : never
type InOf<F> =
  F extends Field<infer _Out, infer In, infer N, infer _Kind> ? (N extends 'optional' ? In | null : In) : never
type Named<F> = keyof F & string
type NeededIn<F> = {
  [Name in Named<F>]: F[Name] extends Field<infer _Out, infer _In, infer N, infer _Kind>
    ? N extends 'required'
      ? Name
      : never
    : never
}[Named<F>]
/** Fields that no request sends. */
type KeptIn<F> = {
  [Name in Named<F>]: F[Name] extends Field<infer _Out, infer _In, infer N, infer _Kind>
    ? N extends 'kept' | 'kept_optional'
      ? Name
      : never
    : never
}[Named<F>]

/** What every record has beside its fields. */
export type Stamps = {
  id: string
  tenant_id: number
  version: number
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** A record of any noun: its fields by name, and its stamps. */
export type NounRecord = Record<string, unknown> & Stamps

/** A record as rules see it: each field by its name, null where it is empty. */
export type Values<F extends Fields> = { [Name in Named<F>]: OutOf<F[Name]> }
export type Row<F extends Fields> = Values<F> & Stamps
/** What a creation sends. */
export type Body<F extends Fields> = { [Name in NeededIn<F>]: InOf<F[Name]> } & {
  [Name in Exclude<Named<F>, NeededIn<F> | KeptIn<F>>]?: InOf<F[Name]>
}
/** What a change sets, in stored form. */
export type Patch<F extends Fields> = { [Name in Named<F>]?: OutOf<F[Name]> }
/** The names of fields of some kinds. */
export type NamesOf<F extends Fields, Kind extends string> = {
  [Name in Named<F>]: F[Name] extends Field<infer _Out, infer _In, infer _N, infer K>
    ? K extends Kind
      ? Name
      : never
    : never
}[Named<F>]
