// What numbers and sender ids add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const number = declareNoun({
  permissions: {
    'numbers:read': { allows: 'List and read numbers and sender ids.', roles: ['Sales Manager', 'Sales Executive'] },
    'numbers:manage': { allows: 'Add, change and release numbers and sender ids.', roles: [] },
  },
  events: {
    readWith: 'numbers:read',
    types: {
      'number.created': 'A number or sender id was added.',
      'number.updated': 'The settings of a number or sender id changed.',
      'number.voice_updated': 'What calls to a number start with was set.',
      'number.deleted': 'A number or sender id was released.',
      'number.verified': 'It was proved that a number is the organization’s.',
      'number.contested':
        'Another organization proved that a number is theirs: it takes no calls and sends nothing here.',
    },
  },
  problems: {
    invalid_from_number: problem(
      422,
      'Invalid sender',
      'The sender cannot be used to send messages or calls.',
      'Use a number in international format with +, for example +15550100001.',
    ),
    number_taken: problem(
      409,
      'Number exists',
      'The organization has this number or sender id already.',
      'Change the existing one.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    number: typeof number
  }
}
