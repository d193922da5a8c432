// The message centre's side: who gets in, what they may ask, limits, deliveries, and peers that misbehave; over TLS too.
// test: waits
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { PduInput, PduOf, SmscOptions, SmscSession } from '../src/index.ts'
import { composeMessage, encodePdu, isRequestFailure, readMessage, statuses } from '../src/index.ts'
import { fakeClock, type RawPeer, rawPeer, settle, startEsme, startSmsc, until } from './support.ts'

function dial(context: TestContext, port: number): RawPeer {
  const peer = rawPeer(connect(port, '127.0.0.1'))
  context.after(() => void peer.socket.destroy())
  return peer
}

const bind = { command: 'bind_transceiver', sequence: 1, systemId: 'tandem', password: 'secret' } as const

async function dialBound(context: TestContext, port: number, command: PduInput['command'] = 'bind_transceiver') {
  const peer = dial(context, port)
  peer.send({ ...bind, command } as PduInput)
  await until(() => peer.received.length > 0, 'a bind response')
  const response = peer.received.shift()
  assert.ok(response !== undefined && 'command' in response && response.command === `${command}_resp`)
  assert.equal((response as PduOf<'bind_transceiver_resp'>).status, 0)
  return peer
}

test('asks who may come in and refuses others by status', async context => {
  const asked: string[] = []
  const { smsc, port } = await startSmsc(context, {
    systemId: 'centre',
    authenticate: async ({ systemId, password, role, remoteAddress }) => {
      asked.push(`${systemId} ${role} ${remoteAddress}`)
      return password === 'secret' ? 0 : statuses.ESME_RINVPASWD
    },
  })
  const stranger = dial(context, port)
  stranger.send({ ...bind, command: 'bind_receiver', password: 'guess' })
  assert.equal((await stranger.next('bind_receiver_resp')).status, statuses.ESME_RINVPASWD)
  await until(() => stranger.isClosed)
  const peer = dial(context, port)
  peer.send(bind)
  const response = await peer.next('bind_transceiver_resp')
  assert.deepEqual([response.status, response.systemId, response.tlvs], [0, 'centre', { scInterfaceVersion: 0x34 }])
  assert.deepEqual(asked, ['tandem receiver 127.0.0.1', 'tandem transceiver 127.0.0.1'])
  assert.equal(smsc.sessions.length, 1)
  peer.send({ ...bind, sequence: 2 })
  assert.equal((await peer.next('bind_transceiver_resp')).status, statuses.ESME_RALYBND)
  peer.send({ command: 'unbind', sequence: 3 })
  await peer.next('unbind_resp')
  await until(() => peer.isClosed && smsc.sessions.length === 0)
})

test('an authentication that fails lets nobody in', async context => {
  const { port } = await startSmsc(context, { authenticate: () => Promise.reject(new Error('no database')) })
  const peer = dial(context, port)
  peer.send(bind)
  assert.equal((await peer.next('bind_transceiver_resp')).status, statuses.ESME_RSYSERR)
  await until(() => peer.isClosed)
})

test('before a bind nothing but a bind is taken, and it must come in time', async context => {
  const clock = fakeClock()
  const { port } = await startSmsc(context, { clock })
  const peer = dial(context, port)
  peer.send({ command: 'submit_sm', sequence: 5 }, { command: 'enquire_link', sequence: 6 })
  assert.equal((await peer.next('submit_sm_resp')).status, statuses.ESME_RINVBNDSTS)
  await peer.next('enquire_link_resp')
  clock.advance(10_000)
  await until(() => peer.isClosed)
})

test('a receiver may not submit and a transmitter gets nothing', async context => {
  const { smsc, port } = await startSmsc(context)
  const receiver = await dialBound(context, port, 'bind_receiver')
  receiver.send({ command: 'submit_sm', sequence: 2 })
  assert.equal((await receiver.next('submit_sm_resp')).status, statuses.ESME_RINVBNDSTS)
  await dialBound(context, port, 'bind_transmitter')
  const transmitter = smsc.sessions[1]!
  assert.equal(transmitter.freeWindow(), 0)
  await assert.rejects(transmitter.deliver({}), error => isRequestFailure(error) && error.reason === 'wrong_role')
})

test('every request is answered once, by anyone who looks after it', async context => {
  const { port } = await startSmsc(context, {
    onSubmit: (_session, pdu) => {
      if (pdu.sequence === 3) throw new Error('no storage')
      if (pdu.sequence === 4) return Promise.reject(new Error('no storage'))
      return {
        status: pdu.sequence === 5 ? statuses.ESME_RTHROTTLED : 0,
        messageId: pdu.sequence === 6 ? 'x'.repeat(65) : 'id',
      }
    },
    onQuery: async (_session, { messageId }) => ({ status: 0, messageId, messageState: 2 }),
    onSubmitMulti: () => ({
      status: 0,
      messageId: 'm',
      unsuccessful: [{ destAddrTon: 0, destAddrNpi: 0, destinationAddr: '1', errorStatus: 11 }],
    }),
  })
  const peer = await dialBound(context, port)
  for (const sequence of [2, 3, 4, 5, 6]) peer.send({ command: 'submit_sm', sequence })
  const answers = []
  for (let i = 0; i < 5; i++) answers.push(await peer.next('submit_sm_resp'))
  const reported = answers.sort((a, b) => a.sequence - b.sequence).map(({ status, messageId }) => [status, messageId])
  assert.deepEqual(reported, [
    [0, 'id'],
    [8, ''],
    [8, ''],
    [0x58, 'id'],
    [8, ''],
  ])
  peer.send({ command: 'query_sm', sequence: 7, messageId: 'q' }, { command: 'cancel_sm', sequence: 8 })
  peer.send({ command: 'replace_sm', sequence: 9 }, { command: 'data_sm', sequence: 10 })
  peer.send({ command: 'submit_multi', sequence: 11, destinations: [{ dlName: 'a' }] })
  assert.deepEqual((await peer.next('query_sm_resp')).messageState, 2)
  assert.equal((await peer.next('cancel_sm_resp')).status, statuses.ESME_RCANCELFAIL)
  assert.equal((await peer.next('replace_sm_resp')).status, statuses.ESME_RREPLACEFAIL)
  assert.equal((await peer.next('data_sm_resp')).messageId, 'id')
  assert.equal((await peer.next('submit_multi_resp')).unsuccessful[0]?.errorStatus, 11)
  await settle()
  assert.equal(peer.received.length, 0)
})

test('delivers within its window and drains before it closes', async context => {
  const texts: (string | null)[] = []
  const { smsc, port } = await startSmsc(context, { window: 2 })
  const esme = startEsme(context, {
    port,
    reconnect: false,
    onDeliver: async pdu => {
      texts.push(readMessage(pdu).text)
      return 0
    },
  })
  await esme.bound()
  const session = smsc.sessions[0]!
  const [hello] = composeMessage('ciao ☺')
  const sent = [session.deliver({ ...hello }), session.deliver({ ...hello })]
  await assert.rejects(session.deliver({ ...hello }), /the window is full/)
  await smsc.close()
  assert.deepEqual(await Promise.all(sent), [
    { status: 0, messageId: '' },
    { status: 0, messageId: '' },
  ])
  assert.deepEqual(texts, ['ciao ☺', 'ciao ☺'])
  await until(() => esme.state === 'closed')
  assert.equal(esme.changes.at(-1)?.reason, 'the peer unbound')
})

test('limits hold: connections, binds of one system id, malformed PDUs', async context => {
  const { smsc, port } = await startSmsc(context, { limits: { connections: 3, bindsPerSystemId: 2, faults: 3 } })
  const first = await dialBound(context, port)
  await dialBound(context, port)
  const third = dial(context, port)
  third.send(bind)
  assert.equal((await third.next('bind_transceiver_resp')).status, statuses.ESME_RALYBND)
  await until(() => third.isClosed)
  first.socket.destroy()
  await until(() => smsc.sessions.length === 1)
  const peer = await dialBound(context, port)
  await dial(context, port)
  const beyond = dial(context, port)
  await until(() => beyond.isClosed)
  const cut = encodePdu({ command: 'submit_sm', sequence: 9 }).subarray(0, 20)
  cut.writeUInt32BE(20, 0)
  for (let i = 0; i < 3; i++) peer.write(cut)
  await until(() => peer.isClosed)
  const responses = peer.received.map(item => (item as PduOf<'submit_sm_resp'>).status)
  assert.deepEqual(responses, [2, 2, 2])
})

test('a peer that sends and never reads is held back, and cut when it is deaf', async context => {
  const clock = fakeClock()
  let submits = 0
  const { smsc, port } = await startSmsc(context, {
    clock,
    onSubmit: () => ({ status: 0, messageId: `${++submits}`.padStart(60, '0') }),
  })
  const peer = await dialBound(context, port)
  peer.socket.pause()
  const burst = Buffer.concat(
    Array.from({ length: 500 }, (_, i) => encodePdu({ command: 'submit_sm', sequence: i + 2 })),
  )
  let last = -1
  for (let rounds = 0; rounds < 2000 && last !== submits; rounds++) {
    last = submits
    for (let i = 0; i < 40; i++) peer.write(burst)
    await settle(30)
  }
  assert.equal(last, submits, 'it still reads')
  for (let i = 0; i < 3; i++) {
    clock.advance(30_000)
    await settle()
  }
  await until(() => smsc.sessions.length === 0)
})

test('garbage ends the connection it came on, and no other', async context => {
  const faults: string[] = []
  const { smsc, port } = await startSmsc(context, { onFault: ({ fault }) => faults.push(fault) })
  const good = await dialBound(context, port)
  for (let i = 0; i < 40; i++) {
    const peer = dial(context, port)
    const noise = Buffer.from(Array.from({ length: 120 }, (_, at) => (at * 13 + i * 57) & 0xff))
    if (i % 2 === 0) noise.writeUInt32BE(i % 30, 0)
    peer.write(noise)
    await settle(5)
    peer.socket.end()
    await until(() => peer.isClosed)
  }
  assert.ok(faults.length >= 20)
  good.send({ command: 'submit_sm', sequence: 2 })
  assert.equal((await good.next('submit_sm_resp')).status, 0)
  assert.equal(smsc.sessions.length, 1)
})

test('sequence numbers of peers are echoed, whatever they are', async context => {
  const { port } = await startSmsc(context)
  const peer = await dialBound(context, port)
  for (const sequence of [0, 0x7fffffff, 0xffffffff]) {
    peer.send({ command: 'submit_sm', sequence })
    assert.equal((await peer.next('submit_sm_resp')).sequence, sequence)
  }
})

function selfSigned(context: TestContext): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'smpp_tls_'))
  context.after(() => rmSync(folder, { recursive: true }))
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile]
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, '-out', certFile, ...subject], { stdio: 'ignore' })
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
}

test('over TLS: a certificate that is trusted, one that is not, and a peer that speaks none', async context => {
  const tls = selfSigned(context)
  const sessions: SmscSession[] = []
  const options: Partial<SmscOptions> = { tls, onSession: session => void sessions.push(session) }
  const { port } = await startSmsc(context, options)
  const trusting = startEsme(context, { port, tls: { ca: tls.cert } })
  await trusting.bound()
  assert.deepEqual(await trusting.submit({ destinationAddr: '49' }), { status: 0, messageId: 'm' })
  assert.deepEqual(await sessions[0]!.deliver({}), { status: statuses.ESME_RX_T_APPN, messageId: '' })
  const doubting = startEsme(context, { port, tls: true, reconnect: false })
  await assert.rejects(doubting.bound(), /self-signed certificate/)
  const plain = startEsme(context, { port, reconnect: false })
  await assert.rejects(plain.bound())
  await trusting.close()
})
