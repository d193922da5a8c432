// Digits as telephone events (RFC 4733): what goes out frame by frame, and that what comes in, with packets lost, doubled or
// out of order, is each digit once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DigitOptions, EventChange } from '../src/rtp/dtmf.ts'
import { createEventReceiver, createEventSender, digitOf, eventOf, readEvent, writeEvent } from '../src/rtp/dtmf.ts'
import { hex } from './rtp_support.ts'

type Sent = { timestamp: number; marker: boolean; payload: Buffer; frame: number }

/** What a sender makes of digits, frame by frame from a timestamp on, until it has no more. */
function framesOf(
  digits: string,
  { start = 0xffffff00, ...options }: DigitOptions & { start?: number } = {},
): (Sent | null)[] {
  const sender = createEventSender()
  sender.send(digits, options)
  const frames: (Sent | null)[] = []
  for (let frame = 0; sender.isBusy(); frame++) {
    const event = sender.next((start + frame * 160) >>> 0)
    frames.push(event === null ? null : { ...event, frame })
  }
  return frames
}

const sentOf = (frames: (Sent | null)[]) => frames.filter(frame => frame !== null)

function receive(packets: Omit<Sent, 'frame'>[], receiver = createEventReceiver()): EventChange[] {
  return packets.flatMap((packet, i) => [...receiver.push(packet, 20 * i)])
}

const digitsOf = (changes: EventChange[], type: EventChange['type'] = 'started') =>
  changes.filter(change => change.type === type).map(({ digit }) => digit)

test('RFC 4733 §2.3: the payload', () => {
  assert.deepEqual(readEvent(hex('0b 8a 0640')), { event: 11, isEnd: true, volume: 10, duration: 1600 })
  assert.deepEqual(writeEvent({ event: 11, isEnd: true, volume: 10, duration: 1600 }), hex('0b8a0640'))
  // The reserved bit says nothing; more octets are no reason to refuse.
  assert.deepEqual(readEvent(hex('01 40 00a0 ffff')), { event: 1, isEnd: false, volume: 0, duration: 160 })
  assert.equal('fault' in readEvent(hex('010100')), true)
  const all = '0123456789*#ABCD'
  assert.deepEqual(
    [...all].map(eventOf),
    [...all].map((_, i) => i),
  )
  assert.deepEqual([digitOf(15), digitOf(16), eventOf('d'), eventOf('x'), eventOf('12')], ['D', null, 15, null, null])
})

test('RFC 4733 §2.5.1: one timestamp, a growing duration, the end three times', () => {
  const packets = sentOf(framesOf('5', { durationMs: 90, start: 8000 }))
  const reported = packets.map(({ payload, marker, timestamp }) => ({ ...readEvent(payload), marker, timestamp }))
  const packet = (duration: number, isEnd = false, marker = false) => ({
    event: 5,
    isEnd,
    volume: 10,
    duration,
    marker,
    timestamp: 8000,
  })
  assert.deepEqual(reported, [
    packet(160, false, true),
    packet(320),
    packet(480),
    packet(640),
    packet(720, true),
    packet(720, true),
    packet(720, true),
  ])
})

test('no audio goes between the packets of an event, and the gap is kept', () => {
  const frames = framesOf('12', { durationMs: 100, gapMs: 80 })
  const line = frames.map(frame => (frame === null ? '.' : digitOf(frame.payload[0]!))).join('')
  // 100 ms are five frames, the end comes twice more, and the next begins 180 ms after the first.
  assert.equal(line, '1111111..2222222')
  const [first, second] = frames.filter(frame => frame?.marker === true)
  assert.equal((second!.timestamp - first!.timestamp) >>> 0, 180 * 8)
})

test('a pause, and digits taken back', () => {
  const sender = createEventSender()
  const line = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => sender.next((from + i) * 160))
      .map(event => event?.payload[0] ?? '.')
      .join('')
  sender.send('1', { durationMs: 40 })
  sender.pause(200)
  sender.send('2')
  assert.equal(line(0, 20), '1111................'.slice(0, 4) + '............2222'.slice(0, 16))
  sender.clear()
  const ends = [20, 21, 22, 23].map(frame => sender.next(frame * 160))
  assert.deepEqual(
    ends.map(event => event !== null && readEvent(event.payload)),
    [
      { event: 2, isEnd: true, volume: 10, duration: 800 },
      { event: 2, isEnd: true, volume: 10, duration: 800 },
      { event: 2, isEnd: true, volume: 10, duration: 800 },
      false,
    ],
  )
  assert.equal(sender.isBusy(), false)
})

test('what is no digit or no fitting time is refused, and nothing of it is sent', () => {
  const sender = createEventSender()
  assert.throws(() => sender.send('12x'), /digits: character 3 \(x\) is not one of/)
  assert.throws(() => sender.send('1', { durationMs: 9000 }), /durationMs: 9000/)
  assert.throws(() => sender.send('1', { gapMs: 20 }), /gapMs: 20/)
  assert.throws(() => sender.send('1', { volume: 64 }), /volume: 64/)
  assert.equal(sender.isBusy(), false)
})

test('each digit is reported once, with its length', () => {
  const changes = receive(sentOf(framesOf('12#99', { durationMs: 100 })))
  assert.deepEqual(digitsOf(changes), ['1', '2', '#', '9', '9'])
  assert.deepEqual(digitsOf(changes, 'ended'), ['1', '2', '#', '9', '9'])
  for (const change of changes)
    if (change.type === 'ended') assert.deepEqual([change.durationMs, change.isCut], [100, false])
})

test('a lost start, a lost middle and lost ends', () => {
  const packets = sentOf(framesOf('7', { durationMs: 100 }))
  for (const kept of [[3], [6], [1, 5], [0, 6], [4, 5, 6]]) {
    const changes = receive(kept.map(i => packets[i]!))
    assert.deepEqual(digitsOf(changes), ['7'], `${kept}`)
  }
  const receiver = createEventReceiver()
  assert.equal(receiver.push(packets[0]!, 1000).length, 1)
  assert.equal(receiver.push(packets[2]!, 1040).length, 0)
  assert.equal(receiver.expire(1189).length, 0)
  const [cut] = receiver.expire(1190)
  assert.deepEqual(cut, { type: 'ended', event: 7, digit: '7', timestamp: 0xffffff00, durationMs: 60, isCut: true })
  assert.equal(receiver.expire(5000).length, 0)
  // An end that comes after all is not a second digit.
  assert.equal(receiver.push(packets[6]!, 1300).length, 0)
  assert.equal(receiver.statistics.repeated, 1)
})

test('the next digit ends one whose end was lost; late packets count for nothing', () => {
  const packets = sentOf(framesOf('34', { durationMs: 100 }))
  const changes = receive([packets[0]!, packets[7]!, packets[6]!, packets[1]!, packets[13]!])
  assert.deepEqual(
    changes.map(({ type, digit }) => `${type} ${digit}`),
    ['started 3', 'ended 3', 'started 4', 'ended 4'],
  )
})

test('RFC 4733 §2.5.1.3: a long event in segments is one', () => {
  const payload = (duration: number, isEnd = false) => writeEvent({ event: 1, isEnd, volume: 10, duration })
  const changes = receive([
    { timestamp: 0, marker: true, payload: payload(160) },
    { timestamp: 0, marker: false, payload: payload(0xff00) },
    { timestamp: 0xffff, marker: false, payload: payload(160) },
    { timestamp: 0xffff, marker: false, payload: payload(320, true) },
  ])
  assert.deepEqual(
    changes.map(({ type }) => type),
    ['started', 'ended'],
  )
  assert.equal((changes[1] as { durationMs: number }).durationMs, (0xffff + 320) / 8)
})

test('a sender that moves the timestamp with every packet has pressed once, and one that presses again twice', () => {
  const moving = Array.from({ length: 5 }, (_, i) => ({
    timestamp: i * 160,
    marker: i === 0,
    payload: writeEvent({ event: 9, isEnd: i === 4, volume: 10, duration: (i + 1) * 160 }),
  }))
  assert.deepEqual(digitsOf(receive(moving)), ['9'])
  const again = moving.map(packet => ({ ...packet, timestamp: packet.timestamp + 1600 }))
  assert.deepEqual(digitsOf(receive([...moving, ...again])), ['9', '9'])
})

test('another source, and timestamps that begin again, do not silence digits', () => {
  const receiver = createEventReceiver()
  const first = sentOf(framesOf('1', { start: 900_000 }))
  const second = sentOf(framesOf('2', { start: 100 }))
  assert.equal(receiver.push(first[0]!, 0).length, 1)
  assert.deepEqual(
    receiver.reset().map(({ type }) => type),
    ['ended'],
  )
  assert.deepEqual(digitsOf([...receiver.push(second[0]!, 20)]), ['2'])
  assert.deepEqual(digitsOf([...receive([...first, ...second])]), ['1', '2'])
})

test('whatever is lost, doubled or late by two packets: digits of which one packet comes are reported once and in order', () => {
  const fate = fc.record({ copies: fc.constantFrom(0, 1, 1, 1, 2), lateness: fc.nat(2) })
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789*#'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(digits, fc.infiniteStream(fate), fc.nat(0xffffffff), (text, fates, start) => {
      const arrivals: { packet: Sent; frame: number; order: number }[] = []
      for (const packet of sentOf(framesOf(text, { start, durationMs: 100, gapMs: 100 }))) {
        const { copies, lateness } = fates.next().value
        for (let copy = 0; copy < copies; copy++)
          arrivals.push({ packet, frame: packet.frame + lateness + copy, order: arrivals.length })
      }
      arrivals.sort((a, b) => a.frame - b.frame || b.order - a.order)
      const receiver = createEventReceiver()
      const changes = arrivals.flatMap(({ packet, frame }) => [
        ...receiver.expire(frame * 20),
        ...receiver.push(packet, frame * 20),
      ])
      changes.push(...receiver.expire(1e9))
      const arrived = new Set(arrivals.map(({ packet }) => packet.timestamp))
      const starts = [...new Set(sentOf(framesOf(text, { start, durationMs: 100, gapMs: 100 })).map(p => p.timestamp))]
      const expected = [...text].filter((_, i) => arrived.has(starts[i]!))
      assert.deepEqual(digitsOf(changes), expected)
      assert.deepEqual(digitsOf(changes, 'ended'), expected)
    }),
    { numRuns: 500 },
  )
})
