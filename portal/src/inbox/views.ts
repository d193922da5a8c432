// The views of the inbox: what belongs into it, and in which order it stands.
import type { Tandem } from '@tandem/sdk'

export type One = Awaited<ReturnType<Tandem['conversations']['get']>>
export type Conversation = Awaited<ReturnType<Tandem['conversations']['list']>>['items'][number]
export type Item = Awaited<ReturnType<Tandem['conversations']['items']>>['items'][number]
export type Counts = Awaited<ReturnType<Tandem['conversations']['counts']>>

export const views = [
  'waiting',
  'unread',
  'mine',
  'unassigned',
  'mentioned',
  'open',
  'snoozed',
  'closed',
  'all',
] as const
export type View = (typeof views)[number]
export type Order = 'oldest' | 'newest'

export const viewOf = (text: string | undefined): View => views.find(view => view === text) ?? 'waiting'

/** Views that may be turned round, and how they stand by themselves. */
export const usualOrder = (view: View): Order => (view === 'snoozed' ? 'oldest' : 'newest')

/** Whether a conversation, as it is now, is one of the view. */
export function belongs(
  view: View,
  { state, waitingSince, unread, assignee, mentioned }: Conversation,
  userId: number,
): boolean {
  switch (view) {
    case 'waiting':
      return state === 'open' && waitingSince !== null
    case 'unread':
      return state === 'open' && unread && (assignee === null || assignee.userId === userId || mentioned)
    case 'mine':
      return state === 'open' && assignee?.userId === userId
    case 'unassigned':
      return state === 'open' && assignee === null
    case 'mentioned':
      return mentioned
    case 'all':
      return true
    default:
      return state === view
  }
}

/** The time that a view is ordered by; of mentions only the server knows it. */
export function placeOf(view: View, { waitingSince, snoozedUntil, lastActivity }: Conversation): string {
  if (view === 'waiting' || view === 'unread') return waitingSince ?? lastActivity.at
  return view === 'snoozed' ? (snoozedUntil ?? lastActivity.at) : lastActivity.at
}
