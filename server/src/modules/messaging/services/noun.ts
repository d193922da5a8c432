// What messaging services add to the vocabulary of the product: what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const messagingService = declareNoun({
  events: {
    readWith: 'messages:read',
    types: {
      'messaging_service.created': 'A messaging service was created.',
      'messaging_service.updated': 'The settings or senders of a messaging service changed.',
      'messaging_service.deleted': 'A messaging service was deleted.',
    },
  },
  problems: {
    service_not_found: problem(
      422,
      'No such messaging service',
      'The organization has no messaging service with this id.',
      'List the services, or send with a sender of your own in from.',
    ),
    service_without_senders: problem(
      422,
      'Service has no sender',
      'No number of the messaging service can send to this recipient.',
      'Add a number to the service.',
    ),
    sender_in_service: problem(
      409,
      'Sender of another service',
      'A number belongs to one messaging service at most, and this one is a sender of another.',
      'Take it out of that service first, or leave it out.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    messagingService: typeof messagingService
  }
}
