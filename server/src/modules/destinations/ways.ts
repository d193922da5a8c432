// The ways by which calls leave: a trunk and what a minute by it costs. Ceilings of trunks, and what calls may cost a day, are asked
// here, in the transaction that marks a call as dialled; minute by minute while it lasts (spending.ts).
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { readingsOf } from './ranges.ts'
import {
  type CeilingRefusal,
  type DestinationRefusal,
  defaultPolicy,
  hasCallCeiling,
  organizationSubject,
  type Policy,
  refusalOf,
  spendRefusal,
  trunkRefusal,
} from './rules.ts'
import {
  countCall,
  findCallSpend,
  findPolicies,
  insertCallSpend,
  lockUsage,
  type Price,
  removeCallSpend,
  returnSpend,
  setTrunk,
  takeSpendIn,
  type UsageRow,
} from './store.ts'

/** A trunk, or null where none is needed, and what a minute costs. */
export type Way = { trunkId: string | null; price: Price }
/** A call that is about to leave, and the API key it was asked for with. */
export type Leaving = { callId: string; keyId: string | null }

export type Ways = {
  /** Why a trunk does not take calls to a number or address. */
  against(trunkId: string, to: string): DestinationRefusal | undefined
  /** The ceiling that one more call would break; undefined where it may leave. Nothing is counted. */
  reached(call: Leaving, way: Way): CeilingRefusal | undefined
  /** The same, and counts the call where there is none: in the day, by the trunk, and its first minute as spent. */
  take(call: Leaving, way: Way): Promise<CeilingRefusal | undefined>
}

type Asked = {
  mode: 'live' | 'test'
  keyIds: readonly (string | null)[]
  trunkIds: readonly string[]
  nowMs: number
  /** Whether any of the ways costs anything. */
  isPriced: boolean
  /** Where they were read in this transaction: at least those of these keys and trunks and the organization's. */
  policies?: readonly Policy[]
  /** Calls of which something is taken already, which is given back first: they try another way. */
  again?: string
}

/**
 * Asks what holds for calls by these keys and trunks. Where there are ceilings, nobody else is counted against them until the
 * transaction ends: to be called before anything else is locked that others may want with them.
 */
export async function waysOut(tx: Tx, scope: Scope, asked: Asked): Promise<Ways> {
  const { mode, trunkIds, nowMs, isPriced, again } = asked
  const keyIds = [...new Set(asked.keyIds.filter(keyId => keyId !== null))]
  const [found, before] = await Promise.all([
    asked.policies ?? findPolicies(tx, scope, [organizationSubject, ...keyIds, ...trunkIds]),
    again === undefined ? [] : findCallSpend(tx, scope, [again]),
  ])
  const of = new Map<string, Policy>(found.map(policy => [policy.subject, policy]))
  const policyOf = (subject: string | null) => {
    if (subject === null) return undefined
    return of.get(subject) ?? (subject === organizationSubject ? defaultPolicy(mode) : undefined)
  }
  const limitsSpend = (policy: Policy | undefined) => isPriced && policy !== undefined && policy.daily_spend !== null
  const limited = [organizationSubject, ...keyIds, ...trunkIds].filter(subject => {
    const policy = policyOf(subject)
    return limitsSpend(policy) || (trunkIds.includes(subject) && policy !== undefined && hasCallCeiling(policy))
  })
  const usage = await lockInOrder(tx, scope, [...limited, ...before.flatMap(row => row.subjects)], nowMs)
  if (before.length > 0) {
    await giveBack(tx, scope, before, usage)
    await removeCallSpend(tx, scope, [again as string])
  }

  const spenders = ({ keyId }: Leaving, { trunkId, price }: Way) =>
    (price.micros ?? 0) === 0
      ? []
      : [organizationSubject, keyId, trunkId].map(policyOf).filter(policy => policy?.daily_spend != null)
  const counter = ({ trunkId }: Way) =>
    [policyOf(trunkId)].filter(policy => policy !== undefined && hasCallCeiling(policy))

  function reached(call: Leaving, way: Way): CeilingRefusal | undefined {
    for (const policy of counter(way) as Policy[]) {
      const refusal = trunkRefusal(policy, usage.get(policy.subject)!)
      if (refusal !== undefined) return refusal
    }
    for (const policy of spenders(call, way) as Policy[]) {
      const refusal = spendRefusal(policy, usage.get(policy.subject)!, way.price)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }

  return {
    against(trunkId, to) {
      const policy = of.get(trunkId)
      return policy && refusalOf([policy], readingsOf(to, null))
    },
    reached,
    async take(call, way) {
      const { price, trunkId } = way
      const spending = spenders(call, way) as Policy[]
      const counting = counter(way) as Policy[]
      // Spend that is refused is reported by an event; other ceilings were reported when their last place was taken.
      const early = reached(call, way)
      if (early !== undefined && early.ceiling !== 'daily_spend') return early
      if (spending.length > 0) {
        const refused = (await takeSpendIn(tx, scope, spending, [price], nowMs)).get(0)
        if (refused !== undefined) return refused
        const { micros, currency } = price as { micros: number; currency: string }
        const subjects = spending.map(policy => policy.subject)
        const { day } = usage.get(subjects[0] as string)!
        await insertCallSpend(tx, scope, { call_id: call.callId, rate_micros: micros, currency, subjects, day })
        for (const subject of subjects) addSpend(usage.get(subject)!, currency, micros)
      }
      if (counting.length > 0) {
        await countCall(tx, scope, counting, nowMs)
        // So that it counts for the next one of this transaction.
        await setTrunk(tx, scope, call.callId, trunkId)
        for (const { subject } of counting) addCall(usage.get(subject)!)
      }
      return undefined
    },
  }
}

function addSpend({ spend }: UsageRow, currency: string, micros: number): void {
  spend[currency] = (spend[currency] ?? 0) + micros
}

function addCall(used: UsageRow): void {
  used.calls++
  used.active++
}

const rank = (subject: string) => (subject === organizationSubject ? 0 : subject.startsWith('key_') ? 1 : 2)

/** What was used by these, locked in the one order that keeps transactions from waiting for each other. */
export async function lockInOrder(
  tx: Tx,
  scope: Scope,
  subjects: readonly string[],
  nowMs: number,
): Promise<Map<string, UsageRow>> {
  const ordered = [...new Set(subjects)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  const rows = ordered.length === 0 ? [] : await lockUsage(tx, scope, ordered, nowMs)
  return new Map(rows.map(row => [row.subject, row]))
}

type Taken = { rate_micros: number; currency: string; minutes: number; subjects: readonly string[]; day: string }

/** Gives back what was taken for these calls beyond so many minutes each, of locked subjects. */
export async function giveBack(
  tx: Tx,
  scope: Scope,
  taken: readonly (Taken & { used?: number })[],
  usage?: Map<string, UsageRow>,
): Promise<void> {
  const parts = taken.flatMap(({ rate_micros, currency, minutes, subjects, day, used = 0 }) =>
    subjects.map(subject => ({ subject, day, currency, micros: (minutes - used) * rate_micros })),
  )
  const some = parts.filter(({ micros }) => micros !== 0)
  if (some.length > 0) await returnSpend(tx, scope, some)
  for (const { subject, day, currency, micros } of some) {
    const now = usage?.get(subject)
    if (now?.day === day) now.spend[currency] = Math.max(0, (now.spend[currency] ?? 0) - micros)
  }
}
