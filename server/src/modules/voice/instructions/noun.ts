// What the instructions of calls add to the vocabulary of the product: what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const instruction = declareNoun({
  problems: {
    invalid_instructions: problem(
      400,
      'Invalid instructions',
      'The list of call instructions has an unknown verb or property, a wrong value, or parts that contradict each other.',
      'Correct every place listed in `details`; docs/call_instructions.md has all verbs and their properties.',
    ),
    instructions_failed: problem(
      0,
      'Instructions failed',
      'The instructions of the call could not be carried out because of a fault of the server.',
      'Call again. If it happens again, report the id of the call to the operator.',
      true,
    ),
    instruction_fetch_failed: problem(
      0,
      'Instructions not to be had',
      'An address that was asked for instructions took no connection, did not answer in time, or answered no list.',
      'Read `why` of the event call.instructions_failed; answer within 5 seconds, or give the call a fallbackUrl.',
      true,
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    instruction: typeof instruction
  }
}
