// Peers that try our patience on a stream: they do not read, do not speak, never come to an end, or are gone without a word.
// Time is moved by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResponse } from '../src/replies.ts'
import { serializeMessage } from '../src/serialize.ts'
import type { SipFlow } from '../src/transport/types.ts'
import { answering, ask, fakeTiming, openParty, rawClient, rawServer, requestOf, until } from './transport_support.ts'

const loopback = { tcp: [{ address: '127.0.0.1', port: 0 }] }

test('from a peer that does not read we do not read either, until it does', async context => {
  const party = await openParty(context, { ...loopback, limits: { maxQueued: 4_000_000 } })
  const peer = await rawClient(context, party.at('tcp'))
  const bytes = serializeMessage(requestOf({}))
  peer.socket.write(bytes)
  const { flow, message } = await party.request()
  peer.socket.pause()
  const response = createResponse(message, 200, { body: Buffer.alloc(50_000) })
  let count = 1
  while (party.transport.send(response, flow)) {
    count += 1
    if (count % 10 === 0) await new Promise(resolve => setImmediate(resolve))
  }
  peer.socket.write(bytes)
  await party.request()
  peer.socket.write(bytes)
  await until(() => peer.socket.writableLength === 0, 'the octets to leave')
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
  assert.equal(party.received.length, 0)
  peer.socket.resume()
  await party.request()
  await until(() => peer.items.length === count, 'all responses')
})

test('a peer that does not read: its queue is bounded, and it is cut off', async context => {
  const timing = fakeTiming()
  const limits = { maxQueued: 200_000, writeMs: 20_000 }
  const party = await openParty(context, { ...loopback, timing, limits })
  const peer = await rawClient(context, party.at('tcp'))
  peer.socket.write(serializeMessage(requestOf({})))
  const { flow, message } = await party.request()
  peer.socket.pause()
  const outcomes: (string | undefined)[] = []
  let isWilling = true
  for (let i = 0; i < 2_000 && outcomes.length === 0; i++) {
    const response = createResponse(message, 200, { body: Buffer.alloc(50_000) })
    isWilling = party.transport.send(response, flow, error => outcomes.push(error?.code)) && isWilling
    if (i % 10 === 9) await new Promise(resolve => setImmediate(resolve))
    if (outcomes.includes('queue_full')) break
    outcomes.length = 0
  }
  assert.equal(outcomes.at(-1), 'queue_full')
  assert.equal(isWilling, false)
  timing.advance(20_000)
  await until(() => party.closed.length === 1, 'the end of the connection')
  assert.equal(party.closed[0]?.error.code, 'slow_reader')
  assert.equal(party.transport.connections, 0)
})

test('time: a first message that never comes, a message that never ends, a connection that is idle', async context => {
  const timing = fakeTiming()
  const party = await openParty(context, { ...loopback, timing }, answering)
  const open = async () => {
    const count = party.transport.connections
    const peer = await rawClient(context, party.at('tcp'))
    await until(() => party.transport.connections > count, 'the connection')
    return peer
  }
  const silent = await open()
  const slow = await open()
  const bytes = serializeMessage(requestOf({}))
  slow.socket.write(Buffer.concat([bytes, bytes.subarray(0, 100)]))
  await until(() => slow.items.length === 1, 'a response')
  timing.advance(9_000)
  slow.socket.write(bytes.subarray(100, 110))
  timing.advance(1_000)
  await until(() => slow.isClosed, 'the slow one to be cut')
  timing.advance(20_000)
  await until(() => silent.isClosed && party.closed.length === 2, 'the silent one to be cut')
  assert.deepEqual(
    party.closed.map(({ error }) => error.code),
    ['slow_sender', 'idle'],
  )
  const idle = await open()
  idle.socket.write(bytes)
  await until(() => idle.items.length === 1, 'a response')
  timing.advance(599_000)
  // A keep-alive is traffic.
  idle.socket.write('\r\n\r\n')
  await until(() => idle.items.length === 2, 'a pong')
  timing.advance(599_000)
  assert.equal(party.transport.connections, 1)
  timing.advance(1_000)
  await until(() => idle.isClosed && party.closed.length === 3, 'the idle one to be closed')
  assert.equal(party.closed[2]?.error.code, 'idle')
})

test('keep-alives: pings are answered, many at once too, and ours want an answer from who gave one before', async context => {
  const timing = fakeTiming()
  const party = await openParty(context, { ...loopback, timing, pingMs: 30_000 })
  const peer = await rawClient(context, party.at('tcp'))
  peer.socket.write('\r\n\r\n')
  await until(() => peer.text === '\r\n', 'a pong')
  peer.socket.write('\r\n\r\n'.repeat(50))
  await until(() => peer.text.length === 102, '50 pongs')
  assert.equal(party.keepAlives.length, 51)
  assert.equal(party.keepAlives[0]?.isInbound, true)

  const server = await rawServer(context)
  const flow: SipFlow = await ask(party, server.target)
  await until(() => server.peers[0]?.items.length === 1, 'the request')
  timing.advance(30_000)
  await until(() => server.peers[0]!.text.endsWith('\r\n\r\n\r\n\r\n'), 'a ping')
  timing.advance(15_000)
  assert.notEqual(party.transport.flow(flow.id), undefined)
  server.peers[0]!.socket.write('\r\n')
  const pings = () => server.peers[0]!.items.filter(item => 'kind' in item && item.kind === 'ping').length
  await until(() => server.peers[0]!.socket.writableLength === 0, 'the pong to leave')
  const end = () => party.closed.find(({ flow: gone }) => gone.id === flow.id)
  for (let beat = 2; end() === undefined; beat++) {
    assert.ok(beat < 6)
    timing.advance(30_000)
    await until(() => pings() >= beat || end() !== undefined, 'a ping, or the end')
  }
  assert.equal(end()?.error.code, 'no_pong')
})

test('a ping with a deadline closes a connection whose peer is gone', async context => {
  const timing = fakeTiming()
  const party = await openParty(context, { ...loopback, timing })
  const server = await rawServer(context)
  const flow = await party.transport.flowTo(server.target)
  party.transport.ping(flow, 10_000)
  await until(() => server.peers[0]?.text === '\r\n\r\n', 'a ping')
  timing.advance(10_000)
  await until(() => party.closed.length === 1, 'the end of the connection')
  assert.equal(party.closed[0]?.error.code, 'no_pong')
})
