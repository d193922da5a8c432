// Offer and answer: the cases of RFC 3264 §10 and RFC 4317 that concern audio, and what trunks and telephones do besides.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../src/message.ts'
import type { AudioStream, LocalAudio } from '../src/offer_answer.ts'
import { createAnswer, createOffer, createReoffer, readAnswer } from '../src/offer_answer.ts'
import type { Sdp } from '../src/sdp.ts'
import { formatSdp, parseSdp } from '../src/sdp.ts'

const bob: LocalAudio = { sessionId: '2808844564', address: { family: 'IP4', address: '192.0.2.2' }, port: 49920 }
const alice: LocalAudio = { sessionId: '2890844526', address: { family: 'IP4', address: '192.0.2.1' }, port: 49170 }

function sdpOf(...lines: string[]): Sdp {
  const head = [
    'v=0',
    'o=alice 2890844526 2890844526 IN IP4 host.anywhere.com',
    's= ',
    'c=IN IP4 host.anywhere.com',
    't=0 0',
  ]
  const sdp = parseSdp([...head, ...lines, ''].join('\r\n'))
  assert.ok(!isFault(sdp), isFault(sdp) ? sdp.detail : '')
  return sdp
}

function answered(
  offer: Sdp,
  local: LocalAudio = bob,
  previous?: Sdp,
): { answer: Sdp; stream: AudioStream; lines: string[] } {
  const result = createAnswer(offer, local, previous)
  assert.ok(!isFault(result), isFault(result) ? result.detail : '')
  return { ...result, lines: formatSdp(result.answer).split('\r\n').slice(5, -1) }
}

test('RFC 3264 §10.1: audio is taken, each video refused in its place', () => {
  const offer = sdpOf(
    'm=audio 49170 RTP/AVP 0',
    'a=rtpmap:0 PCMU/8000',
    'm=video 51372 RTP/AVP 31',
    'a=rtpmap:31 H261/90000',
    'm=video 53000 RTP/AVP 32',
    'a=rtpmap:32 MPV/90000',
  )
  const { lines, stream, answer } = answered(offer)
  assert.deepEqual(lines, [
    'm=audio 49920 RTP/AVP 0',
    'a=rtpmap:0 PCMU/8000',
    'a=ptime:20',
    'a=sendrecv',
    'm=video 0 RTP/AVP 31',
    'm=video 0 RTP/AVP 32',
  ])
  assert.deepEqual(stream, {
    index: 0,
    codec: 'PCMU',
    payloadTypes: { send: 0, receive: 0 },
    telephoneEvent: undefined,
    remote: { address: 'host.anywhere.com', port: 49170, rtcpAddress: 'host.anywhere.com', rtcpPort: 49171 },
    direction: 'sendrecv',
    isHeld: false,
    packetTime: 20,
    rtcpMux: false,
    crypto: undefined,
  })
  assert.deepEqual(answer.timing, offer.timing)
})

test('RFC 4317 §2.1: of several codecs one is taken, in the order of the offer or in ours', () => {
  const offer = sdpOf('m=audio 49170 RTP/AVP 97 8 0', 'a=rtpmap:97 iLBC/8000', 'm=video 51372 RTP/AVP 31')
  assert.equal(answered(offer).stream.codec, 'PCMA')
  assert.equal(answered(offer, { ...bob, prefer: 'local' }).stream.codec, 'PCMU')
  assert.equal(answered(offer, { ...bob, codecs: ['PCMU'] }).stream.codec, 'PCMU')
})

test('RFC 4317 §2.4: telephone events mirror the offered payload type', () => {
  const offer = sdpOf('m=audio 49170 RTP/AVP 0 96', 'a=rtpmap:96 telephone-event/8000', 'a=fmtp:96 0-16')
  const { lines, stream } = answered(offer)
  assert.deepEqual(lines.slice(0, 4), [
    'm=audio 49920 RTP/AVP 0 96',
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:96 telephone-event/8000',
    'a=fmtp:96 0-16',
  ])
  assert.deepEqual(stream.telephoneEvent, { send: 96, receive: 96, events: '0-16' })
  const wideband = sdpOf('m=audio 49170 RTP/AVP 0 96', 'a=rtpmap:96 telephone-event/48000')
  assert.equal(answered(wideband).stream.telephoneEvent, undefined)
  assert.equal(answered(offer, { ...bob, telephoneEvent: null }).stream.telephoneEvent, undefined)
})

test('a codec under a payload type of its own keeps it', () => {
  const { lines, stream } = answered(sdpOf('m=audio 49170 RTP/AVP 100', 'a=rtpmap:100 pcma/8000'))
  assert.deepEqual(lines.slice(0, 2), ['m=audio 49920 RTP/AVP 100', 'a=rtpmap:100 PCMA/8000'])
  assert.deepEqual(stream.payloadTypes, { send: 100, receive: 100 })
})

test('nothing we can take is 488', () => {
  const offers = [
    sdpOf(),
    sdpOf('m=audio 49170 RTP/AVP 97', 'a=rtpmap:97 iLBC/8000'),
    sdpOf('m=audio 0 RTP/AVP 0'),
    sdpOf('m=video 51372 RTP/AVP 31'),
    sdpOf('m=audio 49170 UDP/TLS/RTP/SAVPF 0'),
    sdpOf('m=audio 49170 RTP/SAVP 0'),
  ]
  for (const offer of offers) {
    const fault = createAnswer(offer, bob)
    assert.ok(isFault(fault) && fault.status === 488)
  }
})

test('several audio lines: the first that fits; a version only counts up with a change', () => {
  const offer = sdpOf(
    'm=audio 49170 RTP/AVP 97',
    'a=rtpmap:97 iLBC/8000',
    'm=audio 49180 RTP/AVP 0',
    'm=audio 49190 RTP/AVP 0',
  )
  const { answer, stream } = answered(offer)
  assert.equal(stream.index, 1)
  assert.equal(stream.remote?.port, 49180)
  assert.deepEqual(
    answer.media.map(media => media.port),
    [0, 49920, 0],
  )
  assert.equal(answered(offer, bob, answer).answer.origin.sessionVersion, '2808844564')
  assert.equal(answered(offer, { ...bob, port: 50000 }, answer).answer.origin.sessionVersion, '2808844565')
  assert.ok(isFault(createAnswer(sdpOf('m=audio 49170 RTP/AVP 0'), bob, answer)))
})

test('RFC 3264 §5.1, §6.1: directions answer each other', () => {
  const cases = [
    ['sendrecv', 'sendrecv', 'sendrecv'],
    ['sendrecv', 'recvonly', 'recvonly'],
    ['sendonly', 'sendrecv', 'recvonly'],
    ['sendonly', 'sendonly', 'inactive'],
    ['recvonly', 'sendrecv', 'sendonly'],
    ['inactive', 'sendrecv', 'inactive'],
  ] as const
  for (const [offered, wanted, expected] of cases) {
    const { lines, stream } = answered(sdpOf('m=audio 49170 RTP/AVP 0', `a=${offered}`), { ...bob, direction: wanted })
    assert.ok(lines.includes(`a=${expected}`))
    assert.equal(stream.direction, expected)
    assert.equal(stream.isHeld, offered === 'sendonly' || offered === 'inactive')
  }
})

test('RFC 4317 §3: hold and resume, ours and theirs, and the hold of RFC 2543', () => {
  const offer = createOffer(alice)
  const first = answered(offer)
  const hold = createReoffer(offer, 'sendonly')
  assert.equal(hold.origin.sessionVersion, '2890844527')
  const held = answered(hold, bob, first.answer)
  assert.equal(held.stream.direction, 'recvonly')
  assert.equal(held.stream.isHeld, true)
  assert.equal(held.answer.origin.sessionVersion, '2808844565')
  const ours = readAnswer(hold, held.answer, alice)
  assert.ok(!isFault(ours))
  assert.deepEqual([ours.direction, ours.isHeld], ['sendonly', false])
  const resumed = createReoffer(hold, 'sendrecv')
  assert.equal(resumed.origin.sessionVersion, '2890844528')
  assert.equal(createReoffer(resumed, 'sendrecv').origin.sessionVersion, '2890844528')
  assert.equal(answered(resumed, bob, held.answer).stream.direction, 'sendrecv')
  const old = answered(sdpOf('m=audio 49170 RTP/AVP 0', 'c=IN IP4 0.0.0.0')).stream
  assert.deepEqual([old.remote, old.direction, old.isHeld], [undefined, 'recvonly', true])
})

test('an offer of ours and its answer', () => {
  const offer = createOffer({ ...alice, rtcpMux: true })
  assert.deepEqual(formatSdp(offer).split('\r\n').slice(0, -1), [
    'v=0',
    'o=- 2890844526 2890844526 IN IP4 192.0.2.1',
    's=-',
    'c=IN IP4 192.0.2.1',
    't=0 0',
    'm=audio 49170 RTP/AVP 0 8 101',
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-16',
    'a=ptime:20',
    'a=rtcp-mux',
    'a=sendrecv',
  ])
  // The answer may use payload types of its own for what it wants to get.
  const answer = sdpOf('m=audio 6000 RTP/AVP 8 99', 'a=rtpmap:99 telephone-event/8000', 'a=ptime:30', 'a=rtcp:7000')
  const stream = readAnswer(offer, answer, alice)
  assert.ok(!isFault(stream))
  assert.equal(stream.codec, 'PCMA')
  assert.deepEqual(stream.telephoneEvent, { send: 99, receive: 101, events: '0-15' })
  assert.deepEqual([stream.packetTime, stream.rtcpMux, stream.remote?.rtcpPort], [30, false, 7000])
  const muxed = readAnswer(offer, sdpOf('m=audio 6000 RTP/AVP 0', 'a=rtcp-mux'), alice)
  assert.ok(!isFault(muxed) && muxed.rtcpMux && muxed.remote?.rtcpPort === 6000)
})

test('an answer that does not fit its offer is 488', () => {
  const offer = createOffer({ ...alice, codecs: ['PCMU'] })
  const bad = [
    sdpOf(),
    sdpOf('m=audio 0 RTP/AVP 0'),
    sdpOf('m=audio 6000 RTP/AVP 8'),
    sdpOf('m=audio 6000 RTP/SAVP 0'),
    sdpOf('m=video 6000 RTP/AVP 31'),
    sdpOf('m=audio 6000 RTP/AVP 0', 'm=audio 6002 RTP/AVP 0'),
  ]
  for (const answer of bad) {
    const fault = readAnswer(offer, answer, alice)
    assert.ok(isFault(fault) && fault.status === 488)
  }
})

test('RFC 4568: keys both ways, in the suite of the answer', () => {
  const keys = (fill: number): LocalAudio['cryptos'] => [
    { suite: 'AES_CM_128_HMAC_SHA1_80', key: Buffer.alloc(30, fill) },
    { suite: 'AES_CM_128_HMAC_SHA1_32', key: Buffer.alloc(30, fill + 1) },
  ]
  const us: LocalAudio = { ...alice, srtp: 'required', cryptos: keys(1) }
  const them: LocalAudio = { ...bob, srtp: 'allowed', cryptos: keys(8)!.slice(1) }
  const offer = createOffer(us)
  const { answer, stream } = answered(offer, them)
  assert.equal(answer.media[0]?.protocol, 'RTP/SAVP')
  assert.deepEqual(
    [stream.crypto?.local.tag, stream.crypto?.local.key, stream.crypto?.remote.key],
    [2, Buffer.alloc(30, 9), Buffer.alloc(30, 2)],
  )
  const ours = readAnswer(offer, answer, us)
  assert.ok(!isFault(ours))
  assert.deepEqual([ours.crypto?.local.key, ours.crypto?.remote.key], [Buffer.alloc(30, 2), Buffer.alloc(30, 9)])
  assert.ok(isFault(createAnswer(createOffer(alice), { ...them, srtp: 'required' })))
  assert.ok(isFault(createAnswer(offer, bob)))
  assert.throws(() => createOffer({ ...alice, srtp: 'required' }), RangeError)
})

test('RFC 8643: keys in an offer of RTP/AVP are answered by who may encrypt, and then nothing else is taken for it', () => {
  const cryptos: LocalAudio['cryptos'] = [{ suite: 'AES_CM_128_HMAC_SHA1_80', key: Buffer.alloc(30, 1) }]
  const secure = createOffer({ ...alice, srtp: 'required', cryptos })
  const offer = { ...secure, media: secure.media.map(line => ({ ...line, protocol: 'RTP/AVP' })) }
  for (const srtp of ['allowed', 'preferred', 'required'] as const) {
    const { answer, stream } = answered(offer, { ...bob, srtp, cryptos })
    assert.equal(answer.media[0]?.protocol, 'RTP/AVP')
    assert.ok(stream.crypto !== undefined)
    const read = readAnswer(offer, answer, { ...alice, srtp, cryptos })
    assert.ok(!isFault(read) && read.crypto !== undefined)
  }
  const { answer, stream } = answered(offer, bob)
  assert.equal(stream.crypto, undefined)
  assert.ok(isFault(readAnswer(offer, answer, { ...alice, srtp: 'required', cryptos })))
  const plain = createOffer(alice)
  assert.ok(isFault(createAnswer(plain, { ...bob, srtp: 'required', cryptos })))
  const unasked = readAnswer(plain, answered(offer, { ...bob, srtp: 'allowed', cryptos }).answer, alice)
  assert.ok(!isFault(unasked) && unasked.crypto === undefined)
})
