// What legal holds add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const legalHold = declareNoun({
  permissions: {
    'legal_holds:read': { allows: 'See what must not be deleted because of a legal hold.', roles: [] },
    'legal_holds:manage': {
      allows: 'Place legal holds, which stop deletion and erasure, and release them.',
      roles: [],
    },
  },
  events: {
    readWith: 'legal_holds:read',
    types: {
      'legal_hold.placed': 'A legal hold was placed on the organization or on a person.',
      'legal_hold.released': 'A legal hold was released.',
    },
  },
  problems: {
    legal_hold: problem(
      409,
      'On legal hold',
      'A legal hold keeps what was to be erased.',
      'Release the hold first: GET /v2/privacy/holds lists those that stand.',
    ),
    hold_released: problem(
      409,
      'Hold released',
      'The legal hold was released before.',
      'Place another one where it is needed.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    legalHold: typeof legalHold
  }
}
