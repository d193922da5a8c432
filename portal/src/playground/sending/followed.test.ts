// What is kept of a stream that is followed: the newest events, however its pieces are cut and however long it lasts.
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { createFollowed, type StreamEnd } from './followed.ts'

const event = (n: number, text = '') => `id: ${n}\nevent: lead.created\ndata: {"n":${n},"text":"${text}"}\n\n`
const textOf = ({ parts }: StreamEnd) => parts.map(({ text }) => text).join('')
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => event(from + index)).join('')

test('a short stream is kept as it came, wherever it was cut', () => {
  const streams = fc.array(fc.constantFrom('data: a\n\n', 'event: b\r\ndata: ü€\r\n\r\n', 'data\n\n', 'data: half'))
  fc.assert(
    fc.property(streams, fc.array(fc.nat(12)), (pieces, cuts) => {
      const whole = pieces.join('')
      const followed = createFollowed()
      let at = 0
      for (const cut of cuts) {
        followed.push(whole.slice(at, at + cut))
        at += cut
      }
      followed.push(whole.slice(at))
      assert.equal(textOf(followed.kept()), whole)
      assert.equal(textOf(followed.shown()), whole)
      assert.equal(followed.kept().earlier, 0)
    }),
  )
})

test('the newest 500 events are kept and the newest 100 shown; the others are counted', () => {
  const followed = createFollowed()
  for (let n = 0; n < 5_000; n++) followed.push(event(n))
  followed.push('id: 5000\nda')
  assert.equal(followed.kept().earlier, 4_500)
  assert.equal(textOf(followed.kept()), `${many(4_500, 5_000)}id: 5000\nda`)
  assert.equal(followed.shown().earlier, 4_900)
  assert.equal(textOf(followed.shown()), `${many(4_900, 5_000)}id: 5000\nda`)
  const numbers = followed.shown().parts.map(part => part.number)
  followed.push('ta: x\n\n')
  const { parts, earlier } = followed.shown()
  assert.equal(earlier, 4_901)
  assert.deepEqual(
    parts.map(part => part.number),
    numbers.slice(1),
    'what is shown already keeps its place',
  )
})

test('large events are bounded by their size; the newest one is there, and one without an end is cut', () => {
  const followed = createFollowed({ events: 10, chars: 3_000 })
  for (let n = 0; n < 8; n++) followed.push(event(n, 'x'.repeat(1_000)))
  assert.equal(followed.kept().earlier, 6)
  followed.push(event(8, 'x'.repeat(9_000)))
  assert.deepEqual([followed.kept().earlier, followed.kept().parts.length], [8, 1])
  for (let n = 0; n < 100; n++) followed.push('y'.repeat(1_000))
  assert.ok(textOf(followed.kept()).length < 13_000)
})

test('signs of life push no event out', () => {
  const followed = createFollowed()
  followed.push(event(1))
  for (let n = 0; n < 10_000; n++) followed.push(`: still here\nid: ${n}\n\n`)
  followed.push(event(2))
  assert.equal(textOf(followed.kept()), `${event(1)}: still here\nid: 9999\n\n${event(2)}`)
  assert.equal(followed.kept().earlier, 0)
})

test('a long stream costs no more the longer it lasts', () => {
  const followed = createFollowed()
  const startedMs = performance.now()
  for (let n = 0; n < 100_000; n++) followed.push(event(n))
  assert.ok(performance.now() - startedMs < 5_000)
  assert.equal(followed.kept().parts.length, 500)
})
