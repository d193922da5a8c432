// Fills in what an instruction leaves out. Done when it is carried out, not when it is read: what a customer sent stays
// as it was sent, and shows so.
import type { Schema } from './check.ts'
import { type Complete, type Instruction, type Verb, verbSchemas } from './schema.ts'

/** How long a message may get where nothing else is said, in seconds. */
export const defaultMessageSeconds = 3_600

/** The instruction with every default in its place. For carrying out; not to be read as instructions again. */
export function withDefaults<V extends Verb>(instruction: Extract<Instruction, { verb: V }>): Complete<V> {
  const properties = verbSchemas[instruction.verb as V].properties as Readonly<Record<string, Schema>>
  const complete: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (schema.default !== undefined) complete[name] = structuredClone(schema.default)
  }
  Object.assign(complete, instruction)
  if (instruction.verb === 'record' && complete['mode'] === 'message') complete['maxSeconds'] ??= defaultMessageSeconds
  return complete as Complete<V>
}
