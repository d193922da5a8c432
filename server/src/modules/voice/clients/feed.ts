// What browsers hear of their calls: one poller a tenant and node for all that are connected there, hurried by hints. It says
// too that they are there, every few seconds; nobody is connected: nothing runs.
import type { Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { ClientLegRow } from './rules.ts'
import { listClientLegs, register, sweep, unregister } from './store.ts'

/** A browser that is connected. */
export type PhoneListener = {
  readonly id: string
  /** Whose calls it hears of. */
  readonly hears: readonly string[]
  /** For whom it rings. */
  readonly rings: readonly string[]
  /** The calls it is to hear of, all of them, as they stand. */
  take(rows: readonly ClientLegRow[]): void
}

export type PhoneFeeds = {
  /** @throws Problem `unavailable` when the database does not answer */
  join(scope: Scope, listener: PhoneListener): Promise<void>
  /** Looks now. */
  look(scope: Scope): void
  leave(scope: Scope, listener: PhoneListener): void
}

/** The hint that something about a call of a browser has changed. */
export const phoneHint = 'client_phones'

/** Far below the half second that a call may take to ring; hints make it shorter. */
const pollMs = 200
const beatMs = 5_000

type Feed = {
  readonly scope: Scope
  readonly listeners: Set<PhoneListener>
  timer: NodeJS.Timeout
  unhint: () => void
  isLooking: boolean
  isWanted: boolean
  beatAtMs: number
  isFailing: boolean
}

const perNode = new WeakMap<Services, PhoneFeeds>()

/** The feeds of this node. */
export function phoneFeedsOf(services: Services): PhoneFeeds {
  const known = perNode.get(services)
  if (known !== undefined) return known
  const made = createFeeds(services)
  perNode.set(services, made)
  return made
}

function createFeeds(services: Services): PhoneFeeds {
  const { db, log } = services
  const feeds = new Map<number, Feed>()

  function open(scope: Scope): Feed {
    const feed: Feed = {
      scope,
      listeners: new Set(),
      timer: setInterval(() => look(feed), pollMs),
      unhint: services.onWake(phoneHint, () => look(feed)),
      isLooking: false,
      isWanted: false,
      beatAtMs: performance.now() + beatMs,
      isFailing: false,
    }
    feed.timer.unref()
    feeds.set(scope.tenantId, feed)
    return feed
  }

  function look(feed: Feed): void {
    feed.isWanted = true
    if (!feed.isLooking) void run(feed)
  }

  async function run(feed: Feed): Promise<void> {
    feed.isLooking = true
    while (feed.isWanted && feed.listeners.size > 0) {
      feed.isWanted = false
      try {
        await lookOnce(feed)
        feed.isFailing = false
      } catch (error) {
        if (!feed.isFailing) log.warn({ err: error }, 'phones in browsers cannot be informed of their calls')
        feed.isFailing = true
      }
    }
    feed.isLooking = false
  }

  async function lookOnce({ scope, listeners, ...feed }: Feed): Promise<void> {
    const identities = [...new Set([...listeners].flatMap(listener => listener.hears))]
    const isBeating = performance.now() >= feed.beatAtMs
    const rows = await db.inTenant(scope, async tx => {
      if (isBeating) {
        await register(tx, scope, registrationsOf(listeners))
        await sweep(tx, scope)
      }
      return listClientLegs(tx, scope, identities)
    })
    const known = feeds.get(scope.tenantId)
    if (isBeating && known !== undefined) known.beatAtMs = performance.now() + beatMs
    for (const listener of listeners) listener.take(rows.filter(row => listener.hears.includes(row.identity)))
  }

  return {
    async join(scope, listener) {
      await db.inTenant(scope, tx => register(tx, scope, registrationsOf([listener])))
      const feed = feeds.get(scope.tenantId) ?? open(scope)
      feed.listeners.add(listener)
    },
    look(scope) {
      const feed = feeds.get(scope.tenantId)
      if (feed !== undefined) look(feed)
    },
    leave(scope, listener) {
      const feed = feeds.get(scope.tenantId)
      feed?.listeners.delete(listener)
      if (feed?.listeners.size === 0) {
        clearInterval(feed.timer)
        feed.unhint()
        feeds.delete(scope.tenantId)
      }
      // Where this fails it counts as gone a little later.
      db.inTenant(scope, tx => unregister(tx, scope, listener.id)).catch(error =>
        log.debug({ err: error }, 'a phone could not be signed off'),
      )
    },
  }
}

function registrationsOf(listeners: Iterable<PhoneListener>) {
  return [...listeners].flatMap(({ id, rings }) => rings.map(identity => ({ id, identity })))
}
