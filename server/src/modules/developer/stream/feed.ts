// One poller a tenant and node, for all who listen there: it reads what was committed since it last looked, whichever node
// wrote it, and hands it on. Nobody listens: nothing runs. Polling costs the database one small query 2.5 times a second
// and costs writers nothing, where NOTIFY would make every commit of every tenant wait for one lock.
import type { Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { handOut } from './hand_out.ts'
import { type Moment, type Position, positionText, type TopicName, wentBack } from './position.ts'
import { idTime, readBehind, readMoment } from './store.ts'
import { type LogRow, topics } from './topics.ts'

/** A row on its way to any number of listeners. */
export type Item = {
  row: LogRow
  /** The item as JSON, made once for all. */
  json(): string
  /** The position of a reader that was sent everything up to this row, as text. */
  place(): string
}

export type Listener = {
  readonly topics: readonly TopicName[]
  /** Whether events of messages are among what it wants: many, and each is made when it is read. */
  readonly hearsMessages: boolean
  /** Called once, when the listener hears everything committed after these moments. */
  joined(moments: ReadonlyMap<TopicName, Moment>): void
  /** @param place where a reader is behind the whole batch, whether or not it saw any of it */
  take(topic: TopicName, items: readonly Item[], place: string): void
  /** The database went back in time: what was committed up to this moment cannot be distinguished. */
  lost(topic: TopicName, moment: Moment): void
}

export type Feeds = {
  /**
   * Begins to listen. @param fresh the moments must lie after this call, so that they are behind any position from elsewhere
   * @throws Problem `unavailable` when the database does not answer
   */
  join(scope: Scope, mode: 'live' | 'test', listener: Listener, fresh: boolean): Promise<void>
  leave(scope: Scope, listener: Listener): void
}

const pollEveryMs = 400
/** A tenant with much traffic is read less often, so that reading takes about a fifth of one connection, up to a bound. */
const restPerWork = 4
const longestRestMs = 1_500
const pageRows = 500

type Feed = {
  readonly scope: Scope
  readonly mode: 'live' | 'test'
  readonly positions: Map<TopicName, Position>
  readonly beginning: Map<TopicName, Promise<void>>
  /** Those that are joining have no place yet, but count as listeners. */
  readonly joining: Set<Listener>
  readonly listeners: Set<Listener>
  polling: Promise<void> | undefined
  /** Polls begun so far, and the last of them that was finished. */
  begun: number
  finished: number
  timer: ReturnType<typeof setTimeout> | undefined
  /** Whether the last poll that was begun reads events of messages. */
  readsMessages: boolean
  /** Whether the last poll failed; only the first of a row is logged. */
  failing: boolean
}

type Reader = Pick<Services, 'db' | 'log'>

const perNode = new WeakMap<Services, Feeds>()

/** The feeds of this node. */
export function feedsOf(services: Services): Feeds {
  const known = perNode.get(services)
  if (known !== undefined) return known
  const made = createFeeds(services)
  perNode.set(services, made)
  return made
}

function createFeeds(services: Services): Feeds {
  const feeds = new Map<number, Feed>()

  return {
    async join(scope, mode, listener, fresh) {
      const feed = feeds.get(scope.tenantId) ?? newFeed(scope, mode)
      feeds.set(scope.tenantId, feed)
      feed.joining.add(listener)
      try {
        await Promise.all(listener.topics.map(topic => begin(feed, topic, services)))
        // A poll that is under way may have been begun without what this one wants.
        if (fresh || (listener.hearsMessages && !feed.readsMessages)) await freshlyPolled(feed, services)
        // In one go with what follows, so that no batch falls between the moments and the listening.
        listener.joined(new Map(listener.topics.map(topic => [topic, feed.positions.get(topic) as Position])))
        feed.listeners.add(listener)
        feed.timer ??= schedule(feed, services, pollEveryMs)
      } finally {
        feed.joining.delete(listener)
        tidyUp(feeds, feed)
      }
    },
    leave(scope, listener) {
      const feed = feeds.get(scope.tenantId)
      if (feed?.listeners.delete(listener)) tidyUp(feeds, feed)
    },
  }
}

function newFeed(scope: Scope, mode: 'live' | 'test'): Feed {
  return {
    scope,
    mode,
    positions: new Map(),
    beginning: new Map(),
    joining: new Set(),
    listeners: new Set(),
    polling: undefined,
    begun: 0,
    finished: 0,
    timer: undefined,
    readsMessages: false,
    failing: false,
  }
}

/** Reads no more what nobody listens to. */
function tidyUp(feeds: Map<number, Feed>, feed: Feed): void {
  const wanted = new Set([...feed.joining, ...feed.listeners].flatMap(listener => listener.topics))
  for (const topic of [...feed.positions.keys()]) if (!wanted.has(topic)) feed.positions.delete(topic)
  if (feed.joining.size > 0 || feed.listeners.size > 0) return
  clearTimeout(feed.timer)
  feeds.delete(feed.scope.tenantId)
}

async function begin(feed: Feed, topic: TopicName, { db }: Reader): Promise<void> {
  if (feed.positions.has(topic)) return
  let beginning = feed.beginning.get(topic)
  if (beginning === undefined) {
    beginning = readMoment(db)
      .then(moment => void feed.positions.set(topic, moment))
      .finally(() => feed.beginning.delete(topic))
    feed.beginning.set(topic, beginning)
  }
  await beginning
}

/** Resolves behind a poll that began after this call. */
async function freshlyPolled(feed: Feed, reader: Reader): Promise<void> {
  const before = feed.begun
  while (feed.finished <= before) await (feed.polling ?? pollOnce(feed, reader))
}

function schedule(feed: Feed, reader: Reader, afterMs: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(() => void poll(), afterMs)
  timer.unref()
  return timer

  async function poll(): Promise<void> {
    const startedMs = performance.now()
    try {
      await (feed.polling ?? pollOnce(feed, reader))
      feed.failing = false
    } catch (error) {
      if (!feed.failing) reader.log.warn({ err: error, tenantId: feed.scope.tenantId }, 'reading for streams')
      feed.failing = true
    }
    if (feed.listeners.size === 0) {
      feed.timer = undefined
      return
    }
    const restMs = Math.min(longestRestMs, restPerWork * (performance.now() - startedMs))
    feed.timer = schedule(feed, reader, Math.max(pollEveryMs, restMs))
  }
}

function pollOnce(feed: Feed, reader: Reader): Promise<void> {
  const number = ++feed.begun
  feed.polling = readAll(feed, reader)
    .then(() => {
      feed.finished = number
    })
    .finally(() => {
      feed.polling = undefined
    })
  return feed.polling
}

/** Reads until nothing is left of what was committed when the poll began. */
async function readAll(feed: Feed, { db }: Reader): Promise<void> {
  let more = [...feed.positions.keys()]
  feed.readsMessages = [...feed.joining, ...feed.listeners].some(listener => listener.hearsMessages)
  const { readsMessages } = feed
  while (more.length > 0) {
    const from = new Map(more.map(topic => [topic, feed.positions.get(topic) as Position]))
    const atMs = idTime()
    const pages = await db.inTenant(feed.scope, tx =>
      Promise.all(
        [...from].map(([topic, position]) =>
          readBehind<LogRow>(tx, feed.scope, topics[topic], position, position.within?.snapshot ?? null, pageRows, {
            skipsMessages: !readsMessages,
          }),
        ),
      ),
    )
    more = []
    for (const [index, [topic, position]] of [...from].entries()) {
      const { rows, snapshot } = pages[index] as { rows: LogRow[]; snapshot: string }
      // The topic was given up, and perhaps begun again, while we read.
      if (feed.positions.get(topic) !== position) continue
      if (await advance(feed, topic, position, rows, { atMs, snapshot })) more.push(topic)
    }
  }
}

/** Moves on behind the rows of one page and hands them out. Returns whether there is more. */
async function advance(feed: Feed, topic: TopicName, from: Position, rows: LogRow[], now: Moment): Promise<boolean> {
  if (wentBack(now.snapshot, from.snapshot)) {
    feed.positions.set(topic, now)
    for (const listener of feed.listeners) if (listener.topics.includes(topic)) listener.lost(topic, now)
    return false
  }
  const upTo = from.within ?? now
  const isFull = rows.length === pageRows
  const items = itemsOf(topic, feed.mode, from, rows, upTo, isFull)
  const behind = isFull ? partly(from, upTo, rows.at(-1) as LogRow) : whole(upTo)
  feed.positions.set(topic, behind)
  const place = positionText(topic, behind)
  const give = (listener: Listener) => listener.topics.includes(topic) && listener.take(topic, items, place)
  await handOut(feed.listeners, give, () => performance.now())
  return isFull
}

/** The rows of a page as items, each with the place behind it. */
export function itemsOf(
  topic: TopicName,
  mode: 'live' | 'test',
  from: Position,
  rows: readonly LogRow[],
  upTo: Moment,
  isFull: boolean,
): Item[] {
  return rows.map((row, index) => {
    const isLast = !isFull && index === rows.length - 1
    return {
      row,
      json: once(() => JSON.stringify(topics[topic].present(row, mode))),
      place: once(() => positionText(topic, isLast ? whole(upTo) : partly(from, upTo, row))),
    }
  })
}

export function partly({ atMs, snapshot }: Moment, upTo: Moment, { id }: LogRow): Position {
  return { atMs, snapshot, within: { atMs: upTo.atMs, snapshot: upTo.snapshot, id } }
}

export function whole({ atMs, snapshot }: Moment): Position {
  return { atMs, snapshot }
}

function once(make: () => string): () => string {
  let made: string | undefined
  return () => {
    made ??= make()
    return made
  }
}
