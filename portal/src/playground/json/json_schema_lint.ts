// Holds a body against the schema of its endpoint while it is typed, in the words the server would use, so that most
// refusals are seen before they are sent. It marks and never forbids: a wrong body may be sent on purpose.
import type { JsonSchema } from '@tandem/catalog'
import { listText } from '../../words/format.ts'
import { chooseForm, type FormChoice, schemaAt } from './json_forms.ts'
import { type JsonMember, type JsonNode, plainValue, readJson } from './json_text.ts'
import { t } from './texts.ts'

export type LintFault = { from: number; to: number; message: string; source: 'syntax' | 'schema' }

const MAX_FAULTS = 50

type Report = (node: { from: number; to: number }, message: string) => void

/** What is looked at: where it stands, what reports faults, and the root of its schema. */
type Looking = { path: string; report: Report; root: JsonSchema }

/** Faults of a JSON text, first by place. With syntax faults the schema is not looked at: half a body fits nothing. */
export function lintJson(text: string, schema: JsonSchema | null): LintFault[] {
  const { root, faults } = readJson(text)
  if (faults.length > 0) return faults.map(fault => ({ ...fault, source: 'syntax' as const }))
  if (root === undefined || schema === null) return []
  const found: LintFault[] = []
  const report: Report = ({ from, to }, message) => {
    if (found.length < MAX_FAULTS) found.push({ from, to, message, source: 'schema' })
  }
  check(root, schema, { path: '', report, root: schema })
  return found.sort((a, b) => a.from - b.from)
}

/** What is wrong with a parameter of the query, `q must have …`; undefined when nothing is. */
export function lintParameter(name: string, text: string, schema: JsonSchema): string | undefined {
  const types = typesOf(schema)
  const isPlain =
    types.some(type => ['integer', 'number', 'boolean'].includes(type)) && /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(text)
  const source = isPlain ? text : JSON.stringify(text)
  let first: string | undefined
  const { root } = readJson(source)
  if (root === undefined) return undefined
  const report: Report = (_, message) => {
    first ??= message
  }
  check(root, schema, { path: name, report, root: schema })
  return first?.replace(t('type.string'), t('type.text'))
}

function check(node: JsonNode, given: JsonSchema, looking: Looking): void {
  // What a variable will be is not known here.
  if (node.kind === 'variable' || node.kind === 'error') return
  const schema = schemaAt(given, looking.root)
  const { report } = looking
  const name = looking.path === '' ? t('lint.body') : looking.path
  const choice = chooseForm(node, schema, looking.root)
  if (choice !== undefined) {
    if (choice.form === undefined) checkWord(node, choice, looking)
    else check(node, choice.form, looking)
    return
  }
  const forms = schema.anyOf ?? schema.oneOf
  if (forms !== undefined && !forms.some(form => fits(node, form, looking.root))) {
    const likely = forms
      .map(form => schemaAt(form, looking.root))
      .find(form => isOfType(node, form) && form.type !== 'null')
    if (likely !== undefined) check(node, likely, looking)
    else
      report(
        node,
        t('lint.type', { name, type: typeNames(forms.flatMap(form => typesOf(schemaAt(form, looking.root)))) }),
      )
    return
  }
  if (schema.type !== undefined && !isOfType(node, schema)) {
    report(node, t('lint.type', { name, type: typeNames(typesOf(schema)) }))
    return
  }
  checkValues(node, schema, name, report)
  if (node.kind === 'string') checkString(node, schema, name, report)
  if (node.kind === 'number') checkNumber(node, schema, name, report)
  if (node.kind === 'array') checkArray(node, schema, name, looking)
  if (node.kind === 'object') checkObject(node, schema, looking)
}

/** The word is missing that says what the rest means, or it is none there is. */
function checkWord(node: JsonNode, { name, forms, member }: FormChoice, { path, report }: Looking): void {
  const place = memberOf(path, name)
  const words = [...forms.keys()]
  if (member === undefined)
    report({ from: node.from, to: node.from + 1 }, t('lint.wordRequired', { name: place, words: words.join(', ') }))
  const value = member?.value
  if (value === undefined || value.kind === 'variable' || isTemplated(value)) return
  const close = value.kind === 'string' ? nearest(value.value, words) : undefined
  report(value, withRemedy(t('lint.oneOf', { name: place, words: words.join(', ') }), close))
}

function fits(node: JsonNode, schema: JsonSchema, root: JsonSchema): boolean {
  let good = true
  const report = () => {
    good = false
  }
  check(node, schema, { path: '', report, root })
  return good
}

export function typesOf(schema: JsonSchema): string[] {
  if (schema.type === undefined) return []
  return Array.isArray(schema.type) ? schema.type : [schema.type]
}

function isOfType(node: JsonNode, schema: JsonSchema): boolean {
  const types = typesOf(schema)
  if (types.length === 0) return true
  return types.some(type => {
    if (type === 'integer') return node.kind === 'number' && Number.isInteger(node.value)
    if (type === 'boolean') return node.kind === 'literal' && node.value !== null
    if (type === 'null') return node.kind === 'literal' && node.value === null
    return node.kind === type
  })
}

function typeNames(types: readonly string[]): string {
  return listText(
    [...new Set(types)].map(type => t.of('type', type) ?? type),
    'disjunction',
  )
}

const withRemedy = (fault: string, close: string | undefined) =>
  close === undefined ? fault : `${fault} ${t('lint.didYouMean', { name: close })}`

function checkValues(node: JsonNode, schema: JsonSchema, name: string, report: Report): void {
  if (isTemplated(node)) return
  const value = plainValue(node)
  if (schema.const !== undefined && !equal(value, schema.const)) {
    report(node, t('lint.const', { name, value: JSON.stringify(schema.const) }))
  }
  if (schema.enum !== undefined && !schema.enum.some(allowed => equal(value, allowed))) {
    const named = schema.enum.filter(allowed => allowed !== null).map(String)
    report(node, t('lint.oneOf', { name, words: named.join(', ') }))
  }
}

const equal = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)

function isTemplated(node: JsonNode): boolean {
  return node.kind === 'string' && /\{\{[A-Za-z_][\w.-]*\}\}/.test(node.value)
}

function checkString(node: JsonNode & { kind: 'string' }, schema: JsonSchema, name: string, report: Report): void {
  if (isTemplated(node)) return
  const length = [...node.value].length
  if (schema.minLength !== undefined && length < schema.minLength) {
    report(
      node,
      schema.minLength === 1 ? t('lint.empty', { name }) : t('lint.minLength', { name, count: schema.minLength }),
    )
  } else if (schema.maxLength !== undefined && length > schema.maxLength) {
    report(node, t('lint.maxLength', { name, count: schema.maxLength, has: length }))
  } else if (schema.format !== undefined && isFormat(schema.format) && !formats[schema.format](node.value)) {
    report(node, t(`format.${schema.format}`, { name }))
  } else if (schema.pattern !== undefined && !matches(schema.pattern, node.value)) {
    report(node, ruleText(name, schema))
  }
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

/** The API's own words for a pattern, where it has some. */
function ruleText(name: string, { pattern = '', 'x-error-message': rule }: JsonSchema): string {
  return rule === undefined ? t('lint.pattern', { name, pattern }) : `${name} ${rule}.`
}

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const TIME = /^\d{4}-\d\d-\d\d[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d\d:?\d\d)$/
const isDate = (text: string) => DATE.test(text) && isRealDay(text)

function isRealDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const formats = {
  'date-time': (text: string) => TIME.test(text),
  date: isDate,
  moment: (text: string) =>
    isDate(text) ||
    TIME.test(text) ||
    /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?$/.test(text),
  'idn-email': (text: string) => /^\s*[^\s@]+@[^\s@.]+(\.[^\s@.]+)+\s*$/.test(text),
  uri: isUri,
  url: (text: string) => isUri(text) && /^https?:/i.test(text),
  'uri-reference': (text: string) => /^\S+$/.test(text),
  uuid: (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  // The server understands usual spellings of a country; only what can be no number at all is marked.
  phone: (text: string) => /^\+?[\d\s().\-/]+$/.test(text) && digits(text) >= 3 && digits(text) <= 15,
  'E.164': (text: string) => /^\+[1-9]\d{1,14}$/.test(text),
}

const isFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name)

const digits = (text: string) => text.replace(/\D/g, '').length

function isUri(text: string): boolean {
  return /^[A-Za-z][A-Za-z\d+.-]*:/.test(text) && URL.canParse(text)
}

function checkNumber(node: JsonNode & { kind: 'number' }, schema: JsonSchema, name: string, report: Report): void {
  const { value } = node
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (minimum !== undefined && value < minimum) report(node, t('lint.minimum', { name, value: minimum }))
  if (maximum !== undefined && value > maximum) report(node, t('lint.maximum', { name, value: maximum }))
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    report(node, t('lint.more', { name, value: exclusiveMinimum }))
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    report(node, t('lint.less', { name, value: exclusiveMaximum }))
  if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    report(node, t('lint.multiple', { name, value: multipleOf }))
}

// 0.07 / 0.01 is 7.000000000000001 in binary fractions.
function isMultiple(value: number, of: number): boolean {
  const ratio = value / of
  return Math.abs(ratio - Math.round(ratio)) < 1e-9 * Math.max(1, Math.abs(ratio))
}

function checkArray(node: JsonNode & { kind: 'array' }, schema: JsonSchema, name: string, looking: Looking): void {
  const { report, path } = looking
  const { minItems, maxItems, items } = schema
  const count = node.items.length
  if (minItems !== undefined && count < minItems) report(node, t('lint.minItems', { name, count: minItems }))
  if (maxItems !== undefined && count > maxItems)
    report(node, t('lint.maxItems', { name, count: maxItems, has: count }))
  if (schema.uniqueItems === true) {
    const seen = new Set<string>()
    for (const item of node.items) {
      const text = JSON.stringify(plainValue(item)) ?? ''
      if (seen.has(text) && item.kind !== 'variable') report(item, t('lint.twice', { name }))
      seen.add(text)
    }
  }
  if (items === undefined) return
  for (const [index, item] of node.items.entries()) check(item, items, { ...looking, path: `${path}[${index}]` })
}

function checkObject(node: JsonNode & { kind: 'object' }, schema: JsonSchema, looking: Looking): void {
  const { report } = looking
  const properties = schema.properties ?? {}
  const opening = { from: node.from, to: node.from + 1 }
  const seen = new Set<string>()
  for (const member of node.members) {
    const name = { from: member.nameFrom, to: member.nameTo }
    if (seen.has(member.name)) report(name, t('lint.fieldTwice', { name: member.name }))
    seen.add(member.name)
    checkMember(member, schema, properties, looking)
  }
  const missing = (schema.required ?? []).filter(name => !seen.has(name))
  if (missing.length > 0) {
    const names = listText(missing.map(name => memberOf(looking.path, name)))
    report(opening, t('lint.required', { names, count: missing.length }))
  }
  const { minProperties, maxProperties } = schema
  if (minProperties !== undefined && seen.size < minProperties) {
    report(opening, t('lint.minFields', { count: minProperties }))
  }
  if (maxProperties !== undefined && seen.size > maxProperties)
    report(opening, t('lint.maxFields', { count: maxProperties }))
}

function checkMember(
  member: JsonMember,
  schema: JsonSchema,
  properties: Record<string, JsonSchema>,
  looking: Looking,
): void {
  const { name, value } = member
  const path = memberOf(looking.path, name)
  const inner = schemaOfMember(name, schema)
  if (inner === undefined) {
    const close = nearest(name, Object.keys(properties))
    const fault = withRemedy(t('lint.unknownField', { name: path }), close)
    looking.report({ from: member.nameFrom, to: member.nameTo }, fault)
    return
  }
  const { pattern, 'x-error-message': words } = schema.propertyNames ?? {}
  if (pattern !== undefined && !matches(pattern, name)) {
    const fault =
      words === undefined ? t('lint.namePattern', { name, pattern }) : t('lint.nameRule', { name, rule: words })
    looking.report({ from: member.nameFrom, to: member.nameTo }, fault)
  }
  if (value !== undefined) check(value, inner, { ...looking, path })
}

const memberOf = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** The schema a field of an object has; undefined when the object does not take it. */
export function schemaOfMember(name: string, schema: JsonSchema): JsonSchema | undefined {
  const { properties, patternProperties, additionalProperties } = schema
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name]
  for (const [pattern, inner] of Object.entries(patternProperties ?? {})) if (matches(pattern, name)) return inner
  if (typeof additionalProperties === 'object') return additionalProperties
  // As the server's validator: an object that names its fields takes no others, unless it says so.
  const isClosed = additionalProperties === false || (properties !== undefined && additionalProperties === undefined)
  return isClosed ? undefined : {}
}

/** The known name that is nearest to a misspelt one: one or two letters apart, or the same but for case and _. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, '')
  const same = known.find(candidate => plain(candidate) === plain(name))
  if (same !== undefined) return same
  const limit = name.length >= 6 ? 2 : 1
  const ranked = known
    .map(candidate => ({ candidate, distance: editDistance(plain(name), plain(candidate)) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.candidate
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
