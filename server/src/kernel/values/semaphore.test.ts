// So many at a time, in their order; anyone who finds the queue full is refused at once, and a failure gives its permit back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from './problem.ts'
import { createSemaphore, createSemaphores } from './semaphore.ts'

/** Work that ends on request. */
function gate() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { work: () => promise, end: resolve, fail: reject }
}

test('no more run than there are permits; those that wait run in their order', async () => {
  const semaphore = createSemaphore({ permits: 2 })
  const begun: string[] = []
  const gates = ['a', 'b', 'c', 'd'].map(name => ({ name, ...gate() }))
  const runs = gates.map(({ name, work }) =>
    semaphore.run(hasWaited => {
      begun.push(hasWaited ? `${name} waited` : name)
      return work()
    }),
  )
  assert.deepEqual(begun, ['a', 'b'])
  gates[1]!.end('b')
  await runs[1]
  assert.deepEqual(begun, ['a', 'b', 'c waited'])
  for (const { name, end } of gates) end(name)
  assert.deepEqual(await Promise.all(runs), ['a', 'b', 'c', 'd'])
  assert.ok(semaphore.isIdle())
})

test('a permit that is handed on cannot be taken by a newcomer', async () => {
  const semaphore = createSemaphore({ permits: 1 })
  const [first, second] = [gate(), gate()]
  const begun: string[] = []
  const runs = [
    semaphore.run(first.work),
    semaphore.run(() => {
      begun.push('waiting')
      return second.work()
    }),
  ]
  first.end('first')
  await runs[0]
  const newcomer = semaphore.run(async () => {
    begun.push('newcomer')
  })
  second.end('second')
  await Promise.all([...runs, newcomer])
  assert.deepEqual(begun, ['waiting', 'newcomer'])
})

test('beyond the longest line it refuses at once; work that fails gives its permit back', async () => {
  const semaphore = createSemaphore({ permits: 1, maxWaiting: 1 })
  const [first, second] = [gate(), gate()]
  const runs = [semaphore.run(first.work), semaphore.run(second.work)]
  await assert.rejects(
    semaphore.run(async () => {}),
    (error: unknown) =>
      error instanceof Problem && error.code === 'unavailable' && error.headers?.['retry-after'] === '2',
  )
  const failed = assert.rejects(runs[0]!, /broken/)
  first.fail(new Error('broken') as never)
  await failed
  second.end('second')
  assert.equal(await runs[1], 'second')
  assert.ok(semaphore.isIdle())
})

test('keys do not wait for each other, and nothing is kept of one that is idle', async () => {
  const semaphores = createSemaphores<number>({ permits: 1 })
  const [first, second] = [gate(), gate()]
  const runs = [semaphores.run(1, first.work), semaphores.run(1, second.work)]
  assert.equal(await semaphores.run(2, async () => 'at once'), 'at once')
  assert.equal(semaphores.size(), 1)
  first.end('first')
  second.end('second')
  await Promise.all(runs)
  assert.equal(semaphores.size(), 0)
})
