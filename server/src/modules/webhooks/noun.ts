// What webhooks add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../kernel/values/noun.ts'

export const webhook = declareNoun({
  permissions: {
    'webhooks:read': { allows: 'List and read webhooks and what was delivered to them.', roles: ['Sales Manager'] },
    'webhooks:manage': { allows: 'Add, change, test and remove webhooks; deliver events again.', roles: [] },
  },
  events: {
    readWith: 'webhooks:read',
    types: {
      'signing_secret.rotated': 'The secret that signs what is sent to callback URLs was replaced.',
      'webhook.created': 'A webhook was created.',
      'webhook.updated': 'The settings or the secret of a webhook changed.',
      'webhook.deleted': 'A webhook was deleted.',
      'webhook.failing': 'Deliveries to another webhook have been failing for 1, 24 or 72 hours.',
      'webhook.disabled': 'Another webhook was disabled because its deliveries failed.',
      'webhook.test': 'Somebody asked for a test of this webhook; sent whatever the filter says.',
      'webhook_listener.created': 'A program began to listen for events and to hand them to a server of its own.',
      'webhook_listener.ended': 'A program that listened for events was ended.',
    },
  },
  problems: {
    invalid_webhook_url: problem(
      422,
      'Webhook address refused',
      'The url of the webhook is not an address that deliveries may be sent to.',
      'Use a public https address; the operator can allow private ranges with TANDEM_EGRESS_ALLOW.',
    ),
    webhook_limit_reached: problem(
      409,
      'Too many webhooks',
      'The organization has 100 webhooks in this mode, which is as many as it may have.',
      'Delete one that is not needed, or let one webhook take the events of several.',
    ),
    webhook_listener_limit_reached: problem(
      409,
      'Too many listeners',
      'The organization has 20 open webhook listeners in this mode, which is as many as it may have.',
      'End one that is not needed: stop its program, or end it on the page Webhooks of the portal.',
    ),
    webhook_event_not_forwarded: problem(
      422,
      'Event was not forwarded',
      'No event with this id was sent to this listener before.',
      'Take an eventId from GET /v2/webhooks/listeners/{listenerId}/deliveries.',
    ),
    webhook_listener_ended: problem(
      409,
      'Listener has ended',
      'The listener was ended, or was not connected for ten minutes; nothing reaches it any more.',
      'Start tandem listen again, which makes a new one.',
    ),
    webhook_disabled: problem(
      409,
      'Webhook is disabled',
      'Nothing is sent to a webhook that is disabled.',
      'Enable it first: PATCH /v2/webhooks/{webhookId} with {"enabled": true}.',
    ),
  },
})

declare module '../../kernel/values/noun.ts' {
  interface Nouns {
    webhook: typeof webhook
  }
}
