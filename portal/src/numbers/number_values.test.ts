// What of a number's form is sent.
import '../../test/words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { additionsOf, changesOf, looksLikePhone, valuesOf } from './number_values.ts'
import { instructionsOf } from './number_voice_values.ts'

test('telephone numbers are distinguished from short codes and names by their looks', () => {
  for (const text of ['+49 30 12', '+493012345678', '030 12345678', '(030) 1234']) assert.ok(looksLikePhone(text), text)
  for (const text of ['72345', '12345678', 'Tandem', 'Tandem 24']) assert.ok(!looksLikePhone(text), text)
})

test('of a new number only what is not usual for its kind is sent', () => {
  const empty = valuesOf(undefined)
  assert.deepEqual(additionsOf({ ...empty, number: '+493012345678' }), {})
  assert.deepEqual(additionsOf({ ...empty, number: '72345' }), {})
  const given = { ...empty, number: '+493012345678', voice: false, label: ' Desk ', segmentsPerSecond: '2,5' }
  assert.deepEqual(additionsOf(given), { label: 'Desk', voice: false, segmentsPerSecond: 2.5 })
})

test('of a change only what differs is sent; emptied is null, what is no number stays as typed', () => {
  const start = { ...valuesOf(undefined), label: 'Desk', segmentsPerSecond: '1', serviceId: 'msv_1' }
  assert.deepEqual(changesOf(start, start), {})
  assert.deepEqual(changesOf({ ...start, label: '', serviceId: '', createsLeads: true }, start), {
    label: null,
    serviceId: null,
    createsLeads: true,
  })
  assert.deepEqual(changesOf({ ...start, segmentsPerSecond: 'fast' }, start), { segmentsPerSecond: 'fast' })
  // It may be a thousand, or one.
  assert.deepEqual(changesOf({ ...start, segmentsPerSecond: '1,000' }, start), { segmentsPerSecond: '1,000' })
})

test('what calls begin with is read of its text: nothing, a list, one instruction, or what is wrong with it', () => {
  const hangup = { verb: 'hangup' }
  assert.deepEqual(instructionsOf(' '), { instructions: null })
  assert.deepEqual(instructionsOf('[{"verb": "hangup"}]'), { instructions: [hangup] })
  assert.deepEqual(instructionsOf('{"verb": "hangup"}'), { instructions: [hangup] })
  for (const [text, fault] of [
    ['"hangup"', /square brackets/],
    ['[{"verb"', /This isn’t valid JSON/],
    ['[{"verb": "dial", "password": "••••••••"}]', /password again/],
  ] as const)
    assert.match(JSON.stringify(instructionsOf(text)), fault)
})
