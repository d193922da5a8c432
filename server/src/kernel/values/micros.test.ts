// Prices go from decimals to millionths and back without losing anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { microsOf, microsText } from './money.ts'

test('decimals become millionths', () => {
  for (const [text, micros] of [
    ['0', 0],
    ['0.0075', 7_500],
    ['0.000001', 1],
    ['1', 1_000_000],
    ['12.5', 12_500_000],
    ['999999999.999999', 999_999_999_999_999],
  ] as const)
    assert.equal(microsOf(text), micros)
})

test('what is no such decimal is none', () => {
  for (const text of ['', '.5', '1.', '-1', '+1', '1e3', '0.0000001', '1234567890', ' 1', '1,5', 'NaN', '١'])
    assert.equal(microsOf(text), undefined, text)
})

test('millionths become the shortest decimal', () => {
  for (const [micros, text] of [
    [0, '0'],
    [1, '0.000001'],
    [7_500, '0.0075'],
    [1_000_000, '1'],
    [10_000_000, '10'],
    [12_500_000, '12.5'],
    [100_000_010, '100.00001'],
  ] as const)
    assert.equal(microsText(micros), text)
})

test('there and back is the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), micros => {
      assert.equal(microsOf(microsText(micros)), micros)
    }),
  )
})
