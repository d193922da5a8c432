// Mails of another e-mail address for an account.
import { mailTemplate } from '../../mail/mails/index.ts'

export const changeEmailMail = mailTemplate({
  key: 'email_change',
  about: 'To the address that somebody wants for their account: the link to confirm it, good for a day.',
  stream: 'security',
  subject: 'Confirm your e-mail address',
  text:
    'Hello {{ name }},\n\nyou asked to use {{ email }} for your account. Open this within a day, logged in, to confirm it:\n\n{{ url }}\n\n' +
    'If you did not ask for it, there is nothing to do: without it nothing changes.\n\n{{ organization.name }}',
  sample: {
    name: 'Grace Hopper',
    email: 'grace@new.example',
    url: 'https://crm.example.com/confirm-email#EXAMPLE',
  },
})

export const addressTakenMail = mailTemplate({
  key: 'email_change_taken',
  about: 'To an address that somebody wants for their account, and that another account has already.',
  stream: 'security',
  subject: 'This address has an account already',
  text:
    'Hello,\n\nsomebody asked to use {{ email }} for their account, but it is the address of an account already. Nothing was changed, and ' +
    'there is nothing to do. If it was you, log in with this address instead.\n\n{{ organization.name }}',
  sample: { email: 'grace@new.example' },
})

export const emailChangedMail = mailTemplate({
  key: 'email_changed',
  about:
    'To the address that an account had before it was changed: that it was, and the link to undo it, good for seven days.',
  stream: 'security',
  subject: 'Your e-mail address was changed',
  text:
    'Hello {{ name }},\n\nthe address of your account was changed from {{ before }} to {{ after }}. If it was you, there is nothing to do.\n\n' +
    'If it was not, open this within seven days. It puts {{ before }} back and ends all sessions:\n\n{{ url }}\n\n{{ organization.name }}',
  sample: {
    name: 'Grace Hopper',
    before: 'grace@example.com',
    after: 'grace@new.example',
    url: 'https://crm.example.com/undo-email#EXAMPLE',
  },
})

export const emailUndoneMail = mailTemplate({
  key: 'email_change_undone',
  about: 'To the address that an account has again after a change was undone.',
  stream: 'security',
  subject: 'Your e-mail address is as it was',
  text:
    'Hello {{ name }},\n\nthe change of the address of your account was undone, and you were logged out everywhere. Set another password ' +
    'now, from the login page, and look whether the second factors of your account are yours.\n\n{{ organization.name }}',
  sample: { name: 'Grace Hopper' },
})

export const addressSetMail = mailTemplate({
  key: 'email_set_by_admin',
  about: 'To the address that an account had before an Admin changed it.',
  stream: 'security',
  subject: 'Your e-mail address was changed by an Admin',
  text:
    'Hello {{ name }},\n\nan Admin of {{ organization.name }} changed the address of your account from {{ before }} to {{ after }}. If you ' +
    'do not know why, ask them.\n\n{{ organization.name }}',
  sample: { name: 'Grace Hopper', before: 'grace@example.com', after: 'grace@new.example' },
})
