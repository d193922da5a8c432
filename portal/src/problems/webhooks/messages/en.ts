// Made by `npm run generate` of the server's problems; not to be changed by hand.
export const en = {
  'title.invalid_webhook_url': 'Webhook address refused',
  'cause.invalid_webhook_url': 'The url of the webhook is not an address that deliveries may be sent to.',
  'fix.invalid_webhook_url':
    'Use a public https address; the operator can allow private ranges with TANDEM_EGRESS_ALLOW.',
  'title.webhook_limit_reached': 'Too many webhooks',
  'cause.webhook_limit_reached': 'The organization has 100 webhooks in this mode, which is as many as it may have.',
  'fix.webhook_limit_reached': 'Delete one that is not needed, or let one webhook take the events of several.',
  'title.webhook_listener_limit_reached': 'Too many listeners',
  'cause.webhook_listener_limit_reached':
    'The organization has 20 open webhook listeners in this mode, which is as many as it may have.',
  'fix.webhook_listener_limit_reached':
    'End one that is not needed: stop its program, or end it on the page Webhooks of the portal.',
  'title.webhook_event_not_forwarded': 'Event was not forwarded',
  'cause.webhook_event_not_forwarded': 'No event with this id was sent to this listener before.',
  'fix.webhook_event_not_forwarded': "Take an eventId from GET /v2/webhooks/listeners/'{listenerId}'/deliveries.",
  'title.webhook_listener_ended': 'Listener has ended',
  'cause.webhook_listener_ended':
    'The listener was ended, or was not connected for ten minutes; nothing reaches it any more.',
  'fix.webhook_listener_ended': 'Start tandem listen again, which makes a new one.',
  'title.webhook_disabled': 'Webhook is disabled',
  'cause.webhook_disabled': 'Nothing is sent to a webhook that is disabled.',
  'fix.webhook_disabled': "Enable it first: PATCH /v2/webhooks/'{webhookId}' with '{\"enabled\": true}'.",
  'title.environment_limit_reached': 'Too many environments',
  'cause.environment_limit_reached': 'The organization has 200 environments; there may be no more.',
  'fix.environment_limit_reached': 'Delete one that nobody needs.',
  'title.collection_limit_reached': 'Too many collections',
  'cause.collection_limit_reached': 'The organization has 300 collections; there may be no more.',
  'fix.collection_limit_reached': 'Delete one that nobody needs.',
  'title.collection_full': 'Collection is full',
  'cause.collection_full': 'A collection holds at most 300 requests, 50 folders and 2 million characters.',
  'fix.collection_full': 'Put some of its requests into another collection, or delete them.',
} as const
