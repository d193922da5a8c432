// Lists that follow the stream: what comes is put at their top. (Lists of records count it first: `live_records.ts`.)
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSession } from '../session/session.ts'
import { type CursorList, type Page, withNewItems } from './lists.ts'
import { type LiveMessage, type LiveState, type LiveTopic, useLive } from './live.ts'

/** What arrives within this time is drawn at once. */
const gatherMs = 150

export type LiveTopOptions<Item> = {
  list: CursorList<Item>
  topic: LiveTopic
  /** False holds the list still; turned on again it catches up. */
  live: boolean
  idOf(item: Item): string
  /** The item of a message that belongs into the list as it is filtered. */
  pick(message: LiveMessage): Item | undefined
  /** How many items are kept at most; 300 when not said. */
  most?: number
}

/** Puts what the stream reports at the top of a list. */
export function useLiveTop<Item>({ list, topic, live, idOf, pick, most = 300 }: LiveTopOptions<Item>): LiveState {
  const cache = useQueryClient()
  const { permissions } = useSession()
  const allowed = permissions.has(`${typeof topic === 'string' ? topic : 'events'}:read`)
  // Gathered for the list as it is filtered now; newest first.
  const waiting = useRef<{ key: string; items: Item[]; timer: ReturnType<typeof setTimeout> | undefined }>({
    key: '',
    items: [],
    timer: undefined,
  })
  const show = () => {
    const mine = waiting.current
    mine.timer = undefined
    if (mine.items.length === 0 || mine.key !== JSON.stringify(list.queryKey)) return
    const state = cache.getQueryState(list.queryKey)
    // An answer that is on its way would take them off again: they wait for it.
    if (state?.data === undefined || state.fetchStatus === 'fetching') {
      mine.timer = setTimeout(() => latest.current(), gatherMs)
      return
    }
    const items = mine.items
    mine.items = []
    cache.setQueryData<InfiniteData<Page<Item>>>(list.queryKey, old => withNewItems(old, items, idOf, most))
  }
  const latest = useRef(show)
  latest.current = show
  const hear = (message: LiveMessage) => {
    if (message.event === 'gap') void list.query.refetch()
    const item = pick(message)
    if (item === undefined) return
    const mine = waiting.current
    const key = JSON.stringify(list.queryKey)
    if (mine.key !== key) Object.assign(mine, { key, items: [] })
    mine.items = [item, ...mine.items].slice(0, most)
    mine.timer ??= setTimeout(() => latest.current(), gatherMs)
  }
  const state = useLive([topic], hear, live && allowed)
  const refetch = useRef(list.query.refetch)
  refetch.current = list.query.refetch
  const wasLive = useRef(live)
  useEffect(() => {
    if (live && !wasLive.current) void refetch.current()
    if (!live) {
      clearTimeout(waiting.current.timer)
      Object.assign(waiting.current, { items: [], timer: undefined })
    }
    wasLive.current = live
  }, [live])
  useEffect(() => () => clearTimeout(waiting.current.timer), [])
  return state
}
