// Destinations: which numbers the organization calls and texts, how much in a day, and whether one number may be reached.
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/api.ts'
import { Refused } from '../app/fallbacks.tsx'
import { useSession } from '../app/session.ts'
import { Card, ErrorState, LoadingRows, PageHeader } from '../ui/index.ts'
import styles from './destinations.module.css'
import { NumberTest } from './number_test.tsx'
import { PolicyForm } from './policy_form.tsx'
import { Today } from './today.tsx'

export function DestinationsScreen() {
  const { permissions } = useSession()
  if (!permissions.has('destinations:read')) return <Refused title="Destinations" permission="destinations:read" />
  return <Destinations />
}

function Destinations() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const policy = useQuery({
    queryKey: [mode, 'destination-policy'],
    queryFn: ({ signal }) => api.destinationPolicies.get({ policy: 'organization' }, { signal }),
  })
  return (
    <>
      <PageHeader
        title="Destinations"
        description={`Which numbers are called and texted in ${mode} mode, and how much in a day. Premium-rate, satellite and similar numbers stay shut until somebody opens them.`}
      />
      <div className={styles['cards']}>
        <NumberTest />
        {policy.isPending ? (
          <LoadingRows label="Loading the policy" />
        ) : policy.data === undefined ? (
          <ErrorState error={policy.error} onRetry={() => void policy.refetch()} />
        ) : (
          <>
            <Today policy={policy.data} />
            <Card title="Policy of the organization">
              <PolicyForm
                key={policy.data.updatedAt}
                policy={policy.data}
                mayChange={permissions.has('destinations:manage')}
              />
            </Card>
          </>
        )}
      </div>
    </>
  )
}
