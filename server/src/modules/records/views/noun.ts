// What saved views add to the vocabulary of the product.
import { declareNoun } from '../../../kernel/values/noun.ts'

export const savedView = declareNoun({
  permissions: {
    'views:read': {
      allows: 'List and read own saved views, and those shared with the organization.',
      roles: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    },
    'views:write': {
      allows: 'Create saved views and share them, change and delete own ones (a Sales Manager: shared ones too).',
      roles: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    },
  },
  events: {
    readWith: 'views:read',
    types: {
      'view.created': 'A view of a list was saved.',
      'view.updated': 'A saved view changed.',
      'view.deleted': 'A saved view was deleted.',
    },
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    savedView: typeof savedView
  }
}
