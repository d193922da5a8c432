// Guards: transfers by REFER, both ways. Ours to a number leaves as a URI that the remote party can call; a registered phone may have
// others called, blind and attended, whether it called or was called; a carrier only where its trunk allows it, and then by the trunk.
// test: waits
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { replacesFor, replacesHeader, type SipCall } from '@tandem/sip'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import {
  addTrunk,
  type Carrier,
  type CarrierOptions,
  type RemoteParty,
  startCarrier,
} from '../../../test/engines/sip_carrier.ts'
import {
  type Account,
  addAccount,
  listening,
  openTestPhone,
  startPhoneServer,
} from '../../../test/engines/sip_phones.ts'
import { eventually } from '../../../test/eventually.ts'
import type { TestApp } from '../../../test/harness.ts'
import { callIn, startCall } from '../../../test/voice/calls.ts'

const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
const own = '+15550100077'
const rest = { verb: 'pause', seconds: 60 }

/** Takes every call. */
const answers: CarrierOptions['onCall'] = async ({ call }) => {
  call.ring()
  await call.answer()
}

describe('transfers by REFER', () => {
  let t: TestApp
  let port: number
  let trunkId: string
  let carrier: Carrier
  let hall: Account
  let reception: Carrier
  let office: Carrier
  const open: Carrier[] = []
  const asked: string[] = []
  const live = () => t.main.liveKey
  before(async () => {
    port = await freePort()
    t = await startPhoneServer(port, { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' })
    hall = await addAccount(t, live(), { username: 'hall' })
    reception = await phone(hall)
    office = await phone(await addAccount(t, live(), { username: 'desk' }))
    carrier = await startCarrier({ onCall: answers, onRefer: target => asked.push(target) && 200 })
    open.push(carrier)
    trunkId = await addTrunk(t, carrier.port)
    await eventually('the trunk', async () => (await t.ownerSql('select 1 from trunk_states')).length === 1)
    const made = await t.call('POST', '/v2/numbers', { as: live(), body: { number: own, voice: true } })
    assert.equal(made.status, 201, made.text)
    await t.call('PUT', `/v2/numbers/${made.json.data.numberId}/voice`, {
      as: live(),
      body: { instructions: [{ verb: 'dial', targets: [{ type: 'sip', uri: hall.address }] }] },
    })
  })
  after(async () => {
    await t.close()
    await Promise.all(open.map(one => one.close()))
  })
  async function phone(account: Account) {
    const one = await openTestPhone(port, account, { onCall: answers })
    open.push(one)
    await listening(one)
    return one
  }
  const start = (to: string, instructions: unknown[]) => startCall(t, to, { from: own, instructions }, live())
  const dialNumber = (number: string) => ({ verb: 'dial', targets: [{ type: 'number', number }] })
  const taken = (side: Carrier, count: number): Promise<RemoteParty> =>
    eventually('the call', async () => side.calls[count]?.call.phase === 'answered' && side.calls[count])
  const historyOf = async (callId: string): Promise<{ type: string; details: Record<string, unknown> }[]> =>
    (await t.call('GET', `/v2/voice/calls/${callId}`, { as: live() })).json.data.history
  const bridgedAs = (callId: string, times: number) =>
    eventually('the conversation', async () => {
      const bridged = (await historyOf(callId)).filter(({ type }) => type === 'call.bridged')
      return bridged.length >= times
    })
  const ended = (call: SipCall) => eventually('its end', async () => call.phase === 'ended')
  /** The carrier, or a phone with its account, calls. */
  async function callBy(side: Carrier, user: string, account?: Account): Promise<SipCall> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const from = account === undefined ? '+15550100099' : account.user
    const call = side.agent.call({
      from: `<sip:${from}@127.0.0.1>`,
      to: `<sip:${user}@127.0.0.1>`,
      target: `sip:${user}@127.0.0.1:${port}`,
      ...(account === undefined ? {} : { account: { username: account.user, password: account.password } }),
      local: { sessionId: '9', address: { family: 'IP4', address: '127.0.0.1' }, port: 29_998 },
      handlers: { onMedia() {}, onAnswered: resolve, onEnded() {} },
    })
    await promise
    return call
  }
  const inboundCall = () =>
    eventually('the call', async () => {
      const { json } = await t.call('GET', '/v2/voice/calls?direction=inbound&limit=1', { as: live() })
      return json.data[0]?.state === 'answered' && json.data[0].callId
    })

  test('ours to a number: the remote party is asked to call it as its trunk has numbers', async () => {
    const callId = await start('+15550100002', [{ verb: 'transfer', to: { type: 'number', number: '+4930111222' } }])
    const ended = await callIn(t, callId, over, live())
    assert.deepEqual(asked, ['sip:+4930111222@127.0.0.1'])
    assert.equal(ended.state, 'completed')
    const [reported] = (await historyOf(callId)).filter(({ type }) => type.startsWith('call.transfer'))
    assert.deepEqual([reported?.type, reported?.details], ['call.transferred', { to: '+4930111222', mode: 'blind' }])
  })

  test('a phone that was called hands its conversation to a number, and leaves', async () => {
    const [before, rung] = [carrier.calls.length, reception.calls.length]
    const callId = await start(hall.address, [dialNumber('+15550100003'), rest])
    const { call } = await taken(reception, rung)
    await taken(carrier, before)
    await bridgedAs(callId, 1)
    assert.deepEqual(await call.refer('sip:+15550100004@phones.test'), { ok: true, status: 200 })
    const second = await taken(carrier, before + 1)
    assert.equal(second.number, '+15550100004')
    await ended(call)
    assert.equal(carrier.calls[before]?.call.phase, 'answered')
    carrier.calls[before]?.call.end()
    await ended(second.call)
    await callIn(t, callId, over, live())
  })

  test('who calls in is handed to another phone: blind, and by a phone that asked there first', async () => {
    const rung = reception.calls.length
    const blind = await callBy(carrier, own)
    const first = await taken(reception, rung)
    await bridgedAs(await inboundCall(), 1)
    assert.deepEqual(await first.call.refer('sip:desk@phones.test'), { ok: true, status: 200 })
    await ended(first.call)
    assert.deepEqual([(await taken(office, 0)).call.phase, blind.phase], ['answered', 'answered'])
    blind.end()
    await ended((await taken(office, 0)).call)

    const attended = await callBy(carrier, own)
    const second = await taken(reception, rung + 1)
    const callId = await inboundCall()
    await bridgedAs(callId, 1)
    const asking = await callBy(reception, 'desk', hall)
    const remote = await taken(office, 1)
    await eventually('both talk', async () => {
      const { json } = await t.call('GET', '/v2/voice/calls?limit=1', { as: live() })
      return (await historyOf(json.data[0].callId)).some(({ type }) => type === 'call.bridged')
    })
    assert.deepEqual(await second.call.refer('sip:desk@phones.test', asking), { ok: true, status: 200 })
    await Promise.all([ended(second.call), ended(asking)])
    // Nobody rang again: the two who were there talk.
    assert.deepEqual([office.calls.length, remote.call.phase, attended.phase], [2, 'answered', 'answered'])
    await bridgedAs(callId, 2)
    attended.end()
    await ended(remote.call)
  })

  test('a carrier may not have numbers called, unless its trunk says so; then they go by the trunk', async () => {
    const caller = await callBy(carrier, own)
    const callId = await inboundCall()
    await bridgedAs(callId, 1)
    const before = carrier.calls.length
    assert.deepEqual(await caller.refer('sip:+19005551234@127.0.0.1'), { ok: false, status: 403 })
    assert.deepEqual(await caller.refer('sip:+19005551234@127.0.0.1'), { ok: false, status: 403 })
    const reported = await eventually('what was reported', async () => {
      const all = (await historyOf(callId)).filter(({ type }) => type === 'call.transfer_failed')
      return all.length > 0 && all
    })
    const details = { to: 'sip:+19005551234@127.0.0.1', by: 'remote_party', why: 'not_allowed' }
    assert.deepEqual([reported.length, reported[0]?.details], [1, details])
    assert.deepEqual([carrier.calls.length, caller.phase], [before, 'answered'])
    caller.end()
    await callIn(t, callId, over, live())

    const patched = await t.call('PATCH', `/v2/voice/trunks/${trunkId}`, {
      as: t.main.tokens.Admin,
      body: { settings: { allowTransfers: true } },
    })
    assert.equal(patched.status, 200, patched.text)
    assert.match(JSON.stringify(patched.json.data.warnings), /allowTransfers/)
    const outbound = await start('+15550100005', [dialNumber('+15550100006'), rest])
    const first = await taken(carrier, before)
    const second = await taken(carrier, before + 1)
    await bridgedAs(outbound, 1)
    const allowed = await eventually('the new settings', async () => {
      const outcome = await first.call.refer('sip:+49891000001@127.0.0.1')
      return outcome.status !== 403 && outcome
    })
    assert.deepEqual(allowed, { ok: true, status: 200 })
    assert.equal((await taken(carrier, before + 2)).number, '+49891000001')
    second.call.end()
    await callIn(t, outbound, over, live())
  })

  test('an INVITE that is to take the place of a call is refused, and is no call of its own; the other one goes on', async () => {
    const standing = await callBy(carrier, own)
    const callId = await inboundCall()
    const { promise, resolve } = Promise.withResolvers<number>()
    carrier.agent.call({
      from: '<sip:+15550100099@127.0.0.1>',
      to: `<sip:${own}@127.0.0.1>`,
      target: `sip:${own}@127.0.0.1:${port}`,
      headers: [replacesHeader(replacesFor(standing.stored.dialog))],
      local: { sessionId: '9', address: { family: 'IP4', address: '127.0.0.1' }, port: 29_998 },
      handlers: { onMedia() {}, onAnswered: () => resolve(200), onEnded: ({ status }) => resolve(status) },
    })
    assert.equal(await promise, 403)
    assert.deepEqual([standing.phase, await inboundCall()], ['answered', callId])
    standing.end()
    await callIn(t, callId, over, live())
  })
})
