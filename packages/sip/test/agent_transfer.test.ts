// Transfer between agents: REFER with its reports both ways, refusals, and an attended transfer by Replaces.
// test: waits
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replacesHeader } from '../src/dialog/replaces.ts'
import { formatUri } from '../src/uri.ts'
import {
  accept,
  answered,
  answerer,
  connect,
  dial,
  ended,
  forgotten,
  note,
  openAgent,
  openPeer,
  type Reported,
  reply,
  sdpOf,
  uriOf,
} from './agent_support.ts'
import { until } from './transport_support.ts'

test('REFER from either side: the other one reports how it goes', async context => {
  const reports = [180, 183, 200]
  const asked: string[] = []
  const onRefer = (target: string, report: (status: number) => void) => {
    asked.push(target)
    for (const status of reports) report(status)
  }
  const bob = await openAgent(context, call => {
    accept(call, note({ onRefer: (referral, report) => onRefer(formatUri(referral.target), report) }))
    void call.answer()
  })
  const alice = await openAgent(context)
  const reported = note({ onRefer: (referral, report) => onRefer(formatUri(referral.target), report) })
  const { call } = dial(alice, bob.uri(), {}, reported)
  await answered(reported)
  await until(() => bob.said('in').includes('ACK'), 'ACK')
  assert.deepEqual(await call.refer('sip:carol@tandem.example'), { ok: true, status: 200 })
  assert.deepEqual(await bob.incoming[0]!.refer('tel:+15550100'), { ok: true, status: 200 })
  assert.deepEqual(asked, ['sip:carol@tandem.example', 'tel:+15550100'])
  reports.splice(0, 3, 486)
  assert.deepEqual(await call.refer('sip:carol@tandem.example'), { ok: false, status: 486 })
  assert.deepEqual(await call.refer('no address at all'), { ok: false, status: 400 })
  assert.equal(reported.ends.length, 0)
  call.end()
  assert.deepEqual(await call.refer('sip:carol@tandem.example'), { ok: false, status: 481 })
  await forgotten(alice, bob)
})

test('REFER that nobody handles is refused; one that is challenged is reported on by its new number', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, answerer(bobs))
  const alice = await openAgent(context)
  const { call } = await connect(alice, bob)
  assert.deepEqual(await call.refer('sip:carol@tandem.example'), { ok: false, status: 603 })
  call.end()

  const peer = await openPeer(context, (message, flow, party) => {
    const cseq = Number.parseInt(message.headers.find(({ name }) => name === 'CSeq')!.value, 10)
    const value = 'Digest realm="tandem", nonce="1", qop="auth", algorithm=SHA-256'
    if (message.method === 'INVITE') reply(party, message, flow, 200, { sdp: sdpOf(50_000) })
    if (message.method === 'BYE') reply(party, message, flow, 200)
    if (message.method !== 'REFER') return
    if (!message.headers.some(({ name }) => name === 'Authorization')) {
      reply(party, message, flow, 401, { headers: [{ name: 'WWW-Authenticate', value }] })
      return
    }
    // The report comes before the answer.
    const line = (name: string) => message.headers.find(header => header.name === name)!.value
    party.transport.send(
      {
        kind: 'request',
        method: 'NOTIFY',
        uri: alice.uri(),
        headers: [
          { name: 'Via', value: `SIP/2.0/UDP 127.0.0.1:${party.at('udp').port};branch=z9hG4bKn${cseq};rport` },
          { name: 'From', value: line('To') },
          { name: 'To', value: line('From') },
          { name: 'Call-ID', value: line('Call-ID') },
          { name: 'CSeq', value: '1 NOTIFY' },
          { name: 'Max-Forwards', value: '70' },
          { name: 'Event', value: `refer;id=${cseq}` },
          { name: 'Subscription-State', value: 'terminated;reason=noresource' },
          { name: 'Content-Type', value: 'message/sipfrag;version=2.0' },
        ],
        body: Buffer.from('SIP/2.0 200 OK\r\n'),
      },
      flow,
    )
    setTimeout(() => reply(party, message, flow, 202), 30)
  })
  const proved = dial(alice, uriOf(peer), { account: { username: 'alice', password: 'secret' } })
  await answered(proved.reported)
  assert.deepEqual(await proved.call.refer('sip:carol@tandem.example'), { ok: true, status: 200 })
  proved.call.end()
})

test('an attended transfer: Bob takes the place of Alice in her call with Carol', async context => {
  const carols: Reported[] = []
  const carol = await openAgent(context, call => {
    carols.push(accept(call))
    void call.answer().then(ok => ok && call.replaces?.end())
  })
  const bob = await openAgent(context, call => {
    const onRefer: Parameters<typeof note>[0] = {
      onRefer({ target, replaces }, report) {
        assert.ok(replaces)
        const reported = note({
          onProgress: report,
          onAnswered: () => report(200),
          onEnded: ({ status }) => report(status),
        })
        dial(bob, formatUri(target), { headers: [replacesHeader(replaces)] }, reported)
      },
    }
    accept(call, note(onRefer))
    void call.answer()
  })
  const alice = await openAgent(context)
  const withBob = await connect(alice, bob)
  const withCarol = await connect(alice, carol)
  assert.deepEqual(await withBob.call.refer(carol.uri('udp', 'carol'), withCarol.call), { ok: true, status: 200 })
  await ended(withCarol.reported)
  assert.equal(withCarol.reported.end.by, 'remote')
  assert.equal(carol.incoming[1]?.replaces, carol.incoming[0])
  assert.equal(carols[1]?.ends.length, 0)
  withBob.call.end()
  assert.deepEqual([alice.errors, bob.errors, carol.errors], [[], [], []])
})
