// The rules of the transport that need no socket: where responses go, what we call ourselves, whose a connection is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCore } from '../src/core.ts'
import { isFault } from '../src/message.ts'
import { withReceived } from '../src/replies.ts'
import { pickBound, sentByOf } from '../src/transport/bindings.ts'
import { createAdmission } from '../src/transport/listen.ts'
import { isWildcard, responseTarget, sourceKey, targetForSize } from '../src/transport/route.ts'
import type { SipFlow, TransportName } from '../src/transport/types.ts'
import { formatEndpoint } from '../src/transport/types.ts'
import { requestOf } from './transport_support.ts'

const source = { address: '198.51.100.4', port: 40_000 }

function flowOf(transport: TransportName, remote = source): SipFlow {
  const isReliable = transport !== 'udp'
  const local = { address: '192.0.2.1', port: 5060 }
  return { id: 'x', transport, reliable: isReliable, secure: transport === 'tls', isInbound: true, remote, local }
}

// RFC 3261 §18.2.2 and RFC 3581 §4, in the order they are to be tried.
const routes: [what: string, via: string, transport: TransportName, expected: string][] = [
  ['the same address', 'UDP 198.51.100.4:5066;branch=z9hG4bK1', 'udp', 'udp 198.51.100.4:5066'],
  ['no port', 'UDP 198.51.100.4;branch=z9hG4bK1', 'udp', 'udp 198.51.100.4:5060'],
  ['another address: received', 'UDP 10.0.0.1:5066;branch=z9hG4bK1', 'udp', 'udp 198.51.100.4:5066'],
  ['a name: received', 'UDP pc.example.com;branch=z9hG4bK1', 'udp', 'udp 198.51.100.4:5060'],
  ['rport', 'UDP 10.0.0.1:5066;rport;branch=z9hG4bK1', 'udp', 'udp 198.51.100.4:40000'],
  ['an rport of the sender’s own', 'UDP 10.0.0.1:5066;rport=7;branch=z9hG4bK1', 'udp', 'udp 198.51.100.4:40000'],
  ['a received of the sender’s own', 'UDP 198.51.100.4;received=203.0.113.9', 'udp', 'udp 198.51.100.4:5060'],
  ['maddr', 'UDP 10.0.0.1:5066;maddr=10.0.0.5', 'udp', 'udp 198.51.100.4:5066'],
  ['maddr and rport', 'UDP 10.0.0.1:5066;maddr=224.2.0.1;rport', 'udp', 'udp 198.51.100.4:40000'],
  ['TCP: where to connect when it is gone', 'TCP 10.0.0.1:5066;rport', 'tcp', 'tcp 198.51.100.4:5066'],
  ['TCP without a port', 'TCP pc.example.com', 'tcp', 'tcp 198.51.100.4:5060'],
  ['TLS, and whose certificate it must be', 'TLS pc.example.com', 'tls', 'tls 198.51.100.4:5061 pc.example.com'],
  ['TLS by address', 'TLS 10.0.0.1:5081', 'tls', 'tls 198.51.100.4:5081'],
]

for (const [what, via, transport, expected] of routes) {
  test(`a response: ${what}`, () => {
    const request = withReceived(requestOf({ via: `SIP/2.0/${via}` }), source)
    const core = readCore(request)
    assert.ok(!isFault(core))
    const { serverName, ...target } = responseTarget(core, flowOf(transport))
    const shown = `${target.transport} ${formatEndpoint(target)}`
    assert.equal(serverName === undefined ? shown : `${shown} ${serverName}`, expected)
  })
}

test('a response to an IPv6 source', () => {
  const remote = { address: '2001:db8::9', port: 5062 }
  const request = withReceived(requestOf({ via: 'SIP/2.0/UDP [2001:db8::1];rport' }), remote)
  const core = readCore(request)
  assert.ok(!isFault(core))
  assert.deepEqual(responseTarget(core, flowOf('udp', remote)), { transport: 'udp', ...remote })
})

test('the size of a request decides about TCP (RFC 3261 §18.1.1)', () => {
  const target = { transport: 'udp' as const, ...source }
  assert.equal(targetForSize(target, 1_300), target)
  assert.deepEqual(targetForSize(target, 1_301), { ...target, transport: 'tcp' })
  assert.equal(targetForSize({ ...target, transport: 'tls' }, 90_000).transport, 'tls')
})

test('what we call ourselves', () => {
  const bound = { transport: 'udp' as const, address: '192.0.2.1', port: 5070 }
  const local = { address: '192.0.2.8', port: 33_000 }
  assert.deepEqual(sentByOf(bound, local), { host: '192.0.2.1', port: 5070 })
  assert.deepEqual(sentByOf({ ...bound, address: '0.0.0.0' }, local), { host: '192.0.2.8', port: 5070 })
  assert.deepEqual(sentByOf({ ...bound, address: '::' }, { address: '2001:db8::8', port: 1 }), {
    host: '[2001:db8::8]',
    port: 5070,
  })
  assert.deepEqual(sentByOf(undefined, local), { host: '192.0.2.8', port: 33_000 })
  assert.deepEqual(sentByOf({ ...bound, advertise: { host: '203.0.113.1' } }, local), {
    host: '203.0.113.1',
    port: 5070,
  })
  assert.deepEqual(sentByOf({ ...bound, advertise: { host: '2001:db8::1', port: 1 } }, local), {
    host: '[2001:db8::1]',
    port: 1,
  })
  // With nothing known it is at least an address of this machine.
  const { host } = sentByOf({ ...bound, address: '0.0.0.0' }, { address: '0.0.0.0', port: 5070 })
  assert.match(host, /^\d+\.\d+\.\d+\.\d+$/)
  assert.notEqual(host, '0.0.0.0')
})

test('which port leads to a peer', () => {
  const ports = ['127.0.0.1', '192.0.2.1', '::'].map(address => ({ address, port: 5060 }))
  assert.equal(pickBound(ports, '198.51.100.1')?.address, '192.0.2.1')
  assert.equal(pickBound(ports, '127.0.0.9')?.address, '127.0.0.1')
  assert.equal(pickBound(ports, '2001:db8::1')?.address, '::')
  assert.equal(pickBound(ports.slice(0, 1), '198.51.100.1')?.address, '127.0.0.1')
  assert.equal(pickBound(ports.slice(0, 2), '::1'), undefined)
})

test('one source is an IPv4 address, or the /64 of an IPv6 address', () => {
  const keys: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:0db8:0:0:ff::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['1:2:3:4::', '1:2:3:4'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::ffff:192.0.2.1', '0:0:0:0'],
  ]
  for (const [address, expected] of keys) assert.equal(sourceKey(address), expected, address)
  assert.deepEqual(['0.0.0.0', '::', '::1', '10.0.0.0'].map(isWildcard), [true, true, false, false])
})

test('admission counts in all and of each source, and gives places back once', () => {
  const admission = createAdmission({ maxConnections: 3, maxPerSource: 2 })
  const first = admission.enter('192.0.2.1')
  assert.ok(first && admission.enter('192.0.2.1'))
  assert.equal(admission.enter('192.0.2.1'), undefined)
  assert.ok(admission.enter('2001:db8::1'))
  assert.equal(admission.enter('192.0.2.9'), undefined)
  first()
  first()
  assert.equal(admission.size, 2)
  assert.ok(admission.enter('2001:db8::ffff'))
  assert.equal(admission.enter('192.0.2.1'), undefined)
})
