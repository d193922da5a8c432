// Says above every screen that the organization is suspended, or being closed, and what that means.
import { useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Day } from '../ui/index.ts'
import styles from './shell.module.css'

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
      {data.state === 'suspended' ? (
        <>
          <b>This organization is suspended.</b> {data.stateReason} You can see your account and the audit log, and
          export everything in the settings; nothing else is done or sent.
        </>
      ) : (
        <>
          <b>This organization is being closed.</b> On <Day date={(data.closesAt ?? '').slice(0, 10)} /> it is erased.
          Until then everything can be read and exported, and its owner can take it back in the settings.
        </>
      )}
    </p>
  )
}
