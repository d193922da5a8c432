// What second factors add to the vocabulary of the product: what can go wrong. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const secondFactor = declareNoun({
  problems: {
    second_factor_required: problem(
      401,
      'Second factor required',
      'The password was right, and the account asks for a second factor.',
      'Send `challengeToken` of this answer with a code of the app, a recovery code, or the `assertion` of a passkey, to POST /v1/api/auth/login/verify.',
    ),
    second_factor_setup_required: problem(
      403,
      'Second factor to be set up',
      'The password was right, but the organization lets nobody in without a second factor, and the account has none.',
      'Enter `setup.secret` of this answer into an app that makes codes, and send its code with `challengeToken` to POST /v1/api/auth/login/verify.',
    ),
    invalid_second_factor: problem(
      422,
      'Second factor refused',
      'The code is wrong, too old, or was used before.',
      'Wait for the next code of the app and send that one; each is taken once. A recovery code will do as well.',
    ),
    challenge_expired: problem(
      401,
      'Login took too long',
      'The login that asked for more was begun more than five minutes ago, elsewhere, with another password, or ended already.',
      'Log in again with the password.',
    ),
    password_change_required: problem(
      403,
      'Own password required',
      'The password was set by somebody else and is good for one login.',
      'Send `challengeToken` of this answer with a `newPassword` to POST /v1/api/auth/login/verify.',
    ),
    passkey_refused: problem(
      422,
      'Passkey refused',
      'The passkey is not known, may be a copy of another, was made or used on another page, did not check who uses it, or the options were older than five minutes or used before.',
      'Ask for new options and let the browser answer them; log in with the password if the passkey is refused again.',
    ),
    passkeys_unavailable: problem(
      409,
      'No passkeys here',
      'Passkeys are bound to a host name and need https; this server does not know one of its own.',
      'Set TANDEM_PUBLIC_URL to an https address with a host name. On one machine, open the portal at http://localhost instead of an IP address.',
    ),
    factor_limit_reached: problem(
      409,
      'Too many second factors',
      'An account has at most ten second factors.',
      'Remove one that is not used any more.',
    ),
    factor_required: problem(
      409,
      'No second factor',
      'The account has no second factor, so recovery codes would stand for nothing.',
      'Add a second factor first.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    secondFactor: typeof secondFactor
  }
}
