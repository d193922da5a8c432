// What conversations are in and what is shown of them. Pure.

export const conversationStates = ['open', 'snoozed', 'closed'] as const
export type ConversationState = (typeof conversationStates)[number]

export const partyKinds = ['lead', 'contact', 'unknown'] as const
export type PartyKind = (typeof partyKinds)[number]

export const channels = ['phone', 'mail'] as const
export type Channel = (typeof channels)[number]

export const itemKinds = ['text', 'call', 'voicemail', 'mail', 'note', 'event'] as const
export type ItemKind = (typeof itemKinds)[number]

export const views = ['waiting', 'mine', 'unassigned', 'mentioned', 'open', 'snoozed', 'closed', 'all'] as const
export type View = (typeof views)[number]

export const eventKinds = [
  'created',
  'assigned',
  'snoozed',
  'woken',
  'reopened',
  'closed',
  'attached',
  'merged',
] as const
export type EventKind = (typeof eventKinds)[number]
