// What the inbox reads: its lists and counts, and how both follow what happens.
import { isTandemError } from '@tandem/sdk'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { type Page, useCursorList } from '../data/lists.ts'
import { useLive } from '../data/live.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { type Listing, placed, without } from './placing.ts'
import { readEnd, threadKey } from './use_thread.ts'
import { type Conversation, type Counts, type One, type Order, usualOrder, type View } from './views.ts'

const pageSize = 40
const listKey = 'conversations'
const countsKey = 'conversation counts'
const kept = [listKey, countsKey, 'conversation', 'thread']

export const conversationKey = (mode: string, id: string) => [mode, 'conversation', id]

export type Asked = { view: View; order: Order; q: string }

export function useConversations({ view, order, q }: Asked) {
  const api = useApi()
  const cache = useQueryClient()
  const { mode } = useSession()
  const words = q.trim().length >= 2 ? q.trim() : undefined
  // What was read among the unread is gone for who comes back to them.
  useEffect(() => {
    if (view !== 'unread') return
    const queryKey = [mode, listKey, { view, ...(words !== undefined && { q: words }) }]
    return () => void cache.invalidateQueries({ queryKey, refetchType: 'none' })
  }, [cache, mode, view, words])
  // Of mentions the server knows the order alone.
  const turned = order === usualOrder(view) ? {} : { order }
  const search = words === undefined ? {} : { q: words }
  return useCursorList<Conversation>(listKey, { view, order, ...search }, (cursor, signal) =>
    api.conversations.list({ view, ...turned, ...search, limit: pageSize, ...(cursor && { cursor }) }, { signal }),
  )
}

export function useCounts() {
  const api = useApi()
  const { mode } = useSession()
  return useQuery<Counts>({
    queryKey: [mode, countsKey],
    queryFn: ({ signal }) => api.conversations.counts({}, { signal }),
  })
}

/** Has the counts asked for again. */
export function useFreshCounts() {
  const cache = useQueryClient()
  const { mode } = useSession()
  return () => void cache.invalidateQueries({ queryKey: [mode, countsKey] })
}

/** Takes a conversation as it is now into every list, and under the id that it was asked for by, where that became part of it. */
export function useTakeIn() {
  const cache = useQueryClient()
  const { mode, user } = useSession()
  const userId = user.id
  return useCallback(
    (one: One | Conversation, asked = one.conversationId) => {
      if (asked !== one.conversationId && 'reply' in one)
        cache.setQueryData<One>(conversationKey(mode, asked), old => old && one)
      const key = conversationKey(mode, one.conversationId)
      const known = cache.getQueryData<One>(key)
      // Asked for before something was changed, and there only after it.
      if (known !== undefined && known.version > one.version) return
      cache.setQueryData<One>(key, old => ('reply' in one ? one : old && { ...old, ...one }))
      for (const [queryKey] of cache.getQueriesData<InfiniteData<Page<Conversation>>>({ queryKey: [mode, listKey] })) {
        const asked = queryKey[2] as Asked
        const listing: Listing = { view: asked.view, order: asked.order, isSearch: asked.q !== undefined, userId }
        cache.setQueryData<InfiniteData<Page<Conversation>>>(queryKey, old => placed(old, one, listing))
      }
    },
    [cache, mode, userId],
  )
}

/** Takes one that is not to be seen any more out of every list. */
function useTakeOut() {
  const cache = useQueryClient()
  const { mode } = useSession()
  return (id: string) =>
    cache.setQueriesData<InfiniteData<Page<Conversation>>>({ queryKey: [mode, listKey] }, old => without(old, id))
}

/** What comes within this time is asked for together. */
const gatherMs = 200

/** Follows the stream: rows, counts, and the thread that is open. */
export function useLiveInbox(openId: string | undefined) {
  const api = useApi()
  const cache = useQueryClient()
  const { mode, user } = useSession()
  const takeIn = useTakeIn()
  const takeOut = useTakeOut()
  const freshCounts = useFreshCounts()
  const changed = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const catchUp = async () => {
    timer.current = undefined
    const ids = [...changed.current]
    changed.current.clear()
    freshCounts()
    // Of a storm the list is read again as a whole.
    if (ids.length > 12) void cache.invalidateQueries({ queryKey: [mode, listKey] })
    else
      await Promise.all(
        ids.map(async conversationId => {
          try {
            const one = await api.conversations.get({ conversationId })
            if (one.conversationId !== conversationId) takeOut(conversationId)
            takeIn(one, conversationId)
          } catch (error) {
            if (isTandemError(error) && error.status === 404) takeOut(conversationId)
          }
        }),
      )
    for (const id of ids) {
      if (id === openId) void readEnd(api, cache, mode, id).catch(() => undefined)
      else void cache.invalidateQueries({ queryKey: threadKey(mode, id) })
    }
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  // Once nobody listens any more, what is known grows old: it is read again when somebody comes back.
  useEffect(
    () => () => {
      for (const key of kept) void cache.invalidateQueries({ queryKey: [mode, key], refetchType: 'none' })
    },
    [cache, mode],
  )
  return useLive(['conversations'], message => {
    if (message.event === 'gap') {
      for (const key of kept) void cache.invalidateQueries({ queryKey: [mode, key] })
      return
    }
    const data = message.data as unknown as { type: string; conversationId: string; presence: One['presence'] | null }
    if (data.type === 'conversation.presence') {
      const presence = (data.presence ?? []).filter(({ userId }) => userId !== user.id)
      cache.setQueryData<One>(conversationKey(mode, data.conversationId), old => old && { ...old, presence })
      return
    }
    changed.current.add(data.conversationId)
    timer.current ??= setTimeout(() => void catchUp(), gatherMs)
  })
}
