// The settings of the organization, which live and test mode share: read by everybody, changed by Admins.
import type { Organization } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useLiveRelated } from '../data/live_records.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Card, DescriptionList, ErrorState, LoadingRows, Moment, PageHeader } from '../ui/index.ts'
import { ClosingCard, ExportCard } from './closing_card.tsx'
import styles from './organization.module.css'
import { OwnershipCard } from './ownership_card.tsx'
import { labelOf, settingNames, settingText } from './settings.ts'
import { SettingsForm } from './settings_form.tsx'
import { t } from './texts.ts'

export function OrganizationScreen() {
  const { permissions } = useSession()
  if (!permissions.has('organization:read')) return <Refused title={t('title')} />
  return (
    <InLiveMode>
      <Screen />
    </InLiveMode>
  )
}

function Screen() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const query = useQuery({
    queryKey: [mode, 'organization'],
    queryFn: ({ signal }) => api.organization.get({}, { signal }),
  })
  useLiveRelated({ events: ['organization.*'], isMine: () => true, onChange: () => void query.refetch() })
  const mayChange = permissions.has('organization:update')
  return (
    <>
      <PageHeader title={t('title')} description={t(mayChange ? 'about' : 'aboutReader')} />
      {query.isPending ? (
        <LoadingRows label={t('loading')} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={styles['cards']}>
          {mayChange ? <SettingsForm stored={query.data} /> : <SettingsFacts organization={query.data} />}
          <Identity organization={query.data} />
          {permissions.has('organization:transfer') && <OwnershipCard />}
          {permissions.has('organization:export') && <ExportCard />}
          {permissions.has('organization:close') && <ClosingCard organization={query.data} />}
        </div>
      )}
    </>
  )
}

function SettingsFacts({ organization }: { organization: Organization }) {
  return (
    <Card title={t('settings')}>
      <DescriptionList
        items={settingNames.map(name => ({ term: labelOf(name), detail: settingText(name, organization) }))}
      />
    </Card>
  )
}

function Identity({ organization: { organizationId, tenants, createdAt } }: { organization: Organization }) {
  return (
    <Card title={t('identifiers')}>
      <DescriptionList
        items={[
          { term: t('organizationId'), detail: String(organizationId) },
          { term: t('liveTenant'), detail: String(tenants.live.tenantId) },
          { term: t('testTenant'), detail: String(tenants.test.tenantId) },
          { term: t('createdAt'), detail: <Moment iso={createdAt} /> },
        ]}
      />
    </Card>
  )
}
