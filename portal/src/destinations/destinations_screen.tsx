// Destinations: which numbers the organization calls and texts, how much in a day, and whether one number may be reached.
import { Refused } from '../navigation/fallbacks.tsx'
import { useSession } from '../session/session.ts'
import { PageHeader } from '../ui/index.ts'
import styles from './destinations.module.css'
import { NumberTest } from './number_test.tsx'
import { OwnPolicies } from './own_policies.tsx'
import { PolicyPanel } from './policy_panel.tsx'

export function DestinationsScreen() {
  const { permissions } = useSession()
  if (!permissions.has('destinations:read')) return <Refused title="Destinations" />
  return <Destinations />
}

function Destinations() {
  const { mode } = useSession()
  return (
    <>
      <PageHeader
        title="Destinations"
        description={`Which numbers are called and texted in ${mode} mode, and how much in a day. Premium-rate, satellite and similar numbers stay shut until somebody opens them.`}
      />
      <div className={styles['cards']}>
        <NumberTest />
        <PolicyPanel of="organization" title="Policy of the organization" mode={mode} />
        <OwnPolicies />
      </div>
    </>
  )
}
