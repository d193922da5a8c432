// The request log: every request of this tenant and mode, live, with filters that stand in the address; and one request
// with everything that is known of it.
import type { RequestsListReply } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ListTree, Play } from 'lucide-react'
import { useMemo, useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { useCursorList } from '../data/lists.ts'
import { useLiveTop } from '../data/live_list.ts'
import { LiveSwitch } from '../data/live_switch.tsx'
import { type Params, without } from '../navigation/params.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { endpointById } from '../session/catalog.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import type { Column } from '../ui/data_table.tsx'
import {
  ButtonLink,
  Card,
  Chip,
  CodeLink,
  durationText,
  ErrorState,
  HttpStatus,
  IdLink,
  LoadingRows,
  MethodBadge,
  PageHeader,
  TextLink,
  Time,
} from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { FilterBar } from './filter_bar.tsx'
import { fitsFilters } from './fits.ts'
import { chosenFilters, filterNames, queryOf } from './log_filters.ts'
import styles from './logs.module.css'
import { curlOf, RequestFacts } from './request_facts.tsx'
import { t } from './texts.ts'
import { TrafficBars } from './traffic_bars.tsx'

type Item = RequestsListReply['items'][number]

export function LogsScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  return id === undefined ? <LogList /> : <LogPage id={id} />
}

/** The list as it was last looked at: from a request one comes back to it. */
let lastFilters: Params = {}

const columns = byLanguage((): Column<Item>[] => [
  {
    key: 'request',
    header: t('request'),
    render: item => (
      <span className={styles['request']}>
        <MethodBadge method={item.method} />
        <span className={styles['path']}>{item.path}</span>
      </span>
    ),
  },
  {
    key: 'status',
    header: t('status'),
    render: item => (
      <span className={styles['status']}>
        <HttpStatus status={item.status} />
        {item.problem !== null && (
          <span className={styles['code']}>
            <CodeLink code={item.problem} />
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'endpoint',
    header: t('endpoint'),
    hideOnNarrow: true,
    render: item => (item.endpointId === null ? '–' : (endpointById(item.endpointId)?.name ?? item.endpointId)),
  },
  {
    key: 'caller',
    header: t('caller'),
    hideOnNarrow: true,
    render: item => (
      <span className={styles['status']}>
        <Chip tone={item.source === 'playground' ? 'accent' : 'neutral'}>
          {t.of('source', item.source) ?? item.source}
        </Chip>
        {item.keyId === null ? (
          <span className={styles['faint']}>{t('noKey')}</span>
        ) : (
          <IdLink id={item.keyId}>{t('keyEnding', { end: item.keyId.slice(-5) })}</IdLink>
        )}
      </span>
    ),
  },
  { key: 'took', header: t('took'), align: 'end', hideOnNarrow: true, render: item => durationText(item.durationMs) },
  { key: 'at', header: t('when'), align: 'end', render: item => <Time iso={item.at} /> },
])

const idOf = (item: Item) => item.requestId

function LogList() {
  const api = useApi()
  const [params, change] = useParamsOfAddress()
  const [live, setLive] = useState(true)
  const chosen = chosenFilters(params)
  const address = JSON.stringify(chosen)
  lastFilters = chosen
  const filters = useMemo(() => queryOf(JSON.parse(address) as Params, Date.now()), [address])
  const list = useCursorList<Item>('requests', filters, (cursor, signal) =>
    api.requests.list({ ...filters, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const liveState = useLiveTop({
    list,
    topic: 'requests',
    live,
    idOf,
    pick: message => (message.event === 'request' && fitsFilters(message.data, filters) ? message.data : undefined),
  })
  return (
    <>
      <PageHeader
        title={t('logs')}
        description={t('about')}
        actions={<LiveSwitch live={live} state={liveState} onChange={setLive} />}
      />
      <FilterBar params={params} onChange={change} />
      <Card flush>
        <TrafficBars params={params} onChange={change} source={filters.source?.toString()} />
        <CursorTable
          list={list}
          isFiltered={address !== '{}'}
          onClearFilters={() => change(without(filterNames))}
          empty={{
            icon: <ListTree size={20} />,
            title: t('noRequests'),
            text: t('noRequestsText'),
            action: (
              <ButtonLink to="/playground" variant="primary">
                {t('openPlayground')}
              </ButtonLink>
            ),
          }}
          caption={t('requests')}
          columns={columns()}
          rowKey={idOf}
          rowTone={item => (item.status >= 500 ? 'bad' : item.status >= 400 ? 'warn' : undefined)}
          rowLink={item => ({ to: '/logs/$id', params: { id: item.requestId } })}
          openLabel={({ method, path, status }) => t('openRequest', { method, path, status })}
        />
      </Card>
    </>
  )
}

function LogPage({ id }: { id: string }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'request', id],
    queryFn: ({ signal }) => api.requests.get({ requestId: id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const request = query.data
  return (
    <>
      <PageHeader
        title={request === undefined ? t('requestTitle', { id }) : `${request.method} ${request.path}`}
        heading={
          request === undefined ? (
            t('request')
          ) : (
            <span className={styles['heading']}>
              {request.method} {request.path}
            </span>
          )
        }
        description={
          <span className={styles['line']}>
            <TextLink to="/logs" search={lastFilters}>
              {t('allRequests')}
            </TextLink>
            <span className={styles['line']}>
              <code>{id}</code>
              <CopyButton text={id} label={t('copyId')} />
            </span>
          </span>
        }
        actions={
          request !== undefined && (
            <>
              <CopyButton size="md" showLabel text={() => curlOf(request)} label={t('copyCurl')} />
              <ButtonLink to="/playground" search={{ replay: id }} variant="primary" icon={<Play size={14} />}>
                {t('replay')}
              </ButtonLink>
            </>
          )
        }
      />
      {query.isPending ? (
        <LoadingRows label={t('loadingRequest')} />
      ) : request === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <RequestFacts request={request} />
      )}
    </>
  )
}
