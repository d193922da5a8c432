// What keeping members by SCIM adds to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun } from '../../../kernel/values/noun.ts'

export const scim = declareNoun({
  permissions: {
    'scim:manage': {
      allows: 'Keep members and their roles by SCIM; a key for an identity provider has this scope alone.',
      roles: [],
    },
  },
  events: {
    readWith: 'scim:manage',
    types: { 'scim_settings.updated': 'What members kept by SCIM become was changed.' },
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    scim: typeof scim
  }
}
