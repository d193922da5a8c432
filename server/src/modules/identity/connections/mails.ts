// The mail to members who have to come by the identity provider from now on.
import { mailTemplate } from '../../mail/mails/index.ts'

export const ssoRequiredMail = mailTemplate({
  key: 'sso_required',
  about: 'To members who log in by the identity provider only from now on: where, and what becomes of their password.',
  stream: 'security',
  subject: 'You log in to {{ organization.name }} by {{ provider }} from now on',
  text:
    'Hello {{ name }},\n\n{{ organization.name }} lets you in by {{ provider }} only from now on. Type {{ email }} on the login page and go ' +
    'on from there{% if url != "" %}, or open\n\n{{ url }}{% else %}.{% endif %}\n\nYour password and your passkeys are not taken for ' +
    '{{ organization.name }} any more, and sessions that you opened with them have ended. They stay as they are: they are good for other ' +
    'organizations that you are a member of, and here again should {{ organization.name }} ask for {{ provider }} no longer.\n\n' +
    'If {{ provider }} does not let you in, write to an Admin.\n\n{{ organization.name }}',
  sample: {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    provider: 'Example Okta',
    url: 'https://crm.example.com/sso/sso_01k9r7d3w2v8e6q4n5m1b0c9xz/start',
  },
})
