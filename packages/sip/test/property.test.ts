// What must hold of any message: written and read again it is the same, however its header lines are spelt and folded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCore } from '../src/core.ts'
import { readOne } from '../src/headers.ts'
import type { SipMessage } from '../src/message.ts'
import { isFault } from '../src/message.ts'
import { createAnswer, createOffer, readAnswer } from '../src/offer_answer.ts'
import { parseMessage } from '../src/parse.ts'
import { formatSdp, parseSdp } from '../src/sdp.ts'
import { serializeMessage } from '../src/serialize.ts'
import { escapeUriParam, escapeUser, formatUri, isSameUri, parseUri, unescapeUri } from '../src/uri.ts'
import type { NameAddress, Via } from '../src/values.ts'
import { formatAddress, formatVia } from '../src/values.ts'

const plain = { noNullPrototype: true } as const
const charsOf = (text: string, minLength = 1, maxLength = 12) =>
  fc.string({ unit: fc.constantFrom(...text), minLength, maxLength })
const alphanumeric = 'abcXYZ0189'
const token = charsOf(`${alphanumeric}-.!%*_+\`'~`)
const anyText = fc.string({ unit: 'binary', maxLength: 20 }).map(text => text.replace(/[\r\n]/g, '').toWellFormed())
const host = fc.oneof(
  charsOf(`${alphanumeric}-.`),
  fc.ipV4(),
  fc.ipV6().map(address => `[${address}]`),
)
const port = fc.option(fc.nat(65_535), { nil: undefined })
const named = (value: fc.Arbitrary<string>) =>
  fc.uniqueArray(fc.record({ name: charsOf('abcdefgh'), value: fc.option(value, { nil: undefined }) }, plain), {
    maxLength: 4,
    selector: param => param.name,
  })
const uri = fc.record(
  {
    scheme: fc.constantFrom('sip' as const, 'sips' as const),
    user: fc.option(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map(text => escapeUser(text.toWellFormed())),
      { nil: undefined },
    ),
    password: fc.constant(undefined),
    host,
    port,
    params: named(fc.string({ minLength: 1, maxLength: 8 }).map(escapeUriParam)),
    headers: fc.array(fc.record({ name: charsOf('abc'), value: charsOf(`${alphanumeric}[]/?:+$`, 0) }, plain), {
      maxLength: 3,
    }),
  },
  plain,
)
const address: fc.Arbitrary<NameAddress> = fc.record(
  {
    displayName: fc.option(
      anyText.filter(text => text !== ''),
      { nil: undefined },
    ),
    uri,
    params: named(anyText),
  },
  plain,
)
const via: fc.Arbitrary<Via> = fc.record(
  { transport: fc.constantFrom('UDP', 'TCP', 'TLS', 'X'), host, port, params: named(anyText) },
  plain,
)
const visible = fc.string({ unit: 'grapheme', maxLength: 30 }).map(text => text.replace(/\s+/g, ' ').trim())
const method = fc.oneof(fc.constantFrom('INVITE', 'REGISTER', 'OPTIONS'), token)

const message: fc.Arbitrary<SipMessage> = fc
  .record({
    isRequest: fc.boolean(),
    method,
    uri: uri.map(value => formatUri({ ...value, headers: [] })),
    status: fc.integer({ min: 100, max: 699 }),
    reason: visible,
    vias: fc.array(via, { minLength: 1, maxLength: 3 }),
    from: address,
    to: address,
    contacts: fc.array(address, { maxLength: 2 }),
    cseq: fc.nat(2 ** 31 - 1),
    callId: token,
    others: fc.array(fc.record({ name: charsOf('XYZxyz-', 3).map(name => `X-${name}`), value: visible }, plain), {
      maxLength: 4,
    }),
    body: fc.uint8Array({ maxLength: 100 }).map(bytes => Buffer.from(bytes)),
  })
  .map(({ isRequest, method, uri, status, reason, vias, from, to, contacts, cseq, callId, others, body }) => {
    const headers = [
      ...vias.map(value => ({ name: 'Via', value: formatVia(value) })),
      { name: 'From', value: formatAddress(from) },
      ...others,
      { name: 'To', value: formatAddress(to) },
      { name: 'Call-ID', value: callId },
      { name: 'CSeq', value: `${cseq} ${method}` },
      ...contacts.map(value => ({ name: 'Contact', value: formatAddress(value) })),
      { name: 'Content-Length', value: String(body.length) },
    ]
    return isRequest
      ? { kind: 'request', method, uri, headers, body }
      : { kind: 'response', status, reason, headers, body }
  })

test('parse(serialize(m)) = m, and its core is whole', () => {
  fc.assert(
    fc.property(message, sent => {
      const read = parseMessage(serializeMessage(sent))
      assert.deepEqual(read, sent)
      const core = readCore(sent)
      assert.ok(!isFault(core), isFault(core) ? core.detail : '')
    }),
    { numRuns: 2000 },
  )
})

test('addresses and Vias are read as they were written', () => {
  fc.assert(
    fc.property(address, via, (from, sent) => {
      const headers = [
        { name: 'Via', value: formatVia(sent) },
        { name: 'From', value: formatAddress(from) },
        { name: 'To', value: '<sip:a@b>' },
        { name: 'Call-ID', value: 'x' },
        { name: 'CSeq', value: '1 INVITE' },
      ]
      const core = readCore({ kind: 'response', status: 200, reason: 'OK', headers, body: Buffer.alloc(0) })
      assert.ok(!isFault(core), isFault(core) ? core.detail : '')
      assert.deepEqual(core.from, from)
      assert.deepEqual(core.via, sent)
    }),
    { numRuns: 2000 },
  )
})

test('spelling, space and folding make no difference', () => {
  const spellings: Record<string, string[]> = {
    From: ['f', 'FROM', 'from'],
    To: ['t', 'tO'],
    Via: ['v', 'VIA'],
    'Call-ID': ['i', 'call-id'],
  }
  fc.assert(
    fc.property(message, fc.array(fc.nat(5), { minLength: 30, maxLength: 30 }), (sent, choices) => {
      const octets = serializeMessage(sent)
      const end = octets.indexOf('\r\n\r\n')
      const lines = octets.subarray(0, end).toString().split('\r\n')
      const changed = lines.map((line, index) => {
        if (index === 0) return line
        const colon = line.indexOf(':')
        const [name, choice] = [line.slice(0, colon), choices[index % 30]!]
        return `${spellings[name]?.[choice] ?? name}${choice % 2 ? ' \t' : ''}:${choice > 2 ? '\r\n \t ' : '  '}${line.slice(colon + 2)} \t`
      })
      assert.deepEqual(parseMessage(Buffer.concat([Buffer.from(changed.join('\r\n')), octets.subarray(end)])), sent)
    }),
    { numRuns: 1000 },
  )
})

test('URIs: read as written, equal to themselves, escapes whole', () => {
  fc.assert(
    fc.property(uri, fc.string({ unit: 'binary' }), (value, text) => {
      assert.deepEqual(parseUri(formatUri(value)), value)
      assert.ok(isSameUri(value, value))
      assert.equal(unescapeUri(escapeUser(text.toWellFormed())), text.toWellFormed())
    }),
    { numRuns: 2000 },
  )
})

test('any offer of ours is answered, and both sides agree', () => {
  const local = fc.record({
    codecs: fc.shuffledSubarray(['PCMU', 'PCMA'] as const, { minLength: 1 }),
    telephoneEvent: fc.option(fc.integer({ min: 96, max: 127 })),
    direction: fc.constantFrom('sendrecv' as const, 'sendonly' as const, 'recvonly' as const, 'inactive' as const),
    rtcpMux: fc.boolean(),
    packetTime: fc.constantFrom(10, 20, 30),
    prefer: fc.constantFrom('offer' as const, 'local' as const),
  })
  const base = { sessionId: '7', address: { family: 'IP4', address: '192.0.2.1' }, port: 4000 } as const
  fc.assert(
    fc.property(local, local, (one, other) => {
      const [us, them] = [
        { ...base, ...one },
        { ...base, ...other, port: 5000 },
      ]
      const offer = createOffer(us)
      assert.deepEqual(parseSdp(formatSdp(offer)), offer)
      const result = createAnswer(offer, them)
      const isCommon = one.codecs.some(codec => other.codecs.includes(codec))
      assert.equal(isFault(result), !isCommon)
      if (isFault(result)) return
      const ours = readAnswer(offer, result.answer, us)
      assert.ok(!isFault(ours))
      const theirs = result.stream
      assert.equal(ours.codec, theirs.codec)
      assert.deepEqual(ours.payloadTypes.send, theirs.payloadTypes.receive)
      assert.equal(ours.telephoneEvent?.send, theirs.telephoneEvent?.receive)
      assert.equal(ours.rtcpMux, theirs.rtcpMux)
      const sends = (direction: string) => direction === 'sendrecv' || direction === 'sendonly'
      const receives = (direction: string) => direction === 'sendrecv' || direction === 'recvonly'
      assert.equal(sends(ours.direction), receives(theirs.direction))
      assert.equal(receives(ours.direction), sends(theirs.direction))
    }),
    { numRuns: 1000 },
  )
})

test('numbers at their limits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), value => {
      const headers = [{ name: 'Expires', value: String(value) }]
      const read = readOne({ kind: 'response', status: 200, reason: '', headers, body: Buffer.alloc(0) }, 'Expires')
      if (value < 2n ** 32n) assert.equal(read, Number(value))
      else assert.ok(isFault(read))
    }),
  )
})
