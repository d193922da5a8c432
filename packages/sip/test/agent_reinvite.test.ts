// A re-INVITE that gets a provisional response and no final one: it is taken back after a while, and nothing of it stays.
// test: waits
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SipRequest } from '../src/message.ts'
import type { SipFlow } from '../src/transport/types.ts'
import { answered, dial, ended, forgotten, openAgent, openPeer, reply, sdpOf, uriOf } from './agent_support.ts'
import { until } from './transport_support.ts'

/** A call that stands, whose peer says 183 to a re-INVITE and no more; what comes then is for the test to answer. */
async function unansweredHold(context: TestContext) {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (request, flow) => {
    flows.push([request, flow])
    if (request.method !== 'INVITE') return
    const isFirst = invites().length === 1
    reply(peer, request, flow, isFirst ? 200 : 183, isFirst ? { sdp: sdpOf(50_000) } : {})
  })
  const find = (method: string) => flows.find(([request]) => request.method === method)
  const invites = () => flows.filter(([request]) => request.method === 'INVITE')
  const alice = await openAgent(context)
  const { call, reported } = dial(alice, uriOf(peer))
  await answered(reported)
  const held = call.hold(true)
  await until(() => find('CANCEL') !== undefined, 'CANCEL')
  const [cancel, flow] = find('CANCEL')!
  const again = invites().at(-1)![0]
  assert.equal(cancel.headers[0]?.value, again.headers[0]?.value)
  async function takeBye(): Promise<void> {
    await until(() => find('BYE') !== undefined, 'BYE')
    reply(peer, ...find('BYE')!, 200)
  }
  return { peer, alice, call, reported, held, again, cancel, flow, takeBye }
}

test('where the peer takes the CANCEL, the call stands as it was', async context => {
  const { peer, alice, call, reported, held, again, cancel, flow, takeBye } = await unansweredHold(context)
  reply(peer, cancel, flow, 200)
  reply(peer, again, flow, 487)
  assert.equal(await held, false)
  assert.deepEqual([call.phase, reported.ends.length], ['answered', 0])
  call.end()
  await takeBye()
  await forgotten(alice)
})

test('where it does not answer that either, the call ends by BYE', async context => {
  const { alice, reported, held, takeBye } = await unansweredHold(context)
  assert.equal(await held, false)
  await ended(reported)
  assert.deepEqual([reported.end.by, reported.end.status, reported.end.isSilent], ['remote', 408, true])
  await takeBye()
  await forgotten(alice)
})

test('where the call ends meanwhile, nothing of it stays', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (request, flow) => {
    flows.push([request, flow])
    const count = flows.filter(([{ method }]) => method === 'INVITE').length
    if (request.method === 'INVITE') reply(peer, request, flow, count === 1 ? 200 : 183, { sdp: sdpOf(50_000) })
    if (request.method === 'BYE') reply(peer, request, flow, 200)
  })
  const alice = await openAgent(context)
  const { call, reported } = dial(alice, uriOf(peer))
  await answered(reported)
  let held: boolean | undefined
  void call.hold(true).then(isHeld => {
    held = isHeld
  })
  await until(() => flows.filter(([{ method }]) => method === 'INVITE').length > 1, 're-INVITE')
  call.end()
  await until(() => held === false, 'the end of the re-INVITE')
  await forgotten(alice)
})
