// What the log of events add to the vocabulary of the product: who may do what. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun } from '../../../kernel/values/noun.ts'

export const event = declareNoun({
  permissions: {
    'events:read': { allows: 'Read the log of events.', roles: ['Sales Manager', 'Finance Manager'] },
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    event: typeof event
  }
}
