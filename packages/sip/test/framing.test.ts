// Messages on a stream (RFC 3261 §18.3, RFC 5626 §4.4.1): whole in any pieces, keep-alive between them, limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamItem } from '../src/framing.ts'
import { createSipReader } from '../src/framing.ts'
import { isFault } from '../src/message.ts'
import type { ParseLimits } from '../src/parse.ts'
import { faultReply } from '../src/replies.ts'
import { serializeMessage } from '../src/serialize.ts'
import { digestRequest, inviteWithSdp, manyHeaders, unauthorized } from './samples.ts'

const samples = [inviteWithSdp, digestRequest, unauthorized, manyHeaders]

function read(text: string, size = text.length, limits: ParseLimits = {}): StreamItem[] {
  const reader = createSipReader(limits)
  const stream = Buffer.from(text)
  const items: StreamItem[] = []
  for (let at = 0; at < stream.length; at += size) items.push(...reader.push(stream.subarray(at, at + size)))
  return items
}

const textOf = (item: StreamItem) =>
  isFault(item)
    ? `fault ${item.status} ${item.fatal}`
    : item.kind === 'ping' || item.kind === 'pong'
      ? item.kind
      : serializeMessage(item).toString()

test('pieces of any size give the same messages, with bodies that nothing writes over', () => {
  const text = [...samples, ...samples].join('')
  const whole = read(text).map(textOf)
  assert.equal(whole.length, 8)
  assert.equal(whole[0], inviteWithSdp)
  for (let size = 1; size < 900; size += size < 20 ? 1 : 37)
    assert.deepEqual(read(text, size).map(textOf), whole, `${size}`)
})

test('keep-alive: two line ends are a ping, one is a pong, also in pieces', () => {
  const kinds = (...chunks: string[]) => {
    const reader = createSipReader()
    return chunks.flatMap(chunk => reader.push(Buffer.from(chunk)).map(item => ('kind' in item ? item.kind : 'fault')))
  }
  assert.deepEqual(kinds('\r\n\r\n'), ['ping'])
  assert.deepEqual(kinds('\r\n'), ['pong'])
  assert.deepEqual(kinds('\r', '\n\r', '\n'), ['pong', 'ping'])
  assert.deepEqual(kinds(`\r\n\r\n${digestRequest}\r\n\r\n`, unauthorized), ['ping', 'request', 'ping', 'response'])
  assert.deepEqual(kinds('\r\n\r\n\r\n\r\n'), ['ping', 'ping'])
  assert.deepEqual(kinds('\rX'), ['fault'])
})

test('a message with a fault is passed over when its end is known', () => {
  const bad = inviteWithSdp.replace('Max-Forwards: 70', 'Max-Forwards 70')
  const items = read(bad + digestRequest, 50)
  assert.deepEqual(items.map(textOf), ['fault 400 false', digestRequest])
  assert.ok(isFault(items[0]) && faultReply(items[0], 'x')?.status === 400)
})

test('without an end that can be known, the stream is over', () => {
  const cases: [string, number][] = [
    [inviteWithSdp.replace(/Content-Length: \d+\r\n/, ''), 400],
    [inviteWithSdp.replace(/Content-Length: \d+/, 'Content-Length: -1'), 400],
    [inviteWithSdp.replace(/Content-Length: \d+/, '$&\r\n$&'), 400],
    [inviteWithSdp.replace(/Content-Length: \d+/, 'Content-Length: 99999999'), 513],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    [`OPTIONS sip:a@b SIP/2.0\r\nX: ${'x'.repeat(3000)}`, 513],
  ]
  for (const [text, status] of cases) {
    const items = read(text + digestRequest, 64, { maxHead: 2000, maxBody: 2000 })
    assert.deepEqual(items.map(textOf), [`fault ${status} true`], text.slice(0, 300))
  }
})

test('a message that comes octet by octet is held once, and given up when it grows too long', () => {
  const reader = createSipReader({ maxHead: 1000 })
  let items: StreamItem[] = []
  for (let sent = 0; sent < 5000 && items.length === 0; sent++) {
    assert.ok(reader.held <= 1001)
    items = reader.push(Buffer.from('x'))
  }
  assert.equal(items.length, 1)
  assert.equal(reader.held, 0)
  assert.deepEqual(reader.push(Buffer.from(digestRequest)), [])
})
