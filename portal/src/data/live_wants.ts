// What listeners of the live stream want to hear, as values: what one hears of a message, what a connection for all of them asks for, and
// whether one that stands will do. Pure; `live.ts` connects.
import type { StreamOpenEvent } from '@tandem/sdk'

export type LiveMessage = StreamOpenEvent

/** All events of a noun (`lead.*`), or one type of them (`message.received`). */
export type EventPattern = `${string}.${string}`

/**
 * What can be listened to. Of events, a screen names the types that it looks at: all of them are more than a browser should hear. With
 * `numbers` it hears of texts and calls only those from or to one of them.
 */
export type LiveTopic =
  | 'requests'
  | 'conversations'
  | 'events'
  | { readonly events: readonly EventPattern[]; readonly numbers?: readonly string[] }

/** What a connection asks for, or a listener. */
export type Wants = {
  readonly topics: readonly string[]
  /** Patterns, sorted, none of them within another; null for all events. */
  readonly events: readonly string[] | null
  /** Of texts and calls those with these numbers; null for all that `events` holds. */
  readonly numbers: readonly string[] | null
}

/** What the server takes at most in one parameter. */
const maxChars = 1_000

export function wantsOf(listened: readonly LiveTopic[]): Wants {
  return unionOf(listened.map(wantsOfOne))
}

function wantsOfOne(topic: LiveTopic): Wants {
  if (topic === 'events') return { topics: ['events'], events: null, numbers: null }
  if (typeof topic === 'string') return { topics: [topic], events: [], numbers: [] }
  const { numbers } = topic
  // With no number there is nothing exchanged to be heard of.
  const events = topic.events.filter(pattern => numbers?.length !== 0 || !isExchanged(pattern))
  const topics = events.length > 0 ? ['events'] : []
  return { topics, events: leastOf(events), numbers: events.some(isExchanged) ? (numbers ?? null) : [] }
}

/** What all of them want together. */
export function unionOf(wants: readonly Wants[]): Wants {
  const sorted = (words: readonly string[]) => [...new Set(words)].sort()
  return {
    topics: sorted(wants.flatMap(one => one.topics)),
    events: wants.some(one => one.events === null) ? null : leastOf(wants.flatMap(one => one.events ?? [])),
    numbers: wants.some(one => one.numbers === null) ? null : sorted(wants.flatMap(one => one.numbers ?? [])),
  }
}

/** Whether who asks for `wide` hears everything that `narrow` wants. */
export function covers(wide: Wants, narrow: Wants): boolean {
  return (
    narrow.topics.every(topic => wide.topics.includes(topic)) &&
    (wide.events === null || (narrow.events?.every(pattern => isAmong(wide.events, pattern)) ?? false)) &&
    (wide.numbers === null || (narrow.numbers?.every(number => wide.numbers?.includes(number)) ?? false))
  )
}

/** What is sent as `eventTypes`; undefined where all events are wanted, none, or too many types to name even their nouns. */
export function eventTypesOf({ topics, events }: Wants): string | undefined {
  if (events === null || !topics.includes('events')) return undefined
  const named = events.join(',')
  if (named.length <= maxChars) return named
  const nouns = leastOf(events.map(pattern => `${nounOf(pattern)}.*`)).join(',')
  return nouns.length <= maxChars ? nouns : undefined
}

/** What is sent as `numbers`; undefined where no text or call is wanted, all are, or those of more numbers than can be named. */
export function numbersOf({ numbers }: Wants): string | undefined {
  const named = numbers?.join(',') ?? ''
  return named !== '' && named.length <= maxChars ? named : undefined
}

/** Whether a message is for who wants this. Of the stream itself (`ready`, `end`) nobody hears. */
export function hears({ topics, events, numbers }: Wants, message: LiveMessage): boolean {
  if (message.event === 'request') return topics.includes('requests')
  if (message.event === 'conversation') return topics.includes('conversations')
  if (message.event === 'gap') return topics.includes(message.data.topic)
  if (message.event !== 'event' || !topics.includes('events') || !isAmong(events, message.data.type)) return false
  if (numbers === null || !isExchanged(message.data.type)) return true
  const { from, to } = (message.data.data ?? {}) as { from?: unknown; to?: unknown }
  return numbers.some(number => number === from || number === to)
}

/** Whether a type, or all types of a pattern, are among the patterns. */
function isAmong(patterns: readonly string[] | null, one: string): boolean {
  return patterns === null || patterns.includes(one) || patterns.includes(`${nounOf(one)}.*`)
}

/** The same patterns, without those that others hold already. */
function leastOf(patterns: readonly string[]): string[] {
  const given = new Set(patterns)
  return [...given].filter(one => one.endsWith('.*') || !given.has(`${nounOf(one)}.*`)).sort()
}

/** Whether events of this type say from whom to whom something went. */
const isExchanged = (pattern: string) => ['message', 'call'].includes(nounOf(pattern))

const nounOf = (pattern: string) => pattern.slice(0, pattern.indexOf('.'))
