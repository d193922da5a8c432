// Calls between two agents, or an agent and a peer that says what we want: set up, early media, hold, digits, requests that are
// no good, faults in handlers, and an agent that closes.
// test: waits
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { header } from '../src/headers.ts'
import {
  accept,
  answered,
  answerer,
  connect,
  dial,
  ended,
  fast,
  forgotten,
  messagesOfCall,
  note,
  openAgent,
  openPeer,
  type Reported,
  requestOfPeer,
  sdpOf,
  tagOf,
  uriOf,
} from './agent_support.ts'
import { selfSigned, until } from './transport_support.ts'

const tlsOf = (context: TestContext) => {
  const { key, cert } = selfSigned(context)
  return { tls: [{ address: '127.0.0.1', port: 0, key, cert }], tlsClient: { ca: cert } }
}

for (const transport of ['udp', 'tcp', 'tls'] as const) {
  test(`a call over ${transport}: it rings, is answered, held, resumed and ended`, async context => {
    const tls = transport === 'tls' ? tlsOf(context) : {}
    const bobs: Reported[] = []
    const bob = await openAgent(
      context,
      call => {
        bobs.push(accept(call))
        call.ring()
      },
      tls,
    )
    const alice = await openAgent(context, undefined, tls)
    const { call, reported } = dial(alice, bob.uri(transport))
    await until(() => reported.log.includes('progress 180'), 'ringing')
    assert.equal(call.phase, 'ringing')
    assert.equal(alice.calls, 1)
    const other = bob.incoming[0]!
    assert.equal(await other.answer(), true)
    await answered(reported)
    // A repeated INVITE repeats its 180.
    assert.deepEqual([...new Set(reported.log)], ['progress 180', 'media sendrecv', 'answered'])
    assert.equal(reported.media[0]?.remote?.port, 50_000)
    assert.equal(await call.hold(true), true)
    assert.equal(bobs[0]?.media.at(-1)?.isHeld, true)
    assert.equal(await call.hold(false), true)
    assert.equal(await other.hold(true), true)
    assert.equal(reported.media.at(-1)?.isHeld, true)
    assert.equal(await other.hold(false), true)
    assert.equal(reported.media.at(-1)?.direction, 'sendrecv')
    assert.equal(await call.sendInfo('7', 120), true)
    assert.equal(await other.sendInfo('#', 80), true)
    assert.equal(reported.log.at(-1), 'digit # 80')
    call.end({ q850: 16 })
    assert.equal(reported.log.at(-1), 'ended by local 200')
    await ended(bobs[0]!)
    assert.deepEqual(bobs[0]?.end.reasons, [{ protocol: 'Q.850', cause: 16, text: 'Normal call clearing' }])
    assert.ok(bobs[0]?.log.includes('digit 7 120'))
    // What is stored is plain: first the INVITE, then the dialog.
    assert.deepEqual(
      reported.stored.map(({ dialog, branch }) => [dialog.phase, branch === null]),
      [
        ['calling', false],
        ['confirmed', true],
      ],
    )
    assert.equal(call.phase, 'ended')
    assert.deepEqual([alice.errors, bob.errors], [[], []])
    await forgotten(alice, bob)
  })
}

test('early media: in a 183, reliable where the caller must have it so', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, call => {
    bobs.push(accept(call))
    call.ring()
    call.ring(true)
  })
  const alice = await openAgent(context)
  for (const headers of [[], [{ name: 'Require', value: '100rel' }]]) {
    const { call, reported } = dial(alice, bob.uri(), { headers })
    await until(() => reported.log.includes('progress 183 with media'), 'early media')
    assert.deepEqual([...new Set(reported.log)], ['progress 180', 'media sendrecv', 'progress 183 with media'])
    // Distinct ones: a PRACK whose answer is late is sent again.
    const acknowledged = () =>
      new Set(
        alice.traces.flatMap(({ message }) => (message.kind === 'request' ? (header(message, 'RAck') ?? []) : [])),
      )
    await until(() => acknowledged().size === headers.length * 2, 'PRACK of both')
    assert.equal(await bob.incoming.at(-1)?.answer(), true)
    await answered(reported)
    call.end()
  }
  await ended(...bobs)
  assert.deepEqual([alice.errors, bob.errors], [[], []])
})

test('a caller that needs 100rel and never sends PRACK is refused with 504', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, call => {
    bobs.push(accept(call))
    call.ring(true)
    void call.answer()
  })
  const peer = await openPeer(context)
  const headers = [{ name: 'Require', value: '100rel' }]
  const invite = requestOfPeer(peer, 'INVITE', bob.uri(), { callId: 'mute', headers, sdp: sdpOf(40_000) })
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  peer.transport.send(invite, target)
  await until(() => bobs.length > 0, 'the call')
  await ended(bobs[0]!)
  assert.equal(bobs[0]?.end.status, 504)
  const statuses = peer.received.map(({ message }) => (message.kind === 'response' ? message.status : message.method))
  assert.ok(statuses.filter(status => status === 183).length > 3, 'it was repeated')
  assert.ok(!statuses.includes(200))
})

test('an INVITE that leaves the offer to us', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs))
  const peer = await openPeer(context)
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  for (const sdp of [sdpOf(40_000), undefined]) {
    const callId = `bare ${sdp?.length}`.replace(' ', '')
    peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId }), target)
    const answer = () =>
      messagesOfCall(peer, callId)
        .flatMap(({ message }) => (message.kind === 'response' ? [message] : []))
        .find(({ status }) => status === 200)
    await until(() => answer() !== undefined, '200')
    const ok = answer()
    assert.match(ok?.body.toString() ?? '', /m=audio 50000/)
    peer.transport.send(
      requestOfPeer(peer, 'ACK', bob.uri(), { callId, toTag: tagOf(ok!)!, ...(sdp && { sdp }) }),
      target,
    )
    if (sdp !== undefined) await until(() => bobs[0]?.media[0]?.remote?.port === 40_000, 'the answer in the ACK')
  }
  // Without an answer in the ACK there is nothing to be heard: BYE.
  await ended(bobs[1]!)
  assert.equal(bobs[1]?.end.status, 488)
  assert.equal(bobs[0]?.ends.length, 0)
})

test('both sides hold at once: 491 for both, and both are done in the end', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs))
  const alice = await openAgent(context)
  const { call, other } = await connect(alice, bob)
  const done = await Promise.all([call.hold(true), other.hold(true)])
  assert.deepEqual(done, [true, true])
  assert.ok(alice.said('in').includes('491') && bob.said('in').includes('491'))
  assert.equal(bobs[0]?.media.at(-1)?.direction, 'inactive')
  assert.deepEqual(await Promise.all([call.hold(false), call.hold(true)]), [true, true])
  call.end()
})

test('requests that belong nowhere, and those that nobody knows', async context => {
  const bob = await openAgent(context, answerer(), {
    onRequest({ method }) {
      if (method === 'PUBLISH') throw new Error('a fault of the user')
      return method === 'REGISTER' ? { status: 403 } : undefined
    },
  })
  const alice = await openAgent(context)
  const ask = async (method: string, headers: { name: string; value: string }[] = [], tag?: string) => {
    const outcome = await alice.request(
      via => ({
        kind: 'request',
        method,
        uri: bob.uri(),
        headers: [
          { name: 'Via', value: via },
          { name: 'From', value: '<sip:alice@tandem.example>;tag=1' },
          { name: 'To', value: `<sip:bob@tandem.example>${tag === undefined ? '' : `;tag=${tag}`}` },
          { name: 'Call-ID', value: `${method} ${headers.length}${tag}`.replaceAll(' ', '-') },
          { name: 'CSeq', value: `1 ${method}` },
          { name: 'Max-Forwards', value: '70' },
          ...headers,
        ],
        body: Buffer.alloc(0),
      }),
      bob.uri(),
    )
    assert.ok('response' in outcome)
    const { status, headers: lines } = outcome.response
    return { status, value: (name: string) => lines.find(line => line.name === name)?.value }
  }
  const options = await ask('OPTIONS')
  assert.equal(options.status, 200)
  assert.match(options.value('Allow') ?? '', /INVITE.*UPDATE/)
  assert.match(options.value('Supported') ?? '', /100rel, timer, replaces/)
  assert.equal((await ask('REGISTER')).status, 403)
  assert.equal((await ask('MESSAGE')).status, 405)
  assert.equal((await ask('JUGGLE')).status, 501)
  assert.equal((await ask('PUBLISH')).status, 500)
  for (const method of ['BYE', 'INFO', 'UPDATE', 'PRACK', 'NOTIFY']) assert.equal((await ask(method)).status, 481)
  assert.equal((await ask('OPTIONS', [], 'gone')).status, 481)
  const demanding = await ask('INVITE', [{ name: 'Require', value: 'timer, teleport' }])
  assert.deepEqual([demanding.status, demanding.value('Unsupported')], [420, 'teleport'])
  const known = await ask('OPTIONS', [{ name: 'Require', value: 'teleport' }])
  assert.equal(known.status, 420)
  assert.equal(bob.errors.length, 1)
  assert.equal(
    ((await alice.request(() => assert.fail(), 'sip:nobody@nowhere.example')) as { failed: string }).failed,
    'not_found',
  )
})

test('in a call: OPTIONS, unknown methods and extensions, wrong tags, and nothing after the end', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs))
  const peer = await openPeer(context)
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  const callId = 'inner'
  /** Its own answer: refusals of an INVITE are repeated, as nobody acknowledges them here. */
  const answers = async (request: ReturnType<typeof requestOfPeer>) => {
    peer.received.length = 0
    peer.transport.send(request, target)
    const find = () =>
      peer.received
        .flatMap(({ message }) => (message.kind === 'response' ? [message] : []))
        .find(response => response.status >= 200 && header(response, 'CSeq') === header(request, 'CSeq'))
    await until(() => find() !== undefined, 'an answer')
    return find()!
  }
  const ok = await answers(requestOfPeer(peer, 'INVITE', bob.uri(), { callId, sdp: sdpOf(40_000) }))
  const toTag = tagOf(ok)!
  peer.transport.send(requestOfPeer(peer, 'ACK', bob.uri(), { callId, toTag }), target)
  let cseq = 1
  const ask = async (method: string, more: object = {}) => {
    cseq += 1
    return (await answers(requestOfPeer(peer, method, bob.uri(), { callId, toTag, cseq, ...more }))).status
  }
  assert.equal(await ask('OPTIONS'), 200)
  assert.equal(await ask('MESSAGE'), 405)
  assert.equal(await ask('JUGGLE'), 501)
  assert.equal(await ask('INFO', { headers: [{ name: 'Require', value: 'teleport' }] }), 420)
  assert.equal(await ask('INFO', { fromTag: 'thief' }), 481)
  assert.equal(await ask('INFO', { cseq: 2 }), 500)
  assert.equal(await ask('INVITE', { sdp: 'v=1\r\n' }), 400)
  assert.equal(await ask('INVITE', { sdp: sdpOf(40_000).replace('RTP/AVP 0', 'RTP/AVP 3') }), 488)
  assert.equal(await ask('UPDATE', { sdp: sdpOf(40_002) }), 200)
  assert.equal(bobs[0]?.media.at(-1)?.remote?.port, 40_002)
  assert.equal(await ask('BYE'), 200)
  assert.equal(bobs[0]?.end.by, 'remote')
  assert.equal(await ask('INFO'), 481)
  await forgotten(bob)
  assert.equal(await ask('INFO'), 481)
  assert.deepEqual(bob.errors, [])
})

test('a call that nobody takes, or whose taker fails, is refused', async context => {
  const alice = await openAgent(context)
  const none = await openAgent(context)
  const faulty = await openAgent(context, () => {
    throw new Error('a fault of the user')
  })
  const refusing = await openAgent(context, call => call.reject(486, [{ name: 'Retry-After', value: '5' }]))
  const mediaLess = await openAgent(context, call => {
    accept(call, note(), {
      local: {
        ...call.core,
        sessionId: '1',
        address: { family: 'IP4', address: '127.0.0.1' },
        port: 50_000,
        codecs: ['PCMA'],
      },
    })
    void call.answer()
  })
  const statuses = []
  for (const agent of [none, faulty, refusing, mediaLess]) {
    const codecs = {
      local: { sessionId: '1', address: { family: 'IP4', address: '127.0.0.1' }, port: 40_000, codecs: ['PCMU'] },
    } as const
    const { reported } = dial(alice, agent.uri(), codecs)
    await ended(reported)
    statuses.push(reported.end.status)
  }
  assert.deepEqual(statuses, [480, 500, 486, 488])
  assert.equal(faulty.errors.length, 1)
  await forgotten(alice, none, faulty, refusing, mediaLess)
})

test('what handlers throw is reported, and stops nothing', async context => {
  const fault = () => {
    throw new Error('a fault of the user')
  }
  const bobs: Reported[] = []
  const bob = await openAgent(context, call => {
    bobs.push(accept(call, note({ onMedia: fault, onEnded: fault })))
    call.ring(true)
    void call.answer()
  })
  const alice = await openAgent(context)
  const reported = note({ onProgress: fault, onMedia: fault, onAnswered: fault, onEnded: fault })
  const { call } = dial(alice, bob.uri(), {}, reported)
  await answered(reported)
  assert.equal(await call.hold(true), true)
  call.end()
  await ended(bobs[0]!)
  assert.ok(alice.errors.length >= 4 && bob.errors.length >= 2)
  await forgotten(alice, bob)
})

test('a store that fails: the caller gives up, the called party refuses with 500', async context => {
  const store = () => Promise.reject(new Error('no database'))
  const bob = await openAgent(context, answerer([], { store }))
  const alice = await openAgent(context)
  const refused = dial(alice, bob.uri())
  await ended(refused.reported)
  assert.equal(refused.reported.end.status, 500)
  const failed = dial(alice, bob.uri(), { store })
  await ended(failed.reported)
  assert.deepEqual([failed.reported.end.status, failed.reported.end.isSilent], [503, true])
  assert.equal(bob.incoming.length, 1)
})

test('an agent that closes ends its calls and leaves nothing that waits', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, call => {
    bobs.push(accept(call))
    if (bobs.length === 1) void call.answer()
    else call.ring()
  })
  // It would remember its calls for longer than it waits for answers when it closes.
  const alice = await openAgent(context, undefined, { timers: { ...fast, t1Ms: 30 } })
  const first = await connect(alice, bob)
  const second = dial(alice, bob.uri())
  await until(() => second.reported.log.includes('progress 180'), 'ringing')
  const silent = await openPeer(context)
  const third = dial(alice, uriOf(silent))
  await until(() => silent.received.length > 0, 'the third INVITE')
  const asked = alice.request(
    via => requestOfPeer(silent, 'OPTIONS', uriOf(silent), { callId: via.length.toString() }),
    uriOf(silent),
  )
  await alice.close()
  await Promise.all([alice.close(), alice.close()])
  await ended(...bobs, first.reported, second.reported, third.reported)
  assert.deepEqual(
    bobs.map(({ end }) => [end.by, end.status]),
    [
      ['remote', 200],
      ['remote', 487],
    ],
  )
  assert.ok('failed' in (await asked))
  assert.deepEqual(alice.counts, { live: 0, known: 0, transactions: 0, waiting: 0, held: 0, timers: 0 })
  assert.deepEqual([first.reported.ends.length, second.reported.ends.length, third.reported.ends.length], [1, 1, 1])
  assert.equal(await first.call.hold(true), false)
})
