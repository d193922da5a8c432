// One thread: read page by page from its end backwards, and read again at its end when something was added.
import type { Tandem } from '@tandem/sdk'
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Page, useCursorList } from '../data/lists.ts'
import { useApi } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import { withEnd } from './thread_end.ts'
import type { Item } from './views.ts'

type Data = InfiniteData<Page<Item>>
export const threadKey = (mode: Mode, id: string) => [mode, 'thread', { id }]

/** The items, oldest first. */
export function useThread(id: string) {
  const api = useApi()
  const list = useCursorList<Item>('thread', { id }, (cursor, signal) =>
    api.conversations.items({ conversationId: id, ...(cursor && { cursor }) }, { signal }),
  )
  const items = list.items.toReversed()
  useMoving(id, items)
  return { ...list, items }
}

/** Reads the end of a thread again. */
export async function readEnd(api: Tandem, cache: QueryClient, mode: Mode, id: string): Promise<void> {
  if (cache.getQueryData(threadKey(mode, id)) === undefined) return
  const page = await api.conversations.items({ conversationId: id })
  cache.setQueryData<Data>(threadKey(mode, id), old => withEnd(old, page))
}

/** Puts what was just written at the end. */
export function useAdd(id: string) {
  const cache = useQueryClient()
  const { mode } = useSession()
  return (item: Item) =>
    cache.setQueryData<Data>(threadKey(mode, id), old =>
      withEnd(old, { items: [item], nextCursor: null, hasMore: false }),
    )
}

const movingStates = ['queued', 'sending', 'sent', 'submitting', 'accepted']

/** What was sent comes to its end within seconds: its state is looked at while it moves, ever less often. */
function useMoving(id: string, items: readonly Item[]): void {
  const api = useApi()
  const cache = useQueryClient()
  const { mode } = useSession()
  const [tries, setTries] = useState(0)
  const last = items.at(-1)
  const recent = items.slice(-5).filter(({ at }) => Date.now() - Date.parse(at) < 10 * 60_000)
  const isMoving = recent.some(
    ({ status, direction }) => direction === 'outbound' && movingStates.includes(status ?? ''),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is looked at soon again
  useEffect(() => setTries(0), [last?.itemId])
  useEffect(() => {
    if (!isMoving || tries > 8) return undefined
    const timer = setTimeout(
      () => {
        if (!document.hidden) void readEnd(api, cache, mode, id).catch(() => undefined)
        setTries(tries + 1)
      },
      1_500 * 1.5 ** tries,
    )
    return () => clearTimeout(timer)
  }, [api, cache, mode, id, isMoving, tries])
}
