// Guards: an Asterisk as an ordinary SIP trunk. It is called and calls, with sound and keys both ways; the reason it gives for an end or a
// refusal is the one we report, also none at all; it calls somebody else when we ask it to, and we for it. Without one it is skipped, loudly.
// test: waits, programs
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { findAsterisk, howToGetOne, type RealAsterisk } from '../../../test/engines/real_asterisk.ts'
import { called, own, startAsteriskCarrier } from '../../../test/engines/sip_asterisk.ts'
import { addTrunk } from '../../../test/engines/sip_carrier.ts'
import {
  type Account,
  addAccount,
  listening,
  openTestPhone,
  startPhoneServer,
  type TestPhone,
} from '../../../test/engines/sip_phones.ts'
import { hears, toneSource } from '../../../test/engines/tones.ts'
import { eventually } from '../../../test/eventually.ts'
import type { TestApp } from '../../../test/harness.ts'
import { callIn, seeCall, startCall } from '../../../test/voice/calls.ts'

const found = findAsterisk(process.env['TANDEM_TEST_ASTERISK'])
const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
const rest = { verb: 'pause', seconds: 60 }

describe('an Asterisk as a SIP trunk', { skip: found === undefined ? howToGetOne : false }, () => {
  let t: TestApp
  let asterisk: RealAsterisk
  let desk: TestPhone
  let account: Account
  before(async () => {
    if (found === undefined) return
    const port = await freePort()
    t = await startPhoneServer(port, { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' })
    account = await addAccount(t, live(), { username: 'desk' })
    desk = await openTestPhone(port, account, { onCall: ({ call }) => void call.answer() })
    await listening(desk)
    asterisk = await startAsteriskCarrier(found, port)
    await addTrunk(t, asterisk.sipPort, { settings: { allowTransfers: true } })
    await eventually(
      'the trunk',
      async () => (await t.ownerSql("select 1 from trunk_states where state = 'up'")).length === 1,
    )
    const made = await t.call('POST', '/v2/numbers', { as: live(), body: { number: own, voice: true } })
    const gather = { verb: 'gather', numDigits: 2, timeoutSeconds: 10 }
    const heard = await t.call('PUT', `/v2/numbers/${made.json.data.numberId}/voice`, {
      as: live(),
      body: { instructions: [{ verb: 'answer' }, gather, rest] },
    })
    assert.equal(heard.status, 200, heard.text)
  })
  after(async () => {
    await t?.close()
    await desk?.close()
    await asterisk?.close()
  })
  const live = () => t.main.liveKey
  const start = (to: string, instructions: unknown[]) => startCall(t, to, { from: own, instructions }, live())
  const ended = (callId: string) => callIn(t, callId, over, live(), 20_000)
  const happened = (callId: string, type: string) =>
    eventually(type, async () => (await seeCall(t, callId, live())).history.find(one => one.type === type))
  const silent = () =>
    eventually('an Asterisk without calls', async () =>
      /\n0 active channels/.test(await asterisk.command('core show channels')),
    )

  test('is called: a phone hears there what it says, and the end of the call is the end there', async () => {
    const calls = desk.calls.length
    const dial = { verb: 'dial', targets: [{ type: 'number', number: called.echo }] }
    const callId = await start(account.address, [dial])
    const side = await eventually('the phone', async () => desk.calls[calls]?.rtp !== undefined && desk.calls[calls])
    await happened(callId, 'call.bridged')
    side.rtp?.setSource(toneSource(700))
    await eventually('its own tone', async () => side.rtp !== undefined && hears(side.rtp, 700))
    side.call.end()
    assert.equal((await ended(callId)).state, 'completed')
    await silent()
  })

  test('hears keys, and the cause of its end is the one that is reported; one without a cause is an end too', async () => {
    const keys = await ended(await start(called.keys, [{ verb: 'sendDigits', digits: '42' }, rest]))
    assert.deepEqual([keys.state, keys.hangupBy, keys.q850], ['completed', 'callee', 31])
    const plain = await ended(await start(called.ends, [rest]))
    assert.deepEqual([plain.state, plain.hangupBy], ['completed', 'callee'])
    assert.ok((plain.durationSeconds ?? 0) >= 1, String(plain.durationSeconds))
  })

  test('refuses: busy, and a number that nobody has', async () => {
    assert.equal((await ended(await start(called.busy, [rest]))).state, 'busy')
    const nobody = await ended(await start(called.unallocated, [rest]))
    assert.deepEqual([nobody.state, nobody.sipCode, nobody.hangupCause], ['failed', 404, 'unallocated'])
  })

  test('calls: its keys are heard, and its end is the end; a number that nobody has is refused', async () => {
    const place = (number: string) =>
      asterisk.command(`channel originate PJSIP/${number}@tandem extension keys@calling`)
    await place(own)
    const callId = await eventually('the call', async () => {
      const { json } = await t.call('GET', '/v2/voice/calls?direction=inbound', { as: live() })
      return json.data[0]?.callId as string | undefined
    })
    const call = await ended(callId)
    assert.deepEqual([call.state, call.hangupBy, call.q850], ['completed', 'caller', 31])
    const digits = call.history.filter(({ type }) => type === 'call.dtmf').map(({ details }) => details?.['digit'])
    assert.deepEqual(digits, ['4', '2'])
    await silent()
    await place('+15550100078')
    await silent()
    const { json } = await t.call('GET', '/v2/voice/calls?direction=inbound', { as: live() })
    assert.equal(json.data.length, 1)
  })

  test('has us call somebody else, where its trunk may', async () => {
    const first = desk.calls.length
    const callId = await start(account.address, [
      { verb: 'dial', targets: [{ type: 'number', number: called.refers }] },
    ])
    const side = await eventually('the phone', async () => desk.calls[first]?.rtp !== undefined && desk.calls[first])
    await happened(callId, 'call.bridged')
    // The one that is called now gives sound back; the one that asked does not.
    side.rtp?.setSource(toneSource(900))
    await eventually('its own tone', async () => side.rtp !== undefined && hears(side.rtp, 900))
    const { json } = await t.call('GET', '/v2/voice/calls?limit=5', { as: live() })
    assert.ok(json.data.some(({ to }: { to: string }) => to === called.echo))
    side.call.end()
    await ended(callId)
    await silent()
  })

  test('calls somebody else when it is asked to', async () => {
    const transfer = { verb: 'transfer', mode: 'blind', to: { type: 'number', number: called.back } }
    const callId = await start(called.bridged, [{ verb: 'pause', seconds: 1 }, transfer])
    assert.equal((await ended(callId)).state, 'completed')
    await happened(callId, 'call.transferred')
    // Whom it had connected with us talks to who answers here now.
    const { json } = await t.call('GET', '/v2/voice/calls?direction=inbound&limit=1', { as: live() })
    const back = json.data[0].callId
    assert.equal((await seeCall(t, back, live())).state, 'answered')
    await t.call('POST', `/v2/voice/calls/${back}/hangup`, { as: live() })
    await ended(back)
    await silent()
  })
})
