// Guards: what is an Asterisk's own. Sound, keys and who calls; calls that come in; a connection that is cut, a channel that is gone,
// events twice and out of order; failover from and to a SIP trunk; a process that dies, whose channel another one ends.
// test: waits
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AriPeer, type RemoteChannel, startAriPeer } from '../../../test/engines/ari_peer.ts'
import { addAsterisk, asteriskEnv, number, trunkState } from '../../../test/engines/asterisk_trunks.ts'
import { addTrunk, startCarrier } from '../../../test/engines/sip_carrier.ts'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { callIn, seeCall, startCall } from '../../../test/voice/calls.ts'
import { sipDriver } from '../sip/driver.ts'
import { trunkEngine } from '../trunks/engine.ts'
import { asteriskDriver } from './driver.ts'

const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
const to = number('0002')

describe('an Asterisk', () => {
  let t: TestApp
  let peer: AriPeer
  let trunk: string
  let remotes: RemoteChannel[] = []
  /** What the remote party does; by default it rings and answers. */
  let onDial: (remote: RemoteChannel) => void = () => {}
  before(async () => {
    t = await startTestApp({ work: true, env: asteriskEnv })
    peer = await startAriPeer(remote => {
      remotes.push(remote)
      onDial(remote)
    })
    trunk = await addAsterisk(t, peer.port)
    await isUp()
  })
  after(async () => {
    await t?.close()
    await peer?.close()
  })
  beforeEach(() => {
    remotes = []
    onDial = remote => {
      remote.ring()
      remote.answer()
    }
  })
  const live = () => t.main.liveKey
  const isUp = () => eventually('up', async () => (await trunkState(t, trunk)).state === 'up')
  const start = (more: object = {}) => startCall(t, to, more as Record<string, unknown>, live())
  const ended = (callId: string) => callIn(t, callId, over, live(), 30_000)
  const remote = () => eventually('the remote party', () => remotes.at(-1))
  const types = async (callId: string) => (await seeCall(t, callId, live())).history.map(({ type }) => type)

  test('is sent the number that calls; both sides are heard; keys go both ways; nothing is left of a call', async () => {
    onDial = one => {
      one.progress()
      one.answer()
    }
    const before = peer.heard
    const instructions = [
      { verb: 'sendDigits', digits: '12' },
      { verb: 'pause', seconds: 60 },
    ]
    const callId = await start({ instructions })
    const { variables, typed, press, hangup } = await remote()
    assert.equal(variables.get('CONNECTEDLINE(num,i)'), '+15550100001')
    await eventually('the typed digits', () => typed.join('') === '12')
    await eventually('sound', () => peer.heard > before + 20)
    press('7')
    await eventually('the key', async () => (await types(callId)).includes('call.dtmf'))
    hangup(16)
    const call = await ended(callId)
    assert.deepEqual([call.state, call.hangupBy, call.q850, call.earlyMedia], ['completed', 'callee', 16, true])
    await eventually('an empty Asterisk', () => peer.channels().length === 0 && peer.bridges().length === 0)
    await eventually('nothing of it is stored', async () => {
      return (await t.ownerSql('select 1 from sip_calls where call_id = $1', [callId])).length === 0
    })
  })

  test('has a remote party call somebody else', async () => {
    const transfer = { verb: 'transfer', mode: 'blind', to: { type: 'number', number: number('0012') } }
    const call = await ended(await start({ instructions: [transfer] }))
    assert.equal(call.state, 'completed')
    assert.ok(
      call.history.some(({ type }) => type === 'call.transferred'),
      JSON.stringify(call.history),
    )
    const allow = peer.refuse(/redirect$/, 422)
    const refused = await ended(await start({ instructions: [transfer] }))
    allow()
    const failed = refused.history.find(({ type }) => type === 'call.transfer_failed')
    assert.match(JSON.stringify(failed?.details), /501/)
  })

  test('reports its causes, and the SIP status where it knows one', async () => {
    const outcomes: [number, number | undefined, string, number | null][] = [
      [21, undefined, 'rejected', 603],
      [21, 403, 'failed', 403],
      [19, undefined, 'no_answer', 480],
      [34, 503, 'failed', 503],
    ]
    for (const [cause, status, state, sipCode] of outcomes) {
      onDial = one => one.hangup(cause, status)
      const call = await ended(await start())
      assert.deepEqual([call.state, call.sipCode, call.q850], [state, sipCode, cause])
    }
  })

  test('carries every call while its settings change', async () => {
    const calls: Promise<string>[] = []
    for (let n = 0; n < 24; n++) {
      const body = { settings: { pingSeconds: n === 2 ? 20 : 25 } }
      if (n === 2 || n === 14) await t.call('PATCH', `/v2/voice/trunks/${trunk}`, { as: live(), body })
      calls.push(start({ instructions: [{ verb: 'hangup' }] }))
      await sleep(100)
    }
    const states = await Promise.all(calls.map(async id => (await ended(await id)).state))
    assert.deepEqual([...new Set(states)], ['completed'])
    await isUp()
  })

  const isEmpty = () =>
    eventually('an empty Asterisk', () => peer.channels().length === 0 && peer.bridges().length === 0)
  const isAsked = (pattern: RegExp) => eventually(String(pattern), () => peer.asked.some(what => pattern.test(what)))

  test('keeps nothing of a call that was hung up before its channels were made', async () => {
    await isEmpty()
    for (const pattern of [/^POST \/channels\/create/, /^POST \/channels\/externalMedia/, /^POST \/bridges/]) {
      peer.asked.length = 0
      const release = peer.hold(pattern)
      const callId = await start()
      await isAsked(pattern)
      await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: live() })
      await isAsked(/^DELETE \/bridges/)
      release()
      assert.equal((await ended(callId)).state, 'canceled')
      await isEmpty()
    }
    assert.equal(remotes.length, 0)
  })

  test('keeps no channel that it made so late that nobody waited for it', async () => {
    const release = peer.hold(/^POST \/channels\/create/)
    const call = await ended(await start())
    assert.deepEqual([call.state, call.hangupCause], ['failed', 'network'])
    await isEmpty()
    peer.asked.length = 0
    release()
    await isAsked(/^DELETE \/channels\/tandem-/)
    await isEmpty()
  })

  test('takes calls to numbers of the organization, and refuses others', async () => {
    const made = await t.call('POST', '/v2/numbers', { as: live(), body: { number: '+15550100077', voice: true } })
    assert.equal(made.status, 201, made.text)
    const instructions = [{ verb: 'answer' }, { verb: 'pause', seconds: 60 }]
    const path = `/v2/numbers/${made.json.data.numberId}/voice`
    assert.equal((await t.call('PUT', path, { as: live(), body: { instructions } })).status, 200)
    const lost = peer.callIn('+15550100078', '+15550100099')
    await eventually('the refusal', () => !peer.channels().includes(lost.id))
    const caller = peer.callIn('+15550100077', '+15550100099')
    const seen = await eventually('the call', async () => {
      const { json } = await t.call('GET', '/v2/voice/calls?direction=inbound', { as: live() })
      return json.data[0]?.state === 'answered' && json.data[0]
    })
    assert.deepEqual([seen.from, seen.to, seen.trunkId], ['+15550100099', '+15550100077', trunk])
    const before = peer.heard
    await eventually('sound', () => peer.heard > before + 10)
    caller.press('5')
    await eventually('the key', async () => (await types(seen.callId)).includes('call.dtmf'))
    // The process that leads may lose that connection: the call is reported by the other one.
    caller.hangup(16)
    const call = await ended(seen.callId)
    assert.deepEqual([call.state, call.hangupBy], ['completed', 'caller'])
    await eventually('an empty Asterisk', () => peer.channels().length === 0 && peer.bridges().length === 0)
  })

  test('is down while it cannot be reached; what happened meanwhile is reported when it is there again', async () => {
    const [gone, goes] = [await start(), await start()]
    await eventually('two remote parties', () => remotes.length === 2)
    await callIn(t, gone, ['answered'], live())
    await callIn(t, goes, ['answered'], live())
    onDial = one => one.ring()
    const rings = await start()
    await callIn(t, rings, ['ringing'], live())
    const answers = await remote()
    peer.down(true)
    const down = await eventually('down', async () => {
      const trunkNow = await trunkState(t, trunk)
      return trunkNow.state === 'down' && trunkNow
    })
    assert.match(String(down.error), /cannot be reached|was lost/)
    const which = (
      await t.ownerSql<{ stored: { asterisk: { channelId: string } } }>(
        'select stored from sip_calls where call_id = $1',
        [gone],
      )
    )[0]?.stored.asterisk.channelId
    remotes.find(({ id }) => id === which)?.vanish()
    answers.answer()
    peer.down(false)
    await isUp()
    const lost = await ended(gone)
    assert.deepEqual([lost.state, lost.hangupCause, lost.hangupBy], ['failed', 'network', 'carrier'])
    await callIn(t, rings, ['answered'], live())
    assert.equal((await seeCall(t, goes, live())).state, 'answered', 'others go on')
    for (const one of remotes) one.hangup(16)
    for (const callId of [goes, rings]) assert.equal((await ended(callId)).state, 'completed')
  })

  test('may report things twice and out of order', async () => {
    peer.disorder(true)
    const callId = await start({ instructions: [{ verb: 'pause', seconds: 60 }] })
    await callIn(t, callId, ['answered'], live())
    const { press, hangup } = await remote()
    press('1')
    press('1')
    await eventually('two keys', async () => (await types(callId)).filter(type => type === 'call.dtmf').length === 2)
    hangup(16)
    const call = await ended(callId)
    peer.disorder(false)
    assert.equal(call.state, 'completed')
    assert.equal(call.history.filter(({ type }) => type === 'call.dtmf').length, 2)
    assert.equal(call.history.filter(({ state }) => over.includes(state)).length, 1)
  })

  test('what ends a channel is stored before there is one, and another process ends it', async () => {
    const allow = peer.refuse(/^POST \/channels\/create/, 500)
    assert.equal((await ended(await start())).hangupCause, 'network')
    allow()
    const callId = await start()
    await callIn(t, callId, ['answered'], live())
    const { id } = await remote()
    const { tenantId, organizationId } = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
    const other = trunkEngine([sipDriver, asteriskDriver])(t.app.services)
    const ref = { tenantId, organizationId, callId }
    await other.endStranded(ref)
    assert.ok(!peer.channels().includes(id))
    await other.endStranded(ref)
    assert.equal((await ended(callId)).state, 'completed')
    await other.stop()
  })

  test('a SIP trunk takes what an Asterisk cannot carry, and the other way round', async () => {
    const carrier = await startCarrier({
      onCall({ call }) {
        if (isSipRefusing) return call.reject(503)
        call.ring()
        void call.answer().then(() => setTimeout(() => call.end(), 100))
      },
    })
    let isSipRefusing = false
    const sip = await addTrunk(t, carrier.port, { name: 'SIP', routes: [{ prefix: '', priority: 20, weight: 1 }] })
    await eventually('the SIP trunk', async () => (await trunkState(t, sip)).state === 'up')
    onDial = one => one.hangup(34)
    const first = await ended(await start())
    assert.equal(first.state, 'completed')
    const rerouted = first.history.find(({ type }) => type === 'call.rerouted')
    assert.deepEqual([rerouted?.details?.['trunk'], rerouted?.details?.['nextTrunk']], [trunk, sip])
    // A phone has rung: it is not rung again.
    onDial = one => {
      one.ring()
      one.hangup(34)
    }
    assert.equal((await ended(await start())).state, 'failed')
    assert.equal(carrier.calls.length, 1)
    // Calls pass by an Asterisk that is down.
    peer.down(true)
    await eventually('down', async () => (await trunkState(t, trunk)).state === 'down')
    assert.equal((await ended(await start())).state, 'completed')
    peer.down(false)
    await isUp()
    isSipRefusing = true
    const swap = { routes: [{ prefix: '', priority: 5, weight: 1 }] }
    await t.call('PATCH', `/v2/voice/trunks/${sip}`, { as: live(), body: swap })
    await t.call('PATCH', `/v2/voice/trunks/${sip}`, { as: live(), body: { settings: { optionsSeconds: 60 } } })
    await eventually('the new routes', async () => {
      const before = carrier.calls.length
      onDial = one => {
        one.answer()
        one.hangup(16)
      }
      const call = await ended(await start())
      assert.equal(call.state, 'completed')
      return carrier.calls.length > before && call.history.some(({ type }) => type === 'call.rerouted')
    })
    await t.call('DELETE', `/v2/voice/trunks/${sip}`, { as: live() })
    await carrier.close()
  })

  test('is tried out step by step', async () => {
    type Steps = { step: string; ok: boolean; message: string }[]
    const tried = async (settings: object): Promise<{ ok: boolean; steps: Steps; text: string }> => {
      const { json, text } = await t.call('POST', `/v2/voice/trunks/${trunk}/test`, { as: live(), body: { settings } })
      return { ...json.data, text }
    }
    const right = await tried({})
    assert.deepEqual([right.ok, right.steps.map(({ step }) => step)], [true, ['ari', 'events']])
    assert.ok(!right.text.includes('secret'))
    assert.match((await tried({ password: 'guess' })).steps[0]?.message ?? '', /no such user or password/)
    assert.match((await tried({ endpoint: 'PJSIP/{number}@other' })).steps[0]?.message ?? '', /no endpoint other/)
    const nobody = { url: 'http://127.0.0.1:9', password: 'secret' }
    assert.match((await tried(nobody)).steps[0]?.message ?? '', /nothing listens there/)
    const blocked = { url: 'http://10.1.2.3:8088', password: 'secret' }
    assert.match((await tried(blocked)).steps[0]?.message ?? '', /may not go to that address/)
  })
})
