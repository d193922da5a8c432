// Fields of several parts: an amount with its currency, and lists of addresses of which one is the primary.
import { sql } from 'kysely'
import { type Static, type TSchema, Type } from 'typebox'
import { Email, Nullable, PhoneInput, PhoneNumber } from '../endpoint/schema.ts'
import { cleanText } from '../values/clean_text.ts'
import { isCurrency, minorFromInput, toDecimalNumber } from '../values/money.ts'
import { invalid } from '../values/problem.ts'
import { addressCells, type Cells, entryCells, moneyCells } from './cells.ts'
import type { Common, Field, FieldParts, Filter, NeedOf, Read, Reading } from './field.ts'
import { columnOf, isNeeded, make } from './field_parts.ts'
import { readPhone } from './text_kinds.ts'

/** An amount as it is shown: a decimal number, and an ISO 4217 code. */
export type Money = { amount: number; currency: string }

const moneyFaults = {
  not_a_number: 'must be a decimal number',
  too_precise: 'has more decimals than its currency',
  too_large: 'is too large',
  out_of_range: 'is too large',
} as const

function readMoney(value: unknown, reading: Reading): Read {
  const { amount, currency = reading.currency } = value as { amount: number; currency?: string }
  if (!isCurrency(currency))
    return { code: 'not_allowed', message: `has no such currency: ${currency}; use an ISO 4217 code` }
  const minor = minorFromInput(amount, currency)
  if (typeof minor === 'string') return { code: minor, message: moneyFaults[minor] }
  return { value: { amount: toDecimalNumber(minor, currency), currency } }
}

/** What rows are filtered and sorted by, whatever the currency: the amount in its major unit. */
const rankOf = (name: string) => `${name}_rank`

export function money<const O extends Common>(
  options: O,
): Field<Money, { amount: number; currency?: string }, NeedOf<O>, string> {
  const { about } = options
  const required = isNeeded(options)
  const shown = Type.Object(
    {
      amount: Type.Number({ description: 'Decimal amount.' }),
      currency: Type.String({ description: 'ISO 4217 code.' }),
    },
    { description: about },
  )
  const sent = Type.Object(
    {
      amount: Type.Number({ description: 'Decimal amount, with no more decimals than the currency has.' }),
      currency: Type.Optional(
        Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code; that of the organization when left out.' }),
      ),
    },
    { description: about },
  )
  const bounds = { gte: '>=', lte: '<=' } as const
  const parts: FieldParts = {
    shown,
    sent,
    columns: name => [
      { name: `${name}_minor`, type: 'bigint', notNull: required },
      { name: `${name}_currency`, type: 'text collate "C"', notNull: required },
      { name: rankOf(name), type: 'double precision', notNull: required },
    ],
    read: readMoney,
    cells: moneyCells,
    load(row, name) {
      const [minor, currency] = [row[`${name}_minor`], row[`${name}_currency`]]
      return minor === null || minor === undefined
        ? null
        : { amount: toDecimalNumber(minor as number, currency as string), currency }
    },
    store(value, name) {
      if (value === null || value === undefined)
        return { [`${name}_minor`]: null, [`${name}_currency`]: null, [rankOf(name)]: null }
      const { amount, currency } = value as Money
      return {
        [`${name}_minor`]: minorFromInput(amount, currency),
        [`${name}_currency`]: currency,
        [rankOf(name)]: amount,
      }
    },
    filters: name => [
      ...(Object.keys(bounds) as (keyof typeof bounds)[]).map(
        (bound): Filter => ({
          parameter: `${name}[${bound}]`,
          schema: Type.Number({
            description: `${bound === 'gte' ? 'At least' : 'At most'} this amount, in any currency.`,
          }),
          condition: (value: number) =>
            sql`${columnOf(rankOf(name))} ${sql.raw(bounds[bound])} ${value}::double precision`,
        }),
      ),
    ],
  }
  return make('money', options, parts)
}

/** One of several: where somebody is reached, what for, and whether it is the one to use first. */
export type Entry<Value> = { value: Value; label: string | null; is_primary: boolean }
type EntryInput<Value> = { value: Value; label?: string | null; is_primary?: boolean }

export const maxEntries = 20

/**
 * Refuses a list that would grow beyond what a list holds; one that is longer already may stay.
 * @param field as the fault names it @param remedy what to do about it, as the end of its message
 * @throws Problem `validation_failed`
 */
export function requireRoom(
  field: string,
  before: readonly unknown[],
  after: readonly unknown[],
  remedy = 'remove some first',
): void {
  if (after.length <= Math.max(maxEntries, before.length)) return
  const message = `would have ${after.length} entries, and a list has at most ${maxEntries}: ${remedy}`
  throw invalid({ field, code: 'too_many', message })
}
const Label = Type.Optional(Nullable(Type.String({ maxLength: 40, description: 'What it is for, such as work.' })))

type ListOf<Value> = {
  kind: string
  /** The noun that the entries name. */
  of?: string
  shown: TSchema
  sent: TSchema
  read(value: unknown, reading: Reading): Read
  text(value: Value): string
  cells?: Cells
  /** In one spelling; left out where nobody is the same by it. */
  identity?(value: Value): string
}

/** A list of entries of which one is the primary. */
export function listOf<Value, const O extends Common>(
  options: O,
  { kind, of, shown, sent, read, text, cells = entryCells, identity }: ListOf<Value>,
): Field<Entry<Value>[], EntryInput<Value>[], NeedOf<O>, string> {
  const { about } = options
  const label = Nullable(Type.String({ description: 'What it is for.' }))
  const primary = Type.Boolean({ description: 'Whether it is the one to use first; exactly one is.' })
  const valuesOf = (value: unknown) => ((value ?? []) as Entry<Value>[]).map(entry => entry.value)
  const parts: FieldParts = {
    shown: Type.Array(Type.Object({ value: shown, label, is_primary: primary }), { description: about }),
    sent: Type.Array(
      Type.Object({
        value: sent,
        label: Label,
        is_primary: Type.Optional(
          Type.Boolean({ description: 'Whether it is the one to use first; the first of the list when none says so.' }),
        ),
      }),
      { maxItems: maxEntries, description: about },
    ),
    columns: name => [{ name, type: 'json', notNull: false }],
    read(value, reading) {
      const entries: Entry<unknown>[] = []
      for (const { value: given, label: word = null, is_primary = false } of value as EntryInput<unknown>[]) {
        const found = read(given, reading)
        if (!('value' in found)) return found
        entries.push({ value: found.value, label: cleanText(word), is_primary })
      }
      if (entries.length === 0) return { value: null }
      if (entries.filter(entry => entry.is_primary).length > 1)
        return { code: 'not_allowed', message: 'must have one primary entry, not several' }
      const first = Math.max(
        0,
        entries.findIndex(entry => entry.is_primary),
      )
      return { value: entries.map((entry, index) => ({ ...entry, is_primary: index === first })) }
    },
    load: (row, name) => row[name] ?? [],
    store: (value, name) => ({ [name]: value === null || (value as unknown[]).length === 0 ? null : value }),
    filters: name =>
      identity === undefined
        ? []
        : [
            {
              parameter: name,
              schema: { ...sent, description: 'Records that have this one.' },
              condition(value: string, reading, inTrash) {
                const found = read(value, reading)
                if (!('value' in found)) return sql`false`
                if (inTrash)
                  return sql`exists (
                    select from json_array_elements(${columnOf(name)}) e
                    where lower(e ->> 'value') = lower(${identity(found.value as Value)}))`
                return sql`r.id in (
                  select k.record_id from record_keys k
                  where k.tenant_id = r.tenant_id and k.field = ${name} and k.value = ${identity(found.value as Value)})`
              },
            },
          ],
    cells,
    words: value => valuesOf(value).map(text),
    ...(identity && { identity: (value: unknown) => valuesOf(value).map(identity) }),
  }
  return make(kind, options, parts, of === undefined ? {} : { of })
}

export function emails<const O extends Common>(options: O) {
  return listOf<string, O>(options, {
    kind: 'emails',
    shown: Type.String({ description: 'E-mail address.' }),
    sent: Email,
    read: value => ({ value: cleanText(value as string) }),
    text: value => value,
    identity: value => value.toLowerCase(),
  })
}

export function phones<const O extends Common>(options: O) {
  return listOf<string, O>(options, {
    kind: 'phones',
    shown: PhoneNumber,
    sent: PhoneInput,
    read: readPhone,
    text: value => value,
    identity: value => value,
  })
}

const line = (description: string, maxLength = 200) => Type.Optional(Nullable(Type.String({ maxLength, description })))
const AddressInput = Type.Object({
  street: line('Street and number.', 400),
  city: line('City.'),
  postal_code: line('Postal code.', 20),
  region: line('State, province or region.'),
  country: Type.Optional(
    Nullable(Type.String({ pattern: '^[A-Z]{2}$', description: 'Country, ISO 3166-1 alpha-2, such as DE.' })),
  ),
})
const shownLine = Nullable(Type.String())
const Address = Type.Object({
  street: shownLine,
  city: shownLine,
  postal_code: shownLine,
  region: shownLine,
  country: shownLine,
})
export type AddressValue = Static<typeof Address>

export function addresses<const O extends Common>(options: O) {
  const text = ({ street, postal_code, city, region, country }: AddressValue) =>
    [street, [postal_code, city].filter(Boolean).join(' '), region, country].filter(Boolean).join(', ')
  return listOf<AddressValue, O>(options, {
    kind: 'addresses',
    shown: Address,
    sent: AddressInput,
    read(value) {
      const given = value as Partial<AddressValue>
      const address = {
        street: cleanText(given.street),
        city: cleanText(given.city),
        postal_code: cleanText(given.postal_code),
        region: cleanText(given.region),
        country: cleanText(given.country),
      }
      return Object.values(address).every(part => part === null)
        ? { code: 'required', message: 'must name at least one part of the address' }
        : { value: address }
    },
    text,
    cells: addressCells,
  })
}
