// What caller ids add to the vocabulary of the product: what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const callerId = declareNoun({
  problems: {
    caller_id_not_allowed: problem(
      403,
      'Caller id refused',
      'The caller id is no number of the organization that makes calls, or the carrier refuses it.',
      'Use one of GET /v2/numbers with voice, or add it; a trunk may be set to show foreign caller ids.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    callerId: typeof callerId
  }
}
