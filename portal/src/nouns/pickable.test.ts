// Enter in a picker takes what was typed, and nothing else that happens to stand first.
// What is offered, and what Enter does with it, without a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterDoes } from '../ui/combobox_enter.ts'
import { foundFor, knownFor, noneValue } from './pickable.ts'

const option = (value: string, label: string) => ({ value, label })
const none = option(noneValue, 'None')
const valuesOf = (options: readonly { value: string }[]) => options.map(({ value }) => value)

test('while something is typed, only what was found for it is offered', () => {
  const chosen = option('com_1', 'Initech')
  const options = [none, chosen, option('com_2', 'Northwind')]
  assert.deepEqual(valuesOf(foundFor(options, 'north', new Set(['com_2']))), ['com_2'])
  assert.deepEqual(valuesOf(foundFor(options, 'none', new Set())), [noneValue], 'unless it is written out')
  const latest = new Set(['com_1', 'com_2'])
  assert.deepEqual(valuesOf(foundFor(options, 'w', latest)), ['com_2'], 'one letter is searched for among the latest')
})

test('people are found by their words, and nobody only by name', () => {
  const options = [option(noneValue, 'Nobody'), option('1', 'Noor Baker'), option('2', 'Ada Bond')]
  assert.deepEqual(valuesOf(knownFor(options, 'no')), ['1'])
  assert.deepEqual(valuesOf(knownFor(options, 'bo ad')), ['2'])
  assert.deepEqual(valuesOf(knownFor(options, 'Nobody')), [noneValue])
})

test('Enter waits for the answer to what was typed, and takes at once what was gone to by the arrows', () => {
  assert.equal(enterDoes('north', { isLoading: true, active: 0, found: 3 }), 'wait')
  assert.equal(enterDoes('north', { isLoading: true, active: 1, found: 3 }), 'choose')
  assert.equal(enterDoes('north', { isLoading: false, active: 0, found: 3 }), 'choose')
  assert.equal(enterDoes(undefined, { isLoading: true, active: 0, found: 3 }), 'choose')
  assert.equal(enterDoes(undefined, { isLoading: true, active: 0, found: 0 }), 'wait')
  assert.equal(enterDoes('free', { isLoading: false, active: 0, found: 0 }), 'take')
})
