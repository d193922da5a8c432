// The story of a record: what was written and said with its numbers, what was put on it and changed of it, newest first. It follows the
// stream: what concerns the numbers or the record is read again as it happens.
import type { TimelineEntry } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useCursorList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import { Quoted } from '../../mails/quoted.tsx'
import { readyPart } from '../../navigation/lazy_screen.tsx'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
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
} from '../../ui/index.ts'
import { methodsOf } from '../methods.ts'
import { fieldNamed, type NounDescription, ownIdOf, recordIdOf, upper } from '../noun.ts'
import { UserName } from '../user_name.tsx'
import { FieldValue } from '../values.tsx'
import styles from './timeline.module.css'

// Most timelines have no recording.
const RecordingSound = readyPart(() =>
  import('../../recordings/recording_sound.tsx').then(module => module.RecordingSound),
)

const pageSize = 20
/** What happens within this time is read at once. */
const gatherMs = 200

const kinds: Record<string, string> = {
  message: 'messages',
  call: 'calls',
  recording: 'recordings',
  mail: 'mails',
  note: 'notes',
  task: 'tasks',
  attachment: 'files',
}

export type RecordTimelineProps = {
  noun: NounDescription
  id: string
  /** Its numbers as they are now. */
  phones: readonly string[]
}

export function RecordTimeline({ noun, id, phones }: RecordTimelineProps) {
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
    <Card title="Timeline">
      {list.query.isPending ? (
        <LoadingRows label="Loading the timeline" rows={4} />
      ) : list.query.error != null && list.items.length === 0 ? (
        <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />
      ) : list.items.length === 0 ? (
        <EmptyState
          title="Nothing yet"
          text={`Texts, calls, notes and changes of this ${noun.words.one} appear here.`}
        />
      ) : (
        <>
          <Timeline
            label={`Timeline of this ${noun.words.one}, newest first`}
            items={list.items.map(entry => itemOf(entry, noun))}
          />
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

const leftOutKey = ['left out of a timeline'] as const

/** The record, its numbers as they are now, and the calls that are shown, to which recordings come. */
type Story = { one: string; id: string; recordId: string; phones: readonly string[]; calls: readonly string[] }

/** Calls `onChange` soon after something happened to the record, or was exchanged with its numbers. */
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

function concerns(
  event: { type: string; resourceId: string; data: unknown },
  { one, id, recordId, phones, calls }: Story,
): boolean {
  const data = (event.data ?? {}) as Readonly<Record<string, unknown>>
  if (event.type.startsWith(`${one}.`)) return event.resourceId === id
  if (/^(note|task|attachment)\./.test(event.type)) return data['record_id'] === recordId
  if (event.type.startsWith('mail.')) return data['recordId'] === recordId
  if (event.type.startsWith('recording.')) return calls.includes(String(data['callId']))
  return (
    /^(message|call)\./.test(event.type) &&
    (phones.includes(String(data['from'])) || phones.includes(String(data['to'])))
  )
}

function itemOf(entry: TimelineEntry, noun: NounDescription): TimelineItem {
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
      ) : kind === 'mail' ? (
        <TextLink to={resourceId.startsWith('inm_') ? '/mail-inbox/$id' : '/mails/$id'} params={{ id: resourceId }}>
          {title}
        </TextLink>
      ) : (
        title
      ),
    at,
    tone: (kind !== 'message' && kind !== 'call') || status === null ? 'neutral' : toneOfState(status),
    detail: <Detail entry={entry} noun={noun} />,
  }
}

function Detail({ entry, noun }: { entry: TimelineEntry; noun: NounDescription }) {
  const { kind, body, quoted, status, duration_seconds: seconds, changes, recordings, user_id: userId } = entry
  return (
    <>
      {userId !== null && (
        <p className={styles['left']}>
          <UserName id={userId} />
        </p>
      )}
      {kind === 'message' && <p className={styles['said']}>{body ?? <em>The text was taken away.</em>}</p>}
      {kind !== 'message' && body !== null && <p className={styles['said']}>{body}</p>}
      {quoted !== null && <Quoted text={quoted} />}
      {changes.map(({ field, from, to }) => (
        <p key={field} className={styles['said']}>
          {`${fieldNamed(noun, field)?.label ?? nameOf(field)}: `}
          <Value noun={noun} name={field} text={from} /> → <Value noun={noun} name={field} text={to} />
        </p>
      ))}
      {(kind === 'message' || kind === 'call' || kind === 'task' || isTelling(entry)) && status !== null && (
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

/** Of a mail that was sent where it is; of one that came in only what one must know before believing it. */
const isTelling = ({ kind, direction, status }: TimelineEntry) =>
  kind === 'mail' && (direction === 'outbound' ? status !== 'unknown' : status === 'unverified')

/** The kinds that a text does not say: who is named by a number, and what has parts. */
const drawn = ['user', 'ref', 'refs', 'money', 'emails', 'phones', 'addresses']

function Value({ noun, name, text }: { noun: NounDescription; name: string; text: string | null }) {
  const field = fieldNamed(noun, name)
  if (text === null) return 'empty'
  if (field === undefined || !drawn.includes(field.kind)) return text
  const isText = field.kind === 'user' || field.kind === 'ref'
  return <FieldValue field={field} value={isText ? text : JSON.parse(text)} compact />
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
  return upper(field.replace(/_id$/, '').replaceAll('_', ' '))
}
