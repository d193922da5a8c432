// Domains that mails are from, over HTTP: a key is made, its rows are copied into the DNS, and looked up there.
import { domainToASCII } from 'node:url'
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { type Asking, resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { keySeal, newDkimKey } from './dkim.ts'
import { lookUpRows } from './lookup.ts'
import { type DomainRow, dnsRows, nextStatus, statuses } from './rules.ts'
import { domains } from './store.ts'

const Domain = Type.Object({
  domainId: Type.String({ description: 'Identifier, `mdo_…`.' }),
  domain: Type.String(),
  status: OneOf(statuses, {
    description: 'verified: the DNS had the DKIM key when it was last looked up. failing: it had it once.',
  }),
  records: Type.Array(
    Type.Object({
      type: OneOf(['TXT', 'MX']),
      name: Type.String(),
      value: Type.String({ description: 'To be copied as it is.' }),
      purpose: OneOf(['dkim', 'dmarc', 'bounces'], { description: 'What it is for.' }),
      isRequired: Type.Boolean(),
      isThere: Nullable(Type.Boolean({ description: 'As last looked up; null before.' })),
      found: Type.Array(Type.String(), { description: 'What the DNS answered.' }),
    }),
    { description: 'Rows for the DNS.' },
  ),
  checkedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

const hostOf = (publicUrl: string | undefined) => (publicUrl === undefined ? undefined : new URL(publicUrl).hostname)

function presentDomain(row: DomainRow, { services }: Pick<Asking, 'services'>): Static<typeof Domain> {
  return {
    domainId: row.id,
    domain: row.domain,
    status: row.status,
    records: dnsRows(row, hostOf(services.mail.publicUrl)).map(one => ({
      ...one,
      isThere: row.found?.[one.purpose]?.isThere ?? null,
      found: [...(row.found?.[one.purpose]?.found ?? [])],
    })),
    checkedAt: row.checked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const sampleDomain: Static<typeof Domain> = {
  domainId: 'mdo_01k9r7d3w2v8e6q4n5m1b0c9xz',
  domain: 'example.com',
  status: 'pending',
  records: [
    {
      type: 'TXT',
      name: 't01k9r7d3._domainkey.example.com',
      value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…',
      purpose: 'dkim',
      isRequired: true,
      isThere: null,
      found: [],
    },
  ],
  checkedAt: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}

const own = resource<DomainRow, typeof Domain>({
  names: ['mail_domain', 'mail_domains'],
  words: 'mail domain',
  id: ['domainId', 'mdo'],
  category: 'Messaging',
  path: '/mail/domains',
  permissions: { read: 'mail:read', manage: 'mail:manage' },
  rows: domains,
  reply: Domain,
  sample: sampleDomain,
  present: (rows, asking) => rows.map(row => presentDomain(row, asking)),
})

const list = own.list({ description: 'The domains whose mails are signed, with their rows for the DNS.' })

const add = own.create({
  description:
    'Adds a domain that mails are from, and makes its DKIM key (RSA, 2048 bits): from now on no mail of this domain leaves unsigned. Copy the records into the DNS, then verify.',
  body: Type.Object({
    domain: Type.String({
      pattern: '^[^\\s@/:]+\\.[^\\s@/:.]+$',
      maxLength: 253,
      description: 'As it stands behind the @ of the senders.',
    }),
  }),
  problems: ['mail_domain_exists'],
  sample: { body: { domain: 'example.com' } },
  async handle({ domain }, { tx, principal, services, now }) {
    const name = domainToASCII(domain) || domain.toLowerCase()
    const id = newId('mdo')
    const { privateKey, publicKey } = await newDkimKey()
    const values = {
      id,
      domain: name,
      selector: `t${id.slice(4, 12)}`,
      private_key: keySeal(services.keyring, principal.tenantId).close(id, privateKey),
      public_key: publicKey,
      return_path_host: `bounce.${name}`,
      ...stampsOf(now),
    }
    const row = await domains.insert(tx, principal, values, 'mail_domains_domain')
    if (row === undefined) throw new Problem('mail_domain_exists')
    return { row }
  },
})

const get = own.get({ description: 'One domain with its rows for the DNS and what was last found of them.' })

const remove = own.delete({
  description: 'Forgets a domain and its key: its mails are sent unsigned from now on. Take its rows out of the DNS.',
})

const verify = endpoint({
  id: 'mail_domains.verify',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mail/domains/{domainId}/verify',
  name: 'Verify a mail domain',
  description:
    'Looks the rows of a domain up in the DNS, now, and says of each whether it is there. With the DKIM row there the domain is verified. Writes the event mail_domain.updated.',
  permission: 'mail:manage',
  params: Type.Object({ domainId: RecordId('mdo', 'Identifier of the mail domain.') }),
  transaction: 'none',
  idempotent: false,
  audit: 'mail_domain.verified',
  reply: Domain,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { domainId: sampleDomain.domainId }, reply: sampleDomain },
  async handle({ principal, params, services, now, transact }) {
    const { db, mail } = services
    const known = requireRecord(await db.inTenant(principal, tx => domains.find(tx, principal, params.domainId)))
    const found = await lookUpRows(dnsRows(known, hostOf(mail.publicUrl)), mail.nameServers)
    return transact(async tx => {
      const row = requireRecord(await domains.lock(tx, principal, params.domainId))
      const status = nextStatus(row.status, found.dkim?.isThere === true)
      const changed = await domains.change(tx, principal, row.id, { status, found, checked_at: isoMs(now) }, now)
      const record = presentDomain(changed, { services })
      await emitChange(tx, principal, { type: 'mail_domain.updated', resourceId: row.id, record })
      return record
    })
  },
})

export const endpoints = [list, add, get, remove, verify]
