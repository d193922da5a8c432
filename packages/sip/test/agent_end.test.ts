// How calls end: CANCEL at every moment, BYE from either side and from both, answers that nobody acknowledges, networks that lose
// and double datagrams, and calls that another process left behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SipRequest } from '../src/message.ts'
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
  note,
  openAgent,
  openNetwork,
  openPeer,
  reply,
  requestOfPeer,
  sdpOf,
  sleep,
  type Told,
  tagOf,
  uriOf,
} from './agent_support.ts'
import { until } from './transport_support.ts'

test('CANCEL before anything was heard waits for the first response', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const { call, told } = dial(alice, uriOf(peer))
  await until(() => flows.length > 0, 'the INVITE')
  call.end({ q850: 16 })
  assert.deepEqual(told.log, ['ended by local 487'])
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
  assert.deepEqual(told.log, ['ended by local 487'])
})

test('CANCEL while it rings, and a caller that hangs up by BYE before the answer', async context => {
  const bobs: Told[] = []
  const bob = await openAgent(context, call => {
    bobs.push(accept(call))
    call.ring()
  })
  const alice = await openAgent(context)
  const { call, told } = dial(alice, bob.uri())
  await until(() => told.log.includes('progress 180'), 'ringing')
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
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  for (const rings of [true, false]) {
    flows.length = 0
    const { call, told } = dial(alice, uriOf(peer))
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
      told.log.filter(line => line.startsWith('ended')),
      ['ended by local 487'],
    )
  }
  await forgotten(alice)
})

test('BYE from the called side, from both at once, and from the called side before the ACK', async context => {
  const bobs: Told[] = []
  const bob = await openAgent(context, answerer(bobs))
  const alice = await openAgent(context)
  const one = await connect(alice, bob)
  one.other.end({ q850: 17 })
  await ended(one.told)
  assert.deepEqual([one.told.end.by, one.told.end.reasons[0]?.cause, one.told.end.wasAnswered], ['remote', 17, true])
  const two = await connect(alice, bob)
  two.call.end()
  two.other.end()
  await ended(two.told, bobs[1]!)
  assert.deepEqual([two.told.end.by, bobs[1]?.end.by], ['local', 'local'])

  const peer = await openPeer(context)
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  for (const acknowledges of [true, false]) {
    peer.received.length = 0
    const callId = `early-${acknowledges}`
    peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId, sdp: sdpOf(40_000) }), target)
    const find = (what: string) =>
      peer.received.find(({ message }) => (message.kind === 'request' ? message.method : `${message.status}`) === what)
    await until(() => find('200') !== undefined, 'the answer')
    const call = bob.incoming.at(-1)!
    call.end({ q850: 31 })
    const farewell = settled(call.farewell())
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
    assert.equal(farewell(), false)
    reply(peer, message, flow, 200)
    await until(farewell, 'the farewell')
  }
  await forgotten(alice, bob)
  assert.ok(bobs.every(({ ends }) => ends.length === 1))
})

test('a farewell is over when the BYE was answered, or when nobody will', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const find = (wanted: string) => flows.find(([{ method }]) => method === wanted)
  for (const answersBye of [true, false]) {
    flows.length = 0
    const { call } = dial(alice, uriOf(peer))
    await until(() => flows.length > 0, 'the INVITE')
    reply(peer, ...flows[0]!, 200, { sdp: sdpOf(50_000) })
    await until(() => find('ACK') !== undefined, 'ACK')
    call.end()
    const farewell = settled(call.farewell())
    await until(() => find('BYE') !== undefined, 'BYE')
    assert.equal(farewell(), false)
    if (answersBye) reply(peer, ...find('BYE')!, 200)
    await until(farewell, 'the farewell')
  }
  const refused = dial(alice, uriOf(peer))
  await until(() => find('INVITE') !== undefined, 'the INVITE')
  refused.call.end()
  await refused.call.farewell()
})

test('a farewell to who rings is over when the INVITE had its final answer, or when nobody will give one', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const find = (wanted: string) => flows.find(([{ method }]) => method === wanted)
  for (const answers of ['487', '200', 'nothing']) {
    flows.length = 0
    const { call } = dial(alice, uriOf(peer))
    await until(() => flows.length > 0, 'the INVITE')
    const invite = flows[0]!
    reply(peer, ...invite, 180)
    await until(() => call.phase === 'ringing', 'ringing')
    call.end()
    const farewell = settled(call.farewell())
    await until(() => find('CANCEL') !== undefined, 'CANCEL')
    await sleep(20)
    assert.equal(farewell(), false, 'CANCEL may be lost')
    // Whoever looks for calls that nobody has told of their end finds it too.
    const ending = settled(alice.endStored(call.stored))
    if (answers !== 'nothing') reply(peer, ...find('CANCEL')!, 200)
    await sleep(20)
    assert.deepEqual([farewell(), ending()], [false, false], 'it was answered, and the telephone may still ring')
    if (answers === '487') reply(peer, ...invite, 487)
    if (answers === '200') {
      reply(peer, ...invite, 200, { sdp: sdpOf(50_000) })
      await until(() => find('BYE') !== undefined, 'BYE to who was faster than CANCEL')
      assert.equal(farewell(), false, 'it talks to nobody')
      reply(peer, ...find('BYE')!, 200)
    }
    await until(farewell, `the farewell after ${answers}`)
    await until(ending, `the end of what was stored after ${answers}`)
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
  const bobs: Told[] = []
  const bob = await openAgent(context, answerer(bobs))
  const peer = await openPeer(context)
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  const responses = (status: number) =>
    peer.received.flatMap(({ message }) => (message.kind === 'response' && message.status === status ? [message] : []))
  const byes = () => peer.received.filter(({ message }) => message.kind === 'request' && message.method === 'BYE')
  peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId: 'deaf', sdp: sdpOf(40_000) }), target)
  await until(() => byes().length > 0, 'BYE')
  assert.ok(responses(200).length > 5, 'the answer was repeated')
  await ended(bobs[0]!)
  assert.deepEqual([bobs[0]?.end.by, bobs[0]?.end.status, bobs[0]?.end.isSilent], ['remote', 408, true])

  peer.received.length = 0
  peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId: 'deafer', sdp: sdpOf(40_000) }), target)
  await until(() => responses(200).length > 0, '200')
  const toTag = tagOf(responses(200)[0]!)!
  peer.transport.send(requestOfPeer(peer, 'ACK', bob.uri(), { callId: 'deafer', toTag }), target)
  const again = { callId: 'deafer', toTag, cseq: 2, sdp: sdpOf(40_002) }
  peer.transport.send(requestOfPeer(peer, 'INVITE', bob.uri(), again), target)
  await ended(bobs[1]!)
  assert.equal(bobs[1]?.end.status, 408)
  assert.ok(byes().length > 0)
})

test('a lost ACK is sent again for each repetition of the answer; a late copy of an ACK disturbs no hold', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const { call, told } = dial(alice, uriOf(peer))
  await until(() => flows.length > 0, 'the INVITE')
  const [invite, flow] = flows[0]!
  for (let copy = 0; copy < 3; copy++) reply(peer, invite, flow, 200, { sdp: sdpOf(50_000) })
  const acks = () => flows.filter(([{ method }]) => method === 'ACK')
  await until(() => acks().length === 3, 'three ACKs')
  assert.equal(told.log.filter(line => line === 'answered').length, 1)
  call.end()

  const bobs: Told[] = []
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
  const bobs: Told[] = []
  const bob = await openAgent(context, call => {
    bobs.push(accept(call))
    call.ring()
    void call.answer()
  })
  const alice = await openAgent(context)
  const network = await openNetwork(context, bob.bound[0]!.port, {
    loss: 0.1,
    doubling: 0.1,
    swapping: 0.1,
    random: chanceOf(5),
  })
  const target = `sip:bob@127.0.0.1:${network.port}`
  const calls = Array.from({ length: 40 }, () => dial(alice, target, { routes: [`<${target};lr>`] }))
  await Promise.all(calls.map(({ told }) => answered(told)))
  await Promise.all(calls.map(({ call }, index) => index % 2 === 0 && call.hold(true)))
  for (const { call } of calls) call.end()
  await ended(...bobs, ...calls.map(({ told }) => told))
  assert.equal(bobs.length, 40)
  assert.ok(network.dropped > 10, `${network.dropped} were lost`)
  await forgotten(alice, bob)
  for (const told of [...bobs, ...calls.map(call => call.told)]) assert.equal(told.ends.length, 1)
  assert.deepEqual([alice.errors, bob.errors], [[], []])
})

test('calls of another process are ended: calling, ringing, answered, and answered meanwhile', async context => {
  const bobs: Told[] = []
  const bob = await openAgent(context, call => {
    bobs.push(accept(call))
    call.ring()
    if (bobs.length === 3) void call.answer()
  })
  const other = await openAgent(context)
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const ringing = dial(alice, bob.uri())
  await until(() => ringing.told.log.includes('progress 180'), 'ringing')
  await other.endStored(ringing.told.stored.at(-1)!)
  await ended(bobs[0]!)
  assert.deepEqual([bobs[0]?.end.status, bobs[0]?.end.reasons[0]?.cause], [487, 41])
  const byTcp = dial(alice, bob.uri('tcp'))
  await until(() => byTcp.told.log.includes('progress 180'), 'ringing')
  await other.endStored(byTcp.call.stored)
  await ended(bobs[1]!)
  const standing = dial(alice, bob.uri())
  await answered(standing.told)
  await standing.call.sendInfo('1', 100)
  await other.endStored(standing.told.stored.at(-1)!)
  await ended(bobs[2]!)
  assert.equal(bobs[2]?.end.status, 200)

  // Nobody had answered the INVITE; the CANCEL is repeated, and what is picked up after it is hung up.
  const calling = dial(alice, uriOf(peer))
  await until(() => flows.length > 0, 'the INVITE')
  const [invite] = flows[0]!
  const state = calling.told.stored.at(-1)!
  assert.equal(state.dialog.phase, 'calling')
  const done = other.endStored(state)
  const cancels = () => flows.filter(([{ method }]) => method === 'CANCEL')
  await until(() => cancels().length > 2, 'CANCEL')
  const [cancel, flow] = cancels()[0]!
  assert.equal(
    cancel.headers[0]?.value.replace(/;(rport|received).*/, ''),
    invite.headers[0]?.value.replace(/;(rport|received).*/, ''),
  )
  // The new process listens where the old one did; here that is another port.
  const via = `SIP/2.0/UDP 127.0.0.1:${other.bound[0]!.port};branch=${state.branch}`
  const headers = invite.headers.map(line => (line.name === 'Via' ? { name: 'Via', value: via } : line))
  reply(peer, { ...invite, headers }, flow, 200, { sdp: sdpOf(50_000) })
  await done
  await until(
    () => flows.some(([{ method }, { remote }]) => method === 'BYE' && remote.port === other.bound[0]?.port),
    'BYE',
  )
  assert.ok(flows.some(([{ method }]) => method === 'ACK'))
  // What cannot be reached is no fault of the one who asks.
  await other.endStored({
    ...standing.told.stored.at(-1)!,
    dialog: { ...standing.call.stored.dialog, remoteTarget: 'sip:bob@gone.example' },
  })
  assert.deepEqual(other.errors, [])
  for (const { call } of [ringing, byTcp, standing, calling]) call.end()
  await forgotten(other)
})

test('a stored call whose BYE is challenged is ended with the account', async context => {
  const asked: SipRequest[] = []
  const peer = await openPeer(context, (message, flow) => {
    asked.push(message)
    const isProved = message.headers.some(({ name }) => name === 'Authorization')
    const value = 'Digest realm="tandem", nonce="1", qop="auth", algorithm=SHA-256'
    if (message.method === 'INVITE') reply(peer, message, flow, 200, { sdp: sdpOf(50_000) })
    else if (message.method === 'BYE' && isProved) reply(peer, message, flow, 200)
    else if (message.method === 'BYE')
      reply(peer, message, flow, 401, { headers: [{ name: 'WWW-Authenticate', value }] })
  })
  const alice = await openAgent(context)
  const other = await openAgent(context)
  const { call, told } = dial(alice, uriOf(peer), {}, note())
  await answered(told)
  await other.endStored(call.stored, undefined, { username: 'alice', password: 'secret' })
  const byes = asked.filter(({ method }) => method === 'BYE')
  assert.equal(byes.length, 2)
  const cseqs = byes.map(({ headers }) => Number.parseInt(headers.find(({ name }) => name === 'CSeq')!.value, 10))
  assert.ok(cseqs[0]! > 1000 && cseqs[1]! === cseqs[0]! + 1)
})
