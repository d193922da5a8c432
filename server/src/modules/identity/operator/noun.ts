// What those who run the installation add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const operatorAccount = declareNoun({
  problems: {
    not_operator: problem(
      403,
      'No operator',
      'The account does not run this installation, or has no second factor.',
      'Let an operator make it one, or the command line (accounts make-operator), and add a second factor.',
    ),
    last_operator: problem(
      409,
      'Last operator',
      'The change would leave the installation without an operator who may act.',
      'Make another account a full operator first; the command line can take the last one away.',
    ),
    no_such_account: problem(
      422,
      'No such account',
      'Nobody has an account with this e-mail address.',
      'Invite the person to an organization first, or check the address.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    operatorAccount: typeof operatorAccount
  }
}
