// What batches add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const recordBatch = declareNoun({
  permissions: {
    'batches:read': {
      allows: 'Read own batches: changes of many records at once; a Sales Manager and an Admin those of all.',
      roles: ['Sales Manager', 'Sales Executive'],
    },
    'batches:revert': {
      allows: 'Take batches and imports back, as far as one may change and delete their records.',
      roles: ['Sales Manager', 'Sales Executive'],
    },
  },
  events: {
    readWith: 'batches:read',
    types: {
      'batch.started': 'A change of many records began in the background.',
      'batch.completed': 'A change of many records in the background is done.',
      'batch.canceled': 'A change of many records was ended before all were done.',
      'batch.failed': 'A change of many records cannot go on; its problem says why.',
    },
  },
  problems: {
    batch_not_revertible: problem(
      409,
      'Cannot be taken back',
      'The batch is a merge, or is still at work.',
      'Wait for its end, or cancel it. A merge is taken back by hand: restore the records, and put the values back.',
    ),
    batch_over: problem(
      409,
      'The batch is over',
      'All of the batch is done, so there is nothing to end.',
      'Take it back instead.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    recordBatch: typeof recordBatch
  }
}
