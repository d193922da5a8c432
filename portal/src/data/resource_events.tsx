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
    detail: moved ? `${data.previousStatus} to ${now}` : undefined,
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
  useLiveResource(resourceId, () => void query.refetch())
  const events = query.data?.items ?? []
  const word = noun.replaceAll('_', ' ')
  return (
    <Card title="What happened">
      {!allowed ? (
        <p>Your role does not hold events:read, which this needs.</p>
      ) : query.isPending ? (
        <LoadingRows label="Loading the events" rows={3} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : events.length === 0 ? (
        <EmptyState title="No events" text={`Nothing has happened to this ${word} since events are kept.`} />
      ) : (
        <Timeline
          label={`Events of this ${word}, newest first`}
          items={events.map((event, at) => ({ ...itemOf(event), ...describe?.(event, events[at + 1]) }))}
        />
      )}
    </Card>
  )
}
