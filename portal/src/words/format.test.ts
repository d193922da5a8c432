// How numbers, days and times are written; the tests speak American English.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyCodes, toDecimalNumber } from '../../../server/src/kernel/values/money.ts'
import {
  calendarDayText,
  countText,
  durationText,
  listText,
  moneyText,
  nameOfCode,
  relativeTime,
  sizeText,
} from './format.ts'

test('numbers, money and lists are written as the locale writes them', () => {
  assert.deepEqual([countText(12_345), countText(1_000, false)], ['12,345', '1,000+'])
  assert.deepEqual([moneyText(12.5, 'EUR'), moneyText(0.0075, 'USD', true)], ['€12.50', '$0.0075'])
  assert.deepEqual([listText([]), listText(['a', 'b', 'c'])], ['', 'a, b, and c'])
  assert.equal(calendarDayText('2026-03-29'), 'Mar 29, 2026')
  assert.deepEqual([nameOfCode('region', 'DE'), nameOfCode('region', 'nowhere')], ['Germany', 'nowhere'])
})

test('of an amount of money no decimal is left out, whatever the currency', () => {
  const digits = currencyCodes.map(code => moneyText(toDecimalNumber(1_234_567, code), code).replaceAll(/\D/g, ''))
  assert.deepEqual(
    digits,
    currencyCodes.map(() => '1234567'),
  )
  assert.deepEqual([moneyText(0.125, 'HUF', true), moneyText(80, 'HUF')], ['HUF\u00a00.125', 'HUF\u00a080.00'])
})

test('durations and sizes have the units that all languages have', () => {
  assert.deepEqual([0.42, 61, 1_240, 59_960, 185_000].map(durationText), [
    '0.4 ms',
    '61 ms',
    '1.24 s',
    '60.0 s',
    '3 min 5 s',
  ])
  assert.deepEqual([412, 1_234, 6_000_000].map(sizeText), ['412 B', '1.2 kB', '6.0 MB'])
})

test('a moment within a week is shown by how long it is from now, another by its day', () => {
  const nowMs = Date.parse('2026-11-26T12:00:00Z')
  const shown = (iso: string) => relativeTime(iso, nowMs)
  assert.deepEqual(
    ['2026-11-26T11:59:48Z', '2026-11-26T12:05:00Z', '2026-11-25T12:00:00Z', '2026-11-01T12:00:00Z'].map(shown),
    ['12 sec. ago', 'in 5 min.', 'yesterday', 'Nov 1, 2026'],
  )
})
