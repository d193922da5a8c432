// What mailboxes add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun } from '../../../kernel/values/noun.ts'

export const mailbox = declareNoun({
  events: {
    readWith: 'mail:read',
    types: {
      'mailbox.created': 'A mailbox that mail is read from was set up.',
      'mailbox.updated': 'The settings of a mailbox changed.',
      'mailbox.deleted': 'A mailbox is not read any more.',
    },
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    mailbox: typeof mailbox
  }
}
