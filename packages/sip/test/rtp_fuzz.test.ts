// Hostile octets: more than half a million mutated and random datagrams at a session and at every reader. Nothing throws,
// whatever they hold, and what is read stays within what was sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventReceiver, readEvent, writeEvent } from '../src/rtp/dtmf.ts'
import { isPacketFault, payloadStart, readRtp, writeRtp } from '../src/rtp/packet.ts'
import type { RtcpPacket } from '../src/rtp/rtcp.ts'
import { readRtcp, writeRtcp } from '../src/rtp/rtcp.ts'
import { createRtpSession } from '../src/rtp/session.ts'
import { createSrtpContext } from '../src/rtp/srtp.ts'
import { audio, createChance, hex } from './rtp_support.ts'

const block = {
  ssrc: 7,
  fractionLost: 1,
  cumulativeLost: -1,
  highestSequence: 9,
  jitter: 8,
  lastSenderReport: 7,
  delaySinceLastSenderReport: 6,
}
const sender = { ntpSeconds: 1, ntpFraction: 2, rtpTimestamp: 3, packets: 4, octets: 5 }
const report: RtcpPacket = { type: 'sender_report', ssrc: 7, sender, blocks: [block, block] }
const rest: RtcpPacket[] = [
  {
    type: 'source_description',
    chunks: [
      {
        ssrc: 7,
        items: [
          { type: 1, value: 'a@b' },
          { type: 2, value: '' },
        ],
      },
    ],
  },
  { type: 'application', subtype: 1, ssrc: 7, name: 'abcd', data: Buffer.alloc(8) },
  { type: 'other', packetType: 205, count: 1, data: Buffer.alloc(8) },
  { type: 'goodbye', ssrcs: [7, 8], reason: 'gone' },
]
const event = writeEvent({ event: 1, isEnd: true, volume: 1, duration: 800 })
const captures = [
  audio(0),
  audio(1),
  audio(2, { payloadType: 8 }),
  writeRtp({ payloadType: 101, marker: true, sequence: 1003, timestamp: 1, ssrc: 7, payload: event }),
  writeRtp({
    payloadType: 0,
    marker: false,
    sequence: 1004,
    timestamp: 2,
    ssrc: 7,
    csrcs: [1, 2, 3],
    extension: { profile: 0xbede, data: Buffer.alloc(8) },
    payload: Buffer.alloc(20),
  }),
  writeRtcp([report]),
  writeRtcp([report, ...rest]),
  writeRtcp([{ type: 'receiver_report', ssrc: 7, blocks: [] }, rest[3]!]),
]

function mutate(random: (limit: number) => number): Buffer {
  if (random(10) === 0) return Buffer.from(Array.from({ length: random(60) }, () => random(256)))
  let mutant = Buffer.from(captures[random(captures.length)]!)
  for (let times = random(5); times > 0 && mutant.length > 0; times--) {
    const at = random(4) === 0 ? random(mutant.length) : random(Math.min(16, mutant.length))
    const kind = random(6)
    if (kind === 0) mutant[at] = random(256)
    else if (kind === 1) mutant[at]! ^= 1 << random(8)
    else if (kind === 2) mutant = mutant.subarray(0, random(mutant.length + 1))
    else if (kind === 3) mutant = Buffer.concat([mutant, mutant.subarray(at, at + random(40))])
    else if (kind === 4) mutant[at] = [0, 1, 0x7f, 0x80, 0xff][random(5)]!
    else mutant = Buffer.concat([mutant.subarray(0, at), mutant.subarray(at + random(8))])
  }
  return mutant
}

const peer = { address: '192.0.2.1', port: 4000 }
const basic = { remote: peer, rtcpMux: true, law: 'PCMU', eventType: { send: 96, receive: 101 } } as const

test('300,000 mutants at a session: it counts them and goes on', () => {
  const random = createChance(20_261_121)
  const digits = { started: 0, ended: 0 }
  const session = createRtpSession({
    agreement: basic,
    cname: 'fuzz',
    send: () => {},
    nowMs: 0,
    wallMs: 0,
    random: () => random(1000) / 1000,
    onDigit: ({ type }) => {
      digits[type] += 1
    },
  })
  const into = Buffer.alloc(160)
  const kinds: Record<string, number> = {}
  for (let i = 0; i < 300_000; i++) {
    const from = random(20) === 0 ? { address: '203.0.113.1', port: random(5) } : peer
    session.receive(mutate(random), from, random(10) === 0 ? 'rtcp' : 'rtp', i)
    if (i % 20 !== 0) continue
    session.frame(i, 0)
    const kind = session.read(into)
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  const { refused, received, sent } = session.statistics()
  assert.ok(Object.values(refused).filter(count => count > 0).length >= 4, JSON.stringify(refused))
  assert.ok(received.packets > 0 && sent.packets === 15_000)
  assert.ok(digits.started > 0 && digits.started - digits.ended <= 1)
  assert.ok(Object.keys(kinds).length >= 2, JSON.stringify(kinds))
})

test('300,000 mutants at each reader: fields within the octets, or a fault', () => {
  const random = createChance(4711)
  const receiver = createEventReceiver()
  const counts = { rtp: 0, rtcp: 0, faults: 0 }
  for (let i = 0; i < 300_000; i++) {
    const mutant = mutate(random)
    const packet = readRtp(mutant)
    if (isPacketFault(packet)) counts.faults += 1
    else {
      counts.rtp += 1
      const start = payloadStart(mutant)
      assert.ok(start >= 12 && start + packet.payload.length <= mutant.length)
      receiver.push(packet, i)
      readEvent(packet.payload)
    }
    const compound = readRtcp(mutant, { allowReducedSize: i % 2 === 0 })
    if (isPacketFault(compound)) continue
    counts.rtcp += 1
    // What was read can be written, and reads the same again; text that was no UTF-8 has grown.
    if (JSON.stringify(compound).includes('\ufffd')) continue
    const again = readRtcp(writeRtcp(compound), { allowReducedSize: true })
    assert.ok(!isPacketFault(again) && again.length === compound.length)
  }
  assert.ok(counts.rtp > 10_000 && counts.rtcp > 10_000 && counts.faults > 10_000, JSON.stringify(counts))
})

test('100,000 mutants of protected packets: none is taken for another than was sent', () => {
  const random = createChance(99)
  const keys = { masterKey: hex('e1f97a0d3e018be0d64fa32c06de4139'), masterSalt: Buffer.alloc(14) }
  const [sending, receiving] = [0, 1].map(() => createSrtpContext({ ...keys, suite: 'AES_CM_128_HMAC_SHA1_80' }))
  const sealed = captures.slice(0, 5).map(packet => sending!.protectRtp(packet) as Buffer)
  const sealedRtcp = captures.slice(5).map(packet => sending!.protectRtcp(packet) as Buffer)
  const originals = captures.map(packet => packet.toString('hex'))
  for (let i = 0; i < 100_000; i++) {
    const source = i % 2 === 0 ? sealed : sealedRtcp
    const mutant = Buffer.from(source[random(source.length)]!)
    for (let times = random(3); times >= 0; times--) mutant[random(mutant.length)]! ^= 1 + random(255)
    const cut = random(10) === 0 ? mutant.subarray(0, random(mutant.length)) : mutant
    const opened = source === sealed ? receiving!.openRtp(cut) : receiving!.openRtcp(cut)
    if (Buffer.isBuffer(opened)) assert.ok(originals.includes(opened.toString('hex')))
  }
})
