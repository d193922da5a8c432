// Which carrier takes a message: the longest prefix, then priority, then cost, those with a link first; held against a
// plain search over all routes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DirectoryCarrier, Route } from './directory.ts'
import { candidatesFor } from './routing.ts'

const carrier = (id: string, routes: Partial<Route>[], more: Partial<DirectoryCarrier> = {}): DirectoryCarrier => ({
  id,
  name: id,
  enabled: true,
  currency: 'EUR',
  routes: routes.map(route => ({ prefix: '', priority: 10, cost: '0.01', ...route })),
  up: true,
  ...more,
})
const order = (carriers: DirectoryCarrier[], to = '+4915112345678', only?: string) =>
  candidatesFor({ carriers }, to, { only: only ?? null }).map(candidate => candidate.carrierId)

test('the longest prefix goes first, whatever its priority and cost', () => {
  const carriers = [
    carrier('all', [{ prefix: '', priority: 1, cost: '0' }]),
    carrier('plus', [{ prefix: '+', priority: 2, cost: '0' }]),
    carrier('germany', [{ prefix: '+49', priority: 50 }]),
    carrier('mobile', [{ prefix: '+4915', priority: 99, cost: '9' }]),
    carrier('britain', [{ prefix: '+44' }]),
  ]
  assert.deepEqual(order(carriers), ['mobile', 'germany', 'all', 'plus'])
})

test('then the lowest priority number, then the lowest cost, as numbers', () => {
  const carriers = [
    carrier('dear', [{ cost: '0.1' }]),
    carrier('late', [{ priority: 11, cost: '0' }]),
    carrier('cheap', [{ cost: '0.0999' }]),
    carrier('early', [{ priority: 9, cost: '5' }]),
  ]
  assert.deepEqual(order(carriers), ['early', 'cheap', 'dear', 'late'])
})

test('those without a link stand behind all that have one, in their own order', () => {
  const carriers = [
    carrier('b', [{ prefix: '+49', priority: 2 }], { up: false }),
    carrier('a', [{ prefix: '+49', priority: 1 }], { up: false }),
    carrier('far', [{ prefix: '', priority: 99 }]),
  ]
  assert.deepEqual(order(carriers), ['far', 'a', 'b'])
})

test('a carrier takes part once, by the best of its routes, and at that one’s price', () => {
  const carriers = [carrier('c', [{ prefix: '', cost: '0.5' }, { prefix: '+49', cost: '0.25' }, { prefix: '+44' }])]
  assert.deepEqual(candidatesFor({ carriers }, '+4930'), [
    {
      carrierId: 'c',
      up: true,
      route: { prefix: '+49', priority: 10, cost: '0.25' },
      costMicros: 250_000,
      currency: 'EUR',
    },
  ])
})

test('not one that is switched off, has no route, or is not the one the sender may use', () => {
  const carriers = [
    carrier('off', [{}], { enabled: false }),
    carrier('none', []),
    carrier('other', [{}]),
    carrier('own', [{}]),
  ]
  assert.deepEqual(order(carriers, '+49151', 'own'), ['own'])
  assert.deepEqual(order(carriers, '+49151'), ['other', 'own'])
  assert.deepEqual(order(carriers, '+49151', 'off'), [])
  assert.deepEqual(order([], '+49151'), [])
})

test('whatever the routes, the first is the best of a plain search, and the order does not depend on theirs', () => {
  const route = fc.record({
    prefix: fc.constantFrom('', '+', '+4', '+49', '+4915', '+44'),
    priority: fc.integer({ min: 1, max: 3 }),
    cost: fc.constantFrom('0', '0.01', '0.009', '1'),
  })
  const carriers = fc.array(
    fc.record({ up: fc.boolean(), enabled: fc.boolean(), routes: fc.array(route, { maxLength: 4 }) }),
    {
      maxLength: 5,
    },
  )
  fc.assert(
    fc.property(carriers, drawn => {
      const all = drawn.map(({ routes, ...more }, n) => carrier(`c${n}`, routes, more))
      const to = '+4915112345678'
      const rank = (item: DirectoryCarrier, r: Route) =>
        [
          item.up ? 0 : 1,
          9 - (r.prefix === '+' ? 0 : r.prefix.length),
          r.priority,
          String(Number(r.cost) * 1e6).padStart(9, '0'),
          item.id,
        ].join(' ')
      const [best] = all
        .filter(item => item.enabled)
        .flatMap(item => item.routes.filter(r => to.startsWith(r.prefix)).map(r => [rank(item, r), item.id] as const))
        .sort(([a], [b]) => (a < b ? -1 : 1))
      assert.equal(order(all)[0], best?.[1])
      assert.deepEqual(order(all.toReversed()), order(all))
    }),
  )
})
