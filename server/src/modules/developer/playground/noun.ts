// What the Playground keeps for a team adds this to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const playground = declareNoun({
  permissions: {
    'playground:read': {
      allows: 'Read environments and collections of requests: own ones, and those shared with the organization.',
      roles: everyone,
    },
    'playground:write': {
      allows: 'Keep private environments and collections of requests in the Playground.',
      roles: everyone,
    },
    'playground:share': {
      allows: 'Share environments and collections with the organization, and change shared ones.',
      roles: [],
    },
  },
  events: {
    readWith: 'playground:read',
    types: {
      'environment.created': 'An environment of the Playground was created.',
      'environment.updated': 'An environment of the Playground changed.',
      'environment.deleted': 'An environment of the Playground was deleted.',
      'collection.created': 'A collection of requests was created.',
      'collection.updated': 'A collection of requests changed: its name, who sees it, or its folders.',
      'collection.deleted': 'A collection was deleted with its requests.',
      'saved_request.created': 'A request was saved to a collection.',
      'saved_request.updated': 'A saved request changed.',
      'saved_request.deleted': 'A saved request was deleted.',
    },
  },
  problems: {
    environment_limit_reached: problem(
      409,
      'Too many environments',
      'The organization has 200 environments; there may be no more.',
      'Delete one that nobody needs.',
    ),
    collection_limit_reached: problem(
      409,
      'Too many collections',
      'The organization has 300 collections; there may be no more.',
      'Delete one that nobody needs.',
    ),
    collection_full: problem(
      409,
      'Collection is full',
      'A collection holds at most 300 requests, 50 folders and 2 million characters.',
      'Put some of its requests into another collection, or delete them.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    playground: typeof playground
  }
}
