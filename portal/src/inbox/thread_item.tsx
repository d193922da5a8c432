// What a thread is made of: bubbles for texts, cards for mails and calls, notes that only colleagues see, and lines for what was done.
import { PhoneIncoming, PhoneMissed, PhoneOutgoing, TriangleAlert, Voicemail } from 'lucide-react'
import { Quoted } from '../mails/quoted.tsx'
import { useSession } from '../session/session.ts'
import { spokenNumber } from '../sms_simulator/numbers.ts'
import { Chip, CodeLink, TextLink } from '../ui/index.ts'
import { lazyPart, readyPart } from '../ui/lazy_part.tsx'
import { eventText } from './event_text.ts'
import { Note } from './note.tsx'
import { t } from './texts.ts'
import styles from './thread.module.css'
import type { Item, One } from './views.ts'
import { isFailure, lengthText, nameOf, statusText, timeText } from './words.ts'

const CallBack = readyPart(() => import('../home/call_back.tsx').then(module => module.CallBack))

const RecordingSound = lazyPart(() => import('../recordings/recording_sound.tsx').then(module => module.RecordingSound))

type ItemProps = { item: Item; one: One }

export function ThreadItem({ item, before, one }: ItemProps & { before: Item | undefined }) {
  if (item.kind === 'event')
    return <p className={styles['event']}>{t('event.line', { what: eventText(item), time: timeText(item.at) })}</p>
  if (item.kind === 'note') return <Note item={item} />
  const isMine = item.direction === 'outbound'
  const isRun = before?.kind === item.kind && before.direction === item.direction && item.kind === 'text'
  return (
    <div className={styles['row']} data-mine={isMine || undefined} data-run={isRun || undefined}>
      {item.kind === 'text' ? (
        <Bubble item={item} isMine={isMine} />
      ) : item.kind === 'mail' ? (
        <Mail item={item} />
      ) : (
        <Call item={item} one={one} />
      )}
      <Below item={item} isMine={isMine} />
    </div>
  )
}

function Bubble({ item: { body }, isMine }: { item: Item; isMine: boolean }) {
  return (
    <p className={styles['bubble']} dir="auto">
      <span className="visually-hidden">{isMine ? t('bubble.ours') : t('bubble.theirs')} </span>
      {body ?? <em>{t('redacted')}</em>}
    </p>
  )
}

function Below({ item: { at, author, status, code, kind }, isMine }: { item: Item; isMine: boolean }) {
  const shown = isMine && kind !== 'call' && kind !== 'voicemail' ? status : null
  return (
    <small className={styles['below']} data-failed={isFailure(shown) || undefined}>
      {isFailure(shown) && <TriangleAlert size={12} aria-hidden="true" />}
      {author !== null && <span dir="auto">{author.name}</span>}
      <time dateTime={at}>{timeText(at)}</time>
      {shown !== null && <span>{statusText(shown)}</span>}
      {shown !== null && code !== null && <CodeLink code={code} />}
    </small>
  )
}

function Mail({ item }: { item: Item }) {
  const { permissions } = useSession()
  const { itemId, subject, body, quoted, direction, from, to, status } = item
  const address = itemId.startsWith('inm_') ? `/mail-inbox/${itemId}` : `/mails/${itemId}`
  return (
    <article className={styles['mail']}>
      <header>
        <strong dir="auto">{subject === null || subject === '' ? t('mail.none') : subject}</strong>
        {direction === 'inbound' && status === 'unverified' && <Chip tone="warn">{t('mail.unverified')}</Chip>}
        <span className={styles['faint']}>
          {direction === 'inbound' ? t('mail.from', { address: from ?? '' }) : t('mail.to', { address: to ?? '' })}
        </span>
      </header>
      <p className={styles['words']} dir="auto">
        {body}
      </p>
      <Quoted text={quoted} />
      {permissions.has('mail:read') && /^(inm|mail)_/.test(itemId) && (
        <TextLink to={address as '/mails'} className={styles['whole']}>
          {t('mail.whole')}
        </TextLink>
      )}
    </article>
  )
}

function Call({ item, one }: ItemProps) {
  const { permissions } = useSession()
  const { kind, missed, direction, durationSeconds, from, to, recordings } = item
  const isInbound = direction === 'inbound'
  const Icon = kind === 'voicemail' ? Voicemail : missed ? PhoneMissed : isInbound ? PhoneIncoming : PhoneOutgoing
  const name = t(`call.${kind === 'voicemail' ? 'voicemail' : missed ? 'missed' : isInbound ? 'in' : 'out'}`)
  const heard = recordings.filter(({ state }) => state === 'available')
  const number = isInbound ? from : to
  const duration = durationSeconds ?? 0
  return (
    <div className={styles['call']} data-missed={missed || undefined}>
      <div className={styles['callLine']}>
        <Icon size={16} aria-hidden="true" />
        <strong>{name}</strong>
        {duration > 0 && <span className={styles['faint']}>{lengthText(duration)}</span>}
        {number !== null && <span className={styles['faint']}>{spokenNumber(number)}</span>}
        {isInbound && (missed || kind === 'voicemail') && number !== null && (
          <CallBack to={number} name={nameOf(one)} party={one.party} />
        )}
      </div>
      {permissions.has('recordings:read') &&
        heard.map(({ recordingId }) => <RecordingSound key={recordingId} recordingId={recordingId} />)}
    </div>
  )
}
