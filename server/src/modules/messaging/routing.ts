// Which carrier takes a message, and what that costs. Pure.

import { microsOf } from '../../kernel/values/money.ts'
import { isSimulatorNumber } from '../../kernel/values/phone.ts'
import { noCarrier } from './carrier.ts'
import type { Directory, DirectoryCarrier, Route } from './directory.ts'

/** A carrier that would take a message. */
export type Candidate = {
  carrierId: string
  up: boolean
  route: Route
  /** What a segment costs, in millionths of `currency`. */
  costMicros: number
  currency: string
}

/**
 * The carriers that take messages to a number, best first: the longest prefix, then the lowest priority number, then the
 * lowest cost. Those with a link up stand before those without: for them the order says who will get what waits.
 * @param options.only the one carrier the sender may use
 */
export function candidatesFor(
  { carriers }: Pick<Directory, 'carriers'>,
  recipient: string,
  { only = null }: { only?: string | null } = {},
): Candidate[] {
  return carriers
    .filter(carrier => carrier.enabled && (only === null || carrier.id === only))
    .flatMap(carrier => bestOf(carrier, recipient))
    .sort((a, b) => Number(b.up) - Number(a.up) || byRoute(a, b))
}

/** Who takes a message, and what a segment costs there; without a price where nobody is paid. */
export type Way = { carrier: string; costMicros: number | null; currency: string | null }

/**
 * The way of a live message: the best carrier; undefined when none that is switched on has a route. Without any switched on, the
 * virtual handset takes what goes to its own numbers, and nobody what goes to others.
 * @param options.only the one carrier the sender may use
 */
export function liveWay(
  directory: Pick<Directory, 'carriers'>,
  recipient: string,
  options: { only: string | null },
): Way | undefined {
  if (directory.carriers.some(carrier => carrier.enabled)) {
    const [best] = candidatesFor(directory, recipient, options)
    return best && { carrier: best.carrierId, costMicros: best.costMicros, currency: best.currency }
  }
  const carrier = isSimulatorNumber(recipient) ? 'handset' : noCarrier
  return { carrier, costMicros: null, currency: null }
}

/** Whether texts go out at once, when a link is up again, or not at all: nobody carries them. */
export type Reach = 'now' | 'later' | 'never'

/** How texts get to a recipient by the one carrier that a sender may use, or by any. Each is looked at once. */
export function reachOf(directory: Pick<Directory, 'carriers'>, recipient: string): (only: string | null) => Reach {
  const isCarried = directory.carriers.some(carrier => carrier.enabled)
  const known = new Map<string | null, Reach>()
  return only => {
    if (!isCarried) return 'now'
    let reach = known.get(only)
    if (reach === undefined) {
      const [best] = candidatesFor(directory, recipient, { only })
      reach = best === undefined ? 'never' : best.up ? 'now' : 'later'
      known.set(only, reach)
    }
    return reach
  }
}

function bestOf(carrier: DirectoryCarrier, recipient: string): Candidate[] {
  const [best] = carrier.routes
    .filter(route => route.prefix === '+' || recipient.startsWith(route.prefix))
    .map(route => ({
      carrierId: carrier.id,
      up: carrier.up,
      route,
      costMicros: microsOf(route.cost) ?? 0,
      currency: carrier.currency,
    }))
    .sort(byRoute)
  return best === undefined ? [] : [best]
}

function byRoute(a: Candidate, b: Candidate): number {
  return (
    prefixLength(b) - prefixLength(a) ||
    a.route.priority - b.route.priority ||
    a.costMicros - b.costMicros ||
    (a.carrierId < b.carrierId ? -1 : 1)
  )
}

function prefixLength({ route }: Candidate): number {
  return route.prefix === '+' ? 0 : route.prefix.length
}
