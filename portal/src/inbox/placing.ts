// A list of the inbox that follows what happens: a conversation that changed is taken to where it stands now, or out of the list.
import type { InfiniteData } from '@tanstack/react-query'
import type { Page } from '../data/lists.ts'
import { belongs, type Conversation, type Order, placeOf, type View } from './views.ts'

export type Listing = { view: View; order: Order; userId: number; isSearch: boolean }
type Data = InfiniteData<Page<Conversation>>

/** The cached list with the conversation as it is now; the same object where that changes nothing. */
export function placed(data: Data | undefined, one: Conversation, listing: Listing): Data | undefined {
  if (data === undefined) return data
  const isIt = ({ conversationId }: Conversation) => conversationId === one.conversationId
  const before = data.pages.flatMap(page => page.items).find(isIt)
  if (before !== undefined && before.version > one.version) return data
  const { view, userId } = listing
  // What one reads stays in sight among the unread until one leaves them.
  const isBeingRead = view === 'unread' && before !== undefined && one.state === 'open'
  const stays = isBeingRead || belongs(view, one, userId)
  if (before === undefined && !stays) return data
  // What a search finds, and when somebody was mentioned, only the server knows: nothing is added, and nothing moves.
  const isHeld = listing.isSearch || view === 'mentioned'
  if (before === undefined && isHeld) return data
  if (before !== undefined && stays && (isHeld || isBeingRead || placeOf(view, before) === placeOf(view, one)))
    return replaced(data, isIt, one)
  const pages = data.pages.map(page => ({ ...page, items: page.items.filter(item => !isIt(item)) }))
  if (!stays) return { ...data, pages }
  return inserted({ ...data, pages }, one, listing)
}

export function without(data: Data | undefined, id: string): Data | undefined {
  if (data === undefined || !data.pages.some(({ items }) => items.some(one => one.conversationId === id))) return data
  const pages = data.pages.map(page => ({ ...page, items: page.items.filter(one => one.conversationId !== id) }))
  return { ...data, pages }
}

function replaced(data: Data, isIt: (item: Conversation) => boolean, one: Conversation): Data {
  const pages = data.pages.map(page => ({ ...page, items: page.items.map(item => (isIt(item) ? one : item)) }))
  return { ...data, pages }
}

function inserted(data: Data, one: Conversation, { view, order }: Listing): Data {
  const at = placeOf(view, one)
  const isBehind = (item: Conversation) => (order === 'oldest' ? placeOf(view, item) > at : placeOf(view, item) < at)
  for (const [number, page] of data.pages.entries()) {
    const index = page.items.findIndex(isBehind)
    if (index === -1) continue
    const pages = data.pages.with(number, { ...page, items: page.items.toSpliced(index, 0, one) })
    return { ...data, pages }
  }
  // Behind all that is loaded: it comes with its own page, unless there is none.
  const last = data.pages.at(-1)
  if (last === undefined || last.hasMore) return data
  return { ...data, pages: data.pages.with(-1, { ...last, items: [...last.items, one] }) }
}
