// The jitter buffer: properties that hold whatever arrives (in order, never twice, bounded delay), and the course of single
// cases: loss and its concealment, jumps, other packet lengths, another source.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeG711 } from '../src/rtp/g711.ts'
import type { FrameKind, JitterOptions } from '../src/rtp/jitter.ts'
import { createJitterBuffer } from '../src/rtp/jitter.ts'

/** The payload of the `index`th packet of 20 ms: its number, again and again. */
function numbered(index: number): Buffer {
  const payload = Buffer.alloc(160)
  for (let i = 0; i < 160; i += 2) payload.writeUInt16BE(index, i)
  return payload
}

type Pulled = { kind: FrameKind; index: number; frame: number }
type Arrival = { index: number; atMs: number; timestamp?: number; ssrc?: number }

/** Lets packets arrive and takes a frame every 20 ms. */
function play(
  arrivals: Arrival[],
  { start = 0xfffff000, offsetMs = 0, ...options }: Partial<JitterOptions> & { start?: number; offsetMs?: number } = {},
) {
  const buffer = createJitterBuffer({ law: 'PCMU', ...options })
  const waiting = arrivals
    .map((arrival, order) => ({ ...arrival, order }))
    .sort((a, b) => a.atMs - b.atMs || a.order - b.order)
  const frames: Pulled[] = []
  const into = Buffer.alloc(160)
  const lastMs = Math.max(0, ...arrivals.map(({ atMs }) => atMs)) + 1000
  for (let frame = 0; frame * 20 + offsetMs <= lastMs; frame++) {
    while (waiting.length > 0 && waiting[0]!.atMs <= frame * 20 + offsetMs) {
      const { index, timestamp = start + index * 160, ssrc = 1 } = waiting.shift()!
      buffer.push({ ssrc, timestamp: timestamp >>> 0, payload: numbered(index) })
    }
    const kind = buffer.pull(into)
    frames.push({ kind, index: into.readUInt16BE(0), frame })
    if (kind === 'audio') assert.deepEqual(into, numbered(into.readUInt16BE(0)), 'a frame is one whole packet')
  }
  return { frames, buffer, played: frames.filter(({ kind }) => kind === 'audio') }
}

const steady = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ index: from + i, atMs: (from + i) * 20 }))
const line = (frames: Pulled[]) => frames.map(({ kind, index }) => (kind === 'audio' ? index : kind[0])).join(' ')

test('packets in time come out after the delay, in their order', () => {
  const { frames, buffer } = play(steady(5), { offsetMs: 5 })
  assert.match(line(frames), /^s s s 0 1 2 3 4 c c c s s /)
  assert.deepEqual(buffer.statistics, {
    packets: 5,
    late: 0,
    duplicates: 0,
    discarded: 0,
    jumps: 0,
    frames: frames.length,
    concealedFrames: 3,
  })
})

test('any disorder, loss and doubling within the delay: each packet that came comes out once, in order', () => {
  const fate = fc.record({ copies: fc.constantFrom(0, 1, 1, 1, 2), delays: fc.tuple(fc.nat(60), fc.nat(60)) })
  fc.assert(
    fc.property(
      fc.array(fate, { minLength: 1, maxLength: 120 }),
      fc.nat(19),
      fc.nat(0xffffffff),
      (fates, offsetMs, start) => {
        const arrivals = fates.flatMap(({ copies, delays }, index) =>
          delays.slice(0, copies).map(delay => ({ index, atMs: index * 20 + delay })),
        )
        const { played } = play(arrivals, { start, offsetMs, maxDelayMs: 200 })
        const came = [...new Set(arrivals.map(({ index }) => index))].sort((a, b) => a - b)
        // A long hole before the first packets of a later stretch is a pause; nothing is skipped for it.
        assert.deepEqual(
          played.map(({ index }) => index),
          came,
        )
      },
    ),
    { numRuns: 300 },
  )
})

test('any delays at all: never out of order, never twice, and never longer in the buffer than it allows', () => {
  const fate = fc.record({
    copies: fc.constantFrom(0, 1, 1, 1, 2, 3),
    delays: fc.array(fc.nat(700), { minLength: 3, maxLength: 3 }),
  })
  const stretch = fc.record({ lengthOf: fc.integer({ min: 1, max: 40 }), base: fc.constantFrom(0, 0, 40, 150, 600) })
  fc.assert(
    fc.property(
      fc.array(fate, { minLength: 1, maxLength: 150 }),
      fc.array(stretch, { minLength: 1, maxLength: 6 }),
      fc.nat(19),
      fc.constantFrom(20, 60, 100),
      (fates, stretches, offsetMs, delayMs) => {
        const bases = stretches.flatMap(({ lengthOf, base }) => Array<number>(lengthOf).fill(base))
        const arrivals = fates.flatMap(({ copies, delays }, index) =>
          delays.slice(0, copies).map((delay, i) => {
            const base = bases[index % bases.length]!
            return { index, atMs: index * 20 + base + (i === 0 && base === 0 ? delay % 50 : delay) }
          }),
        )
        const { played } = play(arrivals, { offsetMs, delayMs, maxDelayMs: 200 })
        const indexes = played.map(({ index }) => index)
        assert.deepEqual(
          indexes,
          [...new Set(indexes)].sort((a, b) => a - b),
        )
        for (const { index, frame } of played) {
          const playedMs = frame * 20 + offsetMs
          const waits = arrivals.filter(arrival => arrival.index === index).map(({ atMs }) => playedMs - atMs)
          assert.ok(
            waits.some(wait => wait >= 0 && wait <= 220),
            `packet ${index} waited ${waits} ms`,
          )
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('a hole is filled with the last frame, which fades within 60 ms', () => {
  const buffer = createJitterBuffer({ law: 'PCMU' })
  const loud = Buffer.alloc(160, 0x80)
  buffer.push({ ssrc: 1, timestamp: 0, payload: loud })
  const into = Buffer.alloc(160)
  const levels = Array.from({ length: 8 }, () => {
    const kind = buffer.pull(into)
    const samples = decodeG711('PCMU', into)
    return [kind, Math.round(samples[0]! / 1000), Math.round(samples[159]! / 1000)]
  })
  assert.deepEqual(levels.slice(2), [
    ['silence', 0, 0],
    ['audio', 32, 32],
    ['concealed', 32, 22],
    ['concealed', 22, 11],
    ['concealed', 11, 0],
    ['silence', 0, 0],
  ])
})

test('packets of 30 ms come out in frames of 20, and a hole takes only what is missing', () => {
  const buffer = createJitterBuffer({ law: 'PCMA', delayMs: 20 })
  const into = Buffer.alloc(160)
  const kinds: FrameKind[] = []
  for (const [i, at] of [0, 240, 720, 960].entries())
    buffer.push({ ssrc: 1, timestamp: at, payload: Buffer.alloc(240, i + 1) })
  buffer.pull(into)
  const octets: number[] = []
  for (let i = 0; i < 8; i++) {
    kinds.push(buffer.pull(into))
    octets.push(...into)
  }
  assert.deepEqual(kinds, ['audio', 'audio', 'audio', 'concealed', 'concealed', 'audio', 'audio', 'concealed'])
  assert.deepEqual(octets.slice(0, 480), [...Array(240).fill(1), ...Array(240).fill(2)])
  assert.deepEqual(octets.slice(720, 1200), [...Array(240).fill(3), ...Array(240).fill(4)])
})

test('a jump of timestamps is followed when a second packet confirms it', () => {
  const jumped = steady(10, 10).map(arrival => ({ ...arrival, timestamp: 5_000_000 + arrival.index * 160 }))
  const { played, buffer } = play([...steady(10), ...jumped])
  assert.deepEqual(
    played.map(({ index }) => index),
    Array.from({ length: 20 }, (_, i) => i),
  )
  assert.equal(buffer.statistics.jumps, 1)
  const lone = play([...steady(20), { index: 99, atMs: 105, timestamp: 5_000_000 }])
  assert.deepEqual(
    lone.played.map(({ index }) => index),
    Array.from({ length: 20 }, (_, i) => i),
  )
  assert.equal(lone.buffer.statistics.jumps, 0)
})

test('timestamps that begin again lower are followed too', () => {
  const again = steady(10, 10).map(arrival => ({ ...arrival, timestamp: arrival.index * 160 }))
  const { played } = play([...steady(10), ...again], { start: 9_000_000 })
  assert.deepEqual(
    played.map(({ index }) => index),
    Array.from({ length: 20 }, (_, i) => i),
  )
})

test('a burst after a stall keeps the delay; a clock that stood still is found again', () => {
  const burst = steady(30).map(({ index }) => ({ index, atMs: index < 10 ? index * 20 : Math.max(600, index * 20) }))
  const stalled = play([...burst, ...steady(20, 30)])
  assert.equal(stalled.buffer.statistics.jumps, 0)
  assert.ok(stalled.buffer.statistics.late > 10)
  assert.deepEqual(
    stalled.played.slice(-20).map(({ index }) => index),
    Array.from({ length: 20 }, (_, i) => 30 + i),
  )
  const paused = steady(30, 10).map(({ index, atMs }) => ({ index, atMs: atMs + 500 }))
  const { played, buffer } = play([...steady(10), ...paused])
  assert.equal(buffer.statistics.jumps, 1)
  assert.ok(played.filter(({ index }) => index >= 10).length >= 24, line(played))
})

test('another source takes over at once, and stragglers of the first do not take it back', () => {
  const second = steady(10, 10).map(arrival => ({ ...arrival, ssrc: 2, timestamp: 77_000 + arrival.index * 160 }))
  const straggler = { index: 9, atMs: 215, ssrc: 1 }
  const { played, buffer } = play([...steady(9), straggler, ...second])
  assert.deepEqual(
    played.filter(({ index }) => index >= 10).map(({ index }) => index),
    Array.from({ length: 10 }, (_, i) => 10 + i),
  )
  assert.deepEqual([buffer.statistics.jumps, buffer.statistics.discarded], [1, 1])
})

test('empty and overlong packets, a frame of another length, and a new beginning', () => {
  const buffer = createJitterBuffer({ law: 'PCMU' })
  buffer.push({ ssrc: 1, timestamp: 0, payload: Buffer.alloc(0) })
  buffer.push({ ssrc: 1, timestamp: 0, payload: Buffer.alloc(1601) })
  assert.equal(buffer.statistics.discarded, 2)
  assert.equal(buffer.depthMs(), 0)
  buffer.push({ ssrc: 1, timestamp: 0, payload: Buffer.alloc(160) })
  assert.equal(buffer.depthMs(), 80)
  assert.throws(() => buffer.pull(Buffer.alloc(80)), /into: 80 octets, must be 160/)
  buffer.reset()
  assert.equal(buffer.pull(Buffer.alloc(160)), 'silence')
  assert.throws(() => createJitterBuffer({ law: 'PCMU', maxDelayMs: 20 }), /maxDelayMs: 20, must be delayMs \(60\)/)
})
