// What messages add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const message = declareNoun({
  permissions: {
    'messages:send': { allows: 'Send messages.', roles: ['Sales Manager', 'Sales Executive'] },
    'messages:read': { allows: 'List and read messages.', roles: everyone },
    'messages:manage': { allows: 'Create and change messaging services; add opt-outs.', roles: ['Sales Manager'] },
    'messages:erase': { allows: 'Take away for good: the text of messages, messaging services, opt-outs.', roles: [] },
  },
  events: {
    readWith: 'messages:read',
    types: {
      'message.scheduled': 'A message was accepted, to be sent later.',
      'message.queued': 'A message waits to be handed to a carrier.',
      'message.sending': 'A message is being handed to a carrier.',
      'message.sent': 'A carrier has taken a message.',
      'message.delivered': 'A message reached the phone.',
      'message.undelivered': 'A carrier gave a message up.',
      'message.expired': 'The validity of a message passed before it was delivered.',
      'message.failed': 'A message could not be sent.',
      'message.canceled': 'A message was canceled before it was sent.',
      'message.unconfirmed': 'It is unknown whether a message was sent; it is not sent again.',
      'message.received': 'A message came in.',
    },
  },
  problems: {
    sender_not_owned: problem(
      403,
      'Sender not owned',
      'The sender is not a number or sender id of the organization.',
      'Use one of your own numbers.',
    ),
    sender_not_capable: problem(
      422,
      'Sender cannot do this',
      'The number has no capability for this channel.',
      'Use a number with that capability.',
    ),
    body_too_long: problem(
      422,
      'Text too long',
      'The text needs more than 10 segments.',
      'Shorten the text, or send it in parts.',
    ),
    no_route: problem(
      422,
      'No route',
      'No carrier takes texts to this destination, or no trunk takes calls to it.',
      'Add a carrier or trunk, switch one on, or add a route for the destination.',
    ),
    sender_queue_full: problem(
      429,
      'Sender queue full',
      'More is waiting on this sender than it can send in ten hours, or within the validity of the text.',
      'Wait, or spread the traffic over more senders.',
      true,
    ),
    recipient_opted_out: problem(
      403,
      'Recipient opted out',
      'The recipient asked this sender to stop.',
      'Do not text this recipient until they opt in again.',
    ),
    invalid_schedule: problem(
      422,
      'Invalid schedule',
      'The time to send at is not between 5 minutes and 35 days from now.',
      'Leave sendAt out to send at once, or choose a time in that range.',
    ),
    not_cancelable: problem(
      409,
      'Cannot be canceled',
      'The message was handed to the carrier already, or has come to its end.',
      'Only messages that are scheduled or queued can be canceled.',
    ),
    duplicate_suppressed: problem(
      409,
      'Duplicate suppressed',
      'The messaging service sent the same text to this recipient within its duplicate window.',
      'Change the text, wait, or set duplicateWindow of the service to 0.',
    ),
    carrier_queue_overflow: problem(
      0,
      'Carrier overloaded',
      'The carrier throttled until the validity passed.',
      'Send again later.',
      true,
    ),
    validity_expired: problem(
      0,
      'Validity expired',
      'The message was not delivered within its validity.',
      'Send again if it is still of use.',
      true,
    ),
    submit_unconfirmed: problem(
      0,
      'Outcome unknown',
      'The message was handed over, but the link died before the answer; it is never sent again blindly.',
      'Ask the recipient before sending again.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    message: typeof message
  }
}
