// What senders of mails add to the vocabulary of the product: what happens, what can go wrong. Gathered by nouns.ts; imports nothing but
// the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const mailSender = declareNoun({
  events: {
    readWith: 'mail:read',
    types: {
      'mail_sender.created': 'An address that mails are from was added.',
      'mail_sender.updated': 'An address that mails are from changed.',
      'mail_sender.deleted': 'An address that mails are from was deleted.',
    },
  },
  problems: {
    mail_sender_exists: problem(
      409,
      'Sender exists',
      'The organization sends from this address already.',
      'Change the existing sender with PATCH /v2/mail/senders/{senderId}.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    mailSender: typeof mailSender
  }
}
