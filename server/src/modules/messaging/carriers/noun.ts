// What carriers add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const carrier = declareNoun({
  permissions: {
    'carriers:read': { allows: 'List and read carriers and the state of their links.', roles: ['Sales Manager'] },
    'carriers:manage': { allows: 'Add, change, test and remove carriers.', roles: [] },
  },
  events: {
    readWith: 'carriers:read',
    types: {
      'carrier.created': 'A carrier was added.',
      'carrier.updated': 'The settings of a carrier changed.',
      'carrier.deleted': 'A carrier was removed.',
      'carrier.up': 'A carrier can be reached.',
      'carrier.down': 'No link to a carrier is up.',
      'carrier.throttled': 'A carrier takes less than is to be sent.',
    },
  },
  problems: {
    carriers_live_only: problem(
      409,
      'Carriers belong to live mode',
      'In test mode every text goes to the simulator, so there is nothing for a carrier to do.',
      'Add the carrier with a live key, or after switching the portal to live mode.',
    ),
    too_many_carriers: problem(
      409,
      'Too many carriers',
      'The organization has 50 carriers, as many as it may have.',
      'Delete a carrier that is not used any more, or change it into the new one.',
    ),
    carrier_queue_full: problem(
      0,
      'Carrier queue full',
      'The message queue of the carrier was full for the moment.',
      'Nothing: the message waits and is handed over again.',
      true,
    ),
    carrier_rejected_sender: problem(
      0,
      'Sender rejected',
      'The carrier does not take this sender.',
      'Register the sender with the carrier, or use another one.',
    ),
    message_rejected: problem(
      0,
      'Rejected by the carrier',
      'The carrier refused the message for good.',
      "Look at the carrier's code in the history of the message.",
    ),
    carrier_throttled: problem(
      0,
      'Carrier throttled',
      'The carrier took no more for the moment.',
      'Nothing: the message waits and is handed over again.',
      true,
    ),
    handset_unreachable: problem(
      0,
      'Handset unreachable',
      'The phone is off or out of coverage.',
      'Send again later.',
      true,
    ),
    blocked_by_carrier: problem(
      0,
      'Blocked',
      'The recipient or carrier blocks this sender.',
      'Ask the recipient or carrier.',
    ),
    unknown_subscriber: problem(0, 'Unknown subscriber', 'The number is not in service.', 'Remove the number.'),
    landline_or_unsupported: problem(0, 'Cannot receive texts', 'The number cannot receive SMS.', 'Call instead.'),
    filtered_as_spam: problem(
      0,
      'Filtered as spam',
      'A carrier filter refused content or volume.',
      'Change the text; register the sender.',
    ),
    carrier_unknown_error: problem(
      0,
      'Unknown carrier error',
      'The carrier gave a code we do not know.',
      'Look at the history of the message.',
      true,
    ),
    carrier_link_down: problem(
      0,
      'Carrier link down',
      'No link to the carrier was up before the validity passed.',
      'Check the carrier.',
      true,
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    carrier: typeof carrier
  }
}
