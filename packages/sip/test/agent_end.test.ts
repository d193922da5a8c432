// How calls end: CANCEL at every moment, BYE from either side and from both, answers that nobody acknowledges, and networks that lose
// and double datagrams.
// test: waits
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IncomingCall } from '../src/index.ts'
import type { SipRequest } from '../src/message.ts'
import { serializeMessage } from '../src/serialize.ts'
import type { SipFlow } from '../src/transport/types.ts'
import {
  accept,
  answered,
  answerer,
  chanceOf,
  connect,
  dial,
  ended,
  forgotten,
  messagesOfCall,
  openAgent,
  openNetwork,
  openPeer,
  type Reported,
  reply,
  requestOfPeer,
  sdpOf,
  sleep,
  tagOf,
  uriOf,
} from './agent_support.ts'
import { rawClient, until } from './transport_support.ts'

test('CANCEL before anything was heard waits for the first response', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const { call, reported } = dial(alice, uriOf(peer))
  await until(() => flows.length > 0, 'the INVITE')
  call.end({ q850: 16 })
  assert.deepEqual(reported.log, ['ended by local 487'])
  const methods = () => flows.map(([{ method }]) => method)
  await until(() => flows.length > 2, 'repetitions')
  assert.ok(!methods().includes('CANCEL'))
  const [invite, flow] = flows[0]!
  reply(peer, invite, flow, 180)
  await until(() => methods().includes('CANCEL'), 'CANCEL')
  const [cancel] = flows.find(([{ method }]) => method === 'CANCEL')!
  assert.equal(
    cancel.headers.find(({ name }) => name === 'Reason')?.value,
    'Q.850;cause=16;text="Normal call clearing"',
  )
  assert.equal(cancel.headers[0]?.value, invite.headers[0]?.value)
  reply(peer, cancel, flow, 200)
  reply(peer, invite, flow, 487)
  await until(() => methods().includes('ACK'), 'ACK')
  await forgotten(alice)
  assert.deepEqual(reported.log, ['ended by local 487'])
})

test('CANCEL while it rings, and a caller that hangs up by BYE before the answer', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, call => {
    bobs.push(accept(call))
    call.ring()
  })
  const alice = await openAgent(context)
  const { call, reported } = dial(alice, bob.uri())
  await until(() => reported.log.includes('progress 180'), 'ringing')
  call.end({ q850: 102 })
  await ended(bobs[0]!)
  assert.deepEqual([bobs[0]?.end.status, bobs[0]?.end.reasons[0]?.cause], [487, 102])
  assert.equal(await bob.incoming[0]?.answer(), false)

  const peer = await openPeer(context)
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId: 'odd', sdp: sdpOf(40_000) }), target)
  const statuses = () => peer.received.flatMap(({ message }) => (message.kind === 'response' ? [message] : []))
  await until(() => statuses().some(({ status }) => status === 180), 'ringing')
  const toTag = tagOf(statuses().find(({ status }) => status === 180)!)!
  peer.transport.send(requestOfPeer(peer, 'BYE', bob.uri(), { callId: 'odd', toTag, cseq: 2 }), target)
  await ended(bobs[1]!)
  await until(() => [200, 487].every(status => statuses().some(response => response.status === status)), 'both answers')
  assert.equal(bobs[1]?.end.by, 'remote')
})

test('CANCEL and 200 cross: the answer gets its ACK and a BYE', async context => {
  const alice = await openAgent(context)
  for (const rings of [true, false]) {
    // A peer for each call: what is sent again late in the first must not be taken for the second's.
    const flows: [SipRequest, SipFlow][] = []
    const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
    const { call, reported } = dial(alice, uriOf(peer))
    await until(() => flows.length > 0, 'the INVITE')
    const [invite, flow] = flows[0]!
    if (rings) reply(peer, invite, flow, 180)
    if (rings) await until(() => call.phase === 'ringing', 'ringing')
    call.end()
    reply(peer, invite, flow, 200, { sdp: sdpOf(50_000) })
    const methods = () => flows.map(([{ method }]) => method)
    await until(() => methods().includes('BYE'), 'BYE')
    assert.ok(methods().includes('ACK'))
    const count = (method: string) =>
      new Set(
        flows
          .filter(([request]) => request.method === method)
          .map(([{ headers }]) => headers.find(({ name }) => name === 'CSeq')?.value),
      ).size
    // The 2xx again: the same ACK again, and no second BYE.
    reply(peer, invite, flow, 200, { sdp: sdpOf(50_000) })
    await until(() => methods().filter(method => method === 'ACK').length > 1, 'another ACK')
    assert.equal(count('BYE'), 1)
    const [bye, byeFlow] = flows.find(([{ method }]) => method === 'BYE')!
    reply(peer, bye, byeFlow, 200)
    assert.deepEqual(
      reported.log.filter(line => line.startsWith('ended')),
      ['ended by local 487'],
    )
  }
  await forgotten(alice)
})

test('BYE from the called party, from both at once, and from the called party before the ACK', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs))
  const alice = await openAgent(context)
  const one = await connect(alice, bob)
  one.other.end({ q850: 17 })
  await ended(one.reported)
  assert.deepEqual(
    [one.reported.end.by, one.reported.end.reasons[0]?.cause, one.reported.end.wasAnswered],
    ['remote', 17, true],
  )
  const two = await connect(alice, bob)
  two.call.end()
  two.other.end()
  await ended(two.reported, bobs[1]!)
  assert.deepEqual([two.reported.end.by, bobs[1]?.end.by], ['local', 'local'])

  const peer = await openPeer(context)
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  for (const acknowledges of [true, false]) {
    peer.received.length = 0
    const callId = `early-${acknowledges}`
    peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId, sdp: sdpOf(40_000) }), target)
    const find = (what: string) =>
      messagesOfCall(peer, callId).find(
        ({ message }) => (message.kind === 'request' ? message.method : `${message.status}`) === what,
      )
    await until(() => find('200') !== undefined, 'the answer')
    const call = bob.incoming.at(-1)!
    call.end({ q850: 31 })
    const isTerminated = settled(call.terminated())
    await sleep(50)
    assert.equal(find('BYE'), undefined)
    const ok = find('200')!.message
    assert.ok(ok.kind === 'response')
    if (acknowledges) {
      peer.transport.send(requestOfPeer(peer, 'ACK', bob.uri(), { callId, toTag: tagOf(ok)! }), target)
    }
    // Without an ACK it comes after 64*T1.
    await until(() => find('BYE') !== undefined, 'BYE')
    const { message, flow } = find('BYE')!
    assert.ok(message.kind === 'request')
    assert.equal(isTerminated(), false)
    reply(peer, message, flow, 200)
    await until(isTerminated, 'the end')
  }
  await forgotten(alice, bob)
  assert.ok(bobs.every(({ ends }) => ends.length === 1))
})

test('a call is terminated when its BYE was answered, or when nobody will', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const find = (wanted: string) => flows.find(([{ method }]) => method === wanted)
  for (const answersBye of [true, false]) {
    flows.length = 0
    const { call } = dial(alice, uriOf(peer))
    await until(() => find('INVITE') !== undefined, 'the INVITE')
    reply(peer, ...find('INVITE')!, 200, { sdp: sdpOf(50_000) })
    await until(() => find('ACK') !== undefined, 'ACK')
    call.end()
    const isTerminated = settled(call.terminated())
    await until(() => find('BYE') !== undefined, 'BYE')
    assert.equal(isTerminated(), false)
    if (answersBye) reply(peer, ...find('BYE')!, 200)
    await until(isTerminated, 'the end')
  }
  const refused = dial(alice, uriOf(peer))
  await until(() => find('INVITE') !== undefined, 'the INVITE')
  refused.call.end()
  await refused.call.terminated()
})

test('a call that rings is terminated when the INVITE had its final answer, or when nobody will give one', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const find = (wanted: string) => flows.find(([{ method }]) => method === wanted)
  for (const answers of ['487', '200', 'nothing']) {
    flows.length = 0
    const { call } = dial(alice, uriOf(peer))
    await until(() => find('INVITE') !== undefined, 'the INVITE')
    const invite = find('INVITE')!
    reply(peer, ...invite, 180)
    await until(() => call.phase === 'ringing', 'ringing')
    call.end()
    const isTerminated = settled(call.terminated())
    await until(() => find('CANCEL') !== undefined, 'CANCEL')
    await sleep(20)
    assert.equal(isTerminated(), false, 'CANCEL may be lost')
    // Anyone who looks for calls whose end nobody has reported finds it too.
    const ending = settled(alice.endStored(call.stored))
    if (answers !== 'nothing') reply(peer, ...find('CANCEL')!, 200)
    await sleep(20)
    assert.deepEqual([isTerminated(), ending()], [false, false], 'it was answered, and the telephone may still ring')
    if (answers === '487') reply(peer, ...invite, 487)
    if (answers === '200') {
      reply(peer, ...invite, 200, { sdp: sdpOf(50_000) })
      await until(() => find('BYE') !== undefined, 'BYE to who was faster than CANCEL')
      assert.equal(isTerminated(), false, 'it talks to nobody')
      reply(peer, ...find('BYE')!, 200)
    }
    await until(isTerminated, `the end after ${answers}`)
    await until(ending, `the end of what was stored after ${answers}`)
  }
})

test('a call that this process is ending has one BYE, no matter who else finds it over', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => {
    flows.push([message, flow])
    if (message.method === 'INVITE') reply(peer, message, flow, 200, { sdp: sdpOf(50_000) })
  })
  const alice = await openAgent(context)
  const byes = () => flows.filter(([{ method }]) => method === 'BYE')
  for (const endsItself of [true, false]) {
    flows.length = 0
    const { call, reported } = dial(alice, uriOf(peer))
    await answered(reported)
    if (endsItself) call.end()
    const ending = settled(alice.endStored(call.stored))
    await until(() => byes().length > 0, 'BYE')
    await sleep(20)
    assert.equal(ending(), false, 'nobody has answered it')
    reply(peer, ...byes()[0]!, 200)
    await until(ending, 'the end of what was stored')
    const numbers = byes().map(([{ headers }]) => headers.find(({ name }) => name === 'CSeq')?.value)
    assert.equal(new Set(numbers).size, 1, numbers.join())
  }
})

/** Whether the promise has come to its end by now. */
function settled(promise: Promise<void>): () => boolean {
  let isOver = false
  void promise.then(() => {
    isOver = true
  })
  return () => isOver
}

test('an answer that is never acknowledged, and a re-INVITE like that, end in BYE', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs))
  const peer = await openPeer(context)
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  const responses = (callId: string, status: number) =>
    messagesOfCall(peer, callId).flatMap(({ message }) =>
      message.kind === 'response' && message.status === status ? [message] : [],
    )
  const byes = (callId: string) =>
    messagesOfCall(peer, callId).filter(({ message }) => message.kind === 'request' && message.method === 'BYE')
  peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId: 'deaf', sdp: sdpOf(40_000) }), target)
  await until(() => byes('deaf').length > 0, 'BYE')
  assert.ok(responses('deaf', 200).length > 5, 'the answer was repeated')
  await ended(bobs[0]!)
  assert.deepEqual([bobs[0]?.end.by, bobs[0]?.end.status, bobs[0]?.end.isSilent], ['remote', 408, true])

  peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId: 'deafer', sdp: sdpOf(40_000) }), target)
  await until(() => responses('deafer', 200).length > 0, '200')
  const toTag = tagOf(responses('deafer', 200)[0]!)!
  peer.transport.send(requestOfPeer(peer, 'ACK', bob.uri(), { callId: 'deafer', toTag }), target)
  const again = { callId: 'deafer', toTag, cseq: 2, sdp: sdpOf(40_002) }
  peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), again), target)
  await ended(bobs[1]!)
  assert.equal(bobs[1]?.end.status, 408)
  await until(() => byes('deafer').length > 0, 'BYE')
})

test('a caller whose connection is gone before it rings leaves nothing behind', async context => {
  const bobs: Reported[] = []
  const called = await openAgent(context, call => bobs.push(accept(call)))
  const peer = await openPeer(context)
  const { port } = called.bound.find(({ transport }) => transport === 'tcp')!
  const caller = await rawClient(context, { address: '127.0.0.1', port })
  const made = requestOfPeer(peer, 'INVITE', called.uri('tcp'), { callId: 'gone', sdp: sdpOf(40_000) })
  // Nobody listens where it says that it does.
  const via = { name: 'Via', value: 'SIP/2.0/TCP 127.0.0.1:1;branch=z9hG4bKgone' }
  const invite = { ...made, headers: [via, ...made.headers.slice(1)] }
  caller.socket.write(serializeMessage(invite))
  await until(() => bobs.length > 0, 'the call')
  caller.socket.destroy()
  // It may still look open for a moment: then the next one finds it closed.
  const ringing = setInterval(() => called.incoming[0]!.ring(), 5)
  context.after(() => clearInterval(ringing))
  await ended(bobs[0]!)
  assert.deepEqual([bobs[0]!.end.by, bobs[0]!.end.status], ['remote', 503])
  await forgotten(called)
})

test('a lost ACK is sent again for each repetition of the answer; a late copy of an ACK disturbs no hold', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const { call, reported } = dial(alice, uriOf(peer))
  await until(() => flows.length > 0, 'the INVITE')
  const [invite, flow] = flows[0]!
  for (let copy = 0; copy < 3; copy++) reply(peer, invite, flow, 200, { sdp: sdpOf(50_000) })
  const acks = () => flows.filter(([{ method }]) => method === 'ACK')
  await until(() => acks().length === 3, 'three ACKs')
  assert.equal(reported.log.filter(line => line === 'answered').length, 1)
  call.end()

  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs))
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId: 'late', sdp: sdpOf(40_000) }), target)
  const oks = () =>
    peer.received.flatMap(({ message }) => (message.kind === 'response' && message.status === 200 ? [message] : []))
  await until(() => oks().length > 0, '200')
  const ack = requestOfPeer(peer, 'ACK', bob.uri(), { callId: 'late', toTag: tagOf(oks()[0]!)! })
  peer.transport.send(ack, target)
  await sleep(20)
  flows.length = 0
  const held = bob.incoming[0]!.hold(true)
  await until(() => flows.some(([{ method }]) => method === 'INVITE'), 'the re-INVITE')
  peer.transport.send(ack, target)
  await sleep(20)
  const [reinvite, reflow] = flows.find(([{ method }]) => method === 'INVITE')!
  reply(peer, reinvite, reflow, 200, { sdp: sdpOf(40_000, 'a=recvonly') })
  assert.equal(await held, true)
  assert.deepEqual(bob.errors, [])
})

test('a network that loses, doubles and swaps datagrams: every call is made and ended once', async context => {
  // 64 * T1 are 6.4 s: a busy machine keeps 80 ends of calls waiting for longer than those of the other tests bear.
  const timers = { t1Ms: 100, t2Ms: 400, t4Ms: 100, dMs: 1_000, tryingMs: 50 }
  const bobs: Reported[] = []
  const answer = (call: IncomingCall) => {
    bobs.push(accept(call))
    call.ring()
    void call.answer()
  }
  const bob = await openAgent(context, answer, { timers })
  const alice = await openAgent(context, undefined, { timers })
  const network = await openNetwork(context, bob.bound[0]!.port, {
    loss: 0.1,
    doubling: 0.1,
    swapping: 0.1,
    random: chanceOf(5),
  })
  const target = `sip:bob@127.0.0.1:${network.port}`
  const calls = Array.from({ length: 40 }, () => dial(alice, target, { routes: [`<${target};lr>`] }))
  await Promise.all(calls.map(({ reported }) => answered(reported)))
  await Promise.all(calls.map(({ call }, index) => index % 2 === 0 && call.hold(true)))
  for (const { call } of calls) call.end()
  await ended(...bobs, ...calls.map(({ reported }) => reported))
  assert.equal(bobs.length, 40)
  assert.ok(network.dropped > 10, `${network.dropped} were lost`)
  await forgotten(alice, bob)
  for (const reported of [...bobs, ...calls.map(call => call.reported)]) assert.equal(reported.ends.length, 1)
  assert.deepEqual([alice.errors, bob.errors], [[], []])
})
