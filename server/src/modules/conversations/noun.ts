// What conversations add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts;
// imports nothing but the kernel.
import { declareNoun, problem } from '../../kernel/values/noun.ts'

export const conversation = declareNoun({
  permissions: {
    'conversations:read': {
      allows:
        'Read the shared inbox: conversations with leads and contacts that one sees, those with unknown senders that nobody else has, and those that one is assigned to or mentioned in.',
      roles: ['Sales Manager', 'Sales Executive'],
    },
    'conversations:write': {
      allows: 'Assign, snooze, close and answer conversations, and write notes in them.',
      roles: ['Sales Manager', 'Sales Executive'],
    },
  },
  events: {
    readWith: 'conversations:read',
    types: {
      'conversation.created': 'A conversation began.',
      'conversation.reopened': 'A conversation that was closed or snoozed is open again.',
      'conversation.assigned': 'A conversation was given to somebody or to a team, or taken away.',
      'conversation.snoozed': 'A conversation was put off until later.',
      'conversation.closed': 'A conversation was closed.',
      'conversation.answered': 'Somebody answered a conversation that waited.',
      'conversation.noted': 'Somebody wrote a note in a conversation.',
      'conversation.attached': 'A conversation was put on a lead or contact.',
      'conversation.merged': 'A conversation became part of another one.',
    },
  },
  problems: {
    conversation_answered: problem(
      412,
      'Answered meanwhile',
      'Somebody answered the conversation after what lastSeenItemId names. Nothing was sent.',
      'Read what is new, then send again with the id of the newest item as lastSeenItemId.',
    ),
    conversation_not_reachable: problem(
      422,
      'No way to reach them',
      'Nothing is known of this person by which this could be sent: no telephone number, or no e-mail address.',
      'Put the conversation on a lead or contact that has one, or add one to the record.',
    ),
    conversation_has_record: problem(
      409,
      'Known already',
      'The conversation is with a lead or contact already.',
      'Merge the two records where they are the same person: their conversations become one.',
    ),
  },
})

declare module '../../kernel/values/noun.ts' {
  interface Nouns {
    conversation: typeof conversation
  }
}
