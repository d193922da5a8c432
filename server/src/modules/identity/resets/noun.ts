// What passwords set again by mail add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const passwordReset = declareNoun({
  problems: {
    link_expired: problem(
      410,
      'Link expired',
      'The link is older than thirty minutes, was used already, or is not complete.',
      'Ask for another mail from the login page, and open its link at once.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    passwordReset: typeof passwordReset
  }
}
