// What organizations add to the vocabulary of the product: who may do what. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const organization = declareNoun({
  permissions: {
    'organization:read': { allows: "Read the organization's settings.", roles: everyone },
    'organization:update': { allows: "Change the organization's settings.", roles: [] },
  },
  events: {
    readWith: 'organization:read',
    types: {
      'organization.updated': 'The settings of the organization changed.',
    },
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    organization: typeof organization
  }
}
