// What the verification of numbers add to the vocabulary of the product: what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const numberVerification = declareNoun({
  problems: {
    number_held: problem(
      409,
      'Number of another organization',
      'Another organization on this server has verified this number.',
      'They release it, or the operator of the server assigns it again.',
    ),
    number_verification_unneeded: problem(
      409,
      'Nothing to verify',
      'The number is verified, or is none that can be: a short code, a sender id, a number of the test mode.',
      'Use it as it is.',
    ),
    number_verification_limited: problem(
      429,
      'Too many codes',
      'Five codes were asked for for this number within a day, or fifty by the organization.',
      'Enter the last one, or wait for as long as Retry-After says.',
      true,
    ),
    number_verification_unavailable: problem(
      422,
      'No code can be sent',
      'The operator of this server has no carrier or trunk that reaches the number.',
      'Try the other method, or have the operator run `tandem assign-number`.',
    ),
    number_verification_expired: problem(
      409,
      'No code to enter',
      'No code was sent to this number, it is older than ten minutes, or it was entered wrongly five times.',
      'Ask for a new code with POST /v2/numbers/{numberId}/verification.',
    ),
    number_verification_wrong_code: problem(
      422,
      'Wrong code',
      'The code is not the one that was sent last to this number.',
      'Enter the digits of the last text or call.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    numberVerification: typeof numberVerification
  }
}
