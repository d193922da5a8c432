// Instructions as a part of requests and replies: their place in the schemas of endpoints. What is in them is checked by
// `readInstructions`, which names the place of every fault and says more than a choice among 28 schemas can; these stand in
// the documents, for all that is made of them.
import { componentAddress, documentedAs } from '../../../kernel/documents/documented.ts'
import { commandSchemas, instructionSchemas, instructionsKeywords } from './json_schema.ts'
import { limits as instructionLimits } from './parts.ts'

export const InstructionsBody = documentedAs(
  { type: 'array', items: { type: 'object', additionalProperties: true } } as const,
  instructionsKeywords(componentAddress),
  () => instructionSchemas(componentAddress),
)

/** What an address that is asked what is heard in a queue may answer. */
export const WaitBody = documentedAs(
  { type: 'array', items: { type: 'object', additionalProperties: true } } as const,
  {
    ...instructionsKeywords(componentAddress),
    items: { $ref: componentAddress('WaitInstruction') },
    examples: [[{ verb: 'say', text: 'It takes longer than we thought.' }, { verb: 'leave' }]],
  },
  () => instructionSchemas(componentAddress),
)

/** A schema of the body of a command that is in the documents as CallCommand. */
export function documentedCommand<S extends object>(schema: S): S {
  const named = { $ref: componentAddress('CallCommand') }
  const replaced = Object.fromEntries(Object.keys(schema).map(keyword => [keyword, undefined]))
  return documentedAs(schema, { ...replaced, ...named }, () => commandSchemas(componentAddress))
}

/** Room for the longest list as people write it, with blanks and line ends, and for the other fields. */
export const instructionsBodyLimit = 4 * instructionLimits.bytes

export const sampleInstructions = [
  { verb: 'say', text: 'Welcome to Example Company. Press 1 to talk with us, or leave a message after the tone.' },
  { verb: 'gather', numDigits: 1, timeoutSeconds: 8, actionUrl: 'https://example.com/calls/menu' },
  { verb: 'record', mode: 'message', maxSeconds: 120 },
  { verb: 'hangup' },
]
