// What usage add to the vocabulary of the product: who may do what. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const usage = declareNoun({
  permissions: {
    'usage:read': {
      allows: 'See how much of the API, of messages and of calls was used (a Sales Executive: own API requests).',
      roles: everyone,
    },
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    usage: typeof usage
  }
}
