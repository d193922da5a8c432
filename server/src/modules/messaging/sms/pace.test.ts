// Handing over gives way to taking in only when there is too little of the machine for both, and never for long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMeter, pauseMs } from './pace.ts'

const burst = { accepting: 60, idle: 0, waitedMs: 0, behind: false }

test('in a burst on a machine at its limit, claims are far apart', () => {
  assert.ok(pauseMs(burst) >= 100)
})

test('nothing waits when the machine has time; on a busy one, messages gather a moment and no longer', () => {
  const calm = pauseMs({ accepting: 0, idle: 1, waitedMs: 0, behind: false })
  assert.ok(calm <= 5)
  for (const more of [{ idle: 0.4 }, { accepting: 20 }, { waitedMs: 60_000 }]) {
    const pause = pauseMs({ ...burst, ...more })
    assert.ok(pause > calm && pause <= 25, JSON.stringify(more))
    assert.equal(pauseMs({ ...burst, ...more, behind: true }), calm, 'what was left behind has gathered already')
  }
})

test('between the extremes it changes gradually', () => {
  for (const more of [{ idle: 0.1 }, { accepting: 36 }, { waitedMs: 1_500 }]) {
    const pause = pauseMs({ ...burst, ...more })
    assert.ok(pause > pauseMs({ ...burst, idle: 1 }) && pause < pauseMs(burst), JSON.stringify(more))
  }
})

test('a meter counts how much is under way, and for how long', () => {
  let now = 0
  const meter = createMeter(() => now)
  const at = (ms: number, action: () => void) => {
    now = ms
    action()
  }
  at(10, meter.enter)
  at(20, meter.enter)
  at(30, meter.leave)
  at(50, meter.leave)
  assert.equal(meter.sumMs(), 50)
  at(100, meter.enter)
  now = 105
  assert.deepEqual([meter.sumMs(), meter.under(), meter.count()], [55, 1, 2])
})
