// What mail that comes in adds to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts;
// imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const inboundMail = declareNoun({
  permissions: {
    'mail:assign': {
      allows:
        'Put mails that came in on leads and contacts, and set them aside; those on records that one does not see are hidden.',
      roles: everyone,
    },
  },
  events: {
    readWith: 'mail:read',
    types: {
      'mail.received': 'A mail came in.',
      'mail.assigned': 'A mail that came in was put on a lead or contact.',
      'mail.ignored': 'A mail that came in was set aside.',
    },
  },
  problems: {
    mail_unreadable: problem(
      422,
      'Not a mail',
      'The bytes have none of the fields that a mail begins with, such as From or Date.',
      'Hand a mail in as it arrived, with its head, as RFC 5322 has it.',
    ),
    mail_already_ignored: problem(
      409,
      'Mail is ignored already',
      'The mail was set aside before.',
      'Put it on a lead or contact to bring it back.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    inboundMail: typeof inboundMail
  }
}
