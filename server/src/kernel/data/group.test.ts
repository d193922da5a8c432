// Group commit: every request gets its own result, a poisonous one fails alone, and an unknown outcome fails them all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createGroup, createGroupOfModes } from './group.ts'

function serverError(code = '23514'): Error {
  const error = new pg.DatabaseError('refused', 0, 'error')
  error.severity = 'ERROR'
  error.code = code
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

test('who is in no hurry waits for company, beyond the turn of the event loop', async () => {
  const sizes: number[] = []
  const patient = createGroup<number, number>({
    waitMs: 100,
    async run(items) {
      sizes.push(items.length)
      return items
    },
  })
  const first = patient(1)
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(await Promise.all([first, patient(2)]), [1, 2])
  assert.deepEqual(sizes, [2])
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

test('what requests write together fails as a whole when it took too long; what must be written is tried one by one', async () => {
  const sizes: number[] = []
  const run = async (items: { mode?: 'live' | 'test' }[]) => {
    sizes.push(items.length)
    throw serverError('57014')
  }
  const items = [{}, {}, {}]
  for (const [group, expected] of [
    [createGroupOfModes({ run }), [3]],
    [createGroup({ run }), [3, 1, 1, 1]],
  ] as const) {
    sizes.length = 0
    const settled = await Promise.allSettled(items.map(item => group(item)))
    assert.ok(settled.every(result => result.status === 'rejected' && result.reason.code === '57014'))
    assert.deepEqual(sizes, expected)
  }
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

/** A group whose runs end when the test says so; `begun` has the items of each. */
function heldGroup(options: Partial<Parameters<typeof createGroup<number, number>>[0]>) {
  const begun: number[][] = []
  const ends: (() => void)[] = []
  const group = createGroup<number, number>({
    async run(items) {
      begun.push(items)
      await new Promise<void>(resolve => ends.push(resolve))
      return items
    },
    ...options,
  })
  return { group, begun, ends }
}

const turn = () => new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)))

test('a slow commit holds others up for a while only, and a full group not at all', async () => {
  const { group, begun, ends } = heldGroup({ maxItems: 3, overlapAfterMs: 1_000_000 })
  const all = [group(1)]
  await turn()
  all.push(group(2), group(3))
  await turn()
  assert.deepEqual(begun, [[1]], 'two wait for the first')
  all.push(group(4))
  await turn()
  assert.deepEqual(begun, [[1], [2, 3, 4]], 'three are a full group')
  all.push(group(5))
  await turn()
  assert.equal(begun.length, 2)
  for (const end of ends.splice(0)) end()
  await turn()
  assert.deepEqual(begun.at(-1), [5], 'it begins when the others have ended')
  for (const end of ends.splice(0)) end()
  assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5])
})

test('beside a commit that is under way another begins once it has overlapItems', async () => {
  const { group, begun, ends } = heldGroup({ maxItems: 4, overlapItems: 2, overlapAfterMs: 1_000_000 })
  const all = [group(1)]
  await turn()
  all.push(group(2))
  await turn()
  assert.deepEqual(begun, [[1]], 'one waits for the first')
  all.push(group(3))
  await turn()
  assert.deepEqual(begun, [[1], [2, 3]])
  for (const end of ends.splice(0)) end()
  await Promise.all(all)
})

test('a second commit begins beside one that takes longer than overlapAfterMs', async () => {
  const { group, begun, ends } = heldGroup({ overlapAfterMs: 5 })
  const all = [group(1)]
  await turn()
  all.push(group(2))
  while (begun.length < 2) await new Promise(resolve => setTimeout(resolve, 1))
  assert.deepEqual(begun, [[1], [2]])
  for (const end of ends.splice(0)) end()
  await Promise.all(all)
})

test('items that come alone never wait; after company, the next gathers first', async () => {
  const { group, begun, ends } = heldGroup({ gatherMs: 200 })
  const ended = async (...items: Promise<number>[]) => {
    await turn()
    for (const end of ends.splice(0)) end()
    await Promise.all(items)
  }
  await ended(group(1))
  await ended(group(2))
  assert.deepEqual(begun, [[1], [2]])
  await ended(group(3), group(4))
  const gathered = [group(5)]
  await turn()
  gathered.push(group(6))
  while (begun.length < 4) await new Promise(resolve => setTimeout(resolve, 5))
  assert.deepEqual(begun, [[1], [2], [3, 4], [5, 6]])
  await ended(...gathered)
})

test('where more wait than one commit takes, holders take turns', async () => {
  const order: string[] = []
  const group = createGroup<string, string>({
    maxItems: 4,
    maxInFlight: 1,
    holderOf: item => item.charCodeAt(0),
    async run(items) {
      order.push(items.join(' '))
      return items
    },
  })
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2'].map(group))
  assert.deepEqual(order, ['a1 b1 a2 b2', 'a3 a4 a5 a6'])
})

test('tests share no commit with live modes, however they arrive', async () => {
  const runs: string[] = []
  const group = createGroupOfModes({
    async run(items: { mode?: 'live' | 'test'; name: string }[], mode) {
      runs.push(`${mode}: ${items.map(item => item.name).join(' ')}`)
      return items.map(item => item.name)
    },
  })
  const items = [
    { name: 'a' },
    { name: 'b', mode: 'test' as const },
    { name: 'c', mode: 'live' as const },
    { name: 'd', mode: 'test' as const },
  ]
  assert.deepEqual(await Promise.all(items.map(group)), ['a', 'b', 'c', 'd'])
  assert.deepEqual(runs.toSorted(), ['live: a c', 'test: b d'])
})
