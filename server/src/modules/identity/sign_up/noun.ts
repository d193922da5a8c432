// What signing up adds to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const signUp = declareNoun({
  problems: {
    sign_up_closed: problem(
      403,
      'Sign-up closed',
      'On this server only operators make organizations (`TANDEM_SIGN_UP`).',
      'Ask who runs the server for an organization, or an Admin of one for an invitation.',
    ),
    organization_code_refused: problem(
      422,
      'Code refused',
      'The code is needed, and was not sent, is unknown, was used already, or is too old.',
      'Check its spelling, or ask who runs the server for another one.',
    ),
    sign_up_throttled: problem(
      429,
      'Too many sign-ups',
      'Five people signed up from this network within the hour.',
      'Wait the seconds of the Retry-After header.',
      true,
    ),
    too_many_organizations: problem(
      409,
      'Too many organizations',
      'The account owns three organizations already, which is as many as one may make by oneself.',
      'Close one of them, give it to somebody else, or ask who runs the server.',
    ),
    email_not_verified: problem(
      403,
      'Address not verified',
      'Nothing has shown yet that the e-mail address of the account is that of its person.',
      'Reset the password by mail (POST /v2/auth/password-resets), or confirm another address: either shows it.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    signUp: typeof signUp
  }
}
