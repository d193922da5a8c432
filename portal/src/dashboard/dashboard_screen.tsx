// What is going on: the last 24 hours in figures, what goes wrong most, the newest requests as they come, and the first
// steps for who is new.
import type { AnalyticsErrorsReply, AnalyticsUsageReply, RequestsListItem } from '@tandem/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BookOpen, Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useCursorList } from '../data/lists.ts'
import { useLive } from '../data/live.ts'
import { useLiveTop } from '../data/live_list.ts'
import { useApi } from '../session/api.ts'
import { endpointById } from '../session/catalog.ts'
import { useSession } from '../session/session.ts'
import {
  Button,
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
import { Figures, messagesOf, withRequest } from './figures.tsx'
import { FirstSteps, stepsDismissed } from './first_steps.tsx'
import { t } from './texts.ts'

/** Figures of the last 24 hours, asked for at every visit: what happened meanwhile was sent to other screens only. */
function useFigures() {
  const api = useApi()
  const cache = useQueryClient()
  const { mode, permissions } = useSession()
  const usageKey = [mode, 'usage', 'dashboard']
  const usage = useQuery({
    queryKey: usageKey,
    queryFn: ({ signal }) => api.analytics.usage({ interval: 'hour' }, { signal }),
    refetchOnMount: 'always',
  })
  const messaging = useQuery({
    queryKey: [mode, 'messages', 'dashboard'],
    queryFn: ({ signal }) => api.analytics.messaging({ interval: 'hour' }, { signal }),
    refetchOnMount: 'always',
  })
  useLive(
    ['requests'],
    message => {
      if (message.event !== 'request' || message.data.source === 'portal') return
      cache.setQueryData<AnalyticsUsageReply>(usageKey, old => old && withRequest(old, message.data.status))
    },
    permissions.has('requests:read'),
  )
  const known = usage.data !== undefined && usage.isFetchedAfterMount && messaging.isFetchedAfterMount
  return { usage, messaging, messages: messagesOf(messaging.data), known }
}

export function DashboardScreen() {
  const { mode, user } = useSession()
  const { usage, messaging, messages, known } = useFigures()
  const [dismissed, setDismissed] = useState(stepsDismissed)
  const requests = usage.data?.total.requests
  const isNew = requests === 0 || messages?.delivered === 0
  // Who began with the steps keeps them, ticked, until they leave or hide them.
  const [began, setBegan] = useState(false)
  if (known && isNew && !dismissed && mode === 'test' && !began) setBegan(true)
  const showSteps = began && !dismissed
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t(`hello.${mode}`, { name: user.name })}
        actions={
          <>
            <ButtonLink to="/explorer" icon={<BookOpen size={14} />}>
              {t('explorer')}
            </ButtonLink>
            <ButtonLink to="/playground" variant="primary" icon={<Play size={14} />}>
              {t('playground')}
            </ButtonLink>
          </>
        }
      />
      <div className={styles['stack']}>
        {mode === 'live' && requests === 0 && <BeginInTest />}
        {showSteps && (
          <FirstSteps
            hasSent={(requests ?? 0) > 0}
            hasDelivered={(messages?.delivered ?? 0) > 0}
            onDelivery={() => void messaging.refetch()}
            onHide={() => setDismissed(true)}
          />
        )}
        {usage.isPending ? (
          <LoadingRows label={t('loading')} rows={1} />
        ) : usage.data === undefined ? (
          <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
        ) : (
          <Figures usage={usage.data} messages={messages} />
        )}
        <div className={styles['columns']} data-single={showSteps}>
          <RecentRequests />
          {(known || usage.error !== null) && !showSteps && <TopErrors />}
        </div>
      </div>
    </>
  )
}

/** Nobody should begin with real people. */
function BeginInTest() {
  const { setMode } = useSession()
  return (
    <Card>
      <div className={styles['begin']}>
        <p>{t.rich('begin')}</p>
        <Button onClick={() => setMode('test')}>{t('begin.action')}</Button>
      </div>
    </Card>
  )
}

const shownRequests = 8
const idOf = (item: RequestsListItem) => item.requestId

function RecentRequests() {
  const api = useApi()
  const list = useCursorList<RequestsListItem>('newest requests', {}, (_cursor, signal) =>
    api.requests.list({ source: 'api,playground', limit: shownRequests }, { signal }),
  )
  useLiveTop({
    list,
    topic: 'requests',
    live: true,
    idOf,
    most: shownRequests,
    pick: message => (message.event === 'request' && message.data.source !== 'portal' ? message.data : undefined),
  })
  return (
    <Card
      title={t('newest')}
      flush
      actions={
        <ButtonLink to="/logs" size="sm">
          {t('newest.all')}
        </ButtonLink>
      }
    >
      {list.query.isPending ? (
        <LoadingRows label={t('newest.loading')} rows={3} />
      ) : list.query.error != null && list.items.length === 0 ? (
        <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />
      ) : list.items.length === 0 ? (
        <Quiet>{t('newest.none')}</Quiet>
      ) : (
        <ul className={styles['rows']} aria-label={t('newest')}>
          {list.items.slice(0, shownRequests).map(item => (
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
              <span className={`${styles['count']} ${styles['wide']}`}>{durationText(item.durationMs)}</span>
              <span className={styles['when']}>
                <Time iso={item.at} />
              </span>
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
    <Card
      title={t('errors')}
      flush
      actions={
        <ButtonLink to="/errors" size="sm">
          {t('errors.reference')}
        </ButtonLink>
      }
    >
      {query.isPending ? (
        <LoadingRows label={t('errors.loading')} rows={3} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.errors.length === 0 ? (
        <Quiet>{t('errors.none')}</Quiet>
      ) : (
        <ul className={styles['rows']} aria-label={t('errors.day')}>
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
  const name = endpointId === null ? t('errors.noEndpoint') : (endpointById(endpointId)?.name ?? endpointId)
  const search = {
    status: String(status),
    ...(problem === null ? {} : { problem }),
    ...(endpointId === null ? {} : { endpointId }),
  }
  const counted = { count: requests, name, status: String(status) }
  return (
    <li className={styles['row']}>
      <HttpStatus status={status} />
      <span className={styles['what']}>
        <span>{name}</span> {problem !== null && <CodeLink code={problem} />}
      </span>
      <TextLink
        to="/logs"
        search={search}
        className={styles['count']}
        aria-label={problem === null ? t('errors.row', counted) : t('errors.rowProblem', { ...counted, problem })}
      >
        {countText(requests)}
      </TextLink>
    </li>
  )
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className={styles['quiet']}>{children}</p>
}
