// SRTP against vectors that others made: appendix B of RFC 3711, and whole packets of libsrtp and of the Go stack pion; then
// rollover, replays, forgeries and lost packets, which vectors do not show.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AudioStream } from '../src/offer_answer.ts'
import { createSrtpKeeper } from '../src/rtp/agreement.ts'
import { createKeyStream, createSrtpContext, deriveKeys, guessIndex } from '../src/rtp/srtp.ts'
import { audio, hex } from './rtp_support.ts'

const masterKey = hex('e1f97a0d3e018be0d64fa32c06de4139')
const masterSalt = hex('0ec675ad498afeebb6960b3aabe6')
const full = 'AES_CM_128_HMAC_SHA1_80'
const short = 'AES_CM_128_HMAC_SHA1_32'

test('RFC 3711 B.2: the key stream of AES-CM', () => {
  const stream = createKeyStream(hex('2b7e151628aed2a6abf7158809cf4f3c'), hex('f0f1f2f3f4f5f6f7f8f9fafbfcfd'))
  const octets = Buffer.from(stream(0, 0, 1_044_512))
  const expected: [number, string][] = [
    [0, 'e03ead0935c95e80e166b16dd92b4eb4'],
    [1, 'd23513162b02d0f72a43a2fe4a5f97ab'],
    [2, '41e95b3bb0a2e8dd477901e4fca894c0'],
    [0xfeff, 'ec8cdf7398607cb0f2d21675ea9ea1e4'],
    [0xff00, '362b7c3c6773516318a077d7fc5073ae'],
    [0xff01, '6a2cc3787889374fbeb4c81b17ba6c44'],
  ]
  for (const [block, text] of expected) assert.equal(octets.toString('hex', block * 16, block * 16 + 16), text)
  // SSRC and index go into the middle of the first counter block (§4.1.1): the same as a salt that has them already.
  const moved = createKeyStream(hex('2b7e151628aed2a6abf7158809cf4f3c'), hex('f0f1f2f3e6c1a08f6245240bfefe'))
  assert.deepEqual(Buffer.from(stream(0x12345678, 0x9abcdef00203, 64)), Buffer.from(moved(0, 0, 64)))
})

test('RFC 3711 B.3: key derivation', () => {
  const { key, salt, authKey } = deriveKeys(masterKey, masterSalt, 'rtp')
  assert.equal(key.toString('hex'), 'c61e7a93744f39ee10734afe3ff7a087')
  assert.equal(salt.toString('hex'), '30cbbc08863d8c85d49db34a9ae1')
  assert.equal(authKey.toString('hex'), 'cebe321f6ff7716b6fd4ab49af256a156d38baa4')
})

const rtp = hex('800f1234 decafbad cafebabe abababababababababababababababab')
const rtcp = hex('81c8000b cafebabe abababababababababababababababab')
const vectors = [
  {
    name: 'libsrtp',
    options: { suite: full, masterKey, masterSalt },
    srtp: '800f1234 decafbad cafebabe 4e55dc4ce79978d88ca4d215949d2402 b78d6acc99ea179b8dbb',
    srtcp: '81c8000b cafebabe 7128035be487b9bdbef89041f977a5a8 80000001 993e08cd54d6c1230798',
  },
  {
    name: 'pion',
    options: {
      suite: short,
      masterKey: hex('000102030405060708090a0b0c0d0e0f'),
      masterSalt: hex('a0a1a2a3a4a5a6a7a8a9aaabacad'),
    },
    srtp: '800f1234 decafbad cafebabe e2d8df8f7a75d688c3502eeec2a98066 cd7c0d09',
    srtcp: '81c8000b cafebabe 5674bf01813dc062ac1df6f75f77c688 80000001 3db7a19837ff64e5cbd2',
  },
] as const

for (const { name, options, srtp, srtcp } of vectors) {
  test(`a packet of ${name}, ${options.suite}`, () => {
    const sender = createSrtpContext(options)
    const receiver = createSrtpContext(options)
    assert.deepEqual(sender.protectRtp(rtp), hex(srtp))
    assert.deepEqual(receiver.openRtp(hex(srtp)), rtp)
    assert.deepEqual(sender.protectRtcp(rtcp), hex(srtcp))
    assert.deepEqual(receiver.openRtcp(hex(srtcp)), rtcp)
  })
}

test('RFC 3711 §3.3.1: the index is the one nearest to the highest', () => {
  const rollovers = (n: number) => n * 65_536
  assert.equal(guessIndex(65_535, 0), rollovers(1))
  assert.equal(guessIndex(rollovers(1), 65_535), 65_535)
  assert.equal(guessIndex(rollovers(3) + 10, 20), rollovers(3) + 20)
  assert.equal(guessIndex(rollovers(3) + 32_767, 65_535), rollovers(3) + 65_535)
  assert.equal(guessIndex(rollovers(3) + 32_766, 65_535), rollovers(2) + 65_535)
  assert.equal(guessIndex(rollovers(3) + 32_769, 0), rollovers(4))
  assert.equal(guessIndex(rollovers(3) + 32_768, 0), rollovers(3))
  assert.ok(guessIndex(5, 65_000) < 0)
})

const pair = (suite: typeof full | typeof short = full) => {
  const options = { suite, masterKey, masterSalt }
  return { sender: createSrtpContext(options), receiver: createSrtpContext(options) }
}
const protectedOf = (result: unknown) => {
  assert.ok(Buffer.isBuffer(result), JSON.stringify(result))
  return result
}
const faultOf = (result: object) => ('fault' in result ? result.fault : null)

test('the rollover counter goes up on both sides, also where packets around it are lost or late', () => {
  const { sender, receiver } = pair()
  const packets = Array.from({ length: 40 }, (_, i) => audio(i, { start: 65_516 }))
  const sealed = packets.map(packet => protectedOf(sender.protectRtp(packet)))
  const order = [0, 1, 2, 18, 21, 20, 19, 23, 22, 17, 39, 30]
  for (const i of order) assert.deepEqual(receiver.openRtp(sealed[i]!), packets[i], `packet ${i}`)
  // Twice round: a receiver that would not count would fail at the first.
  for (let i = 40; i < 70_000; i++) {
    const packet = audio(i, { start: 65_516 }).subarray(0, 13)
    const bytes = protectedOf(sender.protectRtp(packet))
    if (i % 9000 === 0) assert.deepEqual(receiver.openRtp(bytes), packet, `packet ${i}`)
  }
})

test('replayed, old, forged and short packets are refused, and change nothing', () => {
  const { sender, receiver } = pair()
  const sealed = Array.from({ length: 300 }, (_, i) => protectedOf(sender.protectRtp(audio(i))))
  assert.ok(Buffer.isBuffer(receiver.openRtp(sealed[0]!)))
  assert.equal(faultOf(receiver.openRtp(sealed[0]!)), 'replayed')
  for (const at of [1, 2, 3, 4, 8, 12, 100, 171, 172, 181]) {
    const forged = Buffer.from(sealed[1]!)
    forged[at]! ^= 0x40
    assert.equal(faultOf(receiver.openRtp(forged)), 'tag', `octet ${at}`)
  }
  // A forged packet with a far sequence number must not move the window.
  const far = Buffer.from(sealed[1]!)
  far.writeUInt16BE(20_000, 2)
  assert.equal(faultOf(receiver.openRtp(far)), 'tag')
  assert.ok(Buffer.isBuffer(receiver.openRtp(sealed[1]!)))
  assert.ok(Buffer.isBuffer(receiver.openRtp(sealed[299]!)))
  assert.ok(Buffer.isBuffer(receiver.openRtp(sealed[299 - 127]!)))
  assert.equal(faultOf(receiver.openRtp(sealed[299 - 128]!)), 'old')
  assert.equal(faultOf(receiver.openRtp(sealed[0]!.subarray(0, 21))), 'short')
  assert.equal(faultOf(receiver.openRtp(Buffer.alloc(0))), 'short')
})

test('the sender does not use a part of the key stream twice', () => {
  const { sender } = pair()
  assert.ok(Buffer.isBuffer(sender.protectRtp(audio(0))))
  assert.equal(faultOf(sender.protectRtp(audio(0, { octet: 1 }))), 'replayed')
  assert.ok(Buffer.isBuffer(sender.protectRtp(audio(0, { ssrc: 8 }))))
})

test('SRTCP: the index goes up, forgeries and replays are refused', () => {
  const { sender, receiver } = pair(short)
  const [first, second] = [sender.protectRtcp(rtcp), sender.protectRtcp(rtcp)].map(protectedOf)
  assert.equal(second!.readUInt32BE(24), 0x80000002)
  assert.deepEqual(receiver.openRtcp(second!), rtcp)
  assert.deepEqual(receiver.openRtcp(first!), rtcp)
  assert.equal(faultOf(receiver.openRtcp(first!)), 'replayed')
  const forged = Buffer.from(protectedOf(sender.protectRtcp(rtcp)))
  forged[9]! ^= 4
  assert.equal(faultOf(receiver.openRtcp(forged)), 'tag')
  assert.equal(faultOf(receiver.openRtcp(first!.subarray(0, 21))), 'short')
})

test('keys of another length are refused', () => {
  assert.throws(() => createSrtpContext({ suite: full, masterKey: masterKey.subarray(1), masterSalt }), /masterKey: 15/)
  assert.throws(() => createSrtpContext({ suite: full, masterKey, masterSalt: masterKey }), /masterSalt: 16/)
})

test('whatever is lost, doubled or out of order within the window, each packet is opened once', () => {
  const schedule = fc.array(fc.record({ step: fc.nat(3), back: fc.nat(60) }), { maxLength: 120 })
  fc.assert(
    fc.property(schedule, fc.nat(65_535), (steps, start) => {
      const { sender, receiver } = pair()
      const sealed = Array.from({ length: 400 }, (_, i) => protectedOf(sender.protectRtp(audio(i, { start }))))
      const opened = new Set<number>()
      let at = 0
      // The first one shows the receiver where the sender is.
      for (const { step, back } of [{ step: 0, back: 0 }, ...steps]) {
        at += step
        const i = Math.max(0, at - back)
        const result = receiver.openRtp(sealed[i]!)
        if (opened.has(i)) assert.equal(faultOf(result), 'replayed')
        else assert.deepEqual(result, audio(i, { start }))
        opened.add(i)
      }
    }),
    { numRuns: 40 },
  )
})

test('a peer with a new key of its own: ours counts on, and no key stream is used twice', () => {
  const key = (octet: number) => ({ tag: 1, suite: full, key: Buffer.alloc(30, octet) }) as const
  const keep = createSrtpKeeper()
  const agree = (local: number, remote: number) =>
    keep({ crypto: { local: key(local), remote: key(remote) } } as AudioStream)!
  const first = agree(1, 2)
  const peer = createSrtpKeeper()({ crypto: { local: key(2), remote: key(1) } } as AudioStream)!
  const say = (sequence: number, { send } = first) => send.protectRtp(audio(sequence & 0xffff)) as Buffer
  const opens = (packet: Buffer) => Buffer.isBuffer(peer.receive.openRtp(packet))
  const before = say(1)
  assert.ok(opens(before))
  // Past the first rollover of the sequence number.
  for (const sequence of [30_000, 60_000, 0x1_0000]) assert.ok(opens(say(sequence)))
  const second = agree(1, 3)
  const after = say(0x1_0001, second)
  assert.notDeepEqual(after, before)
  assert.ok(opens(after), 'the peer still counts with us')
  assert.notEqual(second.receive, first.receive)
  assert.equal(agree(4, 3).receive, second.receive)
  assert.notEqual(agree(5, 3).send, first.send)
})
