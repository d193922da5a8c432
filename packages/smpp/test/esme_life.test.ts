// The customer's side as a link that keeps itself up: waits between tries, what comes in, the ends of it, and peers that send
// garbage. Time is moved by hand.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { closedPort } from '../../../scripts/testing/free_port.ts'
import { encodePdu, statuses } from '../src/index.ts'
import {
  acceptBind,
  boundEsme,
  failureOf,
  fakeClock,
  fields,
  rawServer,
  settle,
  startEsme,
  startSmsc,
  until,
} from './support.ts'

test('waits one second, then two, up to sixty; and a bind that held starts again', async context => {
  const clock = fakeClock()
  const { port, peers } = await rawServer(context)
  const esme = startEsme(context, { port, clock })
  const waits: (number | undefined)[] = []
  for (let i = 0; i < 8; i++) {
    await until(() => peers.length === i + 1)
    peers[i]!.socket.destroy()
    await until(() => esme.state === 'waiting')
    waits.push(esme.changes.at(-1)?.retryMs)
    clock.advance(waits.at(-1)!)
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  const peer = await acceptBind(peers, 8)
  await esme.bound()
  clock.advance(10_000)
  peer.socket.destroy()
  await until(() => esme.state === 'waiting')
  assert.equal(esme.changes.at(-1)?.retryMs, 1000)
})

test('jitter spreads the waits and keeps within a quarter', async context => {
  const esme = startEsme(context, { port: closedPort, clock: fakeClock(), random: () => 0.999 })
  await until(() => esme.state === 'waiting')
  assert.equal(esme.changes.at(-1)?.retryMs, 750)
  assert.match(esme.changes.at(-1)!.reason, /no connection to 127\.0\.0\.1:\d+: .*ECONNREFUSED/)
})

for (const name of ['ESME_RALYBND', 'ESME_RBINDFAIL', 'ESME_RINVPASWD', 'ESME_RINVSYSID'] as const) {
  test(`a bind refused with ${name} is tried again after a minute at the earliest`, async context => {
    const clock = fakeClock()
    const { port, peers } = await rawServer(context)
    const esme = startEsme(context, { port, clock })
    await acceptBind(peers, 0, statuses[name])
    await until(() => esme.state === 'waiting')
    const { status, retryMs, reason } = esme.changes.at(-1)!
    assert.deepEqual([status, reason], [statuses[name], `the bind was refused: ${name}`])
    assert.ok(retryMs! >= 60_000)
    clock.advance(59_999)
    assert.equal(peers.length, 1)
    clock.advance(1)
    await acceptBind(peers, 1)
    await esme.bound()
  })
}

test('other refusals back off like any trouble; a single try ends at once', async context => {
  const { port, peers } = await rawServer(context)
  const esme = startEsme(context, { port, clock: fakeClock() })
  await acceptBind(peers, 0, statuses.ESME_RSYSERR)
  await until(() => esme.state === 'waiting')
  assert.equal(esme.changes.at(-1)?.retryMs, 1000)
  const once = startEsme(context, { port, reconnect: false })
  const bound = once.bound()
  await acceptBind(peers, 1, statuses.ESME_RINVPASWD)
  await assert.rejects(bound, /the bind was refused: ESME_RINVPASWD/)
  assert.deepEqual([once.state, once.changes.at(-1)?.status], ['closed', statuses.ESME_RINVPASWD])
})

test('a connection that does not come up, or a bind without an answer, is given up in time', async context => {
  const clock = fakeClock()
  const { port, peers } = await rawServer(context)
  const esme = startEsme(context, { port, clock, responseTimeoutMs: 5000 })
  await until(() => peers[0]?.received.length === 1)
  clock.advance(5000)
  await until(() => esme.state === 'waiting')
  assert.match(esme.changes.at(-1)!.reason, /bind_transceiver: no response for 5 s/)
  const tls = startEsme(context, { port, clock, tls: true, connectTimeoutMs: 3000 })
  await until(() => peers.length === 2)
  clock.advance(3000)
  await until(() => tls.state === 'waiting')
  assert.match(tls.changes.at(-1)!.reason, /in time/)
})

test('a delivery is answered when it is safe, with the status it was given, exactly once', async context => {
  const waiting: ((status: number) => void)[] = []
  const { esme, peer } = await boundEsme(context, {
    onDeliver: pdu => {
      if (pdu.sequence === 3) throw new Error('storage is down')
      if (pdu.sequence === 4) return Promise.reject(new Error('storage is down'))
      return new Promise(resolve => waiting.push(resolve))
    },
  })
  peer.send(
    { command: 'deliver_sm', sequence: 1 },
    { command: 'data_sm', sequence: 2 },
    { command: 'deliver_sm', sequence: 3 },
  )
  peer.send({ command: 'deliver_sm', sequence: 4 })
  await until(() => waiting.length === 2)
  await until(() => peer.received.length === 2)
  waiting[1]!(statuses.ESME_RX_P_APPN)
  assert.equal((await peer.next('data_sm_resp')).status, statuses.ESME_RX_P_APPN)
  waiting[0]!(0)
  const responses = []
  for (let i = 0; i < 3; i++) responses.push(await peer.next('deliver_sm_resp'))
  assert.deepEqual(responses.map(({ sequence, status }) => [sequence, status]).sort(), [
    [1, 0],
    [3, 0x64],
    [4, 0x64],
  ])
  await settle()
  assert.equal(peer.received.length, 0)
  assert.equal(esme.state, 'bound')
})

test('no more deliveries are read while too many wait, and none is lost', async context => {
  const waiting: ((status: number) => void)[] = []
  const { peer } = await boundEsme(context, {
    maxDeliveries: 5,
    onDeliver: () => new Promise(resolve => waiting.push(resolve)),
  })
  for (let i = 1; i <= 50; i++) {
    peer.send({ command: 'deliver_sm', sequence: i })
    await settle(3)
  }
  await until(() => waiting.length >= 5)
  await settle(50)
  assert.ok(waiting.length < 50, `${waiting.length} are worked on`)
  for (let answered = 0; answered < 50; answered++) {
    await until(() => waiting.length > 0)
    waiting.shift()!(0)
  }
  await until(() => peer.received.length === 50)
})

test('without anybody to take deliveries the message centre keeps them; a transmitter gets none', async context => {
  const nobody = await boundEsme(context)
  nobody.peer.send({ command: 'deliver_sm', sequence: 1 })
  assert.equal((await nobody.peer.next('deliver_sm_resp')).status, statuses.ESME_RX_T_APPN)
  const transmitter = await boundEsme(context, { role: 'transmitter', onDeliver: () => 0 })
  transmitter.peer.send({ command: 'deliver_sm', sequence: 1 })
  assert.equal((await transmitter.peer.next('deliver_sm_resp')).status, statuses.ESME_RINVBNDSTS)
  const receiver = await boundEsme(context, { role: 'receiver', onDeliver: () => 0 })
  assert.equal(receiver.esme.freeWindow(), 0)
  assert.equal(await failureOf(receiver.esme.submit(fields)), 'not_written wrong_role')
})

test('malformed and unknown requests are answered in kind, and the link stays', async context => {
  const { esme, peer } = await boundEsme(context, { onDeliver: () => 0 })
  const unknown = encodePdu({ command: 'unbind', sequence: 70 })
  unknown.writeUInt32BE(0x111, 4)
  const cut = encodePdu({ command: 'deliver_sm', sequence: 71 }).subarray(0, 20)
  cut.writeUInt32BE(20, 0)
  peer.write(Buffer.concat([unknown, cut]))
  const nack = await peer.next('generic_nack')
  assert.deepEqual([nack.status, nack.sequence], [statuses.ESME_RINVCMDID, 70])
  const response = await peer.next('deliver_sm_resp')
  assert.deepEqual([response.status, response.sequence], [statuses.ESME_RINVCMDLEN, 71])
  assert.equal(esme.counters.faults, 2)
  peer.send({ command: 'submit_sm', sequence: 72 })
  assert.equal((await peer.next('submit_sm_resp')).status, statuses.ESME_RINVBNDSTS)
  assert.equal(esme.state, 'bound')
})

test('octets that are no PDU are nacked, and the link is closed and bound again', async context => {
  const clock = fakeClock()
  const { esme, peer } = await boundEsme(context, { clock })
  const request = failureOf(esme.submit(fields))
  await peer.next('submit_sm')
  peer.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))
  assert.equal((await peer.next('generic_nack')).status, statuses.ESME_RINVCMDLEN)
  assert.equal(await request, 'unanswered link_lost')
  await until(() => esme.state === 'waiting' && peer.isClosed)
  assert.match(esme.changes.at(-1)!.reason, /no PDU: command_length is 1213486160/)
})

test('an unbind of the peer is answered, and the link comes back', async context => {
  const clock = fakeClock()
  const { esme, peer, peers } = await boundEsme(context, { clock })
  peer.send({ command: 'unbind', sequence: 9 })
  assert.equal((await peer.next('unbind_resp')).sequence, 9)
  await until(() => esme.state === 'waiting')
  assert.deepEqual([esme.changes.at(-1)?.reason, esme.changes.at(-1)?.retryMs], ['the peer unbound', 1000])
  clock.advance(1000)
  await acceptBind(peers, 1)
  await esme.bound()
  assert.equal(esme.counters.binds, 2)
})

test('a delivery that becomes safe behind an unbind of the peer keeps no answer from coming', async context => {
  let delivered: ((status: number) => void) | undefined
  const { esme, peer } = await boundEsme(context, {
    reconnect: false,
    onDeliver: () => new Promise(resolve => (delivered = resolve)),
  })
  // It goes on sending when our side is closed.
  peer.socket.allowHalfOpen = true
  const request = esme.submit(fields)
  const { sequence } = await peer.next('submit_sm')
  peer.send({ command: 'deliver_sm', sequence: 5 }, { command: 'unbind', sequence: 9 })
  await peer.next('unbind_resp')
  delivered!(0)
  await settle()
  peer.send({ command: 'submit_sm_resp', sequence, messageId: 'last' })
  assert.equal((await request).messageId, 'last')
  assert.deepEqual(peer.received, [], 'the peer will deliver again')
  peer.socket.end()
  await until(() => esme.state === 'closed')
  assert.equal(esme.changes.at(-1)?.reason, 'the peer unbound')
})

test('close waits for what is under way, unbinds, and takes nothing more', async context => {
  const clock = fakeClock()
  let delivered: ((status: number) => void) | undefined
  const { esme, peer } = await boundEsme(context, {
    clock,
    onDeliver: () => new Promise(resolve => (delivered = resolve)),
  })
  const request = esme.submit(fields)
  const { sequence } = await peer.next('submit_sm')
  peer.send({ command: 'deliver_sm', sequence: 5 })
  await until(() => delivered !== undefined)
  const closed = esme.close()
  assert.equal(await failureOf(esme.submit(fields)), 'not_written closing')
  peer.send({ command: 'submit_sm_resp', sequence, messageId: 'last' })
  assert.equal((await request).messageId, 'last')
  await settle()
  assert.equal(peer.received.length, 0)
  delivered!(0)
  await peer.next('deliver_sm_resp')
  const unbind = await peer.next('unbind')
  peer.send({ command: 'unbind_resp', sequence: unbind.sequence })
  await closed
  await until(() => peer.isClosed)
  assert.equal(esme.state, 'closed')
  assert.deepEqual(clock.waits(), [])
})

test('close is bounded: what is not answered in time is unanswered, and a deaf peer is cut off', async context => {
  const clock = fakeClock()
  const late: string[] = []
  const { esme, peer } = await boundEsme(context, {
    clock,
    onLateResponse: (_, { messageId }) => late.push(messageId),
  })
  const request = failureOf(esme.submit(fields))
  const { sequence } = await peer.next('submit_sm')
  const closed = esme.close({ drainMs: 3000 })
  clock.advance(3000)
  // No later than that, however long the unbind takes.
  assert.equal(await request, 'unanswered closing')
  await peer.next('unbind')
  peer.send({ command: 'submit_sm_resp', sequence, messageId: 'late' })
  await until(() => late.length === 1)
  assert.deepEqual(late, ['late'])
  clock.advance(5000)
  await closed
  await esme.close()
  assert.deepEqual(clock.waits(), [])
})

test('destroy cuts the connection without a word, also one that is being closed', async context => {
  const clock = fakeClock()
  for (const isClosing of [false, true]) {
    const { esme, peer } = await boundEsme(context, { clock })
    const request = failureOf(esme.submit(fields))
    await peer.next('submit_sm')
    const closed = isClosing ? esme.close() : undefined
    // Of the same turn: nothing of it leaves.
    const unwritten = isClosing ? undefined : failureOf(esme.submit(fields))
    esme.destroy('enough')
    assert.equal(await request, 'unanswered link_lost')
    if (unwritten !== undefined) assert.equal(await unwritten, 'not_written link_lost')
    await closed
    await until(() => peer.isClosed && esme.state === 'closed')
    assert.deepEqual(peer.received, [])
    assert.deepEqual(clock.waits(), [])
    esme.destroy()
    await esme.close()
  }
  const { port, peers, server } = await rawServer(context)
  const binding = startEsme(context, { port, clock })
  await until(() => binding.state === 'binding' && peers.length === 1)
  binding.destroy()
  server.close()
  const waiting = startEsme(context, { port, clock })
  await until(() => waiting.state === 'waiting')
  waiting.destroy()
  for (const esme of [binding, waiting]) await until(() => esme.state === 'closed')
  assert.deepEqual(clock.waits(), [])
})

test('close ends a link that waits, connects or binds, and leaves no timer', async context => {
  const clock = fakeClock()
  const { port, peers, server } = await rawServer(context)
  const binding = startEsme(context, { port, clock })
  await until(() => binding.state === 'binding')
  await binding.close()
  const connecting = startEsme(context, { port, clock })
  await connecting.close()
  server.close()
  const waiting = startEsme(context, { port, clock })
  await until(() => waiting.state === 'waiting')
  await waiting.close()
  for (const esme of [binding, connecting, waiting]) assert.equal(esme.state, 'closed')
  await assert.rejects(waiting.bound(), /the link is closed/)
  assert.deepEqual(clock.waits(), [])
  await until(() => peers.every(peer => peer.isClosed))
})

test('a socket that takes no more stops the window until it drains', async context => {
  const { esme, peer } = await boundEsme(context, { window: 5000 })
  peer.socket.pause()
  const payload = Buffer.alloc(60_000)
  const requests: Promise<unknown>[] = []
  for (let turn = 0; turn < 500 && (turn === 0 || esme.freeWindow() > 0); turn++) {
    for (let i = 0; i < 20 && esme.freeWindow() > 0; i++)
      requests.push(esme.submit({ ...fields, shortMessage: Buffer.alloc(0), tlvs: { messagePayload: payload } }))
    await settle(2)
  }
  assert.equal(esme.freeWindow(), 0)
  assert.ok(requests.length < 5000)
  assert.equal(await failureOf(esme.submit(fields)), 'not_written window_full')
  peer.socket.resume()
  await until(() => esme.freeWindow() > 0)
  await until(() => peer.received.length === requests.length)
  for (const item of peer.received) peer.send({ command: 'submit_sm_resp', sequence: item.sequence, messageId: 'x' })
  await Promise.all(requests)
})

test('other requests go the same way', async context => {
  const { esme, peer } = await boundEsme(context)
  const query = esme.request('query_sm', { messageId: 'abc' })
  const { sequence, messageId } = await peer.next('query_sm')
  assert.equal(messageId, 'abc')
  peer.send({ command: 'query_sm_resp', sequence, messageId, messageState: 2 })
  const response = await query
  assert.equal(response.command === 'query_sm_resp' && response.messageState, 2)
  const alive = esme.request('enquire_link', {})
  peer.send({ command: 'enquire_link_resp', sequence: (await peer.next('enquire_link')).sequence })
  assert.equal((await alive).command, 'enquire_link_resp')
})

test('the trace shows every PDU both ways and no password', async context => {
  const lines: string[] = []
  const { esme, peer } = await boundEsme(context, {
    onTrace: ({ direction, text }) => lines.push(`${direction} ${text}`),
  })
  const request = esme.submit(fields)
  peer.send({ command: 'submit_sm_resp', sequence: (await peer.next('submit_sm')).sequence, messageId: 'x' })
  await request
  assert.deepEqual(lines, [
    'out bind_transceiver seq=1 systemId="tandem" password="********"',
    'in bind_transceiver_resp seq=1 ESME_ROK',
    'out submit_sm seq=2 sourceAddr="Tandem" destinationAddr="4915112345678" shortMessage=2:6869',
    'in submit_sm_resp seq=2 ESME_ROK messageId="x"',
  ])
})

test('a peer that sends garbage of every kind never breaks the client', async context => {
  const { port, peers } = await rawServer(context)
  const esme = startEsme(context, { port, reconnect: { minMs: 1, maxMs: 2, refusedMs: 1 }, onDeliver: () => 0 })
  for (let i = 0; i < 60; i++) {
    await until(() => peers.length > i)
    const noise = Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 7 + i * 31) & 0xff))
    if (i % 2 === 0) noise.writeUInt32BE(16 + (i % 100), 0)
    if (i % 3 === 0) noise.writeUInt32BE(0x80000009, 4)
    peers[i]!.write(noise)
    await until(() => peers[i]!.isClosed || peers[i]!.received.length > 1)
    peers[i]!.socket.destroy()
  }
  const peer = await acceptBind(peers, peers.length)
  await esme.bound()
  assert.ok(!peer.isClosed)
})

test('nothing else comes on the connection of a stranger: the port speaks SMPP only', async context => {
  const { port } = await startSmsc(context)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  socket.write('GET / HTTP/1.1\r\n\r\n')
  await new Promise(resolve => socket.on('close', resolve))
})
