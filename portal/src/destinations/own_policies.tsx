// The API keys and trunks that have a destination policy of their own, and where each is changed.
import type { DestinationPolicy } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, ErrorState, LoadingRows, TextLink } from '../ui/index.ts'
import { t } from './texts.ts'
import { todayText } from './today.tsx'

const columnsOf = (): Column<DestinationPolicy>[] => [
  {
    key: 'of',
    header: t('policy'),
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
  { key: 'today', header: t('usedToday'), render: todayText },
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
    <Card title={t('ownPolicies')} flush={rows.length > 0}>
      {list.isPending ? (
        <LoadingRows label={t('loadingPolicies')} />
      ) : list.data === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : rows.length === 0 ? (
        <p>{t.rich('noneText', { link: text => <TextLink to="/keys">{text}</TextLink> })}</p>
      ) : (
        <DataTable caption={t('ownPolicies')} columns={columnsOf()} rows={rows} rowKey={row => row.policy} />
      )}
    </Card>
  )
}
