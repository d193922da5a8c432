// The English texts of the page on which a password is set again.
export const en = {
  back: 'Back to login',
  title: 'Set a new password',
  forgot: 'Forgot your password?',
  forgotText: 'We’ll email you a link to set a new one.',
  email: 'Email',
  send: 'Send the link',
  sent: 'If there’s an account for {email}, a link is on its way. It works for thirty minutes.',
  newPassword: 'New password',
  newPasswordHint:
    'At least 15 characters, or 10 with two-step login. A few random words are easy to remember and hard to guess.',
  set: 'Set password',
  done: 'Your password is changed, and you’re logged out everywhere. Log in with the new one.',
} as const
