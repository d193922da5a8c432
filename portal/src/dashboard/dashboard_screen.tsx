// What is going on: the last 24 hours in figures, what goes wrong most, the newest requests as they come, and the first
// steps for who is new.
import type { AnalyticsErrorsReply, RequestsListItem } from '@tandem/sdk'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../app/api.ts'
import { endpointById } from '../app/catalog.ts'
import { type Page, useCursorList, withNewItem } from '../app/lists.ts'
import { useLive } from '../app/live.ts'
import { useSession } from '../app/session.ts'
import {
  ButtonLink,
  Card,
  CodeLink,
  countText,
  durationText,
  ErrorState,
  HttpStatus,
  LoadingRows,
  MethodBadge,
  PageHeader,
  TextLink,
  Time,
} from '../ui/index.ts'
import styles from './dashboard.module.css'
import { FirstSteps } from './first_steps.tsx'
import { Sparkline } from './sparkline.tsx'

export function DashboardScreen() {
  const api = useApi()
  const { mode, user } = useSession()
  const usage = useQuery({
    queryKey: [mode, 'usage', 'dashboard'],
    queryFn: ({ signal }) => api.analytics.usage({ interval: 'hour' }, { signal }),
  })
  const all = usage.data?.series[0]
  const total = usage.data?.total
  return (
    <>
      <PageHeader
        title="Dashboard"
        description={
          mode === 'live'
            ? `Hello ${user.name}. This is live: requests act on real data and real people.`
            : `Hello ${user.name}. This is test mode: only the simulator carries messages and calls.`
        }
        actions={
          <>
            <ButtonLink to="/explorer" icon={<BookOpen size={14} />}>
              Browse the Explorer
            </ButtonLink>
            <ButtonLink to="/playground" variant="primary" icon={<Play size={14} />}>
              Open the Playground
            </ButtonLink>
          </>
        }
      />
      <div className={styles['stack']}>
        <FirstSteps requestsToday={(total?.requests ?? 0) > 0} />
        {usage.isPending ? (
          <LoadingRows label="Loading the figures" rows={1} />
        ) : usage.data === undefined ? (
          <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
        ) : (
          <div className={styles['figures']}>
            <Figure
              to="/usage"
              name="Requests, 24 hours"
              value={countText(usage.data.total.requests)}
              values={all?.requests}
            />
            <Figure
              to="/logs"
              search={{ status: '4xx' }}
              name="Refused"
              value={countText(usage.data.total.refused + usage.data.total.limited)}
              note={shareText(usage.data.total.refused + usage.data.total.limited, usage.data.total.requests)}
              values={all?.refused}
            />
            <Figure
              to="/logs"
              search={{ status: '5xx' }}
              name="Errors"
              value={countText(usage.data.total.errors)}
              note={shareText(usage.data.total.errors, usage.data.total.requests)}
              values={all?.errors}
            />
            <Figure
              to="/usage"
              name="95 of 100 answered within"
              value={usage.data.total.p95Ms === null ? '–' : durationText(usage.data.total.p95Ms)}
              values={all?.p95Ms.map(value => value ?? 0)}
            />
          </div>
        )}
        <div className={styles['columns']}>
          <RecentRequests />
          <TopErrors />
        </div>
      </div>
    </>
  )
}

function shareText(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(1)} %`
}

type FigureProps = {
  to: string
  search?: Record<string, string>
  name: string
  value: string
  note?: string
  values: readonly number[] | undefined
}
function Figure({ to, search = {}, name, value, note, values }: FigureProps) {
  return (
    <Link to={to as '/'} search={search} className={styles['figure']}>
      <span>{name}</span>
      <strong>{value}</strong>
      {note !== undefined && <small>{note}</small>}
      {values !== undefined && <Sparkline values={values} className={styles['spark']} />}
    </Link>
  )
}

const shownRequests = 8

function RecentRequests() {
  const api = useApi()
  const cache = useQueryClient()
  const { permissions } = useSession()
  const list = useCursorList<RequestsListItem>('newest requests', {}, (_cursor, signal) =>
    api.requests.list({ source: 'api,playground', limit: shownRequests }, { signal }),
  )
  useLive(
    ['requests'],
    message => {
      if (message.event !== 'request' || message.data.source === 'portal') return
      const item = message.data
      cache.setQueryData<InfiniteData<Page<RequestsListItem>>>(list.queryKey, old =>
        old?.pages[0]?.items.some(one => one.requestId === item.requestId) ? old : withNewItem(old, item),
      )
    },
    permissions.has('requests:read'),
  )
  const items = list.items.slice(0, shownRequests)
  return (
    <Card
      title="Newest requests"
      flush
      actions={
        <ButtonLink to="/logs" size="sm">
          All in Logs
        </ButtonLink>
      }
    >
      {list.query.isPending ? (
        <LoadingRows label="Loading the requests" rows={3} />
      ) : list.query.error != null ? (
        <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />
      ) : items.length === 0 ? (
        <Quiet>No requests yet. The first one appears here within a second.</Quiet>
      ) : (
        <ul className={styles['rows']}>
          {items.map(item => (
            <li key={item.requestId} className={styles['row']}>
              <HttpStatus status={item.status} />
              <MethodBadge method={item.method} />
              <TextLink
                to="/logs/$id"
                params={{ id: item.requestId }}
                className={`${styles['grow']} ${styles['mono']}`}
              >
                {item.path}
              </TextLink>
              <span className={styles['count']}>{durationText(item.durationMs)}</span>
              <Time iso={item.at} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function TopErrors() {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'top errors'],
    queryFn: ({ signal }) => api.analytics.errors({ limit: shownRequests }, { signal }),
  })
  return (
    <Card title="What goes wrong most, 24 hours" flush>
      {query.isPending ? (
        <LoadingRows label="Loading the errors" rows={3} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.errors.length === 0 ? (
        <Quiet>Nothing was refused.</Quiet>
      ) : (
        <ul className={styles['rows']}>
          {query.data.errors.map(error => (
            <ErrorRow key={`${error.endpointId} ${error.problem} ${error.status}`} error={error} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function ErrorRow({ error }: { error: AnalyticsErrorsReply['errors'][number] }) {
  const { endpointId, problem, status, requests } = error
  const name = endpointId === null ? 'No endpoint' : (endpointById(endpointId)?.name ?? endpointId)
  const search = {
    status: String(status),
    ...(problem === null ? {} : { problem }),
    ...(endpointId === null ? {} : { endpointId }),
  }
  return (
    <li className={styles['row']}>
      <HttpStatus status={status} />
      <span className={styles['grow']}>
        {name} {problem !== null && <CodeLink code={problem} />}
      </span>
      <TextLink to="/logs" search={search} className={styles['count']} aria-label={`${requests} requests in Logs`}>
        {countText(requests)}
      </TextLink>
    </li>
  )
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className={styles['quiet']}>{children}</p>
}
