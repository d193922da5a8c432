// The vocabulary as JSON Schema (2020-12) with a name for each verb: for the OpenAPI document and all that is made of it, and
// for anyone who wants to check a list before sending it. What no schema can say, `readInstructions` still reports.
import type { Schema } from './check.ts'
import { commandVerbs } from './commands.ts'
import { type ListKind, limits } from './parts.ts'
import { type Verb, verbSchemas, verbs, verbsOfList } from './schema.ts'

type JsonSchema = { [name: string]: unknown }

/** Where a schema of this name is found. */
type Address = (name: string) => string

const listNames: Record<ListKind, { name: string; description: string }> = {
  any: { name: 'Instruction', description: 'One thing to do with a call; `verb` says what.' },
  prompt: { name: 'PromptInstruction', description: 'Something that is heard.' },
  wait: { name: 'WaitInstruction', description: 'What may be done while a call waits in a queue.' },
}

const example = [{ verb: 'say', text: 'Thank you for calling. Goodbye.' }, { verb: 'hangup' }]

/** What says how long a list may be and what stands in it, beside `type: array`. */
export function listKeywords(address: Address, kind: ListKind = 'any'): JsonSchema {
  return { minItems: 1, maxItems: limits.instructions, items: { $ref: address(listNames[kind].name) } }
}

/** The keywords of a list in a request or a reply. */
export const instructionsKeywords = (address: Address): JsonSchema => ({
  ...listKeywords(address),
  examples: [example],
})

/** `say` is read by the schema SayInstruction. */
export const verbSchemaName = (verb: Verb): string => `${capital(verb)}Instruction`

/** The schemas of everything a list may hold, by their names. They name each other, and some of them themselves. */
export function instructionSchemas(address: Address): Record<string, JsonSchema> {
  const named: Record<string, JsonSchema> = {}
  for (const kind of Object.keys(listNames) as ListKind[]) {
    const { name, description } = listNames[kind]
    const kinds = Object.fromEntries(verbsOfList[kind].map(verb => [verb, address(verbSchemaName(verb))]))
    named[name] = { description, ...choice('verb', kinds), examples: [{ verb: 'say', text: 'Hello' }] }
  }
  for (const verb of verbs) {
    named[verbSchemaName(verb)] = withNames(verbSchemas[verb] as unknown as Schema, address, named) as JsonSchema
  }
  const { digits } = (named['SendDigitsInstruction'] as { properties: { digits: JsonSchema } }).properties
  // Lists are given back with dots in the place of secret digits.
  digits['pattern'] = `^(?:${String(digits['pattern']).replaceAll(/^\^|\$$/g, '')}|•+)$`
  return named
}

/** Those and what a live call takes as a command. */
export function commandSchemas(address: Address): Record<string, JsonSchema> {
  const nameOf = (verb: Verb) => (verb === 'record' ? 'RecordCommand' : verbSchemaName(verb))
  return {
    CallCommand: {
      description: 'What to do with a call under way: one verb with its properties, or a new list of instructions.',
      oneOf: ['InstructionsCommand', ...commandVerbs.map(nameOf)].map(name => ({ $ref: address(name) })),
      examples: [{ verb: 'mute' }, { instructions: example }],
    },
    InstructionsCommand: {
      description: 'A list of instructions that takes the place of what runs.',
      type: 'object',
      required: ['instructions'],
      properties: {
        instructions: {
          type: 'array',
          ...instructionsKeywords(address),
          description: 'What to do from now on, one instruction after another.',
        },
      },
      additionalProperties: false,
      examples: [{ instructions: example }],
    },
    RecordCommand: {
      description: 'Records the whole call; a message is recorded by a list of instructions.',
      allOf: [
        { $ref: address(verbSchemaName('record')) },
        {
          type: 'object',
          required: ['mode'],
          properties: { mode: { const: 'call', description: 'Always `call`.' } },
        },
      ],
      examples: [{ verb: 'record', mode: 'call', channels: 'dual' }],
    },
    ...instructionSchemas(address),
  }
}

/** A list as a schema that needs no other document. */
export function instructionsJsonSchema(): JsonSchema {
  const address = (name: string) => `#/$defs/${name}`
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Call instructions',
    description: 'What to do with a call, one instruction after another.',
    type: 'array',
    ...instructionsKeywords(address),
    $defs: commandSchemas(address),
  }
}

/** One of several named schemas, distinguished by a word. */
function choice(propertyName: string, mapping: Record<string, string>): JsonSchema {
  return { oneOf: Object.values(mapping).map($ref => ({ $ref })), discriminator: { propertyName, mapping } }
}

/** A copy in which lists and targets are named; the targets are added to those that have a name. */
function withNames(schema: unknown, address: Address, named: Record<string, JsonSchema>): unknown {
  if (Array.isArray(schema)) return schema.map(item => withNames(item, address, named))
  if (typeof schema !== 'object' || schema === null) return schema
  const { anyOf, 'x-instructions': kind, ...rest } = schema as Schema
  if (kind !== undefined) return { ...rest, ...listKeywords(address, kind) }
  if (anyOf !== undefined) {
    for (const target of anyOf) named[targetName(target)] = withNames(target, address, named) as JsonSchema
    const kinds = Object.fromEntries(anyOf.map(target => [target.title ?? '', address(targetName(target))]))
    return { ...rest, ...choice('type', kinds) }
  }
  const members = Object.entries(schema).map(([name, member]) => {
    // What is data, not schema, stays as it is.
    if (name === 'examples' || name === 'default') return [name, member]
    // Addresses may be relative, to where the list comes from.
    if (name === 'format' && member === 'url') return [name, 'uri-reference']
    return [name, withNames(member, address, named)]
  })
  return Object.fromEntries(members)
}

const targetName = ({ title = '' }: Schema) => `${capital(title)}Target`

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
