// Says above every screen that the organization is suspended, or being closed, and what that means.
import { useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Day } from '../ui/index.ts'
import styles from './shell.module.css'
import { t } from './texts.ts'

export function OrganizationBanner() {
  const { permissions, organizationState } = useSession()
  const { data } = useQuery({
    queryKey: ['live', 'organization', 'state'],
    staleTime: 60_000,
    enabled: organizationState !== 'active' && permissions.has('organization:read'),
    queryFn: ({ signal }) => apiOf('live').organization.get({}, { signal }),
  })
  if (data === undefined || data.state === 'active') return null
  return (
    <p className={styles['banner']} role="status" data-state={data.state}>
      {data.state === 'suspended'
        ? t.rich('suspended', { reason: data.stateReason ?? '' })
        : t.rich('closing', { day: () => <Day date={(data.closesAt ?? '').slice(0, 10)} /> })}
    </p>
  )
}
