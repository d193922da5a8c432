// The legs that a call dialled, with how each went: also those that nobody took, of which the call itself says nothing.
import type { Call } from '@tandem/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLiveRelated } from '../data/live_records.ts'
import { Party } from '../people/party.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, CodeLink, ErrorState, StatusChip, Time } from '../ui/index.ts'
import { secondsText } from './call_facts.tsx'

/** As many as a list of instructions may well dial. */
const limit = 50

const columns: Column<Call>[] = [
  { key: 'to', header: 'To', render: ({ to }) => <Party isPlain address={to} /> },
  { key: 'state', header: 'State', nowrap: true, render: ({ state }) => <StatusChip status={state} /> },
  {
    key: 'why',
    header: 'Ended because',
    hideOnNarrow: true,
    render: ({ hangupCause, errorCode }) =>
      errorCode === null ? (hangupCause?.replaceAll('_', ' ') ?? '–') : <CodeLink code={errorCode} />,
  },
  {
    key: 'talked',
    header: 'Talked',
    align: 'end',
    nowrap: true,
    render: ({ answeredAt, billableSeconds }) => (answeredAt === null ? '–' : secondsText(billableSeconds)),
  },
  {
    key: 'started',
    header: 'Started',
    hideOnNarrow: true,
    nowrap: true,
    render: ({ createdAt }) => <Time iso={createdAt} />,
  },
]

/** Nothing, where the call dialled nobody. @param props.version another one whenever something happened in the call */
export function LegsCard({ callId, version }: { callId: string; version: number }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'legs of', callId, version],
    queryFn: ({ signal }) => api.calls.list({ parentCallId: callId, limit }, { signal }),
    placeholderData: keepPreviousData,
  })
  useLiveRelated({
    eventPrefix: 'call.',
    isMine: data => data['parentCallId'] === callId,
    onChange: () => void query.refetch(),
  })
  if (query.data === undefined) {
    return query.error === null ? null : (
      <Card title="Legs">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  }
  const legs = query.data.items.toReversed()
  if (legs.length === 0) return null
  return (
    <Card title="Legs" flush>
      <DataTable
        caption="Legs, first to last"
        columns={columns}
        rows={legs}
        rowKey={leg => leg.callId}
        rowLink={leg => ({ to: '/calls/$id', params: { id: leg.callId } })}
        openLabel={leg => `Open the leg to ${leg.to}`}
      />
    </Card>
  )
}
