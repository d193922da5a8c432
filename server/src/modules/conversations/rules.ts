// What conversations are in and what is shown of them. Pure.

import type { SenderCheck } from '../mail/inbound/index.ts'

export const conversationStates = ['open', 'snoozed', 'closed'] as const
export type ConversationState = (typeof conversationStates)[number]

export const partyKinds = ['lead', 'contact', 'unknown'] as const
export type PartyKind = (typeof partyKinds)[number]

export const channels = ['phone', 'mail'] as const
export type Channel = (typeof channels)[number]

export const itemKinds = ['text', 'call', 'voicemail', 'mail', 'note', 'event'] as const
export type ItemKind = (typeof itemKinds)[number]

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

/** What happened between the organization and the other side, as far as it moves a conversation. Times are ISO 8601 with milliseconds. */
export type Exchange = {
  itemId: string
  kind: Exclude<ItemKind, 'note' | 'event'>
  direction: 'inbound' | 'outbound'
  at: string
  preview: string
  /** Of a mail that came in: what was found out about its sender. */
  sender?: SenderCheck
  /** Whether somebody has to answer it, or it answers what came in before. */
  effect: 'waits' | 'answers' | 'none'
}

/** Where a conversation stands. */
export type Standing = {
  state: ConversationState
  snoozed_until: string | null
  waiting_since: string | null
  /** Since when it waited as somebody closed it; nothing once it was answered, or is open again. */
  closed_waiting_since: string | null
  last_inbound_at: string | null
  last_answer_at: string | null
  last_at: string
  last_item: string
  last_kind: Exclude<ItemKind, 'event'>
  last_direction: 'inbound' | 'outbound' | null
  last_sender: SenderCheck | null
  last_preview: string
}

export type Outcome = { next: Standing; happened: 'reopened' | 'answered' | null }

/** A conversation that begins: it is open where somebody has to answer, and else nothing that anybody has to look at. */
export function begin(exchange: Exchange): Standing {
  const waits = exchange.effect === 'waits'
  return {
    ...lastOf(exchange),
    state: waits ? 'open' : 'closed',
    snoozed_until: null,
    waiting_since: waits ? exchange.at : null,
    closed_waiting_since: null,
    last_inbound_at: exchange.direction === 'inbound' ? exchange.at : null,
    last_answer_at: exchange.effect === 'answers' ? exchange.at : null,
  }
}

/** How an exchange moves a conversation. Those that commit late come out of order: what was answered since waits no more. */
export function follow(before: Standing, exchange: Exchange): Outcome {
  const next: Standing = exchange.at >= before.last_at ? { ...before, ...lastOf(exchange) } : { ...before }
  if (exchange.direction === 'inbound') next.last_inbound_at = later(before.last_inbound_at, exchange.at)
  if (exchange.effect === 'answers') return answered(before, next, exchange.at)
  if (exchange.effect === 'none' || (before.last_answer_at !== null && exchange.at <= before.last_answer_at))
    return { next, happened: null }
  if (before.waiting_since === null || exchange.at < before.waiting_since) next.waiting_since = exchange.at
  next.state = 'open'
  next.snoozed_until = null
  next.closed_waiting_since = null
  return { next, happened: before.state === 'open' ? null : 'reopened' }
}

function answered(before: Standing, next: Standing, at: string): Outcome {
  next.last_answer_at = later(before.last_answer_at, at)
  next.closed_waiting_since = null
  if (before.waiting_since === null || before.waiting_since > at) return { next, happened: null }
  const { last_inbound_at: inbound } = before
  next.waiting_since = inbound !== null && inbound > at ? inbound : null
  return { next, happened: next.waiting_since === null ? 'answered' : null }
}

/**
 * Where a conversation stands once something that came in was set aside: closed, where nothing else waits.
 * @returns undefined where that changes nothing
 */
export function setAside(before: Standing, { itemId, at }: { itemId: string; at: string }): Standing | undefined {
  const { waiting_since: since, last_inbound_at: inbound } = before
  if (before.last_item !== itemId && since !== at) return undefined
  // Something before it waits as well.
  if (since !== null && since < at) return undefined
  const newer = since === at ? (inbound !== null && inbound > at ? inbound : null) : since
  if (newer === null && before.state === 'closed') return undefined
  const closed = { state: 'closed', snoozed_until: null, closed_waiting_since: null } as const
  return { ...before, ...(newer === null ? closed : {}), waiting_since: newer }
}

function lastOf({ itemId, kind, direction, at, preview, sender }: Exchange) {
  return {
    last_at: at,
    last_item: itemId,
    last_kind: kind,
    last_direction: direction,
    last_sender: sender ?? null,
    last_preview: preview,
  } as const
}

function later(one: string | null, other: string): string {
  return one === null || other > one ? other : one
}

const maxPreview = 160

/** How words begin, in one line. */
export function previewOf(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim()
  return line.length > maxPreview ? `${line.slice(0, maxPreview - 1).toWellFormed()}…` : line
}

/** Where a conversation stands that another became part of. */
export function joined(into: Standing, other: Standing): Standing {
  const newest = other.last_at > into.last_at ? other : into
  const answer = newestOf(into.last_answer_at, other.last_answer_at)
  const inbound = newestOf(into.last_inbound_at, other.last_inbound_at)
  const waits = [into.waiting_since, other.waiting_since].flatMap(at => at ?? []).sort()
  const unanswered = waits.find(at => answer === null || at > answer)
  const isLate = waits.length > 0 && inbound !== null && answer !== null && inbound > answer
  const states = [into.state, other.state]
  const state = states.includes('open') ? 'open' : states.includes('snoozed') ? 'snoozed' : 'closed'
  const snoozes = [into.snoozed_until, other.snoozed_until].flatMap(at => at ?? []).sort()
  return {
    state,
    snoozed_until: state === 'snoozed' ? (snoozes[0] ?? null) : null,
    waiting_since: unanswered ?? (isLate ? inbound : null),
    closed_waiting_since: null,
    last_inbound_at: inbound,
    last_answer_at: answer,
    last_at: newest.last_at,
    last_item: newest.last_item,
    last_kind: newest.last_kind,
    last_direction: newest.last_direction,
    last_sender: newest.last_sender,
    last_preview: newest.last_preview,
  }
}

function newestOf(one: string | null, other: string | null): string | null {
  return other === null ? one : later(one, other)
}
