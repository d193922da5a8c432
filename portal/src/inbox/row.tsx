// One conversation of the list: who, what was said last and when, who has it, and how long they wait.
import { Link } from '@tanstack/react-router'
import {
  AtSign,
  Clock,
  Mail,
  MessageSquare,
  Phone,
  PhoneMissed,
  StickyNote,
  TriangleAlert,
  User,
  Voicemail,
} from 'lucide-react'
import { classes } from '../ui/index.ts'
import { Initials } from '../ui/initials.tsx'
import styles from './list.module.css'
import { t } from './texts.ts'
import type { Conversation } from './views.ts'
import { initialsOf, momentText, nameOf, shortTime, waitText } from './words.ts'

/** As the style sheet has it. */
export const conversationPx = 78

const icons = {
  text: MessageSquare,
  call: Phone,
  voicemail: Voicemail,
  mail: Mail,
  note: StickyNote,
  event: Clock,
} as const

export function Face({ name, isUnknown }: { name: string; isUnknown: boolean }) {
  const isNameless = isUnknown || initialsOf(name) === null
  return (
    <span className={styles['face']} data-unknown={isNameless || undefined} aria-hidden="true">
      {isNameless ? <User size={16} /> : <Initials name={name} />}
    </span>
  )
}

export type RowProps = {
  one: Conversation
  index: number
  isOpen: boolean
  isActive: boolean
  userId: number
  search: Readonly<Record<string, string | undefined>>
}

export function ConversationRow({ one, index, isOpen, isActive, userId, search }: RowProps) {
  const { conversationId: id, party, lastActivity, unread, assignee, presence, mentioned } = one
  const name = nameOf(one)
  const whose = assignee === null ? t('unassigned') : assignee.userId === userId ? t('you') : assignee.name
  const isMissed = lastActivity.kind === 'call' && /missed/i.test(lastActivity.preview)
  const Kind = isMissed ? PhoneMissed : icons[lastActivity.kind]
  const isOwn = lastActivity.direction === 'outbound' && lastActivity.kind === 'text'
  const preview = previewOf(lastActivity, isMissed)
  return (
    <li className={styles['item']} data-index={index}>
      <Link
        to={'/inbox/$id' as '/leads/$id'}
        params={{ id }}
        search={search}
        className={styles['row']}
        data-opens
        data-active={isActive || undefined}
        data-unread={unread || undefined}
        aria-current={isOpen ? 'true' : undefined}
      >
        <Face name={party.name} isUnknown={party.kind === 'unknown'} />
        <span className={styles['main']}>
          <span className={styles['line']}>
            <span className={styles['name']} dir="auto">
              {name}
            </span>
            <time className={styles['time']} dateTime={lastActivity.at}>
              {shortTime(lastActivity.at)}
            </time>
          </span>
          <span className={styles['line']}>
            <span className={classes(styles['preview'], isMissed && styles['missed'])}>
              <Kind size={13} aria-label={t(`kind.${lastActivity.kind}`)} role="img" />
              {lastActivity.sender === 'unverified' && (
                <TriangleAlert size={13} className={styles['missed']} aria-label={t('mail.unverified')} role="img" />
              )}
              <span dir="auto">{isOwn ? t('row.own', { preview }) : preview}</span>
            </span>
            {unread && (
              <span className={styles['dot']}>
                <span className="visually-hidden">{t('unread')}</span>
              </span>
            )}
          </span>
          <span className={styles['line']}>
            <span className={styles['whose']}>
              {presence[0] === undefined ? whose : t('row.here', { whose, name: presence[0].name })}
              {mentioned && <AtSign size={12} role="img" aria-label={t('row.mentions')} />}
            </span>
            <Standing one={one} />
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Calls are named by us, in the person's language; the rest begins as it was written. */
function previewOf({ kind, preview }: Conversation['lastActivity'], isMissed: boolean): string {
  if (isMissed) return t('call.missed')
  return kind === 'voicemail' ? t('call.voicemail') : preview
}

function Standing({ one: { state, waitingSince, snoozedUntil } }: { one: Conversation }) {
  if (state === 'snoozed' && snoozedUntil !== null)
    return <span className={styles['standing']}>{t('until', { time: momentText(snoozedUntil) })}</span>
  if (state === 'closed') return <span className={styles['standing']}>{t('closed')}</span>
  if (waitingSince === null) return null
  const isLong = Date.now() - Date.parse(waitingSince) > 4 * 3_600_000
  return (
    <span className={styles['standing']} data-waits={isLong ? 'long' : ''}>
      {t('waits', { time: waitText(waitingSince) })}
    </span>
  )
}
