// RTP and RTCP on the wire: packets laid out by hand after the figures of RFC 3550, round trips of any packet, and every way
// in which octets are none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PacketFault, RtpPacket } from '../src/rtp/packet.ts'
import {
  isPacketFault,
  isRtcp,
  payloadStart,
  readRtp,
  sequenceDistance,
  timestampDistance,
  writeRtp,
} from '../src/rtp/packet.ts'
import type { RtcpPacket } from '../src/rtp/rtcp.ts'
import { readRtcp, writeRtcp } from '../src/rtp/rtcp.ts'
import { hex } from './rtp_support.ts'

const faultOf = (result: object) => (isPacketFault(result) ? result.fault : null)

test('RFC 3550 §5.1: the fixed header', () => {
  const bytes = hex('80 88 04d2 000000a0 deadbeef d5d5d5')
  const packet: RtpPacket = {
    payloadType: 8,
    marker: true,
    sequence: 1234,
    timestamp: 160,
    ssrc: 0xdeadbeef,
    csrcs: [],
    extension: null,
    payload: hex('d5d5d5'),
  }
  assert.deepEqual(readRtp(bytes), packet)
  assert.deepEqual(writeRtp(packet), bytes)
  assert.equal(payloadStart(bytes), 12)
})

test('RFC 3550 §5.1, §5.3.1: sources, extension and padding', () => {
  const bytes = hex('b2 00 ffff ffffffff 00000001 0000000a 0000000b bede 0001 01020304 ff7f 00 0000 000006 ')
  assert.deepEqual(readRtp(bytes), {
    payloadType: 0,
    marker: false,
    sequence: 65_535,
    timestamp: 0xffffffff,
    ssrc: 1,
    csrcs: [10, 11],
    extension: { profile: 0xbede, data: hex('01020304') },
    payload: hex('ff7f'),
  })
  assert.equal(payloadStart(bytes), 28)
})

test('what is no RTP packet is reported as such', () => {
  const faults: [string, PacketFault['fault']][] = [
    ['', 'short'],
    ['80 00 0000 00000000 000000', 'short'],
    ['81 00 0000 00000000 00000000 0000', 'short'],
    ['00 01 0000 2112a442 00000000 00000000', 'version'],
    ['40 00 0000 00000000 00000000', 'version'],
    ['90 00 0000 00000000 00000000 be', 'extension'],
    ['90 00 0000 00000000 00000000 bede 0002 00000000', 'extension'],
    ['a0 00 0000 00000000 00000000 ff 00', 'padding'],
    ['a0 00 0000 00000000 00000000 ff 03', 'padding'],
    ['a0 00 0000 00000000 00000000', 'padding'],
  ]
  for (const [text, fault] of faults.slice(0, -1)) assert.equal(faultOf(readRtp(hex(text))), fault, text)
  // Its last octet is of the SSRC, so there is no padding at all.
  assert.equal(faultOf(readRtp(hex(faults.at(-1)![0]))), 'padding')
})

const word = fc.nat(0xffffffff)
const octets = (max: number) => fc.uint8Array({ maxLength: max }).map(bytes => Buffer.from(bytes))
const wordsOf = (max: number) =>
  fc.array(word, { maxLength: max }).map(list => Buffer.from(Uint32Array.from(list).buffer))
const plain = { noNullPrototype: true } as const
const rtp = fc.record(
  {
    payloadType: fc.nat(127),
    marker: fc.boolean(),
    sequence: fc.nat(65_535),
    timestamp: word,
    ssrc: word,
    csrcs: fc.array(word, { maxLength: 15 }),
    extension: fc.option(fc.record({ profile: fc.nat(65_535), data: wordsOf(20) }, plain)),
    payload: octets(400),
  },
  plain,
)

test('any RTP packet comes back as it was written', () => {
  fc.assert(
    fc.property(rtp, packet => assert.deepEqual(readRtp(writeRtp(packet)), packet)),
    { numRuns: 500 },
  )
})

test('what the wire cannot carry is refused by the name of its field', () => {
  const packet = { payloadType: 0, marker: false, sequence: 0, timestamp: 0, ssrc: 0, payload: Buffer.alloc(1) }
  assert.throws(() => writeRtp({ ...packet, payloadType: 128 }), /payloadType: 128, must be 0 to 127/)
  assert.throws(() => writeRtp({ ...packet, sequence: -1 }), /sequence: -1/)
  assert.throws(() => writeRtp({ ...packet, csrcs: Array(16).fill(1) }), /csrcs: 16/)
  assert.throws(() => writeRtp({ ...packet, extension: { profile: 0, data: Buffer.alloc(3) } }), /extension: 3 octets/)
})

test('counters go round', () => {
  assert.equal(sequenceDistance(65_535, 0), 1)
  assert.equal(sequenceDistance(0, 65_535), -1)
  assert.equal(sequenceDistance(0, 32_768), -32_768)
  assert.equal(timestampDistance(0xffffff60, 0), 160)
  assert.equal(timestampDistance(0, 0xffffff60), -160)
})

test('RFC 5761 §4: RTCP among RTP is known by its type', () => {
  assert.ok(isRtcp(hex('80c8')) && isRtcp(hex('81c9')) && isRtcp(hex('80df')))
  assert.ok(!isRtcp(hex('8000')) && !isRtcp(hex('8088')) && !isRtcp(hex('80e0')) && !isRtcp(hex('80')))
})

// RFC 3550 §6.4.1, §6.5, §6.6: a sender report with one block, a name and a goodbye with a reason.
const compound = hex(`
  81 c8 000c 00000001  e0000001 80000000 000000a0 00000032 00001f40
     00000002 40 fffffe 00010005 00000018 00018000 00008000
  81 ca 0004 00000001  01 08 74616e64656d4078 0000
  81 cb 0002 00000001  03 627965`)

const packets: RtcpPacket[] = [
  {
    type: 'sender_report',
    ssrc: 1,
    sender: { ntpSeconds: 0xe0000001, ntpFraction: 0x80000000, rtpTimestamp: 160, packets: 50, octets: 8000 },
    blocks: [
      {
        ssrc: 2,
        fractionLost: 64,
        cumulativeLost: -2,
        highestSequence: 65_541,
        jitter: 24,
        lastSenderReport: 0x18000,
        delaySinceLastSenderReport: 0x8000,
      },
    ],
  },
  { type: 'source_description', chunks: [{ ssrc: 1, items: [{ type: 1, value: 'tandem@x' }] }] },
  { type: 'goodbye', ssrcs: [1], reason: 'bye' },
]

test('RFC 3550 §6: a compound of report, description and goodbye', () => {
  assert.deepEqual(readRtcp(compound), packets)
  assert.deepEqual(writeRtcp(packets), compound)
})

test('what is no compound is reported as such', () => {
  const faults: [string, PacketFault['fault']][] = [
    ['', 'short'],
    ['80c900', 'short'],
    ['00 c9 0001 00000001', 'version'],
    ['80 c9 0002 00000001', 'length'],
    ['81 c9 0001 00000001', 'length'],
    ['80 c8 0001 00000001', 'length'],
    ['80 cb 0000', 'type'],
    ['a0 c9 0001 00000001 80 cb 0000', 'padding'],
    ['a0 c9 0002 00000001 00000008', 'length'],
    ['a0 c9 0002 00000001 00000005', 'padding'],
    ['80 c9 0001 00000001 81 ca 0002 00000001 01ff6162', 'length'],
    ['80 c9 0001 00000001 81 ca 0002 00000001 01026162', 'length'],
    ['80 c9 0001 00000001 81 cb 0002 00000001 09616263', 'length'],
    ['80 c9 0001 00000001 80 cc 0001 00000001', 'length'],
  ]
  for (const [text, fault] of faults) assert.equal(faultOf(readRtcp(hex(text))), fault, text)
  assert.deepEqual(readRtcp(hex('80 cb 0000'), { allowReducedSize: true }), [
    { type: 'goodbye', ssrcs: [], reason: null },
  ])
  assert.deepEqual(readRtcp(hex('a0 c9 0002 00000001 00000004')), [{ type: 'receiver_report', ssrc: 1, blocks: [] }])
})

const block = fc.record(
  {
    ssrc: word,
    fractionLost: fc.nat(255),
    cumulativeLost: fc.integer({ min: -0x800000, max: 0x7fffff }),
    highestSequence: word,
    jitter: word,
    lastSenderReport: word,
    delaySinceLastSenderReport: word,
  },
  plain,
)
const blocks = fc.array(block, { maxLength: 31 })
const sender = fc.record(
  { ntpSeconds: word, ntpFraction: word, rtpTimestamp: word, packets: word, octets: word },
  plain,
)
const item = fc.record({ type: fc.integer({ min: 1, max: 8 }), value: fc.string({ maxLength: 60 }) }, plain)
const report = fc.oneof(
  fc.record({ type: fc.constant('sender_report' as const), ssrc: word, sender, blocks }, plain),
  fc.record({ type: fc.constant('receiver_report' as const), ssrc: word, blocks }, plain),
)
const chunks = fc.array(fc.record({ ssrc: word, items: fc.array(item, { maxLength: 6 }) }, plain), { maxLength: 31 })
const other = fc.oneof(
  fc.record({ type: fc.constant('source_description' as const), chunks }, plain),
  fc.record(
    {
      type: fc.constant('goodbye' as const),
      ssrcs: fc.array(word, { maxLength: 31 }),
      reason: fc.option(fc.string({ maxLength: 60 })),
    },
    plain,
  ),
  fc.record(
    {
      type: fc.constant('application' as const),
      subtype: fc.nat(31),
      ssrc: word,
      name: fc.constantFrom('abcd', 'TDM1'),
      data: wordsOf(10),
    },
    plain,
  ),
  fc.record(
    {
      type: fc.constant('other' as const),
      packetType: fc.constantFrom(205, 206, 207),
      count: fc.nat(31),
      data: wordsOf(10),
    },
    plain,
  ),
)

test('any compound comes back as it was written', () => {
  fc.assert(
    fc.property(report, fc.array(other, { maxLength: 4 }), (first, rest) => {
      const sent: RtcpPacket[] = [first, ...rest]
      assert.deepEqual(readRtcp(writeRtcp(sent)), sent)
    }),
    { numRuns: 300 },
  )
})
