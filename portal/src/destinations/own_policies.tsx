// The API keys and trunks that have a destination policy of their own, and where each is changed.
import type { DestinationPolicy } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, ErrorState, LoadingRows, TextLink } from '../ui/index.ts'
import { todayText } from './today.tsx'

const columns: Column<DestinationPolicy>[] = [
  {
    key: 'of',
    header: 'Policy of',
    nowrap: true,
    render: ({ policy }) =>
      policy.startsWith('trk_') ? (
        <TextLink to="/trunks/$id" params={{ id: policy }}>
          {policy}
        </TextLink>
      ) : (
        <TextLink to="/keys">{policy}</TextLink>
      ),
  },
  { key: 'today', header: 'Used today', render: todayText },
]

export function OwnPolicies() {
  const api = useApi()
  const { mode } = useSession()
  const list = useQuery({
    queryKey: [mode, 'destination-policies'],
    queryFn: ({ signal }) => api.destinationPolicies.list({ limit: 100 }, { signal }),
  })
  const rows = list.data?.items.filter(({ policy }) => policy !== 'organization') ?? []
  return (
    <Card title="Policies of API keys and trunks" flush={rows.length > 0}>
      {list.isPending ? (
        <LoadingRows label="Loading the policies" />
      ) : list.data === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : rows.length === 0 ? (
        <p>
          None. An API key gets one in its menu on the page <TextLink to="/keys">API keys</TextLink>, a trunk on its own
          page: beside the policy of the organization, for what goes by it.
        </p>
      ) : (
        <DataTable caption="Policies of API keys and trunks" columns={columns} rows={rows} rowKey={row => row.policy} />
      )}
    </Card>
  )
}
