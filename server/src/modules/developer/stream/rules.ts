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

/** Which events a reader is sent: all of these nouns (null: of every noun), and those of these types. */
export type Chosen = {
  readonly nouns: readonly string[] | null
  readonly types: readonly string[]
  /** Of texts and calls only those from or to these numbers; null for all. */
  readonly numbers: readonly string[] | null
}

/** Nouns whose events say from whom to whom something went. */
export const exchanged: readonly string[] = ['message', 'call']

/** Of nouns they may read, and of the types and numbers where any are named; undefined for all there are. */
export function chosenEvents(
  held: ReadonlySet<Permission>,
  vocabulary: readonly string[],
  { types, numbers = null }: { types: readonly string[] | undefined; numbers?: readonly string[] | null | undefined },
): Chosen | undefined {
  const visible = visibleNouns(held, vocabulary)
  if (types === undefined && visible === null && numbers === null) return undefined
  if (types === undefined) return { nouns: visible, types: [], numbers }
  const sees = (type: string) => visible === null || visible.includes(nounOf(type))
  const wanted = types.map(typeFilter)
  return {
    nouns: wanted.flatMap(({ noun }) => (noun !== null && sees(noun) ? noun : [])),
    types: wanted.flatMap(({ exact }) => (exact !== null && sees(exact) ? exact : [])),
    numbers,
  }
}

/** Whether events of messages may be among those chosen. */
export function hearsMessages(chosen: Chosen | undefined): boolean {
  if (chosen === undefined || chosen.nouns === null) return true
  return chosen.nouns.includes('message') || chosen.types.some(type => nounOf(type) === 'message')
}

/** Whether an event is among those chosen. Every reader is asked of every event: of each type it is found out once. */
export function eventFilter(chosen: Chosen | undefined): (row: { type: string; data: unknown }) => boolean {
  if (chosen === undefined) return () => true
  const { nouns, types, numbers } = chosen
  const known = new Map<string, boolean | 'by number'>()
  const answerTo = (type: string) => {
    const noun = nounOf(type)
    const passes = nouns === null || nouns.includes(noun) || types.includes(type)
    return passes && numbers !== null && exchanged.includes(noun) ? 'by number' : passes
  }
  return ({ type, data }) => {
    let answer = known.get(type)
    if (answer === undefined) {
      answer = answerTo(type)
      known.set(type, answer)
    }
    if (answer !== 'by number') return answer
    const { from, to } = (data ?? {}) as { from?: unknown; to?: unknown }
    return numbers?.some(number => number === from || number === to) === true
  }
}

const nounOf = (type: string) => type.split('.', 1)[0] as string
