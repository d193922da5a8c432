// The destination policy of the organization, an API key or a trunk: what was used of it today, and what it says, changed in place.
import { useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import { Card, ErrorState, LoadingRows } from '../ui/index.ts'
import { policyKey } from './policies.ts'
import { PolicyForm } from './policy_form.tsx'
import { t } from './texts.ts'
import { Today, todayText } from './today.tsx'

export type PolicyPanelProps = {
  /** `organization`, or the id of a key or trunk. */
  of: string
  title: string
  mode: Mode
  /** Without cards around its parts: it is in one already, or in a dialog. */
  isPlain?: boolean
}
export function PolicyPanel({ of, title, mode, isPlain = false }: PolicyPanelProps) {
  const { permissions } = useSession()
  const query = useQuery({
    queryKey: policyKey(mode, of),
    queryFn: ({ signal }) => apiOf(mode).destinationPolicies.get({ policy: of }, { signal }),
  })
  const { data } = query
  if (query.isPending) return <LoadingRows label={t('loadingPolicy')} />
  if (data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const form = <PolicyForm policy={data} title={title} mode={mode} mayChange={permissions.has('destinations:manage')} />
  if (isPlain)
    return (
      <>
        <p>{todayText(data)}</p>
        {form}
      </>
    )
  return (
    <>
      <Today policy={data} />
      <Card title={title}>{form}</Card>
    </>
  )
}
