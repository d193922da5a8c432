// The plan of attempts, the health of receivers, and that the table of event types knows what the modules emit.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { isEventFilter, nearestEventFilter } from '../../kernel/values/event_types.ts'
import { eventTypes } from '../../nouns.ts'
import { messageStatuses } from '../messaging/sms/index.ts'
import { deliveryIdOf, eventsOf } from './delivery_id.ts'
import {
  chanceOf,
  type DeliveryHealth,
  fullConcurrency,
  healthOf,
  maxConcurrency,
  maxTries,
  maySee,
  nextHealth,
  type Outcome,
  parseRetryAfter,
  probeFrom,
  quickMs,
  retryDelayMs,
  retryDelaysMs,
  slotsFor,
} from './rules.ts'

const fresh: DeliveryHealth = {
  concurrency: 10,
  credit: 0,
  failures: 0,
  failingSinceMs: null,
  failedAttempts: 0,
  deliveredAtMs: null,
  lastError: null,
  resumeAtMs: null,
}

test('ten attempts as docs/webhooks.md promises them, each within a fifth of its plan', () => {
  assert.equal(maxTries, 10)
  const [seconds, minutes, hours] = [1_000, 60_000, 3_600_000]
  const short = [0, 5 * seconds, 5 * minutes, 30 * minutes]
  assert.deepEqual(retryDelaysMs, [...short, ...[2, 5, 10, 14, 20, 24].map(count => count * hours)])
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, chance) => {
      const delay = retryDelayMs(tries, chance) as number
      const planned = retryDelaysMs[tries] as number
      assert.ok(delay >= Math.floor(planned * 0.8) && delay <= Math.ceil(planned * 1.2))
    }),
  )
  assert.equal(retryDelayMs(10, 0.5), undefined)
})

test('Retry-After holds between the planned delay and twice it, a day at most', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 10 ** 9 }),
      (tries, chance, asked) => {
        const planned = retryDelaysMs[tries] as number
        const without = retryDelayMs(tries, chance) as number
        const delay = retryDelayMs(tries, chance, asked) as number
        assert.ok(delay >= without && delay <= Math.max(without, Math.min(2 * planned, 86_400_000)))
        if (asked >= without && asked <= 2 * planned && asked <= 86_400_000) assert.equal(delay, asked)
      },
    ),
  )
})

test('Retry-After is read in seconds and as a date, and nothing else is', () => {
  const now = Date.parse('2026-11-21T08:00:00Z')
  assert.equal(parseRetryAfter('120', now), 120_000)
  assert.equal(parseRetryAfter(' 0 ', now), 0)
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 08:01:00 GMT', now), 60_000)
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 07:00:00 GMT', now), 0)
  for (const text of [undefined, '', '-1', '1.5', 'soon', '2026-11-21', '99999999999', 'NaN'])
    assert.equal(parseRetryAfter(text, now), undefined, String(text))
})

test('chances are spread evenly, also for ids that follow each other', () => {
  const buckets = new Array(10).fill(0)
  for (let n = 0; n < 10_000; n++)
    buckets[Math.floor(chanceOf(`evt_01k9r7d3w2v8e6q4n5m1b${String(n).padStart(5, '0')} whk 1`) * 10)]++
  for (const count of buckets) assert.ok(count > 850 && count < 1_150, String(buckets))
})

test('the health of receivers, over any outcomes', () => {
  const outcomes: Outcome[] = [
    ...[200, 204, 301, 400, 410, 429, 500, 502, 504].map(status => ({ status, ms: 20 })),
    { status: 200, ms: 2_000 },
    ...['timeout', 'reset', 'dns_failed'].map(error => ({ error, ms: 20 })),
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...outcomes), { maxLength: 80 }), given => {
      let health = fresh
      let row = 0
      for (const [index, one] of given.entries()) {
        const nowMs = index * 1_000
        health = nextHealth(health, one, nowMs)
        row = one.status !== undefined && one.status < 300 && one.status >= 200 ? 0 : row + 1
        assert.equal(health.failures, row)
        assert.equal(health.failingSinceMs === null, row === 0)
        assert.ok(health.concurrency >= 1 && health.concurrency <= maxConcurrency)
        if (row >= probeFrom) {
          const failingMs = nowMs - (health.failingSinceMs as number)
          assert.equal(health.resumeAtMs, nowMs + Math.min(Math.max(failingMs, 1_000), 60_000))
          assert.equal(slotsFor(health, 10), 1)
        }
        if (row === 0) assert.equal(health.resumeAtMs, null)
        assert.ok(health.resumeAtMs === null || health.resumeAtMs <= nowMs + 60_000)
      }
    }),
    { numRuns: 500 },
  )
})

test('a receiver that fails for a moment is tried again in a moment, one that fails for long once a minute', () => {
  const rests: number[] = []
  let health = fresh
  let nowMs = 0
  for (let n = 0; n < 40; n++) {
    health = nextHealth(health, { error: 'connection_refused', ms: 1 }, nowMs)
    if (health.resumeAtMs === null) continue
    rests.push(health.resumeAtMs - nowMs)
    nowMs = health.resumeAtMs
  }
  assert.deepEqual(rests.slice(0, 8), [1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000])
  assert.ok(rests.slice(8).every(rest => rest === 60_000))
})

test('an overloaded receiver is slowed down, and led back one call at a time', () => {
  const slowed = nextHealth(fresh, { status: 429, retryAfterMs: 30_000, ms: 20 }, 0)
  assert.deepEqual([slowed.concurrency, slowed.resumeAtMs], [5, 30_000])
  assert.equal(nextHealth(fresh, { status: 500, ms: 20 }, 0).concurrency, 10)
  assert.equal(nextHealth(fresh, { status: 503, retryAfterMs: 30_000, ms: 20 }, 0).resumeAtMs, null)
  let health: DeliveryHealth = { ...fresh, failures: probeFrom }
  health = nextHealth(health, { status: 200, ms: 20 }, 0)
  assert.equal(health.concurrency, 2)
  let rounds = 0
  while (health.concurrency < fullConcurrency) {
    health = nextHealth(health, { status: 200, ms: 20 }, 0)
    rounds++
  }
  assert.equal(rounds, 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9)
})

test('a receiver that answers quickly gets more at once, up to a limit; one that becomes slow falls back to the full number', () => {
  let health = fresh
  const answers = (count: number, ms: number) => {
    for (let n = 0; n < count; n++) health = nextHealth(health, { status: 200, ms }, 0)
  }
  answers(10 + 11 + 12, quickMs)
  assert.equal(health.concurrency, 13)
  answers(2_000, 20)
  assert.equal(health.concurrency, maxConcurrency)
  answers(5, quickMs + 1)
  assert.equal(health.concurrency, maxConcurrency - 5)
  answers(2_000, quickMs + 1)
  assert.equal(health.concurrency, fullConcurrency)
  // A slow one that was slowed down comes back to the full number, too.
  health = { ...health, concurrency: 3 }
  answers(2_000, quickMs + 1)
  assert.equal(health.concurrency, fullConcurrency)
})

test('health in one word', () => {
  assert.equal(healthOf({ enabled: true, failures: 0 }), 'ok')
  assert.equal(healthOf({ enabled: true, failures: 19 }), 'failing')
  assert.equal(healthOf({ enabled: true, failures: 20 }), 'probing')
  assert.equal(healthOf({ enabled: false, failures: 0 }), 'disabled')
})

test('ids of deliveries have the form of ids, and lead back to the time of their event', () => {
  const id = deliveryIdOf('evt_01k9r7d3w2v8e6q4n5m1b0c9xz', 'whk_01k9r7d3w2v8e6q4n5m1b0c9xz')
  assert.match(id, /^dlv_01k9r7d3w2[0-9a-f]{16}$/)
  const { first, last } = eventsOf(id)
  assert.ok(first <= 'evt_01k9r7d3w2v8e6q4n5m1b0c9xz' && last >= 'evt_01k9r7d3w2v8e6q4n5m1b0c9xz')
  assert.notEqual(id, deliveryIdOf('evt_01k9r7d3w2v8e6q4n5m1b0c9xz', 'callback'))
})

test('events are seen by those who may read what they are about', () => {
  assert.equal(maySee('invoice.paid', new Set(['invoices:read'] as const)), true)
  assert.equal(maySee('invoice.paid', new Set(['leads:read'] as const)), false)
  assert.equal(maySee('opt_out.created', new Set(['messages:read'] as const)), true)
  assert.equal(maySee('conference.started', new Set(['calls:read'] as const)), true, 'as the event log shows it')
  assert.equal(maySee('conference.started', new Set(['messages:read'] as const)), false)
  assert.equal(maySee('nonsense.made', new Set(['leads:read'] as const)), false)
})

test('every type that a module emits is in the table', () => {
  const modules = join(import.meta.dirname, '..')
  const files = globSync('**/*.ts', { cwd: modules }).filter(file => !/\.test\.ts$|contract\.ts$/.test(file))
  const found = files.flatMap(file => {
    const text = readFileSync(join(modules, file), 'utf8')
    return [...text.matchAll(/type: '([a-z_]+\.[a-z_]+)'/g)].map(match => match[1] as string)
  })
  assert.ok(found.length > 10, String(found))
  // What only a stream sends, and no log holds.
  const streamed = ['conversation.updated', 'conversation.presence']
  for (const type of [
    ...found.filter(type => !streamed.includes(type)),
    ...messageStatuses.map(status => `message.${status}`),
  ])
    assert.ok(Object.hasOwn(eventTypes, type), `${type} is missing in kernel/values/event_types.ts`)
  const callStates = readFileSync(join(modules, 'voice/call_records/rules.ts'), 'utf8')
  for (const type of Object.keys(eventTypes).filter(name => name.startsWith('call.')))
    assert.ok(
      [type, type.slice(5)].some(name => callStates.includes(`'${name}'`)),
      `no call emits ${type}`,
    )
})

test('filters are types, or all of a noun', () => {
  for (const filter of ['lead.created', 'lead.*', 'webhook.*']) assert.ok(isEventFilter(filter), filter)
  for (const filter of ['lead', '*', '*.created', 'lead.', 'lea.*', 'lead.create', 'toString', 'lead.created.*'])
    assert.ok(!isEventFilter(filter), filter)
  assert.equal(nearestEventFilter('lead.create'), 'lead.created')
  assert.equal(nearestEventFilter('messages.*'), 'message.*')
})
