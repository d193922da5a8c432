// Guards: a batch for many readers leaves room for others, reaches each reader once, and none that left or came meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handOut } from './hand_out.ts'

test('each gets the batch once, and others have their turn when it takes long', async () => {
  let nowMs = 0
  let turns = 0
  const takers = new Set(Array.from({ length: 20 }, (_, n) => n))
  const given: number[] = []
  const count = () => {
    turns++
    if (given.length < 19) setImmediate(count)
  }
  setImmediate(count)
  const give = (taker: number) => {
    given.push(taker)
    nowMs += 1
    if (taker === 3) {
      takers.delete(4)
      takers.add(20)
    }
  }
  await handOut(takers, give, () => nowMs)
  await new Promise(setImmediate)
  assert.deepEqual(
    given,
    [...Array(20).keys()].filter(n => n !== 4),
  )
  assert.ok(turns >= 5, `${turns} turns`)
})

test('a small batch is handed out at once', async () => {
  const given: string[] = []
  const done = handOut(
    new Set(['a', 'b']),
    taker => void given.push(taker),
    () => 0,
  )
  assert.deepEqual(given, ['a', 'b'])
  await done
})
