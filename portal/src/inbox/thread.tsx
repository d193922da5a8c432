// The thread of a conversation, oldest to newest: it opens at its end, follows it, and reads on upwards without a jump.
import { ArrowDown } from 'lucide-react'
import { Fragment, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button, ErrorState, LoadingRows } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { t } from './texts.ts'
import styles from './thread.module.css'
import { ThreadItem } from './thread_item.tsx'
import type { useThread } from './use_thread.ts'
import type { One } from './views.ts'
import { dayText, nameOf } from './words.ts'

/** So near to its end one reads what comes. */
const nearPx = 120

export function Thread({ one, thread }: { one: One; thread: ReturnType<typeof useThread> }) {
  const { items, query, hasMore, loadingMore, loadMore } = thread
  const box = useRef<HTMLDivElement>(null)
  const place = usePlace(
    box,
    items.map(({ itemId }) => itemId),
  )
  const onScroll = () => {
    place.look()
    if (box.current !== null && box.current.scrollTop < 600 && hasMore && !loadingMore) loadMore()
  }
  return (
    <div className={styles['holder']}>
      <div
        ref={box}
        className={styles['thread']}
        role="log"
        aria-label={t('conversation.with', { name: nameOf(one) })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it (WCAG 2.1.1)
        tabIndex={0}
        onScroll={onScroll}
      >
        {query.isPending && <LoadingRows label={t('loading.one')} rows={4} />}
        {query.error !== null && items.length === 0 && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )}
        {hasMore && (
          <Button size="sm" variant="ghost" className={styles['older']} busy={loadingMore} onClick={loadMore}>
            {t('earlier')}
          </Button>
        )}
        {items.map((item, index) => {
          const day = dayText(item.at)
          const before = items[index - 1]
          return (
            <Fragment key={item.itemId}>
              {(before === undefined || dayText(before.at) !== day) && <p className={styles['day']}>{day}</p>}
              <ThreadItem item={item} before={before} one={one} />
            </Fragment>
          )
        })}
        <LeftOut leftOut={one.leftOut} />
      </div>
      {place.isBehind && (
        <Button size="sm" className={styles['toEnd']} icon={<ArrowDown size={14} />} onClick={place.toEnd}>
          {t('new.below')}
        </Button>
      )}
    </div>
  )
}

function LeftOut({ leftOut }: Pick<One, 'leftOut'>) {
  if (leftOut.length === 0) return null
  const kinds = listText(leftOut.map(({ kind }) => t(`left.out.${kind}`)))
  return <p className={styles['leftOut']}>{t('left.out', { kinds })}</p>
}

/** Where one reads: at the end until one scrolls up; what is read on above, and what comes below, does not move it. */
function usePlace(frame: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const state = useRef({ atEnd: true, height: 0, first: '', last: '' })
  const [isBehind, setBehind] = useState(false)
  const [first = '', last = ''] = [ids[0], ids.at(-1)]
  const toEnd = () => {
    const box = frame.current
    if (box !== null) box.scrollTop = box.scrollHeight
    setBehind(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change at one of the ends
  useLayoutEffect(() => {
    const box = frame.current
    if (box === null || last === '') return
    const before = state.current
    if (before.last !== '' && before.first !== first && before.last === last)
      box.scrollTop += box.scrollHeight - before.height
    else if (before.atEnd) toEnd()
    else if (before.last !== last) setBehind(true)
    state.current = { ...before, height: box.scrollHeight, first, last }
  }, [first, last])
  useEffect(() => {
    const box = frame.current
    if (box === null) return undefined
    // The composer grows, a mail is unfolded: the end stays in sight.
    const observer = new ResizeObserver(() => {
      if (state.current.atEnd) box.scrollTop = box.scrollHeight
      state.current.height = box.scrollHeight
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [frame])
  const look = () => {
    const box = frame.current
    if (box === null) return
    state.current.atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx
    state.current.height = box.scrollHeight
    if (state.current.atEnd) setBehind(false)
  }
  return { isBehind, toEnd, look }
}
