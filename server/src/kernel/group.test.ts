// Group commit: every request gets its own result, a poisonous one fails alone, and an unknown outcome fails them all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createGroup } from './group.ts'

function serverError(): Error {
  const error = new pg.DatabaseError('refused', 0, 'error')
  error.severity = 'ERROR'
  error.code = '23514'
  return error
}

test('requests of one turn share a call, at most 64 of them, and get their own results', async () => {
  const sizes: number[] = []
  const double = createGroup<number, number>({
    async run(items) {
      sizes.push(items.length)
      return items.map(item => item * 2)
    },
  })
  const results = await Promise.all(Array.from({ length: 150 }, (_, n) => double(n)))
  assert.deepEqual(
    results,
    Array.from({ length: 150 }, (_, n) => n * 2),
  )
  assert.deepEqual(sizes, [64, 64, 22])
})

test('no more calls than allowed are under way; what arrives meanwhile gathers', async () => {
  let running = 0
  let most = 0
  const sizes: number[] = []
  const slow = createGroup<number, number>({
    maxInFlight: 2,
    maxItems: 10,
    async run(items) {
      most = Math.max(most, ++running)
      sizes.push(items.length)
      await new Promise(resolve => setTimeout(resolve, 5))
      running--
      return items
    },
  })
  await Promise.all(Array.from({ length: 45 }, (_, n) => slow(n)))
  assert.equal(most, 2)
  assert.deepEqual(sizes, [10, 10, 10, 10, 5])
})

test('when the database refuses a group, only the item at fault fails', async () => {
  const calls: number[][] = []
  const group = createGroup<number, number>({
    async run(items) {
      calls.push(items)
      if (items.includes(13)) throw serverError()
      return items
    },
  })
  const settled = await Promise.allSettled([11, 12, 13, 14].map(group))
  assert.deepEqual(
    settled.map(result => result.status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(calls, [[11, 12, 13, 14], [11], [12], [13], [14]])
})

test('when the connection dies nothing is run again: the outcome is unknown to all', async () => {
  let calls = 0
  const group = createGroup<number, number>({
    async run() {
      calls++
      throw new Error('Connection terminated unexpectedly')
    },
  })
  const settled = await Promise.allSettled([1, 2, 3].map(group))
  assert.ok(settled.every(result => result.status === 'rejected'))
  assert.equal(calls, 1)
})
