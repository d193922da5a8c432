// What only a real Asterisk can say: that sound passes both ways, keys and holds reach the remote party, calls come in, a remote party calls
// somebody else when it is asked to, and what its crash means. Without one it is skipped, loudly.
// test: waits, programs
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RunningSession } from '@tandem/sip'
import { addAsterisk, asteriskEnv, number, trunkState } from '../../../test/engines/asterisk_trunks.ts'
import { findAsterisk, howToGetOne, type RealAsterisk, startAsterisk } from '../../../test/engines/real_asterisk.ts'
import { type Carrier, type RemoteParty, startCarrier } from '../../../test/engines/sip_carrier.ts'
import { hears, toneSource } from '../../../test/engines/tones.ts'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { callIn, seeCall, startCall } from '../../../test/voice/calls.ts'

const found = findAsterisk(process.env['TANDEM_TEST_ASTERISK'])
const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
const [one, two] = [number('0011'), number('0012')]
const tones: Readonly<Record<string, number>> = { [one]: 600, [two]: 1_300 }

describe('a real Asterisk', { skip: found === undefined ? howToGetOne : false }, () => {
  let t: TestApp
  let carrier: Carrier
  let asterisk: RealAsterisk
  let trunk: string
  const referred: string[] = []
  before(async () => {
    if (found === undefined) return
    carrier = await startCarrier({
      async onCall({ call }, called) {
        if (called === number('0013')) return call.ring(true)
        call.ring()
        await call.answer()
      },
      onRefer(target, { call }) {
        referred.push(target)
        setTimeout(() => call.end(), 200)
        return 200
      },
    })
    asterisk = await startAsterisk(found, carrier.port)
    t = await startTestApp({ work: true, env: asteriskEnv })
    trunk = await addAsterisk(t, asterisk.httpPort)
    await isUp()
  })
  after(async () => {
    await t?.close()
    await asterisk?.close()
    await carrier?.close()
  })
  const live = () => t.main.liveKey
  const isUp = () => eventually('up', async () => (await trunkState(t, trunk)).state === 'up')
  const ended = (callId: string) => callIn(t, callId, over, live(), 30_000)
  const sideOf = (called: string) =>
    eventually(`a call to ${called}`, () => {
      const side = carrier.calls.findLast(({ number: other }) => other === called)
      return side?.rtp !== undefined && (side as RemoteParty & { rtp: RunningSession })
    })

  test('carries sound from one remote party to another, and keys', async () => {
    const instructions = [{ verb: 'dial', targets: [{ type: 'number', number: two }] }]
    const callId = await startCall(t, one, { instructions }, live())
    const [a, b] = [await sideOf(one), await sideOf(two)]
    assert.match(a.call.request.headers.find(({ name }) => name === 'From')?.value ?? '', /sip:\+15550100001@/)
    a.rtp.setSource(toneSource(tones[one] ?? 0))
    b.rtp.setSource(toneSource(tones[two] ?? 0))
    await eventually('the tone of the first', () => hears(b.rtp, tones[one] ?? 0))
    await eventually('the tone of the second', () => hears(a.rtp, tones[two] ?? 0))
    a.rtp.sendDigits('5')
    await eventually('the key', async () =>
      (await seeCall(t, callId, live())).history.some(
        ({ type, details }) => type === 'call.dtmf' && details?.['digit'] === '5',
      ),
    )
    b.call.end()
    a.call.end()
    assert.equal((await ended(callId)).state, 'completed')
  })

  test('types keys, and has early media heard', async () => {
    const callId = await startCall(
      t,
      number('0014'),
      {
        instructions: [
          { verb: 'sendDigits', digits: '19#' },
          { verb: 'pause', seconds: 30 },
        ],
      },
      live(),
    )
    const side = await sideOf(number('0014'))
    await eventually('the keys', () => side.digits.join('') === '19#')
    side.call.end()
    await ended(callId)
    const early = await startCall(t, number('0013'), {}, live())
    assert.equal((await callIn(t, early, ['ringing'], live())).earlyMedia, true)
    await t.call('POST', `/v2/voice/calls/${early}/hangup`, { as: live() })
    assert.equal((await ended(early)).state, 'canceled')
  })

  test('takes calls that come in, and refuses what nobody has', async () => {
    const own = '+15550100077'
    const made = await t.call('POST', '/v2/numbers', { as: live(), body: { number: own, voice: true } })
    const body = { instructions: [{ verb: 'answer' }, { verb: 'pause', seconds: 60 }] }
    await t.call('PUT', `/v2/numbers/${made.json.data.numberId}/voice`, { as: live(), body })
    const statuses: number[] = []
    const answered = Promise.withResolvers<void>()
    const callOut = (user: string) =>
      carrier.agent.call({
        from: '<sip:+15550100099@127.0.0.1>',
        to: `<sip:${user}@127.0.0.1>`,
        target: `sip:${user}@127.0.0.1:${asterisk.sipPort}`,
        local: { sessionId: '9', address: { family: 'IP4', address: '127.0.0.1' }, port: 29_998 },
        handlers: {
          onMedia() {},
          onAnswered: () => answered.resolve(),
          onEnded: end => void statuses.push(end.status),
        },
      })
    callOut('+15550100078')
    await eventually('a refusal', () => statuses.length > 0)
    assert.deepEqual(statuses, [404])
    const call = callOut(own)
    await answered.promise
    const seen = await eventually('the call', async () => {
      const { json } = await t.call('GET', '/v2/voice/calls?direction=inbound', { as: live() })
      return json.data[0]?.state === 'answered' && json.data[0]
    })
    assert.deepEqual([seen.from, seen.to, seen.trunkId], ['+15550100099', own, trunk])
    call.end()
    const done = await ended(seen.callId)
    assert.deepEqual([done.state, done.hangupBy], ['completed', 'caller'])
  })

  test('has a remote party call somebody else', async () => {
    const to = number('0015')
    const transfer = { verb: 'transfer', mode: 'blind', to: { type: 'number', number: two } }
    const callId = await startCall(t, to, { instructions: [{ verb: 'pause', seconds: 1 }, transfer] }, live())
    await sideOf(to)
    assert.equal((await ended(callId)).state, 'completed')
    assert.match(referred.join(), /sip:\+15550100012@/)
    const { history } = await seeCall(t, callId, live())
    assert.ok(
      history.some(({ type }) => type === 'call.transferred'),
      JSON.stringify(history),
    )
  })

  test('a crash of the Asterisk ends its calls, and it comes up again', async () => {
    const callId = await startCall(t, one, { instructions: [{ verb: 'pause', seconds: 60 }] }, live())
    await callIn(t, callId, ['answered'], live())
    await asterisk.restart()
    const lost = await ended(callId)
    assert.deepEqual([lost.state, lost.hangupCause, lost.hangupBy], ['failed', 'network', 'carrier'])
    await isUp()
    const again = await startCall(t, one, { instructions: [{ verb: 'hangup' }] }, live())
    assert.equal((await ended(again)).state, 'completed')
  })

  test('calls by a dialplan of its own', async () => {
    const settings = { endpoint: 'Local/{number}@outgoing', application: 'other' }
    const routes = [{ prefix: '+1555011', priority: 1, weight: 1 }]
    const other = await addAsterisk(t, asterisk.httpPort, { name: 'Dialplan', settings, routes })
    await eventually('up', async () => (await trunkState(t, other)).state === 'up')
    const to = '+15550110001'
    const callId = await startCall(t, to, { instructions: [{ verb: 'pause', seconds: 60 }] }, live())
    const side = await sideOf(to)
    await callIn(t, callId, ['answered'], live())
    side.call.end()
    const call = await ended(callId)
    assert.deepEqual([call.state, call.hangupBy], ['completed', 'callee'])
  })

  test('has its settings tried out', async () => {
    const { json } = await t.call('POST', `/v2/voice/trunks/${trunk}/test`, { as: live(), body: {} })
    assert.deepEqual([json.data.ok, json.data.steps.length], [true, 2], JSON.stringify(json.data.steps))
  })
})
