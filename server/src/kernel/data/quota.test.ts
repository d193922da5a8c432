// No tenant takes everything, tests leave most to live modes, and who waits is served tenant by tenant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../values/problem.ts'
import {
  createFairQueue,
  createShares,
  createTestPace,
  type Holder,
  type Paced,
  pacesOf,
  quotaOf,
  quotas,
  type TestPace,
} from './quota.ts'

const live: Holder = { tenantId: 1, mode: 'live' }
const ownTest: Holder = { tenantId: 2, mode: 'test' }
const other: Holder = { tenantId: 3, mode: 'live' }

/** How many of a holder fit, all of them taken. */
function fill(shares: ReturnType<typeof createShares>, holder: Holder): number {
  let count = 0
  while (shares.take(holder)) count++
  return count
}

test('tests leave room for live modes, however many of them there are, and one tenant leaves room for another', () => {
  for (const quota of [quotas.streams, quotas.phones, quotas.transactions(10), quotas.statements(3), quotas.batches]) {
    const shares = createShares(quota)
    let held = 0
    for (let tenantId = 100; tenantId < 200; tenantId++) held += fill(shares, { tenantId, mode: 'test' })
    assert.equal(held, quota.tests)
    assert.ok(fill(shares, live) >= Math.min(quota.tenant, quota.total - quota.tests) && held < quota.total)
  }
  const shares = createShares(quotas.streams)
  assert.equal(fill(shares, live), 250)
  assert.equal(fill(shares, other), 250)
  shares.give(live)
  assert.equal(fill(shares, other), 0, 'it has its share')
  assert.ok(shares.take(ownTest))
})

/** Work that lasts until `endOne` ends it. */
function held() {
  const order: string[] = []
  const ends: (() => void)[] = []
  return {
    order,
    work: (name: string) => () => {
      order.push(name)
      return new Promise<void>(resolve => ends.push(resolve))
    },
    /** Ends what runs for longest, and lets what follows begin. */
    async endOne() {
      ends.shift()?.()
      await new Promise(resolve => setImmediate(resolve))
    },
  }
}

test('who waits is served in turn: one read of another tenant does not wait for four hundred writes', async () => {
  const queue = createFairQueue({ quota: quotaOf(2, { tenant: 1, testTenant: 1, tests: 1 }) })
  const { order, work, endOne } = held()
  const writes = Array.from({ length: 400 }, (_, n) => queue.run(live, work(`write ${n}`)))
  const read = queue.run(other, work('read'))
  assert.equal(queue.waiting(), 399)
  await endOne()
  await endOne()
  assert.deepEqual(order, ['write 0', 'write 1', 'read', 'write 2'])
  while (order.length < 401) await endOne()
  assert.deepEqual(
    order.filter(name => name !== 'read'),
    Array.from({ length: 400 }, (_, n) => `write ${n}`),
    'each tenant has its own order',
  )
  for (let n = 0; n < 2; n++) await endOne()
  await Promise.all([...writes, read])
  assert.equal(queue.waiting(), 0)
})

test('a test tenant that waits keeps nobody from the room that it may not take', async () => {
  const queue = createFairQueue({ quota: { total: 3, tenant: 3, testTenant: 1, tests: 1 } })
  const { order, work, endOne } = held()
  const all = [
    queue.run(ownTest, work('test 1')),
    queue.run(ownTest, work('test 2')),
    queue.run(live, work('live 1')),
    queue.run(live, work('live 2')),
  ]
  assert.deepEqual(order, ['test 1', 'live 1', 'live 2'])
  for (let n = 0; n < 4; n++) await endOne()
  await Promise.all(all)
  assert.equal(order.at(-1), 'test 2')
})

test('what waits too long or is too much is refused with Retry-After, and takes no room', async () => {
  const quota = { total: 1, tenant: 1, testTenant: 1, tests: 1 }
  const queue = createFairQueue({ quota, maxWaitMs: 20, maxWaitingOfTenant: 2, maxWaiting: 3 })
  const { work, endOne, order } = held()
  const first = queue.run(live, work('first'))
  const late = [queue.run(live, work('late')), queue.run(live, work('late'))]
  const isBusy = (error: unknown) =>
    error instanceof Problem && error.code === 'unavailable' && error.headers?.['retry-after'] !== undefined
  await assert.rejects(queue.run(live, work('too many of one')), isBusy)
  late.push(queue.run(other, work('late')))
  await assert.rejects(queue.run(ownTest, work('too many of all')), isBusy)
  for (const one of late) await assert.rejects(one, isBusy)
  assert.equal(queue.waiting(), 0)
  await endOne()
  await first
  const next = queue.run(other, work('next'))
  await endOne()
  await next
  assert.deepEqual(order, ['first', 'next'])
})

test('work that fails gives its place back', async () => {
  const queue = createFairQueue({ quota: { total: 1, tenant: 1, testTenant: 1, tests: 1 } })
  await assert.rejects(
    queue.run(live, () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.equal(await queue.run(live, async () => 'yes'), 'yes')
})

/** What has begun of what was asked for, in order; refusals are recorded with their seconds. */
function begun() {
  const order: string[] = []
  return {
    order,
    async ask(pace: TestPace, name: string, holder: Holder, kind?: Paced, count?: number): Promise<void> {
      try {
        await pace.turn(holder, kind, count)
        order.push(name)
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'rate_limited')
        order.push(`${name} refused for ${error.headers?.['retry-after']}`)
      }
    },
  }
}

const slow = { testTenant: 20, tests: 40, burst: 2 }
const paces = { requests: slow, records: { testTenant: 100, tests: 200, burst: 10 } }

test('a test alone on a node has no pace; beside live mode it has, and live mode never waits', async () => {
  const pace = createTestPace({ paces, liveForMs: 200 })
  for (let n = 0; n < 100; n++) assert.equal(pace.turn(ownTest), undefined)
  assert.deepEqual([pace.isHeld(), pace.slice()], [false, undefined])
  pace.live()
  assert.deepEqual(pace.slice(), { records: 10, everyMs: 100 })
  assert.equal(pace.turn(live), undefined)
  const { order, ask } = begun()
  const began = performance.now()
  // Two at once, then one every 50 ms, until live mode has been quiet for 200 ms.
  const all = Array.from({ length: 12 }, (_, n) => ask(pace, String(n), ownTest))
  await new Promise(resolve => setImmediate(resolve))
  /** How many may have begun at most by now: on a busy machine more than two even at once. */
  const most = () => {
    const ms = performance.now() - began
    return ms < 200 ? 2 + Math.floor(ms / 50) : 12
  }
  assert.ok(order.length >= 2 && order.length <= most(), order.join())
  await all[3]
  const fourthMs = performance.now() - began
  assert.ok(fourthMs >= 80, `the fourth began after ${fourthMs} ms`)
  assert.ok(order.length <= most(), order.join())
  await Promise.all(all)
  assert.deepEqual(
    order,
    Array.from({ length: 12 }, (_, n) => String(n)),
  )
  assert.equal(pace.turn(ownTest), undefined, 'live mode is quiet')
})

test('test tenants take turns at their pace, and a batch counts as many as it brings', async () => {
  const pace = createTestPace({ paces })
  const { order, ask } = begun()
  const stranger: Holder = { tenantId: 9, mode: 'test' }
  pace.live()
  await ask(pace, 'first batch', ownTest, 'records', 40)
  const second = ask(pace, 'second batch', ownTest, 'records', 1)
  const theirs = ask(pace, 'batch of another', stranger, 'records', 1)
  assert.equal(pace.turn(ownTest), undefined, 'requests do not wait for batches')
  await Promise.all([second, theirs])
  assert.deepEqual(order, ['first batch', 'batch of another', 'second batch'])
})

test('what waits too long is refused late, with the seconds to wait and the remedy; beyond a bound at once', async () => {
  const pace = createTestPace({ paces, maxWaitMs: 60, maxWaitingOfTenant: 1 })
  const { order, ask } = begun()
  pace.live()
  await ask(pace, 'batch', ownTest, 'records', 300)
  const began = performance.now()
  const late = ask(pace, 'late', ownTest, 'records')
  assert.throws(() => pace.turn(ownTest, 'records'), /beside it, tests have 100 messages of batches a second/)
  await late
  assert.ok(performance.now() - began >= 50)
  assert.deepEqual(order, ['batch', 'late refused for 3'])
  const none = createTestPace({ paces: pacesOf(0) })
  none.live()
  assert.deepEqual([none.isHeld(), none.turn(ownTest, 'records', 1_000_000)], [false, undefined])
})
