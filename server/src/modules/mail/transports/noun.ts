// What mail transports add to the vocabulary of the product: what happens, what can go wrong. Gathered by nouns.ts; imports nothing but
// the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const mailTransport = declareNoun({
  events: {
    readWith: 'mail:read',
    types: {
      'mail_transport.created': 'A way for mails to leave by was set up.',
      'mail_transport.updated': 'The settings of a mail transport changed.',
      'mail_transport.deleted': 'A mail transport was deleted.',
    },
  },
  problems: {
    mail_live_only: problem(
      422,
      'Mails of the test mode stay',
      'In the test mode every mail is kept in the outbox, and no server is spoken to.',
      'Do it in live mode.',
    ),
    mail_transport_unusable: problem(
      0,
      'Transport unusable',
      'The settings of the transport cannot be read by this server.',
      'Enter its password or secret again with PATCH /v2/mail/transports/{transportId}.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    mailTransport: typeof mailTransport
  }
}
