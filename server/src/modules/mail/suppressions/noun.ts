// What the suppression list adds to the vocabulary of the product: what happens, what can go wrong. Gathered by nouns.ts; imports nothing
// but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const mailSuppression = declareNoun({
  events: {
    readWith: 'mail:read',
    types: {
      'mail_suppression.created': 'An address gets no more mail.',
      'mail_suppression.deleted': 'An address gets mail again.',
    },
  },
  problems: {
    mail_suppression_exists: problem(
      409,
      'Address suppressed already',
      'The address is on the suppression list already.',
      'Nothing is to be done; GET /v2/mail/suppressions?address=… shows why and since when.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    mailSuppression: typeof mailSuppression
  }
}
