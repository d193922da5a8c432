// Domains of the organization: the row to copy into the DNS, and whether it is there.
import type { OrganizationDomain } from '@tandem/sdk'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { AddDomain, DnsButton, DnsRow } from '../mail_domains/dns.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { InLiveMode } from '../session/shared.tsx'

import { byLanguage } from '../words/words.ts'
import { Status } from './status.tsx'
import { t } from './texts.ts'

const domains = byLanguage(
  (): Resource<OrganizationDomain> => ({
    many: 'domains',
    things: t('domain.things'),
    about: t('domain.about'),
    from: api => api.organizationDomains.list,
    id: 'domainId',
    nameOf: ({ domain }) => t('domain.named', { domain }),
    columns: [
      { name: 'domain', label: t('domain.domain') },
      { name: 'status', label: t('state'), px: 100, cell: ({ status }) => <Status status={status} /> },
      { name: 'checkedAt', label: t('domain.checked'), kind: 'time' },
    ],
    actions: {
      px: 130,
      needs: 'sso:manage',
      cell: domain => (
        <>
          <Row domain={domain} />
          <RemoveButton
            many="domains"
            name={t('domain.named', { domain: domain.domain })}
            text={t('domain.deleteText')}
            remove={api => api.organizationDomains.delete({ domainId: domain.domainId })}
          />
        </>
      ),
    },
    create: {
      label: t('domain.create'),
      needs: 'sso:manage',
      Form: DomainForm,
      saved: ({ domain }) => t('domain.created', { domain }),
    },
    empty: { title: t('domain.none'), text: t('domain.noneText') },
  }),
)

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
      description={t('domain.rowText')}
      verify={api => api.organizationDomains.verify({ domainId: domain.domainId })}
    >
      {({ found, status, record }) => (
        <>
          <p>
            <Status status={status} /> {foundText(found, record.value)}
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
  return t(found.length === 0 ? 'domain.nothing' : 'domain.other')
}

function DomainForm(props: CreateFormProps<OrganizationDomain>) {
  return (
    <AddDomain
      {...props}
      many="domains"
      title={t('domain.create')}
      description={t('domain.createText')}
      add={(api, domain) => api.organizationDomains.create({ domain })}
    />
  )
}
