// Client transactions, state by state and timer by timer: RFC 3261 §17.1 figures 5 and 6, RFC 6026 figure 4, CANCEL of §9.1.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchOf, isUniqueBranch } from '../src/core.ts'
import { header, headerLines } from '../src/headers.ts'
import type { SipRequest } from '../src/message.ts'
import type { Flow } from '../src/transaction/user.ts'
import { assertEmpty, coreOf, createBench, createRequest, respondTo, tcp, udp } from './transaction_support.ts'

function call(flow: Flow = udp, options: Parameters<typeof createBench>[1] = {}) {
  const bench = createBench(flow, options)
  const invite = bench.request(createRequest('INVITE'))
  const answer = (status: number, toTag = 'b') => bench.receive(respondTo(invite, status, { toTag }))
  const state = () => bench.layer.state(bench.id)
  return { bench, invite, answer, state }
}

function ask(flow: Flow = udp, options: Parameters<typeof createBench>[1] = {}) {
  const bench = createBench(flow, options)
  const request = bench.request(createRequest('OPTIONS'))
  const answer = (status: number) => bench.receive(respondTo(request, status))
  const state = () => bench.layer.state(bench.id)
  return { bench, request, answer, state }
}

test('a request gets a fresh branch in its top Via, and the other headers stay', () => {
  const bench = createBench()
  const asked = createRequest('OPTIONS', { branch: 'z9hG4bKold', sentBy: '192.0.2.10:5070' })
  const two = [bench.request(asked), bench.request(asked)]
  const branches = two.map(request => branchOf(coreOf(request).via))
  assert.ok(branches.every(isUniqueBranch))
  assert.notEqual(branches[0], branches[1])
  assert.match(header(two[0]!, 'Via')!, /^SIP\/2\.0\/UDP 192\.0\.2\.10:5070;branch=z9hG4bK[0-9a-f]{24}$/)
  assert.deepEqual(two[0]!.headers.slice(1), asked.headers.slice(1))
})

test('ACK, CANCEL and a request without Via are no requests', () => {
  const bench = createBench()
  assert.throws(() => bench.request(createRequest('ACK')), /ACK/)
  assert.throws(() => bench.request(createRequest('CANCEL')), /CANCEL/)
  assert.throws(() => bench.request({ ...createRequest('OPTIONS'), headers: [] }), /Via/)
  assertEmpty(bench)
})

test('INVITE client, calling: timer A repeats and doubles, timer B gives up after 64*T1', () => {
  const { bench, state } = call()
  assert.equal(state(), 'calling')
  bench.until(60_000)
  const at = [0, 500, 1500, 3500, 7500, 15_500, 31_500]
  assert.deepEqual(bench.read(), [...at.map(ms => `${ms} send INVITE`), '32000 fail timeout', '32000 end'])
  assert.equal(new Set(bench.sent).size, 1)
  assertEmpty(bench)
})

test('INVITE client, calling: over a reliable transport there is no timer A, but timer B', () => {
  const { bench } = call(tcp)
  bench.until(60_000)
  assert.deepEqual(bench.read(), ['0 send INVITE', '32000 fail timeout', '32000 end'])
})

test('INVITE client, calling: a transport that fails ends it, reported at the next tick', () => {
  const { bench, state } = call()
  bench.layer.transportFailed(bench.id, 10)
  bench.layer.transportFailed(bench.id, 12)
  assert.equal(state(), 'calling')
  assert.equal(bench.layer.nextDeadlineMs, 12)
  bench.until(100)
  assert.deepEqual(bench.read(), ['0 send INVITE', '12 fail transport', '12 end'])
  assertEmpty(bench)
})

test('INVITE client: a transport may fail from within send', () => {
  const failing: Parameters<typeof createBench>[1] = {
    on: { send: (_message, _flow, id) => bench.layer.transportFailed(id, 0) },
  }
  const bench = createBench(udp, failing)
  bench.request(createRequest('INVITE'))
  assert.equal(bench.layer.size, 1)
  bench.until(0)
  assert.deepEqual(bench.read(), ['0 send INVITE', '0 fail transport', '0 end'])
})

test('INVITE client, calling to proceeding: nothing is repeated, no timer runs, each provisional response is reported', () => {
  const { bench, answer, state } = call()
  bench.until(600)
  answer(100)
  answer(180)
  answer(180)
  assert.equal(state(), 'proceeding')
  assert.equal(bench.layer.timerCount, 0)
  bench.until(1_000_000)
  assert.deepEqual(bench.read(), ['0 send INVITE', '500 send INVITE', '600 pass 100', '600 pass 180', '600 pass 180'])
})

test('INVITE client, proceeding: a transport that fails means nothing, as the response comes on its own', () => {
  const { bench, answer, state } = call(tcp)
  answer(180)
  bench.layer.transportFailed(bench.id, 0)
  bench.until(1000)
  assert.equal(state(), 'proceeding')
})

for (const from of ['calling', 'proceeding']) {
  test(`INVITE client, ${from} to accepted: each 2xx is reported, of other branches too, until timer M`, () => {
    const { bench, answer, state } = call()
    if (from === 'proceeding') answer(180)
    bench.until(100)
    bench.read()
    answer(200)
    assert.equal(state(), 'accepted')
    assert.equal(bench.layer.timerCount, 1)
    answer(200)
    answer(200, 'other')
    answer(180)
    answer(486)
    bench.until(60_000)
    assert.deepEqual(bench.read(), ['100 pass 200', '100 pass 200', '100 pass 200', '32100 end'])
    answer(200)
    assert.deepEqual(bench.read(), ['60000 stray 200'])
    assertEmpty(bench)
  })

  test(`INVITE client, ${from} to completed: reported once, each copy is acknowledged, until timer D`, () => {
    const { bench, answer, state } = call()
    if (from === 'proceeding') answer(180)
    bench.until(100)
    bench.read()
    answer(486)
    assert.equal(state(), 'completed')
    bench.until(5000)
    answer(486)
    answer(180)
    bench.until(60_000)
    assert.deepEqual(bench.read(), ['100 send ACK', '100 pass 486', '5000 send ACK', '32100 end'])
    assertEmpty(bench)
  })
}

test('INVITE client, accepted: timer M runs over a reliable transport as well', () => {
  const { bench, answer } = call(tcp)
  answer(200)
  bench.until(31_999)
  assert.equal(bench.layer.size, 1)
  bench.until(32_000)
  assertEmpty(bench)
})

test('INVITE client, completed: timer D is over at once on a reliable transport', () => {
  const { bench, answer } = call(tcp)
  answer(302)
  assert.deepEqual(bench.read(), ['0 send INVITE', '0 send ACK', '0 pass 302', '0 end'])
  assertEmpty(bench)
})

test('INVITE client, completed: timer D does not follow T1 below 32 s', () => {
  const { bench, answer } = call(udp, { timers: { t1Ms: 50 } })
  answer(404)
  bench.until(60_000)
  assert.equal(bench.read().at(-1), '32000 end')
})

test('INVITE client, completed: the ACK of a refusal has the INVITE’s branch and route, and the To of the response', () => {
  const bench = createBench()
  const headers = [
    { name: 'Route', value: '<sip:p1.example;lr>' },
    { name: 'Route', value: '<sip:p2.example;lr>' },
  ]
  const invite = bench.request(createRequest('INVITE', { headers }))
  bench.receive(respondTo(invite, 503, { toTag: 'x' }))
  const ack = bench.sent.at(-1) as SipRequest
  assert.equal(ack.method, 'ACK')
  assert.deepEqual(coreOf(ack).vias, coreOf(invite).vias)
  assert.equal(coreOf(ack).toTag, 'x')
  assert.equal(header(ack, 'CSeq'), '1 ACK')
  assert.deepEqual(headerLines(ack, 'Route'), headerLines(invite, 'Route'))
})

test('INVITE client, completed: a 2xx of another branch is a stray one, to be ended with BYE', () => {
  const { bench, answer } = call()
  answer(486)
  bench.read()
  answer(200, 'other')
  assert.deepEqual(bench.read(), ['0 stray 200'])
})

test('INVITE client, completed: an ACK that is lost to the transport ends it, and no second outcome is reported', () => {
  const { bench, answer } = call()
  answer(486)
  bench.layer.transportFailed(bench.id, 0)
  bench.until(10)
  assert.deepEqual(bench.read(), ['0 send INVITE', '0 send ACK', '0 pass 486', '0 end'])
  assertEmpty(bench)
})

test('other client, trying: timer E doubles to T2, timer F gives up after 64*T1', () => {
  const { bench, state } = ask()
  assert.equal(state(), 'trying')
  bench.until(60_000)
  const at = [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
  assert.deepEqual(bench.read(), [...at.map(ms => `${ms} send OPTIONS`), '32000 fail timeout', '32000 end'])
  assertEmpty(bench)
})

test('other client, trying: over a reliable transport there is no timer E, but timer F', () => {
  const { bench } = ask(tcp)
  bench.until(60_000)
  assert.deepEqual(bench.read(), ['0 send OPTIONS', '32000 fail timeout', '32000 end'])
})

test('other client, proceeding: timer E repeats every T2, timer F still gives up', () => {
  const { bench, answer, state } = ask()
  bench.until(600)
  answer(100)
  assert.equal(state(), 'proceeding')
  bench.until(60_000)
  // The interval that runs ends as it began.
  const at = [1500, 5500, 9500, 13_500, 17_500, 21_500, 25_500, 29_500]
  assert.deepEqual(bench.read().slice(2), [
    '600 pass 100',
    ...at.map(ms => `${ms} send OPTIONS`),
    '32000 fail timeout',
    '32000 end',
  ])
  assertEmpty(bench)
})

for (const from of ['trying', 'proceeding']) {
  test(`other client, ${from} to completed: the final response is reported once, timer K absorbs its copies for T4`, () => {
    const { bench, answer, state } = ask()
    if (from === 'proceeding') answer(100)
    bench.read()
    answer(200)
    assert.equal(state(), 'completed')
    assert.equal(bench.layer.timerCount, 1)
    answer(200)
    answer(404)
    answer(100)
    bench.until(60_000)
    assert.deepEqual(bench.read(), ['0 pass 200', '5000 end'])
    answer(200)
    assert.deepEqual(bench.read(), ['60000 stray 200'])
    assertEmpty(bench)
  })

  test(`other client, ${from}: a transport that fails ends it`, () => {
    const { bench, answer } = ask()
    if (from === 'proceeding') answer(100)
    bench.read()
    bench.layer.transportFailed(bench.id, 0)
    bench.until(0)
    assert.deepEqual(bench.read(), ['0 fail transport', '0 end'])
    assertEmpty(bench)
  })
}

test('other client, completed: timer K is over at once on a reliable transport; a refusal ends it as well', () => {
  const { bench, answer } = ask(tcp)
  answer(403)
  assert.deepEqual(bench.read(), ['0 send OPTIONS', '0 pass 403', '0 end'])
  assertEmpty(bench)
})

test('CANCEL waits for a provisional response, is repeated by itself, and nothing of it is reported', () => {
  const { bench, invite, answer, state } = call()
  assert.ok(bench.layer.cancel(bench.id, 0, [{ name: 'Reason', value: 'SIP;cause=200' }]))
  assert.ok(bench.layer.cancel(bench.id, 0))
  assert.deepEqual(bench.read(), ['0 send INVITE'])
  answer(100)
  assert.deepEqual(bench.read(), ['0 pass 100', '0 send CANCEL'])
  const cancel = bench.sent.at(-1) as SipRequest
  assert.deepEqual(coreOf(cancel).vias, coreOf(invite).vias)
  assert.equal(header(cancel, 'CSeq'), '1 CANCEL')
  assert.equal(header(cancel, 'Reason'), 'SIP;cause=200')
  assert.equal(cancel.uri, invite.uri)
  answer(180)
  bench.until(500)
  bench.receive(respondTo(cancel, 200))
  assert.equal(state(), 'proceeding')
  answer(487)
  bench.until(60_000)
  const course = ['0 pass 180', '500 send CANCEL', '500 send ACK', '500 pass 487', '32500 end']
  assert.deepEqual(bench.read(), course)
  assertEmpty(bench)
})

test('CANCEL goes at once when a provisional response has come, once only', () => {
  const { bench, answer } = call(tcp)
  answer(180)
  assert.ok(bench.layer.cancel(bench.id, 0))
  assert.ok(bench.layer.cancel(bench.id, 0))
  assert.deepEqual(bench.read(), ['0 send INVITE', '0 pass 180', '0 send CANCEL'])
})

test('CANCEL without effect: 64*T1 later the INVITE counts as timed out (timer cancel)', () => {
  const { bench, answer } = call(tcp)
  answer(180)
  bench.until(1000)
  bench.layer.cancel(bench.id, 1000)
  bench.receive(respondTo(bench.sent.at(-1) as SipRequest, 481))
  bench.until(60_000)
  assert.deepEqual(bench.read().slice(2), ['1000 send CANCEL', '33000 fail timeout', '33000 end'])
  assertEmpty(bench)
})

test('CANCEL comes too late for an INVITE with a final response, and means nothing to other requests', () => {
  for (const status of [200, 486]) {
    const { bench, answer } = call()
    bench.layer.cancel(bench.id, 0)
    answer(status)
    assert.equal(bench.layer.cancel(bench.id, 0), false)
    assert.ok(!bench.log.includes('0 send CANCEL'))
  }
  const { bench } = ask()
  assert.equal(bench.layer.cancel(bench.id, 0), false)
  assert.equal(bench.layer.cancel('nobody', 0), false)
})

test('CANCEL that waits in vain goes down with its INVITE', () => {
  const { bench } = call(tcp)
  bench.layer.cancel(bench.id, 0)
  bench.until(60_000)
  assert.deepEqual(bench.read(), ['0 send INVITE', '32000 fail timeout', '32000 end'])
  assertEmpty(bench)
})

test('CANCEL from within the response that reports ringing goes out once', () => {
  const options: Parameters<typeof createBench>[1] = {
    on: { onResponse: (_response, _core, id) => bench.layer.cancel(id, 0) },
  }
  const bench = createBench(udp, options)
  const invite = bench.request(createRequest('INVITE'))
  bench.receive(respondTo(invite, 180))
  bench.receive(respondTo(invite, 180))
  assert.deepEqual(bench.read(), ['0 send INVITE', '0 pass 180', '0 send CANCEL', '0 pass 180'])
})

test('a response with two Vias is dropped, one without a transaction is stray', () => {
  const { bench, invite } = call()
  bench.read()
  const response = respondTo(invite, 200)
  bench.receive({ ...response, headers: [...response.headers, { name: 'Via', value: 'SIP/2.0/UDP 192.0.2.9' }] })
  assert.deepEqual(bench.read(), [])
  bench.receive(respondTo(createRequest('INVITE', { branch: 'z9hG4bKother' }), 200))
  bench.receive(respondTo(createRequest('INVITE'), 200))
  assert.deepEqual(bench.read(), ['0 stray 200', '0 stray 200'])
})

test('a request from within a response (digest) is a transaction of its own', () => {
  const options: Parameters<typeof createBench>[1] = {
    on: {
      onResponse(response) {
        if (response.status === 401) bench.request(createRequest('REGISTER', { cseq: 2 }))
      },
    },
  }
  const bench = createBench(tcp, options)
  const first = bench.request(createRequest('REGISTER'))
  bench.receive(respondTo(first, 401))
  bench.receive(respondTo(bench.sent.at(-1) as SipRequest, 200))
  assert.deepEqual(bench.read(), ['0 send REGISTER', '0 pass 401', '0 send REGISTER', '0 end', '0 pass 200', '0 end'])
  assertEmpty(bench)
})

test('a pause of the process is not made up for: one repetition, then the next interval', () => {
  const { bench } = call()
  bench.layer.tick(20_000)
  assert.equal(bench.sent.length, 2)
  assert.equal(bench.layer.nextDeadlineMs, 21_000)
  bench.layer.tick(40_000)
  assert.deepEqual(
    bench.log.slice(-2).map(line => line.slice(2)),
    ['fail timeout', 'end'],
  )
  assertEmpty(bench)
})
