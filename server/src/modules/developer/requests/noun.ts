// What the log of requests and the live stream add to the vocabulary of the product: who may do what. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const request = declareNoun({
  permissions: {
    'requests:read': { allows: 'Read the log of API requests.', roles: everyone },
    'stream:open': { allows: 'Follow what you may read as it happens.', roles: everyone },
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    request: typeof request
  }
}
