// Guards: only what went on without a break counts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUninterrupted } from './uninterrupted.ts'

test('time counts while it succeeds again and again, and from its begin after every break', () => {
  let nowMs = 1_000
  const watch = createUninterrupted(() => nowMs, 15_000)
  const after = (ms: number) => {
    nowMs += ms
    return watch.succeeded()
  }
  assert.deepEqual([after(0), after(5_000), after(15_000)], [0, 5_000, 20_000])
  watch.failed()
  assert.deepEqual([after(5_000), after(5_000)], [0, 5_000], 'it failed')
  assert.deepEqual([after(15_001), after(5_000)], [0, 5_000], 'nothing was heard of it for too long')
  assert.deepEqual([after(-60_000), after(5_000)], [0, 5_000], 'the clock was put back')
})
