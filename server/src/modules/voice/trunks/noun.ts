// What trunks add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const trunk = declareNoun({
  permissions: {
    'trunks:read': { allows: 'List and read trunks and their states.', roles: ['Sales Manager'] },
    'trunks:manage': { allows: 'Add, change, test and remove trunks.', roles: [] },
  },
  events: {
    readWith: 'trunks:read',
    types: {
      'trunk.created': 'A trunk was added.',
      'trunk.updated': 'The settings of a trunk changed.',
      'trunk.deleted': 'A trunk was removed.',
      'trunk.up': 'A trunk can carry calls.',
      'trunk.down': 'A trunk cannot be reached, or is not registered.',
      'trunk.throttled': 'Calls wait because a trunk takes no more for the moment.',
    },
  },
  problems: {
    trunks_live_only: problem(
      409,
      'Trunks belong to live mode',
      'In test mode every call goes to the simulator, so there is nothing for a trunk to do.',
      'Add the trunk with a live key, or after switching the portal to live mode.',
    ),
    too_many_trunks: problem(
      409,
      'Too many trunks',
      'The organization has 50 trunks, as many as it may have.',
      'Delete a trunk that is not used any more, or change it into the new one.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    trunk: typeof trunk
  }
}
