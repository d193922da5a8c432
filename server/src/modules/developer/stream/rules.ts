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

/** Which events a reader is sent: all of these nouns, and those of these types. */
export type Chosen = { readonly nouns: readonly string[]; readonly types: readonly string[] }

/** Of nouns they may read, and of the types where any are named; undefined for all there are. */
export function chosenEvents(
  held: ReadonlySet<Permission>,
  vocabulary: readonly string[],
  types: readonly string[] | undefined,
): Chosen | undefined {
  const visible = visibleNouns(held, vocabulary)
  if (types === undefined) return visible === null ? undefined : { nouns: visible, types: [] }
  const sees = (type: string) => visible === null || visible.includes(nounOf(type))
  const wanted = types.map(typeFilter)
  return {
    nouns: wanted.flatMap(({ noun }) => (noun !== null && sees(noun) ? noun : [])),
    types: wanted.flatMap(({ exact }) => (exact !== null && sees(exact) ? exact : [])),
  }
}

/** Whether an event is among those chosen. Every reader is asked of every event: of each type it is found out once. */
export function eventFilter(chosen: Chosen | undefined): (row: { type: string }) => boolean {
  if (chosen === undefined) return () => true
  const { nouns, types } = chosen
  const known = new Map<string, boolean>()
  return ({ type }) => {
    let passes = known.get(type)
    if (passes === undefined) {
      passes = types.includes(type) || nouns.includes(nounOf(type))
      known.set(type, passes)
    }
    return passes
  }
}

const nounOf = (type: string) => type.split('.', 1)[0] as string
