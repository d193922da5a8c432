// How a call of ours reaches somebody: targets in turn, digest, forking, session timers and their 422, answers that come too
// late, and what the called party does with Replaces and credentials.
// test: waits
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { closedPort } from '../../../scripts/testing/free_port.ts'
import { credentialsOf, digestSecret } from '../src/digest.ts'
import { createDigestGuard } from '../src/digest_guard.ts'
import type { SipRequest } from '../src/message.ts'
import { isFault } from '../src/message.ts'
import type { SipFlow } from '../src/transport/types.ts'
import {
  accept,
  answered,
  answerer,
  connect,
  dial,
  ended,
  fast,
  fastClock,
  forgotten,
  openAgent,
  openPeer,
  type Reported,
  reply,
  requestOfPeer,
  resolverOf,
  sdpOf,
  sleep,
  uriOf,
} from './agent_support.ts'
import { until } from './transport_support.ts'

test('targets in turn: one refuses the connection, one says 503, one is silent, the last one answers', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs))
  const busy = await openPeer(context, (message, flow, party) => {
    if (message.method === 'INVITE') reply(party, message, flow, 503)
  })
  const silent = await openPeer(context)
  const record = (port: number, priority: number) => ({ name: 'host.example', port, priority, weight: 1 })
  const resolver = (udp: number[], tcp: number[] = []) => ({
    ...resolverOf({ 'host.example': ['127.0.0.1'] }),
    resolveSrv: async (name: string) => (name.startsWith('_sip._tcp') ? tcp : udp).map(record),
  })
  const ports = [busy.at('udp').port, silent.at('udp').port, bob.bound[0]!.port]
  const alice = await openAgent(context, undefined, { resolver: resolver(ports, [closedPort, bob.bound[1]!.port]) })
  const { call, reported } = dial(alice, 'sip:bob@example.com')
  await answered(reported)
  assert.deepEqual(
    [busy, silent].map(({ received }) => received.length > 0),
    [true, true],
  )
  call.end()
  await ended(bobs[0]!)
  const byTcp = dial(alice, 'sip:bob@example.com;transport=tcp')
  await answered(byTcp.reported)
  byTcp.call.end()
  // Each INVITE but the first is stored with its own branch.
  const branches = reported.stored.flatMap(({ branch }) => (branch === null ? [] : [branch]))
  assert.equal(new Set(branches).size, 3)

  const only = await openAgent(context, undefined, { resolver: resolver([silent.at('udp').port]) })
  const lost = dial(only, 'sip:bob@example.com')
  await ended(lost.reported)
  assert.deepEqual([lost.reported.end.status, lost.reported.end.isSilent, lost.reported.end.by], [408, true, 'remote'])
  const causes: unknown[] = []
  const nowhere = await openAgent(context, undefined, { onUnreachable: error => causes.push(error) })
  const unknown = dial(nowhere, 'sip:bob@example.com')
  await ended(unknown.reported)
  assert.deepEqual([unknown.reported.end.status, unknown.reported.end.isSilent, causes.length], [503, true, 1])
  const refused = dial(nowhere, `sip:bob@127.0.0.1:${closedPort};transport=tcp`)
  await ended(refused.reported)
  assert.deepEqual([refused.reported.end.status, causes.length], [503, 2])
  await forgotten(alice, bob, only, nowhere)
})

test('after a telephone has rung nobody else is tried, and every refusal is reported as it is', async context => {
  let status = 503
  const peer = await openPeer(context, (message, flow, party) => {
    if (message.method !== 'INVITE') return
    reply(party, message, flow, 180)
    reply(party, message, flow, status, { headers: [{ name: 'Reason', value: 'Q.850;cause=34' }] })
  })
  const other = await openPeer(context)
  const record = (port: number, priority: number) => ({ name: 'host.example', port, priority, weight: 1 })
  const alice = await openAgent(context, undefined, {
    resolver: {
      ...resolverOf({ 'host.example': ['127.0.0.1'] }),
      resolveSrv: async name =>
        name.startsWith('_sip._udp') ? [peer, other].map((party, index) => record(party.at('udp').port, index)) : [],
    },
  })
  for (status of [302, 404, 486, 503, 603]) {
    const { reported } = dial(alice, 'sip:bob@example.com')
    await ended(reported)
    const { end } = reported
    assert.deepEqual([end.status, end.hasRung, end.isSilent, end.response?.status], [status, true, false, status])
    assert.equal(end.reasons[0]?.cause, 34)
  }
  assert.equal(other.received.length, 0)
})

test('a target that answers after we went on to the next one gets ACK and BYE', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const slow = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const { reported } = dial(alice, uriOf(slow))
  await ended(reported)
  assert.equal(reported.end.status, 408)
  const [invite, flow] = flows[0]!
  reply(slow, invite, flow, 200, { sdp: sdpOf(50_000) })
  await until(() => flows.some(([{ method }]) => method === 'BYE'), 'BYE')
  assert.ok(flows.some(([{ method }]) => method === 'ACK'))
  assert.equal(reported.ends.length, 1)
})

test('digest: right, wrong, stale, 401 and 407, within the call too', async context => {
  const guard = createDigestGuard({ realm: 'tandem', key: randomBytes(16), lifetimeMs: 60_000 })
  const state = { status: 401 as 401 | 407, nowMs: 0 }
  const verdicts: string[] = []
  const bobs: Reported[] = []
  const bob = await openAgent(context, call => {
    const { status, nowMs } = state
    const name = status === 401 ? 'Authorization' : 'Proxy-Authorization'
    const credentials = credentialsOf(call.request, name, 'tandem')
    if (credentials === undefined || typeof credentials === 'string' || isFault(credentials)) {
      verdicts.push('none')
      call.reject(status, guard.challenge(status, nowMs))
      return
    }
    const { algorithm } = credentials
    const secret = digestSecret(algorithm, 'alice', 'tandem', 'secret')
    const verdict = guard.check(credentials, { secret, method: 'INVITE', uri: call.request.uri }, nowMs)
    verdicts.push(verdict)
    if (verdict === 'right') {
      bobs.push(accept(call))
      void call.answer()
    } else call.reject(status, guard.challenge(status, nowMs, { isStale: verdict === 'stale' }))
  })
  const alice = await openAgent(context)
  for (const status of [401, 407] as const) {
    state.status = status
    verdicts.length = 0
    const { call, reported } = dial(alice, bob.uri(), { account: { username: 'alice', password: 'secret' } })
    await answered(reported)
    assert.deepEqual(verdicts, ['none', 'right'])
    call.end()
    verdicts.length = 0
    const wrong = dial(alice, bob.uri(), { account: { username: 'alice', password: 'guess' } })
    await ended(wrong.reported)
    assert.deepEqual([wrong.reported.end.status, verdicts], [status, ['none', 'wrong']])
    const none = dial(alice, bob.uri())
    await ended(none.reported)
    assert.equal(none.reported.end.status, status)
  }
  // The nonce grows old between the challenge and its answer.
  verdicts.length = 0
  const slow = dial(alice, bob.uri(), {
    account: { username: 'alice', password: 'secret' },
    async store({ dialog }) {
      if (dialog.localCSeq === 2) state.nowMs += 70_000
    },
  })
  await answered(slow.reported)
  assert.deepEqual(verdicts, ['none', 'stale', 'right'])
  slow.call.end()
  await forgotten(alice, bob)
})

test('a proxy that forks: one telephone is kept, the others are hung up, and 199 ends an early one', async context => {
  const flows: [SipRequest, SipFlow][] = []
  const proxy = await openPeer(context, (message, flow, party) => {
    flows.push([message, flow])
    if (message.method === 'BYE') reply(party, message, flow, 200)
  })
  const alice = await openAgent(context)
  const { call, reported } = dial(alice, uriOf(proxy))
  await until(() => flows.length > 0, 'the INVITE')
  const [invite, flow] = flows[0]!
  reply(proxy, invite, flow, 180, { toTag: 'one' })
  reply(proxy, invite, flow, 183, { toTag: 'two', sdp: sdpOf(50_002) })
  reply(proxy, invite, flow, 180, { toTag: 'three' })
  reply(proxy, invite, flow, 199, { toTag: 'three' })
  reply(proxy, invite, flow, 200, { toTag: 'one', sdp: sdpOf(50_001) })
  reply(proxy, invite, flow, 200, { toTag: 'two', sdp: sdpOf(50_002) })
  await answered(reported)
  const of = (method: string, user: string) =>
    flows.filter(([request]) => request.method === method && request.uri.includes(`${user}@`))
  await until(() => of('BYE', 'two').length > 0, 'BYE of the second')
  assert.deepEqual([of('ACK', 'one').length, of('ACK', 'two').length, of('BYE', 'one').length], [1, 1, 0])
  reply(proxy, invite, flow, 200, { toTag: 'two', sdp: sdpOf(50_002) })
  reply(proxy, invite, flow, 200, { toTag: 'one', sdp: sdpOf(50_001) })
  await until(() => of('ACK', 'two').length === 2 && of('ACK', 'one').length === 2, 'ACKs again')
  // The one that was not wanted hangs up by itself: that is not the end of the call.
  const parts = { callId: call.callId, fromTag: 'two', toTag: call.stored.dialog.localTag, cseq: 7 }
  proxy.transport.send(requestOfPeer(proxy, 'BYE', alice.uri(), parts), flow)
  await sleep(30)
  assert.equal(reported.ends.length, 0)
  assert.equal(reported.media.at(-1)?.remote?.port, 50_001)
  // One request, however often it was sent.
  assert.equal(new Set(of('BYE', 'two').map(([request]) => cseqOf(request))).size, 1)
  call.end()
  await until(() => of('BYE', 'one').length > 0, 'BYE of the first')
  await forgotten(alice)
})

test('session timers: 422 is respected, UPDATE refreshes, and a side that falls silent ends the call', async context => {
  // Ten minutes in a second and a half.
  const quick = {
    timing: fastClock(2_000),
    timers: { t1Ms: 20_000, t2Ms: 100_000, t4Ms: 100_000, dMs: 600_000, tryingMs: 10_000 },
  }
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs, { timer: { interval: 1_200, minimum: 600 } }), quick)
  const alice = await openAgent(context, undefined, quick)
  const timer = { interval: 120, minimum: 90 }
  const { reported, call } = dial(alice, bob.uri(), { timer })
  await answered(reported)
  assert.ok(alice.said('in').includes('422'))
  const updates = () =>
    alice.said('in').filter(what => what === 'UPDATE').length + bob.said('in').filter(what => what === 'UPDATE').length
  await until(() => updates() >= 3, 'refreshes')
  // The first one was refused.
  assert.deepEqual([reported.ends.length, bobs[1]?.ends.length], [0, 0])
  call.end()
  await ended(bobs[1]!)

  const mute = await openPeer(context, (message, flow, party) => {
    if (message.method === 'INVITE') {
      const headers = [
        { name: 'Session-Expires', value: '120;refresher=uas' },
        { name: 'Require', value: 'timer' },
      ]
      reply(party, message, flow, 200, { headers, sdp: sdpOf(50_000) })
    }
  })
  const silent = dial(alice, uriOf(mute), { timer })
  await answered(silent.reported)
  await ended(silent.reported)
  assert.deepEqual(
    [silent.reported.end.by, silent.reported.end.status, silent.reported.end.isSilent],
    ['remote', 408, true],
  )
  await until(() => mute.received.some(({ message }) => message.kind === 'request' && message.method === 'BYE'), 'BYE')
})

test('a refresh by re-INVITE where the remote party has no UPDATE; an endless interval is no busy loop', async context => {
  const quick = {
    timing: fastClock(400),
    timers: { t1Ms: 20_000, t2Ms: 100_000, t4Ms: 100_000, dMs: 600_000, tryingMs: 10_000 },
  }
  let interval = '600'
  const peer = await openPeer(context, (message, flow, party) => {
    const headers = [
      { name: 'Session-Expires', value: `${interval};refresher=uac` },
      { name: 'Require', value: 'timer' },
      { name: 'Allow', value: 'INVITE, ACK, BYE, CANCEL' },
    ]
    if (message.method === 'INVITE') reply(party, message, flow, 200, { headers, sdp: sdpOf(50_000) })
    else if (message.method === 'BYE') reply(party, message, flow, 200)
  })
  const alice = await openAgent(context, undefined, quick)
  const { call, reported } = dial(alice, uriOf(peer))
  // What is sent again on a busy machine is no further refresh.
  const invites = () =>
    alice.traces.filter(
      ({ message, direction }, index, all) =>
        direction === 'out' &&
        message.kind === 'request' &&
        message.method === 'INVITE' &&
        all.findIndex(other => other.direction === 'out' && cseqOf(other.message) === cseqOf(message)) === index,
    )
  await until(() => invites().length > 2, 'two refreshes')
  const second = invites()[1]
  assert.ok(
    second?.message.headers.some(({ name, value }) => name === 'Session-Expires' && value === '600;refresher=uac'),
  )
  assert.equal(reported.ends.length, 0)
  call.end()
  interval = '4294967295'
  const endless = dial(alice, uriOf(peer))
  await answered(endless.reported)
  await sleep(30)
  assert.deepEqual([endless.reported.ends.length, alice.errors], [0, []])
  endless.call.end()
})

const cseqOf = ({ headers }: { headers: readonly { name: string; value: string }[] }) =>
  headers.find(({ name }) => name === 'CSeq')?.value

/** Opens what has the same number for UDP and TCP, as a real server has; a number free for one may be taken for the other. */
async function onOneNumber<Opened>(open: (both: { address: string; port: number }[]) => Promise<Opened>) {
  for (let tries = 1; ; tries++) {
    const probe = createServer()
    await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve))
    const { port } = probe.address() as { port: number }
    await new Promise(resolve => probe.close(resolve))
    try {
      return await open([{ address: '127.0.0.1', port }])
    } catch (error) {
      if (tries === 10) throw error
    }
  }
}

test('requests that are too large for a datagram go over TCP where they may', async context => {
  const bobs: Reported[] = []
  const bob = await onOneNumber(async both => openAgent(context, answerer(bobs), { udp: both, tcp: both }))
  const alice = await openAgent(context)
  const large = [{ name: 'X-Large', value: 'x'.repeat(1_000) }]
  const used = []
  for (const headers of [[], large]) {
    const { call, reported } = dial(alice, bob.uri(), { mayUseTcp: true, headers })
    await answered(reported)
    used.push(bob.incoming.at(-1)?.flow.transport)
    call.end()
  }
  assert.deepEqual(used, ['udp', 'tcp'])
})

test('Replaces: the call it means, none, one that has ended, and an early-only one that was answered', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs), { timers: { ...fast, t1Ms: 30 } })
  const alice = await openAgent(context)
  const carol = await openAgent(context)
  const standing = await connect(alice, bob)
  const { callId, localTag, remoteTag } = standing.call.stored.dialog
  const replaces = (tag: string, more = '') => ({
    headers: [{ name: 'Replaces', value: `${callId};to-tag=${remoteTag};from-tag=${tag}${more}` }],
  })
  const statuses = []
  for (const parts of [replaces('wrong'), replaces(localTag, ';early-only')]) {
    const { reported } = dial(carol, bob.uri(), parts)
    await ended(reported)
    statuses.push(reported.end.status)
  }
  assert.deepEqual(statuses, [481, 486])
  const taking = dial(carol, bob.uri(), replaces(localTag))
  await answered(taking.reported)
  assert.equal(bob.incoming.at(-1)?.replaces, standing.other)
  bob.incoming.at(-1)?.replaces?.end()
  await ended(standing.reported)
  const late = dial(carol, bob.uri(), replaces(localTag))
  await ended(late.reported)
  assert.equal(late.reported.end.status, 603)
  taking.call.end()
})

test('an address that may not be sent to is reported with the reason that was given', async context => {
  const alice = await openAgent(context, undefined, { mayReach: () => 'the fence is closed' })
  await assert.rejects(alice.addressesOf('sip:bob@192.0.2.7'), { message: '192.0.2.7: the fence is closed' })
})
