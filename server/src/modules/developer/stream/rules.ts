// Rules of the stream: what its parameters mean, and which rows of a log a reader is sent. Who may see what is what the
// lists of requests and events say.
import type { Permission } from '../../../kernel/values/permission.ts'
import { typeFilter, visibleNouns, visibleUser } from '../rules.ts'
import type { TopicName } from './position.ts'

/** What a topic is read with. */
export const topicPermissions: Record<TopicName, Permission> = {
  requests: 'requests:read',
  events: 'events:read',
  conversations: 'conversations:read',
}

/** What the rules look at in a logged request. */
export type RequestFacts = { user_id: number | null; endpoint_id: string | null; status: number; source: string }

/** The words of a list with commas between; undefined when none was sent. */
export function words(list: string | undefined): string[] | undefined {
  return list === undefined ? undefined : [...new Set(list.split(','))]
}

/**
 * The requests a reader is sent. The opening of a stream is in the log but on no stream: a program that connects again at
 * every message would never come to rest.
 */
export function requestFilter(
  reader: Parameters<typeof visibleUser>[0],
  sources: readonly string[] | undefined,
): (row: RequestFacts) => boolean {
  const user = visibleUser(reader)
  return row =>
    (user === null || row.user_id === user) &&
    (sources === undefined || sources.includes(row.source)) &&
    !(row.endpoint_id === 'stream.open' && row.status === 200)
}

/** The events a reader is sent: of nouns they may read, and of one of the types where any are named. */
export function eventFilter(
  held: ReadonlySet<Permission>,
  vocabulary: readonly string[],
  types: readonly string[] | undefined,
): (row: { type: string }) => boolean {
  const nouns = visibleNouns(held, vocabulary)
  const wanted = types?.map(typeFilter)
  return ({ type }) => {
    const noun = type.split('.', 1)[0] as string
    if (nouns !== null && !nouns.includes(noun)) return false
    return wanted === undefined || wanted.some(one => one.exact === type || one.noun === noun)
  }
}
