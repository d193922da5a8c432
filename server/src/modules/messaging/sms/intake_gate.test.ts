// Too much is refused in time, and only where the machine is at its limit and carrying falls behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createIntakeGate, type Load, nextAllowance, nextAtOnce } from './intake_gate.ts'
import { createMeter } from './pace.ts'

const free = Number.POSITIVE_INFINITY
const load: Load = { allowance: free, stored: 4_000, carried: 1_000, idle: 0, lag: 4, stillSeconds: 0 }

test('while carrying is far behind, less is stored than is carried, and more once it is not', () => {
  assert.equal(nextAllowance(load), 850)
  assert.equal(nextAllowance({ ...load, lag: 30 }), 700)
  assert.equal(nextAllowance({ ...load, carried: 0 }), 50, 'some are always let in')
  assert.equal(nextAllowance({ ...load, allowance: 900, lag: 1 }), 1_250)
})

test('a long queue alone refuses nothing, nor does a machine at its limit', () => {
  assert.equal(nextAllowance({ ...load, idle: 0.5, lag: 3_600 }), free, 'a carrier is slow itself')
  assert.equal(nextAllowance({ ...load, lag: 3_600 }), free, 'so does one where something else keeps the machine busy')
  assert.equal(nextAllowance({ ...load, lag: 1 }), free, 'a burst')
  assert.equal(
    nextAllowance({ ...load, carried: 0, stillSeconds: 5 }),
    free,
    'nobody carries: to store fewer helps nobody',
  )
  assert.equal(nextAllowance({ ...load, allowance: 1_000, idle: 0.5, lag: 0 }), 1_250)
  assert.equal(nextAllowance({ ...load, allowance: 1_000, stored: 100, idle: 0.5, lag: 0 }), free, 'it is over')
})

/** A machine at its limit, which stores as much as it is let and carries so many a second. */
function machine(carriesPerSecond: number, lagAt = (_nowMs: number, queued: number) => queued / carriesPerSecond) {
  let nowMs = 0
  let queued = 0
  let storing: number[] = []
  const meter = createMeter(() => nowMs)
  const world = { idle: 0 }
  const gate = createIntakeGate({
    meter,
    nowMs: () => nowMs,
    readIdle: () => world.idle,
    readLag: async () => lagAt(nowMs, queued),
  })
  const pass = (ms: number) => {
    nowMs += ms
    const stored = storing.filter(untilMs => untilMs <= nowMs)
    storing = storing.filter(untilMs => untilMs > nowMs)
    for (const _ of stored) meter.leave()
    queued = Math.max(0, queued + stored.length - (carriesPerSecond * ms) / 1_000)
  }
  return {
    world,
    lag: () => queued / carriesPerSecond,
    /** Asks so often a second for so many seconds. Returns how many were let in, and refused, a second. */
    async ask(perSecond: number, seconds: number): Promise<{ letIn: number; refused: number }> {
      let letIn = 0
      for (let n = 0; n < perSecond * seconds; n++) {
        pass(1_000 / perSecond)
        if (gate.refusal() === undefined) {
          meter.enter()
          letIn++
          storing.push(nowMs + gate.reserve())
        }
        await nextTurn()
      }
      return { letIn: letIn / seconds, refused: perSecond - letIn / seconds }
    },
  }
}

test('offered twice what is carried, as much is let in as is carried, and the queue stays short', async () => {
  const { ask, lag } = machine(1_000)
  await ask(2_000, 8)
  const { letIn } = await ask(2_000, 10)
  assert.ok(letIn > 500 && letIn < 1_300, `${letIn} of 2,000 were let in, 1,000 carried`)
  assert.ok(lag() < 12, `${lag()} s behind`)
})

test('where nobody carries, storing is held back for seconds and no longer', async () => {
  // The first message waits as long as the clock runs.
  const { ask } = machine(0, nowMs => nowMs / 1_000)
  assert.ok((await ask(400, 5)).refused > 100)
  await ask(400, 8)
  assert.equal((await ask(400, 5)).refused, 0)
})

test('once less is asked for, all of it is let in', async () => {
  const { ask, world, lag } = machine(1_000)
  await ask(2_000, 10)
  await ask(200, 15)
  assert.ok(lag() < 2, `${lag()} s behind`)
  world.idle = 0.8
  await ask(200, 3)
  assert.equal((await ask(200, 1)).refused, 0)
})

test('who waits for each answer is slowed down, and not refused', async () => {
  let nowMs = 0
  const meter = createMeter(() => nowMs)
  let lag = 3
  const gate = createIntakeGate({ meter, nowMs: () => nowMs, readIdle: () => 0, readLag: async () => lag++ })
  // 64 at once, 2,000 a second: each of 63 ends in its turn, and asks again.
  let waitedMs = 0
  for (let n = 0; n < 63; n++) meter.enter()
  for (let n = 0; n < 4_000; n++) {
    assert.equal(gate.refusal(), undefined, String(n))
    meter.enter()
    waitedMs = gate.reserve()
    nowMs += 0.5
    meter.leave()
    await nextTurn()
  }
  assert.ok(waitedMs > 100, `${waitedMs} ms`)
})

test('as turns of the event loop grow long, fewer are stored at once, and more again when they are short', () => {
  let atOnce = 1_000
  for (let turn = 0; turn < 30; turn++) atOnce = nextAtOnce(atOnce, 40)
  assert.equal(atOnce, 64, 'a commit is always let in')
  for (let turn = 0; turn < 120; turn++) atOnce = nextAtOnce(atOnce, 5)
  assert.equal(atOnce, 1_000)
})

test('what comes in long turns is refused once as many are being stored, and a single long turn refuses nothing', async () => {
  const meter = createMeter()
  const gate = createIntakeGate({ meter, readIdle: () => 1, readLag: async () => 0 })
  const turn = async (ms: number) => {
    const refusal = gate.refusal()
    for (const untilMs = performance.now() + ms; performance.now() < untilMs; );
    await nextTurn()
    await nextTurn()
    return refusal
  }
  for (let n = 0; n < 80; n++) meter.enter()
  await turn(60)
  assert.equal(await turn(0), undefined)
  let refusal: number | undefined
  for (let n = 0; n < 40; n++) refusal = await turn(20)
  assert.equal(refusal, 1)
  for (let n = 0; n < 30; n++) meter.leave()
  assert.equal(await turn(0), undefined)
})

test('a queue of hours asks nobody to come back in minutes', async () => {
  let nowMs = 0
  const meter = createMeter(() => nowMs)
  const gate = createIntakeGate({ meter, nowMs: () => nowMs, readIdle: () => 0, readLag: async () => 36_000 })
  nowMs = 300
  gate.refusal()
  await nextTurn()
  for (let n = 0; n < 1_001; n++) meter.enter()
  assert.equal(gate.refusal(), 7)
})
