// References and choices in the schema of a body: what a name stands for, and which of several forms a value has where a word
// in it says so, as `verb` does of call instructions.
import { type JsonSchema, mergedSchema, schemaName } from '@tandem/catalog'
import type { JsonMember, JsonNode } from './json_text.ts'

/** A schema as it is to be read: the one it names, its parts as one. `root` has the named ones. */
export function schemaAt(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const named = root.components?.schemas ?? {}
  const name = schemaName(schema.$ref)
  if (name === undefined && schema.allOf === undefined) return schema
  return mergedSchema(name === undefined ? schema : (named[name] ?? {}), named)
}

export type FormChoice = {
  /** The property that holds the word: `verb`. */
  name: string
  /** What may stand there, with the form that each word stands for. */
  forms: ReadonlyMap<string, JsonSchema>
  /** Those without such a word. */
  others: readonly JsonSchema[]
  /** The form that the value says it has, or the one it has by what it holds. */
  form: JsonSchema | undefined
  /** Where the value says it. */
  member: JsonMember | undefined
}

/** What distinguishes the forms of an object; undefined when they have no word each. */
export function chooseForm(node: JsonNode, schema: JsonSchema, root: JsonSchema): FormChoice | undefined {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices === undefined || node.kind !== 'object') return undefined
  const all = choices.map(form => schemaAt(form, root))
  const [name] = all.flatMap(form => nameOfWord(form) ?? [])
  if (name === undefined) return undefined
  const forms = new Map(all.filter(form => nameOfWord(form) === name).map(form => [wordOf(form, name), form]))
  if (forms.size < 2) return undefined
  const others = all.filter(form => nameOfWord(form) !== name)
  const member = node.members.find(own => own.name === name)
  if (member !== undefined) {
    const form = member.value?.kind === 'string' ? forms.get(member.value.value) : undefined
    return { name, forms, others, member, form }
  }
  const form = others.find(({ properties = {} }) => node.members.some(own => own.name in properties))
  return { name, forms, others, member, form }
}

/** The first property that is always one word. */
function nameOfWord({ properties = {} }: JsonSchema): string | undefined {
  return Object.keys(properties).find(name => typeof properties[name]?.const === 'string')
}

const wordOf = ({ properties }: JsonSchema, name: string) => String(properties?.[name]?.const)
