// One entry of the story of a record: what happened, who did it and when; of what was written its words, of a call how it went.
import type { TimelineEntry } from '@tandem/sdk'
import {
  CheckSquare,
  History,
  type LucideIcon,
  Mail,
  MessageSquare,
  NotebookPen,
  Paperclip,
  PhoneIncoming,
  PhoneMissed,
  PhoneOutgoing,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Quoted } from '../../mails/quoted.tsx'
import { outcomeText } from '../../softphone/outcomes.ts'
import { durationText } from '../../softphone/words.ts'
import { CodeLink, StatusChip, stateText, TextLink, Time, toneOfState } from '../../ui/index.ts'
import { readyPart } from '../../ui/lazy_part.tsx'
import { listText } from '../../words/format.ts'
import { fieldNamed, type NounDescription, upper, within } from '../noun.ts'
import { t as tNouns } from '../texts.ts'
import { UserName } from '../user_name.tsx'
import { FieldValue } from '../values.tsx'
import { t } from './texts.ts'
import styles from './timeline.module.css'

// Most timelines have no recording.
const RecordingSound = readyPart(() =>
  import('../../recordings/recording_sound.tsx').then(module => module.RecordingSound),
)

export type TimelineItemProps = {
  entry: TimelineEntry
  noun: NounDescription
  /** What the record is called. */
  name: string
  /** Whether it has several numbers, so that each says with which it was. */
  hasNumbers: boolean
}

export function TimelineItem({ entry, noun, name, hasNumbers }: TimelineItemProps) {
  const Icon = iconOf(entry)
  const { kind, direction, at, user_id: userId } = entry
  return (
    <li data-kind={kind} data-direction={direction ?? undefined}>
      <span className={styles['icon']} data-tone={toneOf(entry)} aria-hidden="true">
        <Icon size={14} />
      </span>
      <div className={styles['head']}>
        <span className={styles['title']} dir="auto">
          <Title entry={entry} noun={noun} name={name} />
        </span>
        {userId !== null && (
          <span className={styles['by']}>
            <UserName id={userId} />
          </span>
        )}
        <span className={styles['when']}>
          <Time iso={at} />
        </span>
      </div>
      <div className={styles['body']}>
        <Detail entry={entry} noun={noun} hasNumbers={hasNumbers} />
      </div>
    </li>
  )
}

const icons: Partial<Record<TimelineEntry['kind'], LucideIcon>> = {
  message: MessageSquare,
  mail: Mail,
  note: NotebookPen,
  task: CheckSquare,
  attachment: Paperclip,
}

function iconOf({ kind, direction, status }: TimelineEntry): LucideIcon {
  if (kind !== 'call') return icons[kind] ?? History
  if (status !== null && missed.includes(status) && direction === 'inbound') return PhoneMissed
  return direction === 'inbound' ? PhoneIncoming : PhoneOutgoing
}

const missed = ['no_answer', 'canceled', 'rejected', 'busy', 'failed']

/** What needs an eye has its colour; what went as it should has none. */
function toneOf({ kind, status }: TimelineEntry): string | undefined {
  if ((kind !== 'message' && kind !== 'call') || status === null) return undefined
  const tone = toneOfState(status)
  return tone === 'bad' || tone === 'warn' ? tone : undefined
}

/** What is exchanged is with the person of the page: their number stands in the detail of each. */
function Title({ entry, noun, name }: Omit<TimelineItemProps, 'hasNumbers'>) {
  const { kind, subject, direction, from, to, resource_id: id } = entry
  if (kind === 'message')
    return (
      <TextLink to="/messages/$id" params={{ id }}>
        {t(direction === 'inbound' ? 'textFrom' : 'textTo', { name })}
      </TextLink>
    )
  if (kind === 'call')
    return (
      <TextLink to="/calls/$id" params={{ id }}>
        {t(direction === 'inbound' ? 'callFrom' : 'callTo', { name })}
      </TextLink>
    )
  if (kind === 'mail')
    return (
      <TextLink to={id.startsWith('inm_') ? '/mail-inbox/$id' : '/mails/$id'} params={{ id }}>
        {t(direction === 'inbound' ? 'mailFrom' : 'mailToNamed', {
          address: (direction === 'inbound' ? from : to) ?? t('mailNobody'),
          subject: subject ?? t('mailNoSubject'),
        })}
      </TextLink>
    )
  if (kind === 'note') return t('note')
  if (kind === 'task' || kind === 'attachment') return t(`titled.${kind}`, { title: subject ?? '' })
  return <ChangeTitle entry={entry} noun={noun} />
}

type ChangeKind = NonNullable<TimelineEntry['change_kind']>

function ChangeTitle({ entry, noun }: { entry: TimelineEntry; noun: NounDescription }): ReactNode {
  const { change_kind: kind, subject, changes, title } = entry
  const fields = listText(changes.map(({ field }) => within(labelOf(noun, field))))
  const [first] = changes
  const titles: Record<ChangeKind, () => ReactNode> = {
    created: () => t('change.created', { one: upper(noun.words.one) }),
    trashed: () => t('change.trashed'),
    restored: () => t('change.restored'),
    merged: () => t('change.merged', { names: subject ?? '' }),
    changed_by_merge: () => t('change.changedByMerge', { fields }),
    owner_left: () => t('change.ownerLeft', { fields }),
    reference_removed: () => t('change.referenceRemoved', { fields }),
    moved: () => <Moved noun={noun} changes={changes} otherwise={title} />,
    owner_changed: () =>
      t(first?.to === null ? 'change.taken' : 'change.given', { field: labelOf(noun, first?.field ?? '') }),
    changed: () => t('change.changed', { fields }),
  }
  // A server that is newer than this page knows more.
  return (kind !== null && titles[kind]?.()) || title
}

type MovedProps = { noun: NounDescription; changes: readonly Change[]; otherwise: string }
function Moved({ noun, changes, otherwise }: MovedProps): ReactNode {
  const moved = changes.find(change => fieldNamed(noun, change.field)?.kind === 'state')
  if (moved === undefined) return otherwise
  const { field, from, to } = moved
  return t.rich('change.moved', {
    field: labelOf(noun, field),
    from: () => <Value noun={noun} name={field} text={from} />,
    to: () => <Value noun={noun} name={field} text={to} />,
  })
}

function Detail({ entry, noun, hasNumbers }: Omit<TimelineItemProps, 'name'>) {
  const { kind, body, quoted, changes, recordings } = entry
  return (
    <>
      {kind === 'message' && (
        <p className={styles['bubble']} dir="auto">
          {body ?? <em>{t('textGone')}</em>}
        </p>
      )}
      {kind !== 'message' && body !== null && (
        <p className={kind === 'change' ? styles['said'] : styles['bubble']} dir="auto">
          {body}
        </p>
      )}
      {quoted !== null && <Quoted text={quoted} />}
      {changes
        .filter(change => isNews(change, entry, noun))
        .map(({ field, from, to }) => (
          <p key={field} className={styles['said']}>
            {`${labelOf(noun, field)}: `}
            <Value noun={noun} name={field} text={from} /> → <Value noun={noun} name={field} text={to} />
          </p>
        ))}
      <How entry={entry} hasNumbers={hasNumbers} />
      {recordings.map(recording => (
        <RecordingOfCall key={recording.recording_id} recording={recording} />
      ))}
    </>
  )
}

type Change = TimelineEntry['changes'][number]

/** Whether a change is more than its title says: that names where a record stands, and what follows from that by itself is no news. */
function isNews({ field: name, to }: Change, { status, body }: TimelineEntry, noun: NounDescription): boolean {
  const field = fieldNamed(noun, name)
  if (field?.kind === 'state' && status === to) return false
  if (body !== null && body === to) return false
  return !(field?.kind === 'moment' && field.fixed === true)
}

/** How it went, in words where all is well, as a chip where it is not, or not over. */
function How({ entry, hasNumbers }: { entry: TimelineEntry; hasNumbers: boolean }): ReactNode {
  const { kind, status, from, to, direction, duration_seconds: seconds, outcome } = entry
  const isShown = kind === 'message' || kind === 'call' || kind === 'task' || isTelling(entry)
  if (!isShown || status === null) return null
  const number = hasNumbers && (kind === 'message' || kind === 'call') ? (direction === 'inbound' ? from : to) : null
  return (
    <p className={styles['how']}>
      {outcome !== null && <strong>{outcomeText(outcome)}</strong>}
      {isSettled.includes(status) ? <span>{upper(stateText(status))}</span> : <StatusChip status={status} />}
      {seconds !== null && <span>{durationText(seconds * 1_000)}</span>}
      {number !== null && <span>{number}</span>}
    </p>
  )
}

/** Where nothing is to be done, nothing calls for attention. */
const isSettled = ['delivered', 'received', 'completed', 'sent', 'done']

/** Of a mail that was sent where it is; of one that came in only what one must know before believing it. */
const isTelling = ({ kind, direction, status }: TimelineEntry) =>
  kind === 'mail' && (direction === 'outbound' ? status !== 'unknown' : status === 'unverified')

/** The kinds that a text does not say: who is named by a number, and what has parts. */
const drawn = ['user', 'ref', 'refs', 'money', 'emails', 'phones', 'addresses']

function Value({ noun, name, text }: { noun: NounDescription; name: string; text: string | null }) {
  const field = fieldNamed(noun, name)
  if (text === null) return tNouns('empty')
  if (field === undefined || !drawn.includes(field.kind)) return <bdi>{field?.texts?.[text] ?? text}</bdi>
  const isText = field.kind === 'user' || field.kind === 'ref'
  return <FieldValue field={field} value={isText ? text : JSON.parse(text)} compact />
}

function RecordingOfCall({ recording }: { recording: TimelineEntry['recordings'][number] }) {
  const { recording_id: recordingId, state, duration_seconds: seconds, code } = recording
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div role="group" aria-label={t('recordingOf')} className={styles['recording']}>
      <p className={styles['said']}>
        {`${t('recording')} `}
        {state !== 'available' && <StatusChip status={state} />}
        {seconds !== null && ` ${durationText(seconds * 1_000)} `}
        {code !== null && <CodeLink code={code} />}
      </p>
      {state === 'available' && <RecordingSound recordingId={recordingId} />}
    </div>
  )
}

/** What a field is called; one that the noun has no more by its name: `owner_id` → `Owner`. */
function labelOf(noun: NounDescription, field: string): string {
  return fieldNamed(noun, field)?.label ?? upper(field.replace(/_id$/, '').replaceAll('_', ' '))
}
