// Decisions about carriers: in what state one is by the last report of its links, and which way a message takes.
import type { Route } from '../directory.ts'
import type { Candidate } from '../routing.ts'
import type { LinkCounters, LinkRole, LinkState } from './kind.ts'

export type LinkRow = {
  carrier_id: string
  link: number
  role: LinkRole
  state: LinkState
  state_since: string
  last_error: string | null
  counters: LinkCounters
  updated_at: string
}

/** A report older than this holds no more. */
export const linkStaleMs = 15_000

/** A link as it is now: down when the process that held it fell silent. */
export function presentState({ state, updated_at }: Pick<LinkRow, 'state' | 'updated_at'>, nowMs: number): LinkState {
  return state !== 'stopped' && nowMs - Date.parse(updated_at) > linkStaleMs ? 'down' : state
}

export const carrierStates = ['up', 'degraded', 'throttled', 'connecting', 'down', 'disabled'] as const
export type CarrierState = (typeof carrierStates)[number]

/**
 * The state of a carrier by those of its links: `up` when all are, `degraded` when some that it needs are not,
 * `throttled` while the carrier slows it down, `connecting` before the first attempt has ended.
 */
export function carrierState(enabled: boolean, links: readonly { state: LinkState }[]): CarrierState {
  if (!enabled) return 'disabled'
  const states = new Set(links.map(link => link.state))
  const isUp = states.has('up') || states.has('throttled')
  if (isUp && (states.has('down') || states.has('connecting') || states.has('stopped'))) return 'degraded'
  if (states.has('throttled')) return 'throttled'
  if (isUp) return 'up'
  return states.has('down') ? 'down' : 'connecting'
}

export type RoutingStep = {
  carrierId: string
  name: string
  position: number | null
  prefix: string | null
  priority: number | null
  cost: string | null
  state: CarrierState
  reason: string
}

/**
 * Which way a message would take, explained for people.
 * @param candidates those that take it, first choice first
 */
export function explainRouting(
  carriers: readonly { id: string; name: string; state: CarrierState }[],
  candidates: readonly Candidate[],
): RoutingStep[] {
  const fitting = candidates.flatMap((candidate, index) => {
    const carrier = carriers.find(({ id }) => id === candidate.carrierId)
    if (carrier === undefined) return []
    const { prefix, priority, cost } = candidate.route
    const reason = reasonOf(candidate, index, candidates)
    return [
      {
        carrierId: carrier.id,
        name: carrier.name,
        position: index + 1,
        prefix,
        priority,
        cost,
        state: carrier.state,
        reason,
      },
    ]
  })
  const known = new Set(fitting.map(step => step.carrierId))
  const others = carriers
    .filter(({ id }) => !known.has(id))
    .map(({ id, name, state }) => ({
      carrierId: id,
      name,
      position: null,
      prefix: null,
      priority: null,
      cost: null,
      state,
      reason: state === 'disabled' ? 'It is switched off.' : 'None of its routes has a prefix that fits the number.',
    }))
  return [...fitting, ...others]
}

function reasonOf(candidate: Candidate, index: number, candidates: readonly Candidate[]): string {
  const prefix = (route: Route) => (route.prefix === '' ? 'every destination' : route.prefix)
  const fits = `Its route for ${prefix(candidate.route)} fits.`
  const before = candidates[index - 1]
  const waits = candidate.up
    ? ''
    : ' None of its links is up: messages wait for it only while no other carrier takes them.'
  if (before === undefined)
    return `${fits}${waits}${candidate.up && candidates.length > 1 ? ' It is the first choice.' : ''}`
  return `${fits}${waits} It comes after ${before.carrierId}, ${differenceOf(before, candidate)}.`
}

function differenceOf(before: Candidate, after: Candidate): string {
  if (before.up !== after.up) return 'which has a link that is up'
  if (before.route.prefix.length !== after.route.prefix.length) return 'whose prefix fits more closely'
  if (before.route.priority !== after.route.priority)
    return `whose priority ${before.route.priority} goes before ${after.route.priority}`
  if (before.costMicros !== after.costMicros) return 'which is cheaper'
  return 'which is older'
}
