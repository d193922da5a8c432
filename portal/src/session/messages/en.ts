// The English texts of the session.
export const en = {
  noProof: 'Nothing was changed: this needs a proof that it is you.',
  ended: 'Your session has ended. Log in again.',
  unreachable: 'We can’t reach the server. Check your connection and try again.',
  unexplained: 'The server answered with an unexpected error ({status}). Try again in a moment.',
  passwordFault: 'The password {fault}.',
} as const
