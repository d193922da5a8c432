// One reader of the stream: what it missed while it was away, then what comes, each row once. What comes while it is still
// being sent what it missed waits behind that.

import type { Principal } from '../../../kernel/access/principal.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { Sink, StreamSource } from '../../../kernel/endpoint/stream.ts'
import { feedsOf, type Listener, whole } from './feed.ts'
import { type Message, messagesOf, readMissed, type Why } from './missed.ts'
import { joinPositions, type Moment, type Position, positionText, type TopicName } from './position.ts'
import { hearsMessages } from './rules.ts'
import { lateMs } from './store.ts'
import { type Filters, topics } from './topics.ts'
import { createTurns } from './turns.ts'

export type Wanted = Filters & {
  topics: readonly TopicName[]
  /** Where the reader was, for those topics it was sent before. */
  resume: ReadonlyMap<TopicName, Position>
}

/** What may wait for a reader; beyond it, the reader is slow. Readers share the items that wait. */
const maxWaiting = { count: 5_000, bytes: 32 * 1024 * 1024 }

/** What a feed reads for a reader. */
function heardBy(principal: Principal, wanted: Wanted): Pick<Listener, 'topics' | 'hearsMessages'> {
  const ofMessages = wanted.topics.includes('events') && hearsMessages(topics.events.chosen?.(principal, wanted))
  return { topics: wanted.topics, hearsMessages: ofMessages }
}

/**
 * Joins the feed of the reader's tenant. Messages flow from `start` on, beginning with `ready`.
 * @throws Problem `unavailable` when the database does not answer
 */
export async function openListener(services: Services, principal: Principal, wanted: Wanted): Promise<StreamSource> {
  const feeds = feedsOf(services)
  const filters = new Map(wanted.topics.map(name => [name, topics[name].filter(principal, wanted)] as const))
  /** Where the reader is, by topic. */
  const places = new Map<TopicName, string>()
  let joinedAt: ReadonlyMap<TopicName, Moment> = new Map()
  let sink: Sink | undefined
  let isUpToDate = false
  /** Whether rows that are not the reader's lie between what it knows of its place and where it is. */
  let passedOver = false
  const turns = createTurns(() => (isUpToDate ? sink : undefined))

  const lastId = () => joinPositions(places.values())

  function write({ topic, event, data, place }: Message): void {
    places.set(topic, place)
    passedOver = false
    sink?.send({ event, data, id: lastId() })
  }

  function sendGap(topic: TopicName, from: Moment, to: Moment, reason: Why): void {
    const data = { topic, after: new Date(from.atMs - lateMs).toISOString(), reason }
    write({ topic, event: 'gap', data: JSON.stringify(data), place: positionText(topic, whole(to)) })
  }

  const listener: Listener = {
    ...heardBy(principal, wanted),
    joined(moments) {
      joinedAt = moments
      for (const topic of wanted.topics) {
        const position = wanted.resume.get(topic) ?? (moments.get(topic) as Moment)
        places.set(topic, positionText(topic, position))
      }
    },
    take(topic, items, place) {
      const mine = messagesOf(topic, items, filters.get(topic)!)
      for (const message of mine) turns.add(message.data.length, () => write(message))
      turns.add(0, () => {
        places.set(topic, place)
        passedOver ||= mine.length < items.length
      })
      const { count, bytes } = turns.waiting()
      if (count > maxWaiting.count || bytes > maxWaiting.bytes) sink?.end('slow')
    },
    lost(topic, moment) {
      turns.add(0, () => sendGap(topic, moment, moment, 'database_restored'))
    },
  }

  async function catchUp(): Promise<void> {
    for (const [topic, start] of wanted.resume) {
      const end = joinedAt.get(topic) as Moment
      const found = await readMissed({ services, principal, wanted }, topic, filters.get(topic)!, start, end)
      if (typeof found === 'string') sendGap(topic, start, end, found)
      else {
        for (const message of found) {
          await sink?.drained()
          write(message)
        }
        places.set(topic, positionText(topic, whole(end)))
      }
    }
    isUpToDate = true
    turns.go()
  }

  await feeds.join(principal, principal.mode, listener, wanted.resume.size > 0)

  return {
    start(given) {
      sink = given
      sink.send({ event: 'ready', data: JSON.stringify({ topics: wanted.topics }), id: lastId() })
      catchUp().catch(error => {
        services.log.warn({ err: error, tenantId: principal.tenantId }, 'sending a reader what it missed')
        sink?.end('unavailable')
      })
    },
    stop: () => feeds.leave(principal, listener),
    moved: () => passedOver,
    lastId() {
      passedOver = false
      return lastId()
    },
  }
}
