// Messages of RFC 3261 (§7, §8.2.6, §9.1, §17.1.1.3, §18.2.1, §20, §24): headers in every spelling, replies, ACK, CANCEL.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCore } from '../src/core.ts'
import { header, headerLines, readAll, readOne } from '../src/headers.ts'
import type { SipMessage, SipRequest, SipResponse } from '../src/message.ts'
import { isFault, methods } from '../src/message.ts'
import { isKeepAlive, parseMessage } from '../src/parse.ts'
import { createAck, createCancel, createResponse, faultReply, refusal, withReceived } from '../src/replies.ts'
import { param } from '../src/scan.ts'
import { serializeMessage } from '../src/serialize.ts'
import { formatUri } from '../src/uri.ts'
import { formatAddress, formatDate, formatVia } from '../src/values.ts'

function parse(...lines: string[]): SipMessage {
  const message = parseMessage(Buffer.from([...lines, '', ''].join('\r\n')))
  assert.ok(!isFault(message), isFault(message) ? message.detail : '')
  return message
}

const request = (...lines: string[]) => parse(...lines) as SipRequest
const textOf = (message: SipMessage) => serializeMessage(message).toString()

/** §24.2, F1 as it reaches Bob in F4. */
const invite = request(
  'INVITE sip:bob@192.0.2.4 SIP/2.0',
  'Via: SIP/2.0/UDP server10.biloxi.com;branch=z9hG4bK4b43c2ff8.1',
  'Via: SIP/2.0/UDP bigbox3.site3.atlanta.com;branch=z9hG4bK77ef4c2312983.1;received=192.0.2.2',
  'Via: SIP/2.0/UDP pc33.atlanta.com;branch=z9hG4bKnashds8;received=192.0.2.1',
  'Max-Forwards: 68',
  'To: Bob <sip:bob@biloxi.com>',
  'From: Alice <sip:alice@atlanta.com>;tag=1928301774',
  'Call-ID: a84b4c76e66710',
  'CSeq: 314159 INVITE',
  'Contact: <sip:alice@pc33.atlanta.com>',
  'Record-Route: <sip:server10.biloxi.com;lr>',
  'Content-Type: application/sdp',
)

test('§7.3.1: lists over lines and commas are the same', () => {
  const forms = [
    [
      'Route: <sip:alice@atlanta.com>',
      'Subject: Lunch',
      'Route: <sip:bob@biloxi.com>',
      'Route: <sip:carol@chicago.com>',
    ],
    ['Route: <sip:alice@atlanta.com>, <sip:bob@biloxi.com>', 'Route: <sip:carol@chicago.com>', 'Subject: Lunch'],
    ['Subject: Lunch', 'ROUTE: <sip:alice@atlanta.com>, <sip:bob@biloxi.com>,', '     <sip:carol@chicago.com>'],
  ]
  for (const form of forms) {
    const routes = readAll(parse('OPTIONS sip:a@b SIP/2.0', ...form), 'Route')
    assert.ok(!isFault(routes))
    assert.deepEqual(
      routes.map(route => formatUri(route.uri)),
      ['sip:alice@atlanta.com', 'sip:bob@biloxi.com', 'sip:carol@chicago.com'],
    )
  }
})

test('headers keep their order, unknown ones their spelling; names match in any case and form', () => {
  const message = parse('OPTIONS sip:a@b SIP/2.0', 'X-Other: 1', 'k: timer', 'x-OTHER: 2', 'i:abc', 'supported:100rel')
  assert.deepEqual(
    message.headers.map(line => line.name),
    ['X-Other', 'Supported', 'x-OTHER', 'Call-ID', 'Supported'],
  )
  assert.deepEqual(headerLines(message, 'x-other'), ['1', '2'])
  assert.equal(header(message, 'I'), 'abc')
  assert.deepEqual(readAll(message, 'Supported'), ['timer', '100rel'])
})

test('§8.2.6: a response copies what identifies the request, and tags To once', () => {
  const ringing = createResponse(invite, 180, {
    toTag: 'a6c85cf',
    headers: [{ name: 'Contact', value: '<sip:bob@192.0.2.4>' }],
  })
  assert.equal(
    textOf(ringing),
    [
      'SIP/2.0 180 Ringing',
      'Via: SIP/2.0/UDP server10.biloxi.com;branch=z9hG4bK4b43c2ff8.1',
      'Via: SIP/2.0/UDP bigbox3.site3.atlanta.com;branch=z9hG4bK77ef4c2312983.1;received=192.0.2.2',
      'Via: SIP/2.0/UDP pc33.atlanta.com;branch=z9hG4bKnashds8;received=192.0.2.1',
      'To: Bob <sip:bob@biloxi.com>;tag=a6c85cf',
      'From: Alice <sip:alice@atlanta.com>;tag=1928301774',
      'Call-ID: a84b4c76e66710',
      'CSeq: 314159 INVITE',
      'Record-Route: <sip:server10.biloxi.com;lr>',
      'Contact: <sip:bob@192.0.2.4>',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n'),
  )
  assert.equal(header(createResponse(invite, 100, { toTag: 'x' }), 'To'), 'Bob <sip:bob@biloxi.com>')
  const busy = createResponse(invite, 486, { toTag: 'x' })
  assert.deepEqual([busy.reason, header(busy, 'Record-Route')], ['Busy Here', undefined])
  const bye = request('BYE sip:a@b SIP/2.0', 'To: <sip:a@b>;tag=old', 'Timestamp: 54')
  assert.equal(header(createResponse(bye, 200, { toTag: 'new' }), 'To'), '<sip:a@b>;tag=old')
  assert.equal(header(createResponse(bye, 100), 'Timestamp'), '54')
})

test('§17.1.1.3: the ACK of a refusal, §9.1: CANCEL', () => {
  const sent = request(
    'INVITE sip:bob@biloxi.com SIP/2.0',
    'Via: SIP/2.0/UDP pc33.atlanta.com;branch=z9hG4bKkjshdyff',
    'Route: <sip:proxy.atlanta.com;lr>',
    'To: Bob <sip:bob@biloxi.com>',
    'From: Alice <sip:alice@atlanta.com>;tag=88sja8x',
    'Max-Forwards: 70',
    'Call-ID: 987asjd97y7atg',
    'CSeq: 986759 INVITE',
  )
  const refused = createResponse(sent, 486, { toTag: '99sa0xk' })
  const lines = (method: string, to: string) =>
    [
      `${method} sip:bob@biloxi.com SIP/2.0`,
      'Via: SIP/2.0/UDP pc33.atlanta.com;branch=z9hG4bKkjshdyff',
      'Route: <sip:proxy.atlanta.com;lr>',
      'From: Alice <sip:alice@atlanta.com>;tag=88sja8x',
      'Call-ID: 987asjd97y7atg',
      `To: Bob <sip:bob@biloxi.com>${to}`,
      `CSeq: 986759 ${method}`,
      'Max-Forwards: 70',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n')
  assert.equal(textOf(createAck(sent, refused)), lines('ACK', ';tag=99sa0xk'))
  assert.equal(textOf(createCancel(sent)), lines('CANCEL', ''))
})

test('§18.2.1, RFC 3581: the source is put into the top Via only', () => {
  const via = (value: string) => request('OPTIONS sip:a@b SIP/2.0', `Via: ${value}, SIP/2.0/UDP last.example`, 'X: 1')
  const marked = (value: string) => readAll(withReceived(via(value), { address: '192.0.2.9', port: 9988 }), 'Via')
  const first = (value: string) => {
    const vias = marked(value)
    assert.ok(!isFault(vias) && vias.length === 2)
    assert.equal(formatVia(vias[1]!), 'SIP/2.0/UDP last.example')
    return formatVia(vias[0]!)
  }
  assert.equal(first('SIP/2.0/UDP bobspc.biloxi.com:5060'), 'SIP/2.0/UDP bobspc.biloxi.com:5060;received=192.0.2.9')
  assert.equal(first('SIP/2.0/UDP 192.0.2.9;branch=z9'), 'SIP/2.0/UDP 192.0.2.9;branch=z9')
  assert.equal(
    first('SIP/2.0/UDP 10.1.1.1:4540;rport;branch=z'),
    'SIP/2.0/UDP 10.1.1.1:4540;rport=9988;branch=z;received=192.0.2.9',
  )
  // A client may not state in our place where it is.
  assert.equal(first('SIP/2.0/UDP h;received=1.1.1.1'), 'SIP/2.0/UDP h;received=192.0.2.9')
  assert.equal(
    first('SIP/2.0/UDP 192.0.2.9;received=1.1.1.1;rport=7'),
    'SIP/2.0/UDP 192.0.2.9;received=192.0.2.9;rport=9988',
  )
})

test('§8.2: what is refused, in its order, and what the answer then carries', () => {
  const abilities = { methods: ['INVITE', 'BYE'], extensions: ['timer'], contentTypes: ['application/sdp'] }
  const of = (method: string, ...lines: string[]) =>
    refusal(request(`${method} sip:a@b SIP/2.0`, ...lines), abilities, methods)
  assert.deepEqual([of('BYE'), of('ACK'), of('CANCEL'), of('INVITE', 'Require: Timer')], Array(4).fill(undefined))
  assert.deepEqual([of('PUBLISH')?.status, of('JUMP')?.status], [405, 501])
  assert.deepEqual(of('PUBLISH')?.headers, [{ name: 'Allow', value: 'INVITE, BYE' }])
  assert.deepEqual(of('INVITE', 'Require: timer, x')?.headers, [{ name: 'Unsupported', value: 'x' }])
  assert.equal(of('INVITE', 'Require: ,')?.status, 400)
  assert.equal(of('INVITE', 'Accept: application/*, text/plain'), undefined)
  assert.equal(of('INVITE', 'Accept:')?.status, 406)
})

test('§20: values of every kind, read when asked', () => {
  const message = parse(
    'INVITE sip:a@b SIP/2.0',
    'Session-Expires: 4000;refresher=uac',
    'x: 5',
    'Min-SE: 90',
    'RSeq: 988789',
    'RAck: 776656 1 INVITE',
    'Refer-To: <sip:dave@denver.example.org?Replaces=12345%40192.168.118.3%3Bto-tag%3D12345%3Bfrom-tag%3D5FFE-3994>',
    'Referred-By: <sip:referror@example.com>;cid="20398823.2UWQFN309shb3@referror.example.com"',
    'Replaces: 425928@bobster.example.org;to-tag=7743;from-tag=6472;early-only',
    'Reason: Q.850;cause=16;text="Terminated", SIP;cause=600',
    'P-Asserted-Identity: "Cullen Jennings" <sip:fluffy@cisco.com>, tel:+14085264000',
    'Diversion: <tel:+19195551212>;reason=user-busy',
    'Event: refer;id=93809824',
    'Subscription-State: active;expires=60',
    'Allow:',
    'Allow-Events: presence, refer',
    'Retry-After: 120 (I am in a meeting);duration=60',
    'Warning: 307 isi.edu "Session parameter \\"x\\" not understood"',
    'Date: Sat, 13 Nov 2010 23:29:00 GMT',
    'Accept: application/sdp;level=1, text/*',
    'Content-Disposition: session;handling=optional',
  )
  const one = (name: Parameters<typeof readOne>[1]) => readOne(message, name)
  assert.ok(isFault(one('Session-Expires')))
  assert.deepEqual(one('Min-SE'), { seconds: 90, params: [] })
  assert.equal(one('RSeq'), 988789)
  assert.deepEqual(one('RAck'), { rseq: 776656, cseq: 1, method: 'INVITE' })
  const refer = readOne(message, 'Refer-To')
  assert.ok(refer && !isFault(refer) && 'headers' in refer.uri && refer.uri.headers[0]?.name === 'Replaces')
  assert.deepEqual(one('Replaces'), {
    callId: '425928@bobster.example.org',
    toTag: '7743',
    fromTag: '6472',
    isEarlyOnly: true,
  })
  const reasons = readAll(message, 'Reason')
  assert.ok(!isFault(reasons))
  assert.deepEqual(
    reasons.map(reason => [reason.token, param(reason, 'cause'), param(reason, 'TEXT')]),
    [
      ['Q.850', '16', 'Terminated'],
      ['SIP', '600', undefined],
    ],
  )
  const asserted = readAll(message, 'P-Asserted-Identity')
  assert.ok(!isFault(asserted))
  assert.deepEqual(asserted.map(formatAddress), ['"Cullen Jennings" <sip:fluffy@cisco.com>', '<tel:+14085264000>'])
  assert.deepEqual(readAll(message, 'Allow'), [])
  assert.deepEqual(readAll(message, 'Allow-Events'), ['presence', 'refer'])
  assert.deepEqual(one('Retry-After'), { seconds: 120, params: [{ name: 'duration', value: '60' }] })
  assert.deepEqual(readAll(message, 'Warning'), [
    { code: 307, agent: 'isi.edu', text: 'Session parameter "x" not understood' },
  ])
  assert.equal(one('Date'), Date.UTC(2010, 10, 13, 23, 29))
  assert.equal(formatDate(Date.UTC(2010, 10, 13, 23, 29)), 'Sat, 13 Nov 2010 23:29:00 GMT')
  assert.equal(readOne(message, 'Expires'), undefined)
  assert.deepEqual(readAll(message, 'Path'), [])
})

test('malformed values are faults that name their header', () => {
  const bad: [Parameters<typeof readOne>[1], string][] = [
    ['Expires', '-1'],
    ['Expires', '4294967296'],
    ['Session-Expires', 'soon'],
    ['RAck', '1 INVITE'],
    ['Replaces', 'a@b;to-tag=1'],
    ['Refer-To', '<sip:a@b'],
    ['Date', 'Sat, 31 Feb 2010 23:29:00 GMT'],
    ['Event', 'refer;id='],
    ['Content-Type', 'text'],
    ['Call-ID', 'a@b@c'],
    ['CSeq', '1INVITE'],
    ['Max-Forwards', '256'],
  ]
  for (const [name, value] of bad) {
    const fault = readOne(parse('OPTIONS sip:a@b SIP/2.0', `${name}: ${value}`), name)
    assert.ok(isFault(fault) && fault.header === name && fault.detail.startsWith(name), `${name}: ${value}`)
  }
  for (const value of ['a,,b', 'a,', ',', 'a b']) {
    assert.ok(isFault(readAll(parse('OPTIONS sip:a@b SIP/2.0', `Require: ${value}`), 'Require')), value)
  }
  const twice = parse('OPTIONS sip:a@b SIP/2.0', 'Via: SIP/2.0/UDP h;branch=a;branch=b')
  assert.match((readCore(twice) as { detail: string }).detail, /twice/)
})

test('what frames a message is taken strictly', () => {
  const fault = (text: string) => {
    const read = parseMessage(Buffer.from(text, 'latin1'))
    assert.ok(isFault(read), text)
    return [read.fault, read.status]
  }
  assert.deepEqual(fault(''), ['start_line', 400])
  assert.deepEqual(fault('OPTIONS sip:a@b SIP/2.0\r\nTo: <sip:a@b>\r\n'), ['start_line', 400])
  assert.deepEqual(fault('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), ['start_line', 400])
  assert.deepEqual(fault('\x16\x03\x01\x02\r\n\r\n'), ['start_line', 400])
  assert.deepEqual(fault('OPTIONS sip:a@b SIP/2.0\r\nTo <sip:a@b>\r\n\r\n'), ['header', 400])
  assert.deepEqual(fault('OPTIONS sip:a@b SIP/2.0\r\nA: 1\nB: 2\r\n\r\n'), ['header', 400])
  assert.deepEqual(fault('OPTIONS sip:a@b SIP/2.0\r\nA: 1\rB: 2\r\n\r\n'), ['header', 400])
  assert.deepEqual(fault('OPTIONS sip:a@b SIP/2.0\r\nl: 0\r\nContent-Length: 0\r\n\r\n'), ['duplicate', 400])
  assert.deepEqual(fault('OPTIONS sip:a@b SIP/2.0\r\nl: 0x10\r\n\r\n'), ['length', 400])
  assert.deepEqual(fault('SIP/3.0 200 OK\r\n\r\n'), ['version', 505])
  assert.deepEqual(fault(`OPTIONS sip:a@b SIP/2.0\r\n${'A: 1\r\n'.repeat(300)}\r\n`), ['size', 400])
  assert.deepEqual(fault(`OPTIONS sip:a@b SIP/2.0\r\nA: ${'1'.repeat(70_000)}\r\n\r\n`), ['size', 513])
  assert.ok(
    isKeepAlive(Buffer.from('\r\n\r\n')) && isKeepAlive(Buffer.alloc(0)) && !isKeepAlive(Buffer.from('OPTIONS')),
  )
})

test('names in Latin-1 are read as such, and UTF-8 as UTF-8', () => {
  const latin = parseMessage(Buffer.from('OPTIONS sip:a@b SIP/2.0\r\nFrom: "J\xfcrgen" <sip:a@b>\r\n\r\n', 'latin1'))
  const unicode = parse('OPTIONS sip:a@b SIP/2.0', 'From: "Jürgen" <sip:a@b>')
  assert.ok(!isFault(latin))
  assert.deepEqual(readOne(latin, 'From'), readOne(unicode, 'From'))
})

test('a value with a line end cannot be sent: it would be another header', () => {
  const smuggle: SipResponse = { ...createResponse(invite, 200), headers: [{ name: 'Subject', value: 'a\r\nX: b' }] }
  assert.throws(() => serializeMessage(smuggle), RangeError)
  assert.throws(() => serializeMessage({ ...createResponse(invite, 200), reason: 'OK\r\n' }), RangeError)
})

test('an ACK and a response are never answered', () => {
  const ack = parseMessage(Buffer.from('ACK sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP h\r\nl: x\r\n\r\n'))
  assert.ok(isFault(ack))
  assert.equal(faultReply(ack, 'tag'), undefined)
})
