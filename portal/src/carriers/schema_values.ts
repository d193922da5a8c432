// Values of a JSON Schema as a form holds them: text for what is typed, back to what the API takes. Knows no carrier:
// whatever kind the server offers, its settings are drawn and read by this.
import { decimalText } from '../forms/number_text.ts'
import { t } from './texts.ts'

export type FieldSchema = {
  type: string | readonly string[]
  title?: string
  description?: string
  default?: unknown
  enum?: readonly (string | null)[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  uniqueItems?: boolean
  'x-group'?: string
  'x-secret'?: boolean
  items?: ObjectSchema | FieldSchema
  /** What its values are called, where there are words for them. */
  choices?: Readonly<Record<string, string | undefined>>
}
export type ObjectSchema = { properties: Readonly<Record<string, FieldSchema>>; required?: readonly string[] }

/** A row of a list, by field. */
export type Row = Readonly<Record<string, string>>
export type Typed = string | boolean | readonly Row[]
export type TypedValues = Readonly<Record<string, Typed>>

export type Shape = 'boolean' | 'number' | 'choice' | 'list' | 'secret' | 'long' | 'text'

const typesOf = ({ type }: FieldSchema): readonly string[] => (typeof type === 'string' ? [type] : type)
export const isNullable = (schema: FieldSchema): boolean => typesOf(schema).includes('null')

/** What the schema says of a field, for people who fill in forms: there null is an empty field. */
export function hintOf({ description }: FieldSchema): string | undefined {
  return description?.replaceAll(/\bnull\b/g, (_, at: number) =>
    at === 0 || description.slice(0, at).endsWith('. ') ? 'Empty' : 'empty',
  )
}

/** Under which name a row holds the one value of a list of plain values. */
export const plain = ''

/** The columns of a list; a list of plain values has one without a name. */
export function columnsOf({ items, title }: FieldSchema): ObjectSchema {
  if (items === undefined) return { properties: {} }
  if ('properties' in items) return items
  return { properties: { [plain]: title === undefined ? items : { title, ...items } }, required: [plain] }
}

/** Where a part of a row is named in what the server finds wrong. */
export function rowPath(list: string, index: number, part: string): string {
  return part === plain ? `${list}[${index}]` : `${list}[${index}].${part}`
}

/** How a field is entered. */
export function shapeOf(schema: FieldSchema): Shape {
  const types = typesOf(schema)
  if (schema.enum !== undefined) return 'choice'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer') || types.includes('number')) return 'number'
  if (types.includes('array')) return 'list'
  if (schema['x-secret'] === true) return 'secret'
  return (schema.maxLength ?? 0) > 1_000 ? 'long' : 'text'
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

function typedOf(schema: FieldSchema, value: unknown): Typed {
  const shape = shapeOf(schema)
  if (shape === 'boolean') return value === true
  if (shape !== 'list') return textOf(value)
  const names = Object.keys(columnsOf(schema).properties)
  return ((value ?? []) as unknown[]).map(row =>
    Object.fromEntries(
      names.map(name => [name, textOf(name === plain ? row : (row as Record<string, unknown>)[name])]),
    ),
  )
}

/** The form of these values; what is not there is as its default says. */
export function typedValues(schema: ObjectSchema, values: Readonly<Record<string, unknown>>): TypedValues {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [
      name,
      typedOf(field, Object.hasOwn(values, name) ? values[name] : field.default),
    ]),
  )
}

/** Undefined leaves the field out. What is no number stays text: the server says so beside the field. */
function settingOf(schema: FieldSchema, typed: Typed): unknown {
  if (typeof typed === 'boolean') return typed
  if (typeof typed !== 'string') return typed.map(row => rowOf(columnsOf(schema), row))
  const text = shapeOf(schema) === 'secret' ? typed : typed.trim()
  if (text === '') return isNullable(schema) ? null : schema.default === '' ? '' : undefined
  if (shapeOf(schema) !== 'number') return text
  const number = Number(decimalText(text, [schema.type].flat().includes('integer') ? 0 : 6))
  return Number.isNaN(number) ? text : number
}

/** A line that was added and left empty is sent too: the server says beside it what belongs there. */
function rowOf({ properties }: ObjectSchema, row: Row): unknown {
  if (properties[plain] !== undefined) return settingOf(properties[plain], row[plain] ?? '') ?? ''
  const entries = Object.entries(properties).map(([name, field]) => [name, settingOf(field, row[name] ?? '')])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/**
 * What is to be sent of a form.
 * @param start the form as it began: what is still so is left out; undefined sends all that is filled in
 */
export function settingsOf(schema: ObjectSchema, typed: TypedValues, start?: TypedValues): Record<string, unknown> {
  const entries = Object.entries(schema.properties).flatMap(([name, field]): [string, unknown][] => {
    const now = typed[name]
    if (now === undefined || (start !== undefined && JSON.stringify(now) === JSON.stringify(start[name]))) return []
    const value = settingOf(field, now)
    // Emptied, a field with a default goes back to it; a secret that is left empty is kept.
    const back = start !== undefined && shapeOf(field) !== 'secret' ? field.default : undefined
    const sent = value === undefined ? back : value
    return sent === undefined ? [] : [[name, sent]]
  })
  return Object.fromEntries(entries)
}

export type Group = { name: string; fields: readonly (readonly [name: string, schema: FieldSchema])[] }

/** The fields under their headings, in the order of the schema. */
export function groupsOf(schema: ObjectSchema): Group[] {
  const groups = Map.groupBy(Object.entries(schema.properties), ([, field]) => field['x-group'] ?? t('settings'))
  return [...groups].map(([name, fields]) => ({ name, fields }))
}

/** How many fields of a group are not as their defaults say; those without a default do not count. */
export function changedCount({ fields }: Group, typed: TypedValues): number {
  const differs = ([name, field]: readonly [string, FieldSchema]) =>
    field.default !== undefined && JSON.stringify(typed[name]) !== JSON.stringify(typedOf(field, field.default))
  return fields.filter(differs).length
}

/** A word of an enumeration for people. */
export function choiceText({ choices }: FieldSchema, value: string): string {
  return choices?.[value] ?? value.replaceAll('_', ' ')
}

/** The names of all fields that can show an error of their own, below `prefix`. */
export function fieldPaths(schema: ObjectSchema, typed: TypedValues, prefix: string): string[] {
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const rows = typed[name]
    const inside = Array.isArray(rows)
      ? rows.flatMap((_, index) =>
          Object.keys(columnsOf(field).properties).map(part => rowPath(`${prefix}${name}`, index, part)),
        )
      : []
    return [`${prefix}${name}`, ...inside]
  })
}
