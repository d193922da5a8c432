// Money: integer minor units (cents) and an ISO 4217 code inside, decimals only at the rim. What comes in is taken
// exactly or refused, never rounded; what is computed rounds half away from zero; invoice lines, tax and discount add
// up to the total to the last unit.
import Big from 'big.js'

// ISO 4217 active codes that can stand on an invoice, by number of decimals: no metals, test codes or drawing rights.
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
function decimalWithin(value: number | string, decimals: number, max: Big): Big | MoneyFault {
  const decimal = decimalOf(value)
  if (decimal === undefined) return 'not_a_number'
  if (!decimal.eq(decimal.round(decimals, Big.roundDown))) return 'too_precise'
  return decimal.abs().gt(max) ? 'too_large' : decimal
}

function powerOfTen(exponent: number): Big {
  return new Big(`1e${exponent}`)
}

// `+ 0` makes -0 a plain 0.
function integerOf(decimal: Big): number {
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

/** A discount, before tax: percent (0 to 100, up to 4 decimals) or an amount in the currency's own decimals. */
export type Discount = { percent: number | string } | { amount: number | string }

export type InvoiceLine = {
  /** Up to 4 decimals, within ±1,000,000,000; negative on a credit. */
  quantity: number | string
  /** In the currency's major unit, up to 6 decimals. */
  unitPrice: number | string
  /** Percent, up to 4 decimals, 0 to 100. */
  taxRate: number | string
  discount?: Discount
}

export type TotalsOptions = {
  currency: string
  /** Tax rounded once a rate over the invoice (the default), or on every line. */
  rounding?: 'per_rate' | 'per_line'
  /** Taken from all lines, spread by their net amounts. */
  discount?: Discount
}

export type LineTotal = {
  /** Quantity × unit price, rounded. */
  grossMinor: number
  /** The line's own discount and its share of the invoice's. */
  discountMinor: number
  /** Gross less discount: what tax is taken of. */
  netMinor: number
  taxRatePpm: number
}

export type TaxGroup = { taxRatePpm: number; netMinor: number; taxMinor: number }

/** `netMinor` is the sum of the lines' net, `taxMinor` that of the groups, and `totalMinor` = net + tax, always. */
export type InvoiceTotals = {
  lines: LineTotal[]
  /** One a rate, lowest first; rates of 0 % included. */
  taxGroups: TaxGroup[]
  grossMinor: number
  discountMinor: number
  netMinor: number
  taxMinor: number
  totalMinor: number
}

/** `line` is the index of the line, absent for the invoice's own discount and total. Amounts of all lines together,
 * signs aside, must stay within `maxMinor` too. */
export type InvoiceFault = {
  line?: number
  field: 'quantity' | 'unitPrice' | 'taxRate' | 'discount' | 'total'
  fault: MoneyFault
}

/** Reckons an invoice; or tells every fault of its figures at once. */
export function lineTotals(
  lines: readonly InvoiceLine[],
  { currency, rounding = 'per_rate', discount }: TotalsOptions,
): { ok: true; totals: InvoiceTotals } | { ok: false; faults: InvoiceFault[] } {
  const faults: InvoiceFault[] = []
  const reckoned = lines.map((line, index) =>
    lineTotal(line, currency, (field, fault) => faults.push({ line: index, field, fault })),
  )
  if (faults.length > 0) return { ok: false, faults }
  const tooLarge = { ok: false as const, faults: [{ field: 'total' as const, fault: 'too_large' as const }] }
  if (sum(reckoned.map(line => Math.abs(line.grossMinor))) > maxMinor(currency)) return tooLarge
  if (discount !== undefined) {
    const discountMinor = discountOf(discount, sum(reckoned.map(line => line.netMinor)), currency)
    if (typeof discountMinor === 'string') return { ok: false, faults: [{ field: 'discount', fault: discountMinor }] }
    if (discountMinor !== 0) takeOff(reckoned, discountMinor)
  }
  const totals = addUp(reckoned, rounding)
  return Math.abs(totals.totalMinor) > maxMinor(currency) ? tooLarge : { ok: true, totals }
}

const MAX_QUANTITY = new Big(1e9)
const MAX_UNIT_PRICE = new Big('999999999999.99')
const MAX_PERCENT = new Big(100)

function lineTotal(
  line: InvoiceLine,
  currency: string,
  fault: (field: InvoiceFault['field'], fault: MoneyFault) => void,
): LineTotal {
  const total: LineTotal = { grossMinor: 0, discountMinor: 0, netMinor: 0, taxRatePpm: 0 }
  const quantity = decimalWithin(line.quantity, 4, MAX_QUANTITY)
  if (typeof quantity === 'string') fault('quantity', quantity)
  const unitPrice = decimalWithin(line.unitPrice, 6, MAX_UNIT_PRICE)
  if (typeof unitPrice === 'string') fault('unitPrice', unitPrice)
  const taxRatePpm = ratePpm(line.taxRate)
  if (typeof taxRatePpm === 'string') fault('taxRate', taxRatePpm)
  else total.taxRatePpm = taxRatePpm
  if (typeof quantity === 'string' || typeof unitPrice === 'string') return total
  const gross = quantity.times(unitPrice).times(powerOfTen(currencyExponent(currency)))
  const rounded = gross.round(0, Big.roundHalfUp) // in big.js: half away from zero
  if (rounded.abs().gt(maxMinor(currency))) {
    fault('total', 'too_large')
    return total
  }
  total.grossMinor = integerOf(rounded)
  const discountMinor = line.discount === undefined ? 0 : discountOf(line.discount, total.grossMinor, currency)
  if (typeof discountMinor === 'string') fault('discount', discountMinor)
  else total.discountMinor = discountMinor
  total.netMinor = total.grossMinor - total.discountMinor
  return total
}

function ratePpm(percent: number | string): number | MoneyFault {
  const rate = decimalWithin(percent, 4, MAX_PERCENT)
  if (typeof rate === 'string') return rate === 'too_large' ? 'out_of_range' : rate
  return rate.lt(0) ? 'out_of_range' : integerOf(rate.times(10_000))
}

// A discount never turns an amount round: at most all of it, and an amount off a credit makes no sense.
function discountOf(discount: Discount, ofMinor: number, currency: string): number | MoneyFault {
  if ('percent' in discount) {
    const ppm = ratePpm(discount.percent)
    return typeof ppm === 'string' ? ppm : portion(ofMinor, ppm)
  }
  const amountMinor = minorFromInput(discount.amount, currency)
  if (typeof amountMinor === 'string') return amountMinor
  return amountMinor < 0 || amountMinor > Math.max(ofMinor, 0) ? 'out_of_range' : amountMinor
}

function takeOff(lines: LineTotal[], discountMinor: number): void {
  const parts = spread(
    discountMinor,
    lines.map(line => line.netMinor),
  )
  lines.forEach((line, index) => {
    line.discountMinor += parts[index]!
    line.netMinor -= parts[index]!
  })
}

function addUp(lines: LineTotal[], rounding: 'per_rate' | 'per_line'): InvoiceTotals {
  const groups = new Map<number, TaxGroup>()
  for (const { taxRatePpm, netMinor } of lines) {
    let group = groups.get(taxRatePpm)
    if (group === undefined) {
      group = { taxRatePpm, netMinor: 0, taxMinor: 0 }
      groups.set(taxRatePpm, group)
    }
    group.netMinor += netMinor
    if (rounding === 'per_line') group.taxMinor += portion(netMinor, taxRatePpm)
  }
  const taxGroups = [...groups.values()].sort((a, b) => a.taxRatePpm - b.taxRatePpm)
  if (rounding === 'per_rate') for (const group of taxGroups) group.taxMinor = portion(group.netMinor, group.taxRatePpm)
  const netMinor = sum(lines.map(line => line.netMinor))
  const taxMinor = sum(taxGroups.map(group => group.taxMinor))
  return {
    lines,
    taxGroups,
    grossMinor: sum(lines.map(line => line.grossMinor)),
    discountMinor: sum(lines.map(line => line.discountMinor)),
    netMinor,
    taxMinor,
    totalMinor: netMinor + taxMinor,
  }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
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
