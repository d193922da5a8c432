// A change sends what differs and nothing else; what was typed stays over whatever is stored meanwhile.
// Of plain values, and of a destination policy as an example of a form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf as policyChanges } from '../destinations/policy_values.ts'
import { differing, typedAfter } from './differing.ts'

test('only what differs is sent', () => {
  assert.deepEqual(differing({ url: 'a', types: ['x'], note: null }, { url: 'b', types: ['x'], note: null }), {
    url: 'a',
  })
})

test('what was typed stays over what somebody else stored, and the rest follows that', () => {
  const typed = typedAfter({ days: '30', idle: '60' }, {}, old => ({ ...old, days: '7' }))
  assert.deepEqual(typed, { days: '7' })
  const later = { days: '14', idle: '90' }
  assert.deepEqual({ ...later, ...typed }, { days: '7', idle: '90' })
  assert.deepEqual(
    typedAfter(later, typed, old => ({ ...old, idle: '15' })),
    { days: '7', idle: '15' },
  )
})

test('a destination policy sends the ceiling that was changed, and no list of countries', () => {
  const begun = {
    allowedCountries: ['DE'],
    allowedKinds: null,
    allowedPrefixes: '',
    blockedPrefixes: '+49900',
    concurrentCalls: '',
    dailyCalls: '100',
    dailySpend: '5.00 EUR',
  }
  assert.deepEqual(policyChanges({ ...begun, dailyCalls: '200' }, begun), { dailyCalls: 200 })
  assert.deepEqual(policyChanges(begun, begun), {})
})
