// The vocabulary as one JSON Schema (2020-12) with a definition per verb: for editors, forms and whoever wants to check a
// list before sending it. What no schema can say, `readInstructions` still tells.
import type { Schema } from './check.ts'
import { type ListKind, limits } from './parts.ts'
import { verbSchemas, verbs, verbsOfList } from './schema.ts'

type JsonSchema = { [name: string]: unknown }

export function instructionsJsonSchema(): JsonSchema {
  const definitions: JsonSchema = {}
  for (const verb of verbs) definitions[verb] = withReferences(verbSchemas[verb] as unknown as Schema)
  for (const kind of Object.keys(verbsOfList) as ListKind[]) {
    definitions[itemName(kind)] = {
      anyOf: verbsOfList[kind].map(verb => ({ $ref: `#/$defs/${verb}` })),
      discriminator: { propertyName: 'verb' },
    }
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Call instructions',
    description: 'What to do with a call, one instruction after another.',
    type: 'array',
    minItems: 1,
    maxItems: limits.instructions,
    items: { $ref: `#/$defs/${itemName('any')}` },
    $defs: definitions,
  }
}

function itemName(kind: ListKind): string {
  return `instruction_${kind}`
}

function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  const kind = (schema as Schema)['x-instructions']
  const members = Object.entries(schema).map(([name, member]) => {
    // What is data, not schema, stays as it is.
    if (name === 'examples' || name === 'default') return [name, member]
    if (name === 'items' && kind !== undefined) return [name, { $ref: `#/$defs/${itemName(kind)}` }]
    return [name, withReferences(member)]
  })
  return Object.fromEntries(members)
}
