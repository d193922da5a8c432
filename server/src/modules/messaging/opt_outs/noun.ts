// What opt-outs add to the vocabulary of the product: what happens. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun } from '../../../kernel/values/noun.ts'

export const optOut = declareNoun({
  events: {
    readWith: 'messages:read',
    types: {
      'opt_out.created': 'A recipient asked for no more messages.',
      'opt_out.deleted': 'A recipient takes messages again.',
    },
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    optOut: typeof optOut
  }
}
