// Mails of passwords that are set again.
import { mailTemplate } from '../../mail/mails/index.ts'

export const resetMail = mailTemplate({
  key: 'password_reset',
  about: 'To somebody who asked for another password: the link to set one, good for thirty minutes.',
  stream: 'security',
  subject: 'Set another password',
  text:
    'Hello {{ name }},\n\nsomebody asked to set another password for your account. If it was you, open this within thirty ' +
    'minutes:\n\n{{ url }}\n\nIf it was not you, nothing has changed, and there is nothing to do.\n\n{{ organization.name }}',
  sample: { name: 'Grace Hopper', url: 'https://crm.example.com/reset#EXAMPLE' },
})

export const passwordSetMail = mailTemplate({
  key: 'password_changed',
  about: 'To somebody whose password was set by the link of a mail: that it was.',
  stream: 'security',
  subject: 'Your password was changed',
  text:
    'Hello {{ name }},\n\nthe password of your account was changed by the link of a mail to this address, and you were logged out ' +
    'everywhere. If it was not you, set another one at once, and write to an Admin.\n\n{{ organization.name }}',
  sample: { name: 'Grace Hopper' },
})
