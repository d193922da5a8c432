// What happened to one resource: its events, newest first, as its time line.
import type { TandemEvent } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
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
import { useApi } from './api.ts'
import { useLiveResource } from './live_records.ts'
import { useSession } from './session.ts'

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
    detail: moved ? `${data.previousStatus} to ${now}` : undefined,
  }
}

/** The time line of a resource, for those who may read events; it follows the stream. */
export function ResourceEvents({ resourceId, noun }: { resourceId: string; noun: string }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const allowed = permissions.has('events:read')
  const query = useQuery({
    queryKey: [mode, 'events of', noun, resourceId],
    queryFn: ({ signal }) => api.events.list({ resourceId, type: `${noun}.*`, limit: 50 }, { signal }),
    enabled: allowed,
  })
  useLiveResource(resourceId, () => void query.refetch())
  const events = query.data?.items ?? []
  return (
    <Card title="What happened">
      {!allowed ? (
        <p>Your role does not hold events:read, which this needs.</p>
      ) : query.isPending ? (
        <LoadingRows label="Loading the events" rows={3} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : events.length === 0 ? (
        <EmptyState title="No events" text={`Nothing has happened to this ${noun} since events are kept.`} />
      ) : (
        <Timeline label={`Events of this ${noun}, newest first`} items={events.map(itemOf)} />
      )}
    </Card>
  )
}
