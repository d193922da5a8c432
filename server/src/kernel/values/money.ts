// Money: integer minor units (cents) and an ISO 4217 code inside, decimals only at the rim. What comes in is taken
// exactly or refused, never rounded; what is computed rounds half away from zero.
import Big from 'big.js'

// ISO 4217 active codes that prices can be in, by number of decimals: no metals, test codes or drawing rights.
const codesByExponent: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY ' +
    'COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS ' +
    'INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR ' +
    'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP ' +
    'STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const exponents = new Map<string, number>()
for (const [exponent, codes] of Object.entries(codesByExponent))
  for (const code of codes.split(' ')) exponents.set(code, Number(exponent))

/** Every currency code, in alphabetical order. */
export const currencyCodes: readonly string[] = [...exponents.keys()].sort()

/** Whether a string is an active ISO 4217 currency code in capitals. */
export function isCurrency(code: string): boolean {
  return exponents.has(code)
}

/** Decimals of a currency: JPY 0, EUR 2, KWD 3. Throws RangeError for an unknown code: check with `isCurrency`. */
export function currencyExponent(currency: string): number {
  const exponent = exponents.get(currency)
  if (exponent === undefined) throw new RangeError(`not an ISO 4217 currency: ${currency}`)
  return exponent
}

/** Why an amount, quantity, price or rate cannot be taken. */
export type MoneyFault = 'not_a_number' | 'too_precise' | 'too_large' | 'out_of_range'

/**
 * The largest amount in minor units: 999,999,999,999.99, and never more than 15 significant digits, which is what a
 * JSON number (an IEEE 754 double) carries exactly as decimal text.
 */
export function maxMinor(currency: string): number {
  const exponent = currencyExponent(currency)
  return Math.min(exponent >= 2 ? 99_999_999_999_999 * 10 ** (exponent - 2) : 999_999_999_999, 999_999_999_999_999)
}

// A JSON number prints with an exponent outside 1e-7..1e21; strings must be plain decimals.
const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/

function decimalOf(value: number | string): Big | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(value) : undefined
  return DECIMAL.test(value) ? new Big(value) : undefined
}

/** The exact decimal, if it has no more than `decimals` (trailing zeros aside) and stays within ±`max`. */
export function decimalWithin(value: number | string, decimals: number, max: Big): Big | MoneyFault {
  const decimal = decimalOf(value)
  if (decimal === undefined) return 'not_a_number'
  if (!decimal.eq(decimal.round(decimals, Big.roundDown))) return 'too_precise'
  return decimal.abs().gt(max) ? 'too_large' : decimal
}

export function powerOfTen(exponent: number): Big {
  return new Big(`1e${exponent}`)
}

// `+ 0` makes -0 a plain 0.
export function integerOf(decimal: Big): number {
  return decimal.toNumber() + 0
}

/**
 * An amount from a request (`1234.5`, `"1234.50"`) in minor units. More decimals than the currency has (trailing zeros
 * aside) is a fault, not a rounding; so is anything above `maxMinor`. Negative amounts are the caller's to refuse.
 */
export function minorFromInput(value: number | string, currency: string): number | MoneyFault {
  const exponent = currencyExponent(currency)
  // The way of almost every request: a number of ordinary size, checked without decimal arithmetic.
  if (typeof value === 'number' && Math.abs(value) < 1e9) {
    const minor = Math.round(value * 10 ** exponent) + 0
    if (minor / 10 ** exponent === value) return minor
  }
  const decimal = decimalWithin(value, exponent, powerOfTen(-exponent).times(maxMinor(currency)))
  return typeof decimal === 'string' ? decimal : integerOf(decimal.times(powerOfTen(exponent)))
}

/** Minor units as a JSON number; it prints as the exact decimal (`123450` EUR is `1234.5`). */
export function toDecimalNumber(amountMinor: number, currency: string): number {
  // One correctly rounded division of two exact integers is the double nearest to the decimal: the same that
  // reading the decimal text gives, so it prints back shortest.
  return safe(amountMinor) / 10 ** currencyExponent(currency)
}

/** The same of a sum of many amounts, which may be more than a number holds to the last digit: the nearest number then. */
export function toDecimalSum(sumMinor: number | bigint, currency: string): number {
  return Number(sumMinor) / 10 ** currencyExponent(currency)
}

/** Minor units as text with all decimals of the currency: `1234.50`, `-0.05`, `1000` for JPY. */
export function toDecimalText(amountMinor: number, currency: string): string {
  const exponent = currencyExponent(currency)
  const units = String(Math.abs(safe(amountMinor))).padStart(exponent + 1, '0')
  const sign = amountMinor < 0 ? '-' : ''
  return exponent === 0 ? sign + units : `${sign}${units.slice(0, -exponent)}.${units.slice(-exponent)}`
}

function safe(amountMinor: number): number {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`not an amount in minor units: ${amountMinor}`)
  return amountMinor
}

/** `amountMinor` × `ratePpm` / 1,000,000, rounded half away from zero. 19 % is 190,000 ppm. */
export function portion(amountMinor: number, ratePpm: number): number {
  const product = BigInt(safe(amountMinor)) * BigInt(ratePpm)
  const half = product < 0n ? -500_000n : 500_000n
  return Number((product + half) / 1_000_000n)
}

/**
 * Splits an amount in proportion to weights so that the parts add up to it exactly: each part rounded down, the units
 * left over given to the largest remainders, the first of equals first. Weights are integers of a sum other than 0.
 */
export function spread(amountMinor: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (sum === 0n) throw new RangeError('weights must not add up to 0')
  const total = sum < 0n ? -sum : sum
  const amount = BigInt(safe(amountMinor)) * (sum < 0n ? -1n : 1n)
  const shares = weights.map((weight, index) => {
    const product = amount * BigInt(weight)
    const rest = ((product % total) + total) % total
    return { index, rest, part: Number((product - rest) / total) }
  })
  const parts = shares.map(({ part }) => part)
  const left = amountMinor - parts.reduce((sum, part) => sum + part, 0)
  shares.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  for (const { index } of shares.slice(0, left)) parts[index]! += 1
  return parts
}

// Prices of messages are far below a minor unit: they are kept in millionths of the currency.

/** Millionths as a decimal without trailing zeros: 7500 is `0.0075`. */
export function microsText(micros: number): string {
  const digits = String(micros).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

/** A decimal of at most six places in millionths: `0.0075` is 7500; undefined when it is none. */
export function microsOf(text: string): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  if (match === null) return undefined
  return Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'))
}
