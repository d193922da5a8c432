// The wire form of destination policies, and how it is read and shown.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../kernel/endpoint/schema.ts'
import { isCurrency, microsOf, microsText } from '../../kernel/values/money.ts'
import { isCountry } from '../../kernel/values/phone.ts'
import type { FieldFault } from '../../kernel/values/problem.ts'
import { isPrefix } from './ranges.ts'
import { type Policy, type ShutKind, shutKinds } from './rules.ts'
import type { PolicyRow, UsageRow } from './store.ts'

const Country = Type.String({
  pattern: '^[A-Z]{2}$',
  errorMessage: 'must be the two capital letters of a country (ISO 3166-1), such as DE',
})
const Prefix = Type.String({
  pattern: '^\\+[1-9][0-9]{0,14}$',
  maxLength: 16,
  errorMessage: 'must be + and the first digits of numbers, such as +4930',
})
const Amount = Type.Object({
  currency: Type.String({ pattern: '^[A-Z]{3}$', errorMessage: 'must be an ISO 4217 currency, such as EUR' }),
  amount: Type.String({
    pattern: '^[0-9]{1,9}(?:\\.[0-9]{1,6})?$',
    errorMessage: 'must be a decimal of at most six places, such as 25.50',
    description: 'A decimal.',
  }),
})
const Most = (description: string) => Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000, description }))

const policyFields = {
  allowedCountries: Nullable(
    Type.Array(Country, {
      maxItems: 300,
      uniqueItems: true,
      description: 'Only numbers of these countries (ISO 3166-1 alpha-2); null: of all.',
    }),
  ),
  allowedPrefixes: Type.Array(Prefix, {
    maxItems: 500,
    uniqueItems: true,
    description:
      'Numbers that begin so are allowed whatever their country and kind. Where a blocked prefix fits, too, the longer one counts.',
  }),
  blockedPrefixes: Type.Array(Prefix, {
    maxItems: 500,
    uniqueItems: true,
    description: 'Numbers that begin so are not allowed.',
  }),
  allowedKinds: Nullable(
    Type.Array(OneOf(shutKinds), {
      uniqueItems: true,
      description:
        'The kinds of numbers that are opened; others of these stay shut. null, for a key or trunk only: all that the organization has open.',
    }),
  ),
  concurrentCalls: Most('Calls out at a time, from being asked for until they end; null: any number.'),
  dailyCalls: Most('Calls out a day; null: any number.'),
  dailySpend: Nullable(
    Type.Array(Amount, {
      minItems: 1,
      maxItems: 20,
      description:
        'What texts and calls may cost a day, by currency; what is priced in another currency is refused. A minute of a call is taken before it begins; a call for which nothing is left is ended. null: anything.',
    }),
  ),
}

export const PolicyPatch = Type.Object(
  Object.fromEntries(Object.entries(policyFields).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [name in keyof typeof policyFields]: ReturnType<typeof Type.Optional<(typeof policyFields)[name]>>
  },
)

export const PolicyRecord = Type.Object({
  policy: Type.String({ description: 'organization, or the id of the API key or trunk that it holds for.' }),
  ...policyFields,
  updatedAt: Nullable(Timestamp),
  today: Type.Object({
    day: Type.String({ format: 'date', description: 'In the time zone of the organization.' }),
    activeCalls: Type.Integer({ description: 'Calls out that are under way.' }),
    calls: Type.Integer({ description: 'Calls out that were made; counted where there is a ceiling.' }),
    spend: Type.Array(Amount, { description: 'What texts and calls cost; counted where there is a ceiling.' }),
  }),
})

export const samplePolicy: Static<typeof PolicyRecord> = {
  policy: 'organization',
  allowedCountries: ['DE', 'US'],
  allowedPrefixes: ['+49180'],
  blockedPrefixes: ['+1242'],
  allowedKinds: [],
  concurrentCalls: 200,
  dailyCalls: 10_000,
  dailySpend: [{ currency: 'EUR', amount: '50' }],
  updatedAt: '2026-11-22T09:00:00.000Z',
  today: { day: '2026-11-22', activeCalls: 3, calls: 120, spend: [{ currency: 'EUR', amount: '7.125' }] },
}

export type Change = Partial<{
  allowedCountries: string[] | null
  allowedPrefixes: string[]
  blockedPrefixes: string[]
  allowedKinds: ShutKind[] | null
  concurrentCalls: number | null
  dailyCalls: number | null
  dailySpend: { currency: string; amount: string }[] | null
}>

/** What the schema cannot say. */
export function policyFaults(change: Change): FieldFault[] {
  const faults: FieldFault[] = []
  const fault = (field: string, message: string, code = 'not_allowed') => faults.push({ field, code, message })
  for (const [index, country] of (change.allowedCountries ?? []).entries())
    if (!isCountry(country))
      fault(`allowedCountries[${index}]`, `${country} is not a country that has telephone numbers`)
  for (const name of ['allowedPrefixes', 'blockedPrefixes'] as const)
    for (const [index, prefix] of (change[name] ?? []).entries())
      if (!isPrefix(prefix)) fault(`${name}[${index}]`, 'must be + and the first digits of numbers', 'wrong_format')
  const seen = new Set<string>()
  for (const [index, { currency, amount }] of (change.dailySpend ?? []).entries()) {
    if (!isCurrency(currency)) fault(`dailySpend[${index}].currency`, `${currency} is no currency of ISO 4217`)
    if (seen.has(currency)) fault(`dailySpend[${index}].currency`, `${currency} stands here twice`)
    if (microsOf(amount) === undefined) fault(`dailySpend[${index}].amount`, 'must be a decimal', 'wrong_format')
    seen.add(currency)
  }
  return faults
}

/** A policy with what a request changes of it. */
export function changed(policy: Policy, change: Change): Policy {
  const { allowedCountries, allowedPrefixes, blockedPrefixes, allowedKinds, concurrentCalls, dailyCalls, dailySpend } =
    change
  return {
    subject: policy.subject,
    countries: allowedCountries === undefined ? policy.countries : allowedCountries,
    allowed_prefixes: allowedPrefixes ?? policy.allowed_prefixes,
    blocked_prefixes: blockedPrefixes ?? policy.blocked_prefixes,
    kinds: allowedKinds === undefined ? policy.kinds : allowedKinds,
    concurrent_calls: concurrentCalls === undefined ? policy.concurrent_calls : concurrentCalls,
    daily_calls: dailyCalls === undefined ? policy.daily_calls : dailyCalls,
    daily_spend: dailySpend === undefined ? policy.daily_spend : spendOf(dailySpend),
  }
}

function spendOf(amounts: NonNullable<Change['dailySpend']> | null): Record<string, number> | null {
  if (amounts === null) return null
  return Object.fromEntries(amounts.map(({ currency, amount }) => [currency, microsOf(amount) ?? 0]))
}

export function amountsOf(spend: Readonly<Record<string, number>>) {
  return Object.entries(spend)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, micros]) => ({ currency, amount: microsText(micros) }))
}

export function presentPolicy(
  policy: Policy & Partial<Pick<PolicyRow, 'updated_at'>>,
  usage: UsageRow,
): Static<typeof PolicyRecord> {
  return {
    policy: policy.subject,
    allowedCountries: policy.countries && [...policy.countries],
    allowedPrefixes: [...policy.allowed_prefixes],
    blockedPrefixes: [...policy.blocked_prefixes],
    allowedKinds: policy.kinds && [...policy.kinds],
    concurrentCalls: policy.concurrent_calls,
    dailyCalls: policy.daily_calls,
    dailySpend: policy.daily_spend === null ? null : amountsOf(policy.daily_spend),
    updatedAt: policy.updated_at ?? null,
    today: {
      day: usage.day,
      activeCalls: usage.active,
      calls: usage.calls,
      spend: amountsOf(usage.spend),
    },
  }
}
