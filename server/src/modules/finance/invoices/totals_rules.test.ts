// Guards: an invoice's lines, taxes and discounts always add up to its total, whatever the figures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import fc from 'fast-check'
import { currencyExponent } from '../../../kernel/values/money.ts'
import { type Discount, type InvoiceLine, type InvoiceTotals, lineTotals, type TotalsOptions } from './totals_rules.ts'

const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'CLF')

function calculate(lines: InvoiceLine[], options: Partial<TotalsOptions> = {}): InvoiceTotals {
  const result = lineTotals(lines, { currency: 'EUR', ...options })
  assert.ok(result.ok, JSON.stringify(result))
  return result.totals
}

test('an invoice worked out by hand', () => {
  const totals = calculate([
    { quantity: 3, unitPrice: '19.99', taxRate: 19 },
    { quantity: '0.5', unitPrice: 80, taxRate: '7', discount: { percent: 10 } },
    { quantity: 1, unitPrice: '0.004', taxRate: 19 },
    { quantity: 10, unitPrice: '0.0555', taxRate: 0, discount: { amount: '0.06' } },
  ])
  assert.deepEqual(
    totals.lines.map(line => [line.grossMinor, line.discountMinor, line.netMinor]),
    [
      [5997, 0, 5997],
      [4000, 400, 3600],
      [0, 0, 0],
      [56, 6, 50],
    ],
  )
  assert.deepEqual(totals.taxGroups, [
    { taxRatePpm: 0, netMinor: 50, taxMinor: 0 },
    { taxRatePpm: 70_000, netMinor: 3600, taxMinor: 252 },
    { taxRatePpm: 190_000, netMinor: 5997, taxMinor: 1139 },
  ])
  assert.equal(totals.totalMinor, 9647 + 1391)
})

test('tax is rounded once a rate, or on every line when asked for', () => {
  const lines = Array.from({ length: 10 }, () => ({ quantity: 1, unitPrice: '0.03', taxRate: 19 }))
  assert.equal(calculate(lines).taxMinor, 6)
  assert.equal(calculate(lines, { rounding: 'per_line' }).taxMinor, 10)
})

test('halves go away from zero, and decimals do not drift', () => {
  assert.equal(calculate([{ quantity: 1, unitPrice: '0.005', taxRate: 0 }]).totalMinor, 1)
  assert.equal(calculate([{ quantity: -1, unitPrice: '0.005', taxRate: 0 }]).totalMinor, -1)
  assert.equal(calculate([{ quantity: 1.1, unitPrice: 1.15, taxRate: 0 }]).totalMinor, 127) // 1.265; as doubles 1.26499…
  assert.equal(calculate([{ quantity: 3, unitPrice: 0.1, taxRate: 0 }]).totalMinor, 30)
  assert.equal(calculate([{ quantity: '1.5', unitPrice: 333, taxRate: 10 }], { currency: 'JPY' }).totalMinor, 550)
  assert.equal(calculate([{ quantity: 3, unitPrice: '0.3333', taxRate: 5 }], { currency: 'KWD' }).totalMinor, 1050)
})

test("the invoice's own discount is spread over the lines before tax", () => {
  const lines = [19, 19, 7].map(taxRate => ({ quantity: 1, unitPrice: '33.33', taxRate }))
  const totals = calculate(lines, { discount: { amount: 10 } })
  assert.deepEqual(
    totals.lines.map(line => line.discountMinor),
    [334, 333, 333],
  )
  assert.equal(totals.netMinor, 8999)
  assert.equal(calculate(lines, { discount: { percent: 100 } }).totalMinor, 0)
  const credit = calculate([{ quantity: -1, unitPrice: 100, taxRate: 20 }], { discount: { percent: '10' } })
  assert.equal(credit.totalMinor, -10_800)
})

test('every fault is reported at once, with its line and field', () => {
  const result = lineTotals(
    [
      { quantity: '1.00001', unitPrice: 'x', taxRate: 101 },
      { quantity: 1, unitPrice: 1, taxRate: -1, discount: { percent: '100.5' } },
      { quantity: 1e9, unitPrice: 999_999_999_999, taxRate: '0.00001' },
      { quantity: 1, unitPrice: 5, taxRate: 0, discount: { amount: 5.01 } },
    ],
    { currency: 'EUR' },
  )
  assert.deepEqual(result, {
    ok: false,
    faults: [
      { line: 0, field: 'quantity', fault: 'too_precise' },
      { line: 0, field: 'unitPrice', fault: 'not_a_number' },
      { line: 0, field: 'taxRate', fault: 'out_of_range' },
      { line: 1, field: 'taxRate', fault: 'out_of_range' },
      { line: 1, field: 'discount', fault: 'out_of_range' },
      { line: 2, field: 'taxRate', fault: 'too_precise' },
      { line: 2, field: 'total', fault: 'too_large' },
      { line: 3, field: 'discount', fault: 'out_of_range' },
    ],
  })
  const big = { quantity: 1, unitPrice: '600000000000', taxRate: 0 }
  const tooLarge = { ok: false, faults: [{ field: 'total', fault: 'too_large' }] }
  assert.deepEqual(lineTotals([big, big], { currency: 'EUR' }), tooLarge)
  assert.deepEqual(lineTotals([{ ...big, taxRate: 100 }], { currency: 'EUR' }), tooLarge)
  const less = { currency: 'EUR', discount: { amount: 2 } }
  assert.deepEqual(lineTotals([{ quantity: 1, unitPrice: 1, taxRate: 0 }], less), {
    ok: false,
    faults: [{ field: 'discount', fault: 'out_of_range' }],
  })
})

const decimal = (min: number, max: number, digits: number) =>
  fc.integer({ min: min * 10 ** digits, max: max * 10 ** digits }).map(n => String(new Big(n).div(10 ** digits)))
const percentOff: fc.Arbitrary<Discount> = decimal(0, 100, 4).map(percent => ({ percent }))
const line: fc.Arbitrary<InvoiceLine> = fc.record(
  {
    quantity: fc.oneof(decimal(-100, 10_000, 4), decimal(0, 10, 2)),
    unitPrice: fc.oneof(decimal(-100, 100_000, 6), decimal(0, 50, 2)),
    taxRate: fc.oneof(fc.constantFrom(0, 7, 19, '20', '7.7', '5.5'), decimal(0, 100, 4)),
    discount: percentOff,
  },
  { requiredKeys: ['quantity', 'unitPrice', 'taxRate'] },
)

test('lines + taxes = total, for any lines, discounts, currency and rounding; all integers', () => {
  const options = fc.record({
    currency,
    rounding: fc.constantFrom('per_rate' as const, 'per_line' as const),
    discount: fc.option(percentOff, { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 25 }), options, (lines, options) => {
      // A discount on lines that cancel out to nothing spreads over nothing: nothing is taken.
      const totals = calculate(lines, options)
      const add = (amounts: number[]) => Number(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n))
      assert.equal(
        add(totals.lines.map(l => l.netMinor)) + add(totals.taxGroups.map(g => g.taxMinor)),
        totals.totalMinor,
      )
      assert.equal(totals.grossMinor - totals.discountMinor, totals.netMinor)
      assert.equal(totals.netMinor + totals.taxMinor, totals.totalMinor)
      assert.equal(add(totals.taxGroups.map(g => g.netMinor)), totals.netMinor)
      for (const l of totals.lines) assert.equal(l.grossMinor - l.discountMinor, l.netMinor)
      const rates = totals.taxGroups.map(g => g.taxRatePpm)
      assert.deepEqual(
        rates,
        [...new Set(rates)].sort((a, b) => a - b),
      )
      // The gross of each line is the exact product, rounded once.
      for (const [i, l] of totals.lines.entries()) {
        const exact = new Big(lines[i]!.quantity)
          .times(lines[i]!.unitPrice)
          .times(10 ** currencyExponent(options.currency))
        assert.ok(exact.minus(l.grossMinor).abs().lte(0.5))
      }
      // One rounding a rate: the tax is at most half a unit from the exact one.
      if (options.rounding === 'per_rate')
        for (const g of totals.taxGroups)
          assert.ok(new Big(g.netMinor).times(g.taxRatePpm).div(1e6).minus(g.taxMinor).abs().lte(0.5))
    }),
    { numRuns: 1000 },
  )
})
