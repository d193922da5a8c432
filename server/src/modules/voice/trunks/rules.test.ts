// Which trunks a call takes, in what order, and what is reported about it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type TrunkState, trunkStates } from './kind.ts'
import { explainRouting, presentState, type Route, type RoutedTrunk, trunksFor } from './rules.ts'

const trunk = (id: string, prefix: string, more: Partial<Route> & { state?: TrunkState } = {}): RoutedTrunk => {
  const { state = 'up', priority = 10, weight = 1 } = more
  return { id, state, routes: [{ prefix, priority, weight }] }
}

const number = '+4930123456'
const order = (...trunks: RoutedTrunk[]) => trunksFor(number, trunks).map(({ trunkId }) => trunkId)

describe('candidates', () => {
  test('fit by prefix, the longest first', () => {
    assert.deepEqual(order(trunk('a', ''), trunk('b', '+4930'), trunk('c', '+49'), trunk('d', '+33')), ['b', 'c', 'a'])
    const many = { id: 'm', state: 'up' as const, routes: [trunk('', '').routes[0]!, trunk('', '+493').routes[0]!] }
    assert.deepEqual(
      trunksFor(number, [many]).map(({ route }) => route.prefix),
      ['+493'],
    )
    assert.deepEqual(trunksFor(number, []), [])
  })

  test('of the same prefix go by priority, then by whether they are up, then by id', () => {
    assert.deepEqual(order(trunk('a', '+49', { priority: 20 }), trunk('b', '+49', { priority: 10 })), ['b', 'a'])
    const unknown = trunk('a', '+49', { state: 'unknown' })
    assert.deepEqual(order(unknown, trunk('b', '+49')), ['b', 'a'])
    assert.deepEqual(order(unknown, trunk('b', '+49', { priority: 20 })), ['a', 'b'])
    assert.deepEqual(order(trunk('b', '+49'), trunk('a', '+49'), trunk('c', '+49')), ['a', 'b', 'c'])
  })

  test('that are down come last, those switched off not at all', () => {
    for (const state of ['down', 'unregistered'] as const)
      assert.deepEqual(order(trunk('a', '+4930', { state }), trunk('b', '')), ['b', 'a'], state)
    assert.deepEqual(order(trunk('a', '+49', { state: 'disabled' }), trunk('b', '')), ['b'])
  })

  test('of equal rank share calls by weight', () => {
    const trunks = [trunk('a', '', { weight: 1 }), trunk('b', '', { weight: 3 }), trunk('z', '', { priority: 20 })]
    const drawn = (value: number) => trunksFor(number, trunks, { draw: () => value }).map(({ trunkId }) => trunkId)
    assert.deepEqual(drawn(0), ['a', 'b', 'z'])
    assert.deepEqual(drawn(0.2), ['a', 'b', 'z'])
    assert.deepEqual(drawn(0.25), ['b', 'a', 'z'])
    assert.deepEqual(drawn(0.999), ['b', 'a', 'z'])
  })

  test('are the same whatever was drawn, each once, and never out of rank', () => {
    const trunks = fc.array(
      fc.record({
        id: fc.string({ minLength: 1, maxLength: 3 }),
        state: fc.constantFrom(...trunkStates),
        routes: fc.array(
          fc.record({
            prefix: fc.constantFrom('', '+4', '+49', '+4930', '+33'),
            priority: fc.integer({ min: 1, max: 3 }),
            weight: fc.integer({ min: 1, max: 5 }),
          }),
        ),
      }),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(trunks, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (list, value) => {
        const unique = [...new Map(list.map(entry => [entry.id, entry])).values()]
        const plain = trunksFor(number, unique)
        const shared = trunksFor(number, unique, { draw: () => value })
        const rank = ({ state, route }: { state: TrunkState; route: Route }) => {
          const isLast = state === 'down' || state === 'unregistered'
          return [isLast, -route.prefix.length, route.priority, state !== 'up'].join(' ')
        }
        assert.deepEqual(plain.map(rank), shared.map(rank))
        const ids = (candidates: typeof plain) => candidates.map(({ trunkId }) => trunkId).sort()
        assert.deepEqual(ids(plain), ids(shared))
        assert.equal(new Set(ids(plain)).size, plain.length)
      }),
    )
  })
})

test('the order is explained for people', () => {
  const trunks = [
    { ...trunk('a', '+4930'), name: 'near' },
    { ...trunk('b', '+49', { priority: 1 }), name: 'land' },
    { ...trunk('c', '+49', { priority: 2 }), name: 'spare' },
    { ...trunk('d', '+49', { priority: 2, state: 'registering' }), name: 'new' },
    { ...trunk('e', '+49', { priority: 2, weight: 4 }), name: 'twin' },
    { ...trunk('f', '', { state: 'down' }), name: 'dead' },
    { ...trunk('g', '+33'), name: 'french' },
    { ...trunk('h', '', { state: 'disabled' }), name: 'off' },
  ]
  const explained = explainRouting(trunks, trunksFor(number, trunks))
  assert.deepEqual(
    explained.map(({ name, position, prefix }) => [name, position, prefix]),
    [
      ['near', 1, '+4930'],
      ['land', 2, '+49'],
      ['spare', 3, '+49'],
      ['twin', 4, '+49'],
      ['new', 5, '+49'],
      ['dead', 6, ''],
      ['french', null, null],
      ['off', null, null],
    ],
  )
  const reasons = Object.fromEntries(explained.map(({ name, reason }) => [name, reason]))
  assert.equal(reasons['near'], 'Its route for +4930 fits. It is the first choice.')
  assert.match(reasons['land'] ?? '', /after a, whose prefix fits more closely/)
  assert.match(reasons['spare'] ?? '', /after b, whose priority 1 goes before 2/)
  assert.match(reasons['twin'] ?? '', /after c, which has the same rank: calls are shared out by weight, 1 to 4/)
  assert.match(reasons['new'] ?? '', /after e, which is up/)
  assert.match(reasons['dead'] ?? '', /every destination fits. It is down.*after d, which is not down/)
  assert.match(reasons['french'] ?? '', /None of its routes/)
  assert.match(reasons['off'] ?? '', /switched off/)
  const [alone] = trunksFor(number, [trunk('a', '')])
  assert.equal(alone?.reason, 'Its route for every destination fits.')
})

test('a state that nobody reported for a while is not known any more', () => {
  const at = '2026-11-21T12:00:00.000Z'
  const of = (state: TrunkState, seconds: number, enabled = true) =>
    presentState(enabled, { state, updated_at: at }, Date.parse(at) + seconds * 1_000)
  assert.equal(of('up', 15), 'up')
  assert.equal(of('up', 16), 'unknown')
  assert.equal(of('down', 16), 'unknown')
  assert.equal(of('disabled', 1), 'unknown')
  assert.equal(of('up', 1, false), 'disabled')
  assert.equal(presentState(true, undefined, 0), 'unknown')
})
