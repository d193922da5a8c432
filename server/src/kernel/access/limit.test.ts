// Guards: N quick requests after a quiet minute all pass, no 60 seconds ever hold more than N, Retry-After is exact to
// the second, memory is bounded, clients are distinguished by what a customer really has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientKey, createLimiter, createMemoryLimiter, limitHeaders } from './limit.ts'

const START_MS = Date.UTC(2026, 10, 21, 8, 44, 0)

// The naive truth: every passed request with its instant. A request counts until 61 whole seconds have gone by.
function createOracle(windowSeconds = 60) {
  const log: { ms: number; cost: number }[] = []
  const counted = (ms: number) =>
    log
      .filter(entry => Math.floor(ms / 1000) - Math.floor(entry.ms / 1000) <= windowSeconds)
      .reduce((sum, entry) => sum + entry.cost, 0)
  return {
    log,
    would: (ms: number, limit: number, cost: number) => counted(ms) + cost <= limit,
    take(ms: number, limit: number, cost: number) {
      const allowed = counted(ms) + cost <= limit
      if (allowed) log.push({ ms, cost })
      return { allowed, remaining: Math.max(0, limit - counted(ms)) }
    },
  }
}

// Bursts, trickles and pauses, with every alignment to the second.
const gapsMs = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 3000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(999, 1000, 1001, 59_999, 60_000, 60_001, 60_999, 61_000, 61_001) },
  ),
  { minLength: 1, maxLength: 150 },
)
const start = fc.integer({ min: 0, max: 120_000 }).map(ms => START_MS + ms)
const limit = fc.integer({ min: 1, max: 12 })

test('every decision is the one of a log of all requests, and no 60 seconds hold more than the limit', () => {
  fc.assert(
    fc.property(
      start,
      limit,
      gapsMs,
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1 }),
      (startMs, limit, gaps, costs) => {
        const limiter = createMemoryLimiter()
        const oracle = createOracle()
        let ms = startMs
        for (const [i, gap] of gaps.entries()) {
          ms += gap
          const cost = Math.min(costs[i % costs.length]!, limit)
          const expected = oracle.take(ms, limit, cost)
          const decision = limiter.take('k', limit, ms, cost)
          assert.equal(decision.allowed, expected.allowed, `request ${i}`)
          assert.equal(decision.remaining, expected.remaining)
          assert.equal(decision.limit, limit)
        }
        for (const { ms } of oracle.log) {
          const inWindow = oracle.log.filter(entry => entry.ms >= ms && entry.ms <= ms + 60_000)
          assert.ok(inWindow.reduce((sum, entry) => sum + entry.cost, 0) <= limit)
        }
      },
    ),
    { numRuns: 1500 },
  )
})

test('Retry-After is exact: that many seconds later the request passes, one second earlier it does not', () => {
  let refusals = 0
  fc.assert(
    fc.property(start, limit, gapsMs, fc.integer({ min: 1, max: 3 }), (startMs, limit, gaps, wanted) => {
      const limiter = createMemoryLimiter()
      const oracle = createOracle()
      const cost = Math.min(wanted, limit)
      let ms = startMs
      for (const gap of gaps) {
        ms += gap
        const { allowed, retryAfterSeconds, resetSeconds } = limiter.take('k', limit, ms, cost)
        oracle.take(ms, limit, cost)
        if (allowed) assert.equal(retryAfterSeconds, 0)
        else {
          refusals++
          assert.ok(retryAfterSeconds >= 1 && retryAfterSeconds <= 61 && Number.isInteger(retryAfterSeconds))
          assert.equal(oracle.would(ms + retryAfterSeconds * 1000, limit, cost), true)
          assert.equal(oracle.would(ms + (retryAfterSeconds - 1) * 1000, limit, cost), false)
          assert.ok(resetSeconds <= retryAfterSeconds, 'Retry-After is never before anything frees')
        }
      }
    }),
    { numRuns: 1500 },
  )
  assert.ok(refusals > 1000, 'refused often enough for the test to count')
})

test('after 61 quiet seconds the whole quota passes at once, at any alignment', () => {
  fc.assert(
    fc.property(
      start,
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 0, max: 100_000 }),
      (startMs, limit, pause) => {
        const limiter = createMemoryLimiter()
        for (let i = 0; i < limit; i++) assert.ok(limiter.take('k', limit, startMs).allowed)
        assert.equal(limiter.take('k', limit, startMs + 60_000).allowed, false)
        const laterMs = startMs + 61_000 + pause
        for (let i = 0; i < limit; i++) assert.ok(limiter.take('k', limit, laterMs + i).allowed)
        assert.equal(limiter.take('k', limit, laterMs + limit).allowed, false)
      },
    ),
    { numRuns: 200 },
  )
})

test('the RateLimit figures count down as documented', () => {
  const limiter = createMemoryLimiter()
  assert.deepEqual(limiter.take('k', 3, START_MS + 250), {
    allowed: true,
    limit: 3,
    remaining: 2,
    resetSeconds: 61, // the counter of second 0 leaves when second 61 begins, 60.75 s from here
    retryAfterSeconds: 0,
  })
  limiter.take('k', 3, START_MS + 10_000)
  assert.equal(limiter.take('k', 3, START_MS + 20_000).remaining, 0)
  const refused = limiter.take('k', 3, START_MS + 30_000)
  assert.deepEqual([refused.allowed, refused.resetSeconds, refused.retryAfterSeconds], [false, 31, 31])
  // A dearer request must wait for two to leave.
  assert.equal(limiter.take('k', 3, START_MS + 30_000, 2).retryAfterSeconds, 41)
  // More than the limit can never pass; the answer still ends.
  assert.equal(limiter.take('k', 3, START_MS + 30_000, 4).retryAfterSeconds, 61)
  assert.equal(limiter.take('k', 0, START_MS + 30_000).allowed, false)
  assert.equal(limiter.take('k', Number.NaN, START_MS + 30_000).allowed, false)
})

test('keys do not touch each other', () => {
  const limiter = createMemoryLimiter()
  for (let i = 0; i < 5; i++) limiter.take('a', 5, START_MS)
  assert.equal(limiter.take('a', 5, START_MS).allowed, false)
  assert.equal(limiter.take('b', 5, START_MS).allowed, true)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 0, max: 20_000 })), { maxLength: 200 }), steps => {
      const limiter = createMemoryLimiter()
      const oracles = Array.from({ length: 6 }, () => createOracle())
      let ms = START_MS
      for (const [key, gap] of steps) {
        ms += gap
        assert.equal(limiter.take(`k${key}`, 3, ms).allowed, oracles[key]!.take(ms, 3, 1).allowed)
      }
    }),
    { numRuns: 300 },
  )
})

test('a clock that steps back neither blocks anybody nor hands out a second quota', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 1, max: 10_000_000 }), (elapsed, back) => {
      const limiter = createMemoryLimiter()
      for (let i = 0; i < 5; i++) limiter.take('k', 10, START_MS)
      for (let i = 0; i < 5; i++) limiter.take('k', 10, START_MS + elapsed)
      const before = limiter.take('k', 10, START_MS + elapsed, 0).remaining
      const ms = START_MS + elapsed - back
      const after = limiter.take('k', 10, ms, 0)
      assert.equal(after.remaining, before)
      assert.ok(after.resetSeconds <= 61)
      assert.equal(limiter.take('k', 10, ms + 61_000, 0).remaining, 10)
    }),
  )
})

test('memory is bounded: quiet keys make room, then the one quiet for longest, and a busy key keeps its count', () => {
  const limiter = createMemoryLimiter({ maxKeys: 1000 })
  let ms = START_MS
  for (let i = 0; i < 20_000; i++) {
    ms += 2
    limiter.take(`flood ${i}`, 5, ms)
    if (i % 100 === 0) limiter.take('busy', 1000, ms)
    assert.ok(limiter.size <= 1000)
  }
  assert.equal(limiter.take('busy', 1000, ms).remaining, 1000 - 201)
  assert.equal(limiter.take('flood 19999', 5, ms).remaining, 3)
  assert.equal(limiter.take('flood 0', 5, ms).remaining, 4, 'forgotten')
  // A minute later, every new key buries two old ones.
  for (let i = 0; i < 999; i++) limiter.take(`later ${i}`, 5, ms + 62_000)
  assert.ok(limiter.size <= 1000)
  for (let i = 0; i < 10; i++) limiter.take(`last ${i}`, 5, ms + 200_000)
  assert.ok(limiter.size < 1000)
})

test('what a full limiter remembers and forgets is what a list of keys by last use would, counts included', () => {
  const step = fc.tuple(fc.nat(6), fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 70_000 })))
  fc.assert(
    fc.property(start, fc.array(step, { maxLength: 200 }), (startMs, steps) => {
      const limiter = createMemoryLimiter({ maxKeys: 3 })
      let known: { key: string; second: number; oracle: ReturnType<typeof createOracle> }[] = []
      let ms = startMs
      for (const [n, gap] of steps) {
        ms += gap
        const key = `k${n}`
        const second = Math.floor(ms / 1000)
        let entry = known.find(entry => entry.key === key)
        if (entry === undefined) {
          for (let i = 0; i < 2; i++) if (known[0] && second - known[0].second > 60) known.shift()
          if (known.length >= 3) known.shift()
          entry = { key, second, oracle: createOracle() }
          known.push(entry)
        } else if (entry.second !== second) {
          known = [...known.filter(other => other !== entry), entry]
          entry.second = second
        }
        const { allowed, remaining } = limiter.take(key, 4, ms)
        assert.deepEqual({ allowed, remaining }, entry.oracle.take(ms, 4, 1))
        assert.equal(limiter.size, known.length)
      }
    }),
    { numRuns: 500 },
  )
})

test('another window length works alike', () => {
  const limiter = createMemoryLimiter({ windowSeconds: 5 })
  for (let i = 0; i < 3; i++) assert.ok(limiter.take('k', 3, START_MS).allowed)
  assert.equal(limiter.take('k', 3, START_MS).retryAfterSeconds, 6)
  assert.equal(limiter.take('k', 3, START_MS + 5999).allowed, false)
  assert.equal(limiter.take('k', 3, START_MS + 6000).allowed, true)
})

test('without a Valkey the limiter answers at once', async () => {
  const limiter = await createLimiter({ log: { info: () => assert.fail(), warn: () => assert.fail() } })
  const decision = limiter.take('k', 1, START_MS)
  assert.ok(!(decision instanceof Promise) && decision.allowed)
  limiter.close()
})

test('clients are counted by IPv4 address and by IPv6 network', () => {
  const cases: [string | undefined, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, 'unknown'],
    ['', 'unknown'],
    ['010.0.0.1', 'unknown'],
    ['192.0.2.1, 10.0.0.1', 'unknown'],
    ['999.0.0.1', 'unknown'],
    ['nonsense', 'unknown'],
  ]
  for (const [ip, key] of cases) assert.equal(clientKey(ip), key, String(ip))
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (a, b) => {
      assert.equal(clientKey(a), clientKey(a.toUpperCase()))
      assert.notEqual(clientKey(b), 'unknown')
    }),
  )
})

test('headers report policy and state, and Retry-After only with a refusal', () => {
  const passed = { allowed: true, limit: 100, remaining: 99, resetSeconds: 60, retryAfterSeconds: 0 }
  assert.deepEqual(limitHeaders('ip', passed), {
    'RateLimit-Policy': '"ip";q=100;w=60',
    RateLimit: '"ip";r=99;t=60',
  })
  const refused = { allowed: false, limit: 1000, remaining: 0, resetSeconds: 3, retryAfterSeconds: 4 }
  assert.deepEqual(limitHeaders('key', refused), {
    'RateLimit-Policy': '"key";q=1000;w=60',
    RateLimit: '"key";r=0;t=3',
    'Retry-After': '4',
  })
})
