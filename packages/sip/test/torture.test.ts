// RFC 4475: every message is accepted or refused as it should be, and the difficult ones are read right.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageCore } from '../src/core.ts'
import { branchOf, isUniqueBranch, readCore } from '../src/core.ts'
import { credentialsOf } from '../src/digest.ts'
import { createSipReader } from '../src/framing.ts'
import { header, readAll, readOne } from '../src/headers.ts'
import type { SipFault, SipMessage, SipRequest } from '../src/message.ts'
import { isFault, methods } from '../src/message.ts'
import { parseMessage } from '../src/parse.ts'
import { createResponse, faultReply, refusal } from '../src/replies.ts'
import { param } from '../src/scan.ts'
import { parseSdp } from '../src/sdp.ts'
import { codecsOf } from '../src/sdp_audio.ts'
import { serializeMessage } from '../src/serialize.ts'
import type { SipUri } from '../src/uri.ts'
import { unescapeUri } from '../src/uri.ts'
import { datagramOf, torture } from './torture.ts'

const abilities = {
  methods: ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'MESSAGE', 'REGISTER'],
  extensions: ['timer', '100rel', 'replaces'],
  contentTypes: ['application/sdp', 'multipart/mixed'],
}

function read(name: string): { message: SipMessage; core: MessageCore } {
  const message = parseMessage(datagramOf(torture.find(entry => entry.name === name)!))
  assert.ok(!isFault(message), name)
  const core = readCore(message)
  assert.ok(!isFault(core), name)
  return { message, core }
}

test('all 49 messages of the RFC are here', () => {
  assert.equal(torture.length, 49)
  assert.equal(new Set(torture.map(entry => entry.section)).size, 49)
})

for (const entry of torture) {
  const { name, section, expect } = entry
  const verdict = typeof expect === 'object' ? `refused with ${expect.refuse}` : String(expect)
  test(`${section} ${name}: ${verdict}`, () => {
    const parsed = parseMessage(datagramOf(entry))
    const core = isFault(parsed) ? parsed : readCore(parsed)
    if (typeof expect === 'number') return checkFault(core, expect)
    assert.ok(!isFault(parsed) && !isFault(core), isFault(core) ? core.detail : '')
    const no = parsed.kind === 'request' ? refusal(parsed, abilities, methods) : undefined
    assert.equal(no?.status, typeof expect === 'object' ? expect.refuse : undefined, no?.detail ?? '')
    // What was read can be sent on and reads the same.
    const again = parseMessage(serializeMessage(parsed))
    assert.ok(!isFault(again))
    assert.deepEqual(serializeMessage(again), serializeMessage(parsed))
    assert.deepEqual(readCore(again), core)
  })
}

function checkFault(fault: MessageCore | SipFault, status: number): void {
  assert.ok(isFault(fault), 'it was accepted')
  assert.equal(fault.status, status, fault.detail)
  const reply = faultReply(fault, 'our-tag')
  if (reply === undefined) return
  assert.equal(reply.status, status)
  assert.ok(!isFault(parseMessage(serializeMessage(reply))))
}

test('a request with a fault is answered where its Via says, a response or one without a good Via is dropped', () => {
  const answered = torture.filter(entry => {
    const parsed = parseMessage(datagramOf(entry))
    const fault = isFault(parsed) ? parsed : readCore(parsed)
    return isFault(fault) && faultReply(fault, 'tag') !== undefined
  })
  const dropped = torture.filter(entry => typeof entry.expect === 'number' && !answered.includes(entry))
  assert.deepEqual(
    dropped.map(entry => entry.name),
    ['badinv01', 'scalarlg', 'bigcode'],
  )
})

test('wsinv: folding, space and compact names', () => {
  const { message, core } = read('wsinv')
  assert.equal(core.toTag, '1918181833n')
  assert.equal(core.from.displayName, 'J Rosenberg \\"')
  assert.equal(core.fromTag, '98asjd8')
  assert.equal(core.maxForwards, 68)
  assert.deepEqual(core.cseq, { number: 9, method: 'INVITE' })
  assert.deepEqual(
    core.vias.map(via => [via.transport, via.host, branchOf(via)]),
    [
      ['UDP', '192.0.2.2', '390skdjuw'],
      ['TCP', 'spindle.example.com', 'z9hG4bK9ikj8'],
      ['UDP', '192.168.255.111', 'z9hG4bK30239'],
    ],
  )
  assert.equal(header(message, 'Subject'), '')
  assert.equal(header(message, 'newfangledheader'), 'newfangled value continued newfangled value')
  assert.equal(header(message, 'UnknownHeaderWithUnusualValue'), ';;,,;;,;')
  assert.equal(core.contacts[0]?.displayName, 'Quoted string ""')
  assert.equal(param(core.contacts[0]!, 'q'), '0.33')
  assert.equal(param(core.routes[0]!.uri, 'unknownwith'), 'value')
  const sdp = parseSdp(message.body)
  assert.ok(!isFault(sdp))
  assert.deepEqual(
    codecsOf(sdp.media[0]!).map(codec => codec.encoding),
    ['PCMU', 'QCELP'],
  )
})

test('longreq: long values are whole', () => {
  const { core } = read('longreq')
  assert.equal(core.vias.length, 35)
  assert.equal(core.fromTag, `12${'982'.repeat(50)}424`)
  assert.equal(param(core.vias[34]!, 'received'), '192.0.2.5')
  assert.equal(core.callId.length, 'longreq.one'.length + 120 + 'longcallid'.length)
})

test('intmeth: the widest range of characters', () => {
  const { core } = read('intmeth')
  assert.equal(core.to.displayName, 'BEL:\x07 NUL:\x00 DEL:\x7F')
  assert.equal(core.from.displayName, "token1~` token2'+_ token3*%!.-")
  assert.equal(param(core.from, "fromParam''~+*_!.-%"), 'работающий')
  assert.equal(core.fromTag, "_token~1'+`*%!-.")
  const uri = core.uri as SipUri
  assert.equal(uri.user, "1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*")
  assert.equal(uri.password, "&it+has=1,weird!*pas$wo~d_too.(doesn't-it)")
})

test('esc01, escnull, semiuri: escapes stay in their part', () => {
  const escaped = read('esc01').core
  assert.equal(unescapeUri((escaped.uri as SipUri).user!), 'sips:user@example.com')
  assert.equal((escaped.uri as SipUri).host, 'example.net')
  assert.deepEqual((escaped.contacts[0]!.uri as SipUri).params, [
    { name: '%6C%72', value: undefined },
    { name: 'n%61me', value: 'v%61lue%25%34%31' },
  ])
  assert.deepEqual(
    read('escnull').core.contacts.map(contact => unescapeUri((contact.uri as SipUri).user!)),
    ['\0', '\0\0'],
  )
  assert.equal((read('semiuri').core.uri as SipUri).user, 'user;par=u%40example.net')
})

test('dblreq: octets behind the body of a datagram are ignored, on a stream they are the next message', () => {
  const { message, core } = read('dblreq')
  assert.equal((message as SipRequest).method, 'REGISTER')
  assert.equal(message.body.length, 0)
  assert.ok(core.callId.startsWith('dblreq'))
  const items = createSipReader().push(datagramOf(torture.find(entry => entry.name === 'dblreq')!))
  assert.deepEqual(
    items.map(item => ('method' in item ? item.method : 'other')),
    ['REGISTER', 'INVITE'],
  )
})

test('mpart01, unreason, noreason: bodies of any octets, reasons of any letters', () => {
  const { message } = read('mpart01')
  assert.deepEqual(readOne(message, 'Content-Type'), {
    type: 'multipart',
    subtype: 'mixed',
    params: [{ name: 'boundary', value: '7a9cbec02ceef655' }],
  })
  assert.ok(message.body.includes(Buffer.from([0x30, 0x82, 0x01, 0x52, 0x06, 0x09, 0x00, 0xff])))
  const unreason = read('unreason').message
  assert.equal(unreason.kind === 'response' && unreason.reason, '= 2**3 * 5**2 но сто девяносто девять - простое')
  const noreason = read('noreason').message
  assert.equal(noreason.kind === 'response' && noreason.reason, '')
})

test('what a user agent has to see in messages that are well-formed', () => {
  assert.ok(isFault(readOne(read('baddate').message, 'Date')))
  assert.equal(isUniqueBranch(branchOf(read('badbranch').core.via)), false)
  assert.equal(read('bcast').core.vias.length, 2)
  assert.equal(read('zeromf').core.maxForwards, 0)
  assert.equal(read('inv2543').core.fromTag, undefined)
  assert.equal(param(read('cparam01').core.contacts[0]!, 'unknownparam'), '')
  assert.equal(param(read('cparam02').core.contacts[0]!.uri as SipUri, 'unknownparam'), '')
  assert.deepEqual((read('regescrt').core.contacts[0]!.uri as SipUri).headers, [
    { name: 'Route', value: '%3Csip:sip.example.com%3E' },
  ])
  const register = read('regaut01').message as SipRequest
  assert.equal(credentialsOf(register, 'Authorization', 'example.com'), undefined)
  assert.equal(read('unksm2').core.to.uri.scheme, 'isbn')
})

test('bext01: the answer names what is not supported, and not what proxies should have', () => {
  const request = read('bext01').message as SipRequest
  const no = refusal(request, abilities, methods)!
  const reply = createResponse(request, no.status, { toTag: 'x', headers: no.headers })
  assert.deepEqual(readAll(reply, 'Unsupported'), ['nothingSupportsThis', 'nothingSupportsThisEither'])
})
