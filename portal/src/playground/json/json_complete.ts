// What may stand at a place of a JSON body: field names that are not there yet, the values a field takes, and variables.
import { type JsonSchema, rulesText, typeText } from '@tandem/catalog'
import type { Variable } from '../request/variables.ts'
import { chooseForm, schemaAt } from './json_forms.ts'
import { schemaOfMember, typesOf } from './json_schema_lint.ts'
import { type JsonNode, readJson } from './json_text.ts'
import { t } from './texts.ts'

export type Suggestion = {
  label: string
  /** What replaces `from`…`to`. */
  insert: string
  /** Short, at the right: the type. */
  detail: string
  info: string
  kind: 'property' | 'value' | 'variable'
  required: boolean
}
export type Completion = { from: number; to: number; suggestions: Suggestion[] }

/** Suggestions for the place `at`; undefined when nothing is known there. */
export function completeJson(
  text: string,
  at: number,
  schema: JsonSchema | null,
  variables: readonly Variable[],
): Completion | undefined {
  const opened = /\{\{([\w.-]*)$/.exec(text.slice(Math.max(0, at - 80), at))
  if (opened !== null) return completeVariable(text, at, at - opened[1]!.length, variables)
  if (schema === null) return undefined
  const { root } = readJson(text)
  if (root === undefined) return undefined
  return within(root, schema, { text, at, root: schema })
}

/** What is completed: the text, the place in it, and the root of its schema. */
type Place = { text: string; at: number; root: JsonSchema }

function completeVariable(
  text: string,
  at: number,
  from: number,
  variables: readonly Variable[],
): Completion | undefined {
  if (variables.length === 0) return undefined
  const rest = /^[\w.-]*\s*(\}\})?/.exec(text.slice(at))![0].length
  const suggestions = variables.map(({ name, value, source }) => ({
    label: name,
    insert: `${name}}}`,
    detail: value.length > 24 ? `${value.slice(0, 24)}…` : value,
    info: source ?? '',
    kind: 'variable' as const,
    required: false,
  }))
  return { from, to: at + rest, suggestions }
}

function within(node: JsonNode, schema: JsonSchema, place: Place): Completion | undefined {
  const { at } = place
  const form = formFor(node, schema, place.root)
  if (node.kind === 'object') return withinObject(node, form, place)
  if (node.kind === 'array') {
    const item = node.items.find(inner => at >= inner.from && at <= inner.to)
    if (form.items === undefined) return undefined
    if (item !== undefined) return within(item, form.items, place)
    return at > node.from && at < node.to ? values(form.items, at, at, place) : undefined
  }
  return values(form, node.from, node.to, place)
}

// Of several forms the one that a word in the value names, or whose type it has.
function formFor(node: JsonNode, given: JsonSchema, root: JsonSchema): JsonSchema {
  const schema = schemaAt(given, root)
  const choice = chooseForm(node, schema, root)
  if (choice !== undefined) {
    const { name, forms, others, form } = choice
    // Until it says what it is, it can only say that.
    const word: JsonSchema = { type: 'string', enum: [...forms.keys()] }
    const properties = Object.assign({ [name]: word }, ...others.map(other => other.properties))
    return form ?? { type: 'object', required: [name], properties }
  }
  const forms = (schema.anyOf ?? schema.oneOf)?.map(form => schemaAt(form, root))
  return forms?.find(form => typesOf(form).includes(node.kind)) ?? forms?.find(form => form.type !== 'null') ?? schema
}

function withinObject(node: JsonNode & { kind: 'object' }, schema: JsonSchema, place: Place): Completion | undefined {
  const { text, at } = place
  if (at <= node.from || (at >= node.to && text[node.to - 1] === '}')) return undefined
  for (const member of node.members) {
    const { nameFrom, nameTo, value, name } = member
    if (at >= nameFrom && at <= nameTo) return names(node, schema, text, nameFrom, nameTo, name)
    if (value !== undefined && at >= value.from && at <= value.to) {
      const inner = schemaOfMember(name, schema)
      return inner === undefined ? undefined : within(value, inner, place)
    }
  }
  const before = node.members.findLast(
    member => member.nameTo <= at && (member.value === undefined || member.value.to <= at),
  )
  if (before !== undefined && before.value === undefined) {
    const inner = schemaOfMember(before.name, schema)
    return /:\s*$/.test(text.slice(before.nameTo, at)) && inner !== undefined ? values(inner, at, at, place) : undefined
  }
  const since = text.slice(before?.value?.to ?? node.from + 1, at)
  if (before !== undefined && !since.includes(',')) return undefined
  return names(node, schema, text, at, at, undefined)
}

function names(
  node: JsonNode & { kind: 'object' },
  schema: JsonSchema,
  text: string,
  from: number,
  to: number,
  current: string | undefined,
): Completion | undefined {
  const present = new Set(node.members.map(member => member.name).filter(name => name !== current))
  const hasColon = /^\s*:/.test(text.slice(to))
  const suggestions = Object.entries(schema.properties ?? {})
    .filter(([name]) => !present.has(name))
    .map(([name, property]) => ({
      label: name,
      insert: hasColon ? JSON.stringify(name) : `${JSON.stringify(name)}: ${startOf(property)}`,
      detail: typeText(property),
      info: [property.description ?? '', rulesText(property)].filter(Boolean).join('\n'),
      kind: 'property' as const,
      required: schema.required?.includes(name) ?? false,
    }))
    .sort((a, b) => Number(b.required) - Number(a.required))
  return suggestions.length === 0 ? undefined : { from, to, suggestions }
}

/** What a new field begins with: its default or its only value, else the empty form of its type. */
function startOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.default !== undefined) return JSON.stringify(schema.default)
  const type = typesOf(schema)[0]
  if (type === 'string' || (type === undefined && schema.enum !== undefined)) return '""'
  if (type === 'object') return '{}'
  if (type === 'array') return '[]'
  return ''
}

function values(given: JsonSchema, from: number, to: number, { text, root }: Place): Completion | undefined {
  const schema = schemaAt(given, root)
  const suggestions = [...objects(schema, root), ...plainValues(schema)]
  if (suggestions.length === 0) return undefined
  return { from, to: text[to - 1] === '\n' ? to - 1 : to, suggestions }
}

/** Objects distinguished by a word, each begun with what it must have. */
function objects(schema: JsonSchema, root: JsonSchema): Suggestion[] {
  const nothing: JsonNode = { kind: 'object', from: 0, to: 0, members: [] }
  return [...(chooseForm(nothing, schema, root)?.forms ?? [])].map(([word, form]) => {
    const members = (form.required ?? []).map(
      name => `${JSON.stringify(name)}: ${startOf(form.properties?.[name] ?? {})}`,
    )
    const info = form.description ?? ''
    return { label: word, insert: `{ ${members.join(', ')} }`, detail: '', info, kind: 'value', required: false }
  })
}

function plainValues(schema: JsonSchema): Suggestion[] {
  const forms = schema.anyOf ?? schema.oneOf ?? [schema]
  const known = forms.flatMap(form => [
    ...(form.const === undefined ? [] : [form.const]),
    ...(form.enum ?? []),
    ...(form.examples ?? []),
    ...(form.default === undefined ? [] : [form.default]),
    ...(typesOf(form).includes('boolean') ? [true, false] : []),
    ...(typesOf(form).includes('null') ? [null] : []),
  ])
  const unique = [...new Map(known.map(value => [JSON.stringify(value), value])).keys()]
  return unique.map(insert => ({
    label: insert.replace(/^"(.*)"$/, '$1'),
    insert,
    detail: insert === JSON.stringify(schema.default) ? t('default') : '',
    info: schema.description ?? '',
    kind: 'value' as const,
    required: false,
  }))
}
