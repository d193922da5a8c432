// Mails about a verified domain whose row is not in the DNS any more, to those who may manage domains: in time, and when it is too late.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { mailTemplate, queueToEach } from '../../mail/mails/index.ts'
import { listPeopleWhoMay } from '../roles/index.ts'
import { type DomainRow, domainRecord, lapsesAt } from './rules.ts'

const row =
  'Type: TXT\nName: {{ row }}\nValue: {{ value }}\n\nThen look it up{% if url != "" %}: {{ url }}{% else %} in the portal, under Domains.' +
  '{% endif %}\n\n{{ organization.name }}'

const sample = {
  name: 'Grace Hopper',
  domain: 'example.com',
  row: '_tandem.example.com',
  value: 'tandem-verification=9fQ2rT5yU8iO1pA3sD6fG7',
  url: 'https://crm.example.com/domains',
}

export const domainMissingMail = mailTemplate({
  key: 'domain_row_missing',
  about:
    'To those who may manage domains, when the DNS row of a verified domain is not there any more: when the domain lapses, and what that ends.',
  stream: 'security',
  subject: 'The DNS row of {{ domain }} is missing',
  text:
    'Hello {{ name }},\n\nthe DNS row that shows that {{ domain }} belongs to {{ organization.name }} is not there any more. Nothing has ' +
    'changed yet. If it is still missing on {{ day }}, the domain lapses: people with addresses there do not log in by your identity ' +
    'provider any more, and SCIM makes nobody of them a member.\n\nPut this row back into the DNS of {{ domain }}:\n\n' +
    row,
  sample: { ...sample, day: '2026-12-05' },
})

export const domainLapsedMail = mailTemplate({
  key: 'domain_lapsed',
  about:
    'To those who may manage domains, when a verified domain has lapsed: what that ended, and how it is verified again.',
  stream: 'security',
  subject: '{{ domain }} is not verified any more',
  text:
    'Hello {{ name }},\n\nthe DNS row that shows that {{ domain }} belongs to {{ organization.name }} was missing three weeks in a row, so ' +
    'the domain has lapsed. From now on people with addresses there log in with a password, not by your identity provider; anyone without a ' +
    'password sets one by a mail ("Forgot the password?" on the login page). SCIM makes nobody of them a member. Members stay what they ' +
    'are.\n\nTo verify the domain again, put this row back into its DNS:\n\n' +
    row,
  sample,
})

/** Writes what a look of the schedule came to; live mode. Wake the mail queue behind the commit. */
export async function mailAboutRow(
  tx: Tx,
  { ownAddress }: Pick<Services, 'ownAddress'>,
  scope: Scope,
  domain: DomainRow,
  nowMs: number,
): Promise<void> {
  const address = ownAddress()
  const { name: row, value } = domainRecord(domain)
  const url = address === undefined ? '' : `${address}/domains`
  const data = { domain: domain.domain, row, value, url }
  const day = lapsesAt(domain, nowMs).slice(0, 10)
  const people = await listPeopleWhoMay(tx, scope, 'sso:manage')
  if (domain.status === 'lapsed') await queueToEach(tx, scope, people, { template: domainLapsedMail, data })
  else await queueToEach(tx, scope, people, { template: domainMissingMail, data: { ...data, day } })
}
