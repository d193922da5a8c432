// The request log: every request of this tenant and mode, live, with filters that stand in the address; and one request
// with everything that is known of it.
import type { RequestsListParams, RequestsListReply } from '@tandem/sdk'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ListTree, Play } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../app/api.ts'
import { endpointById } from '../app/catalog.ts'
import { SelectFilter, TextFilter } from '../app/filters.tsx'
import { type Page, useCursorList, withNewItem } from '../app/lists.ts'
import { useLive } from '../app/live.ts'
import { LiveSwitch } from '../app/live_switch.tsx'
import { useParamsOfAddress } from '../app/search_params.ts'
import { useSession } from '../app/session.ts'
import {
  ButtonLink,
  Card,
  Chip,
  CodeLink,
  type Column,
  CopyButton,
  DataTable,
  durationText,
  ErrorState,
  HttpStatus,
  ListStates,
  LoadingRows,
  LoadMore,
  MethodBadge,
  PageHeader,
  TextLink,
  Time,
  Toolbar,
} from '../ui/index.ts'
import { fitsFilters } from './fits.ts'
import styles from './logs.module.css'
import { curlOf, RequestFacts } from './request_facts.tsx'
import { TrafficBars } from './traffic_bars.tsx'

type Item = RequestsListReply['items'][number]

export function LogsScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  return id === undefined ? <LogList /> : <LogPage id={id} />
}

const filterNames = [
  'source',
  'status',
  'method',
  'path',
  'keyId',
  'endpointId',
  'problem',
  'resourceId',
  'userId',
  'after',
  'before',
] as const
/** What a person looks for is seldom what the portal asked for its own screens. */
const usualSources = 'api,playground'

const columns: Column<Item>[] = [
  {
    key: 'request',
    header: 'Request',
    render: item => (
      <span className={styles['request']}>
        <MethodBadge method={item.method} />
        <span>{item.path}</span>
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    render: item => (
      <>
        <HttpStatus status={item.status} /> {item.problem !== null && <CodeLink code={item.problem} />}
      </>
    ),
  },
  {
    key: 'endpoint',
    header: 'Endpoint',
    hideOnNarrow: true,
    render: item => (item.endpointId === null ? '–' : (endpointById(item.endpointId)?.name ?? item.endpointId)),
  },
  { key: 'source', header: 'Source', hideOnNarrow: true, render: item => <Chip>{item.source}</Chip> },
  { key: 'took', header: 'Took', align: 'end', render: item => durationText(item.durationMs) },
  { key: 'at', header: 'When', render: item => <Time iso={item.at} /> },
]

function LogList() {
  const api = useApi()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const [live, setLive] = useState(true)
  const chosen = Object.fromEntries(filterNames.flatMap(name => (params[name] ? [[name, params[name]]] : [])))
  const source = chosen['source'] === 'all' ? undefined : (chosen['source'] ?? usualSources)
  const filters = { ...chosen, source } as RequestsListParams
  if (source === undefined) delete filters.source
  if (filters.userId !== undefined) filters.userId = Number(filters.userId)
  const list = useCursorList<Item>('requests', filters, (cursor, signal) =>
    api.requests.list({ ...filters, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const liveState = useLive(
    ['requests'],
    message => {
      if (message.event === 'gap') void list.query.refetch()
      if (message.event !== 'request' || !fitsFilters(message.data, filters)) return
      const item = message.data
      cache.setQueryData<InfiniteData<Page<Item>>>(list.queryKey, old =>
        old?.pages.some(page => page.items.some(one => one.requestId === item.requestId))
          ? old
          : withNewItem(old, item),
      )
    },
    live && permissions.has('requests:read'),
  )
  return (
    <>
      <PageHeader
        title="Logs"
        description="Requests and how they were answered, newest first, kept for seven days."
        actions={<LiveSwitch live={live} state={liveState} onChange={setLive} />}
      />
      <LogFilters params={params} change={change} />
      <Card flush>
        <TrafficBars params={params} onChange={change} source={source} />
        <ListStates
          label="Loading requests"
          query={list.query}
          isEmpty={list.items.length === 0}
          isFiltered={Object.keys(chosen).length > 0}
          onClearFilters={() => change(Object.fromEntries(filterNames.map(name => [name, undefined])))}
          empty={{
            icon: <ListTree size={20} />,
            title: 'No requests yet',
            text: 'Send one from the Playground or with cURL; it appears here within a second.',
            action: (
              <ButtonLink to="/playground" variant="primary">
                Open the Playground
              </ButtonLink>
            ),
          }}
        >
          <DataTable
            caption="Requests"
            columns={columns}
            rows={list.items}
            rowKey={item => item.requestId}
            rowTone={item => (item.status >= 500 ? 'bad' : item.status >= 400 ? 'warn' : undefined)}
            onOpen={item => void navigate({ to: '/logs/$id', params: { id: item.requestId } })}
            openLabel={item => `Open ${item.method} ${item.path}, ${item.status}`}
          />
          <LoadMore
            shown={list.items.length}
            noun="requests"
            hasMore={list.hasMore}
            busy={list.loadingMore}
            onMore={list.loadMore}
          />
        </ListStates>
      </Card>
    </>
  )
}

type FiltersProps = {
  params: ReturnType<typeof useParamsOfAddress>[0]
  change: ReturnType<typeof useParamsOfAddress>[1]
}
function LogFilters({ params, change }: FiltersProps) {
  const wiring = { params, onChange: change }
  return (
    <Toolbar label="Filters of requests">
      <TextFilter name="path" label="Path begins with" placeholder="/v2/messages" mono pageSearch {...wiring} />
      <SelectFilter
        name="status"
        label="Status"
        all="All"
        options={['2xx', '3xx', '4xx', '5xx', '400', '401', '403', '404', '409', '422', '429', '500', '503'].map(
          value => ({ value, label: value }),
        )}
        {...wiring}
      />
      <SelectFilter
        name="method"
        label="Method"
        all="All"
        options={['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(value => ({ value, label: value }))}
        {...wiring}
      />
      <SelectFilter
        name="source"
        label="Source"
        all="Programs and Playground"
        options={[
          { value: 'api', label: 'Programs' },
          { value: 'playground', label: 'Playground' },
          { value: 'portal', label: 'The portal itself' },
          { value: 'all', label: 'All' },
        ]}
        {...wiring}
      />
      <TextFilter name="problem" label="Error code" placeholder="rate_limited" mono {...wiring} />
      <TextFilter name="keyId" label="Key id" placeholder="key_…" mono {...wiring} />
      <TextFilter name="resourceId" label="About" placeholder="msg_… or lead:12" mono {...wiring} />
    </Toolbar>
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
        title={request === undefined ? `Request ${id}` : `${request.method} ${request.path}`}
        heading={
          request === undefined ? (
            'Request'
          ) : (
            <span className={styles['mono']}>
              {request.method} {request.path}
            </span>
          )
        }
        description={
          <>
            <TextLink to="/logs">All requests</TextLink> <code>{id}</code>
            <CopyButton text={id} label="Copy the id" />
          </>
        }
        actions={
          request !== undefined && (
            <>
              <CopyButton size="md" showLabel text={() => curlOf(request)} label="Copy as cURL" />
              <ButtonLink to="/playground" search={{ replay: id }} variant="primary" icon={<Play size={14} />}>
                Replay in the Playground
              </ButtonLink>
            </>
          )
        }
      />
      {query.isPending ? (
        <LoadingRows label="Loading the request" />
      ) : request === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <RequestFacts request={request} />
      )}
    </>
  )
}
