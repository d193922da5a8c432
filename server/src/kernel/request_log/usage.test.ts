// Counting requests by batch: nothing is lost between classes, hours and groups, and percentiles are those of the durations
// within the width of a class.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoggedRequest } from './logged_request.ts'
import { countBatch, durationBounds, durationClass, percentile, statusClass } from './usage.ts'

const at = Date.parse('2026-11-21T10:20:00Z')

function entry(changes: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    tenantId: 1,
    timeZone: 'UTC',
    id: 'req_1',
    atMs: at,
    method: 'GET',
    path: '/v2/users',
    query: null,
    endpointId: 'users.list',
    resourceId: null,
    status: 200,
    durationMs: 4,
    problem: null,
    userId: 7,
    keyId: 'key_1',
    source: 'api',
    ip: '192.0.2.7',
    detail: undefined,
    ...changes,
  }
}

test('a status is counted by its hundred, beyond the rate limit apart', () => {
  const classes = [200, 201, 304, 400, 404, 429, 499, 500, 503].map(statusClass)
  assert.deepEqual(classes, ['2xx', '2xx', '3xx', '4xx', '4xx', '429', '4xx', '5xx', '5xx'])
})

test('a duration falls into the class whose bound it does not exceed', () => {
  for (const [index, bound] of durationBounds.entries()) {
    assert.equal(durationClass(bound), index)
    assert.equal(durationClass(bound + 0.01), index + 1)
  }
  assert.equal(durationClass(0), 0)
  assert.equal(durationClass(1e9), durationBounds.length)
})

test('percentiles lie in the class of the true one', () => {
  const durations = Array.from({ length: 10_000 }, (_, n) => 0.1 * 1.0012 ** n)
  const counts = new Array(durationBounds.length + 1).fill(0)
  for (const duration of durations) counts[durationClass(duration)]++
  for (const share of [0.01, 0.5, 0.95, 0.99]) {
    const truth = durations[Math.ceil(share * durations.length) - 1] as number
    const reported = percentile(counts, share) as number
    const width = durationClass(truth)
    const [low, high] = [durationBounds[width - 1] ?? 0, durationBounds[width] ?? Number.POSITIVE_INFINITY]
    assert.ok(reported >= low && reported <= high, `${share}: reported ${reported}, true ${truth}`)
  }
  assert.equal(percentile([], 0.5), undefined)
  assert.equal(percentile([10], 0.5), 0.25)
})

test('neighbours that differ in anything counted are counted apart, others together', () => {
  const differing: Partial<LoggedRequest>[] = [
    { tenantId: 2 },
    { endpointId: null },
    { userId: 8 },
    { keyId: null },
    { source: 'portal' },
    { status: 500 },
    { status: 429, problem: 'rate_limited' },
    { atMs: at + 3_600_000 },
    { timeZone: 'Asia/Kolkata', tenantId: 3 },
  ]
  const batch = differing.flatMap(change => [entry(), entry(change), entry(change)])
  const { usage, refusals } = countBatch(batch)
  assert.equal(usage.length, differing.length + 1)
  const [plain] = usage.filter(row => row.requests === differing.length)
  assert.ok(plain !== undefined)
  assert.deepEqual(
    usage.filter(row => row !== plain).map(row => row.requests),
    differing.map(() => 2),
  )
  for (const row of usage)
    assert.equal(
      row.durations.reduce((sum, count) => sum + count, 0),
      row.requests,
    )
  assert.equal(usage.find(row => row.tenant === 3)?.hour, Date.parse('2026-11-21T09:30:00Z'))
  assert.deepEqual(
    refusals.map(({ status, problem, requests }) => [status, problem, requests]),
    [
      [500, '', 2],
      [429, 'rate_limited', 2],
    ],
  )
})

test('the newest request of a problem is the one that is named', () => {
  const refused = (id: string, atMs: number) => entry({ id, atMs, status: 404, problem: 'not_found' })
  const { refusals } = countBatch([refused('req_a', at + 5), refused('req_b', at + 9), refused('req_c', at + 7)])
  assert.deepEqual(
    refusals.map(({ id, at: newest, requests }) => [id, newest, requests]),
    [['req_b', at + 9, 3]],
  )
})
