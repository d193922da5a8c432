// What passwords set again by mail add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const passwordReset = declareNoun({
  problems: {
    link_expired: problem(
      410,
      'Link expired',
      'The link is too old, was used already, is not complete, or is for another account or browser.',
      'Ask for another mail, and open its link at once, in the browser and with the account that asked for it.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    passwordReset: typeof passwordReset
  }
}
