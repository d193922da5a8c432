// What happened to one resource: its events, newest first, as its timeline.
import type { TandemEvent } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import {
  Card,
  EmptyState,
  ErrorState,
  LoadingRows,
  TextLink,
  Timeline,
  type TimelineItem,
  toneOfState,
} from '../ui/index.ts'
import { useLiveResource } from './live_records.ts'
import { t } from './texts.ts'

/** An event in words; without it, its type stands there. @param before the event before it, where that is known */
export type Describe = (event: TandemEvent, before: TandemEvent | undefined) => Pick<TimelineItem, 'title' | 'detail'>

function itemOf(event: TandemEvent): TimelineItem {
  const data = (event.data ?? {}) as { status?: unknown; previousStatus?: unknown; state?: unknown }
  const now = data.status ?? data.state
  const moved = typeof data.previousStatus === 'string' && typeof now === 'string' && data.previousStatus !== now
  return {
    key: event.id,
    title: (
      <TextLink to="/events" search={{ resourceId: event.resourceId }}>
        {event.type}
      </TextLink>
    ),
    at: event.timestamp,
    tone: typeof now === 'string' ? toneOfState(now) : 'neutral',
    detail: moved ? t('moved', { from: String(data.previousStatus), to: String(now) }) : undefined,
  }
}

type ResourceEventsProps = { resourceId: string; noun: string; describe?: Describe }

/** The timeline of a resource, for those who may read events; it follows the stream. */
export function ResourceEvents({ resourceId, noun, describe }: ResourceEventsProps) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const allowed = permissions.has('events:read')
  const query = useQuery({
    queryKey: [mode, 'events of', noun, resourceId],
    queryFn: ({ signal }) => api.events.list({ resourceId, type: `${noun}.*`, limit: 50 }, { signal }),
    enabled: allowed,
  })
  useLiveResource(resourceId, [`${noun}.*`], () => void query.refetch())
  const events = query.data?.items ?? []
  return (
    <Card title={t('events')}>
      {!allowed ? (
        <p>{t('eventsRefused')}</p>
      ) : query.isPending ? (
        <LoadingRows label={t('loading')} rows={3} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : events.length === 0 ? (
        <EmptyState title={t('eventsNone')} text={t('eventsNoneText')} />
      ) : (
        <Timeline
          label={t('eventsOf')}
          items={events.map((event, at) => ({ ...itemOf(event), ...describe?.(event, events[at + 1]) }))}
        />
      )}
    </Card>
  )
}
