// What messages that come in add to the vocabulary of the product: what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const inboundMessage = declareNoun({
  problems: {
    handset_not_in_use: problem(
      409,
      'Handset not in use',
      'In live mode the organization has a carrier or trunk of its own, so texts and calls come in through it.',
      'Use the test mode, or text or call the number from a real phone.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    inboundMessage: typeof inboundMessage
  }
}
