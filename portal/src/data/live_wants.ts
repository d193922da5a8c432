// What listeners of the live stream want to hear, as values: what one hears of a message, what a connection for all of them asks for, and
// whether one that stands will do. Pure; `live.ts` connects.
import type { StreamOpenEvent, StreamOpenParams } from '@tandem/sdk'

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
  /** Patterns, sorted; null for all events. */
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
  if (typeof topic === 'string') {
    const all = topic === 'events' ? null : []
    return { topics: [topic], events: all, numbers: all }
  }
  const { numbers = null } = topic
  // With no number there is nothing exchanged to be heard of.
  const events = topic.events.filter(pattern => numbers?.length !== 0 || !isExchanged(pattern))
  return {
    topics: events.length > 0 ? ['events'] : [],
    events,
    numbers: events.some(isExchanged) ? numbers : [],
  }
}

/** What all of them want together. */
export function unionOf(wants: readonly Wants[]): Wants {
  return {
    topics: together(wants.map(one => one.topics)) ?? [],
    events: together(wants.map(one => one.events)),
    numbers: together(wants.map(one => one.numbers)),
  }
}

/** Whether who asks for `wide` hears everything that `narrow` wants. */
export function covers(wide: Wants, narrow: Wants): boolean {
  return parts.every(part => wide[part] === null || narrow[part]?.every(one => isAmong(wide[part], one)))
}

const parts = ['topics', 'events', 'numbers'] as const

/** What the stream is asked with. A list that is too long to be named is left out: more is sent then than anybody hears. */
export function queryOf({ topics, events, numbers }: Wants): StreamOpenParams {
  const eventTypes = named(events)
  const parties = named(numbers)
  return { topics: topics.join(), ...(eventTypes && { eventTypes }), ...(parties && { numbers: parties }) }
}

/** With commas between; undefined where there is none, or are too many. */
function named(words: readonly string[] | null): string | undefined {
  const text = words?.join()
  return text && text.length <= maxChars ? text : undefined
}

/** Whether a message is for who wants this. Of the stream itself (`ready`, `end`) nobody hears. */
export function hears({ topics, events, numbers }: Wants, message: LiveMessage): boolean {
  // A topic is named after its messages: requests, events, conversations.
  if (!topics.includes(message.event === 'gap' ? message.data.topic : `${message.event}s`)) return false
  if (message.event !== 'event') return true
  const { type, data } = message.data
  if (!isAmong(events, type)) return false
  if (numbers === null || !isExchanged(type)) return true
  const { from, to } = (data ?? {}) as { from?: string; to?: string }
  return numbers.includes(from ?? '') || numbers.includes(to ?? '')
}

/** Whether a type, or all types of a pattern, are among the patterns. */
function isAmong(patterns: readonly string[] | null, one: string): boolean {
  return patterns === null || patterns.includes(one) || patterns.includes(`${nounOf(one)}.*`)
}

/** What is in one of the lists, sorted; null where one of them is for all there is. */
function together(lists: readonly (readonly string[] | null)[]): string[] | null {
  return lists.includes(null) ? null : [...new Set(lists.flatMap(list => list ?? []))].sort()
}

/** Whether events of this type say from whom to whom something went. */
const isExchanged = (pattern: string) => /^(message|call)\./.test(pattern)

const nounOf = (pattern: string) => pattern.slice(0, pattern.indexOf('.'))
