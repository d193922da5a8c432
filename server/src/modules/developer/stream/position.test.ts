// A position survives being an id, and nothing that is no position reaches PostgreSQL as one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinPositions, type Position, positionText, readPositions, wentBack } from './position.ts'

const moment = { atMs: 1_795_600_000_123, snapshot: '1000:1010:1001,1005,1009' }
const within = { atMs: 1_795_600_000_523, snapshot: '1005:1011:', id: 'evt_01k9r7d3w2v8e6q4n5m1b0c9xz' }

test('what is written is what is read, for every kind of position', () => {
  const cases: Position[] = [
    moment,
    { ...moment, within },
    { atMs: 0, snapshot: '1:1:' },
    { atMs: moment.atMs, snapshot: '9000000000000:9000000000007:9000000000000,9000000000006' },
  ]
  for (const position of cases) {
    assert.deepEqual(readPositions(positionText('events', position))?.get('events'), position)
  }
  const requests = { ...moment, within: { ...within, id: 'req_01k9r7d3w2v8e6q4n5m1b0c9xz' } }
  const both = joinPositions([positionText('requests', requests), positionText('events', moment)])
  assert.match(both, /^[\w.-]+$/, 'fits into a header')
  assert.deepEqual(
    [...(readPositions(both) ?? [])],
    [
      ['requests', requests],
      ['events', moment],
    ],
  )
})

test('what is no position is refused, also when PostgreSQL would stumble over it', () => {
  const good = positionText('events', { ...moment, within })
  const broken = [
    '',
    'nonsense',
    'e',
    `${good}_${good}`,
    `${good}-1`,
    good.replace(/^e/, 'x'),
    good.slice(0, -1),
    `${good.slice(0, -1)}u`,
    'e-1-0.1',
    'e-1-5',
    'e-1-5.3.2.1',
    'e-1-5.3.1.1',
    'e-1-5.3.3',
    'e-1-5.3.-1',
    'e-1-zzzzzzzzzzzzz.1',
    'e-zzzzzzzzzzzz-5.1',
    "e-1-5.1'",
    'e-1-5.1\0',
  ]
  for (const text of broken) assert.equal(readPositions(text), undefined, text)
})

test('a database that knows fewer transactions than before has gone back', () => {
  assert.equal(wentBack('900:999:', '900:1000:'), true)
  assert.equal(wentBack('900:1000:', '900:1000:'), false)
  assert.equal(wentBack('900:10000:', '900:9999:901'), false)
})
