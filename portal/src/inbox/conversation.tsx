// One conversation: who it is with and what can be done with it, the thread, and the answer. Beside it the person.
import { isTandemError } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Check, ChevronLeft, Clock, Info, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useListKeys } from '../navigation/shortcuts.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Chip, Drawer, EmptyState, ErrorState, IconButton, LoadingRows, useDocumentTitle } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import { Composer, type ComposerProps } from './composer.tsx'
import styles from './conversation.module.css'
import { PersonLink } from './person_link.tsx'
import { presenceText, usePresence } from './presence.ts'
import { t } from './texts.ts'
import { Thread } from './thread.tsx'
import { type Changes, useChanges } from './use_changes.ts'
import { conversationKey } from './use_inbox.ts'
import { useThread } from './use_thread.ts'
import type { One } from './views.ts'
import { momentText, nameOf, waitText } from './words.ts'

const PersonPanel = readyPart(() => import('./person_panel.tsx').then(module => module.PersonPanel))
const SnoozeDialog = readyPart(() => import('./snooze_dialog.tsx').then(module => module.SnoozeDialog))

type Search = Readonly<Record<string, string | undefined>>

export function ConversationPage({ id, search }: { id: string; search: Search }) {
  const api = useApi()
  const { mode } = useSession()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: conversationKey(mode, id),
    queryFn: ({ signal }) => api.conversations.get({ conversationId: id }, { signal }),
  })
  const now = query.data?.conversationId ?? id
  // It became part of another one.
  useEffect(() => {
    if (now === id) return
    void navigate({ to: '/inbox/$id' as '/leads/$id', params: { id: now }, search, replace: true })
  }, [now, id, navigate, search])
  if (query.data !== undefined)
    return <Opened key={now} one={query.data} former={now === id ? undefined : id} search={search} />
  const isGone = isTandemError(query.error) && query.error.status === 404
  return (
    <section className={styles['middle']} aria-label={t('conversation')}>
      <header className={styles['head']}>
        <Back search={search} />
        <h1 className={styles['name']}>{t('conversation')}</h1>
      </header>
      {query.isPending ? (
        <LoadingRows label={t('loading.one')} />
      ) : isGone ? (
        <EmptyState title={t('gone.title')} text={t('gone.text')} />
      ) : (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
    </section>
  )
}

function Back({ search }: { search: Search }) {
  return (
    <Link to={'/inbox' as '/leads'} search={search} className={styles['back']} aria-label={t('back')}>
      <ChevronLeft size={18} aria-hidden="true" />
    </Link>
  )
}

type OpenedProps = { one: One; former: string | undefined; search: Search }

function Opened({ one, former, search }: OpenedProps) {
  const thread = useThread(one.conversationId)
  const changes = useChanges(one)
  const [isSnoozing, setSnoozing] = useState(false)
  const [isDetails, setDetails] = useState(false)
  const [wanted, setWanted] = useState(() => (former === undefined ? undefined : writtenIn()))
  const [isComposing, onTyping] = useComposing()
  useDocumentTitle(nameOf(one))
  usePresence(one.conversationId, isComposing)
  const mark = useReading(one, changes.mark)
  useListKeys({
    r: () => setWanted({ what: 'answer' }),
    n: () => setWanted({ what: 'note' }),
    e: () => changes.mayChange && changes.toggleClosed(),
    s: () => changes.mayChange && setSnoozing(true),
    a: () => changes.mayChange && changes.take(),
    u: () => mark(true),
  })
  return (
    <>
      <section className={styles['middle']} aria-label={t('conversation.with', { name: nameOf(one) })}>
        <Head
          one={one}
          changes={changes}
          search={search}
          onSnooze={() => setSnoozing(true)}
          onDetails={() => setDetails(true)}
        />
        <Thread one={one} thread={thread} />
        <Presence one={one} />
        <Composer one={one} items={thread.items} former={former} wanted={wanted} onTyping={onTyping} />
      </section>
      <aside className={styles['panel']} aria-label={t('person')}>
        <PersonPanel one={one} changes={changes} />
      </aside>
      {isDetails && (
        <Drawer open onOpenChange={setDetails} title={t('person')}>
          <PersonPanel one={one} changes={changes} />
        </Drawer>
      )}
      {isSnoozing && <SnoozeDialog onSnooze={changes.snooze} onClose={() => setSnoozing(false)} />}
    </>
  )
}

/** Who is writing as a conversation becomes part of another one goes on writing there. */
function writtenIn(): ComposerProps['wanted'] {
  const field = document.activeElement
  if (!(field instanceof HTMLTextAreaElement)) return undefined
  return {
    what: field.form?.dataset['note'] === undefined ? 'answer' : 'note',
    fromEnd: field.value.length - field.selectionEnd,
  }
}

type HeadProps = { one: One; changes: Changes; search: Search; onSnooze(): void; onDetails(): void }

function Head({ one, changes, search, onSnooze, onDetails }: HeadProps) {
  const { state, assignee } = one
  return (
    <header className={styles['head']}>
      <Back search={search} />
      <div className={styles['headText']}>
        <h1 className={styles['name']}>
          <PersonLink one={one} className={styles['nameLink']} />
        </h1>
        <p className={styles['sub']}>
          <Standing one={one} />
          <span>{assignee === null ? t('unassigned') : assignee.name}</span>
        </p>
      </div>
      {changes.mayChange && (
        <div className={styles['actions']}>
          {state !== 'open' ? (
            <Button size="sm" icon={<RotateCcw size={14} />} busy={changes.isBusy} onClick={changes.reopen}>
              <span className={styles['label']}>{t('reopen')}</span>
            </Button>
          ) : (
            <>
              <Button size="sm" icon={<Clock size={14} />} onClick={onSnooze}>
                <span className={styles['label']}>{t('snooze')}</span>
              </Button>
              <Button size="sm" icon={<Check size={14} />} busy={changes.isBusy} onClick={changes.toggleClosed}>
                <span className={styles['label']}>{t('close')}</span>
              </Button>
            </>
          )}
        </div>
      )}
      <IconButton
        size="sm"
        label={t('person')}
        className={styles['details']}
        icon={<Info size={16} />}
        onClick={onDetails}
      />
    </header>
  )
}

function Standing({ one: { state, snoozedUntil, waitingSince } }: { one: One }) {
  if (state === 'closed') return <Chip>{t('closed')}</Chip>
  if (state === 'snoozed')
    return <Chip tone="info">{t('standing.snoozed', { time: momentText(snoozedUntil ?? '') })}</Chip>
  if (waitingSince !== null) return <Chip tone="warn">{t('standing.waits', { time: waitText(waitingSince) })}</Chip>
  return <Chip tone="ok">{t('standing.answered')}</Chip>
}

function Presence({ one }: { one: One }) {
  const text = presenceText(one.presence)
  return (
    <p className={styles['presence']} role="status" dir="auto">
      {text !== undefined && (
        <>
          <span aria-hidden="true" /> {text}
        </>
      )}
    </p>
  )
}

/** So long after a key one still counts as writing. */
const writingMs = 8_000

function useComposing(): [boolean, () => void] {
  const [isComposing, setComposing] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const onTyping = () => {
    clearTimeout(timer.current)
    setComposing(true)
    timer.current = setTimeout(() => setComposing(false), writingMs)
  }
  return [isComposing, onTyping]
}

/** What is looked at is read, until one marks it as unread. */
function useReading(one: One, mark: (unread: boolean) => void) {
  const isKept = useRef(false)
  const latest = useRef(mark)
  latest.current = mark
  const { unread, lastActivity } = one
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is read too
  useEffect(() => {
    const look = () => {
      if (unread && !document.hidden && !isKept.current) latest.current(false)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [unread, lastActivity.itemId])
  return (asUnread: boolean) => {
    isKept.current = asUnread
    mark(asUnread)
  }
}
