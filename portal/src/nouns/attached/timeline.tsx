// The story of a record: what was written and said with its numbers, what was put on it and changed of it, newest first. It follows the
// stream: what concerns the numbers or the record is read again as it happens.
import type { TimelineEntry } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useGathered } from '../../data/gathered.ts'
import { useCursorList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { usePhone } from '../../softphone/store.ts'
import { Card, EmptyState, ErrorState, LoadingRows, LoadMore } from '../../ui/index.ts'
import { readyPart } from '../../ui/lazy_part.tsx'
import { listText } from '../../words/format.ts'
import { spoken } from '../described/spoken.ts'
import { methodsOf } from '../methods.ts'
import { type NounDescription, ownIdOf, recordIdOf } from '../noun.ts'
import { t } from './texts.ts'
import styles from './timeline.module.css'

const load = () => import('./timeline_item.tsx').then(module => module.TimelineItem)
const TimelineItem = readyPart(load)
// Fetched while the entries are; where that fails, it is tried again once they are there.
void load().catch(() => undefined)

const pageSize = 20
/** What happens within this time is read at once. */
const gatherMs = 200

export type RecordTimelineProps = {
  noun: NounDescription
  id: string
  /** What the record is called. */
  name: string
  /** Its numbers as they are now. */
  phones: readonly string[]
}

export function RecordTimeline({ noun: described, id, name, phones }: RecordTimelineProps) {
  const noun = spoken(described)
  const api = useApi()
  const cache = useQueryClient()
  const list = useCursorList<TimelineEntry>('timeline', { noun: noun.many, id, phones }, async (cursor, signal) => {
    const reply = await methodsOf(api, noun.many).timeline(
      { id: ownIdOf(noun, id), limit: pageSize, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    )
    const { nextCursor } = reply.pagination
    cache.setQueryData([...leftOutKey, noun.one, id], reply.left_out)
    return { items: reply.entries, nextCursor, hasMore: nextCursor !== null }
  })
  const calls = list.items.flatMap(entry => (entry.kind === 'call' ? entry.resource_id : []))
  useLiveStory({ one: noun.one, id, recordId: recordIdOf(noun, id), phones, calls }, () => void list.query.refetch())
  const left = cache.getQueryData<{ kind: string; permission: string }[]>([...leftOutKey, noun.one, id]) ?? []
  return (
    <Card title={t('timeline')}>
      {list.query.isPending ? (
        <LoadingRows label={t('timelineLoading')} rows={4} />
      ) : list.query.error != null && list.items.length === 0 ? (
        <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />
      ) : list.items.length === 0 ? (
        <EmptyState title={t('timelineNone')} text={t('timelineNoneText')} />
      ) : (
        <>
          <ol className={styles['story']} aria-label={t('timelineOf', { one: noun.words.one })}>
            {list.items.map(entry => (
              <TimelineItem key={entry.id} entry={entry} noun={noun} name={name} hasNumbers={phones.length > 1} />
            ))}
          </ol>
          {(list.hasMore || list.items.length > pageSize) && (
            <div className={styles['foot']}>
              <LoadMore
                shown={list.items.length}
                hasMore={list.hasMore}
                busy={list.loadingMore}
                onMore={list.loadMore}
              />
            </div>
          )}
        </>
      )}
      {left.length > 0 && (
        <p className={styles['left']}>
          {t('left', { kinds: listText(left.map(({ kind }) => t.of('kinds', kind) ?? kind)) })}
        </p>
      )}
    </Card>
  )
}

const leftOutKey = ['left out of a timeline'] as const

/** The record, its numbers as they are now, and the calls that are shown, to which recordings come. */
type Story = { one: string; id: string; recordId: string; phones: readonly string[]; calls: readonly string[] }

/** How often anyone who hears no events looks again, while they have the page before them. */
const lookMs = 15_000

const storied = ['note.*', 'task.*', 'attachment.*', 'mail.*', 'recording.*', 'message.*', 'call.*'] as const

/**
 * Calls `onChange` soon after something happened to the record, or was exchanged with its numbers. Who may not hear of events looks from
 * time to time, and whenever a call of their own has ended.
 */
function useLiveStory(story: Story, onChange: () => void): void {
  const { permissions } = useSession()
  const hears = permissions.has('events:read')
  const changed = useGathered(onChange, gatherMs)
  const latest = useRef(onChange)
  latest.current = onChange
  useLive(
    [{ events: [`${story.one}.*`, ...storied], numbers: story.phones }],
    message => {
      if (message.event === 'gap' || (message.event === 'event' && concerns(message.data, story))) changed()
    },
    hears,
  )
  const { call } = usePhone()
  const isOnCall = call !== undefined
  useEffect(() => {
    if (hears) return undefined
    // A call is known when it begins, and its end a moment after it.
    const soon = setTimeout(() => latest.current(), isOnCall ? 500 : 1_000)
    const look = setInterval(() => document.visibilityState === 'visible' && latest.current(), lookMs)
    return () => {
      clearTimeout(soon)
      clearInterval(look)
    }
  }, [hears, isOnCall])
}

function concerns(
  event: { type: string; resourceId: string; data: unknown },
  { one, id, recordId, calls }: Story,
): boolean {
  const data = (event.data ?? {}) as Readonly<Record<string, unknown>>
  if (event.type.startsWith(`${one}.`)) return event.resourceId === id
  if (/^(note|task|attachment)\./.test(event.type)) return data['record_id'] === recordId
  if (event.type.startsWith('mail.')) return data['recordId'] === recordId
  if (event.type.startsWith('recording.')) return calls.includes(String(data['callId']))
  // Texts and calls: only those of the numbers are asked for.
  return true
}
