// The customer's side against message centres that do what they should not: window, timers, lost links, late answers.
// Time is moved by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestFailure } from '../src/index.ts'
import { encodePdu, isRequestFailure, statuses } from '../src/index.ts'
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
  let roomCalls = 0
  const { esme, peer } = await boundEsme(context, { window: 3, onRoom: () => roomCalls++ })
  assert.equal(esme.freeWindow(), 3)
  const requests = [1, 2, 3].map(() => esme.submit(fields))
  assert.equal(esme.freeWindow(), 0)
  assert.equal(await failureOf(esme.submit(fields)), 'not_written window_full')
  const first = await peer.next('submit_sm')
  const callsBefore = roomCalls
  peer.send({ command: 'submit_sm_resp', sequence: first.sequence, messageId: 'a' })
  assert.deepEqual(await requests[0], { status: 0, messageId: 'a' })
  assert.equal(esme.freeWindow(), 1)
  assert.equal(roomCalls, callsBefore + 1)
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

test('a request without a response in time is unanswered; its late response is reported once, and frees no slot twice', async context => {
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
  const { reason, silentMs } = esme.changes.at(-1)!
  assert.deepEqual([reason, silentMs], ['2 enquire_link were not answered', 90_000])
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

test('a thousand PDUs in a row that are malformed or answer nothing end the link', async context => {
  const clock = fakeClock()
  const { esme, peer } = await boundEsme(context, { clock })
  const cut = encodePdu({ command: 'deliver_sm', sequence: 71 }).subarray(0, 20)
  cut.writeUInt32BE(20, 0)
  const useless = Array.from({ length: 999 }, (_, at) =>
    at % 2 === 0 ? cut : encodePdu({ command: 'generic_nack', sequence: 5000 + at }),
  )
  peer.write(Buffer.concat([...useless, encodePdu({ command: 'enquire_link', sequence: 72 }), ...useless]))
  await peer.next('enquire_link_resp')
  await until(() => esme.counters.faults + esme.counters.unexpectedResponses === 2 * 999)
  assert.equal(esme.state, 'bound', 'a good one was between them')
  peer.send({ command: 'submit_sm_resp', sequence: 5000 })
  await until(() => esme.state === 'waiting')
  assert.equal(esme.changes.at(-1)?.reason, '1000 PDUs in a row were malformed or answered nothing')
})
