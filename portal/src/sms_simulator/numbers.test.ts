// Which numbers a handset takes, and how they are written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshNumber, knownNumbers, simulatorNumber, spokenNumber } from './numbers.ts'

test('a number of the simulator is read from any spelling, and from its end', () => {
  for (const text of ['+15005550100', '+1 500 555 0100', '1-500-555-0100', '(500) 555 0100', '0100', ' 0100 '])
    assert.equal(simulatorNumber(text), '+15005550100', text)
})

test('what is no number of the simulator is none', () => {
  for (const text of ['', '100', '+15550100001', '+4930123456', '15005550', '+150055501001', 'Tandem0100'])
    assert.equal(simulatorNumber(text), undefined, text)
})

test('a fresh number is one of the simulator without a mind of its own', () => {
  const known = new Set(knownNumbers.map(({ number }) => number))
  for (let i = 0; i < 200; i++) {
    const number = freshNumber()
    assert.equal(simulatorNumber(number), number)
    assert.ok(!known.has(number), number)
  }
})

test('numbers are shown in groups, names as they are', () => {
  assert.equal(spokenNumber('+15005550100'), '+1 500 555 0100')
  assert.equal(spokenNumber('+493012345678'), '+493012345678')
  assert.equal(spokenNumber('Tandem'), 'Tandem')
})
