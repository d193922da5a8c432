// Mails to those who sign up: the link that goes on, or, for who has an account, that there is one.
import { mailTemplate } from '../../mail/mails/index.ts'

export const signUpMail = mailTemplate({
  key: 'sign_up',
  about: 'To somebody who signs up: the link that makes the account and the organization, good for a day.',
  stream: 'security',
  subject: 'Go on with {{ company }}',
  text:
    'Hello {{ name }},\n\nsomebody asked to make the organization {{ company }} with this address. If it was you, open this within a ' +
    'day and choose a password:\n\n{{ url }}\n\nIf it was not you, nothing has been made, and there is nothing to do.',
  sample: { name: 'Grace Hopper', company: 'Example GmbH', url: 'https://crm.example.com/sign-up#EXAMPLE' },
})

export const knownSignUpMail = mailTemplate({
  key: 'sign_up_known',
  about:
    'To somebody who signs up with the address of an account: to log in with it, and make the organization from there.',
  stream: 'security',
  subject: 'You have an account already',
  text:
    'Hello,\n\nsomebody asked to make an organization with this address, which has an account. If it was you, log in and choose ' +
    '"Create an organization" in the menu of organizations:\n\n{{ url }}\n\nIf it was not you, nothing has been made, and there is nothing to do.',
  sample: { url: 'https://crm.example.com/login' },
})
