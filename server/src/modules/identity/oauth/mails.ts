// The mail about an authorization that made room for a newer one: whose client then cannot go on should know why.
import { mailTemplate } from '../../mail/mails/index.ts'

export const replacedMail = mailTemplate({
  key: 'authorization_replaced',
  about:
    'To somebody who lets one client act for them more often than it can stand: that the oldest authorization has ended.',
  stream: 'security',
  subject: 'An older connection of {{ client }} has ended',
  text:
    'Hello {{ name }},\n\nyou let {{ client }} act for you once more. It had {{ most }} such connections, as many as there may be, so the ' +
    'oldest has ended, which began on {{ since }} ({{ mode }} mode). Where {{ client }} says now that it was logged out, connect it ' +
    'again.\n\nIf it was not you, end all its authorizations: {{ url }}\n\n{{ organization.name }}',
  sample: {
    name: 'Grace Hopper',
    client: 'Invoice sync',
    most: '20',
    since: '2026-11-21',
    mode: 'live',
    url: 'https://crm.example.com/authorizations',
  },
})
