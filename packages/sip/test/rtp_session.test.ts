// Sessions as a whole: first with datagrams handed over and time moved by hand, then two of them over real sockets.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { startFrameClock } from '../src/rtp/clock.ts'
import type { EventChange } from '../src/rtp/dtmf.ts'
import { readEvent, writeEvent } from '../src/rtp/dtmf.ts'
import { decodeG711 } from '../src/rtp/g711.ts'
import type { Endpoint } from '../src/rtp/latch.ts'
import type { RtpPacket } from '../src/rtp/packet.ts'
import { readRtp, writeRtp } from '../src/rtp/packet.ts'
import { readRtcp, writeRtcp } from '../src/rtp/rtcp.ts'
import { createRtpSession } from '../src/rtp/session.ts'
import type { RtpAgreement, RtpSessionOptions } from '../src/rtp/session_api.ts'
import { createSrtpContext } from '../src/rtp/srtp.ts'
import { openRtpPorts, runRtpSession } from '../src/rtp/udp.ts'
import { audio, createChance, createTone, hex, toneShare, until } from './rtp_support.ts'

const peer: Endpoint = { address: '192.0.2.1', port: 4000 }
const peerRtcp: Endpoint = { address: '192.0.2.1', port: 4001 }
const basic: RtpAgreement = { remote: peer, law: 'PCMU', eventType: { send: 96, receive: 101 } }

/** A session whose datagrams are kept, and a clock that is moved frame by frame. */
function startSession(agreement: Partial<RtpAgreement> = {}, options: Partial<RtpSessionOptions> = {}) {
  const chance = createChance(5)
  const sent: { bytes: Buffer; to: Endpoint; from: string }[] = []
  const changes: EventChange[] = []
  const silences: number[] = []
  const learned: Endpoint[] = []
  const session = createRtpSession({
    agreement: { ...basic, ...agreement },
    cname: 'test',
    send: (bytes, to, from) => sent.push({ bytes, to, from }),
    nowMs: 0,
    wallMs: 0,
    random: () => chance(2 ** 31) / 2 ** 31,
    onDigit: change => changes.push(change),
    onSilence: ms => silences.push(ms),
    onLearned: endpoint => learned.push(endpoint),
    ...options,
  })
  const clock = { nowMs: 0 }
  const frames = (count: number) => {
    for (let i = 0; i < count; i++) {
      session.frame(clock.nowMs, 0)
      clock.nowMs += 20
    }
  }
  const take = () => sent.splice(0)
  const takeRtp = () =>
    take()
      .filter(({ from }) => from === 'rtp')
      .map(({ bytes }) => readRtp(bytes) as RtpPacket)
  const receive = (bytes: Buffer, from = peer) => session.receive(bytes, from, 'rtp', clock.nowMs)
  return { session, frames, take, takeRtp, receive, clock, changes, silences, learned }
}

test('a frame each 20 ms, in order, marked at the beginning; silence without a source', () => {
  const { session, frames, takeRtp } = startSession()
  frames(3)
  session.setSource(into => into.fill(1) === into)
  frames(2)
  const packets = takeRtp()
  const { sequence, timestamp } = packets[0]!
  packets.forEach((packet, i) => {
    assert.deepEqual(packet, {
      payloadType: 0,
      marker: i === 0,
      sequence: sequence + i,
      timestamp: (timestamp + 160 * i) >>> 0,
      ssrc: session.ssrc,
      csrcs: [],
      extension: null,
      payload: Buffer.alloc(160, i < 3 ? 0xff : 1),
    })
  })
  session.frame(1000, 45)
  assert.equal(takeRtp()[0]!.timestamp, (timestamp + 160 * 50) >>> 0, 'skipped frames are time that has passed')
})

test('digits take the place of audio, with the type that was offered, and the source goes on underneath', () => {
  const { session, frames, takeRtp } = startSession()
  let reads = 0
  session.setSource(into => {
    into.fill(++reads)
    return true
  })
  frames(1)
  session.sendDigits('5', { durationMs: 60 })
  assert.ok(session.isSendingDigits())
  frames(7)
  const packets = takeRtp()
  assert.deepEqual(
    packets.map(({ payloadType }) => payloadType),
    [0, 96, 96, 96, 96, 96, 0, 0],
  )
  assert.deepEqual(
    packets.slice(1, 6).map(({ marker }) => marker),
    [true, false, false, false, false],
  )
  assert.deepEqual(readEvent(packets[5]!.payload), { event: 5, isEnd: true, volume: 10, duration: 480 })
  assert.equal(packets[6]!.payload[0], 7)
  assert.equal((packets[6]!.timestamp - packets[0]!.timestamp) >>> 0, 6 * 160)
  assert.equal(session.isSendingDigits(), false)
  const without = startSession({ eventType: null })
  assert.throws(() => without.session.sendDigits('1'), /digits: the peer did not agree/)
  session.sendDigits('1')
  frames(1)
  session.change({ ...basic, eventType: null })
  frames(3)
})

test('what comes is played in the agreed law, digits are reported, other types are not', () => {
  const { session, receive, changes } = startSession({ law: 'PCMA' })
  for (let i = 0; i < 4; i++) receive(audio(i, { payloadType: i < 2 ? 0 : 8, octet: i < 2 ? 0x80 : 0x2a }))
  receive(audio(4, { payloadType: 3 }))
  const into = Buffer.alloc(160)
  const kinds = Array.from({ length: 7 }, () => `${session.read(into)} ${into[0]}`)
  // The loudest of µ-law is the loudest of A-law: 0x80 and 0xaa.
  assert.deepEqual(kinds.slice(3), ['audio 170', 'audio 170', 'audio 42', 'audio 42'])
  const payload = writeEvent({ event: 3, isEnd: false, volume: 10, duration: 160 })
  receive(writeRtp({ payloadType: 101, marker: true, sequence: 1005, timestamp: 1005 * 160, ssrc: 7, payload }))
  assert.deepEqual(
    changes.map(({ type, digit }) => `${type} ${digit}`),
    ['started 3'],
  )
  const { received, refused } = session.statistics()
  assert.deepEqual([received.packets, received.lost, refused.unknownType], [5, 1, 1])
})

test('media behind NAT are learned and answered there; others are neither heard nor answered', () => {
  const { session, frames, take, receive, learned } = startSession()
  const nat = { address: '198.51.100.1', port: 50_000 }
  frames(1)
  assert.deepEqual(take()[0]!.to, peer)
  for (let i = 0; i < 6; i++) receive(audio(i, { octet: 3 }), nat)
  for (let i = 0; i < 50; i++) receive(audio(i, { ssrc: 66, octet: 66 }), { address: '203.0.113.1', port: 1 })
  frames(1)
  assert.deepEqual(take()[0]!.to, nat)
  assert.deepEqual(learned, [nat])
  assert.deepEqual([session.statistics().received.packets, session.statistics().refused.foreign], [4, 52])
  const into = Buffer.alloc(160)
  for (let i = 0; i < 12; i++) {
    if (session.read(into) === 'audio') assert.deepEqual(into, Buffer.alloc(160, 3))
  }
})

test('silence is reported once, again after the peer spoke, and never on hold', () => {
  const { session, frames, receive, silences } = startSession({}, { silenceMs: 1000 })
  frames(50)
  assert.deepEqual(silences, [])
  frames(50)
  assert.deepEqual(silences, [1000])
  receive(audio(0))
  frames(100)
  assert.deepEqual(silences, [1000, 1000])
  session.change({ ...basic, isReceiving: false })
  receive(audio(1))
  frames(200)
  session.change(basic)
  frames(49)
  assert.equal(silences.length, 2)
  frames(10)
  assert.equal(silences.length, 3)
})

test('on hold nothing is sent but reports; afterwards the first packet is marked', () => {
  const { session, frames, take, takeRtp } = startSession({ isSending: false }, { reportMs: 200 })
  frames(50)
  const held = take()
  assert.ok(held.length > 2 && held.every(({ from, to }) => from === 'rtcp' && to.port === 4001))
  session.change(basic)
  frames(2)
  assert.deepEqual(
    takeRtp().map(({ marker }) => marker),
    [true, false],
  )
})

test('another SSRC is the same peer with another count; stragglers of the first are stray', () => {
  const { session, receive, clock } = startSession()
  for (let i = 0; i < 5; i++) receive(audio(i))
  for (let i = 0; i < 5; i++) receive(audio(i, { ssrc: 8, start: 30_000 }))
  receive(audio(5))
  assert.deepEqual(session.statistics().received, { ...session.statistics().received, packets: 5, lost: 0 })
  assert.equal(session.statistics().refused.stray, 1)
  clock.nowMs += 500
  receive(audio(6))
  assert.equal(session.statistics().received.packets, 1)
})

test('reports: ours by RTCP port or mux, the peer of theirs believed, a stranger not', () => {
  const { session, frames, take, receive, clock } = startSession({}, { reportMs: 100 })
  receive(audio(0))
  frames(10)
  const [report] = take().filter(({ from }) => from === 'rtcp')
  const [first] = readRtcp(report!.bytes) as { type: string; ssrc: number; blocks: { ssrc: number }[] }[]
  assert.deepEqual([first!.type, first!.ssrc, first!.blocks[0]!.ssrc], ['sender_report', session.ssrc, 7])
  assert.deepEqual(report!.to, peerRtcp)
  const block = {
    ssrc: session.ssrc,
    fractionLost: 128,
    cumulativeLost: 5,
    highestSequence: 1,
    jitter: 80,
    lastSenderReport: 0,
    delaySinceLastSenderReport: 0,
  }
  const theirs = (ssrc: number) => writeRtcp([{ type: 'receiver_report', ssrc, blocks: [block] }])
  session.receive(theirs(7), { address: '203.0.113.1', port: 4001 }, 'rtcp', clock.nowMs)
  session.receive(theirs(8), peerRtcp, 'rtcp', clock.nowMs)
  assert.equal(session.statistics().remote, null)
  session.receive(theirs(7), { ...peerRtcp, port: 4777 }, 'rtcp', clock.nowMs)
  assert.deepEqual(session.statistics().remote, { packetsLost: 5, fractionLost: 0.5, jitterMs: 10, roundTripMs: null })
  frames(10)
  assert.equal(take().find(({ from }) => from === 'rtcp')!.to.port, 4777)
  session.change({ ...basic, rtcpMux: true })
  receive(
    writeRtcp([
      { type: 'receiver_report', ssrc: 7, blocks: [] },
      { type: 'goodbye', ssrcs: [7], reason: null },
    ]),
  )
  assert.ok(session.statistics().hasLeft)
  session.leave(clock.nowMs)
  assert.deepEqual(take().at(-1)!.to, peer)
})

const keys = [hex('e1f97a0d3e018be0d64fa32c06de4139'), hex('000102030405060708090a0b0c0d0e0f')]
const srtpContext = (which: number) =>
  createSrtpContext({ suite: 'AES_CM_128_HMAC_SHA1_80', masterKey: keys[which]!, masterSalt: Buffer.alloc(14, which) })

test('with SRTP only who has the key is learned, however believable others are', () => {
  const { session, receive } = startSession({ srtp: { send: srtpContext(0), receive: srtpContext(1) } })
  const nat = { address: '198.51.100.1', port: 50_000 }
  const theirs = srtpContext(1)
  for (let i = 0; i < 10; i++) receive(audio(i, { ssrc: 66 }), { address: '203.0.113.1', port: 1 })
  for (let i = 0; i < 5; i++) receive(theirs.protectRtp(audio(i)) as Buffer, nat)
  const { learned, refused, received } = session.statistics()
  assert.deepEqual([learned, refused.unproved, received.packets], [nat, 10, 3])
})

test('ports: an even one and the next, another when taken, and an error that says which range was full', async context => {
  const blocker = createSocket('udp4')
  blocker.bind(0, '127.0.0.1')
  await once(blocker, 'listening')
  const taken = blocker.address().port & ~1
  context.after(() => blocker.close())
  const range = { address: '127.0.0.1', random: () => 0 }
  await assert.rejects(openRtpPorts({ ...range, minPort: taken, maxPort: taken + 1 }), {
    code: 'ports_in_use',
    message: `no free pair of ports of ${taken} to ${taken + 1} at 127.0.0.1`,
  })
  const ports = await openRtpPorts({ ...range, minPort: taken, maxPort: Math.min(65_535, taken + 400) })
  assert.ok(ports.port > taken && ports.port % 2 === 0 && ports.rtcpPort === ports.port + 1)
  ports.send(Buffer.alloc(12), { address: '127.0.0.1', port: 0 }, 'rtp')
  await ports.close()
  await ports.close()
  ports.send(Buffer.alloc(12), { address: '127.0.0.1', port: 9 }, 'rtp')
  await assert.rejects(openRtpPorts({ ...range, address: 'localhost' }), /address: localhost is not an IP address/)
  await assert.rejects(openRtpPorts({ ...range, minPort: 7, maxPort: 8 }), /maxPort: 8 leaves no even port from 7 on/)
})

for (const isSecure of [false, true]) {
  test(`two sessions over UDP${isSecure ? ' with SRTP and one port each' : ''}: tones, digits and reports both ways`, async context => {
    // Neither a late timer nor a late packet is what is tested here.
    const clock = startFrameClock(undefined, { maxBehindMs: 5000 })
    context.after(() => clock.stop())
    const random = Math.random
    const open = () => openRtpPorts({ address: '127.0.0.1', random, rtcpMux: isSecure })
    const ports = await Promise.all([open(), open()])
    const digits: string[][] = [[], []]
    const sides = ports.map((own, i) => {
      const other = ports[1 - i]!
      const session = runRtpSession(own, clock, {
        agreement: {
          remote: { address: '127.0.0.1', port: other.port },
          rtcpMux: isSecure,
          law: 'PCMA',
          eventType: { send: 96, receive: 96 },
          srtp: isSecure ? { send: srtpContext(i), receive: srtpContext(1 - i) } : null,
        },
        cname: `side${i}`,
        wallMs: Date.now(),
        random,
        reportMs: 200,
        jitterMs: 200,
        maxJitterMs: 1000,
        onDigit: change => change.type === 'started' && digits[i]!.push(change.digit!),
      })
      session.setSource(createTone('PCMA', i === 0 ? 400 : 1000))
      return session
    })
    context.after(() => Promise.all(sides.map(side => side.close())))
    const heard: Buffer[][] = [[], []]
    const listeners = sides.map((side, i) =>
      clock.add(() => {
        const into = Buffer.alloc(160)
        if (side.read(into) === 'audio') heard[i]!.push(into)
      }),
    )
    await until(() => heard.every(frames => frames.length >= 50), 'a second of audio on both sides')
    for (const remove of listeners) remove()
    sides[0]!.sendDigits('12#9', { durationMs: 60, gapMs: 60 })
    sides[1]!.sendDigits('0', { durationMs: 60 })
    await until(() => digits[1]!.length >= 4 && digits[0]!.length >= 1, 'all digits')
    assert.deepEqual(digits, [['0'], ['1', '2', '#', '9']])
    for (const [i, frames] of heard.entries()) {
      // Both tones have whole periods in a frame.
      const samples = decodeG711('PCMA', Buffer.concat(frames.slice(0, 50)))
      assert.ok(toneShare(samples, i === 0 ? 1000 : 400) > 0.95, `side ${i} does not hear the tone`)
    }
    await until(() => sides.every(side => side.statistics().remote?.roundTripMs != null), 'reports both ways')
    for (const side of sides) {
      const { received, refused, remote, learned } = side.statistics()
      assert.deepEqual([received.lost, remote!.packetsLost, learned?.address], [0, 0, '127.0.0.1'])
      assert.deepEqual(refused, { foreign: 0, malformed: 0, unproved: 0, unknownType: 0, stray: 0 })
    }
    await sides[0]!.close()
    await until(() => sides[1]!.statistics().hasLeft, 'the goodbye')
  })
}

const shut = { mayReach: (address: string) => address !== '10.0.0.1', unansweredMs: 5_000 }
const inside: Endpoint = { address: '10.0.0.1', port: 40_777 }

test('nothing leaves for an address that may not be reached, by SDP, RTCP attribute, change or learning; the peer is waited for', () => {
  const { session, frames, take, receive } = startSession({ remote: inside, remoteRtcp: inside }, shut)
  frames(500)
  assert.deepEqual(take(), [])
  for (let sequence = 0; sequence < 5; sequence++) receive(audio(sequence), inside)
  frames(10)
  assert.deepEqual(take(), [])
  for (let sequence = 0; sequence < 5; sequence++) receive(audio(sequence), peer)
  frames(500)
  const sent = take()
  assert.deepEqual([...new Set(sent.map(({ to }) => to.address))], [peer.address])
  assert.ok(sent.length >= 500)
  session.change({ ...basic, remote: inside })
  frames(10)
  session.change({ ...basic, remote: peer, remoteRtcp: inside })
  frames(1_000)
  assert.deepEqual([...new Set(take().map(({ to }) => to.address))], [peer.address])
})

test('sound for which nothing comes back ends after 5 s but for a packet now and then, and goes on with the first that comes', () => {
  const { session, frames, takeRtp, receive } = startSession({}, shut)
  let sources = 0
  session.setSource(() => {
    sources++
    return false
  })
  frames(250)
  assert.equal(takeRtp().length, 250)
  frames(1_010)
  assert.equal(takeRtp().length, 4)
  assert.equal(sources, 1_260, 'what is live goes on')
  receive(Buffer.from('keep alive'))
  frames(1_000)
  const again = takeRtp()
  assert.equal(again.length, 1_000)
  assert.ok(again[0]!.marker)
})

test('a peer that was heard once may be silent, as with silence suppression; RTCP alone will do', () => {
  const { frames, takeRtp, receive } = startSession({}, shut)
  receive(audio(0))
  frames(1_400)
  assert.equal(takeRtp().length, 1_400)
  const other = startSession({}, shut)
  const report = writeRtcp([{ type: 'receiver_report', ssrc: 7, blocks: [] }])
  other.frames(100)
  other.session.receive(report, peerRtcp, 'rtcp', other.clock.nowMs)
  other.frames(1_300)
  assert.equal(other.takeRtp().length, 1_400)
})

test('other addresses, one after the other, get no more together than what comes back pays for', () => {
  const { session, frames, takeRtp, receive } = startSession({}, shut)
  frames(100)
  receive(audio(0))
  for (let port = 0; port < 20; port++) {
    session.change({ ...basic, remote: { address: `192.0.2.${port + 10}`, port: 4_000 } })
    frames(100)
  }
  // 250 at first, the packet that came, and the hundred to where it came from.
  const unproved = takeRtp().length
  assert.ok(unproved <= 251 + 100 + 10, String(unproved))
})

test('who only listens is sent to where its signalling comes from, and nowhere else', () => {
  const listener = { ...shut, isSignalling: (address: string) => address === peer.address }
  const own = startSession({ isReceiving: false }, listener)
  own.frames(1_000)
  assert.equal(own.takeRtp().length, 1_000)
  const foreign = startSession({ isReceiving: false, remote: { address: '192.0.2.99', port: 4_000 } }, listener)
  foreign.frames(1_000)
  assert.ok(foreign.takeRtp().length < 260)
})
