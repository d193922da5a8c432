// By what messages find their transactions: RFC 3261 §17.1.3, §17.2.3 with the way of RFC 2543, CANCEL of §9.2, copies of §8.2.2.2,
// limits, and the heap of deadlines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SipRequest } from '../src/message.ts'
import { withReceived } from '../src/replies.ts'
import { createDeadlines } from '../src/transaction/deadlines.ts'
import type { RequestParts } from './transaction_support.ts'
import { assertEmpty, coreOf, createBench, createRequest, respondTo, tcp, udp } from './transaction_support.ts'

const branch = 'z9hG4bKone'

test('a request is the same by branch, sent-by and method; each other one is new', () => {
  const bench = createBench()
  const ask = (method: string, parts: RequestParts) => {
    const before = bench.layer.size
    bench.receive(createRequest(method, { callId: `c${before}`, ...parts }))
    return bench.layer.size > before
  }
  assert.ok(ask('OPTIONS', { branch }))
  assert.ok(ask('MESSAGE', { branch }))
  assert.ok(ask('OPTIONS', { branch: 'z9hG4bKtwo' }))
  assert.ok(ask('OPTIONS', { branch: 'z9hG4bKONE' }))
  assert.ok(ask('OPTIONS', { branch, sentBy: '192.0.2.11' }))
  assert.ok(ask('OPTIONS', { branch, sentBy: '192.0.2.10:5070' }))
  assert.ok(ask('OPTIONS', { branch, sentBy: 'pbx.example' }))
  assert.ok(!ask('OPTIONS', { branch }))
  assert.ok(!ask('OPTIONS', { branch, sentBy: '192.0.2.10:5060' }))
  assert.ok(!ask('OPTIONS', { branch, sentBy: 'PBX.example' }))
})

test('a response belongs to the request of its branch and the method of its CSeq', () => {
  const bench = createBench()
  const options = bench.request(createRequest('OPTIONS'))
  bench.read()
  const other = respondTo({ ...options, headers: options.headers.with(5, { name: 'CSeq', value: '1 MESSAGE' }) }, 200)
  bench.receive(other)
  assert.deepEqual(bench.read(), ['0 stray 200'])
  // The marks that a server leaves in the Via, and another sent-by, do not matter.
  const marked = withReceived(options, { address: '198.51.100.7', port: 40_000 })
  bench.receive(respondTo(marked, 200))
  assert.deepEqual(bench.read(), ['0 pass 200'])
})

const oldStyles: [string, RequestParts][] = [
  ['no branch', {}],
  ['a branch without the cookie', { branch: '1' }],
  ['no tags at all', { fromTag: '' }],
]
for (const [name, parts] of oldStyles) {
  test(`RFC 2543, ${name}: copies, ACK and CANCEL find the INVITE`, () => {
    const bench = createBench()
    const invite = createRequest('INVITE', parts)
    bench.receive(invite)
    bench.receive(invite)
    bench.receive(createRequest('CANCEL', parts))
    assert.deepEqual(bench.read(), ['0 request INVITE', '0 send 200', '0 cancel'])
    bench.respond(487)
    bench.receive(createRequest('ACK', { ...parts, toTag: 'wrong' }))
    assert.equal(bench.layer.state(bench.id), 'completed')
    bench.receive(createRequest('ACK', { ...parts, toTag: 'b' }))
    assert.equal(bench.layer.state(bench.id), 'confirmed')
    assert.deepEqual(bench.read(), ['0 send 487', '0 lost ack'])
    bench.until(60_000)
    assertEmpty(bench)
  })
}

test('RFC 2543: a request of another To tag, number, Call-ID, Via or Request-URI is another one', () => {
  const bench = createBench()
  const first = createRequest('INVITE', { toTag: 'b' })
  const others = [
    first,
    createRequest('INVITE', { toTag: 'c' }),
    createRequest('INVITE', { toTag: 'b', cseq: 2 }),
    createRequest('INVITE', { toTag: 'b', callId: 'c2' }),
    createRequest('INVITE', { toTag: 'b', sentBy: '192.0.2.11' }),
    { ...first, uri: 'sip:other@sip.example' },
  ]
  for (const request of others) bench.receive(request)
  for (const request of others) bench.receive(request)
  assert.equal(bench.log.length, others.length)
})

test('RFC 2543: the ACK of a re-INVITE, which had the To tag already, and that of a 2xx', () => {
  const bench = createBench()
  bench.receive(createRequest('INVITE', { toTag: 'b' }))
  bench.respond(488)
  bench.receive(createRequest('ACK', { toTag: 'b' }))
  assert.equal(bench.layer.state(bench.id), 'confirmed')
  bench.receive(createRequest('INVITE', { toTag: 'b', cseq: 2 }))
  bench.respond(200)
  bench.receive(createRequest('ACK', { toTag: 'b', cseq: 2 }))
  assert.equal(bench.log.at(-1), '0 ack')
})

test('RFC 2543: copies are the same though our own marks in the Via changed', () => {
  const bench = createBench()
  const invite = createRequest('INVITE')
  bench.receive(withReceived(invite, { address: '198.51.100.7', port: 1 }))
  bench.receive(withReceived(invite, { address: '198.51.100.8', port: 2 }))
  assert.deepEqual(bench.read(), ['0 request INVITE'])
})

test('CANCEL is answered 200 and reported once; its copies get the 200 again', () => {
  const bench = createBench()
  bench.receive(createRequest('INVITE', { branch }))
  bench.respond(180, { toTag: 'mine' })
  const cancel = createRequest('CANCEL', { branch })
  bench.receive(cancel)
  bench.receive(cancel)
  assert.deepEqual(bench.read(), ['0 request INVITE', '0 send 180', '0 send 200', '0 cancel', '0 send 200'])
  // The 200 has the To tag of the INVITE's responses (§9.2).
  assert.equal(coreOf(bench.sent.at(-1)!).toTag, 'mine')
  assert.equal(bench.layer.state(bench.id), 'proceeding')
  assert.ok(bench.respond(487))
  bench.receive(createRequest('ACK', { branch, toTag: 'b' }))
  bench.until(60_000)
  assertEmpty(bench)
})

test('CANCEL of an answered INVITE is answered 200 and not reported; one of nothing is answered 481', () => {
  const bench = createBench(tcp)
  bench.receive(createRequest('INVITE', { branch }))
  bench.respond(200)
  bench.read()
  bench.receive(createRequest('CANCEL', { branch }))
  bench.receive(createRequest('CANCEL', { branch: 'z9hG4bKnobody' }))
  bench.receive(createRequest('CANCEL', { branch, sentBy: '192.0.2.66' }))
  assert.deepEqual(bench.read(), ['0 send 200', '0 send 481', '0 send 481'])
  assert.notEqual(coreOf(bench.sent.at(-1)!).toTag, undefined)
})

test('CANCEL of another request is answered 200 and changes nothing (§9.2)', () => {
  const bench = createBench()
  bench.receive(createRequest('OPTIONS', { branch }))
  bench.receive(createRequest('CANCEL', { branch }))
  assert.deepEqual(bench.read(), ['0 request OPTIONS', '0 send 200'])
  assert.equal(bench.layer.state(bench.id), 'trying')
})

test('a copy that came another way is answered 482 and not reported (§8.2.2.2)', () => {
  const bench = createBench()
  bench.receive(createRequest('INVITE', { branch }))
  bench.receive(createRequest('INVITE', { branch: 'z9hG4bKother' }))
  bench.receive(createRequest('INVITE', { branch: 'z9hG4bKother' }))
  assert.deepEqual(bench.read(), ['0 request INVITE', '0 send 482', '0 send 482'])
  bench.receive(createRequest('ACK', { branch: 'z9hG4bKother', toTag: coreOf(bench.sent.at(-1)!).toTag! }))
  bench.until(100)
  assert.deepEqual(bench.read(), [])
  bench.respond(486)
  bench.receive(createRequest('ACK', { branch, toTag: 'b' }))
  bench.until(60_000)
  assert.deepEqual(bench.read(), ['100 send 486', '5100 end'])
  // Its transaction is over: now it is a request like any other.
  bench.receive(createRequest('INVITE', { branch: 'z9hG4bKlate' }))
  assert.deepEqual(bench.read(), ['60000 request INVITE'])
})

test('what only looks like a copy is none: in a dialog, without From tag, of another number, after a challenge', () => {
  const bench = createBench()
  const pairs: RequestParts[][] = [
    [{ toTag: 'b' }, { toTag: 'b' }],
    [
      { fromTag: '', callId: 'c2' },
      { fromTag: '', callId: 'c2' },
    ],
    [
      { callId: 'c3', cseq: 1 },
      { callId: 'c3', cseq: 2 },
    ],
  ]
  for (const [i, pair] of pairs.entries()) {
    for (const [k, parts] of pair.entries())
      bench.receive(createRequest('OPTIONS', { branch: `${branch}${i}${k}`, ...parts }))
  }
  assert.equal(bench.log.length, 6)
  bench.read()
  bench.receive(createRequest('REGISTER', { branch: 'z9hG4bKfirst', callId: 'c4' }))
  bench.respond(401)
  bench.receive(createRequest('REGISTER', { branch: 'z9hG4bKagain', callId: 'c4' }))
  assert.deepEqual(bench.read(), ['0 request REGISTER', '0 send 401', '0 request REGISTER'])
})

test('above the limit, requests from outside get 503 without a state, the same each time; ours and copies go on', () => {
  const bench = createBench(udp, { maxTransactions: 1 })
  const known = createRequest('OPTIONS', { branch })
  bench.receive(known)
  const first = bench.id
  const refused = createRequest('INVITE', { branch: 'z9hG4bKmany', callId: 'c2' })
  bench.receive(refused)
  bench.receive(refused)
  bench.receive(createRequest('ACK', { branch: 'z9hG4bKmany', callId: 'c2' }))
  assert.deepEqual(bench.sent[0], bench.sent[1])
  bench.receive(createRequest('CANCEL', { branch: 'z9hG4bKmany', callId: 'c2' }))
  bench.receive(createRequest('BYE', { branch: 'z9hG4bKbye', toTag: 'b' }))
  bench.layer.respond(first, respondTo(known, 200), 0)
  bench.receive(known)
  bench.request(createRequest('OPTIONS'))
  const course = ['503', '503', 'ack', '481', '503', '200', '200', 'OPTIONS']
  assert.deepEqual(
    bench
      .read()
      .slice(1)
      .map(line => line.split(' ').at(-1)),
    course,
  )
})

test('clear forgets all, and nobody is notified', () => {
  const bench = createBench()
  bench.request(createRequest('INVITE'))
  bench.receive(createRequest('INVITE', { branch }))
  bench.read()
  bench.layer.clear()
  assertEmpty(bench)
  bench.receive(createRequest('INVITE', { branch: 'z9hG4bKother' }))
  assert.deepEqual(bench.read(), ['0 request INVITE'])
})

test('timers that would never let a transaction end are refused', () => {
  for (const timers of [{ t1Ms: 0 }, { t4Ms: Number.NaN }, { t1Ms: 5000 }]) {
    assert.throws(() => createBench(udp, { timers }), /timers\./)
  }
})

test('ids of the remote party mean nothing to respond and cancel', () => {
  const bench = createBench()
  const options = bench.request(createRequest('OPTIONS'))
  assert.equal(bench.layer.respond(bench.id, respondTo(options, 200), 0), false)
  bench.receive(createRequest('INVITE', { branch }) satisfies SipRequest)
  assert.equal(bench.layer.cancel(bench.id, 0), false)
})

test('property: deadlines come out in their order, whatever was taken out before', () => {
  const change = fc.tuple(fc.constantFrom('add', 'remove', 'take'), fc.nat(100))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), changes => {
      const deadlines = createDeadlines()
      const kept: { atMs: number; place: number }[] = []
      for (const [what, number] of changes) {
        if (what === 'add') {
          const entry = { atMs: number, place: -1 }
          kept.push(entry)
          deadlines.add(entry)
        } else if (what === 'remove' && kept.length > 0) {
          const [entry] = kept.splice(number % kept.length, 1)
          assert.ok(deadlines.remove(entry!))
          assert.ok(!deadlines.remove(entry!))
        } else {
          const first = Math.min(...kept.map(entry => entry.atMs))
          const taken = deadlines.takeDue(number)
          assert.equal(taken?.atMs, first <= number ? first : undefined)
          if (taken !== undefined) kept.splice(kept.indexOf(taken), 1)
        }
        assert.equal(deadlines.size, kept.length)
        assert.equal(deadlines.nextMs, kept.length === 0 ? undefined : Math.min(...kept.map(entry => entry.atMs)))
      }
    }),
    { numRuns: 200 },
  )
})
