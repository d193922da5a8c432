// The list of conversations: its views and search, and the rows in sight of however many there are. What changes above the place one
// reads at does not move it.
import { ArrowDownUp, Keyboard, PartyPopper, Search } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { CursorList } from '../data/lists.ts'
import { useRowsInSight, useTopOf } from '../lists/rows.ts'
import { pageSearch } from '../navigation/shortcuts.ts'
import { useSession } from '../session/session.ts'
import { Button, EmptyState, ErrorState, IconButton, LoadingRows } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import styles from './list.module.css'
import { ConversationRow, conversationPx } from './row.tsx'
import { t } from './texts.ts'
import type { Asked } from './use_inbox.ts'
import type { Conversation, Counts, View } from './views.ts'
import { ViewsSwitch } from './views_switch.tsx'

const KeysDialog = readyPart(() => import('./keys_dialog.tsx').then(module => module.KeysDialog))

export type ConversationListProps = {
  asked: Asked
  list: CursorList<Conversation>
  counts: Counts | undefined
  openId: string | undefined
  activeId: string | undefined
  frame: RefObject<HTMLDivElement | null>
  search: Readonly<Record<string, string | undefined>>
  onView(view: View): void
  onTurn(): void
  onSearch(q: string): void
}

export function ConversationList(props: ConversationListProps) {
  const { asked, counts, openId, onView, onSearch, onTurn } = props
  const [isHelp, setHelp] = useState(false)
  const Title = openId === undefined ? 'h1' : 'h2'
  return (
    <section className={styles['list']} aria-label={t('list')}>
      <div className={styles['head']}>
        <div className={styles['titleLine']}>
          <Title className={styles['title']}>{t('inbox')}</Title>
          <IconButton
            size="sm"
            label={t(`turn.${asked.order}`)}
            icon={<ArrowDownUp size={15} />}
            onClick={onTurn}
            disabled={asked.view === 'mentioned'}
          />
          <IconButton
            size="sm"
            label={t('keys')}
            icon={<Keyboard size={15} />}
            onClick={() => setHelp(true)}
            className={styles['keys']}
          />
        </div>
        <ViewsSwitch view={asked.view} counts={counts} onChange={onView} />
        <SearchField q={asked.q} onSearch={onSearch} />
      </div>
      <Rows {...props} />
      {isHelp && <KeysDialog onClose={() => setHelp(false)} />}
    </section>
  )
}

function SearchField({ q, onSearch }: { q: string; onSearch(q: string): void }) {
  const [typed, setTyped] = useState(q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Somebody else's doing, such as going back or clearing the search, shows here; what is being typed stands.
  useEffect(() => {
    if (timer.current === undefined) setTyped(q)
  }, [q])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <label className={styles['search']}>
      <Search size={14} aria-hidden="true" />
      <span className="visually-hidden">{t('search')}</span>
      <input
        type="search"
        placeholder={t('search.hint')}
        value={typed}
        {...pageSearch}
        onChange={({ target: { value } }) => {
          setTyped(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => {
            timer.current = undefined
            onSearch(value.trim())
          }, 250)
        }}
      />
    </label>
  )
}

function Rows({ asked, list, openId, activeId, frame, search, onSearch }: ConversationListProps) {
  const { user } = useSession()
  const { items, query } = list
  const [from, to] = useRowsInSight(frame, items.length, conversationPx)
  useTopOf(frame, JSON.stringify(asked))
  useHeldPlace(frame, items, JSON.stringify(asked))
  const onScroll = () => {
    const box = frame.current
    if (box === null || !list.hasMore || list.loadingMore) return
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 8 * conversationPx) list.loadMore()
  }
  return (
    <div ref={frame} className={styles['frame']} onScroll={onScroll}>
      {query.isPending ? (
        <LoadingRows label={t('loading')} />
      ) : query.error !== null && items.length === 0 ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : items.length === 0 ? (
        <Nothing asked={asked} onSearch={onSearch} />
      ) : (
        <ul
          className={styles['rows']}
          aria-label={t(`rows.${asked.order}`, { view: t(`view.${asked.view}`) })}
          style={{ paddingTop: from * conversationPx, paddingBottom: Math.max(0, items.length - to) * conversationPx }}
        >
          {items.slice(from, to).map((one, place) => (
            <ConversationRow
              key={one.conversationId}
              one={one}
              index={from + place}
              isOpen={one.conversationId === openId}
              isActive={one.conversationId === activeId}
              userId={user.id}
              search={search}
            />
          ))}
        </ul>
      )}
      {list.loadingMore && <p className={styles['foot']}>{t('loading.more')}</p>}
    </div>
  )
}

function Nothing({ asked: { view, q }, onSearch }: Pick<ConversationListProps, 'asked' | 'onSearch'>) {
  if (q.length >= 2)
    return (
      <EmptyState
        icon={<Search size={20} />}
        title={t('search.none', { q })}
        text={t('search.none.text')}
        action={<Button onClick={() => onSearch('')}>{t('search.clear')}</Button>}
      />
    )
  const icon = view === 'waiting' ? <PartyPopper size={20} /> : undefined
  return (
    <div className={styles['nothing']}>
      <EmptyState {...(icon && { icon })} title={t(`none.title.${view}`)} text={t(`none.text.${view}`)} />
    </div>
  )
}

/** Keeps the row at the top of the frame where it is while others come and go above it. */
function useHeldPlace(frame: RefObject<HTMLElement | null>, items: readonly Conversation[], listed: string): void {
  const held = useRef<{ listed: string; ids: readonly string[] }>({ listed, ids: [] })
  useLayoutEffect(() => {
    const box = frame.current
    const ids = items.map(one => one.conversationId)
    const before = held.current
    held.current = { listed, ids }
    if (box === null || before.listed !== listed || box.scrollTop < conversationPx / 2) return
    const place = Math.floor(box.scrollTop / conversationPx)
    // The first of those in sight that is still there.
    for (let index = place; index < Math.min(place + 12, before.ids.length); index++) {
      const now = ids.indexOf(before.ids[index] ?? '')
      if (now === -1) continue
      if (now !== index) box.scrollTop += (now - index) * conversationPx
      return
    }
  }, [frame, items, listed])
}
