// Domains of the organization: the row to copy into the DNS, and whether it is there.
import type { OrganizationDomain } from '@tandem/sdk'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { AddDomain, DnsButton, DnsRow } from '../mail_domains/dns.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { InLiveMode } from '../session/shared.tsx'
import { StatusChip } from '../ui/index.ts'

const domains: Resource<OrganizationDomain> = {
  many: 'domains',
  about: 'At a verified domain the organization says who people are: by its identity provider, and by SCIM.',
  from: api => api.organizationDomains.list,
  id: 'domainId',
  nameOf: ({ domain }) => `the domain ${domain}`,
  columns: [
    { name: 'domain', label: 'Domain' },
    { name: 'status', label: 'State', px: 100, cell: ({ status }) => <StatusChip status={status} /> },
    { name: 'checkedAt', label: 'Looked up', kind: 'time' },
  ],
  actions: {
    px: 130,
    needs: 'sso:manage',
    cell: domain => (
      <>
        <Row domain={domain} />
        <RemoveButton
          many="domains"
          name={`the domain ${domain.domain}`}
          text="People with addresses there log in with a password again, and SCIM makes nobody of them a member."
          remove={api => api.organizationDomains.delete({ domainId: domain.domainId })}
        />
      </>
    ),
  },
  create: {
    label: 'Add a domain',
    needs: 'sso:manage',
    Form: DomainForm,
    saved: ({ domain }) => `${domain} was added. Copy its row into the DNS, then look it up.`,
  },
  empty: { title: 'No domain yet', text: 'Single sign-on and SCIM begin with a domain that is shown to be yours.' },
}

export const DomainsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={domains} />
  </InLiveMode>
)

function Row({ domain }: { domain: OrganizationDomain }) {
  return (
    <DnsButton
      domain={domain}
      many="domains"
      rows="Row"
      description="Copy this into the DNS of the domain, and leave it there: it is looked up every week. It may take hours until it is seen."
      verify={api => api.organizationDomains.verify({ domainId: domain.domainId })}
    >
      {({ found, status, record }) => (
        <>
          <p>
            <StatusChip status={status} /> {foundText(found, record.value)}
          </p>
          <DnsRow of="TXT" name={record.name} value={record.value} />
        </>
      )}
    </DnsButton>
  )
}

/** What the DNS said last, where that is not the row. */
function foundText(found: readonly string[] | null, value: string): string | undefined {
  if (found === null || found.some(text => text.trim() === value)) return undefined
  return found.length === 0 ? 'Nothing is at that name.' : 'Something else is at that name.'
}

function DomainForm(props: CreateFormProps<OrganizationDomain>) {
  return (
    <AddDomain
      {...props}
      many="domains"
      title="Add a domain"
      description="What stands behind the @ of your addresses. Subdomains are domains of their own."
      add={(api, domain) => api.organizationDomains.create({ domain })}
    />
  )
}
