// What is prepared of calls and never dialled does not stay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlans } from './plans.ts'

test('a plan is taken once, the newest of a call, and none stays for longer than a commit may take', () => {
  let nowMs = 0
  const plans = createPlans<string>(() => nowMs)
  plans.keep('call_1', 'old')
  plans.keep('call_1', 'new')
  assert.deepEqual([plans.take('call_1'), plans.take('call_1')], ['new', undefined])

  plans.keep('call_lost', 'lost')
  nowMs = 30_000
  plans.keep('call_2', 'kept')
  nowMs = 60_000
  plans.keep('call_3', 'kept')
  assert.equal(plans.size, 2)
  assert.deepEqual([plans.take('call_lost'), plans.take('call_2'), plans.take('call_3')], [undefined, 'kept', 'kept'])
})
