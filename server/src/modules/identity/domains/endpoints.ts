// Domains of an organization over HTTP: added, shown with the row that the DNS needs, verified, removed.
import { domainToASCII } from 'node:url'
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { newId, randomToken } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { lookUpText } from './lookup.ts'
import { afterLook, type DomainRow, domainRecord, domainStatuses, domainsAtMost } from './rules.ts'
import { domains, writeLook } from './store.ts'

const Domain = Type.Object({
  domainId: Type.String({ description: 'Identifier, `dom_…`.' }),
  domain: Type.String(),
  status: OneOf(domainStatuses, {
    description:
      'verified: the row is in the DNS, looked up every week. lapsed: it was not there three times in a row, and the organization does not speak for the domain any more.',
  }),
  record: Type.Object(
    { type: OneOf(['TXT']), name: Type.String(), value: Type.String() },
    { description: 'To be put into the DNS as it is, and to stay there.' },
  ),
  misses: Type.Integer({ description: 'Weekly looks in a row that did not find the row.' }),
  found: Nullable(Type.Array(Type.String(), { description: 'What the DNS has at that name; null before a look.' })),
  checkedAt: Nullable(Timestamp),
  verifiedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export function presentDomain(row: DomainRow): Static<typeof Domain> {
  return {
    domainId: row.id,
    domain: row.domain,
    status: row.status,
    record: domainRecord(row),
    misses: row.misses,
    found: row.found,
    checkedAt: row.checked_at,
    verifiedAt: row.verified_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const sampleDomain: Static<typeof Domain> = {
  domainId: 'dom_01k9r7d3w2v8e6q4n5m1b0c9xz',
  domain: 'example.com',
  status: 'pending',
  record: { type: 'TXT', name: '_tandem.example.com', value: 'tandem-verification=9fQ2rT5yU8iO1pA3sD6fG7' },
  misses: 0,
  found: null,
  checkedAt: null,
  verifiedAt: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}

const own = resource<DomainRow, typeof Domain>({
  names: ['organization_domain', 'organization_domains'],
  words: 'domain',
  id: ['domainId', 'dom'],
  category: 'Organization',
  path: '/organization/domains',
  permissions: { read: 'sso:manage', manage: 'sso:manage' },
  guarded: { shared: true, recent: 'login' },
  rows: domains,
  reply: Domain,
  sample: sampleDomain,
  present: rows => rows.map(presentDomain),
})

const list = own.list({
  description:
    'The domains of the organization with their rows for the DNS, the newest first. At a verified domain the organization says who people are: its identity provider logs them in, and SCIM makes members of them.',
  filters: { status: Type.Optional(OneOf(domainStatuses, { description: 'Only domains of this status.' })) },
})

const add = own.create({
  name: 'Add a domain',
  description: `Adds a domain, with the row that shows whose it is. Put that into the DNS, then verify. Subdomains are domains of their own; ${domainsAtMost} at most.`,
  body: Type.Object({
    domain: Type.String({
      pattern: '^[^\\s@/:]+\\.[^\\s@/:.]+$',
      maxLength: 253,
      description: 'As it stands behind the @ of the addresses.',
    }),
  }),
  problems: ['domain_exists', 'too_many_domains'],
  sample: { body: { domain: 'example.com' } },
  async handle({ domain }, { tx, principal, now }) {
    if ((await domains.count(tx, principal)) >= domainsAtMost) throw new Problem('too_many_domains')
    const name = domainToASCII(domain) || domain.toLowerCase()
    const values = { id: newId('dom'), domain: name, token: randomToken(16), ...stampsOf(now) }
    const row = await domains.insert(tx, principal, values, 'organization_domains_domain')
    if (row === undefined) throw new Problem('domain_exists')
    return { row }
  },
})

const get = own.get({ description: 'One domain with its row for the DNS, and what was last found there.' })

const remove = own.delete({
  name: 'Remove a domain',
  description:
    'The organization does not speak for the domain any more: who has an address there logs in with a password again, and SCIM makes nobody of them a member. Members stay what they are.',
})

const verify = endpoint({
  id: 'organization_domains.verify',
  version: 'v2',
  category: 'Organization',
  method: 'POST',
  path: '/organization/domains/{domainId}/verify',
  name: 'Verify a domain',
  description:
    'Looks the row of a domain up in the DNS, now. The answer says what was found; with the row there the domain is verified. A verified domain whose row is missing stays verified: only the looks of every week count. Writes the event organization_domain.updated.',
  permission: 'sso:manage',
  shared: true,
  recent: 'login',
  params: Type.Object({ domainId: RecordId('dom', 'Identifier of the domain.') }),
  transaction: 'none',
  idempotent: false,
  audit: 'organization_domain.verified',
  reply: Domain,
  envelope: 'data',
  problems: ['not_found', 'domain_taken'],
  sample: { params: { domainId: sampleDomain.domainId }, reply: sampleDomain },
  async handle({ principal, params, services, now, transact }) {
    const { db, mail } = services
    const known = requireRecord(await db.inTenant(principal, tx => domains.find(tx, principal, params.domainId)))
    const looked = await lookUpText(domainRecord(known).name, mail.nameServers)
    return transact(async tx => {
      const row = requireRecord(await domains.lock(tx, principal, params.domainId))
      const changed = await writeLook(tx, principal, row, afterLook(row, looked, now, { byHand: true }), now)
      const record = presentDomain(changed)
      const before = presentDomain(row)
      await emitChange(tx, principal, {
        type: 'organization_domain.updated',
        resourceId: row.id,
        record,
        change: { status: record.status },
        before,
      })
      return record
    })
  },
})

export const endpoints = [list, add, get, remove, verify]
