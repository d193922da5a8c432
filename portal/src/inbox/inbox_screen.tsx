// The inbox: everything that was said with each person in one thread, no matter who said it and by which way. The list and the thread side
// by side; in a narrow window one of them.
import { useNavigate, useParams } from '@tanstack/react-router'
import { MessagesSquare, PartyPopper } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { Refused } from '../navigation/fallbacks.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useListKeys } from '../navigation/shortcuts.ts'
import { useSession } from '../session/session.ts'
import { EmptyState, useDocumentTitle } from '../ui/index.ts'
import { ConversationPage } from './conversation.tsx'
import { ConversationList } from './conversation_list.tsx'
import styles from './inbox.module.css'
import { conversationPx } from './row.tsx'
import { t } from './texts.ts'
import { useConversations, useCounts, useLiveInbox } from './use_inbox.ts'
import { type Conversation, usualOrder, type View, viewOf } from './views.ts'

export function InboxScreen() {
  const { permissions, mode } = useSession()
  if (!permissions.has('conversations:read')) return <Refused title={t('inbox')} />
  return <Inbox key={mode} />
}

function Inbox() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const [params, change] = useParamsOfAddress()
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  useHeightLeft(box)
  const view = viewOf(params['view'])
  const order = params['order'] === 'newest' || params['order'] === 'oldest' ? params['order'] : usualOrder(view)
  const asked = { view, order, q: params['q'] ?? '' }
  const list = useConversations(asked)
  const counts = useCounts()
  useLiveInbox(id)
  const items = unique(list.items)
  const activeId = useWalk(frame, items, id)
  // What opens keeps the view that it was opened from.
  const search = { view: params['view'], order: params['order'], q: params['q'] }
  return (
    <div ref={box} className={styles['inbox']} data-open={id !== undefined}>
      <ConversationList
        asked={asked}
        list={{ ...list, items }}
        counts={counts.data}
        openId={id}
        activeId={activeId}
        frame={frame}
        search={search}
        onView={next => change({ view: next === 'waiting' ? undefined : next, order: undefined })}
        onTurn={() => change({ order: order === 'oldest' ? 'newest' : 'oldest' })}
        onSearch={q => change({ q })}
      />
      {id === undefined ? (
        <NoneOpen isEmpty={!list.query.isPending && items.length === 0 && asked.q === ''} view={view} />
      ) : (
        <ConversationPage id={id} search={search} />
      )}
    </div>
  )
}

function NoneOpen({ isEmpty, view }: { isEmpty: boolean; view: View }) {
  useDocumentTitle(t('inbox'))
  return (
    <section className={styles['none']} aria-label={t('conversation')}>
      <EmptyState
        icon={isEmpty && view === 'waiting' ? <PartyPopper size={20} /> : <MessagesSquare size={20} />}
        title={isEmpty ? t(`none.title.${view}`) : t('choose')}
        text={isEmpty ? t(`none.text.${view}`) : t('choose.text')}
      />
    </section>
  )
}

/** What moved while pages were loaded comes twice: its first place stands. */
function unique(items: readonly Conversation[]): Conversation[] {
  return [...new Map(items.toReversed().map(one => [one.conversationId, one])).values()].toReversed()
}

/** The row that j and k are at: that of the open conversation until they go on. */
function useWalk(frame: { current: HTMLElement | null }, items: readonly Conversation[], openId: string | undefined) {
  const navigate = useNavigate()
  const [place, setPlace] = useState<{ id: string; index: number }>()
  const ids = items.map(one => one.conversationId)
  const from = place === undefined ? ids.indexOf(openId ?? '') : ids.indexOf(place.id)
  // One that has left the list is where the next one is now.
  const active = from === -1 && place !== undefined ? Math.min(place.index, ids.length) - 1 : from
  const walk = (by: number) => {
    const index = Math.max(0, Math.min(ids.length - 1, active + by))
    const id = ids[index]
    const box = frame.current
    if (id === undefined || box === null) return
    setPlace({ id, index })
    const top = index * conversationPx
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + conversationPx > box.scrollTop + box.clientHeight)
      box.scrollTop = top + conversationPx - box.clientHeight
    const focus = () =>
      box.querySelector<HTMLElement>(`[data-index="${index}"] [data-opens]`)?.focus({ preventScroll: true })
    focus()
    // A row that was out of sight is drawn with the next frame.
    requestAnimationFrame(focus)
  }
  useListKeys({
    j: () => walk(1),
    k: () => walk(-1),
    o: () => {
      const id = ids[active]
      if (id !== undefined)
        void navigate({
          to: '/inbox/$id' as '/leads/$id',
          params: { id },
          search: (old: Record<string, unknown>) => old as Record<string, string>,
        })
    },
  })
  return place === undefined ? undefined : ids[active]
}

/** The screen fills what the window leaves below the frame of the portal. */
function useHeightLeft(box: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const measure = () => {
      const element = box.current
      if (element === null) return
      const top = element.getBoundingClientRect().top + window.scrollY
      element.style.setProperty('--above', `${Math.round(top)}px`)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [box])
}
