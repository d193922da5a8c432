// What a policy says of a destination: pure. A call or text must pass the policy of its organization, that of the API key
// it was asked for with, and that of the trunk it goes by.
import type { ProblemCode } from '../../kernel/values/problem.ts'

/** Kinds of numbers that are shut until a policy opens them. */
export const shutKinds = ['premium_rate', 'shared_cost', 'personal', 'satellite', 'international_network'] as const
export type ShutKind = (typeof shutKinds)[number]
export type NumberKind = ShutKind | 'ordinary'

/** What is known of a number; the country is null where its code belongs to none. */
export type NumberFacts = { readonly number: string; readonly kind: NumberKind; readonly country: string | null }

/** Where a policy holds: everywhere in a tenant, or for one API key or trunk. */
export const organizationSubject = 'organization'

/** A policy as it is stored; null and empty lists limit nothing, but that the organization's opens only the kinds it names. */
export type Policy = {
  subject: string
  /** ISO 3166-1 alpha-2; null: all. */
  countries: readonly string[] | null
  /** Beginnings of numbers with plus; the longest that fits, of both lists, decides before country and kind do. */
  allowed_prefixes: readonly string[]
  blocked_prefixes: readonly string[]
  /** Of the kinds that are shut; null: all, as far as the organization's policy goes. */
  kinds: readonly ShutKind[] | null
  concurrent_calls: number | null
  daily_calls: number | null
  /** Most to be spent a day in millionths, by currency; null: no ceiling. */
  daily_spend: Readonly<Record<string, number>> | null
}

/** What a fresh organization has. In test mode nobody is called, so there only the ranges are shut. */
export function defaultPolicy(mode: 'live' | 'test'): Policy {
  const isLive = mode === 'live'
  return {
    subject: organizationSubject,
    countries: null,
    allowed_prefixes: [],
    blocked_prefixes: [],
    kinds: [],
    concurrent_calls: isLive ? 200 : null,
    daily_calls: isLive ? 10_000 : null,
    daily_spend: null,
  }
}

/** What a policy of a key or trunk says before anything is set: nothing more than the organization's. */
export function openPolicy(subject: string): Policy {
  return { ...defaultPolicy('test'), subject, kinds: null }
}

export const destinationRefusals = ['destination_not_allowed', 'destination_premium'] as const
export type DestinationRefusal = {
  code: (typeof destinationRefusals)[number]
  /** The policy that refuses: `organization`, or the id of a key or trunk. */
  subject: string
  why: 'prefix' | 'kind' | 'country'
  facts: NumberFacts
}

/** What the first of the policies that is against it says; undefined where all let it pass. */
export function refusalOf(
  policies: readonly Policy[],
  readings: readonly NumberFacts[],
): DestinationRefusal | undefined {
  for (const policy of policies) {
    for (const facts of readings) {
      const why = reasonAgainst(policy, facts)
      if (why === undefined) continue
      return {
        code: why === 'kind' ? 'destination_premium' : 'destination_not_allowed',

        why,
        facts,
        subject: policy.subject,
      }
    }
  }
  return undefined
}

function reasonAgainst(policy: Policy, facts: NumberFacts): DestinationRefusal['why'] | undefined {
  const allowed = longest(policy.allowed_prefixes, facts.number)
  const blocked = longest(policy.blocked_prefixes, facts.number)
  if (blocked > 0 && blocked >= allowed) return 'prefix'
  if (allowed > 0) return undefined
  if (facts.kind !== 'ordinary' && policy.kinds?.includes(facts.kind) === false) return 'kind'
  if (policy.countries === null || (facts.country !== null && policy.countries.includes(facts.country)))
    return undefined
  // A kind that belongs to no country is opened by its name.
  if (facts.kind !== 'ordinary' && facts.country === null) return undefined
  return 'country'
}

function longest(prefixes: readonly string[], number: string): number {
  let length = 0
  for (const prefix of prefixes) if (prefix.length > length && number.startsWith(prefix)) length = prefix.length
  return length
}

const kindNames: Record<ShutKind, string> = {
  premium_rate: 'a premium-rate number',
  shared_cost: 'a shared-cost number',
  personal: 'a personal number',
  satellite: 'a satellite number',
  international_network: 'a number of an international network',
}

/** The policy as a sentence calls it. */
export function policyName(subject: string): string {
  if (subject === organizationSubject) return 'The destination policy of the organization'
  return `The destination policy of the ${subject.startsWith('key_') ? 'API key' : 'trunk'} ${subject}`
}

/** Cause and remedy for people. */
export function refusalText({ facts, why, subject }: DestinationRefusal): string {
  const { number, kind } = facts
  const which = policyName(subject)
  if (why === 'prefix')
    return `${which} blocks numbers that begin like ${number}. Take the prefix out of blockedPrefixes.`
  if (why === 'kind' && kind !== 'ordinary')
    return `${number} is ${kindNames[kind]}, and ${lower(which)} has that kind shut. Add ${kind} to its allowedKinds, or the number to allowedPrefixes.`
  const place = facts.country === null ? 'no country' : facts.country
  return `${number} belongs to ${place}, which ${lower(which)} does not allow. Add the country to allowedCountries, or the number to allowedPrefixes.`
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

export const ceilings = ['concurrent_calls', 'daily_calls', 'daily_spend'] as const
export type Ceiling = (typeof ceilings)[number]
/** Those that count calls. */
export type CallCeiling = Exclude<Ceiling, 'daily_spend'>
export type CeilingRefusal<C extends Ceiling = Ceiling> = { ceiling: C; subject: string; limit: string }

/** What was used of a policy: calls and spend (millionths by currency) of the day, and calls under way. */
export type Usage = { calls: number; active: number; spend: Record<string, number> }

export function hasCallCeiling({ concurrent_calls, daily_calls }: Policy): boolean {
  return concurrent_calls !== null || daily_calls !== null
}

/** Why one more call may not go by a trunk with this policy. */
export function trunkRefusal(
  { subject, concurrent_calls, daily_calls }: Policy,
  { calls, active }: Usage,
): CeilingRefusal<CallCeiling> | undefined {
  if (daily_calls !== null && calls >= daily_calls)
    return { ceiling: 'daily_calls', subject, limit: String(daily_calls) }
  if (concurrent_calls !== null && active >= concurrent_calls)
    return { ceiling: 'concurrent_calls', subject, limit: String(concurrent_calls) }
  return undefined
}

/** Why so much more may not be spent; what has no price always may. A currency that the ceiling does not name has none. */
export function spendRefusal(
  { subject, daily_spend }: Policy,
  { spend }: Usage,
  { micros, currency }: { micros: number | null; currency: string | null },
): CeilingRefusal<'daily_spend'> | undefined {
  if (daily_spend === null || micros === null || micros === 0 || currency === null) return undefined
  const most = daily_spend[currency]
  if (most !== undefined && (spend[currency] ?? 0) + micros <= most) return undefined
  return { ceiling: 'daily_spend', subject, limit: `${most === undefined ? 'nothing' : most / 1_000_000} ${currency}` }
}

/** The problem that a ceiling stands for. */
export const ceilingProblems = {
  concurrent_calls: 'concurrent_calls_exceeded',
  daily_calls: 'daily_calls_exceeded',
  daily_spend: 'daily_spend_exceeded',
} as const satisfies Record<Ceiling, ProblemCode>

/** Cause and remedy for people. */
export function ceilingText({ ceiling, subject, limit }: CeilingRefusal): string {
  const which = policyName(subject)
  switch (ceiling) {
    case 'concurrent_calls':
      return `${which} allows ${limit} calls at a time, and they are under way. Wait until one has ended, or raise concurrentCalls.`
    case 'daily_calls':
      return `${which} allows ${limit} calls a day, and they have been made. Raise dailyCalls, or wait until midnight in the time zone of the organization.`
    case 'daily_spend':
      return `${which} allows ${limit} a day, and this would go beyond. Raise dailySpend, or wait until midnight in the time zone of the organization.`
  }
}
