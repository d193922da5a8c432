// Which state links add up to, and how the way of a message is explained.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkState } from './kind.ts'
import { carrierState, explainRouting, presentState } from './rules.ts'

test('links add up to the state of their carrier', () => {
  const of = (...states: LinkState[]) =>
    carrierState(
      true,
      states.map(state => ({ state })),
    )
  assert.equal(carrierState(false, [{ state: 'up' }]), 'disabled')
  assert.equal(of(), 'connecting')
  assert.equal(of('connecting'), 'connecting')
  assert.equal(of('stopped'), 'connecting')
  assert.equal(of('down', 'connecting'), 'down')
  assert.equal(of('up', 'up'), 'up')
  assert.equal(of('up', 'throttled'), 'throttled')
  assert.equal(of('up', 'down'), 'degraded')
  assert.equal(of('throttled', 'connecting'), 'degraded')
})

test('a link state that was not reported for a while counts as down, except stopped', () => {
  const at = '2026-11-21T12:00:00.000Z'
  const of = (state: LinkState, seconds: number) =>
    presentState({ state, updated_at: at }, Date.parse(at) + seconds * 1_000)
  assert.equal(of('up', 15), 'up')
  assert.equal(of('up', 16), 'down')
  assert.equal(of('connecting', 16), 'down')
  assert.equal(of('stopped', 1_000), 'stopped')
})

test('a way is explained by what differs from the one before', () => {
  const carriers = ['a', 'b', 'c', 'd'].map(id => ({ id, name: id, state: 'up' as const }))
  const candidate = (carrierId: string, prefix: string, priority: number, costMicros: number, up = true) => ({
    carrierId,
    up,
    route: { prefix, priority, cost: String(costMicros / 1e6) },
    costMicros,
    currency: 'EUR',
  })
  const reported = explainRouting(carriers, [
    candidate('a', '+49', 1, 50),
    candidate('b', '+49', 1, 70),
    candidate('c', '+49', 2, 10),
    candidate('d', '', 1, 10, false),
  ])
  assert.deepEqual(
    reported.map(({ carrierId, position }) => [carrierId, position]),
    [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 4],
    ],
  )
  assert.match(reported[1]?.reason ?? '', /after a, which is cheaper/)
  assert.match(reported[2]?.reason ?? '', /after b, whose priority 1 goes before 2/)
  assert.match(reported[3]?.reason ?? '', /None of its links is up/)
})
