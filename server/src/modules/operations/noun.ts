// What the status of the server adds to the vocabulary of the product: who may see it. Gathered by nouns.ts; imports nothing but the
// kernel.
import { declareNoun } from '../../kernel/values/noun.ts'

export const serverStatus = declareNoun({
  permissions: {
    'status:read': {
      allows: 'Read how the server does for the organization: queues, carriers, trunks, webhooks, mail, storage.',
      roles: [],
    },
  },
})

declare module '../../kernel/values/noun.ts' {
  interface Nouns {
    serverStatus: typeof serverStatus
  }
}
