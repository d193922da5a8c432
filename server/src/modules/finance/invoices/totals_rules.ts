// What an invoice comes to: lines, discounts and taxes add up to the total to the last unit, or every fault of the figures is
// reported at once. Pure.
import Big from 'big.js'
import {
  currencyExponent,
  decimalWithin,
  integerOf,
  type MoneyFault,
  maxMinor,
  minorFromInput,
  portion,
  powerOfTen,
  spread,
} from '../../../kernel/values/money.ts'

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

/** Calculates an invoice; or reports every fault of its figures at once. */
export function lineTotals(
  lines: readonly InvoiceLine[],
  { currency, rounding = 'per_rate', discount }: TotalsOptions,
): { ok: true; totals: InvoiceTotals } | { ok: false; faults: InvoiceFault[] } {
  const faults: InvoiceFault[] = []
  const calculated = lines.map((line, index) =>
    lineTotal(line, currency, (field, fault) => faults.push({ line: index, field, fault })),
  )
  if (faults.length > 0) return { ok: false, faults }
  const tooLarge = { ok: false as const, faults: [{ field: 'total' as const, fault: 'too_large' as const }] }
  if (sum(calculated.map(line => Math.abs(line.grossMinor))) > maxMinor(currency)) return tooLarge
  if (discount !== undefined) {
    const discountMinor = discountOf(discount, sum(calculated.map(line => line.netMinor)), currency)
    if (typeof discountMinor === 'string') return { ok: false, faults: [{ field: 'discount', fault: discountMinor }] }
    if (discountMinor !== 0) takeOff(calculated, discountMinor)
  }
  const totals = addUp(calculated, rounding)
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
