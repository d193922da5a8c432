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
import { labels, type SettingName, settingText } from './settings.ts'
import { SettingsForm } from './settings_form.tsx'

export function OrganizationScreen() {
  const { permissions } = useSession()
  if (!permissions.has('organization:read')) return <Refused title="Organization" />
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
  useLiveRelated({ eventPrefix: 'organization.', isMine: () => true, onChange: () => void query.refetch() })
  const mayChange = permissions.has('organization:update')
  return (
    <>
      <PageHeader
        title="Organization"
        description={`Of the whole organization, for live and test data alike.${mayChange ? '' : ' Admins change them.'}`}
      />
      {query.isPending ? (
        <LoadingRows label="Loading the settings" />
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
  const names = Object.keys(labels) as SettingName[]
  return (
    <Card title="Settings">
      <DescriptionList items={names.map(name => ({ term: labels[name], detail: settingText(name, organization) }))} />
    </Card>
  )
}

function Identity({ organization: { organizationId, tenants, createdAt } }: { organization: Organization }) {
  return (
    <Card title="Identifiers">
      <DescriptionList
        items={[
          { term: 'Organization', detail: String(organizationId) },
          { term: 'Tenant of live data', detail: String(tenants.live.tenantId) },
          { term: 'Tenant of test data', detail: String(tenants.test.tenantId) },
          { term: 'Created', detail: <Moment iso={createdAt} /> },
        ]}
      />
    </Card>
  )
}
