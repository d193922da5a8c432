// Mails to owner and Admins of an organization about the organization itself.
import { mailTemplate } from '../../mail/mails/index.ts'

const facts = { name: 'Grace Hopper', company: 'Example GmbH', reason: 'An invoice is not paid.' }

export const suspendedMail = mailTemplate({
  key: 'organization_suspended',
  about: 'To owner and Admins of an organization that the operator suspended: what that means.',
  stream: 'security',
  subject: '{{ company }} is suspended',
  text:
    'Hello {{ name }},\n\nthe operator suspended the organization {{ company }}. Reason: {{ reason }}\n\nUntil that ends people can log in, see ' +
    'their own accounts and the audit log, and export records. Texts and mails that come in are kept; nothing is sent, and calls are refused.',
  sample: facts,
})

export const resumedMail = mailTemplate({
  key: 'organization_resumed',
  about: 'To owner and Admins of an organization that was suspended or closing, and is not any more.',
  stream: 'security',
  subject: '{{ company }} is active again',
  text: 'Hello {{ name }},\n\nthe organization {{ company }} is active again. What waited to be sent is being sent now.',
  sample: { name: facts.name, company: facts.company },
})

export const closingMail = mailTemplate({
  key: 'organization_closing',
  about:
    'To owner and Admins of an organization that is being closed, when that begins and seven days and one day before the end.',
  stream: 'security',
  subject: '{{ company }} will be erased on {{ day }}',
  text:
    'Hello {{ name }},\n\nthe organization {{ company }} is being closed. On {{ day }} all that it has is erased, but for numbered invoices and ' +
    'payments, which are kept as the law asks.\n\nUntil then everything can be read, and exported as one archive, in the settings of the ' +
    'organization; there its owner can also take the closing back.',
  sample: { name: facts.name, company: facts.company, day: '2026-12-21' },
})
