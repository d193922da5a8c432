// Schemas for people: the fields of a body as one flat list with dotted names, the type and the rules of a field as short
// texts. The Explorer's tables, the Markdown pages and the exports show these.

import { type JsonSchema, schemaName } from './document.ts'
import { pluralOf } from './plural.ts'

/** One field or parameter of a request. */
export type Field = {
  /** `from`, `customer.name`, `lines[].quantity`, `Idempotency-Key`. */
  name: string
  in: 'path' | 'query' | 'header' | 'body'
  /** Whether a request without it is refused. */
  required: boolean
  /** The optional object or list within which it is required: `lines` for `lines[].quantity`. */
  requiredWithin?: string
  description: string
  /** `text`, `integer`, `list of text`, `object`, `text or null`, `list of Instruction`. */
  type: string
  /** `1–1,600 characters`, `one of Hot, Warm, Cold`; empty when there is none. */
  rules: string
  default?: unknown
  example?: unknown
  schema: JsonSchema
}

const typeWords: Record<string, string> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

/** The type of a value, in words. */
export function typeText(schema: JsonSchema): string {
  const name = schemaName(schema.$ref)
  if (name !== undefined) return name
  const forms = schema.anyOf ?? schema.oneOf
  if (forms !== undefined) return [...new Set(forms.map(typeText))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const types = typesOf(schema)
  if (types.length === 0) return schema.properties === undefined ? 'any JSON' : 'object'
  return types.map(type => (type === 'array' ? listText(schema.items) : (typeWords[type] ?? type))).join(' or ')
}

function typesOf({ type, enum: values }: JsonSchema): string[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  return values === undefined ? [] : ['string']
}

const plurals: Record<string, string> = { integer: 'integers', number: 'numbers', object: 'objects' }

function listText(items: JsonSchema | undefined): string {
  if (items === undefined) return 'list'
  const text = typeText(items)
  return `list of ${plurals[text] ?? text}`
}

/** Formats, as the server checks them. */
const formatTexts: Record<string, string> = {
  phone: 'phone number, best E.164',
  email: 'e-mail address',
  date: 'date YYYY-MM-DD',
  'date-time': 'ISO 8601 time',
  moment: 'ISO 8601 date or time',
  url: 'http or https address',
  uri: 'URI',
  'uri-reference': 'address, whole or relative',
  uuid: 'UUID',
}

/** The names of the schemas that a value has, or each entry of a list; none for a schema that stands where it is used. */
export function namesIn(schema: JsonSchema): string[] {
  const name = schemaName(schema.$ref)
  if (name !== undefined) return [name]
  const parts = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ]
  return parts.flatMap(namesIn)
}

/** The names among which a schema is a choice; none for one that is something by itself. */
export function choicesOf({ anyOf, oneOf }: JsonSchema): string[] {
  return (anyOf ?? oneOf ?? []).flatMap(({ $ref }) => schemaName($ref) ?? [])
}

/** A schema of several parts as one, with the fields of all; references are followed. */
export function mergedSchema(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { allOf, ...own } = schema
  if (allOf === undefined) return schema
  const parts = [...allOf.map(part => mergedSchema(schemas[schemaName(part.$ref) ?? ''] ?? part, schemas)), own]
  const properties = Object.assign({}, ...parts.map(part => part.properties))
  return Object.assign({}, ...parts, { properties, required: parts.flatMap(({ required = [] }) => required) })
}

/** What a value must keep to, in words; empty when anything of its type will do. */
export function rulesText(schema: JsonSchema): string {
  const forms = (schema.anyOf ?? schema.oneOf ?? []).map(rulesText).filter(Boolean)
  const isList = typesOf(schema).includes('array')
  return [
    ...new Set(forms),
    valuesText(schema.enum),
    schema.format === undefined ? '' : (formatTexts[schema.format] ?? schema.format),
    schema.enum === undefined ? rangeText(schema.minLength, schema.maxLength, 'character') : '',
    patternText(schema),
    boundsText(schema),
    schema.multipleOf === undefined ? '' : `a multiple of ${figure(schema.multipleOf)}`,
    rangeText(schema.minItems, schema.maxItems, 'entry'),
    schema.uniqueItems === true ? 'no entry twice' : '',
    rangeText(schema.minProperties, schema.maxProperties, 'field'),
    isList && schema.items !== undefined ? prefixed('each: ', rulesText(schema.items)) : '',
    namedValuesText(schema),
  ]
    .filter(Boolean)
    .join('; ')
}

const prefixed = (prefix: string, text: string) => (text === '' ? '' : prefix + text)

function valuesText(values: unknown[] | undefined): string {
  const named = (values ?? []).filter(value => value !== null).map(String)
  if (named.length === 0) return ''
  return named.length === 1 ? `always ${named[0]}` : `one of ${named.join(', ')}`
}

function patternText({ pattern, 'x-error-message': words }: JsonSchema): string {
  if (words !== undefined) return words.replace(/^must (not )?(?:be )?/, '$1')
  return pattern === undefined ? '' : `matches ${pattern}`
}

/** The values of an object that takes names of one's own. */
function namedValuesText({ additionalProperties, patternProperties }: JsonSchema): string {
  const values =
    typeof additionalProperties === 'object' ? additionalProperties : Object.values(patternProperties ?? {})[0]
  return values === undefined ? '' : prefixed('each value: ', [typeText(values), rulesText(values)].join(', '))
}

// By hand: Intl would be most of the time it takes to read a catalog.
const figure = (value: number) => String(value).replaceAll(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',')

function counted(count: number, one: string): string {
  return `${figure(count)} ${count === 1 ? one : pluralOf(one)}`
}

function rangeText(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return least === 0 ? '' : `at least ${counted(least!, unit)}`
  if (least === undefined || least === 0) return `at most ${counted(most, unit)}`
  return least === most ? `exactly ${counted(most, unit)}` : `${figure(least)}–${counted(most, unit)}`
}

function boundsText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  // The largest safe integer is a bound of the format, not a rule worth stating.
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (minimum !== undefined && most !== undefined) return `${figure(minimum)}–${figure(most)}`
  return [
    minimum === undefined ? '' : `at least ${figure(minimum)}`,
    most === undefined ? '' : `at most ${figure(most)}`,
    exclusiveMinimum === undefined ? '' : `more than ${figure(exclusiveMinimum)}`,
    exclusiveMaximum === undefined ? '' : `less than ${figure(exclusiveMaximum)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** A field as people read it. */
export function fieldOf(
  field: Pick<Field, 'name' | 'in' | 'required'> & { schema: JsonSchema } & Partial<Field>,
): Field {
  const { schema } = field
  const { description = schema.description ?? '', example = schema.examples?.[0] } = field
  return {
    ...field,
    description,
    type: typeText(schema),
    rules: rulesText(schema),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    ...(example === undefined ? {} : { example }),
  }
}

/** The fields of a body, objects and lists of objects followed by the fields within them. */
export function bodyFields(schema: JsonSchema | null): Field[] {
  return schema === null ? [] : fieldsWithin(schema, '', true)
}

/** `within` is the name of the object around, `isSure` whether that object is always sent. */
function fieldsWithin(schema: JsonSchema, within: string, isSure: boolean): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = within === '' ? key : `${within}.${key}`
    const isRequired = schema.required?.includes(key) ?? false
    const field = fieldOf({ name, in: 'body', required: isRequired && isSure, schema: property })
    if (isRequired && !isSure) field.requiredWithin = within.replace(/\[\]$/, '')
    const inner = property.items === undefined ? property : property.items
    const innerName = property.items === undefined ? name : `${name}[]`
    return [field, ...fieldsWithin(inner, innerName, isRequired && isSure && property.items === undefined)]
  })
}
