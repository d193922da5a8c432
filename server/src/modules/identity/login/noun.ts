// What logging in adds to the vocabulary of the product: what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const login = declareNoun({
  problems: {
    invalid_credentials: problem(
      401,
      'Login refused',
      'The account does not exist, the password is wrong, or the account is disabled.',
      'Check e-mail (or administrator identifier) and password, or ask an Admin.',
    ),
    invalid_refresh_token: problem(
      401,
      'Refresh token refused',
      'The refresh token is unknown, expired, revoked or used before.',
      'Log in again.',
    ),
    membership_required: problem(
      403,
      'Not a member',
      'The person is no member of the organization that was named, or may not log in there any more.',
      'Name an organization of GET /v2/users/me/organizations, or ask an Admin of the organization for an invitation.',
    ),
    switch_needs_login: problem(
      403,
      'Another login needed',
      'The organization asks more of a login than this one showed: a second factor that it stands for, or one that is not so old.',
      'Log in to it: POST /v1/api/auth/login with its organizationId, which asks for what is missing.',
    ),
    wrong_password: problem(
      422,
      'Wrong password',
      'The password is not that of the account whose session asks.',
      'Type the present password again, or reset it from the login page.',
    ),
    login_throttled: problem(
      429,
      'Too many failed logins',
      'Logins for this account, from places it is not known to log in from, or from this address failed too often.',
      'Wait the seconds of the Retry-After header, or log in from a place or browser used for it in the last 30 days.',
      true,
    ),
    initial_password_expired: problem(
      403,
      'Initial password expired',
      'The password was made by the server or by an Admin, and its person set none of their own within seven days.',
      'Ask an Admin for another one (Members, Set password), or set one by a mail: POST /v2/auth/password-resets. On the machine, `tandem reset-password` prints a link.',
    ),
    login_by_mail_required: problem(
      403,
      'No passwords from here',
      'A hundred wrong passwords in a row were sent for this account from places it is not known to log in from, so none is looked at from there.',
      'Log in with a passkey or by the link of a mail, from a place or browser used for it in the last 30 days, or set another password by a mail.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    login: typeof login
  }
}
