// What retention adds to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun } from '../../../kernel/values/noun.ts'

export const retention = declareNoun({
  permissions: {
    'retention:update': { allows: 'Decide for how long messages, calls, recordings and logs are kept.', roles: [] },
  },
  events: {
    readWith: 'organization:read',
    types: { 'retention.updated': 'For how long something is kept changed.' },
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    retention: typeof retention
  }
}
