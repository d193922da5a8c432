// Guards: what only trunks have. Failover only before a phone can have rung; passwords; limits that let calls wait; calls that come in;
// the ladder; registration.
// test: waits
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  createDigestGuard,
  createSystemResolver,
  credentialsOf,
  digestSecret,
  isFault,
  openSipAgent,
} from '@tandem/sip'
import { selfSigned } from '../../../../packages/sip/test/transport_support.ts'
import { addTrunk, type Carrier } from '../../../test/engines/sip_carrier.ts'
import { over, startTrunkCalls, to } from '../../../test/engines/trunk_calls.ts'
import { eventually } from '../../../test/eventually.ts'
import type { TestApp } from '../../../test/harness.ts'
import { callIn, startCall } from '../../../test/voice/calls.ts'

const { t, open, live, withTrunks, dial } = await startTrunkCalls()

test('the next trunk takes a call that the first cannot carry, and none after a phone has rung', async () => {
  const refusing = await open({ onCall: ({ call }) => call.reject(503) })
  const ringing = await open({
    onCall({ call }) {
      call.ring()
      setTimeout(() => call.reject(503), 50)
    },
  })
  const taking = await open({ talkMs: 200 })
  const route = (priority: number) => [{ prefix: '', priority, weight: 1 }]
  const first = await addTrunk(t, refusing.port, { name: 'First', routes: route(1) })
  const second = await addTrunk(t, taking.port, { name: 'Second', routes: route(2) })
  await withTrunks([first, second], async () => {
    const call = await dial()
    assert.equal(call.state, 'completed')
    const rerouted = call.history.find(entry => entry.type === 'call.rerouted')
    assert.deepEqual(rerouted?.details, { trunk: first, sipCode: 503, nextTrunk: second })
    assert.deepEqual([refusing.calls.length, taking.calls.length], [1, 1])
    const messages = await eventually('the ladder of both', async () => {
      const { json } = await t.call('GET', `/v2/voice/calls/${call.callId}/trace`, { as: live() })
      return json.data.messages.length >= 11 && json.data.messages
    })
    assert.deepEqual(
      messages.map(({ summary }: { summary: string }) => summary).filter((text: string) => / \(\d+\)$/.test(text)),
      ['INVITE (1)', 'ACK (1)', 'INVITE (1)', 'ACK (1)', 'BYE (1)'],
    )
  })
  const third = await addTrunk(t, ringing.port, { name: 'Third', routes: route(1) })
  const fourth = await addTrunk(t, taking.port, { name: 'Fourth', routes: route(2) })
  await withTrunks([third, fourth], async () => {
    const call = await dial()
    assert.deepEqual([call.state, call.sipCode, ringing.calls.length, taking.calls.length], ['failed', 503, 1, 1])
  })
})

test('a carrier that asks for a password gets it; a wrong one fails the call and names the trunk', async () => {
  const guard = createDigestGuard({ realm: 'carrier', key: Buffer.alloc(16, 7) })
  const carrier = await open({
    onCall({ call }) {
      const credentials = credentialsOf(call.request, 'Proxy-Authorization', 'carrier')
      const isShown = credentials !== undefined && !isFault(credentials)
      const secret = isShown ? digestSecret(credentials.algorithm, 'example', 'carrier', 'secret') : ''
      const { method, uri, body } = call.request
      const proof = { secret, method, uri, body }
      if (!isShown || guard.check(credentials, proof, Date.now()) !== 'right')
        return call.reject(407, guard.challenge(407, Date.now()))
      call.ring()
      void call.answer().then(() => setTimeout(() => call.end(), 100))
    },
  })
  const account = { username: 'example', password: 'secret' }
  const right = await addTrunk(t, carrier.port, { settings: account })
  await withTrunks([right], async () => assert.equal((await dial()).state, 'completed'))
  const wrong = await addTrunk(t, carrier.port, { settings: { ...account, password: 'guess' } })
  await withTrunks([wrong], async () => {
    const call = await dial()
    assert.deepEqual([call.state, call.errorCode, call.sipCode], ['failed', 'trunk_rejected', 407])
  })
})

test('calls beyond the limits of a trunk wait for their turn and all go through', async () => {
  const carrier = await open({ talkMs: 300 })
  const trunk = await addTrunk(t, carrier.port, { settings: { callsPerSecond: 4, concurrentCalls: 2 } })
  await withTrunks([trunk], async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => startCall(t, to, {}, live())))
    const calls = await Promise.all(ids.map(callId => callIn(t, callId, over, live(), 30_000)))
    assert.deepEqual(
      calls.map(call => call.state),
      Array.from({ length: 6 }, () => 'completed'),
    )
    const dialed = calls.map(call => Date.parse(call.dialedAt ?? '')).sort((a, b) => a - b)
    const gaps = dialed.slice(1).map((at, index) => at - (dialed[index] ?? 0))
    assert.ok(
      gaps.every(gap => gap >= 200),
      JSON.stringify(gaps),
    )
    for (const call of calls) {
      const at = Date.parse(call.dialedAt ?? '')
      const live = calls.filter(other => Date.parse(other.dialedAt ?? '') <= at && Date.parse(other.endedAt ?? '') > at)
      assert.ok(live.length <= 2, String(live.length))
    }
  })
})

test('a registered trunk is up, or says why it is not', async () => {
  let status = 200
  const carrier = await open({
    onRequest(request) {
      if (request.method !== 'REGISTER') return undefined
      const contact = request.headers.find(({ name }) => name === 'Contact')?.value ?? ''
      return status === 200 ? { status, headers: [{ name: 'Contact', value: `${contact};expires=600` }] } : { status }
    },
  })
  const settings = { username: 'example', register: true }
  const stateOf = async (id: string) =>
    (await t.call('GET', `/v2/voice/trunks/${id}`, { as: t.main.tokens.Admin })).json.data
  const trunk = await addTrunk(t, carrier.port, { settings })
  await withTrunks([trunk], async () => {
    await eventually('up', async () => (await stateOf(trunk)).state === 'up')
  })
  status = 403
  const refused = await addTrunk(t, carrier.port, { settings })
  await withTrunks([refused], async () => {
    const seen = await eventually('unregistered', async () => {
      const data = await stateOf(refused)
      return data.state === 'unregistered' && data
    })
    assert.match(JSON.stringify(seen), /403/)
  })
})

test('tlsVerify is what it says, also of a connection that stands when it is turned on', async context => {
  const carrier = await openSipAgent({
    product: 'Carrier/1.0',
    tls: [{ address: '127.0.0.1', port: 0, ...selfSigned(context, 'DNS:somewhere.invalid') }],
    resolver: createSystemResolver(),
    random: bytes => randomBytes(bytes),
    onError() {},
  })
  context.after(() => carrier.close())
  const settings = { transport: 'tls', tlsVerify: false, optionsSeconds: 5 }
  const trunk = await addTrunk(t, carrier.bound[0]?.port ?? 0, { settings })
  const as = t.main.tokens.Admin
  const stateIs = (state: string) =>
    eventually(state, async () => {
      const { json } = await t.call('GET', `/v2/voice/trunks/${trunk}`, { as })
      return json.data.state === state && JSON.stringify(json.data)
    })
  const tried = async () => (await t.call('POST', `/v2/voice/trunks/${trunk}/test`, { as })).json.data.ok
  await withTrunks([trunk], async () => {
    await stateIs('up')
    assert.equal(await tried(), true)
    await t.call('PATCH', `/v2/voice/trunks/${trunk}`, { as, body: { settings: { tlsVerify: true } } })
    assert.match(await stateIs('down'), /self-signed/)
    assert.equal(await tried(), false)
  })
})

test('the ladder of a call shows what was said, without the password', async () => {
  const carrier = await open({ talkMs: 100 })
  const trunk = await addTrunk(t, carrier.port)
  await withTrunks([trunk], async () => {
    const { callId } = await dial()
    const messages = await eventually('the ladder', async () => {
      const { json } = await t.call('GET', `/v2/voice/calls/${callId}/trace`, { as: live() })
      return json.data.messages.length >= 7 && json.data.messages
    })
    assert.deepEqual(
      messages.map(({ direction, summary }: { direction: string; summary: string }) => `${direction} ${summary}`),
      [
        'sent INVITE (1)',
        'received 100 Trying (1 INVITE)',
        'received 180 Ringing (1 INVITE)',
        'received 200 OK (1 INVITE)',
        'sent ACK (1)',
        'received BYE (1)',
        'sent 200 OK (1 BYE)',
      ],
    )
  })
})

test('a call that comes in reaches the number that was called; others get a 404', async () => {
  const carrier = await open()
  const trunk = await addTrunk(t, carrier.port)
  const number = '+15550100077'
  const made = await t.call('POST', '/v2/numbers', { as: live(), body: { number, voice: true } })
  assert.equal(made.status, 201, made.text)
  await withTrunks([trunk], async () => {
    const { port } = await eventually('the port', async () => listeningPort(t, carrier))
    const statuses: number[] = []
    const answered = Promise.withResolvers<void>()
    const callOut = (user: string) =>
      carrier.agent.call({
        from: '<sip:+15550100099@127.0.0.1>',
        to: `<sip:${user}@127.0.0.1>`,
        target: `sip:${user}@127.0.0.1:${port}`,
        local: { sessionId: '9', address: { family: 'IP4', address: '127.0.0.1' }, port: 29_998 },
        handlers: {
          onMedia() {},
          onAnswered: () => answered.resolve(),
          onEnded: end => void statuses.push(end.status),
        },
      })
    callOut('+15550100078')
    await eventually('404', async () => statuses.includes(404))
    const call = callOut(number)
    await answered.promise
    const seen = await eventually('the call', async () => {
      const { json } = await t.call('GET', `/v2/voice/calls?direction=inbound&to=${encodeURIComponent(number)}`, {
        as: live(),
      })
      return json.data[0]?.state === 'answered' && json.data[0]
    })
    assert.deepEqual([seen.from, seen.to, seen.trunkId], ['+15550100099', number, trunk])
    call.end({ q850: 0 })
    const ended = await callIn(t, seen.callId, over, live())
    assert.deepEqual([ended.state, ended.hangupBy, ended.q850], ['completed', 'caller', 16])
  })
})

test('of calls that come in at once no more are taken than the trunk may have, and its place is free again afterwards', async () => {
  const carrier = await open()
  const number = '+15550100079'
  const trunk = await addTrunk(t, carrier.port, { settings: { concurrentCalls: 2 } })
  await t.call('POST', '/v2/numbers', { as: live(), body: { number, voice: true } })
  await withTrunks([trunk], async () => {
    const { port } = await eventually('the port', async () => listeningPort(t, carrier))
    const callOut = () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      const call = carrier.agent.call({
        from: '<sip:+15550100099@127.0.0.1>',
        to: `<sip:${number}@127.0.0.1>`,
        target: `sip:${number}@127.0.0.1:${port}`,
        local: { sessionId: '9', address: { family: 'IP4', address: '127.0.0.1' }, port: 29_998 },
        handlers: { onMedia() {}, onAnswered: () => resolve(200), onEnded: end => resolve(end.status) },
      })
      return { call, status: promise }
    }
    const calls = Array.from({ length: 8 }, callOut)
    const statuses = await Promise.all(calls.map(({ status }) => status))
    assert.deepEqual(statuses.toSorted(), [200, 200, 503, 503, 503, 503, 503, 503])
    for (const { call } of calls) call.end()
    await eventually('a free place', async () => {
      const next = callOut()
      const status = await next.status
      next.call.end()
      return status === 200
    })
  })
})

test('a call that comes in is answered although the database refuses its dialog for a moment', async () => {
  const carrier = await open()
  const number = '+15550100080'
  const trunk = await addTrunk(t, carrier.port)
  await t.call('POST', '/v2/numbers', { as: live(), body: { number, voice: true } })
  await t.ownerSql('create sequence refused')
  await t.ownerSql(`create function refuse() returns trigger language plpgsql security definer as $$
    begin if nextval('refused') <= 2 then raise 'not now'; end if; return new; end $$`)
  await t.ownerSql('create trigger refuse before update on sip_calls for each row execute function refuse()')
  await withTrunks([trunk], async () => {
    const { port } = await eventually('the port', async () => listeningPort(t, carrier))
    const { promise: status, resolve } = Promise.withResolvers<number>()
    const call = carrier.agent.call({
      from: '<sip:+15550100099@127.0.0.1>',
      to: `<sip:${number}@127.0.0.1>`,
      target: `sip:${number}@127.0.0.1:${port}`,
      local: { sessionId: '9', address: { family: 'IP4', address: '127.0.0.1' }, port: 29_998 },
      handlers: { onMedia() {}, onAnswered: () => resolve(200), onEnded: end => resolve(end.status) },
    })
    assert.equal(await status, 200)
    call.end()
  })
  await t.ownerSql('drop trigger refuse on sip_calls')
})

/** Where the server listens, by the Contact of its OPTIONS. */
async function listeningPort(_t: TestApp, carrier: Carrier): Promise<{ port: number } | undefined> {
  return carrier.seen.port === undefined ? undefined : { port: carrier.seen.port }
}
