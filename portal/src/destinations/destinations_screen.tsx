// Destinations: which numbers the organization calls and texts, how much in a day, and whether one number may be reached.
import { Refused } from '../navigation/fallbacks.tsx'
import { useSession } from '../session/session.ts'
import { PageHeader } from '../ui/index.ts'
import styles from './destinations.module.css'
import { NumberTest } from './number_test.tsx'
import { OwnPolicies } from './own_policies.tsx'
import { PolicyPanel } from './policy_panel.tsx'
import { t } from './texts.ts'

export function DestinationsScreen() {
  const { permissions } = useSession()
  if (!permissions.has('destinations:read')) return <Refused title={t('title')} />
  return <Destinations />
}

function Destinations() {
  const { mode } = useSession()
  return (
    <>
      <PageHeader title={t('title')} description={t('about', { mode })} />
      <div className={styles['cards']}>
        <NumberTest />
        <PolicyPanel of="organization" title={t('organizationPolicy')} mode={mode} />
        <OwnPolicies />
      </div>
    </>
  )
}
