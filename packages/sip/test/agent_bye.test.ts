// A caller's BYE that comes otherwise than books have it: before its ACK, and as programs write it that give a call up by themselves.
// test: waits
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SipMessage, SipResponse } from '../src/message.ts'
import {
  answerer,
  ended,
  forgotten,
  openAgent,
  openPeer,
  type Reported,
  requestOfPeer,
  sdpOf,
  sleep,
  tagOf,
} from './agent_support.ts'
import { until } from './transport_support.ts'

/** An agent that takes every call, and a peer whom it has answered; nothing was acknowledged yet. */
async function answeredPeer(context: TestContext) {
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs))
  const peer = await openPeer(context)
  const target = { transport: 'udp', address: '127.0.0.1', port: bob.bound[0]!.port } as const
  const send = (message: SipMessage) => peer.transport.send(message, target)
  send(requestOfPeer(peer, 'INVITE', bob.uri(), { callId: 'call', sdp: sdpOf(40_000) }))
  const answers = (method: string) =>
    peer.received.flatMap(({ message, core }) =>
      message.kind === 'response' && core.cseq.method === method ? [message as SipResponse] : [],
    )
  const taken = () => answers('INVITE').find(({ status }) => status === 200)
  await until(() => taken() !== undefined, 'the answer')
  return { bob, call: bobs[0]!, peer, send, answers, toTag: tagOf(taken()!)! }
}

test('BYE that overtakes the ACK ends the call, and the ACK that comes behind it disturbs nothing', async context => {
  const { bob, call, peer, send, answers, toTag } = await answeredPeer(context)
  send(requestOfPeer(peer, 'BYE', bob.uri(), { callId: 'call', toTag, cseq: 2 }))
  await ended(call)
  assert.deepEqual([call.end.by, call.end.status, call.end.wasAnswered], ['remote', 200, true])
  await until(() => answers('BYE').length > 0, 'its answer')
  assert.deepEqual(
    answers('BYE').map(({ status }) => status),
    [200],
  )
  send(requestOfPeer(peer, 'ACK', bob.uri(), { callId: 'call', toTag }))
  // What was said before it was read may still be on its way; then the answer is repeated no more, and no BYE of ours follows.
  await sleep(20)
  const said = peer.received.length
  await sleep(300)
  assert.equal(peer.received.length, said)
  await forgotten(bob)
})

test('BYE of the caller behind our own hang-up, without an ACK: ours is not said any more, and nobody waits for it', async context => {
  const { bob, call, peer, send, answers, toTag } = await answeredPeer(context)
  const incoming = bob.incoming[0]!
  incoming.end({ q850: 31 })
  assert.deepEqual([call.end.by, call.end.wasAnswered], ['local', true])
  let isTerminated = false
  void incoming.terminated().then(() => {
    isTerminated = true
  })
  await sleep(20)
  assert.equal(isTerminated, false)
  send(requestOfPeer(peer, 'BYE', bob.uri(), { callId: 'call', toTag, cseq: 2 }))
  await until(() => answers('BYE').length > 0, 'its answer')
  await until(() => isTerminated, 'the end of all of it')
  send(requestOfPeer(peer, 'ACK', bob.uri(), { callId: 'call', toTag }))
  await forgotten(bob)
  assert.deepEqual([answers('BYE')[0]?.status, bob.said('out').includes('BYE'), call.ends.length], [200, false, 1])
})

test('BYE of a program that aborts a call: to the address instead of the Contact; without a To tag it is of no call', async context => {
  const { bob, call, peer, send, answers, toTag } = await answeredPeer(context)
  send(requestOfPeer(peer, 'ACK', bob.uri(), { callId: 'call', toTag }))
  // As sipp writes it where the last that it received was a late 100, which has no tag (RFC 3261 §15.1.2).
  send(requestOfPeer(peer, 'BYE', 'sip:bob@tandem.example', { callId: 'call', cseq: 2 }))
  await until(() => answers('BYE').length > 0, 'its answer')
  assert.deepEqual([answers('BYE')[0]?.status, call.log.some(line => line.startsWith('ended'))], [481, false])
  // And where it was a late 180.
  send(requestOfPeer(peer, 'BYE', 'sip:bob@tandem.example', { callId: 'call', toTag, cseq: 2 }))
  await ended(call)
  await until(() => answers('BYE').length > 1, 'the other answer')
  assert.deepEqual([answers('BYE')[1]?.status, call.end.by], [200, 'remote'])
  await forgotten(bob)
})
