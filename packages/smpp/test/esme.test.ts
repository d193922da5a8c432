// The customer's side against message centres that do what they should not: window, timers, lost links, late answers,
// refusals, garbage. Time is moved by hand.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { RequestFailure } from '../src/index.ts'
import { encodePdu, isRequestFailure, statuses } from '../src/index.ts'
import { acceptBind, boundEsme, fakeClock, rawServer, settle, startEsme, startSmsc, until } from './support.ts'

const fields = { sourceAddr: 'Tandem', destinationAddr: '4915112345678', shortMessage: Buffer.from('hi') }

/** How a request failed, in two words. */
async function failureOf(request: Promise<unknown>): Promise<string> {
  const error = await request.then(
    () => assert.fail('it was answered'),
    (reason: unknown) => reason,
  )
  assert.ok(isRequestFailure(error), String(error))
  return `${error.outcome} ${error.reason}`
}

test('binds, submits, gets the answer, unbinds', async context => {
  const submitted: string[] = []
  const { smsc, port } = await startSmsc(context, {
    systemId: 'centre',
    onSubmit: async (_session, pdu) => {
      submitted.push(`${'destinationAddr' in pdu && pdu.destinationAddr}`)
      return { status: 0, messageId: `m${submitted.length}` }
    },
  })
  const esme = startEsme(context, { port })
  await esme.bound()
  assert.equal(smsc.sessions[0]?.systemId, 'tandem')
  assert.deepEqual(await esme.submit(fields), { status: 0, messageId: 'm1' })
  assert.deepEqual(submitted, ['4915112345678'])
  await esme.close()
  assert.deepEqual(
    esme.changes.map(({ state }) => state),
    ['binding', 'bound', 'closing', 'closed'],
  )
  await until(() => smsc.sessions.length === 0)
})

test('never has more than its window unanswered, and says when there is room', async context => {
  let roomTold = 0
  const { esme, peer } = await boundEsme(context, { window: 3, onRoom: () => roomTold++ })
  assert.equal(esme.freeWindow(), 3)
  const requests = [1, 2, 3].map(() => esme.submit(fields))
  assert.equal(esme.freeWindow(), 0)
  assert.equal(await failureOf(esme.submit(fields)), 'not_written window_full')
  const first = await peer.next('submit_sm')
  const toldBefore = roomTold
  peer.send({ command: 'submit_sm_resp', sequence: first.sequence, messageId: 'a' })
  assert.deepEqual(await requests[0], { status: 0, messageId: 'a' })
  assert.equal(esme.freeWindow(), 1)
  assert.equal(roomTold, toldBefore + 1)
  for (const name of ['b', 'c']) {
    const { sequence } = await peer.next('submit_sm')
    peer.send({ command: 'submit_sm_resp', sequence, messageId: name })
  }
  assert.deepEqual(await Promise.all(requests.slice(1)), [
    { status: 0, messageId: 'b' },
    { status: 0, messageId: 'c' },
  ])
})

test('everything of one turn leaves in one write', async context => {
  const { esme, peer } = await boundEsme(context, { window: 100 })
  const before = esme.counters.writes
  const requests = Array.from({ length: 100 }, () => esme.submit(fields))
  await until(() => peer.received.length === 100)
  assert.equal(esme.counters.writes, before + 1)
  const answers = peer.received.map(
    item => ({ command: 'submit_sm_resp', sequence: item.sequence, messageId: 'x' }) as const,
  )
  peer.send(...answers.reverse())
  assert.equal((await Promise.all(requests)).length, 100)
})

test('a request without a response in time is unanswered; its late response is told once, and frees no slot twice', async context => {
  const clock = fakeClock()
  const late: unknown[] = []
  const { esme, peer } = await boundEsme(context, {
    clock,
    window: 2,
    onLateResponse: (given, answer) => late.push(given, answer),
  })
  const request = failureOf(esme.submit(fields))
  const { sequence } = await peer.next('submit_sm')
  clock.advance(29_999)
  await settle()
  assert.equal(esme.freeWindow(), 1)
  clock.advance(1)
  assert.equal(await request, 'unanswered timeout')
  assert.equal(esme.freeWindow(), 2)
  const response = { command: 'submit_sm_resp', sequence, messageId: 'late' } as const
  peer.send(response, response)
  await until(() => esme.counters.unexpectedResponses === 1)
  assert.deepEqual(late, [fields, { status: 0, messageId: 'late' }])
  assert.equal(late[0], fields)
  assert.deepEqual([esme.freeWindow(), esme.counters.timeouts, esme.counters.lateResponses], [2, 1, 1])
})

test('each request has its own time', async context => {
  const clock = fakeClock()
  const { esme, peer } = await boundEsme(context, { clock, responseTimeoutMs: 1000 })
  const first = failureOf(esme.submit(fields))
  await peer.next('submit_sm')
  clock.advance(600)
  const second = failureOf(esme.submit(fields))
  await peer.next('submit_sm')
  clock.advance(400)
  assert.equal(await first, 'unanswered timeout')
  assert.equal(esme.freeWindow(), 9)
  clock.advance(600)
  assert.equal(await second, 'unanswered timeout')
})

test('a link that dies leaves what was written unanswered and what was not written free to go elsewhere', async context => {
  const { esme, peer } = await boundEsme(context, { reconnect: { minMs: 60_000, maxMs: 60_000 } })
  const written = failureOf(esme.submit(fields))
  await peer.next('submit_sm')
  peer.socket.destroy()
  assert.equal(await written, 'unanswered link_lost')
  assert.equal(esme.state, 'waiting')
  assert.equal(await failureOf(esme.submit(fields)), 'not_written not_bound')
  assert.equal(esme.freeWindow(), 0)
})

test('what waits for the end of the turn when the link dies was not written', async context => {
  const clock = fakeClock()
  const { esme, peer } = await boundEsme(context, { clock, enquireLinkMs: 1000, responseTimeoutMs: 1000 })
  // Two enquiries go unanswered; the link is cut in the very turn in which a message is added.
  clock.advance(1000)
  await peer.next('enquire_link')
  clock.advance(1000)
  await peer.next('enquire_link')
  clock.advance(999)
  const request = failureOf(esme.submit(fields))
  clock.advance(1)
  assert.equal(await request, 'not_written link_lost')
  await until(() => esme.state === 'waiting')
})

test('a message that cannot be encoded is refused by name and takes no slot', async context => {
  const { esme } = await boundEsme(context)
  const error = await esme
    .submit({ ...fields, destinationAddr: '4'.repeat(40) })
    .catch((reason: RequestFailure) => reason)
  assert.ok(isRequestFailure(error))
  assert.deepEqual([error.outcome, error.reason], ['not_written', 'invalid'])
  assert.equal(error.message, 'destination_addr: 40 characters, at most 20 fit')
  assert.equal(esme.freeWindow(), 10)
})

test('statuses and generic_nack are answers; a malformed success is none', async context => {
  const { esme, peer } = await boundEsme(context)
  const requests = Array.from({ length: 5 }, () => esme.submit(fields))
  const sequences = []
  for (const _ of requests) sequences.push((await peer.next('submit_sm')).sequence)
  const malformed = encodePdu({ command: 'submit_sm_resp', sequence: sequences[3]!, messageId: 'abc' }).subarray(0, -1)
  malformed.writeUInt32BE(malformed.length, 0)
  const refused = Buffer.from(malformed)
  refused.writeUInt32BE(statuses.ESME_RMSGQFUL, 8)
  refused.writeUInt32BE(sequences[4]!, 12)
  const failed = failureOf(requests[3]!)
  peer.send(
    { command: 'submit_sm_resp', status: statuses.ESME_RTHROTTLED, sequence: sequences[0]! },
    { command: 'generic_nack', status: statuses.ESME_RINVCMDID, sequence: sequences[1]! },
    { command: 'generic_nack', status: 0, sequence: sequences[2]! },
  )
  peer.write(Buffer.concat([malformed, refused]))
  assert.deepEqual(await requests[0], { status: 0x58, messageId: '' })
  assert.deepEqual(await requests[1], { status: 0x03, messageId: '' })
  assert.deepEqual(await requests[2], { status: 0xff, messageId: '' })
  assert.equal(await failed, 'unanswered malformed_response')
  assert.deepEqual(await requests[4], { status: 0x14, messageId: '' })
  assert.equal(esme.freeWindow(), 10)
})

test('a response of another kind, or to nothing, settles nothing', async context => {
  const { esme, peer } = await boundEsme(context)
  const request = esme.submit(fields)
  const { sequence } = await peer.next('submit_sm')
  peer.send({ command: 'deliver_sm_resp', sequence }, { command: 'submit_sm_resp', sequence: 999 })
  await until(() => esme.counters.unexpectedResponses === 2)
  peer.send({ command: 'submit_sm_resp', sequence, messageId: 'ok' })
  assert.equal((await request).messageId, 'ok')
})

test('an idle link is asked; two misses cut it, and it binds again', async context => {
  const clock = fakeClock()
  const { esme, peer, peers } = await boundEsme(context, { clock })
  clock.advance(29_999)
  await settle()
  assert.equal(peer.received.length, 0)
  clock.advance(1)
  const { sequence } = await peer.next('enquire_link')
  peer.send({ command: 'enquire_link_resp', sequence })
  await settle()
  clock.advance(30_000)
  await peer.next('enquire_link')
  clock.advance(30_000)
  await peer.next('enquire_link')
  assert.equal(esme.state, 'bound')
  clock.advance(30_000)
  await until(() => esme.state === 'waiting')
  assert.equal(esme.changes.at(-1)?.reason, '2 enquire_link were not answered')
  clock.advance(1000)
  await acceptBind(peers, 1)
  await esme.bound()
})

test('a peer that speaks is not asked, and one miss is forgotten when it speaks again', async context => {
  const clock = fakeClock()
  const { esme, peer } = await boundEsme(context, { clock, onDeliver: () => 0 })
  clock.advance(30_000)
  await peer.next('enquire_link')
  clock.advance(10_000)
  peer.send({ command: 'deliver_sm', sequence: 1 })
  await peer.next('deliver_sm_resp')
  clock.advance(20_000)
  await settle()
  clock.advance(30_000)
  await peer.next('enquire_link')
  clock.advance(29_000)
  await settle()
  assert.equal(esme.state, 'bound')
})

test('answers enquire_link at once, even before it is bound', async context => {
  const { port, peers } = await rawServer(context)
  startEsme(context, { port })
  await until(() => peers.length === 1)
  const peer = peers[0]!
  await peer.next('bind_transceiver')
  peer.send({ command: 'enquire_link', sequence: 41 })
  assert.equal((await peer.next('enquire_link_resp')).sequence, 41)
})

test('waits one second, then two, up to sixty; and a bind that held begins anew', async context => {
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
  const { port, server } = await rawServer(context)
  server.close()
  const esme = startEsme(context, { port, clock: fakeClock(), random: () => 0.999 })
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
