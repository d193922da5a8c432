// The stall meter against a clock that is turned by hand: how long a stall is known, and what is none.
// What it is for: a carrier repeats what it has waited for too long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStallMeter } from './stall_meter.ts'

test('a stall is known while it lasts and for a second after it, and the usual work is none', context => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  let nowMs = 0
  const meter = createStallMeter(() => nowMs)
  const turn = (ms: number) => {
    nowMs += ms
    context.mock.timers.tick(100)
  }
  turn(100)
  turn(450)
  assert.equal(meter.stalledMs(), 0)
  nowMs += 3_100
  assert.equal(meter.stalledMs(), 3_000, 'before the first tick after it')
  context.mock.timers.tick(100)
  assert.equal(meter.stalledMs(), 3_000)
  turn(700)
  assert.equal(meter.stalledMs(), 3_000, 'a shorter one right behind it')
  turn(400)
  assert.equal(meter.stalledMs(), 0)
  meter.stop()
})
