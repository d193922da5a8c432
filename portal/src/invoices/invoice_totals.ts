// What an invoice that is being written will come to, as the server will calculate it: exact decimals, rounded half away from
// zero, tax once a rate or on every line. A test holds the two against each other.

import { decimalText } from '../forms/number_text.ts'
import { decimalsOf } from '../words/currency_decimals.ts'

export type TaxRounding = 'per_rate' | 'per_line'
export type TotalsLine = { quantity: string; unit_price: string; tax_rate: string }
/** In the currency's smallest unit. */
export type Totals = { net: bigint; taxes: readonly { ppm: bigint; tax: bigint }[]; tax: bigint; total: bigint }

/** Decimals that the figures of a line take. */
export const linePlaces = { quantity: 4, unit_price: 6, tax_rate: 4 } as const

/** A decimal in units of the given place: `19.5` with 4 is 195000; undefined for what is none, or has more places. */
function scaled(text: string, places: number): bigint | undefined {
  const [, sign, whole = '', part = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,10}))?$/.exec(decimalText(text, places)) ?? []
  const fraction = part.replace(/0+$/, '')
  if (whole === '' || fraction.length > places) return undefined
  const value = BigInt(whole + fraction.padEnd(places, '0'))
  return sign === '-' ? -value : value
}

/** An amount as typed, in the currency's smallest unit; undefined for what is none. */
export const minorOf = (text: string, currency: string) => scaled(text, decimalsOf(currency))

/** A quotient, rounded half away from zero. */
function divided(value: bigint, by: bigint): bigint {
  return (value + (value < 0n ? -by : by) / 2n) / by
}

/** Undefined while a figure is missing or none. */
export function totalsOf(lines: readonly TotalsLine[], currency: string, rounding: TaxRounding): Totals | undefined {
  const taxOf = (net: bigint, ppm: bigint) => divided(net * ppm, 1_000_000n)
  const nets = new Map<bigint, { net: bigint; tax: bigint }>()
  for (const line of lines) {
    const quantity = scaled(line.quantity, linePlaces.quantity)
    const price = scaled(line.unit_price, linePlaces.unit_price)
    const ppm = line.tax_rate.trim() === '' ? 0n : scaled(line.tax_rate, linePlaces.tax_rate)
    if (quantity === undefined || price === undefined || ppm === undefined || ppm < 0n || ppm > 1_000_000n)
      return undefined
    const net = divided(quantity * price, 10n ** BigInt(10 - decimalsOf(currency)))
    const group = nets.get(ppm) ?? { net: 0n, tax: 0n }
    nets.set(ppm, { net: group.net + net, tax: group.tax + taxOf(net, ppm) })
  }
  const groups = [...nets].sort(([a], [b]) => (a < b ? -1 : 1))
  const taxes = groups.map(([ppm, { net, tax }]) => ({ ppm, tax: rounding === 'per_line' ? tax : taxOf(net, ppm) }))
  const net = groups.reduce((sum, [, group]) => sum + group.net, 0n)
  const tax = taxes.reduce((sum, group) => sum + group.tax, 0n)
  return { net, taxes, tax, total: net + tax }
}

/** An amount as the form and the API have it: 123450 EUR is `1234.50`. */
export function amountText(minor: bigint, currency: string): string {
  const places = decimalsOf(currency)
  const digits = String(minor < 0n ? -minor : minor).padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return minor < 0n ? `-${text}` : text
}
