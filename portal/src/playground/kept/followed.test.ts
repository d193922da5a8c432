// What is kept of a stream that is followed: the newest events, however its pieces are cut and however long it lasts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { type Progress, readStream } from '../sending/send.ts'
import { createFollowed, type Followed, type StreamEnd } from './followed.ts'

const event = (n: number, text = '') => `id: ${n}\nevent: lead.created\ndata: {"n":${n},"text":"${text}"}\n\n`
const textOf = ({ parts }: StreamEnd) => parts.map(({ text }) => text).join('')
const bytesOf = (end: StreamEnd) => new TextEncoder().encode(textOf(end)).length
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => event(from + index)).join('')

/** What is kept of a text that comes in pieces of these lengths, and the rest in one. */
function followedIn(whole: string, lengths: readonly number[]): Followed {
  const followed = createFollowed()
  let at = 0
  for (const length of lengths) {
    followed.push(whole.slice(at, at + length))
    at += length
  }
  followed.push(whole.slice(at))
  return followed
}

test('a short stream is kept as it came, wherever it was cut', () => {
  const streams = fc.array(fc.constantFrom('data: a\n\n', 'event: b\r\ndata: ü€\r\n\r\n', 'data\n\n', 'data: half'))
  fc.assert(
    fc.property(streams, fc.array(fc.nat(12)), (pieces, cuts) => {
      const whole = pieces.join('')
      const followed = followedIn(whole, cuts)
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

test('large events are bounded by their size, in bytes; of one that is larger by itself its end is there', () => {
  const followed = createFollowed({ events: 10, bytes: 3_000 })
  for (let n = 0; n < 8; n++) followed.push(event(n, 'x'.repeat(1_000)))
  assert.equal(followed.kept().earlier, 6)
  followed.push(event(8, 'ü'.repeat(1_000)))
  assert.deepEqual([followed.kept().earlier, bytesOf(followed.kept()) > 2_000], [8, true])
  const whole = event(9, '€'.repeat(3_000))
  followed.push(whole)
  const { parts, earlier } = followed.kept()
  assert.deepEqual([earlier, parts.length, parts[0]!.isCut], [9, 1, true])
  assert.ok(whole.endsWith(textOf(followed.kept())), 'no half character')
  assert.ok(bytesOf(followed.kept()) > 2_990 && bytesOf(followed.kept()) <= 3_000)
  for (let n = 0; n < 100; n++) followed.push('y'.repeat(1_000))
  assert.equal(bytesOf(followed.kept()), 3_000)
})

test('a large event that comes in pieces is one: counted, said to be cut, and not driven out by signs of life', () => {
  for (const beginning of ['data: ', 'data:', ': note\ndata\ndat']) {
    const followed = createFollowed({ events: 10, bytes: 3_000 })
    followed.push(event(1))
    followed.push(beginning.slice(0, 2))
    followed.push(beginning.slice(2) + 'a:'.repeat(5))
    for (let n = 0; n < 100; n++) followed.push('x'.repeat(1_000))
    assert.equal(followed.kept().parts.at(-1)!.isCut, true)
    followed.push('\n\n')
    assert.equal(followed.kept().earlier, 1)
    for (let n = 0; n < 3; n++) followed.push(`: still here ${n}\n\n`)
    followed.push(': half')
    const { parts, earlier } = followed.kept()
    assert.equal(earlier, 1)
    assert.deepEqual(
      parts.map(part => part.isCut),
      [true, false, false],
    )
    assert.ok(bytesOf(followed.kept()) <= 3_000)
    assert.ok(parts[0]!.text.endsWith('xxx\n\n'))
    followed.push(`\n\n${event(2)}`)
    assert.equal(followed.kept().earlier, 2)
    assert.ok(!followed.kept().parts.some(part => part.isCut))
  }
})

test('what is shown of a large event is said to be its end', () => {
  const followed = createFollowed()
  followed.push(event(1, 'x'.repeat(60_000)))
  assert.ok(followed.shown().parts[0]!.isCut)
  assert.ok(!followed.kept().parts[0]!.isCut)
  followed.push(event(2))
  assert.deepEqual([followed.shown().earlier, followed.shown().parts[0]!.isCut], [1, false])
})

test('lines end by CRLF, LF or CR, each on its own, wherever they are cut', () => {
  const ends = fc.constantFrom('\n', '\r\n', '\r')
  const lines = fc.array(fc.tuple(fc.constantFrom('data: a', 'data', 'data:', 'id: 1', ': \u2028data: none'), ends))
  fc.assert(
    fc.property(fc.array(fc.tuple(lines, ends)), fc.array(fc.nat(6)), (blocks, cuts) => {
      const whole = blocks.map(([block, blank]) => `${block.flat().join('')}${blank}`).join('')
      const followed = followedIn(whole, cuts)
      let expected = 0
      let isEvent = false
      for (const line of whole.split(/\r\n|\n|\r/).slice(0, -1)) {
        if (line === '' && isEvent) expected++
        isEvent = line !== '' && (isEvent || line === 'data' || line.startsWith('data:'))
      }
      followed.push(`\n\n${many(0, 500)}`)
      if (isEvent) expected++
      assert.equal(followed.kept().earlier, expected)
    }),
  )
  const mixed = createFollowed()
  mixed.push('data: a\n\r\ndata: b\n\rdata: c\r\n\ndata: d\r')
  mixed.push('\n\r')
  mixed.push('\ndata: e')
  assert.deepEqual(
    mixed.kept().parts.map(({ text }) => text.trim()),
    ['data: a', 'data: b', 'data: c', 'data: d', 'data: e'],
  )
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
  for (let n = 0; n < 100_000; n++) followed.push(event(n))
  assert.equal(followed.kept().parts.length, 500)
})

test('what is left out is let go of at once', () => {
  setFlagsFromString('--expose_gc')
  const collect: () => void = runInNewContext('gc')
  const followed = createFollowed()
  collect()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 900; n++) followed.push(event(n, String(n % 10).repeat(100_000)))
  collect()
  assert.ok(process.memoryUsage().heapUsed - before < 20_000_000)
  assert.equal(followed.kept().earlier, 891)
})

test('an event that goes on costs no more with each piece', () => {
  const followed = createFollowed()
  for (let n = 0; n < 50_000; n++) followed.push('data: '.padEnd(1_000, 'x'))
  assert.equal(followed.kept().parts.length, 1)
})

test('a stream is read to its last byte: the mark at its front stays, and half a character is seen', async () => {
  const bytes = new TextEncoder().encode('\ufeffdata: ü€\n\ndata: €')
  const pieces = [bytes.slice(0, 11), bytes.slice(11, -1)]
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = pieces.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(next)
    },
  })
  const seen: Progress[] = []
  const read = await readStream(new Response(body), progress => seen.push(progress))
  assert.deepEqual(read.chunks, ['\ufeffdata: ü€\n\n', 'data: \ufffd'])
  assert.deepEqual([read.bytes, read.isWhole, read.leftOut, read.isCut], [bytes.length - 1, true, 0, false])
  assert.equal(seen.length, 3)
  assert.deepEqual(seen.at(-1)?.newest?.().parts.length, 2, 'made when it is asked for')
})
