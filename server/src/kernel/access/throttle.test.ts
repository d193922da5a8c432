// Guards: guessing slows down by doubling waits up to a quarter of an hour, nobody is locked out for good, a success
// clears the account but not the address, memory is bounded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFailureThrottle } from './throttle.ts'

const START_MS = Date.UTC(2026, 10, 21)
const MINUTE_MS = 60_000
const ada = 'account ada@example.com'
const office = 'ip 192.0.2.1'

test('five failures are free, then the wait doubles from one second to fifteen minutes', () => {
  const throttle = createFailureThrottle()
  let ms = START_MS
  const waits: number[] = []
  for (let i = 0; i < 20; i++) {
    throttle.fail(ada, ms)
    const seconds = throttle.retryAfterSeconds(ada, ms)
    waits.push(seconds)
    if (seconds > 0) assert.equal(throttle.retryAfterSeconds(ada, ms + seconds * 1000 - 1), 1)
    ms += seconds * 1000
    assert.equal(throttle.retryAfterSeconds(ada, ms), 0)
  }
  assert.deepEqual(waits, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900])
})

test('an address has twenty free failures, whatever the accounts; others are not slowed down', () => {
  const throttle = createFailureThrottle()
  for (let i = 0; i < 20; i++) throttle.fail(office, START_MS)
  assert.equal(throttle.retryAfterSeconds(office, START_MS), 0)
  throttle.fail(office, START_MS)
  assert.equal(throttle.retryAfterSeconds(office, START_MS), 1)
  assert.equal(throttle.retryAfterSeconds('ip 192.0.2.2', START_MS), 0)
  assert.equal(throttle.retryAfterSeconds(ada, START_MS), 0)
})

test('a success clears the account and leaves the address', () => {
  const throttle = createFailureThrottle()
  for (let i = 0; i < 30; i++) for (const key of [ada, office]) throttle.fail(key, START_MS)
  assert.equal(throttle.retryAfterSeconds(ada, START_MS), 900)
  throttle.succeed(ada)
  assert.equal(throttle.retryAfterSeconds(ada, START_MS), 0)
  assert.equal(throttle.retryAfterSeconds(office, START_MS), 512)
})

test('an hour without a failure forgets; no history makes anybody wait more than fifteen minutes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 * MINUTE_MS }), { maxLength: 200 }), gaps => {
      const throttle = createFailureThrottle()
      let ms = START_MS
      for (const gap of gaps) {
        ms += gap
        throttle.fail(ada, ms)
      }
      const seconds = throttle.retryAfterSeconds(ada, ms)
      assert.ok(seconds <= 900)
      assert.equal(throttle.retryAfterSeconds(ada, ms + seconds * 1000), 0)
      // A clock set back by a day does not lengthen the wait.
      assert.ok(throttle.retryAfterSeconds(ada, ms - 86_400_000) <= 900)
      throttle.fail(ada, ms + 60 * MINUTE_MS)
      assert.equal(throttle.retryAfterSeconds(ada, ms + 60 * MINUTE_MS), 0)
    }),
    { numRuns: 200 },
  )
})

test('memory is bounded, and what was seen last is kept', () => {
  const throttle = createFailureThrottle({ maxKeys: 100, account: { freeFailures: 0 } })
  for (let i = 0; i < 1000; i++) throttle.fail(`account ${i}`, START_MS + i)
  for (const kept of [900, 999]) assert.ok(throttle.retryAfterSeconds(`account ${kept}`, START_MS + 1000) > 0)
  throttle.fail('account 900', START_MS + 1000)
  for (let i = 1000; i < 1099; i++) throttle.fail(`account ${i}`, START_MS + 1000)
  assert.ok(throttle.retryAfterSeconds('account 900', START_MS + 1000) > 0, 'failed again, so seen last')
  for (const gone of [0, 899, 901]) assert.equal(throttle.retryAfterSeconds(`account ${gone}`, START_MS + 1000), 0)
})
