// A destination policy as its form holds it, and what a change of it sends.
// No component: the form draws it, and a test reads what is sent.
import type { DestinationPoliciesUpdateParams, DestinationPolicy } from '@tandem/sdk'
import { differing } from '../forms/differing.ts'
import type { ShutKind } from './kinds.ts'

export type Values = {
  allowedCountries: readonly string[]
  /** null: as the organization has them. */
  allowedKinds: readonly ShutKind[] | null
  allowedPrefixes: string
  blockedPrefixes: string
  concurrentCalls: string
  dailyCalls: string
  dailySpend: string
}

export function valuesOf(policy: DestinationPolicy): Values {
  return {
    allowedCountries: policy.allowedCountries ?? [],
    allowedKinds: policy.allowedKinds,
    allowedPrefixes: policy.allowedPrefixes.join('\n'),
    blockedPrefixes: policy.blockedPrefixes.join('\n'),
    concurrentCalls: policy.concurrentCalls?.toString() ?? '',
    dailyCalls: policy.dailyCalls?.toString() ?? '',
    dailySpend: (policy.dailySpend ?? []).map(({ amount, currency }) => `${amount} ${currency}`).join(', '),
  }
}

const words = (text: string) => text.split(/[\s,]+/).filter(word => word !== '')

type Changes = Omit<DestinationPoliciesUpdateParams, 'policy'>

/** Text that is no number is sent as it is: the server says what is wrong with it. */
function most(text: string): number | null {
  if (text.trim() === '') return null
  const number = Number(text)
  return Number.isNaN(number) ? (text as unknown as number) : number
}

function wholeOf(values: Values): Changes {
  const spend = values.dailySpend
    .split(',')
    .map(part => words(part))
    .filter(part => part.length > 0)
    .map(([amount = '', currency = '']) => ({ amount, currency: currency.toUpperCase() }))
  return {
    allowedCountries: values.allowedCountries.length === 0 ? null : [...values.allowedCountries],
    allowedKinds: values.allowedKinds && [...values.allowedKinds],
    allowedPrefixes: words(values.allowedPrefixes),
    blockedPrefixes: words(values.blockedPrefixes),
    concurrentCalls: most(values.concurrentCalls),
    dailyCalls: most(values.dailyCalls),
    dailySpend: spend.length === 0 ? null : spend,
  }
}

/** What differs from what the form began with: what somebody else changed meanwhile stays as it is. */
export const changesOf = (values: Values, begun: Values): Changes => differing(wholeOf(values), wholeOf(begun))
