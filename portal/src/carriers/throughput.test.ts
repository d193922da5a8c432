// How fast a carrier is, by its counters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateOf, rateText, sampleOf } from './throughput.ts'

test('what all links wrote between two readings', () => {
  const link = (submitted: number, updatedAt: string) => ({ counters: { submitted }, updatedAt }) as never
  const at = (a: number, b: number, time: string) => sampleOf({ links: [link(a, time), link(b, time)] })
  const before = at(100, 20, '2026-11-21T09:00:00.000Z')
  const now = at(150, 30, '2026-11-21T09:00:05.000Z')
  assert.ok(before !== undefined && now !== undefined)
  assert.equal(rateOf(before, now), 12)
  assert.equal(rateOf(undefined, now), undefined)
  assert.equal(rateOf(now, now), undefined, 'the same reading twice')
  assert.equal(rateOf(now, { submitted: 3, atMs: now.atMs + 1_000 }), undefined, 'the links were opened again')
  assert.equal(sampleOf({ links: [] }), undefined)
})

test('rates are shown with as many digits as are useful', () => {
  assert.deepEqual([undefined, 0, 0.25, 2, 9.96, 1_234.5].map(rateText), ['–', '0', '0.3', '2', '10.0', '1,235'])
})
