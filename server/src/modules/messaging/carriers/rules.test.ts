// What may be shown of settings, how changes are merged, and which state links add up to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkState } from './kind.ts'
import {
  carrierState,
  changedSettings,
  completeSettings,
  explainRouting,
  newSettings,
  partSettings,
  plainRoutes,
  presentState,
  routeFaults,
  secretNames,
  shownSettings,
} from './rules.ts'

const schema = {
  type: 'object',
  properties: {
    host: { type: 'string' },
    port: { type: 'integer', default: 2775 },
    ca: { type: ['string', 'null'], default: null },
    password: { type: 'string', 'x-secret': true },
  },
  required: ['host', 'port', 'ca', 'password'],
}

test('settings are begun, changed and shown by one schema', () => {
  assert.deepEqual(secretNames(schema), ['password'])
  assert.deepEqual(newSettings(schema).required, ['host', 'password'])
  assert.deepEqual(shownSettings(schema).required, ['host', 'port', 'ca'])
  assert.deepEqual(changedSettings(schema), {
    type: 'object',
    properties: {
      host: { type: 'string' },
      port: { type: 'integer' },
      ca: { type: ['string', 'null'] },
      password: { type: 'string', 'x-secret': true },
    },
  })
  const settings = completeSettings(schema, { host: 'a', password: 'b', gone: 1 })
  assert.deepEqual(settings, { host: 'a', port: 2775, ca: null, password: 'b' })
  assert.deepEqual(completeSettings(schema, { port: 0 }), { port: 0, ca: null })
  assert.deepEqual(partSettings(schema, settings), {
    open: { host: 'a', port: 2775, ca: null },
    secret: { password: 'b' },
  })
})

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

test('what nobody told for a while is not so any more', () => {
  const at = '2026-11-21T12:00:00.000Z'
  const of = (state: LinkState, seconds: number) =>
    presentState({ state, updated_at: at }, Date.parse(at) + seconds * 1_000)
  assert.equal(of('up', 15), 'up')
  assert.equal(of('up', 16), 'down')
  assert.equal(of('connecting', 16), 'down')
  assert.equal(of('stopped', 1_000), 'stopped')
})

test('every destination has one spelling, and no prefix stands twice', () => {
  const route = (prefix: string) => ({ prefix, priority: 1, cost: '0' })
  assert.deepEqual(plainRoutes([route('+'), route('+49')]), [route(''), route('+49')])
  assert.deepEqual(
    routeFaults([route('+49'), route('+4'), route('+49')]).map(({ field }) => field),
    ['routes[2].prefix'],
  )
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
  const told = explainRouting(carriers, [
    candidate('a', '+49', 1, 50),
    candidate('b', '+49', 1, 70),
    candidate('c', '+49', 2, 10),
    candidate('d', '', 1, 10, false),
  ])
  assert.deepEqual(
    told.map(({ carrierId, position }) => [carrierId, position]),
    [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 4],
    ],
  )
  assert.match(told[1]?.reason ?? '', /after a, which is cheaper/)
  assert.match(told[2]?.reason ?? '', /after b, whose priority 1 goes before 2/)
  assert.match(told[3]?.reason ?? '', /None of its links is up/)
})
