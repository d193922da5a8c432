// Hostile octets: more than a million mutated datagrams and streams through parser, core, every header, SDP and digest.
// Whatever comes in, it is a message or a fault that says what to answer; nothing throws, hangs or grows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCore } from '../src/core.ts'
import { challengesOf, credentialsOf } from '../src/digest.ts'
import type { StreamItem } from '../src/framing.ts'
import { createSipReader } from '../src/framing.ts'
import type { ListName, SingleName } from '../src/headers.ts'
import { readAll, readOne } from '../src/headers.ts'
import type { SipMessage } from '../src/message.ts'
import { isFault } from '../src/message.ts'
import { createAnswer } from '../src/offer_answer.ts'
import { parseMessage } from '../src/parse.ts'
import { createResponse, faultReply, refusal, withReceived } from '../src/replies.ts'
import { formatSdp, parseSdp } from '../src/sdp.ts'
import { serializeMessage } from '../src/serialize.ts'
import { createChance } from './rtp_support.ts'
import { digestRequest, inviteWithSdp, manyHeaders, secureOffer, unauthorized } from './samples.ts'
import { datagramOf, torture } from './torture.ts'

const captures = [
  ...torture.map(datagramOf),
  ...[inviteWithSdp, inviteWithSdp, digestRequest, unauthorized, manyHeaders, secureOffer].map(text =>
    Buffer.from(text),
  ),
]
const pieces = [
  '\r\n',
  '\r\n\r\n',
  '\r\n ',
  '"',
  '\\',
  '<',
  '>',
  ';',
  ',',
  ':',
  '@',
  '=',
  '%',
  '%00',
  '[',
  ']',
  '?',
  '*',
  ' ',
  '\t',
  '\0',
  '\xff',
  '\xc3\xbc',
  'SIP/2.0',
  '4294967296',
  '-1',
  'sip:',
  'tel:',
  ';tag=',
  'm=audio 0 RTP/AVP 0',
  'a=',
  '\r\nVia: ',
  '\r\nContent-Length: 5',
  '0',
].map(text => Buffer.from(text, 'latin1'))

/** A capture with octets changed, cut, doubled or put in. */
function mutate(random: (limit: number) => number): Buffer {
  let mutant = Buffer.from(captures[random(captures.length)]!)
  for (let times = random(4); times >= 0; times--) {
    const at = random(mutant.length)
    const kind = random(7)
    if (kind === 0) mutant[at] = random(256)
    else if (kind === 1) mutant[at]! ^= 1 << random(8)
    else if (kind === 2) mutant = mutant.subarray(0, at + 1)
    else if (kind === 3) mutant = Buffer.concat([mutant.subarray(0, at), mutant.subarray(at + 1 + random(8))])
    else if (kind === 4)
      mutant = Buffer.concat([mutant.subarray(0, at), pieces[random(pieces.length)]!, mutant.subarray(at)])
    else if (kind === 5) {
      const from = random(mutant.length)
      mutant = Buffer.concat([mutant.subarray(0, at), mutant.subarray(from, from + random(40)), mutant.subarray(at)])
    } else pieces[random(pieces.length)]!.copy(mutant, at)
    if (mutant.length === 0) return Buffer.from('x')
  }
  return mutant
}

const singles: SingleName[] = [
  'Expires',
  'Content-Type',
  'Session-Expires',
  'Min-SE',
  'Retry-After',
  'RSeq',
  'RAck',
  'Refer-To',
  'Referred-By',
  'Replaces',
  'Event',
  'Subscription-State',
  'Date',
]
const lists: ListName[] = [
  'Reason',
  'Require',
  'Supported',
  'Allow',
  'Accept',
  'P-Asserted-Identity',
  'Diversion',
  'Warning',
]
const abilities = {
  methods: ['INVITE', 'OPTIONS', 'REGISTER'],
  extensions: ['timer'],
  contentTypes: ['application/sdp'],
}
const local = {
  sessionId: '1',
  address: { family: 'IP4', address: '192.0.2.1' },
  port: 4000,
  srtp: 'allowed',
  cryptos: [{ suite: 'AES_CM_128_HMAC_SHA1_80', key: Buffer.alloc(30, 7) }],
} as const

/** What must hold of whatever was read; `count` takes what came of it. */
function check(octets: Buffer, isDeep: boolean, count: (kind: string) => void): void {
  const message = parseMessage(octets)
  if (isFault(message)) {
    count(message.fault)
    assert.ok(message.status >= 400 && message.status < 600 && message.detail !== '')
    const reply = isDeep ? faultReply(message, 'tag') : undefined
    if (reply) assert.ok(!isFault(parseMessage(serializeMessage(reply))))
    return
  }
  assert.ok(message.body.length <= octets.length)
  const core = readCore(message)
  count(isFault(core) ? `core ${core.fault}` : 'message')
  if (!isFault(core)) assert.ok(core.via && core.callId !== '' && core.cseq.number < 2 ** 31)
  const sdp = message.body.length > 0 ? parseSdp(message.body) : undefined
  if (sdp !== undefined) count(isFault(sdp) ? 'SDP fault' : 'SDP')
  if (sdp && !isFault(sdp)) createAnswer(sdp, local)
  if (isDeep) checkDeep(message)
}

function checkDeep(message: SipMessage): void {
  for (const name of singles) readOne(message, name)
  for (const name of lists) readAll(message, name)
  challengesOf(message, 'WWW-Authenticate')
  const octets = serializeMessage(message)
  const again = parseMessage(octets)
  assert.ok(!isFault(again))
  assert.deepEqual(serializeMessage(again), octets)
  if (message.kind === 'response') return
  credentialsOf(message, 'Authorization', 'example.com')
  refusal(message, abilities)
  const marked = withReceived(message, { address: '192.0.2.77', port: 5062 })
  assert.ok(!isFault(parseMessage(serializeMessage(createResponse(marked, 200, { toTag: 'x' })))))
}

test('a million mutated datagrams are read without a crash', { timeout: 120_000 }, context => {
  const wanted = 1_000_000
  const seed = 20_261_121
  const random = createChance(seed)
  const counts: Record<string, number> = {}
  const count = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  let octets: Buffer = Buffer.alloc(0)
  const before = process.cpuUsage()
  for (let read = 0; read < wanted; read++) {
    octets = mutate(random)
    try {
      check(octets, read % 16 === 0, count)
    } catch (error) {
      throw new Error(`seed ${seed}, datagram ${read}: ${octets.toString('base64')}`, { cause: error })
    }
  }
  const { user, system } = process.cpuUsage(before)
  for (const kind of ['message', 'header', 'start_line', 'length', 'core header', 'core missing', 'SDP', 'SDP fault']) {
    assert.ok(counts[kind]! > 1000, `few of ${kind}`)
  }
  const rate = Math.round((wanted * 1e6) / (user + system))
  context.diagnostic(`${wanted} datagrams at ${rate} per CPU-second, making them included: ${JSON.stringify(counts)}`)
})

function textOf(item: StreamItem): string | undefined {
  if (isFault(item)) return item.detail
  return item.kind === 'ping' || item.kind === 'pong' ? undefined : serializeMessage(item).toString('latin1')
}

test('mutated streams in pieces of any size: every item is sound, and little is held', context => {
  const random = createChance(99)
  const counts: Record<string, number> = {}
  for (let round = 0; round < 20_000; round++) {
    const stream = Buffer.concat(Array.from({ length: 1 + random(4) }, () => mutate(random)))
    const reader = createSipReader({ maxHead: 8192, maxBody: 8192 })
    const whole = createSipReader({ maxHead: 8192, maxBody: 8192 }).push(stream)
    const items: StreamItem[] = []
    for (let at = 0; at < stream.length; ) {
      const size = 1 + random(200)
      items.push(...reader.push(stream.subarray(at, at + size)))
      at += size
      assert.ok(reader.held <= 8192 * 2 + 200)
    }
    // How a stream is cut makes no difference, but for where the line ends between messages are reported.
    const plain = (list: StreamItem[]) => list.map(textOf).filter(text => text !== undefined)
    assert.deepEqual(plain(items), plain(whole))
    for (const item of whole) {
      const kind = isFault(item) ? (item.fatal ? 'fatal' : 'fault') : item.kind
      counts[kind] = (counts[kind] ?? 0) + 1
    }
  }
  for (const kind of ['request', 'response', 'fatal', 'fault']) assert.ok(counts[kind]! > 500, `few of ${kind}`)
  context.diagnostic(JSON.stringify(counts))
})

test('values made to be slow are read in a time that grows with their length only', () => {
  const sizes = [8_000, 32_000]
  const values: ((size: number) => string)[] = [
    size => `Via: ${'SIP/2.0/UDP h,'.repeat(size / 14)}x`,
    size => `Contact: ${'sip:a,'.repeat(size / 6)}sip:b`,
    size => `Contact: ${'a '.repeat(size / 2)}`,
    size => `To: "${'\\"'.repeat(size / 2)}`,
    size => `To: <sip:a@b>${';a'.repeat(size / 2)}`,
    size => `To: <sip:a@b${';a'.repeat(size / 2)}>`,
    size => `To: <sip:a@b?${'a=b&'.repeat(size / 4)}>`,
    size => `To: <sip:${'%41'.repeat(size / 3)}>`,
    size => `X: ${' '.repeat(size)}x\r\n y`,
    size => `X:${'\r\n '.repeat(size / 3)}`,
    size => `Retry-After: 1 ${'('.repeat(size)}`,
    size => `Authorization: Digest ${'a=b,'.repeat(size / 4)}`,
  ]
  for (const value of values) {
    for (const size of sizes) {
      const message = parseMessage(Buffer.from(`OPTIONS sip:a@b SIP/2.0\r\n${value(size)}\r\n\r\n`))
      assert.ok(!isFault(message))
      // Quadratic work on this much would hang the test for minutes.
      for (let times = 0; times < 50; times++) {
        readCore(message)
        readOne(message, 'Retry-After')
        if (message.kind === 'request') credentialsOf(message, 'Authorization', 'x')
      }
    }
  }
})

test('what was read of a mutated SDP can be written and reads the same', () => {
  const random = createChance(5)
  let same = 0
  for (let round = 0; round < 20_000; round++) {
    const message = parseMessage(mutate(random))
    if (isFault(message) || message.body.length === 0) continue
    const sdp = parseSdp(message.body)
    if (isFault(sdp)) continue
    assert.deepEqual(parseSdp(formatSdp(sdp)), sdp)
    same += 1
  }
  assert.ok(same > 1000)
})
