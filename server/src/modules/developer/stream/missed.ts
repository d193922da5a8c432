// What a reader missed while it was away: the rows that are its own, or why they cannot be sent. Others may be many times as many; they do
// not count, and the database leaves them out where it can.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { type Item, itemsOf, partly, whole } from './feed.ts'
import { type Moment, type Position, type TopicName, wentBack } from './position.ts'
import { idTime, readBehind } from './store.ts'
import { type Filters, type LogRow, topics } from './topics.ts'

/** Missed rows that are sent to a reader; more is a gap, to be read from the list. */
const maxMissed = 1_000
/** Rows of the tenant that are looked at for them: here, and by the database, where it can say which are the reader's. */
const maxLookedAt = { here: 20_000, there: 100_000 }
const pageRows = 500

export type Why = 'too_many' | 'too_old' | 'database_restored'
export type Message = { topic: TopicName; event: string; data: string; place: string }
type Reader = { services: Services; principal: Principal; wanted: Filters }

/** Those of the items that are the reader's, as messages. */
export function messagesOf(topic: TopicName, items: readonly Item[], isMine: (row: LogRow) => boolean): Message[] {
  const mine = items.filter(item => isMine(item.row))
  return mine.map(item => ({ topic, event: topics[topic].event, data: item.json(), place: item.place() }))
}

/** Everything the reader missed in a topic, or why that cannot be sent. */
export async function readMissed(
  { services, principal, wanted }: Reader,
  topic: TopicName,
  isMine: (row: LogRow) => boolean,
  start: Position,
  end: Moment,
): Promise<Message[] | Why> {
  if (start.atMs < idTime() - topics[topic].keptMs) return 'too_old'
  const messages: Message[] = []
  const chosen = topics[topic].chosen?.(principal, wanted)
  const most = chosen === undefined ? maxLookedAt.here : maxLookedAt.there
  let from = start
  for (let lookedAt = 0; ; ) {
    const upTo = from.within ?? end
    const page = await services.db.inTenant(principal, tx =>
      readBehind<LogRow>(tx, principal, topics[topic], from, upTo.snapshot, pageRows, { chosen }),
    )
    const { rows, snapshot, isFull } = page
    if (wentBack(snapshot, from.snapshot)) return 'database_restored'
    messages.push(...messagesOf(topic, itemsOf(topic, principal.mode, from, rows, upTo, isFull), isMine))
    lookedAt += page.lookedAt
    if (messages.length > maxMissed || (isFull && lookedAt >= most)) return 'too_many'
    if (!isFull && upTo === end) return messages
    from = isFull ? partly(from, upTo, rows.at(-1) as LogRow) : whole(upTo)
  }
}
