// The mail of an invitation.
import { mailTemplate } from '../../mail/mails/index.ts'

export const invitationMail = mailTemplate({
  key: 'invitation',
  about: 'To somebody who is invited to become a member: the link to accept it, good for seven days.',
  stream: 'security',
  subject: '{{ inviter }} invites you to {{ organization.name }}',
  text:
    'Hello,\n\n{{ inviter }} invites you to {{ organization.name }} as {{ role }}. Open this within seven days to accept:\n\n{{ url }}\n\n' +
    'If you do not know what this is, there is nothing to do.',
  sample: { inviter: 'Ada Park', role: 'Sales Manager', url: 'https://crm.example.com/invite#EXAMPLE' },
})
