// What conferences add to the vocabulary of the product: what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const conference = declareNoun({
  events: {
    readWith: 'calls:read',
    types: {
      'conference.started': 'A conference began: somebody joined for whom it was to wait.',
      'conference.participant_joined': 'A call joined a conference.',
      'conference.participant_updated': 'A call in a conference was muted or held, or either was taken back.',
      'conference.participant_left': 'A call left a conference.',
      'conference.ended': 'A conference is over.',
    },
  },
  problems: {
    participant_left: problem(
      409,
      'Participant left',
      'The call is not in the conference any more.',
      'Read the conference.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    conference: typeof conference
  }
}
