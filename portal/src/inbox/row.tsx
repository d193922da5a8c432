// One conversation of the list: who, what was said last and when, who has it, and how long they wait.
import { Link } from '@tanstack/react-router'
import { AtSign, Clock, Mail, MessageSquare, Phone, PhoneMissed, StickyNote, User, Voicemail } from 'lucide-react'
import { classes } from '../ui/index.ts'
import styles from './list.module.css'
import type { Conversation } from './views.ts'
import { initialsOf, momentText, nameOf, shortTime, waitText } from './words.ts'

/** As the style sheet has it. */
export const conversationPx = 78

const kinds = {
  text: { icon: MessageSquare, name: 'Text' },
  call: { icon: Phone, name: 'Call' },
  voicemail: { icon: Voicemail, name: 'Voicemail' },
  mail: { icon: Mail, name: 'Mail' },
  note: { icon: StickyNote, name: 'Note' },
  event: { icon: Clock, name: 'Change' },
} as const

export function Face({ name, isUnknown }: { name: string; isUnknown: boolean }) {
  const initials = isUnknown ? null : initialsOf(name)
  return (
    <span className={styles['face']} data-unknown={isUnknown || undefined} aria-hidden="true">
      {initials ?? <User size={16} />}
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
  const isMissed = lastActivity.kind === 'call' && /missed/i.test(lastActivity.preview)
  const Kind = isMissed ? PhoneMissed : kinds[lastActivity.kind].icon
  const own = lastActivity.direction === 'outbound' && lastActivity.kind === 'text' ? 'You: ' : ''
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
              <Kind size={13} aria-label={kinds[lastActivity.kind].name} role="img" />
              <span dir="auto">{`${own}${lastActivity.preview}`}</span>
            </span>
            {unread && (
              <span className={styles['dot']}>
                <span className="visually-hidden">Unread</span>
              </span>
            )}
          </span>
          <span className={styles['line']}>
            <span className={styles['whose']}>
              {assignee === null ? 'Unassigned' : assignee.userId === userId ? 'You' : assignee.name}
              {presence[0] !== undefined && `, ${presence[0].name} is here`}
              {mentioned && <AtSign size={12} role="img" aria-label="Mentions you" />}
            </span>
            <Standing one={one} />
          </span>
        </span>
      </Link>
    </li>
  )
}

function Standing({ one: { state, waitingSince, snoozedUntil } }: { one: Conversation }) {
  if (state === 'snoozed' && snoozedUntil !== null)
    return <span className={styles['standing']}>{`until ${momentText(snoozedUntil)}`}</span>
  if (state === 'closed') return <span className={styles['standing']}>Closed</span>
  if (waitingSince === null) return null
  const isLong = Date.now() - Date.parse(waitingSince) > 4 * 3_600_000
  return (
    <span className={styles['standing']} data-waits={isLong ? 'long' : ''}>
      {`waits ${waitText(waitingSince)}`}
    </span>
  )
}
