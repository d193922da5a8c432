// Session descriptions: the examples of RFC 8866, what is tolerated and what is not, and the attributes of audio.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../src/message.ts'
import type { Sdp } from '../src/sdp.ts'
import { formatSdp, parseSdp } from '../src/sdp.ts'
import {
  codecsOf,
  cryptosOf,
  directionOf,
  formatCrypto,
  hasRtcpMux,
  mediaAddress,
  packetTimeOf,
  rtcpOf,
} from '../src/sdp_audio.ts'

const linesOf = (...lines: string[]) => lines.map(line => `${line}\r\n`).join('')
const head = ['v=0', 'o=- 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0']

function parse(text: string): Sdp {
  const sdp = parseSdp(text)
  assert.ok(!isFault(sdp), isFault(sdp) ? sdp.detail : '')
  return sdp
}

const audio = (...lines: string[]) => {
  const sdp = parse(linesOf(...head, ...lines))
  return { sdp, media: sdp.media[0]! }
}

test('RFC 8866 §5: the example comes back as it was', () => {
  const text = linesOf(
    'v=0',
    'o=jdoe 3724394400 3724394405 IN IP4 198.51.100.1',
    's=Call to John Smith',
    'i=SDP Offer #1',
    'u=http://www.jdoe.example.com/home.html',
    'e=Jane Doe <jane@jdoe.example.com>',
    'p=+1 617 555-6011',
    'c=IN IP4 198.51.100.1',
    't=0 0',
    'm=audio 49170 RTP/AVP 0',
    'm=audio 49180 RTP/AVP 0',
    'm=video 51372 RTP/AVP 99',
    'c=IN IP6 2001:db8::2',
    'a=rtpmap:99 h263-1998/90000',
  )
  const sdp = parse(text)
  assert.equal(formatSdp(sdp), text)
  assert.deepEqual(sdp.origin, {
    username: 'jdoe',
    sessionId: '3724394400',
    sessionVersion: '3724394405',
    family: 'IP4',
    address: '198.51.100.1',
  })
  assert.deepEqual(mediaAddress(sdp, sdp.media[2]!), { family: 'IP6', address: '2001:db8::2' })
  assert.deepEqual(
    sdp.media.map(media => [media.kind, media.port, media.formats.join()]),
    [
      ['audio', 49170, '0'],
      ['audio', 49180, '0'],
      ['video', 51372, '99'],
    ],
  )
})

test('tolerated: LF alone, another order, no s= and t=, no end of the last line', () => {
  const sdp = parse('v=0\nb=AS:64\nc=IN IP4 192.0.2.1\no=- 1 1 IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\na=sendrecv')
  assert.deepEqual(sdp.timing, ['t=0 0'])
  assert.deepEqual(parse(formatSdp(sdp)), sdp)
})

test('malformed descriptions are faults', () => {
  const bad = [
    '',
    'v=1\r\n',
    'o=- 1 1 IN IP4 a\r\nv=0\r\n',
    linesOf('v=0', 's=-'),
    linesOf(...head, ''),
    linesOf(...head, 'x'),
    linesOf(...head, 'q=unknown'),
    linesOf(...head, 'o=- 1 1 IN IP4 192.0.2.1'),
    linesOf(...head, 'c=IN IP4 192.0.2.1'),
    linesOf('v=0', 'o=- x 1 IN IP4 192.0.2.1'),
    linesOf('v=0', 'o=- 1 1 ATM NSAP 1'),
    linesOf(...head, 'm=audio'),
    linesOf(...head, 'm=audio 70000 RTP/AVP 0'),
    linesOf(...head, 'm=audio 4000 RTP/AVP'),
    linesOf(...head, 'm=audio 4000  RTP/AVP 0'),
    linesOf(...head, 'm=audio -1 RTP/AVP 0'),
    linesOf(...head, 'm=audio 4000/0 RTP/AVP 0'),
    linesOf(...head, 'm=audio 4000 RTP/AVP 0', 't=0 0'),
    linesOf(...head, 'a='),
    linesOf(...head, 'a=:x'),
    linesOf(...head, 'b=AS'),
    linesOf(...head, 'a=x\ry'),
    linesOf(...head, ...Array.from({ length: 33 }, () => 'm=audio 4000 RTP/AVP 0')),
    linesOf(...head, ...Array.from({ length: 1001 }, () => 'a=x')),
  ]
  for (const text of bad) {
    const fault = parseSdp(text)
    assert.ok(isFault(fault) && fault.status === 400 && fault.detail.startsWith('SDP: '), text.slice(0, 200))
  }
})

test('codecs: mapped and fixed payload types, fmtp, what makes no sense is left out', () => {
  const { media } = audio(
    'm=audio 4000 RTP/AVP 0 8 18 101 97 98 99 200 0 foo',
    'a=rtpmap:8 pcma/8000/1',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-16',
    'a=rtpmap:97 opus/48000/2',
    'a=rtpmap:98 broken',
  )
  assert.deepEqual(codecsOf(media), [
    { payloadType: 0, encoding: 'PCMU', clockRate: 8000, channels: 1, fmtp: undefined },
    { payloadType: 8, encoding: 'pcma', clockRate: 8000, channels: 1, fmtp: undefined },
    { payloadType: 18, encoding: 'G729', clockRate: 8000, channels: 1, fmtp: undefined },
    { payloadType: 101, encoding: 'telephone-event', clockRate: 8000, channels: 1, fmtp: '0-16' },
    { payloadType: 97, encoding: 'opus', clockRate: 48000, channels: 2, fmtp: undefined },
  ])
})

test('direction of the medium, else of the session, else both ways', () => {
  const direction = (...lines: string[]) => {
    const { sdp, media } = audio(...lines)
    return directionOf(sdp, media)
  }
  assert.equal(direction('m=audio 1 RTP/AVP 0'), 'sendrecv')
  assert.equal(direction('a=sendonly', 'm=audio 1 RTP/AVP 0'), 'sendonly')
  assert.equal(direction('a=sendonly', 'm=audio 1 RTP/AVP 0', 'a=inactive'), 'inactive')
})

test('ptime, rtcp, rtcp-mux, hold by address', () => {
  const { sdp, media } = audio('m=audio 4000 RTP/AVP 0', 'a=ptime:30', 'a=rtcp:53020 IN IP4 126.16.64.4', 'a=rtcp-mux')
  assert.equal(packetTimeOf(media), 30)
  assert.deepEqual(rtcpOf(media), { port: 53020, address: { family: 'IP4', address: '126.16.64.4' } })
  assert.ok(hasRtcpMux(media))
  assert.deepEqual(mediaAddress(sdp, media), { family: 'IP4', address: '192.0.2.1' })
  const held = audio('m=audio 4000 RTP/AVP 0', 'c=IN IP4 0.0.0.0', 'a=ptime:x', 'a=rtcp:0')
  assert.equal(mediaAddress(held.sdp, held.media), undefined)
  assert.equal(packetTimeOf(held.media), undefined)
  assert.equal(rtcpOf(held.media), undefined)
})

test('RFC 4568: crypto lines that can be used', () => {
  const key = 'd0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj'
  const { media } = audio(
    'm=audio 4000 RTP/SAVP 0',
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}|2^20|1:32`,
    `a=crypto:2 F8_128_HMAC_SHA1_80 inline:${key}|2^20`,
    `a=crypto:3 AES_CM_128_HMAC_SHA1_80 inline:${key}|2^20 FEC_ORDER=FEC_SRTP`,
    `a=crypto:4 AES_CM_128_HMAC_SHA1_32 inline:${key} WSH=64 -other`,
    `a=crypto:5 AES_CM_128_HMAC_SHA1_80 inline:${key}|2^20`,
    'a=crypto:6 AES_CM_128_HMAC_SHA1_80 inline:tooshort',
  )
  const found = cryptosOf(media)
  assert.deepEqual(
    found.map(({ tag, suite }) => [tag, suite]),
    [
      [4, 'AES_CM_128_HMAC_SHA1_32'],
      [5, 'AES_CM_128_HMAC_SHA1_80'],
    ],
  )
  assert.equal(found[0]!.key.length, 30)
  assert.equal(formatCrypto(found[1]!), `5 AES_CM_128_HMAC_SHA1_80 inline:${key}`)
})

test('a line end in a value cannot be written', () => {
  const sdp = parse(linesOf(...head))
  assert.throws(() => formatSdp({ ...sdp, name: 'a\r\nm=audio 1 RTP/AVP 0' }), RangeError)
})
