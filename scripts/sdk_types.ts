// TypeScript for the schemas of the OpenAPI document: types with the description and the rules of each field as comments.
import { singularOf } from '@tandem/catalog/plural'

export type Json = Record<string, unknown>

export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
  items?: Schema
  description?: string
} & Json

/** Gives a schema the name under which it was declared, if it was. */
export type NameOf = (schema: Schema) => string | undefined

/** `api_keys.create` → `ApiKeysCreate`. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** `number_audit` → `numberAudit`. */
export function camel(text: string): string {
  const name = pascal(text)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** The type of a schema, as it is in a line that begins `indent` deep. */
export function typeText(schema: Schema, nameOf: NameOf, indent = ''): string {
  const named = nameOf(schema)
  if (named !== undefined) return named
  if (schema.$ref !== undefined) return pascal(schema.$ref.split('/').at(-1) ?? '')
  if ('const' in schema) return literal(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(literal))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return union(choices.map(choice => typeText(choice, nameOf, indent)))
  if (schema.allOf !== undefined) return schema.allOf.map(part => typeText(part, nameOf, indent)).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map(type => typeText({ ...schema, type }, nameOf, indent)))
  return plainType(schema, nameOf, indent)
}

function plainType(schema: Schema, nameOf: NameOf, indent: string): string {
  switch (schema.type) {
    case 'string':
      return schema['format' as never] === 'binary' ? 'Blob | string' : 'string'
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const item = schema.items === undefined ? 'unknown' : typeText(schema.items, nameOf, indent)
      const array = schema.readOnly === true ? 'ReadonlyArray' : 'Array'
      return /^[\w.]+$/.test(item) && array === 'Array' ? `${item}[]` : `${array}<${item}>`
    }
    case 'object':
      return objectType(schema, nameOf, indent)
    default:
      return schema.properties === undefined ? 'unknown' : objectType(schema, nameOf, indent)
  }
}

function objectType(schema: Schema, nameOf: NameOf, indent: string): string {
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0)
    return `{\n${membersText(schema, nameOf, `${indent}  `)}${indent}}`
  // Declared without any member: nothing to read there.
  if (schema.properties !== undefined) return 'Record<never, never>'
  const { additionalProperties: more } = schema
  const value = Object.values(schema.patternProperties ?? {})[0] ?? (typeof more === 'object' ? more : undefined)
  return `Record<string, ${value === undefined ? 'unknown' : typeText(value, nameOf, indent)}>`
}

/** Declares a type; names are used for what is inside it. */
export function declaration(name: string, schema: Schema, nameOf: NameOf): string {
  const text = comment(schema.description ?? '', '')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined)
    return `${text}export type ${name} =\n${choices.map(choice => `  | ${typeText(choice, nameOf, '  ')}\n`).join('')}`
  // The names of what it is made of are its own there, not names for the whole.
  if (schema.allOf !== undefined) return `${text}export type ${name} = ${typeText(schema, nameOf)}\n`
  if (schema.properties === undefined) return `${text}export type ${name} = ${typeText(schema, () => undefined)}\n`
  return `${text}export type ${name} = {\n${membersText(schema, nameOf, '  ')}}\n`
}

/** The named schemas that some schemas name, and those that these name in turn; each once, in the order they are met. */
export function componentsIn(
  all: Readonly<Record<string, Schema>>,
  schemas: readonly unknown[],
): [name: string, schema: Schema][] {
  const found = new Map<string, Schema>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { $ref } = node as Schema
    const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : ''
    const named = all[name]
    if (named !== undefined && !found.has(name)) {
      found.set(name, named)
      walk(named)
    }
    for (const inner of Object.values(node)) walk(inner)
  }
  walk(schemas)
  return [...found]
}

/** The members of an object type, each with its comment. */
export function membersText(schema: Schema, nameOf: NameOf, indent: string): string {
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {})
    .map(([name, field]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
      const mark = required.has(name) ? '' : '?'
      return `${comment(fieldText(field), indent)}${indent}${key}${mark}: ${typeText(field, nameOf, indent)}\n`
    })
    .join('')
}

const union = (types: string[]): string => [...new Set(types)].join(' | ')

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value)

/** What a field means, then its rules. */
function fieldText({ description = '', ...schema }: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties } = schema as Record<string, number>
  const range = (unit: string, low?: number, high?: number) =>
    low === undefined && high === undefined
      ? []
      : [low === high ? `exactly ${counted(low ?? 0, unit)}` : `${span(low, high)}${unit}`]
  const rules = [
    ...range('', minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
    ...range(' characters', minLength, maxLength),
    ...range(' items', minItems, maxItems),
    ...range(' entries', undefined, maxProperties),
    ...(schema.uniqueItems === true ? ['no item twice'] : []),
    ...(typeof schema.pattern === 'string' ? [`matches \`${schema.pattern}\``] : []),
    ...(typeof schema.format === 'string' && description === '' ? [`format ${schema.format}`] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
  if (rules.length === 0) return description
  return `${description}${description === '' ? '' : ' '}(${rules.join('; ')})`
}

/** ` items` of one is ` item`. */
function counted(count: number, unit: string): string {
  return `${count}${count === 1 ? singularOf(unit) : unit}`
}

function span(low: number | undefined, high: number | undefined): string {
  if (low === undefined) return `at most ${high}`
  return high === undefined ? `at least ${low}` : `${low} to ${high}`
}

/** A doc comment; nothing for no text. Paragraphs are parted by empty lines, lines are wrapped. */
export function comment(text: string, indent: string): string {
  if (text === '') return ''
  const safe = text.replaceAll('*/', '*\\/')
  if (!safe.includes('\n') && indent.length + safe.length <= 110) return `${indent}/** ${safe} */\n`
  const lines = safe.split('\n').flatMap(line => wrap(line, 114 - indent.length))
  return `${indent}/**\n${lines.map(line => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string
    if (line !== '' && line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
