// The mail to somebody whose address the identity provider changed, at the address before: as any other change of an address.
import { mailTemplate, queueMail } from '../../mail/mails/index.ts'
import { inLiveMode } from '../notices/index.ts'
import type { Acting } from './standing.ts'

export const renamedMail = mailTemplate({
  key: 'email_set_by_provider',
  about: 'To the address that an account had before the identity provider of the organization changed it.',
  stream: 'security',
  subject: 'Your e-mail address was changed by {{ organization.name }}',
  text:
    'Hello {{ name }},\n\nthe identity provider of {{ organization.name }} changed the address of your account from {{ before }} to {{ after }}. ' +
    'If you do not know why, ask an Admin.\n\n{{ organization.name }}',
  sample: { name: 'Grace Hopper', before: 'grace@example.com', after: 'grace@new.example' },
})

export async function mailRenamed(
  { tx, principal }: Acting,
  data: { name: string; before: string; after: string },
): Promise<void> {
  const to = { address: data.before, name: data.name }
  await inLiveMode(tx, principal, live => queueMail(tx, live, { template: renamedMail, to, data }))
}
