// What listeners of the live stream want to hear, as values: what one hears of a message, what a connection for all of them asks for, and
// whether one that stands will do. Pure; `live.ts` connects.
import type { StreamOpenEvent } from '@tandem/sdk'

export type LiveMessage = StreamOpenEvent

/** All events of a noun (`lead.*`), or one type of them (`message.received`). */
export type EventPattern = `${string}.${string}`

/** What can be listened to. Of events, a screen names the types that it looks at: all of them are more than a browser should hear. */
export type LiveTopic = 'requests' | 'conversations' | 'events' | { readonly events: readonly EventPattern[] }

/** What a connection asks for, or a listener: topics, and of events the patterns, sorted, none of them within another; null for all. */
export type Wants = { readonly topics: readonly string[]; readonly events: readonly string[] | null }

/** What the server takes at most in one parameter. */
const mostChars = 1_000

export function wantsOf(listened: readonly LiveTopic[]): Wants {
  const named = listened.flatMap(one => (typeof one === 'string' ? [] : one.events))
  const plain = listened.filter(one => typeof one === 'string')
  const topics: string[] = named.length > 0 ? [...plain, 'events'] : plain
  return { topics: [...new Set(topics)].sort(), events: plain.includes('events') ? null : leastOf(named) }
}

/** What all of them want together. */
export function unionOf(wants: readonly Wants[]): Wants {
  const events = wants.map(one => one.events)
  return {
    topics: [...new Set(wants.flatMap(one => one.topics))].sort(),
    events: events.includes(null) ? null : leastOf(events.flatMap(patterns => patterns ?? [])),
  }
}

/** Whether who asks for `wide` hears everything that `narrow` wants. */
export function covers(wide: Wants, narrow: Wants): boolean {
  return (
    narrow.topics.every(topic => wide.topics.includes(topic)) &&
    (wide.events === null || (narrow.events?.every(pattern => isAmong(wide.events, pattern)) ?? false))
  )
}

/** What is sent as `eventTypes`; undefined where all events are wanted, none, or too many types to name even their nouns. */
export function eventTypesOf({ topics, events }: Wants): string | undefined {
  if (events === null || !topics.includes('events')) return undefined
  const named = events.join(',')
  if (named.length <= mostChars) return named
  const nouns = leastOf(events.map(pattern => `${nounOf(pattern)}.*`)).join(',')
  return nouns.length <= mostChars ? nouns : undefined
}

/** Whether a message is for who wants this. Of the stream itself (`ready`, `end`) nobody hears. */
export function hears({ topics, events }: Wants, message: LiveMessage): boolean {
  if (message.event === 'request') return topics.includes('requests')
  if (message.event === 'conversation') return topics.includes('conversations')
  if (message.event === 'gap') return topics.includes(message.data.topic)
  return message.event === 'event' && topics.includes('events') && isAmong(events, message.data.type)
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

const nounOf = (pattern: string) => pattern.slice(0, pattern.indexOf('.'))
