// The legs that a call dialled, with how each went: also those that nobody took, of which the call itself says nothing.
import type { Call } from '@tandem/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLiveRelated } from '../data/live_records.ts'
import { Party } from '../people/party.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, CodeLink, ErrorState, StatusChip, Time } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { causeText, secondsText } from './call_facts.tsx'
import { t } from './texts.ts'

/** As many as a list of instructions may well dial. */
const limit = 50

const columns = byLanguage((): Column<Call>[] => [
  { key: 'to', header: t('to'), render: ({ to }) => <Party isPlain address={to} /> },
  { key: 'state', header: t('state'), nowrap: true, render: ({ state }) => <StatusChip status={state} /> },
  {
    key: 'why',
    header: t('endedBecause'),
    hideOnNarrow: true,
    render: ({ hangupCause, errorCode }) =>
      errorCode === null ? hangupCause === null ? '–' : causeText(hangupCause) : <CodeLink code={errorCode} />,
  },
  {
    key: 'talked',
    header: t('talked'),
    align: 'end',
    nowrap: true,
    render: ({ answeredAt, billableSeconds }) => (answeredAt === null ? '–' : secondsText(billableSeconds)),
  },
  {
    key: 'started',
    header: t('started'),
    hideOnNarrow: true,
    nowrap: true,
    render: ({ createdAt }) => <Time iso={createdAt} />,
  },
])

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
    events: ['call.*'],
    isMine: data => data['parentCallId'] === callId,
    onChange: () => void query.refetch(),
  })
  if (query.data === undefined) {
    return query.error === null ? null : (
      <Card title={t('legs')}>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  }
  const legs = query.data.items.toReversed()
  if (legs.length === 0) return null
  return (
    <Card title={t('legs')} flush>
      <DataTable
        caption={t('legsOf')}
        columns={columns()}
        rows={legs}
        rowKey={leg => leg.callId}
        rowLink={leg => ({ to: '/calls/$id', params: { id: leg.callId } })}
        openLabel={leg => t('legOpen', { to: leg.to })}
      />
    </Card>
  )
}
