// Fields of resources: each is declared once, with its schema and its column, and from that come the schemas of replies and bodies, a
// row as the API shows it, and the columns that a body sets.
import { type Static, type TObject, type TOptional, type TSchema, Type } from 'typebox'
import { customerUrl } from '../endpoint/callback_url.ts'
import { Nullable } from '../endpoint/schema.ts'
import type { Asking } from './resource.ts'

/** What a value of a body is read with: the request, and what is stored of the field. */
export type Reading = { asking: Asking; stored: unknown }

export type ResourceField<
  Schema extends TSchema = TSchema,
  Sent extends boolean = boolean,
  Shown extends TSchema = TSchema,
> = {
  schema: Schema
  /** In replies, where that is not the schema of bodies. */
  shown: Shown
  /** Whether a body may set it. */
  isSent: Sent
} & More

type More = {
  /** Where that is not its name in snake case. */
  column?: string
  /** As it is shown, of the value of the column. */
  show?(value: never): unknown
  /** As it is stored. @throws Problem */
  read?(value: never, reading: Reading): unknown
  /** Whether a body that names it sets no column: it is kept elsewhere. */
  isApart?: true
}

/** What the server alone sets. */
export function shown<Schema extends TSchema>(
  schema: Schema,
  more: Pick<More, 'column' | 'show'> = {},
): ResourceField<Schema, false, Schema> {
  return { schema, shown: schema, isSent: false, ...more }
}

/** What a body may set. */
export function settable<Schema extends TSchema, Shown extends TSchema = Schema>(
  schema: Schema,
  { shown, ...more }: More & { shown?: Shown } = {},
): ResourceField<Schema, true, Shown> {
  return { schema, shown: shown ?? (unbounded(schema) as never), isSent: true, ...more }
}

const bounds = [
  'minLength',
  'maxLength',
  'pattern',
  'errorMessage',
  'minimum',
  'maximum',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
]

/** What a reply says of a value that a body may set: not its bounds, so that these can be widened. */
function unbounded<Schema extends TSchema>(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !bounds.includes(name))) as unknown as Schema
}

/** A text in people's own words, without blanks around it. */
export function wording(description: string, maxLength = 200) {
  const schema = Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    errorMessage: 'must not be empty',
    description,
  })
  return settable(schema, { read: (text: string) => text.trim() })
}

/** The same, which may be empty. */
export function optionalWording(description: string, maxLength = 200) {
  const { schema } = wording(description, maxLength)
  return settable(Nullable(schema), { read: (text: string | null) => text?.trim() ?? null })
}

/** An address that the server calls; null for none. A new one is checked, one that is stored stays. */
export function callbackUrl(description: string) {
  const schema = Nullable(Type.String({ format: 'url', maxLength: 2_048, description }))
  return settable(schema, {
    read: (text: string | null, { asking: { services, principal }, stored }) =>
      text === null
        ? null
        : customerUrl(text, services.egress, { mode: principal.mode, stored: (stored as string | null) ?? null }),
  })
}

// biome-ignore lint/suspicious/noExplicitAny: with TSchema here the compiler would forget the values of schemas that are made in place
type AnyFields = Readonly<Record<string, ResourceField<any, boolean, any>>>
type SchemasOf<Fields extends AnyFields> = { [Name in keyof Fields]: Fields[Name]['shown'] }
type SettableOf<Fields extends AnyFields> = {
  [Name in keyof Fields as Fields[Name]['isSent'] extends true ? Name : never]: TOptional<Fields[Name]['schema']>
}

export type ResourceFields<Fields extends AnyFields> = {
  /** A record as replies have it. */
  Shown: TObject<SchemasOf<Fields>>
  /** Of each field, for creations that must send it. */
  schemas: { [Name in keyof Fields]: Fields[Name]['schema'] }
  /** What a PATCH may send; a creation the same, beside what it must. */
  settable: SettableOf<Fields>
  present(row: object): Static<TObject<SchemasOf<Fields>>>
  /** The columns that a body sets, in stored form. @throws Problem */
  read(
    body: Partial<Static<TObject<SettableOf<Fields>>>>,
    asking: Asking,
    row?: object,
  ): Readonly<Record<string, unknown>>
}

export function resourceFields<const Fields extends AnyFields>(fields: Fields): ResourceFields<Fields> {
  const all = Object.entries<ResourceField>(fields).map(([name, field]) => ({
    ...field,
    name,
    column: field.column ?? name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
  }))
  const sent = all.filter(({ isSent }) => isSent)
  return {
    Shown: Type.Object(Object.fromEntries(all.map(field => [field.name, field.shown]))) as never,
    schemas: Object.fromEntries(all.map(({ name, schema }) => [name, schema])) as never,
    settable: Object.fromEntries(sent.map(({ name, schema }) => [name, Type.Optional(schema)])) as never,
    present(row) {
      const values = row as Readonly<Record<string, unknown>>
      return Object.fromEntries(
        all.map(({ name, column, show }) => [
          name,
          show === undefined ? values[column] : show(values[column] as never),
        ]),
      ) as never
    },
    read(body, asking, row = {}) {
      const values = body as Readonly<Record<string, unknown>>
      const old = row as Readonly<Record<string, unknown>>
      return Object.fromEntries(
        sent
          .filter(({ name, isApart }) => values[name] !== undefined && !isApart)
          .map(({ name, column, read }) => {
            const value = values[name]
            return [column, read === undefined ? value : read(value as never, { asking, stored: old[column] })]
          }),
      )
    },
  }
}
