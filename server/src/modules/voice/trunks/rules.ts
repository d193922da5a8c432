// Decisions about trunks: in what state one is by what was last reported of it, which trunks a call takes and in what order, and
// why. Pure.
import { microsOf } from '../../../kernel/values/money.ts'
import type { TrunkCounters, TrunkState } from './kind.ts'

/** A trunk takes calls to what starts with the prefix. */
export type Route = {
  /** Digits with + (`+49`); empty for every destination. */
  prefix: string
  /** Lower goes first. */
  priority: number
  /** Share of the calls among trunks of the same prefix and priority. */
  weight: number
  /** What a minute costs, a decimal in the currency of the trunk; nothing when not said. */
  cost?: string
}

export type StateRow = {
  trunk_id: string
  state: TrunkState
  since: string
  last_error: string | null
  counters: TrunkCounters
  updated_at: string
}

/** What a process has not reported for so long is not known any more. */
export const stateStaleMs = 15_000

/** The state of a trunk now: nobody knows it while no process watches the trunk. */
export function presentState(
  enabled: boolean,
  reported: Pick<StateRow, 'state' | 'updated_at'> | undefined,
  nowMs: number,
): TrunkState {
  if (!enabled) return 'disabled'
  if (reported === undefined || reported.state === 'disabled') return 'unknown'
  return nowMs - Date.parse(reported.updated_at) > stateStaleMs ? 'unknown' : reported.state
}

/** A trunk as routing sees it. */
export type RoutedTrunk = { id: string; state: TrunkState; routes: readonly Route[] }

/** A trunk that would take a call. */
export type Candidate = { trunkId: string; state: TrunkState; route: Route; reason: string }

type Fitting = Omit<Candidate, 'reason'>

/** Nothing says that a call would get nowhere. */
const isUsable = ({ state }: Pick<RoutedTrunk, 'state'>) =>
  state === 'up' || state === 'registering' || state === 'unknown'
const isUp = ({ state }: Pick<RoutedTrunk, 'state'>) => state === 'up'

/**
 * The trunks that take a call to a number, first choice first: the longest prefix, then the lowest priority number, then
 * those that are up, then by weight. Trunks that are down come last, whatever their routes: a call would wait half a minute
 * for the silence of each.
 * @param options.draw a random number from 0 up to 1, once for each candidate; without it those of equal rank stand in the
 *   order of their ids
 */
export function trunksFor(
  number: string,
  trunks: readonly RoutedTrunk[],
  { draw }: { draw?: () => number } = {},
): Candidate[] {
  const fitting = trunks
    .filter(({ state }) => state !== 'disabled')
    .flatMap((trunk): Fitting[] => {
      const route = bestRoute(trunk, number)
      return route === undefined ? [] : [{ trunkId: trunk.id, state: trunk.state, route }]
    })
    .sort((a, b) => byRank(a, b) || (a.trunkId < b.trunkId ? -1 : 1))
  const ordered = draw === undefined ? fitting : groupsOf(fitting).flatMap(group => drawn(group, draw))
  return ordered.map((candidate, index) => ({ ...candidate, reason: reasonOf(candidate, index, ordered) }))
}

function bestRoute({ routes }: Pick<RoutedTrunk, 'routes'>, number: string): Route | undefined {
  const fitting = routes.filter(({ prefix }) => number.startsWith(prefix))
  return fitting.reduce<Route | undefined>(
    (best, route) => (best === undefined || byRoute(route, best) < 0 ? route : best),
    undefined,
  )
}

const byRoute = (a: Route, b: Route) => b.prefix.length - a.prefix.length || a.priority - b.priority

function byRank(a: Fitting, b: Fitting): number {
  return Number(isUsable(b)) - Number(isUsable(a)) || byRoute(a.route, b.route) || Number(isUp(b)) - Number(isUp(a))
}

/** What a minute of a call to a number costs by a trunk: that of its route; undefined where it costs nothing. */
export function priceBy(
  { routes, currency }: Pick<RoutedTrunk, 'routes'> & { currency: string },
  number: string,
): { micros: number; currency: string } | undefined {
  const micros = microsOf(bestRoute({ routes }, number)?.cost ?? '0') ?? 0
  return micros === 0 ? undefined : { micros, currency }
}

/** Runs of equal rank. */
function groupsOf(sorted: readonly Fitting[]): Fitting[][] {
  const groups: Fitting[][] = []
  for (const candidate of sorted) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && byRank(last[0], candidate) === 0) last.push(candidate)
    else groups.push([candidate])
  }
  return groups
}

/** One after the other is drawn, each with the chance of its weight. */
function drawn(group: readonly Fitting[], draw: () => number): Fitting[] {
  const left = [...group]
  const order: Fitting[] = []
  while (left.length > 0) {
    let at = draw() * left.reduce((sum, { route }) => sum + route.weight, 0)
    const index = left.findIndex(({ route }) => {
      at -= route.weight
      return at < 0
    })
    order.push(...left.splice(index === -1 ? left.length - 1 : index, 1))
  }
  return order
}

const notUsable: Partial<Record<TrunkState, string>> = {
  down: ' It is down: it is tried only when no other trunk takes the call.',
  unregistered: ' It is not registered: it is tried only when no other trunk takes the call.',
}

function reasonOf(candidate: Fitting, index: number, candidates: readonly Fitting[]): string {
  const { prefix } = candidate.route
  const fits = `Its route for ${prefix === '' ? 'every destination' : prefix} fits.${notUsable[candidate.state] ?? ''}`
  const before = candidates[index - 1]
  if (before === undefined) return candidates.length > 1 ? `${fits} It is the first choice.` : fits
  return `${fits} It comes after ${before.trunkId}, ${differenceOf(before, candidate)}.`
}

function differenceOf(before: Fitting, after: Fitting): string {
  if (isUsable(before) !== isUsable(after)) return 'which is not down'
  if (before.route.prefix.length !== after.route.prefix.length) return 'whose prefix fits more closely'
  if (before.route.priority !== after.route.priority)
    return `whose priority ${before.route.priority} goes before ${after.route.priority}`
  if (isUp(before) !== isUp(after)) return 'which is up'
  const weights = `${before.route.weight} to ${after.route.weight}`
  return `which has the same rank: calls are shared out by weight, ${weights}`
}

export type RoutingStep = {
  trunkId: string
  name: string
  position: number | null
  prefix: string | null
  priority: number | null
  weight: number | null
  cost: string | null
  state: TrunkState
  reason: string
}

/** Which way a call would take, explained for people: the candidates, then the trunks that are none. */
export function explainRouting(
  trunks: readonly { id: string; name: string; state: TrunkState }[],
  candidates: readonly Candidate[],
): RoutingStep[] {
  const names = new Map(trunks.map(({ id, name }) => [id, name]))
  const taken = candidates.map(({ trunkId, state, route, reason }, index) => ({
    trunkId,
    name: names.get(trunkId) ?? trunkId,
    position: index + 1,

    ...route,
    cost: route.cost ?? '0',
    state,
    reason,
  }))
  const known = new Set(candidates.map(({ trunkId }) => trunkId))
  const others = trunks
    .filter(({ id }) => !known.has(id))
    .map(({ id, name, state }) => ({
      trunkId: id,
      name,
      position: null,
      prefix: null,
      priority: null,
      weight: null,
      cost: null,
      state,
      reason: state === 'disabled' ? 'It is switched off.' : 'None of its routes has a prefix that fits the number.',
    }))
  return [...taken, ...others]
}
