// Mails about organizations that an operator makes.
import { mailTemplate } from '../../mail/mails/index.ts'

export const ownerMail = mailTemplate({
  key: 'organization_created',
  about:
    'To the owner of an organization that an operator made: where to log in, or the link to set a first password, good for seven days.',
  stream: 'security',
  subject: '{{ company }} is ready',
  text:
    'Hello {{ name }},\n\nthe organization {{ company }} was made for you, and you own it. Go on here:\n\n{{ url }}\n\nA link that sets a ' +
    'password is good for seven days; later, ask for another one at the login.',
  sample: { name: 'Grace Hopper', company: 'Example GmbH', url: 'https://crm.example.com/reset#EXAMPLE' },
})
