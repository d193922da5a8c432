// A thread in the cache, and what is at its end now: newest first, page by page.
import type { InfiniteData } from '@tanstack/react-query'
import type { Page } from '../data/lists.ts'
import type { Item } from './views.ts'

type Data = InfiniteData<Page<Item>>

/** The thread with what is at its end now; where that no longer meets what was known, it begins there. */
export function withEnd(data: Data | undefined, end: Page<Item>): Data | undefined {
  const [first, ...rest] = data?.pages ?? []
  if (data === undefined || first === undefined) return data
  const known = new Set(data.pages.flatMap(({ items }) => items.map(({ itemId }) => itemId)))
  const meets = !end.hasMore || end.items.some(({ itemId }) => known.has(itemId))
  if (!meets) return { pages: [end], pageParams: [undefined] }
  const now = new Map(end.items.map(item => [item.itemId, item]))
  const update = (page: Page<Item>) => ({ ...page, items: page.items.map(item => now.get(item.itemId) ?? item) })
  const added = end.items.filter(({ itemId }) => !known.has(itemId))
  const top = update(first)
  return { ...data, pages: [{ ...top, items: [...added, ...top.items] }, ...rest.map(update)] }
}
