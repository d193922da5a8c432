// A refresh of a call that fails: others follow in time, by UPDATE and by re-INVITE, and only a peer that takes none loses the call.
// test: waits
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SipHeader, SipRequest } from '../src/message.ts'
import { answered, dial, ended, fastClock, openAgent, openPeer, reply, sdpOf, uriOf } from './agent_support.ts'
import { until } from './transport_support.ts'

// Ten minutes in a second and a half.
const quick = {
  timing: fastClock(400),
  timers: { t1Ms: 20_000, t2Ms: 100_000, t4Ms: 100_000, dMs: 600_000, tryingMs: 10_000 },
}

const cseqOf = ({ headers }: SipRequest) => Number(headers.find(({ name }) => name === 'CSeq')?.value.split(' ')[0])

const refusals: [method: string, status: number, headers: SipHeader[]][] = [
  ['UPDATE', 503, []],
  ['UPDATE', 500, [{ name: 'Retry-After', value: '5' }]],
  ['UPDATE', 500, [{ name: 'Retry-After', value: '4000' }]],
  ['INVITE', 503, []],
]

for (const [method, status, more] of refusals) {
  test(`${method} is answered ${status} ${more.map(({ value }) => value)}: the next one refreshes the call`, async context => {
    /** Each once, however often it came. */
    const numbers = new Set<number>()
    const peer = await openPeer(context, (message, flow, party) => {
      const headers = [
        { name: 'Session-Expires', value: '600;refresher=uac' },
        { name: 'Require', value: 'timer' },
        { name: 'Allow', value: `INVITE, ACK, BYE, CANCEL${method === 'UPDATE' ? ', UPDATE' : ''}` },
      ]
      if (message.method === 'ACK') return
      if (message.method === 'BYE') return void reply(party, message, flow, 200)
      const isFirst = message.method === 'INVITE' && cseqOf(message) === 1
      if (!isFirst && message.method === method) numbers.add(cseqOf(message))
      const isRefused = !isFirst && cseqOf(message) === Math.min(...numbers)
      if (isRefused) return void reply(party, message, flow, status, { headers: more })
      reply(party, message, flow, 200, message.method === 'INVITE' ? { headers, sdp: sdpOf(50_000) } : { headers })
    })
    const alice = await openAgent(context, undefined, quick)
    const { call, reported } = dial(alice, uriOf(peer))
    await answered(reported)
    await until(() => numbers.size > 2 || reported.ends.length > 0, 'the refresh after the one that was taken')
    assert.equal(reported.ends.length, 0, reported.log.join())
    call.end()
    await ended(reported)
    assert.deepEqual(alice.errors, [])
  })
}

test('a peer that refuses every refresh loses the call when its time is over, and is not asked without end', async context => {
  let updates = 0
  const peer = await openPeer(context, (message, flow, party) => {
    const headers = [
      { name: 'Session-Expires', value: '600;refresher=uac' },
      { name: 'Allow', value: 'INVITE, ACK, BYE, UPDATE' },
    ]
    if (message.method === 'UPDATE') updates++
    if (message.method === 'INVITE') reply(party, message, flow, 200, { headers, sdp: sdpOf(50_000) })
    else if (message.method !== 'ACK') reply(party, message, flow, message.method === 'UPDATE' ? 503 : 200)
  })
  const alice = await openAgent(context, undefined, quick)
  const { reported } = dial(alice, uriOf(peer))
  await ended(reported)
  assert.deepEqual([reported.end.by, reported.end.status], ['remote', 408])
  assert.ok(updates >= 2 && updates < 20, String(updates))
})
