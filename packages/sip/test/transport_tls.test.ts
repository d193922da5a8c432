// Messages over TLS: certificates that are good, those that are not, client certificates, several names at one port, and peers
// that do not speak it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import type { SipTransportOptions } from '../src/transport/api.ts'
import {
  answering,
  ask,
  openParty,
  rawClient,
  rawServer,
  rejectionOf,
  requestOf,
  selfSigned,
  sent,
  until,
} from './transport_support.ts'

const here = { address: '127.0.0.1', port: 0 }
const client = (tlsClient: SipTransportOptions['tlsClient']) => ({ tls: [], tlsClient })

test('over TLS both ways; the certificate must be of a known authority and for the name', async context => {
  const own = selfSigned(context, 'DNS:sip.example.com,URI:sip:example.org,IP:127.0.0.1')
  const server = await openParty(context, { tls: [{ ...here, ...own }] }, answering)
  const target = server.at('tls')
  const one = await openParty(context, client({ ca: own.cert }))
  // By DNS name, by SIP URI (RFC 5922 §7), by address.
  for (const serverName of ['sip.example.com', 'example.org', undefined]) {
    const flow = await ask(one, { ...target, serverName })
    assert.deepEqual([flow.transport, flow.secure, flow.reliable], ['tls', true, true])
    assert.equal(flow.peerCertificate?.isVerified, true)
    const { flow: inbound } = await server.request()
    assert.equal(inbound.secure, true)
    assert.equal(inbound.peerCertificate, undefined)
    assert.equal((await one.response()).flow.id, flow.id)
  }
  // A connection is only good for the name it was checked for.
  assert.equal(one.transport.connections, 3)
  const wrong = await rejectionOf(one.transport.flowTo({ ...target, serverName: 'other.example.com' }))
  assert.equal(wrong.code, 'tls_failed')
  assert.match(wrong.message, /its certificate is not for other\.example\.com$/)
  const doubting = await openParty(context, client({}))
  const unknown = await rejectionOf(doubting.transport.flowTo({ ...target, serverName: 'sip.example.com' }))
  assert.equal(unknown.code, 'tls_failed')
  assert.match(unknown.message, /its certificate is self-signed; give its authority \(ca\) or its fingerprint$/)
})

test('a certificate is known by its fingerprint, no matter who made it and whatever its name', async context => {
  const own = selfSigned(context, 'DNS:somewhere.invalid')
  const server = await openParty(context, { tls: [{ ...here, ...own }] }, answering)
  const probe = connectTls({ host: '127.0.0.1', port: server.at('tls').port, rejectUnauthorized: false })
  await new Promise(resolve => probe.once('secureConnect', resolve))
  const fingerprint = probe.getPeerCertificate().fingerprint256
  probe.destroy()
  const one = await openParty(context, client({ fingerprints: [fingerprint.replaceAll(':', '').toLowerCase()] }))
  assert.equal((await ask(one, server.at('tls'))).peerCertificate?.isVerified, true)
  await one.response()
  const other = await openParty(context, client({ fingerprints: ['00'.repeat(32)] }))
  const error = await rejectionOf(other.transport.flowTo(server.at('tls')))
  assert.equal(error.code, 'tls_failed')
  assert.match(error.message, /has the fingerprint [0-9A-F:]+, which is not among those given/)
})

test('without verification any certificate will do; a profile that is retired opens a connection of its own', async context => {
  const own = selfSigned(context, 'DNS:somewhere.invalid')
  const server = await openParty(context, { tls: [{ ...here, ...own }] }, answering)
  let verify = false
  const one = await openParty(context, { tls: [], tlsProfiles: () => ({ verify }) })
  const target = { ...server.at('tls'), serverName: 'sip.example.com', profile: '1 carrier' }
  const flow = await ask(one, target)
  assert.equal(flow.peerCertificate?.isVerified, false)
  await one.response()
  verify = true
  assert.deepEqual(one.transport.retire('arrier'), [])
  assert.equal((await one.transport.flowTo(target)).id, flow.id)
  assert.deepEqual(one.transport.retire('1 carrier'), [flow])
  assert.match((await rejectionOf(one.transport.flowTo(target))).message, /its certificate is self-signed/)
  one.transport.closeFlow(flow)
  await until(() => one.transport.connections === 0, 'the end of the connection')
})

test('client certificates: required, optional, and connections back over them', async context => {
  const own = selfSigned(context)
  const theirs = selfSigned(context, 'DNS:phone.example.com')
  const listen = { ...here, ...own, ca: theirs.cert }
  const strict = await openParty(context, { tls: [{ ...listen, clients: 'required' as const }] }, answering)
  const optional = await openParty(context, { tls: [{ ...listen, clients: 'optional' as const }] }, answering)
  const known = await openParty(context, client({ ca: own.cert, ...theirs }))
  const unknown = await openParty(context, client({ ca: own.cert }))
  for (const server of [strict, optional]) {
    const flow = await ask(known, server.at('tls'))
    const { flow: inbound } = await server.request()
    assert.equal(inbound.peerCertificate?.isVerified, true)
    assert.equal(inbound.peerCertificate?.names, 'DNS:phone.example.com')
    assert.equal((await known.response()).flow.id, flow.id)
    // RFC 5923: for requests back when the certificate is for whom they are meant.
    const back = { transport: 'tls' as const, ...flow.local, serverName: 'phone.example.com' }
    assert.equal((await server.transport.flowTo(back, { reuseInbound: true })).id, inbound.id)
    const others = { ...back, serverName: 'bank.example.com' }
    assert.equal((await rejectionOf(server.transport.flowTo(others, { reuseInbound: true }))).code, 'connect_failed')
  }
  await ask(unknown, optional.at('tls'))
  assert.equal((await optional.request()).flow.peerCertificate, undefined)
  // With TLS 1.3 a client hears of its refusal only after its side of the handshake is done.
  const flow = await unknown.transport.flowTo(strict.at('tls')).catch(error => error)
  if (!(flow instanceof Error)) await until(() => unknown.closed.length === 1, 'the refusal')
  await until(() => strict.transport.counters.handshakesFailed > 0, 'the failure to be counted')
  assert.equal(strict.received.length, 0)
})

test('several names at one port, profiles of a client, and certificates that are renewed', async context => {
  const [first, second, third] = [
    selfSigned(context, 'DNS:one.example'),
    selfSigned(context, 'DNS:two.example'),
    selfSigned(context, 'DNS:*.three.example'),
  ]
  const names = { 'two.example': second, '*.three.example': third }
  const server = await openParty(context, { tls: [{ ...here, ...first, names }] }, answering)
  const one = await openParty(context, {
    tls: [],
    tlsClient: { ca: [first.cert, second.cert, third.cert] },
    tlsProfiles: profile => (profile === 'second' ? { ca: second.cert } : undefined),
  })
  const target = server.at('tls')
  for (const serverName of ['one.example', 'two.example', 'a.three.example']) {
    const flow = await ask(one, { ...target, serverName })
    await one.response()
    assert.ok(flow.peerCertificate?.names.includes(serverName.replace(/^a\./, '*.')))
  }
  const second2 = await ask(one, { ...target, serverName: 'two.example', profile: 'second' })
  assert.equal(one.transport.connections, 4)
  assert.ok(second2.peerCertificate)
  const noProfile = await rejectionOf(one.transport.flowTo({ ...target, profile: 'third' }))
  assert.match(noProfile.message, /there is no TLS profile "third"/)
  server.transport.renewTls(0, second)
  const renewed = await openParty(context, client({ ca: second.cert }))
  assert.equal((await ask(renewed, { ...target, serverName: 'two.example' })).peerCertificate?.isVerified, true)
  assert.throws(() => server.transport.renewTls(1, second), RangeError)
})

test('those that do not speak TLS, at either end, and versions that are too old', async context => {
  const own = selfSigned(context)
  const limits = { maxPerSource: 2 }
  const server = await openParty(context, { tls: [{ ...here, ...own }], limits }, answering)
  for (let i = 1; i <= 5; i++) {
    const plain = await rawClient(context, server.at('tls'))
    plain.socket.write('OPTIONS sip:a@b SIP/2.0\r\n\r\n')
    await until(() => plain.isClosed && server.transport.counters.handshakesFailed >= i, 'the end of it')
  }
  const { port } = server.at('tls')
  const old = connectTls({ host: '127.0.0.1', port, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ca: own.cert })
  await new Promise<void>(resolve => old.once('error', () => resolve()))
  // Those that failed have given their places back.
  const one = await openParty(context, { ...client({ ca: own.cert }), connectTimeoutMs: 15_000 })
  await ask(one, server.at('tls'))
  await one.response()
  const { target } = await rawServer(context, peer => peer.socket.end('SIP/2.0 400 Bad Request\r\n\r\n'))
  const error = await rejectionOf(one.transport.flowTo({ ...target, transport: 'tls' }))
  assert.equal(error.code, 'tls_failed')
})

test('a handshake that never ends, a key that does not fit, and an end that leaves nothing', async context => {
  const [own, other] = [selfSigned(context), selfSigned(context)]
  const server = await openParty(context, { tls: [{ ...here, ...own }] }, answering)
  const silent = await rawServer(context)
  const one = await openParty(context, { ...client({ ca: own.cert }), connectTimeoutMs: 50 })
  const error = await rejectionOf(one.transport.flowTo({ ...silent.target, transport: 'tls' }))
  assert.equal(error.code, 'connect_timeout')
  assert.match(error.message, /the handshake was not there after 50 ms/)
  await until(() => silent.peers[0]?.isClosed === true, 'the connection to be cut')
  await assert.rejects(openParty(context, { tls: [{ ...here, cert: own.cert, key: other.key }] }), /key/i)
  const broken = await openParty(context, client({ cert: own.cert, key: other.key }))
  assert.match(
    (await rejectionOf(broken.transport.flowTo(server.at('tls')))).message,
    /our TLS settings are not usable/,
  )
  const good = await openParty(context, client({ ca: own.cert }))
  await ask(good, server.at('tls'))
  await good.response()
  const hanging = await rawClient(context, server.at('tls'))
  await server.transport.close()
  await until(() => hanging.isClosed && good.closed.length === 1, 'the ends of both')
  assert.equal(server.closed[0]?.error.code, 'closed')
  assert.equal((await sent(good, requestOf({}), server.at('tls')))?.code, 'connect_failed')
})
