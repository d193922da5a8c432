// The clock of all frames: every stream every 20 ms by the count of frames, spread over its slots, without drift however late
// the process wakes, and without a flood after it was held up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Timing } from '../src/rtp/clock.ts'
import { createFrameClock, startFrameClock } from '../src/rtp/clock.ts'
import { createChance } from './rtp_support.ts'

test('frames are counted from the start: late wakes do not add up', () => {
  const clock = createFrameClock({ startMs: 1000 })
  const dues: number[] = []
  clock.add(dueMs => dues.push(dueMs), 1000)
  const chance = createChance(1)
  let nowMs = 1000
  while (nowMs < 61_000) {
    const next = clock.run(nowMs)!
    assert.ok(next > nowMs)
    nowMs = next + chance(40) / 10
  }
  assert.equal(dues.length, 3000)
  for (const [i, due] of dues.entries()) assert.equal(due, 1000 + 20 * i)
  assert.equal(clock.skipped, 0)
})

test('a thousand streams lie evenly in the slots, also after some have gone', () => {
  const clock = createFrameClock({ startMs: 0 })
  const perSlot = new Map<number, number>()
  const handler = (dueMs: number) => void perSlot.set(dueMs % 20, (perSlot.get(dueMs % 20) ?? 0) + 1)
  const removes = Array.from({ length: 1000 }, () => clock.add(handler, 0))
  for (let nowMs = 0; nowMs < 20; nowMs++) clock.run(nowMs)
  assert.deepEqual([...perSlot.values()], Array(20).fill(50))
  for (let i = 0; i < 1000; i += 2) removes[i]!()
  removes[0]!()
  assert.equal(clock.streams, 500)
  for (let i = 0; i < 500; i++) clock.add(handler, 20)
  perSlot.clear()
  for (let nowMs = 20; nowMs < 40; nowMs++) clock.run(nowMs)
  assert.deepEqual([...perSlot.values()], Array(20).fill(50))
})

test('after a short delay frames are made up for, after a long one they are skipped and reported', () => {
  const clock = createFrameClock({ startMs: 0 })
  const calls: [number, number][] = []
  clock.add((dueMs, skipped) => calls.push([dueMs, skipped]), 0)
  clock.run(0)
  clock.run(55)
  assert.deepEqual(calls, [
    [0, 0],
    [20, 0],
    [40, 0],
  ])
  assert.equal(clock.run(10_000), 10_020)
  assert.deepEqual(calls.slice(3), [[10_000, 497]])
  assert.equal(clock.skipped, 497)
})

test('streams come and go inside of handlers; after a time without any nothing is made up for', () => {
  const clock = createFrameClock({ startMs: 0 })
  const seen: string[] = []
  const removeSecond = { it: () => {} }
  const removeFirst = clock.add(dueMs => {
    seen.push(`first ${dueMs}`)
    removeFirst()
    removeSecond.it()
    clock.add(at => seen.push(`third ${at}`), dueMs)
  }, 0)
  for (let i = 0; i < 19; i++) clock.add(() => {}, 0)
  removeSecond.it = clock.add(() => seen.push('second'), 0)
  for (let nowMs = 0; nowMs <= 20; nowMs++) clock.run(nowMs)
  assert.deepEqual(seen, ['first 0', 'third 20'])
  const empty = createFrameClock({ startMs: 0 })
  assert.equal(empty.run(500), null)
  empty.add((dueMs, skipped) => seen.push(`late ${dueMs} ${skipped}`), 5000.5)
  empty.run(5001)
  assert.equal(seen.at(-1), 'late 5001 0')
  assert.equal(empty.skipped, 0)
})

test('the running clock sleeps without streams, wakes for one, outlives a bug in a handler and stops', () => {
  let nowMs = 0
  let timer: { callback: () => void; atMs: number } | undefined
  const timing: Timing = {
    now: () => nowMs,
    setTimeout: (callback, ms) => {
      assert.equal(timer, undefined, 'one timer at a time')
      timer = { callback, atMs: nowMs + ms }
      return timer
    },
    clearTimeout: () => {
      timer = undefined
    },
  }
  const step = () => {
    const due = timer!
    timer = undefined
    nowMs = due.atMs
    due.callback()
  }
  const clock = startFrameClock(timing)
  assert.equal(timer, undefined)
  const dues: number[] = []
  const remove = clock.add(dueMs => dues.push(dueMs))
  let isBroken = true
  clock.add(() => {
    if (isBroken) throw new Error('a bug')
  })
  assert.throws(() => {
    for (let i = 0; i < 5; i++) step()
  }, /a bug/)
  isBroken = false
  while (nowMs < 200) step()
  assert.deepEqual(dues, [0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200].slice(0, dues.length))
  assert.ok(dues.length >= 10)
  remove()
  clock.stop()
  assert.equal(timer, undefined)
  clock.add(() => {})
  assert.equal(timer, undefined)
})
