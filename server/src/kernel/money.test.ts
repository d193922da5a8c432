// Guards: an amount is taken exactly or refused, prints back as it came, and an invoice's lines, taxes and discounts
// always add up to its total, whatever the figures; rounding is half away from zero.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import fc from 'fast-check'
import {
  currencyCodes,
  currencyExponent,
  type Discount,
  type InvoiceLine,
  type InvoiceTotals,
  isCurrency,
  lineTotals,
  maxMinor,
  minorFromInput,
  portion,
  spread,
  type TotalsOptions,
  toDecimalNumber,
  toDecimalText,
} from './money.ts'

const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'CLF')

test('the currency table has the active codes with their decimals', () => {
  assert.equal(currencyCodes.length, new Set(currencyCodes).size)
  for (const code of currencyCodes) assert.match(code, /^[A-Z]{3}$/)
  const decimals = {
    EUR: 2,
    USD: 2,
    JPY: 0,
    KRW: 0,
    ISK: 0,
    UGX: 0,
    KWD: 3,
    BHD: 3,
    TND: 3,
    CLF: 4,
    UYW: 4,
    MGA: 2,
    HUF: 2,
  }
  for (const [code, exponent] of Object.entries(decimals)) assert.equal(currencyExponent(code), exponent, code)
  // Withdrawn, not money, or not spelled so.
  for (const code of ['DEM', 'HRK', 'BGN', 'ANG', 'SLL', 'ZWL', 'XAU', 'XXX', 'XTS', 'eur', 'EURO', '', 'constructor'])
    assert.equal(isCurrency(code), false, code)
  assert.throws(() => currencyExponent('XXX'), RangeError)
})

test('amounts are taken exactly', () => {
  const cases: [number | string, string, number][] = [
    [0, 'EUR', 0],
    [-0, 'EUR', 0],
    [19.99, 'EUR', 1999],
    ['19.99', 'EUR', 1999],
    ['19.9', 'EUR', 1990],
    ['19.990', 'EUR', 1999],
    ['007', 'EUR', 700],
    [1.005, 'KWD', 1005],
    [1000, 'JPY', 1000],
    ['1000.0', 'JPY', 1000],
    [-5.5, 'EUR', -550],
    [0.07, 'EUR', 7],
    [4.35, 'USD', 435],
    [1e3, 'EUR', 100_000],
    [999_999_999_999.99, 'EUR', 99_999_999_999_999],
    ['999999999999.99', 'EUR', 99_999_999_999_999],
    [999_999_999_999, 'JPY', 999_999_999_999],
    ['999999999999.990', 'KWD', 999_999_999_999_990],
    ['99999999999.9999', 'CLF', 999_999_999_999_999],
  ]
  for (const [value, code, minor] of cases) assert.equal(minorFromInput(value, code), minor, `${value} ${code}`)
})

test('what cannot be taken exactly is refused with its reason', () => {
  const cases: [number | string, string, string][] = [
    [19.999, 'EUR', 'too_precise'],
    ['19.999', 'EUR', 'too_precise'],
    [0.1 + 0.2, 'EUR', 'too_precise'],
    [0.5, 'JPY', 'too_precise'],
    ['0.0001', 'KWD', 'too_precise'],
    [1e-7, 'EUR', 'too_precise'],
    [1_000_000_000_000, 'EUR', 'too_large'],
    ['1000000000000', 'EUR', 'too_large'],
    ['-1000000000000.00', 'EUR', 'too_large'],
    ['100000000000.0000', 'CLF', 'too_large'],
    [1e300, 'EUR', 'too_large'],
    ['', 'EUR', 'not_a_number'],
    ['abc', 'EUR', 'not_a_number'],
    ['1,000.00', 'EUR', 'not_a_number'],
    ['1e3', 'EUR', 'not_a_number'],
    ['0x10', 'EUR', 'not_a_number'],
    [' 1', 'EUR', 'not_a_number'],
    ['1.', 'EUR', 'not_a_number'],
    ['.5', 'EUR', 'not_a_number'],
    ['+1', 'EUR', 'not_a_number'],
    ['Infinity', 'EUR', 'not_a_number'],
    ['1'.repeat(100_000), 'EUR', 'not_a_number'],
    [Number.NaN, 'EUR', 'not_a_number'],
    [Number.POSITIVE_INFINITY, 'EUR', 'not_a_number'],
  ]
  for (const [value, code, fault] of cases)
    assert.equal(minorFromInput(value, code), fault, `${String(value).slice(0, 30)} ${code}`)
})

test('every amount survives the way out as number or text and back in, through JSON', () => {
  const amount = currency.chain(code =>
    fc.tuple(fc.constant(code), fc.oneof(fc.integer(), fc.integer({ min: -maxMinor(code), max: maxMinor(code) }))),
  )
  fc.assert(
    fc.property(amount, ([code, minor]) => {
      assert.equal(minorFromInput(JSON.parse(JSON.stringify(toDecimalNumber(minor, code))), code), minor)
      const text = toDecimalText(minor, code)
      assert.equal(minorFromInput(text, code), minor)
      assert.equal(text.includes('.') ? text.length - text.indexOf('.') - 1 : 0, currencyExponent(code))
      assert.ok(new Big(text).eq(String(toDecimalNumber(minor, code))), 'the number prints as the exact decimal')
    }),
    { numRuns: 5000 },
  )
  assert.equal(toDecimalText(-5, 'EUR'), '-0.05')
  assert.equal(toDecimalText(1000, 'JPY'), '1000')
  assert.throws(() => toDecimalNumber(0.5, 'EUR'), RangeError)
  assert.throws(() => toDecimalNumber(2 ** 53, 'EUR'), RangeError)
})

test('a number is read like its shortest decimal text', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e10, max: 1e10, noNaN: true }), fc.nat(5), currency, (value, digits, code) => {
      const rounded = Number(value.toFixed(digits))
      const text = rounded.toFixed(digits)
      assert.equal(minorFromInput(rounded, code), minorFromInput(text === '-0' ? '0' : text, code), text)
    }),
    { numRuns: 5000 },
  )
})

test('portion rounds half away from zero', () => {
  assert.equal(portion(50, 10_000), 1)
  assert.equal(portion(-50, 10_000), -1)
  assert.equal(portion(49, 10_000), 0)
  assert.equal(portion(99_999_999_999_999, 1_000_000), 99_999_999_999_999)
  fc.assert(
    fc.property(fc.integer({ min: -1e15, max: 1e15 }), fc.nat(1_000_000), (amount, ppm) => {
      const exact = new Big(amount).times(ppm).div(1_000_000)
      assert.equal(portion(amount, ppm), Number(exact.round(0, Big.roundHalfUp)) + 0)
    }),
  )
})

test('spread adds up exactly, and no part is a whole unit away from its share', () => {
  const weights = fc.array(fc.integer({ min: -1e12, max: 1e13 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.integer({ min: -1e14, max: 1e14 }), weights, (amount, weights) => {
      const total = weights.reduce((sum, weight) => sum.plus(weight), new Big(0))
      fc.pre(!total.eq(0))
      fc.pre(weights.every(weight => new Big(amount).times(weight).div(total).abs().lt(1e15)))
      const parts = spread(amount, weights)
      assert.equal(
        parts.reduce((sum, part) => sum + BigInt(part), 0n),
        BigInt(amount),
      )
      for (const [i, part] of parts.entries())
        assert.ok(new Big(amount).times(weights[i]!).div(total).minus(part).abs().lt(1))
    }),
  )
  assert.deepEqual(spread(100, [1, 1, 1]), [34, 33, 33])
  assert.deepEqual(spread(-100, [1, 1, 1]), [-33, -33, -34])
  assert.deepEqual(spread(5, [0, 10]), [0, 5])
  assert.throws(() => spread(1, [0, 0]), RangeError)
})

function reckon(lines: InvoiceLine[], options: Partial<TotalsOptions> = {}): InvoiceTotals {
  const result = lineTotals(lines, { currency: 'EUR', ...options })
  assert.ok(result.ok, JSON.stringify(result))
  return result.totals
}

test('an invoice worked out by hand', () => {
  const totals = reckon([
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
  assert.equal(reckon(lines).taxMinor, 6)
  assert.equal(reckon(lines, { rounding: 'per_line' }).taxMinor, 10)
})

test('halves go away from zero, and decimals do not drift', () => {
  assert.equal(reckon([{ quantity: 1, unitPrice: '0.005', taxRate: 0 }]).totalMinor, 1)
  assert.equal(reckon([{ quantity: -1, unitPrice: '0.005', taxRate: 0 }]).totalMinor, -1)
  assert.equal(reckon([{ quantity: 1.1, unitPrice: 1.15, taxRate: 0 }]).totalMinor, 127) // 1.265; as doubles 1.26499…
  assert.equal(reckon([{ quantity: 3, unitPrice: 0.1, taxRate: 0 }]).totalMinor, 30)
  assert.equal(reckon([{ quantity: '1.5', unitPrice: 333, taxRate: 10 }], { currency: 'JPY' }).totalMinor, 550)
  assert.equal(reckon([{ quantity: 3, unitPrice: '0.3333', taxRate: 5 }], { currency: 'KWD' }).totalMinor, 1050)
})

test("the invoice's own discount is spread over the lines before tax", () => {
  const lines = [19, 19, 7].map(taxRate => ({ quantity: 1, unitPrice: '33.33', taxRate }))
  const totals = reckon(lines, { discount: { amount: 10 } })
  assert.deepEqual(
    totals.lines.map(line => line.discountMinor),
    [334, 333, 333],
  )
  assert.equal(totals.netMinor, 8999)
  assert.equal(reckon(lines, { discount: { percent: 100 } }).totalMinor, 0)
  const credit = reckon([{ quantity: -1, unitPrice: 100, taxRate: 20 }], { discount: { percent: '10' } })
  assert.equal(credit.totalMinor, -10_800)
})

test('every fault is told at once, with its line and field', () => {
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
      const totals = reckon(lines, options)
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
