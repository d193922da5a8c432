// Mail domains: rows to copy into the DNS, and whether they are there.
import type { MailDomain } from '@tandem/sdk'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { Chip, StatusChip } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { AddDomain, DnsButton, DnsRow } from './dns.tsx'
import { t } from './texts.ts'

const domains = byLanguage(
  (): Resource<MailDomain> => ({
    many: 'mail domains',
    things: t('things'),
    about: t('about'),
    from: api => api.mailDomains.list,
    id: 'domainId',
    nameOf: ({ domain }) => domain,
    columns: [
      { name: 'domain', label: t('domain') },
      { name: 'status', label: t('state'), px: 130, cell: ({ status }) => <StatusChip status={status} /> },
      { name: 'checkedAt', label: t('checked'), kind: 'time' },
      { name: 'records', label: t('dns'), px: 130, hasControls: true, cell: domain => <Records domain={domain} /> },
    ],
    actions: {
      px: 110,
      needs: 'mail:manage',
      cell: ({ domainId, domain }) => (
        <RemoveButton
          many="mail domains"
          name={domain}
          text={t('removeText')}
          remove={api => api.mailDomains.delete({ domainId })}
        />
      ),
    },
    create: {
      label: t('add'),
      needs: 'mail:manage',
      Form: DomainForm,
      saved: ({ domain }) => t('added', { domain }),
    },
    empty: { title: t('empty'), text: t('emptyText') },
  }),
)

export const MailDomainsScreen = () => <ResourceScreen of={domains} />

function Records({ domain }: { domain: MailDomain }) {
  return (
    <DnsButton
      domain={domain}
      many="mail domains"
      rows="Rows"
      description={t('dnsText')}
      needs="mail:manage"
      verify={api => api.mailDomains.verify({ domainId: domain.domainId })}
    >
      {({ records }) =>
        records.map(({ type, name, value, purpose, isRequired, isThere }) => (
          <section key={name} aria-label={t('recordFor', { of: t(`purpose.${purpose}`) })}>
            <h3>
              {t(`purpose.${purpose}`)} <Chip>{type}</Chip> {t(isRequired ? 'required' : 'recommended')}{' '}
              {isThere !== null && <Chip tone={isThere ? 'ok' : 'warn'}>{t(isThere ? 'found' : 'notFound')}</Chip>}
            </h3>
            <DnsRow of={t(`purpose.${purpose}`)} name={name} value={value} />
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
      title={t('addTitle')}
      description={t('addText')}
      add={(api, domain) => api.mailDomains.create({ domain })}
    />
  )
}
