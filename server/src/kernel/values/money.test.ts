// Guards: an amount is taken exactly or refused, and prints back as it came; rounding is half away from zero, and what is spread
// adds up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import fc from 'fast-check'
import {
  currencyCodes,
  currencyExponent,
  isCurrency,
  maxMinor,
  minorFromInput,
  portion,
  spread,
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
