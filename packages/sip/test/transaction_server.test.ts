// Server transactions, state by state and timer by timer: RFC 3261 §17.2 figures 7 and 8, RFC 6026 figure 5, the repetitions of
// §13.3.1.4 and RFC 3262 §3, and what RFC 4320 asks of requests other than INVITE.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { header } from '../src/headers.ts'
import type { SipRequest } from '../src/message.ts'
import type { Flow } from '../src/transaction/user.ts'
import type { RequestParts } from './transaction_support.ts'
import { assertEmpty, coreOf, createBench, createRequest, respondTo, tcp, udp } from './transaction_support.ts'

const branch = 'z9hG4bKserver'

function called(flow: Flow = udp, options: Parameters<typeof createBench>[1] = {}) {
  const bench = createBench(flow, options)
  const invite = createRequest('INVITE', { branch })
  bench.receive(invite)
  const state = () => bench.layer.state(bench.id)
  /** Of a refusal: with the branch of the INVITE. */
  const ack = () => bench.receive(createRequest('ACK', { branch, toTag: 'b' }))
  /** Of a 2xx: with its own. */
  const ackOf2xx = (parts: RequestParts = {}) =>
    bench.receive(createRequest('ACK', { branch: 'z9hG4bKack', toTag: 'b', ...parts }))
  return { bench, invite, state, ack, ackOf2xx }
}

function asked(flow: Flow = udp) {
  const bench = createBench(flow)
  const request = createRequest('OPTIONS', { branch })
  bench.receive(request)
  const state = () => bench.layer.state(bench.id)
  return { bench, request, state }
}

test('INVITE server, proceeding: the INVITE is reported once, 100 goes out after 200 ms and is repeated for each copy', () => {
  const { bench, invite, state } = called()
  assert.equal(state(), 'proceeding')
  bench.receive(invite)
  bench.until(300)
  bench.receive(invite)
  assert.deepEqual(bench.read(), ['0 request INVITE', '200 send 100', '300 send 100'])
  assert.equal(header(bench.sent[0]!, 'To'), header(invite, 'To'))
  bench.until(1_000_000)
  assert.deepEqual(bench.read(), [])
})

test('INVITE server, proceeding: no 100 when the core was faster; the last provisional response is the one repeated', () => {
  const { bench, invite } = called()
  bench.until(199)
  bench.respond(180)
  bench.until(1000)
  bench.respond(183)
  bench.receive(invite)
  const course = ['0 request INVITE', '199 send 180', '1000 send 183', '1000 send 183']
  assert.deepEqual(bench.read(), course)
})

test('INVITE server, proceeding: a transport that fails is reported, and the transaction goes on (RFC 6026 §7.1)', () => {
  const { bench, state } = called()
  bench.respond(180)
  bench.layer.transportFailed(bench.id, 0)
  bench.until(10)
  assert.deepEqual(bench.read(), ['0 request INVITE', '0 send 180', '0 fail transport'])
  assert.equal(state(), 'proceeding')
})

test('INVITE server, proceeding: an ACK means nothing', () => {
  const { bench, ack, state } = called()
  ack()
  assert.equal(state(), 'proceeding')
  assert.deepEqual(bench.read(), ['0 request INVITE'])
})

test('INVITE server, completed: timer G repeats and doubles to T2, timer H gives up after 64*T1', () => {
  const { bench, state } = called()
  bench.respond(486)
  assert.equal(state(), 'completed')
  bench.until(60_000)
  const at = [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
  const course = at.map(ms => `${ms} send 486`)
  assert.deepEqual(bench.read(), ['0 request INVITE', ...course, '32000 fail timeout', '32000 end'])
  assertEmpty(bench)
})

test('INVITE server, completed: over a reliable transport there is no timer G, but timer H', () => {
  const { bench } = called(tcp)
  bench.respond(302)
  bench.until(60_000)
  assert.deepEqual(bench.read(), ['0 request INVITE', '0 send 302', '32000 fail timeout', '32000 end'])
})

test('INVITE server, completed: a copy of the INVITE gets the response again, a second final response is refused', () => {
  const { bench, invite } = called(tcp)
  assert.ok(bench.respond(486))
  assert.equal(bench.respond(200), false)
  assert.equal(bench.respond(180), false)
  bench.receive(invite)
  assert.deepEqual(bench.read(), ['0 request INVITE', '0 send 486', '0 send 486'])
})

test('INVITE server, completed: a transport that fails is reported, and timer G goes on', () => {
  const { bench } = called()
  bench.respond(486)
  bench.layer.transportFailed(bench.id, 0)
  bench.until(500)
  assert.deepEqual(bench.read().slice(1), ['0 send 486', '0 fail transport', '500 send 486'])
})

test('INVITE server, confirmed: nothing is repeated, ACK and INVITE are absorbed, until timer I', () => {
  const { bench, invite, ack, state } = called()
  bench.respond(486)
  bench.until(600)
  ack()
  assert.equal(state(), 'confirmed')
  assert.equal(bench.layer.timerCount, 1)
  ack()
  bench.receive(invite)
  bench.until(60_000)
  assert.deepEqual(bench.read(), ['0 request INVITE', '0 send 486', '500 send 486', '5600 end'])
  assertEmpty(bench)
})

test('INVITE server, confirmed: timer I is over at once on a reliable transport', () => {
  const { bench, ack } = called(tcp)
  bench.respond(486)
  ack()
  assert.deepEqual(bench.read(), ['0 request INVITE', '0 send 486', '0 end'])
  assertEmpty(bench)
})

for (const [name, flow] of [
  ['unreliable', udp],
  ['reliable', tcp],
] as const) {
  test(`INVITE server, accepted, ${name}: the 2xx is repeated T1 to T2, without ACK a timeout at timer L`, () => {
    const { bench, invite, state } = called(flow)
    bench.respond(200)
    assert.equal(state(), 'accepted')
    bench.receive(invite)
    bench.until(60_000)
    const at = [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
    const course = at.map(ms => `${ms} send 200`)
    assert.deepEqual(bench.read(), ['0 request INVITE', ...course, '32000 fail timeout', '32000 end'])
    assertEmpty(bench)
  })

  test(`INVITE server, accepted, ${name}: the ACK ends the repetition and is reported each time, timer L ends the rest`, () => {
    const { bench, invite, ackOf2xx, state } = called(flow)
    bench.respond(200)
    bench.until(600)
    ackOf2xx()
    ackOf2xx()
    bench.receive(invite)
    assert.equal(state(), 'accepted')
    bench.until(60_000)
    ackOf2xx()
    const course = ['0 send 200', '500 send 200', '600 ack', '600 ack', '32000 end', '60000 lost ack']
    assert.deepEqual(bench.read().slice(1), course)
    assertEmpty(bench)
  })
}

test('INVITE server, accepted: an ACK with the branch of the INVITE counts too, one of other tags or numbers does not', () => {
  const { bench, ack, ackOf2xx } = called()
  bench.respond(200)
  bench.read()
  ackOf2xx({ toTag: 'other' })
  ackOf2xx({ cseq: 2 })
  ackOf2xx({ callId: 'c2' })
  ackOf2xx({ fromTag: 'x' })
  assert.deepEqual(bench.read(), Array(4).fill('0 lost ack'))
  ack()
  assert.deepEqual(bench.read(), ['0 ack'])
  bench.until(31_999)
  assert.deepEqual(bench.read(), [])
})

test('INVITE server, accepted: acked() of the user ends the repetition as well', () => {
  const { bench } = called()
  assert.equal(bench.layer.acked(bench.id), false)
  bench.respond(200)
  assert.ok(bench.layer.acked(bench.id))
  bench.until(60_000)
  assert.deepEqual(bench.read(), ['0 request INVITE', '0 send 200', '32000 end'])
  assert.equal(bench.layer.acked(bench.id), false)
})

test('INVITE server, accepted: the core may send another 2xx, nothing else; a transport that fails is reported', () => {
  const { bench, state } = called()
  bench.respond(200)
  assert.ok(bench.respond(200))
  assert.equal(bench.respond(486), false)
  bench.layer.transportFailed(bench.id, 0)
  bench.until(0)
  assert.equal(state(), 'accepted')
  assert.deepEqual(bench.read().slice(1), ['0 send 200', '0 send 200', '0 fail transport'])
})

test('a reliable provisional response is repeated from T1, doubling, until its PRACK (RFC 3262 §3)', () => {
  for (const flow of [udp, tcp]) {
    const { bench, invite } = called(flow)
    bench.respond(183, { rseq: 7 })
    bench.until(4000)
    bench.receive(invite)
    const prack = (rack: string, parts: RequestParts = {}) =>
      createRequest('PRACK', { toTag: 'b', cseq: 2, headers: [{ name: 'RAck', value: rack }], ...parts })
    const pracked = (request: SipRequest) => bench.layer.pracked(request, coreOf(request))
    for (const wrong of ['8 1 INVITE', '7 2 INVITE', '7 1 UPDATE', 'nonsense']) {
      assert.equal(pracked(prack(wrong)), undefined, wrong)
    }
    assert.equal(pracked(prack('7 1 INVITE', { toTag: 'other' })), undefined)
    assert.equal(pracked(createRequest('PRACK', { toTag: 'b' })), undefined)
    assert.equal(pracked(prack('7 1 INVITE')), bench.id)
    assert.equal(pracked(prack('7 1 INVITE')), undefined)
    assert.equal(bench.layer.timerCount, 0)
    bench.until(60_000)
    const course = [0, 500, 1500, 3500, 4000].map(ms => `${ms} send 183`)
    assert.deepEqual(bench.read(), ['0 request INVITE', ...course])
  }
})

test('a reliable provisional response without PRACK is reported after 64*T1, and the INVITE still waits for its answer', () => {
  const { bench, state } = called()
  bench.respond(183, { rseq: 1 })
  bench.until(60_000)
  const at = [0, 500, 1500, 3500, 7500, 15_500, 31_500]
  const course = [...at.map(ms => `${ms} send 183`), '32000 fail unacknowledged']
  assert.deepEqual(bench.read().slice(1), course)
  assert.equal(state(), 'proceeding')
  assert.ok(bench.respond(504))
})

test('several reliable provisional responses have timers of their own; the final response ends them all', () => {
  const { bench, state } = called()
  bench.respond(183, { rseq: 1 })
  bench.respond(180, { rseq: 2 })
  assert.equal(bench.layer.timerCount, 4)
  const prack = createRequest('PRACK', { toTag: 'b', cseq: 2, headers: [{ name: 'RAck', value: '1 1 INVITE' }] })
  assert.equal(bench.layer.pracked(prack, coreOf(prack)), bench.id)
  bench.until(500)
  bench.respond(200)
  assert.equal(state(), 'accepted')
  assert.equal(bench.layer.timerCount, 2)
  const course = ['0 send 183', '0 send 180', '500 send 180', '500 send 200']
  assert.deepEqual(bench.read().slice(1), course)
  // A PRACK that was under way is still right.
  const late = createRequest('PRACK', { toTag: 'b', cseq: 3, headers: [{ name: 'RAck', value: '2 1 INVITE' }] })
  assert.equal(bench.layer.pracked(late, coreOf(late)), bench.id)
})

test('other server, trying: copies are absorbed, no 100 before timer E of the client reaches T2 (RFC 4320 §4.1)', () => {
  const { bench, request, state } = asked()
  assert.equal(state(), 'trying')
  bench.receive(request)
  bench.until(3499)
  bench.receive(request)
  assert.deepEqual(bench.read(), ['0 request OPTIONS'])
  bench.until(3500)
  assert.equal(state(), 'proceeding')
  bench.receive(request)
  assert.deepEqual(bench.read(), ['3500 send 100', '3500 send 100'])
})

test('other server, trying and proceeding: unanswered it is over when the client has given up (timer answer), then timer J', () => {
  for (const provisional of [false, true]) {
    const { bench, request, state } = asked()
    if (provisional) bench.respond(100)
    bench.until(33_000)
    assert.deepEqual(bench.read().slice(2), ['32000 fail timeout'])
    assert.equal(state(), 'completed')
    assert.equal(bench.respond(200), false)
    // The last copy may come later than the client has given up: it is no new request.
    bench.receive(request)
    assert.ok(!bench.read().includes('33000 request OPTIONS'))
    bench.until(64_000)
    assert.deepEqual(bench.read(), ['64000 end'])
    assertEmpty(bench)
  }
})

test('other server, trying: a transport that fails means nothing, as nothing was sent', () => {
  const { bench, state } = asked()
  bench.layer.transportFailed(bench.id, 0)
  bench.until(10)
  assert.equal(state(), 'trying')
})

test('other server, proceeding: copies get the last provisional response; a transport that fails is reported and ends nothing', () => {
  const { bench, request, state } = asked()
  bench.respond(100)
  assert.equal(state(), 'proceeding')
  bench.receive(request)
  bench.respond(100)
  bench.layer.transportFailed(bench.id, 0)
  bench.until(0)
  bench.receive(request)
  const course = ['0 send 100', '0 send 100', '0 send 100', '0 fail transport', '0 send 100']
  assert.deepEqual(bench.read().slice(1), course)
})

for (const from of ['trying', 'proceeding']) {
  test(`other server, ${from} to completed: copies get the final response, until timer J`, () => {
    const { bench, request, state } = asked()
    if (from === 'proceeding') bench.respond(100)
    bench.read()
    assert.ok(bench.respond(200))
    assert.equal(state(), 'completed')
    assert.equal(bench.layer.timerCount, 1)
    assert.equal(bench.respond(404), false)
    bench.until(20_000)
    bench.receive(request)
    bench.until(60_000)
    assert.deepEqual(bench.read(), ['0 send 200', '20000 send 200', '32000 end'])
    assertEmpty(bench)
  })
}

test('other server, completed: timer J is over at once on a reliable transport; a refusal ends it as well', () => {
  const { bench } = asked(tcp)
  assert.ok(bench.respond(404))
  assert.deepEqual(bench.read(), ['0 request OPTIONS', '0 send 404', '0 end'])
  assert.equal(bench.respond(404), false)
  assertEmpty(bench)
})

test('other server, completed: a transport that fails is reported, and copies of the request are no new ones', () => {
  const { bench, request } = asked()
  bench.respond(200)
  bench.layer.transportFailed(bench.id, 5)
  bench.until(6)
  bench.receive(request)
  bench.until(60_000)
  assert.deepEqual(bench.read().slice(2), ['5 fail transport', '6 send 200', '32000 end'])
  assertEmpty(bench)
})

test('the answer may be given from within onRequest', () => {
  const bench = createBench(tcp, {
    on: {
      onRequest: (request, _core, _flow, id) => {
        assert.ok(bench.layer.respond(id, respondTo(request, 200), bench.now))
      },
    },
  })
  bench.receive(createRequest('OPTIONS', { branch }))
  assert.deepEqual(bench.read(), ['0 request OPTIONS', '0 send 200', '0 end'])
  assertEmpty(bench)
})

test('the answer may be given from within the failure of what went before', () => {
  const bench = createBench(udp, {
    on: {
      onFailure(id, why) {
        if (why !== 'timeout') bench.layer.respond(id, respondTo(invite, 504), bench.now)
      },
    },
  })
  const invite = createRequest('INVITE', { branch })
  bench.receive(invite)
  bench.respond(180, { rseq: 1 })
  bench.until(32_000)
  assert.deepEqual(bench.log.slice(-2), ['32000 fail unacknowledged', '32000 send 504'])
  bench.receive(createRequest('ACK', { branch, toTag: 'b' }))
  bench.until(60_000)
  assertEmpty(bench)
})
