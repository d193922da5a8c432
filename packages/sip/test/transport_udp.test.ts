// Messages over UDP between real sockets, responses that find their way through NAT, requests too large for a datagram, and
// what a port bound to every address calls itself.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createResponse, faultReply } from '../src/replies.ts'
import { serializeMessage } from '../src/serialize.ts'
import { formatVia } from '../src/values.ts'
import {
  answering,
  ask,
  fakeTiming,
  hasIpv6,
  openParty,
  rejectionOf,
  requestFor,
  requestOf,
  sent,
  until,
} from './transport_support.ts'

const at = (address: string) => [{ address, port: 0 }]
const loopback = { udp: at('127.0.0.1') }

async function rawSocket(context: { after(action: () => void): void }) {
  const socket = createSocket('udp4')
  const got: string[] = []
  socket.on('message', bytes => void got.push(bytes.toString('latin1')))
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  context.after(() => socket.close())
  return { socket, got, port: socket.address().port }
}

for (const address of hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
  test(`over UDP at ${address}: requests and responses both ways`, async context => {
    const one = await openParty(context, { udp: at(address) }, answering)
    const other = await openParty(context, { udp: at(address) }, answering)
    const flow = await ask(one, other.at('udp'), { callId: 'first' })
    assert.equal(flow.reliable, false)
    const request = await other.request()
    assert.deepEqual(request.flow.remote, { address, port: one.at('udp').port })
    assert.deepEqual(
      request.core.via.params.map(({ name }) => name),
      ['rport', 'branch', 'received'],
    )
    assert.equal((await one.response()).message.status, 200)
    await ask(other, one.at('udp'), { callId: 'second' })
    assert.equal((await one.request()).core.callId, 'second')
    await other.response()
    assert.deepEqual(
      one.trace.map(({ direction, text }) => `${direction} ${text.slice(0, 7)}`),
      ['out OPTIONS', 'in SIP/2.0', 'in OPTIONS', 'out SIP/2.0'],
    )
  })
}

test('the response goes to the source port with rport, and to the port of the Via without it', async context => {
  const party = await openParty(context, loopback, answering)
  const [sender, listener] = [await rawSocket(context), await rawSocket(context)]
  const say = (via: string) =>
    sender.socket.send(serializeMessage(requestOf({ via })), party.at('udp').port, '127.0.0.1')
  say(`SIP/2.0/UDP 10.9.8.7:${listener.port};branch=z9hG4bKa;rport`)
  await until(() => sender.got.length === 1, 'a response at the source')
  assert.match(sender.got[0]!, new RegExp(`;rport=${sender.port};received=127\\.0\\.0\\.1`))
  say(`SIP/2.0/UDP phone.invalid:${listener.port};branch=z9hG4bKb`)
  await until(() => listener.got.length === 1, 'a response at the port of the Via')
  assert.match(listener.got[0]!, /Via: SIP\/2\.0\/UDP phone\.invalid:\d+;branch=z9hG4bKb;received=127\.0\.0\.1/)
  // What a sender claims to be received from is not believed.
  say(`SIP/2.0/UDP phone.invalid;branch=z9hG4bKc;received=192.0.2.1;rport=9`)
  await until(() => sender.got.length === 2, 'a response at the source')
})

test('a malformed request is answered by its Via; a flood of garbage is reported only so often', async context => {
  const timing = fakeTiming()
  const party = await openParty(context, { ...loopback, timing, limits: { maxDatagramFaults: 5 } }, answering)
  const peer = await rawSocket(context)
  const say = (bytes: Buffer | string) => peer.socket.send(bytes, party.at('udp').port, '127.0.0.1')
  const bad = serializeMessage(requestOf({ via: 'SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKx;rport' })).toString()
  say(bad.replace('CSeq: 1 OPTIONS', 'CSeq: one'))
  await until(() => party.faults.length === 1, 'a fault')
  const { fault, flow } = party.faults[0]!
  const reply = faultReply(fault, 'x')
  assert.ok(reply)
  party.transport.send(reply, flow)
  await until(() => peer.got.length === 1, 'an answer')
  assert.match(peer.got[0]!, /^SIP\/2\.0 400 /)
  for (let i = 0; i < 50; i++) say(`garbage ${i}\r\n\r\n`)
  await until(() => party.transport.counters.faults === 51, 'the garbage')
  assert.equal(party.faults.length, 5)
  assert.equal(party.transport.counters.faultsDropped, 46)
  timing.advance(1_000)
  say('more\r\n\r\n')
  await until(() => party.faults.length === 6, 'the next fault')
  // It serves on.
  say(serializeMessage(requestOf({ via: 'SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKy;rport' })))
  await until(() => peer.got.length === 2, 'an answer')
})

test('keep-alives and STUN are no faults, and get no answer', async context => {
  const party = await openParty(context, loopback)
  const peer = await rawSocket(context)
  const stun = Buffer.from('000100002112a442000102030405060708090a0b', 'hex')
  for (const bytes of [Buffer.from('\r\n\r\n'), Buffer.alloc(4), Buffer.alloc(0), stun]) {
    peer.socket.send(bytes, party.at('udp').port, '127.0.0.1')
  }
  await until(() => party.keepAlives.length === 4, 'four keep-alives')
  assert.deepEqual([party.faults.length, peer.got.length], [0, 0])
  const flow = await party.transport.flowTo({ transport: 'udp', address: '127.0.0.1', port: peer.port })
  party.transport.ping(flow)
  await until(() => peer.got[0] === '\r\n\r\n', 'a keep-alive of ours')
})

/** A party with UDP alone, at a port that nobody has for TCP: what listens on a port for one says nothing of the other. */
async function openWhereTcpIsFree(context: Parameters<typeof openParty>[0]) {
  for (;;) {
    const udp = await openParty(context, loopback)
    const { port } = udp.at('udp')
    const probe = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return { udp, port }
    await udp.transport.close()
  }
}

test('a request too large for UDP goes over TCP, and over UDP after all where there is no TCP', async context => {
  const both = { ...loopback, tcp: [] }
  const timing = fakeTiming()
  const { udp, port } = await openWhereTcpIsFree(context)
  const octets = 1_301
  const one = await openParty(context, { udp: at('127.0.0.1'), tcp: at('127.0.0.1'), timing })
  const overUdp = await one.transport.flowTo(udp.at('udp'), { octets })
  assert.equal(overUdp.transport, 'udp')
  assert.equal(await sent(one, requestFor(one, overUdp, { body: Buffer.alloc(20_000) }), overUdp), undefined)
  assert.equal((await udp.request()).message.body.length, 20_000)
  const tcp = await openParty(context, { tcp: [{ address: '127.0.0.1', port }] }, answering)
  // That a peer has no TCP is remembered for a while: behind some firewalls it takes seconds to find out.
  assert.equal((await one.transport.flowTo(udp.at('udp'), { octets })).transport, 'udp')
  timing.advance(600_000)
  const overTcp = await one.transport.flowTo(udp.at('udp'), { octets })
  assert.equal(overTcp.transport, 'tcp')
  assert.equal(one.transport.via(overTcp).transport, 'TCP')
  assert.equal(await sent(one, requestFor(one, overTcp, { body: Buffer.alloc(20_000) }), overTcp), undefined)
  assert.equal((await tcp.request()).message.body.length, 20_000)
  await one.response()
  assert.equal((await one.transport.flowTo(udp.at('udp'), { octets: 1_300 })).transport, 'udp')
  // Without TCP switched on there is nothing to try.
  const only = await openParty(context, loopback)
  assert.equal((await only.transport.flowTo(udp.at('udp'), { octets })).transport, 'udp')
  // Outgoing connections alone will do.
  const outgoing = await openParty(context, both)
  assert.equal((await outgoing.transport.flowTo(udp.at('udp'), { octets })).transport, 'tcp')
})

test('what cannot be sent is reported: too large, no port of that family, a port of 0, closed', async context => {
  const party = await openParty(context, loopback)
  const target = { transport: 'udp' as const, address: '127.0.0.1', port: 5060 }
  const large = requestOf({ body: Buffer.alloc(65_500) })
  assert.equal((await sent(party, large, target))?.code, 'too_large')
  const noSocket = await rejectionOf(party.transport.flowTo({ ...target, address: '2001:db8::1' }))
  assert.equal(noSocket.code, 'no_socket')
  assert.equal(noSocket.message, 'udp 2001:db8::1: no port for UDP over IPv6 is open here')
  const flow = await party.transport.flowTo(target)
  const nowhere = { ...flow, remote: { address: '127.0.0.1', port: 0 } }
  assert.equal((await sent(party, requestOf({}), nowhere))?.code, 'send_failed')
  await party.transport.close()
  assert.equal((await sent(party, requestOf({}), flow))?.code, 'flow_closed')
  assert.equal((await sent(party, requestOf({}), target))?.code, 'closed')
  // The port is free again.
  await openParty(context, { udp: [{ address: '127.0.0.1', port: party.at('udp').port }] })
})

test('a port in use is reported as that', async context => {
  const party = await openParty(context, loopback)
  const { port } = party.at('udp')
  const error = await rejectionOf(openParty(context, { udp: [{ address: '127.0.0.1', port }] }))
  assert.equal(error.code, 'address_in_use')
  assert.match(
    error.message,
    /^udp 127\.0\.0\.1:\d+: another program has this port; stop that program or choose another/,
  )
})

test('bound to every address, it calls itself what leads to the peer; behind NAT what it is set to advertise', async context => {
  const wild = await openParty(context, { udp: at('0.0.0.0'), tcp: at('0.0.0.0') }, answering)
  const peer = await openParty(context, { udp: at('127.0.0.1'), tcp: at('127.0.0.1') }, answering)
  for (const transport of ['udp', 'tcp'] as const) {
    const flow = await ask(wild, peer.at(transport))
    assert.deepEqual(wild.transport.sentBy(flow), { host: '127.0.0.1', port: wild.at(transport).port })
    await wild.response()
  }
  // IPv4 and IPv6 are two sockets of one port.
  if (hasIpv6) {
    const { port } = wild.at('udp')
    const six = await openParty(context, { udp: [{ address: '::', port }] })
    const flow = await six.transport.flowTo({ transport: 'udp', address: '::1', port: 9 })
    assert.equal(formatVia(six.transport.via(flow)), `SIP/2.0/UDP [::1]:${port};rport`)
  }
  const advertise = { host: 'sip.example.com', port: 5070 }
  const hidden = await openParty(context, { udp: [{ address: '127.0.0.1', port: 0, advertise }] })
  const flow = await ask(hidden, peer.at('udp'))
  assert.equal(formatVia(hidden.transport.via(flow)), 'SIP/2.0/UDP sip.example.com:5070;rport')
  await hidden.response()
  assert.equal(peer.received.at(-1)?.core.via.host, 'sip.example.com')
})

test('a response to a Via that is not ours is dropped', async context => {
  const party = await openParty(context, loopback)
  const peer = await openParty(context, loopback)
  const lenient = await openParty(context, { ...loopback, checkSentBy: false })
  for (const to of [party, lenient]) {
    const flow = await peer.transport.flowTo(to.at('udp'))
    const via = `SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK1;received=127.0.0.1;rport=${to.at('udp').port}`
    peer.transport.send(createResponse(requestOf({ via }), 200), flow)
  }
  await lenient.response()
  await until(() => party.faults.length === 1, 'a fault')
  assert.match(party.faults[0]!.fault.detail, /is for SIP\/2\.0\/UDP 192\.0\.2\.7, which we are not/)
  assert.equal(party.received.length, 0)
})
