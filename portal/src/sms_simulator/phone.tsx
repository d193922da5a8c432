// The phone itself: its conversations, or one of them with a line to answer in.
import { ChevronLeft, MessageCircle, SquarePen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNumbers } from '../data/messaging_lists.ts'
import { useSession } from '../session/session.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Button, ErrorState, IconButton, LoadingRows } from '../ui/index.ts'
import { timeText } from '../words/format.ts'
import { Bubbles } from './bubbles.tsx'
import { Composer } from './composer.tsx'
import styles from './handset.module.css'
import { spokenNumber } from './numbers.ts'
import { t } from './texts.ts'
import { standingOf, type Text, type Thread, threadsOf } from './threads.ts'
import { useArrivals } from './use_arrivals.ts'
import type { useHandset } from './use_handset.ts'

export type PhoneProps = {
  number: string
  handset: ReturnType<typeof useHandset>
  /** The open conversation; `new` for one that is begun; undefined for the list of them. */
  partner: string | undefined
  onOpen(partner: string | undefined): void
}

export function Phone({ number, handset, partner, onOpen }: PhoneProps) {
  const { list, texts, take } = handset
  const threads = threadsOf(texts)
  const thread = threads.find(one => one.partner === partner)
  const back = useRef<string>(undefined)
  const { unread, announcement } = useArrivals(list.query.isPending ? undefined : texts, partner)
  return (
    <section className={styles['phone']} aria-label={t('handset', { number: spokenNumber(number) })}>
      <div className={styles['speaker']} aria-hidden="true" />
      <div className={styles['screen']}>
        <StatusBar />
        <div role="status" className="visually-hidden">
          {announcement}
        </div>
        {list.query.isPending ? (
          <LoadingRows label={t('loadingTexts')} rows={4} />
        ) : list.query.error != null && texts.length === 0 ? (
          <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />
        ) : partner === undefined ? (
          <Conversations
            threads={threads}
            unread={unread}
            focusOn={back.current}
            onOpen={onOpen}
            more={list.hasMore ? { busy: list.loadingMore, onMore: list.loadMore } : undefined}
          />
        ) : (
          <Conversation
            number={number}
            partner={partner}
            thread={thread}
            onBack={() => {
              back.current = partner
              onOpen(undefined)
            }}
            onSent={text => {
              take(text)
              onOpen(text.to)
            }}
          />
        )}
      </div>
      <div className={styles['home']} aria-hidden="true" />
    </section>
  )
}

function StatusBar() {
  const [now, setNow] = useState(() => timeText(new Date()))
  useEffect(() => {
    const timer = setInterval(() => setNow(timeText(new Date())), 10_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={styles['bar']} aria-hidden="true">
      <span>{now}</span>
      <span className={styles['signal']}>
        <i />
        <i />
        <i />
        <i />
      </span>
    </div>
  )
}

type ConversationsProps = {
  threads: readonly Thread[]
  unread: ReadonlySet<string>
  /** The conversation one comes back from. */
  focusOn: string | undefined
  onOpen(partner: string): void
  more: { busy: boolean; onMore(): void } | undefined
}
function Conversations({ threads, unread, focusOn, onOpen, more }: ConversationsProps) {
  const { permissions } = useSession()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focusOn === undefined) return
    const rows = list.current?.querySelectorAll<HTMLElement>('[data-partner]') ?? []
    for (const row of rows) if (row.dataset['partner'] === focusOn) row.focus()
  }, [focusOn])
  return (
    <>
      <div className={styles['head']}>
        <h2>{t('texts')}</h2>
        {permissions.has('messages:send') && (
          <IconButton label={t('write')} icon={<SquarePen size={18} />} onClick={() => onOpen('new')} />
        )}
      </div>
      <div ref={list} className={styles['threads']}>
        {threads.length === 0 ? (
          <div className={styles['nothing']}>
            <MessageCircle size={28} aria-hidden="true" />
            <p>{t('noTexts')}</p>
          </div>
        ) : (
          <ul aria-label={t('conversations')}>
            {threads.map(thread => (
              <ConversationRow
                key={thread.partner}
                thread={thread}
                isUnread={unread.has(thread.partner)}
                onOpen={() => onOpen(thread.partner)}
              />
            ))}
          </ul>
        )}
        {more !== undefined && (
          <Button size="sm" variant="ghost" busy={more.busy} onClick={more.onMore}>
            {t('older')}
          </Button>
        )}
      </div>
    </>
  )
}

function lastWords(text: Text | undefined): string {
  if (text === undefined) return ''
  const standing = standingOf(text)
  if (standing === 'coming') return t('coming')
  if (standing === 'lost') return t('notArrived')
  const words = text.redactedAt === null ? text.body : t('redactedShort')
  return standing === 'mine' ? t('youSaid', { text: words }) : words
}

type ConversationRowProps = { thread: Thread; isUnread: boolean; onOpen(): void }
function ConversationRow({ thread, isUnread, onOpen }: ConversationRowProps) {
  const last = thread.texts.at(-1)
  return (
    <li>
      <button type="button" className={styles['thread']} data-partner={thread.partner} onClick={onOpen}>
        <Face name={thread.partner} />
        <span className={styles['threadText']}>
          <b>{spokenNumber(thread.partner)}</b>
          <span>{lastWords(last)}</span>
        </span>
        <span className={styles['threadSide']}>
          {last !== undefined && <time dateTime={last.createdAt}>{timeText(new Date(last.createdAt))}</time>}
          {isUnread && (
            <span className={styles['unread']}>
              <span className="visually-hidden">, {t('unread')}</span>
            </span>
          )}
        </span>
      </button>
    </li>
  )
}

function Face({ name }: { name: string }) {
  const letter = /[a-z]/i.exec(name)?.[0]?.toUpperCase()
  return (
    <span className={styles['face']} aria-hidden="true">
      {letter ?? name.slice(-2)}
    </span>
  )
}

type ConversationProps = {
  number: string
  partner: string
  thread: Thread | undefined
  onBack(): void
  onSent(text: Text): void
}
function Conversation({ number, partner, thread, onBack, onSent }: ConversationProps) {
  const isNew = partner === 'new'
  const [to, setTo] = useState('')
  const numbers = useNumbers()
  const label = numbers.items.find(one => one.number === partner)?.label
  return (
    <>
      <div className={styles['head']}>
        <IconButton label={t('allConversations')} icon={<ChevronLeft size={20} />} onClick={onBack} />
        {!isNew && <Face name={partner} />}
        <h2>
          {isNew ? t('newText') : spokenNumber(partner)}
          {label != null && <small>{label}</small>}
        </h2>
      </div>
      {isNew ? (
        <div className={styles['newTo']}>
          <Combobox
            label={t('to')}
            value={to}
            onChange={setTo}
            freeText
            isLoading={numbers.isPending}
            placeholder={t('ownNumber')}
            options={numbers.items
              .filter(one => one.kind !== 'alphanumeric')
              .map(one => ({ value: one.number, label: one.number, hint: one.label ?? '' }))}
          />
        </div>
      ) : (
        <Bubbles partner={partner} texts={thread?.texts ?? []} />
      )}
      <Composer key={partner} number={number} to={isNew ? to : partner} focus={!isNew} onSent={onSent} />
    </>
  )
}
