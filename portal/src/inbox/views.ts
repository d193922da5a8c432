// The views of the inbox: what each is called, what belongs into it, and in which order it stands.
import type { Tandem } from '@tandem/sdk'

export type One = Awaited<ReturnType<Tandem['conversations']['get']>>
export type Conversation = Awaited<ReturnType<Tandem['conversations']['list']>>['items'][number]
export type Item = Awaited<ReturnType<Tandem['conversations']['items']>>['items'][number]
export type Counts = Awaited<ReturnType<Tandem['conversations']['counts']>>

type Shown = { name: string; title: string; text: string }

export const views = {
  waiting: {
    name: 'Waiting',
    title: 'All caught up',
    text: 'Nobody waits for an answer. Texts, missed calls, voicemail and mails appear here as they come in.',
  },
  mine: { name: 'Mine', title: 'Nothing on your desk', text: 'Conversations that you answer or take are listed here.' },
  unassigned: {
    name: 'Unassigned',
    title: 'Everything has somebody',
    text: 'No open conversation is without an owner.',
  },
  mentioned: {
    name: 'Mentioned',
    title: 'Nobody has mentioned you',
    text: 'When a colleague writes @ and your name in a note, the conversation comes here.',
  },
  open: { name: 'Open', title: 'Nothing is open', text: 'Every conversation is closed or snoozed.' },
  snoozed: {
    name: 'Snoozed',
    title: 'Nothing is snoozed',
    text: 'Snooze a conversation to have it come back at a better time.',
  },
  closed: {
    name: 'Closed',
    title: 'Nothing is closed yet',
    text: 'Close a conversation when there is nothing left to do.',
  },
  all: {
    name: 'All',
    title: 'No conversations yet',
    text: 'As soon as somebody texts, calls or writes a mail, the conversation is here.',
  },
} as const satisfies Record<string, Shown>
export type View = keyof typeof views
export type Order = 'oldest' | 'newest'

export const viewOf = (text: string | undefined): View =>
  text !== undefined && Object.hasOwn(views, text) ? (text as View) : 'waiting'

/** Views that may be turned round, and how they stand by themselves. */
export const usualOrder = (view: View): Order => (view === 'waiting' || view === 'snoozed' ? 'oldest' : 'newest')

/** Whether a conversation, as it is now, is one of the view. */
export function belongs(
  view: View,
  { state, waitingSince, assignee, mentioned }: Conversation,
  userId: number,
): boolean {
  switch (view) {
    case 'waiting':
      return state === 'open' && waitingSince !== null
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
  if (view === 'waiting') return waitingSince ?? lastActivity.at
  return view === 'snoozed' ? (snoozedUntil ?? lastActivity.at) : lastActivity.at
}
