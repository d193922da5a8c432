// The English texts of signing up.
export const en = {
  title: 'Sign up',
  loading: 'Loading',
  closed:
    'New organizations on this server are created by the people who run it. Ask them, or ask an admin of an existing organization for an invitation.',
  intro: 'We’ll email you a link. It creates your account and your organization.',
  email: 'Email',
  name: 'Your name',
  organization: 'Organization name',
  code: 'Sign-up code',
  codeOptional: 'Sign-up code, if you have one',
  codeHint: 'From the people who run this server. Each code works for one organization.',
  send: 'Send the link',
  sent: 'We sent an email to {email}. Its link works for a day.',
  choose: 'Choose a password',
  password: 'Password',
  passwordHint: 'At least 15 characters. A few random words are easy to remember and hard to guess.',
  create: 'Create organization',
  ready: 'Your organization is ready',
  readyText: 'Log in with {email} and your password.',
} as const
