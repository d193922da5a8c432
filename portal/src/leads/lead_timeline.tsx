// The story of a lead: what was written and said with its number, and what happened to it, newest first. It follows the
// stream: what concerns the number or the lead is read again as it happens.
import type { TimelineEntry } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useApi } from '../app/api.ts'
import { useCursorList } from '../app/lists.ts'
import { useLive } from '../app/live.ts'
import { RecordingSound } from '../app/recording_sound.tsx'
import { useSession } from '../app/session.ts'
import {
  Card,
  CodeLink,
  durationText,
  EmptyState,
  ErrorState,
  LoadingRows,
  LoadMore,
  StatusChip,
  TextLink,
  Timeline,
  type TimelineItem,
  toneOfState,
} from '../ui/index.ts'
import styles from './leads.module.css'

const pageSize = 20
/** What happens within this time is read at once. */
const gatherMs = 200

const kinds: Record<string, string> = { message: 'messages', call: 'calls', recording: 'recordings' }

/** The time line of a lead. @param phone its number as it is now */
export function LeadTimeline({ id, phone }: { id: number; phone: string | null }) {
  const api = useApi()
  const cache = useQueryClient()
  const list = useCursorList<TimelineEntry>('time line', { id, phone }, async (cursor, signal) => {
    const reply = await api.leads.timeline(
      { id, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    )
    const { nextCursor } = reply.pagination
    cache.setQueryData([...leftOutKey, id], reply.left_out)
    return { items: reply.entries, nextCursor, hasMore: nextCursor !== null }
  })
  const calls = list.items.flatMap(entry => (entry.kind === 'call' ? entry.resource_id : []))
  useLiveStory({ id, phone, calls }, () => void list.query.refetch())
  const left = cache.getQueryData<{ kind: string; permission: string }[]>([...leftOutKey, id]) ?? []
  return (
    <Card title="Time line">
      {list.query.isPending ? (
        <LoadingRows label="Loading the time line" rows={4} />
      ) : list.query.error != null && list.items.length === 0 ? (
        <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />
      ) : list.items.length === 0 ? (
        <EmptyState title="Nothing yet" text="Texts, calls and changes of this lead appear here." />
      ) : (
        <>
          <Timeline label="Time line of this lead, newest first" items={list.items.map(itemOf)} />
          <div className={styles['foot']}>
            <LoadMore
              shown={list.items.length}
              noun={list.items.length === 1 ? 'entry' : 'entries'}
              hasMore={list.hasMore}
              busy={list.loadingMore}
              onMore={list.loadMore}
            />
          </div>
        </>
      )}
      {left.map(({ kind, permission }) => (
        <p key={kind} className={styles['left']}>
          {`Its ${kinds[kind] ?? kind} are left out: your role does not hold ${permission}.`}
        </p>
      ))}
    </Card>
  )
}

const leftOutKey = ['left out of a time line'] as const

/** The lead, its number as it is now, and the calls that are shown, to which recordings come. */
type Story = { id: number; phone: string | null; calls: readonly string[] }

/** Calls `onChange` soon after something happened to the lead, or was exchanged with its number. */
function useLiveStory(story: Story, onChange: () => void): void {
  const { permissions } = useSession()
  const latest = useRef({ story, onChange })
  latest.current = { story, onChange }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLive(
    ['events'],
    message => {
      if (message.event !== 'gap' && !(message.event === 'event' && concerns(message.data, latest.current.story)))
        return
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        latest.current.onChange()
      }, gatherMs)
    },
    permissions.has('events:read'),
  )
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}

function concerns(event: { type: string; resourceId: string; data: unknown }, { id, phone, calls }: Story): boolean {
  if (event.type.startsWith('lead.')) return event.resourceId === String(id)
  if (event.type.startsWith('recording.')) {
    const { callId } = (event.data ?? {}) as { callId?: unknown }
    return typeof callId === 'string' && calls.includes(callId)
  }
  if (phone === null || !/^(message|call)\./.test(event.type)) return false
  const { from, to } = (event.data ?? {}) as { from?: unknown; to?: unknown }
  return from === phone || to === phone
}

function itemOf(entry: TimelineEntry): TimelineItem {
  const { id, kind, title, at, status, resource_id: resourceId } = entry
  return {
    key: id,
    title:
      kind === 'message' ? (
        <TextLink to="/messages/$id" params={{ id: resourceId }}>
          {title}
        </TextLink>
      ) : kind === 'call' ? (
        <TextLink to="/calls/$id" params={{ id: resourceId }}>
          {title}
        </TextLink>
      ) : (
        title
      ),
    at,
    tone: kind === 'lead_event' || status === null ? 'neutral' : toneOfState(status),
    detail: <Detail entry={entry} />,
  }
}

function Detail({ entry }: { entry: TimelineEntry }) {
  const { kind, body, status, duration_seconds: seconds, changes, recordings } = entry
  return (
    <>
      {kind === 'message' && <p className={styles['said']}>{body ?? <em>The text was taken away.</em>}</p>}
      {kind === 'lead_event' && body !== null && <p className={styles['said']}>{body}</p>}
      {changes.map(({ field, from, to }) => (
        <p key={field} className={styles['said']}>
          {`${nameOf(field)}: ${from ?? 'empty'} → ${to ?? 'empty'}`}
        </p>
      ))}
      {kind !== 'lead_event' && status !== null && (
        <span>
          <StatusChip status={status} />
          {seconds !== null && ` ${durationText(seconds * 1_000)}`}
        </span>
      )}
      {recordings.map(recording => (
        <RecordingOfCall key={recording.recording_id} recording={recording} />
      ))}
    </>
  )
}

function RecordingOfCall({ recording }: { recording: TimelineEntry['recordings'][number] }) {
  const { recording_id: recordingId, state, duration_seconds: seconds, code } = recording
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div role="group" aria-label="Recording of this call" className={styles['recording']}>
      <p className={styles['said']}>
        {'Recording '}
        <StatusChip status={state} />
        {seconds !== null && ` ${durationText(seconds * 1_000)} `}
        {code !== null && <CodeLink code={code} />}
      </p>
      {state === 'available' && <RecordingSound recordingId={recordingId} />}
    </div>
  )
}

/** `owner_id` → `Owner` */
function nameOf(field: string): string {
  const words = field.replace(/_id$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
