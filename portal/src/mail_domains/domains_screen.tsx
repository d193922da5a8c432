// Mail domains: rows to copy into the DNS, and whether they are there.
import type { MailDomain } from '@tandem/sdk'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { Chip, StatusChip } from '../ui/index.ts'
import { AddDomain, DnsButton, DnsRow } from './dns.tsx'

const domains: Resource<MailDomain> = {
  many: 'mail domains',
  about: 'Domains that mails are from. Each has a DKIM key; no mail of it leaves unsigned.',
  from: api => api.mailDomains.list,
  id: 'domainId',
  nameOf: ({ domain }) => `the domain ${domain}`,
  columns: [
    { name: 'domain', label: 'Domain' },
    { name: 'status', label: 'State', px: 130, cell: ({ status }) => <StatusChip status={status} /> },
    { name: 'checkedAt', label: 'Looked up', kind: 'time' },
    { name: 'records', label: 'DNS', px: 130, hasControls: true, cell: domain => <Records domain={domain} /> },
  ],
  actions: {
    px: 110,
    needs: 'mail:manage',
    cell: ({ domainId, domain }) => (
      <RemoveButton
        many="mail domains"
        name={`the domain ${domain}`}
        text="Its mails are sent unsigned from now on. Take its rows out of the DNS."
        remove={api => api.mailDomains.delete({ domainId })}
      />
    ),
  },
  create: {
    label: 'Add a domain',
    needs: 'mail:manage',
    Form: DomainForm,
    saved: ({ domain }) => `${domain} has a key. Copy its rows into the DNS.`,
  },
  empty: { title: 'No domain yet', text: 'Mails are sent unsigned, and many mailboxes take them for unwanted.' },
}

export const MailDomainsScreen = () => <ResourceScreen of={domains} />

function Records({ domain }: { domain: MailDomain }) {
  return (
    <DnsButton
      domain={domain}
      many="mail domains"
      rows="Rows"
      description="Copy these into the DNS of the domain, then look them up. It may take hours until they are seen everywhere."
      needs="mail:manage"
      verify={api => api.mailDomains.verify({ domainId: domain.domainId })}
    >
      {({ records }) =>
        records.map(({ type, name, value, purpose, isRequired, isThere }) => (
          <section key={name} aria-label={`${purpose} row`}>
            <h3>
              {purpose} <Chip>{type}</Chip> {isRequired ? 'needed' : 'recommended'}{' '}
              {isThere !== null && <Chip tone={isThere ? 'ok' : 'warn'}>{isThere ? 'there' : 'not there'}</Chip>}
            </h3>
            <DnsRow of={purpose} name={name} value={value} />
          </section>
        ))
      }
    </DnsButton>
  )
}

function DomainForm(props: CreateFormProps<MailDomain>) {
  return (
    <AddDomain
      {...props}
      many="mail domains"
      title="Add a mail domain"
      description="A key is made for it. From then on its mails are signed."
      add={(api, domain) => api.mailDomains.create({ domain })}
    />
  )
}
