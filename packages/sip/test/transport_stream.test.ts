// Messages over TCP between real sockets: both ways, in pieces, in floods, with peers that go away, never read or never speak.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResponse } from '../src/replies.ts'
import { serializeMessage } from '../src/serialize.ts'
import { isTransportError } from '../src/transport/types.ts'
import {
  answering,
  ask,
  fakeTiming,
  hasIpv6,
  openParty,
  rawClient,
  rawServer,
  rejectionOf,
  requestFor,
  requestOf,
  selfSigned,
  sent,
  until,
} from './transport_support.ts'

const at = (address: string) => [{ address, port: 0 }]
const loopback = { tcp: at('127.0.0.1') }

for (const address of hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
  test(`over TCP at ${address}: requests and responses both ways, over one connection`, async context => {
    const one = await openParty(context, { tcp: at(address) }, answering)
    const other = await openParty(context, { tcp: at(address) }, answering)
    const flow = await ask(one, other.at('tcp'), { callId: 'first' })
    const request = await other.request()
    assert.equal(request.core.callId, 'first')
    assert.equal(request.flow.isInbound, true)
    assert.deepEqual([request.flow.reliable, request.flow.secure, request.flow.transport], [true, false, 'tcp'])
    assert.deepEqual([request.flow.remote, request.flow.local], [flow.local, flow.remote])
    const response = await one.response()
    assert.equal(response.message.status, 200)
    assert.equal(response.flow.id, flow.id)
    // The Via names the port we listen at, not the one the connection has.
    assert.equal(request.core.via.port, one.at('tcp').port)
    // Requests of the remote party take its own connection to there.
    const back = await ask(other, { ...one.at('tcp') }, { callId: 'second' })
    assert.equal((await one.request()).core.callId, 'second')
    assert.equal((await other.response()).flow.id, back.id)
    assert.equal(await ask(one, other.at('tcp')).then(({ id }) => id), flow.id)
    assert.equal(one.transport.connections, 2)
    assert.deepEqual(
      one.trace.slice(0, 2).map(({ direction, text }) => `${direction} ${text.slice(0, 11)}`),
      ['out OPTIONS sip', 'in SIP/2.0 200'],
    )
  })
}

test('many senders to one target at once share one connection, and every message keeps its order', async context => {
  const one = await openParty(context, loopback)
  const other = await openParty(context, loopback)
  const flows = await Promise.all(Array.from({ length: 20 }, () => one.transport.flowTo(other.at('tcp'))))
  assert.equal(new Set(flows.map(({ id }) => id)).size, 1)
  for (let i = 0; i < 200; i++) one.transport.send(requestFor(one, flows[0]!, { callId: `call-${i}` }), flows[0]!)
  await until(() => other.received.length === 200, '200 requests')
  assert.deepEqual(
    other.received.map(({ core }) => core.callId),
    Array.from({ length: 200 }, (_, i) => `call-${i}`),
  )
})

test('a message that comes octet by octet, and ten that come at once', async context => {
  const party = await openParty(context, loopback, answering)
  const peer = await rawClient(context, party.at('tcp'))
  const bytes = serializeMessage(requestOf({ body: Buffer.from('some body') }))
  for (const octet of bytes) {
    peer.socket.write(Buffer.from([octet]))
    await new Promise(resolve => setImmediate(resolve))
  }
  const { message } = await party.request()
  assert.equal(message.body.toString(), 'some body')
  peer.socket.write(Buffer.concat(Array.from({ length: 10 }, () => bytes)))
  await until(() => peer.items.length === 11, 'eleven responses')
})

test('a message of 60,000 octets passes; one that is larger than we take is answered 513, and the connection closed', async context => {
  const one = await openParty(context, loopback)
  const other = await openParty(context, { ...loopback, limits: { maxBody: 60_000 } })
  await ask(one, other.at('tcp'), { body: Buffer.alloc(60_000, 'a') })
  assert.equal((await other.request()).message.body.length, 60_000)
  await ask(one, other.at('tcp'), { body: Buffer.alloc(60_001, 'a') })
  await until(() => other.closed.length === 1, 'the end of the connection')
  assert.deepEqual([other.faults[0]?.fault.status, other.faults[0]?.fault.fatal], [513, true])
  assert.equal(other.closed[0]?.error.code, 'not_sip')
})

test('what cannot be read is answered from within onFault before the connection is closed', async context => {
  const party = await openParty(context, {
    ...loopback,
    onFault(fault, flow) {
      if (fault.message?.kind === 'request') party.transport.send(createResponse(fault.message, fault.status), flow)
    },
  })
  const peer = await rawClient(context, party.at('tcp'))
  const text = serializeMessage(requestOf({}))
    .toString()
    .replace(/Content-Length: 0\r\n/, '')
  peer.socket.write(text)
  await until(() => peer.isClosed, 'the end of the connection')
  assert.match(peer.text, /^SIP\/2\.0 400 /)
})

test('garbage ends its connection and no other', async context => {
  const party = await openParty(context, loopback, answering)
  const good = await rawClient(context, party.at('tcp'))
  for (let i = 0; i < 20; i++) {
    const peer = await rawClient(context, party.at('tcp'))
    peer.socket.write(Buffer.alloc(200_000, i === 0 ? 0 : `garbage ${i} \r\n\r\n`))
    await until(() => peer.isClosed, 'the end of a bad connection')
  }
  good.socket.write(serializeMessage(requestOf({})))
  await until(() => good.items.length === 1, 'a response')
  assert.equal(party.transport.connections, 1)
  assert.ok(party.closed.every(({ error }) => ['not_sip', 'connection_lost'].includes(error.code)))
})

test('malformed messages that can be framed are reported one by one, and too many of them in a row end it', async context => {
  const party = await openParty(context, { ...loopback, limits: { maxFaults: 3 } })
  const peer = await rawClient(context, party.at('tcp'))
  const bad = serializeMessage(requestOf({})).toString().replace('CSeq: 1 OPTIONS', 'CSeq: one')
  const good = serializeMessage(requestOf({}))
  peer.socket.write(Buffer.concat([Buffer.from(bad), Buffer.from(bad), good, Buffer.from(bad)]))
  await until(() => party.faults.length === 3, 'three faults')
  assert.equal(party.faults[0]?.fault.header, 'CSeq')
  assert.equal(party.received.length, 1)
  peer.socket.write(Buffer.from(bad + bad))
  await until(() => peer.isClosed && party.closed.length > 0, 'the end of the connection, on both sides')
  assert.equal(party.closed[0]?.error.code, 'not_sip')
})

test('a message that cannot be spelt again is a fault, and traced by no more than that', async context => {
  const party = await openParty(context, loopback)
  const peer = await rawClient(context, party.at('tcp'))
  const good = serializeMessage(requestOf({}))
  peer.socket.write(Buffer.concat([Buffer.from(good.toString().replace('sip:anybody', 'sip:any\nbody')), good]))
  await party.request()
  assert.equal(party.faults[0]?.fault.fault, 'start_line')
  assert.equal(party.trace.length, 1)
})

test('a peer that closes in mid-message', async context => {
  const party = await openParty(context, loopback)
  const peer = await rawClient(context, party.at('tcp'))
  const bytes = serializeMessage(requestOf({ body: Buffer.alloc(100) }))
  peer.socket.end(bytes.subarray(0, bytes.length - 10))
  await until(() => party.closed.length === 1, 'the end of the connection')
  assert.equal(party.closed[0]?.error.code, 'peer_closed')
  assert.match(party.closed[0]!.error.message, /in mid-message/)
  assert.equal(party.received.length, 0)
})

test('after the peer closed, the flow is dead and the next request opens another connection', async context => {
  const one = await openParty(context, loopback)
  const server = await rawServer(context)
  const flow = await ask(one, server.target)
  await until(() => server.peers[0]?.items.length === 1, 'the request')
  server.peers[0]!.socket.destroy()
  await until(() => one.closed.length === 1, 'the end of the connection')
  assert.equal(one.closed[0]?.flow.id, flow.id)
  assert.equal(one.transport.flow(flow.id), undefined)
  assert.equal((await sent(one, requestFor(one, flow), flow))?.code, 'flow_closed')
  const next = await ask(one, server.target)
  assert.notEqual(next.id, flow.id)
  await until(() => server.peers[1]?.items.length === 1, 'the next request')
})

test('a response finds its way when the connection is gone: to the port of the Via', async context => {
  const one = await openParty(context, loopback)
  const other = await openParty(context, loopback)
  const flow = await ask(one, other.at('tcp'), { method: 'INVITE' })
  const { message, flow: inbound } = await other.request()
  one.transport.closeFlow(flow)
  await until(() => other.closed.length === 1, 'the end of the connection')
  assert.equal(await sent(other, createResponse(message, 200, { toTag: 'x' }), inbound), undefined)
  const response = await one.response()
  assert.equal(response.message.status, 200)
  assert.equal(response.flow.isInbound, true)
})

test('connections of a peer are used for requests to it when asked, and only then', async context => {
  const phone = await openParty(context, loopback)
  const server = await openParty(context, loopback)
  const flow = await ask(phone, server.at('tcp'), { method: 'REGISTER' })
  const { flow: inbound } = await server.request()
  // By the port it speaks from, and by the one it listens at.
  for (const port of [flow.local.port, phone.at('tcp').port]) {
    const target = { ...phone.at('tcp'), port }
    assert.equal((await server.transport.flowTo(target, { reuseInbound: true })).id, inbound.id)
  }
  const own = await server.transport.flowTo(phone.at('tcp'))
  assert.notEqual(own.id, inbound.id)
  assert.equal(own.isInbound, false)
})

test('a target where nobody listens, one whose transport is off, and one that is no address', async context => {
  const party = await openParty(context, loopback)
  const { server, target } = await rawServer(context)
  await new Promise(resolve => server.close(resolve))
  const refused = await rejectionOf(party.transport.flowTo(target))
  assert.ok(isTransportError(refused))
  assert.equal(refused.code, 'connect_failed')
  assert.match(refused.message, /^tcp 127\.0\.0\.1:\d+: nobody listens there/)
  assert.equal((await sent(party, requestOf({}), target))?.code, 'connect_failed')
  const name = await sent(party, requestOf({}), { ...target, address: 'localhost' })
  assert.deepEqual([name?.code, name?.message], ['unsupported', 'localhost is not an IP address; ask locate for one'])
  assert.equal((await rejectionOf(party.transport.flowTo({ ...target, port: 0 }))).code, 'unsupported')
  assert.equal(party.transport.counters.sendsFailed, 2)
  const noTls = await rejectionOf(party.transport.flowTo({ ...target, transport: 'tls' }))
  assert.equal(noTls.code, 'no_socket')
  assert.equal(party.transport.connections, 0)
})

test('limits: connections of one source, connections in all, connections of our own', async context => {
  const party = await openParty(context, { ...loopback, limits: { maxPerSource: 3, maxOutbound: 1 } }, answering)
  const peers = await Promise.all(Array.from({ length: 6 }, () => rawClient(context, party.at('tcp'))))
  await until(() => peers.filter(({ isClosed }) => isClosed).length === 3, 'three refusals')
  assert.equal(party.transport.counters.connectionsRefused, 3)
  for (const { socket } of peers) socket.destroy()
  await until(() => party.transport.connections === 0, 'all to be gone')
  const again = await rawClient(context, party.at('tcp'))
  again.socket.write(serializeMessage(requestOf({})))
  await until(() => again.items.length === 1, 'a response')
  const [one, two] = [await rawServer(context), await rawServer(context)]
  await party.transport.flowTo(one.target)
  const error = await rejectionOf(party.transport.flowTo(two.target))
  assert.equal(error.code, 'too_many_connections')
})

test('a port in use, an address that is not here, and a name are reported as what they are', async context => {
  const party = await openParty(context, loopback)
  const options = { onMessage() {}, onFault() {}, onClosed() {} }
  const { port } = party.at('tcp')
  const inUse = await rejectionOf(openParty(context, { ...options, tcp: [{ address: '127.0.0.1', port }] }))
  assert.equal(inUse.code, 'address_in_use')
  assert.equal(
    inUse.message,
    `tcp 127.0.0.1:${port}: another program has this port; stop that program or choose another port`,
  )
  const elsewhere = await rejectionOf(openParty(context, { ...options, tcp: at('192.0.2.254') }))
  assert.equal(elsewhere.code, 'bind_failed')
  assert.match(elsewhere.message, /no such address/)
  assert.equal((await rejectionOf(openParty(context, { ...options, tcp: at('localhost') }))).code, 'bind_failed')
  // What was opened before the failure is closed again.
  const free = await openParty(context, loopback)
  const again = free.at('tcp').port
  await free.transport.close()
  await rejectionOf(
    openParty(context, { ...options, tcp: [{ address: '127.0.0.1', port: again }, ...at('192.0.2.254')] }),
  )
  await openParty(context, { ...options, tcp: [{ address: '127.0.0.1', port: again }] })
})

test('close writes what waits, notifies every connection, and leaves nothing behind', async context => {
  const one = await openParty(context, loopback)
  const other = await openParty(context, loopback)
  const flow = await ask(one, other.at('tcp'))
  const last = sent(one, requestFor(one, flow, { callId: 'last' }), flow)
  const hanging = rejectionOf(one.transport.flowTo({ transport: 'tcp', address: '127.0.0.1', port: 1 }))
  await Promise.all([one.transport.close(), one.transport.close()])
  assert.equal(await last, undefined)
  assert.ok(['closed', 'connect_failed'].includes((await hanging).code))
  await until(() => other.received.some(({ core }) => core.callId === 'last'), 'the last message')
  assert.deepEqual(
    one.closed.map(({ error }) => error.code),
    ['closed'],
  )
  await until(() => other.transport.connections === 0, 'the other end')
  assert.equal((await rejectionOf(one.transport.flowTo(other.at('tcp')))).code, 'closed')
  assert.equal((await sent(one, requestOf({}), flow))?.code, 'flow_closed')
  const again = await openParty(context, { tcp: [{ address: '127.0.0.1', port: one.at('tcp').port }] })
  assert.equal(again.transport.connections, 0)
})

test('after close no socket, no port and no timer of ours is left', async context => {
  const ours = () => process.getActiveResourcesInfo().filter(name => /^(TCP|UDP|TLS)/.test(name))
  const before = ours()
  const timing = fakeTiming()
  const everything = {
    timing,
    udp: at('127.0.0.1'),
    ...loopback,
    tls: [{ ...at('127.0.0.1')[0]!, ...selfSigned(context) }],
  }
  const one = await openParty(context, { ...everything, tlsClient: { ca: everything.tls[0]!.cert }, pingMs: 1_000 })
  const other = await openParty(context, everything, answering)
  for (const transport of ['udp', 'tcp', 'tls'] as const) {
    await ask(one, other.at(transport))
    await one.response()
  }
  const silent = await rawClient(context, other.at('tcp'))
  await rawClient(context, other.at('tls'))
  assert.ok(ours().length > before.length + 8)
  await Promise.all([one.transport.close(), other.transport.close()])
  await until(() => silent.isClosed, 'the other end')
  await until(() => ours().length <= before.length, 'all sockets to be gone')
  assert.equal(timing.waiting, 0)
  assert.equal(other.closed.length, 3)
})
