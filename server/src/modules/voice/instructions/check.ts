// Holds one value against one schema of the vocabulary and makes a clean copy of it: only what the schema knows is read,
// so that nothing a stranger sends is ever walked deeper than the schemas go. Pure: numbers and addresses are read by
// functions that are handed in.
import { withArticle } from '@tandem/catalog/plural'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { meantProperty, nearest } from './hints.ts'
import { type ListKind, limits } from './parts.ts'

/** The part of JSON Schema that the vocabulary is written in. */
export type Schema = {
  type?: string
  const?: string
  enum?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  propertyNames?: { pattern: string; errorMessage: string }
  items?: Schema
  anyOf?: readonly Schema[]
  minLength?: number
  maxLength?: number
  pattern?: string
  errorMessage?: string
  format?: string
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
  title?: string
  description?: string
  default?: unknown
  examples?: readonly unknown[]
  writeOnly?: boolean
  'x-instructions'?: ListKind
  'x-callback'?: string
  'x-maxBytes'?: number
}

export type Checking = {
  faults: FieldFault[]
  /** What is checked, as a fault names it: `gather`, `a sip target`. */
  owner: string
  phone(text: string): string | undefined
  url(text: string): { href: string } | { code: string; message: string }
  list(items: readonly unknown[], kind: ListKind, at: string): unknown
}

export function addFault(checking: Pick<Checking, 'faults'>, field: string, code: string, message: string): undefined {
  if (checking.faults.length < limits.faults) checking.faults.push({ field, code, message })
}

export function isFull({ faults }: Pick<Checking, 'faults'>): boolean {
  return faults.length >= limits.faults
}

/** The value as it is kept; undefined when it is faulty, which the faults then report. */
export function check(value: unknown, schema: Schema, at: string, checking: Checking): unknown {
  if (schema.anyOf !== undefined) return checkChoice(value, schema.anyOf, at, checking)
  if (value === null)
    return addFault(checking, at, 'wrong_type', `must be ${article(schema.type)}; leave it out instead of null`)
  switch (schema.type) {
    case 'string':
      return checkText(value, schema, at, checking)
    case 'integer':
    case 'number':
      return checkNumber(value, schema, at, checking)
    case 'boolean':
      if (typeof value === 'boolean') return value
      return addFault(
        checking,
        at,
        'wrong_type',
        `must be a boolean${value === 'true' || value === 'false' ? `: write ${value} without quotes` : ''}`,
      )
    case 'array':
      return checkArray(value, schema, at, checking)
    default:
      return checkObject(value, schema, at, checking)
  }
}

function checkText(value: unknown, schema: Schema, at: string, checking: Checking): string | undefined {
  if (typeof value !== 'string') {
    const hint = typeof value === 'number' ? `: write ${JSON.stringify(String(value))} in quotes` : ''
    return addFault(checking, at, 'wrong_type', `must be a string${hint}`)
  }
  const fault = textFault(value)
  if (fault !== undefined) return addFault(checking, at, 'wrong_format', fault)
  const { maxLength = Number.POSITIVE_INFINITY, minLength = 0 } = schema
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const meant = nearest(value, schema.enum)
    return addFault(
      checking,
      at,
      'not_allowed',
      `must be one of: ${schema.enum.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    )
  }
  if (schema.const !== undefined && value !== schema.const)
    return addFault(checking, at, 'not_allowed', `must be ${schema.const}`)
  // Characters, as JSON Schema counts them; units of UTF-16 are counted first, because that takes no time.
  if (value.length > maxLength && (value.length > 2 * maxLength || [...value].length > maxLength)) {
    return addFault(checking, at, 'too_long', `must have at most ${plural(maxLength, 'character')}`)
  }
  if (value.length < minLength) {
    return addFault(
      checking,
      at,
      'too_short',
      minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
    )
  }
  if (schema.pattern !== undefined && !matches(schema.pattern, value)) {
    return addFault(checking, at, 'wrong_format', schema.errorMessage ?? `must match ${schema.pattern}`)
  }
  if (schema.format === 'phone') {
    const number = checking.phone(value)
    return (
      number ??
      addFault(
        checking,
        at,
        'wrong_format',
        'must be a telephone number, best with + and country code, such as +15550100001',
      )
    )
  }
  if (schema.format === 'url') {
    const read = checking.url(value)
    return 'href' in read ? read.href : addFault(checking, at, read.code, read.message)
  }
  return value
}

/** What no text may hold, because no database keeps it. */
function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode, without half of a surrogate pair'
}

function checkNumber(value: unknown, schema: Schema, at: string, checking: Checking): number | undefined {
  const isInteger = schema.type === 'integer'
  if (typeof value !== 'number' || !Number.isFinite(value) || (isInteger && !Number.isInteger(value))) {
    const isQuoted = typeof value === 'string' && /^-?\d{1,9}(\.\d{1,6})?$/.test(value)
    return addFault(
      checking,
      at,
      'wrong_type',
      `must be ${article(schema.type)}${isQuoted ? `: write ${value} without quotes` : ''}`,
    )
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  if (value < minimum) return addFault(checking, at, 'too_small', `must be at least ${minimum}`)
  if (value > maximum) return addFault(checking, at, 'too_large', `must be at most ${maximum}`)
  return value
}

function checkArray(value: unknown, schema: Schema, at: string, checking: Checking): unknown {
  if (!Array.isArray(value)) return addFault(checking, at, 'wrong_type', 'must be an array')
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = schema
  const kind = schema['x-instructions']
  if (kind !== undefined) {
    if (value.length === 0)
      return addFault(checking, at, 'too_few', 'must have at least 1 instruction; leave it out for none')
    return checking.list(value, kind, at)
  }
  if (value.length < minItems) return addFault(checking, at, 'too_few', `must have at least ${entries(minItems)}`)
  if (value.length > maxItems) return addFault(checking, at, 'too_many', `must have at most ${entries(maxItems)}`)
  const copy = value.map((item, index) => check(item, items, `${at}[${index}]`, checking))
  if (schema.uniqueItems === true && new Set(value).size < value.length) {
    return addFault(checking, at, 'not_allowed', 'must not name anything twice')
  }
  return copy
}

function checkObject(value: unknown, schema: Schema, at: string, checking: Checking): unknown {
  if (!isObject(value)) return addFault(checking, at, 'wrong_type', 'must be an object')
  if (schema.properties !== undefined) return checkProperties(value, schema, at, checking)
  const names = Object.keys(value)
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema
  if (names.length < minProperties)
    return addFault(checking, at, 'too_few', `must have at least ${entries(minProperties)}`)
  if (names.length > maxProperties)
    return addFault(checking, at, 'too_many', `must have at most ${entries(maxProperties)}`)
  const members = schema.additionalProperties
  if (typeof members !== 'object') return checkData(value, schema, at, checking)
  const copy: [string, unknown][] = []
  for (const name of names) {
    const fault = textFault(name)
    const rule = schema.propertyNames
    if (fault !== undefined) addFault(checking, at, 'wrong_format', `has a name that ${fault}`)
    else if (rule !== undefined && (name.length > 200 || !matches(rule.pattern, name))) {
      addFault(checking, at, 'wrong_format', `has ${quoted(name)}: names ${rule.errorMessage}`)
    } else copy.push([name, check(value[name], members, placeOf(at, name), checking)])
  }
  // Own members whatever they are called, __proto__ too.
  return Object.fromEntries(copy)
}

/** Any JSON, of a bounded size. */
function checkData(value: object, schema: Schema, at: string, checking: Checking): unknown {
  const json = JSON.stringify(value)
  const most = schema['x-maxBytes']
  if (most !== undefined && Buffer.byteLength(json) > most) {
    return addFault(checking, at, 'too_long', `must have at most ${most} bytes as JSON`)
  }
  let fault: string | undefined
  JSON.parse(json, (key, member) => {
    fault ??= textFault(key) ?? (typeof member === 'string' ? textFault(member) : undefined)
    return member
  })
  return fault === undefined ? value : addFault(checking, at, 'wrong_format', fault)
}

function checkProperties(value: Record<string, unknown>, schema: Schema, at: string, checking: Checking): unknown {
  const known = schema.properties ?? {}
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    if (isFull(checking)) return undefined
    if (Object.hasOwn(known, name)) {
      const kept = check(value[name], known[name]!, childPath(at, name), checking)
      if (kept !== undefined) copy[name] = kept
    } else addUnknownField(name, Object.keys(known), at, checking)
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name))
      addFault(checking, childPath(at, name), 'required', `is required by ${checking.owner}`)
  }
  return copy
}

function addUnknownField(name: string, known: readonly string[], at: string, checking: Checking): void {
  const meant = meantProperty(name, known)
  const hint = meant === undefined ? `it takes: ${known.join(', ')}` : `did you mean ${meant}?`
  const what = `no property of ${checking.owner}; ${hint}`
  // A name that a path cannot hold is reported at its owner.
  const place = placeOf(at, name)
  if (place !== at) addFault(checking, place, 'unknown_field', `is ${what}`)
  else addFault(checking, at, 'unknown_field', `has ${quoted(name)}, which is ${what}`)
}

/** One of several objects, distinguished by their `type`. */
function checkChoice(value: unknown, choices: readonly Schema[], at: string, checking: Checking): unknown {
  if (!isObject(value)) {
    return addFault(
      checking,
      at,
      'wrong_type',
      'must be an object with a type, such as {"type": "number", "number": "+15550100002"}',
    )
  }
  const types = choices.map(choice => choice.properties?.['type']?.const ?? '')
  const type = Object.hasOwn(value, 'type') ? value['type'] : undefined
  const index = typeof type === 'string' ? types.indexOf(type) : -1
  if (index !== -1) return check(value, choices[index]!, at, { ...checking, owner: `a target of type ${types[index]}` })
  const field = childPath(at, 'type')
  if (type === undefined) return addFault(checking, field, 'required', `is required: one of ${types.join(', ')}`)
  const meant = typeof type === 'string' ? (targetTypes[type] ?? nearest(type, types)) : undefined
  const hint = meant !== undefined && types.includes(meant) ? `; did you mean ${meant}?` : ''
  return addFault(checking, field, 'not_allowed', `must be one of: ${types.join(', ')}${hint}`)
}

const targetTypes: Readonly<Partial<Record<string, string>>> = Object.assign(Object.create(null), {
  phone: 'number',
  user: 'client',
  app: 'client',
  agent: 'client',
})

const patterns = new Map<string, RegExp>()

function matches(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern)
  if (compiled === undefined) {
    compiled = new RegExp(pattern, 'u')
    patterns.set(pattern, compiled)
  }
  return compiled.test(text)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The path of a member; of its owner when the name is none that a path could hold. */
function placeOf(at: string, name: string): string {
  return /^[\w*#-]{1,64}$/.test(name) ? childPath(at, name) : at
}

export function childPath(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}

/** A stranger's word in a message: cut to what one reads, and escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text.toWellFormed())
}

function article(type = 'object'): string {
  return withArticle(type)
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

function entries(count: number): string {
  return `${count} ${count === 1 ? 'entry' : 'entries'}`
}
