// Lists by cursor, as all v2 lists are: pages are fetched one behind the other and shown as one list.
import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSession } from '../session/session.ts'

/** A page of a v2 list, as the SDK gives it. */
export type Page<Item> = { items: Item[]; nextCursor: string | null; hasMore: boolean }

export type CursorList<Item> = {
  query: { isPending: boolean; error: unknown; refetch(): unknown }
  items: Item[]
  hasMore: boolean
  loadingMore: boolean
  loadMore(): void
  /** Where the list lies in the cache, for live updates. */
  queryKey: QueryKey
}

/**
 * @param key names the list; the mode is put before it
 * @param filters what the list is asked for; another value is another list
 */
export function useCursorList<Item>(
  key: string,
  filters: Readonly<Record<string, unknown>>,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
): CursorList<Item> {
  const { mode } = useSession()
  const queryKey = [mode, key, filters]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => (page.hasMore && page.nextCursor !== null ? page.nextCursor : undefined),
  })
  // A live list that grew too long lost its end, and with it the way on: it begins again at the newest.
  const cut = !query.hasNextPage && query.data?.pages.at(-1)?.hasMore === true
  const { isPending, error, isFetchingNextPage } = query
  // To read again ends what is being read: a page that somebody asked for comes first, and what changed meanwhile is read behind it.
  const more = useRef({ isComing: false, isChanged: false })
  useEffect(() => {
    more.current.isComing = isFetchingNextPage
    if (isFetchingNextPage || !more.current.isChanged) return
    more.current.isChanged = false
    void query.refetch()
  }, [isFetchingNextPage, query.refetch])
  const refetch = () => {
    if (!more.current.isComing) return query.refetch()
    more.current.isChanged = true
    return undefined
  }
  const fetchMore = () => {
    more.current = { isComing: true, isChanged: query.isFetching }
    void query.fetchNextPage()
  }
  return {
    query: { isPending, error, refetch },
    items: query.data?.pages.flatMap(page => page.items) ?? [],
    hasMore: query.hasNextPage || cut,
    loadingMore: isFetchingNextPage,
    loadMore: () => void (cut ? query.refetch() : fetchMore()),
    queryKey,
  }
}

/** The cached list with one item changed; the same object when it holds no such item. */
export function withChangedItem<Item>(
  data: InfiniteData<Page<Item>> | undefined,
  isIt: (item: Item) => boolean,
  change: (item: Item) => Item,
): InfiniteData<Page<Item>> | undefined {
  if (data === undefined || !data.pages.some(page => page.items.some(isIt))) return data
  const pages = data.pages.map(page => ({
    ...page,
    items: page.items.map(item => (isIt(item) ? change(item) : item)),
  }))
  return { ...data, pages }
}

/**
 * The cached list with items put at its top, those it holds already left out; the same object when none is new.
 * @param most items of the list that are kept; the rest can be asked for again
 */
export function withNewItems<Item>(
  data: InfiniteData<Page<Item>> | undefined,
  items: readonly Item[],
  idOf: (item: Item) => string,
  most: number,
): InfiniteData<Page<Item>> | undefined {
  const [first, ...rest] = data?.pages ?? []
  if (data === undefined || first === undefined) return data
  const known = new Set(data.pages.flatMap(page => page.items.map(idOf)))
  const fresh = items.filter(item => !known.has(idOf(item)))
  if (fresh.length === 0) return data
  const top = [...fresh, ...first.items]
  if (known.size + fresh.length <= most) return { ...data, pages: [{ ...first, items: top }, ...rest] }
  return { pages: [{ items: top.slice(0, most), nextCursor: null, hasMore: true }], pageParams: [undefined] }
}
