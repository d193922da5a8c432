// Mails to members about what others did with how they log in.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { mailTemplate, queueMail } from '../../mail/mails/index.ts'
import { findTenants } from '../organizations/index.ts'

export const factorsResetMail = mailTemplate({
  key: 'second_factors_reset',
  about: 'To somebody whose second factors an Admin took away: by whom, and why.',
  stream: 'security',
  subject: 'Your second factors were reset',
  text:
    'Hello {{ name }},\n\n{{ by }} took the second factors of your account away and logged you out. The reason given is:\n\n' +
    '{{ reason }}\n\nLog in with your password and set up a second factor again. If you did not ask for this, change your password at ' +
    'once, and write to an Admin.\n\n{{ organization.name }}',
  sample: { name: 'Grace Hopper', by: 'ada@example.com', reason: 'Lost the phone; asked in person' },
})

const transferTexts = {
  offered:
    '{{ from }} offers the ownership of {{ organization.name }} to {{ to }}, who has seven days to accept. Until then nothing changes.',
  accepted: '{{ to }} owns {{ organization.name }} now. {{ from }} can take that back within 72 hours.',
  declined: '{{ to }} does not want the ownership of {{ organization.name }}. {{ from }} still owns it.',
  canceled: '{{ from }} does not offer the ownership of {{ organization.name }} to {{ to }} any more.',
  reverted: '{{ from }} took the ownership of {{ organization.name }} back from {{ to }}.',
} as const

const transferMailOf = (verb: keyof typeof transferTexts) =>
  mailTemplate({
    key: `ownership_${verb}`,
    about: `To both, when the ownership of the organization was ${verb}.`,
    stream: 'security',
    subject: 'The ownership of {{ organization.name }}',
    text:
      `Hello {{ name }},\n\n${transferTexts[verb]}\n\n{{ url }}\n\nIf you know nothing of this, write to an Admin at once.\n\n` +
      '{{ organization.name }}',
    sample: { name: 'Grace Hopper', from: 'Ada Park', to: 'Grace Hopper', url: 'https://crm.example.com/organization' },
  })

const transferMails = {
  offered: transferMailOf('offered'),
  accepted: transferMailOf('accepted'),
  declined: transferMailOf('declined'),
  canceled: transferMailOf('canceled'),
  reverted: transferMailOf('reverted'),
}

type Person = { name: string; email: string } | undefined
type Step = { verb: keyof typeof transferTexts; from: Person; to: Person; url: string | undefined }

/** Mails to both what became of a transfer of ownership. */
export async function mailTransfer(tx: Tx, principal: Principal, { verb, from, to, url }: Step): Promise<void> {
  const { live } = await findTenants(tx, principal)
  const names = {
    from: from?.name ?? 'Somebody',
    to: to?.name ?? 'somebody',
    url: url === undefined ? '' : `${url}/organization`,
  }
  for (const person of [from, to])
    if (person !== undefined)
      await queueMail(
        tx,
        { ...principal, tenantId: live },
        {
          template: transferMails[verb],
          to: { address: person.email, name: person.name },
          data: { name: person.name, ...names },
        },
      )
}
