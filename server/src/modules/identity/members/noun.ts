// What members who leave add to the vocabulary of the product: what happens, what can go wrong. Gathered by nouns.ts; imports nothing but
// the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const membership = declareNoun({
  permissions: {
    'organization:transfer': { allows: 'Hand the ownership of the organization over, or take it over.', roles: [] },
  },
  events: {
    readWith: 'users:read',
    types: {
      'user.removed': 'A user is no member of the organization any more.',
      'user.sessions_ended': 'Everything that a user had open in the organization was ended.',
      'user.factors_reset': 'The second factors of a user were taken away.',
      'hand_over.started': 'What a user owns began to go to another one.',
      'hand_over.completed': 'What a user owned belongs to another one.',
      'ownership.offered': 'The owner offered the organization to another Admin.',
      'ownership.accepted': 'Another Admin owns the organization.',
      'ownership.declined': 'The Admin whom the owner chose does not want the organization.',
      'ownership.canceled': 'The owner does not offer the organization any more.',
      'ownership.reverted': 'Who owned the organization before took it back.',
    },
  },
  problems: {
    last_owner: problem(
      409,
      'Owner of the organization',
      'The person owns the organization, so they can neither leave it nor be removed, disabled or made less than an Admin.',
      'Transfer the ownership to another Admin first.',
    ),
    not_owner: problem(
      403,
      'Not the owner',
      'Only the owner of the organization may do this.',
      'Ask the owner; GET /v2/organization names them.',
    ),
    transfer_open: problem(
      409,
      'Transfer of ownership open',
      'The ownership was offered to somebody who has not answered, or it changed or was taken back within the last 72 hours: so long, nothing may shut out who offered it.',
      'Cancel the transfer, or wait until the 72 hours are over.',
    ),
    transfer_not_open: problem(
      409,
      'No such transfer',
      'There is no transfer of ownership that you may answer, cancel or undo: it was answered already, is too old, or is for somebody else.',
      'Look at it with GET /v2/organization/transfer.',
    ),
    hand_over_running: problem(
      409,
      'Hand-over at work',
      'What the person owned when they left is still being handed to another one.',
      'Try again in a minute; GET /v2/hand-overs says how far it is.',
      true,
    ),
    account_protected: problem(
      409,
      'Account of an owner or operator',
      'The person owns the organization, can still take its ownership back, or runs the installation, so nobody else sets how they log in.',
      'Let the person change it in their account, or reset their password by mail; at the server, tandem accounts helps.',
    ),
    no_second_factor: problem(
      409,
      'No second factor',
      'The person has no second factor, so there is none to reset.',
      'Nothing has to be done.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    membership: typeof membership
  }
}
