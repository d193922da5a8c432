// Guards: every fixed number keeps its outcome; scripts are sound; calls survive the death of the process that carries them,
// because nothing of them is kept in memory and no step is played twice.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { voiceEngineSuite } from '../../../test/engines/suite.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { callIn, leftovers, type SeenCall, startCall, startQueues } from '../../../test/voice/calls.ts'
import { quietTools } from '../../../test/voice/engine.ts'
import { carryCalls } from '../../modules/voice/node/jobs.ts'
import { callerScript, outcomes, scriptFor, waitScript } from './scripts.ts'
import { simulatorEngine } from './simulator.ts'

const speed = 20
const engine = simulatorEngine({ speed })
const queues = [carryCalls({ engines: [engine], tools: () => quietTools })]
const number = (last: string) => `+1500555${last}`
const terminal = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

voiceEngineSuite('simulator', {
  engine,
  queues: [],
  secondMs: 1000 / speed,
  numbers: {
    answers: '+15550100002',
    busy: number('0201'),
    silent: number('0202'),
    declines: number('0203'),
    unallocated: number('0204'),
    stays: number('0209'),
  },
})

test('every script is in order and ends the call, once, whatever the timeout', () => {
  for (const to of [...Object.keys(outcomes), '+4930123456']) {
    for (const timeoutSeconds of [5, 60, 600]) {
      const steps = scriptFor({ to, timeoutSeconds })
      const times = steps.map(step => step.afterSeconds)
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
        to,
      )
      const ends = steps.filter(step => step.event.type === 'ended')
      assert.equal(ends.length, 1, to)
      assert.equal(ends[0], steps.at(-1), to)
    }
  }
})

test('a simulated caller types after the answer, with pauses, and hangs up in time', () => {
  const eventsOf = (digits: string, seconds: number) =>
    callerScript({ digits, seconds }).map(({ afterSeconds, event }) => {
      return [afterSeconds, event.type === 'dtmf' ? event.digit : event.type]
    })
  assert.deepEqual(eventsOf('1wW#', 9), [
    [1, '1'],
    [3, '#'],
    [9, 'ended'],
  ])
  assert.deepEqual(eventsOf('12', 1), [[1, 'ended']], 'what comes too late is not typed')
  assert.deepEqual(
    waitScript({ timeoutSeconds: 60 }).map(({ afterSeconds, event }) => [afterSeconds, event]),
    [[60, { type: 'ended', cause: 'canceled', by: 'caller' }]],
  )
})

describe('numbers with fixed outcomes', () => {
  let t: TestApp
  let running: { stop(): Promise<void> }
  before(async () => {
    t = await startTestApp()
    running = startQueues(t, queues)
  })
  after(async () => {
    await running.stop()
    await t.close()
  })

  type Expected = Partial<SeenCall> & { types: string[] }
  const answeredTypes = ['ringing', 'answered', 'completed']
  const human = { state: 'completed', hangupBy: 'callee', answeredBy: 'human', errorCode: null }
  const expectations: Record<string, Expected> = {
    '0200': { ...human, types: answeredTypes },
    '0201': { state: 'busy', sipCode: 486, q850: 17, errorCode: 'callee_busy', types: ['busy'] },
    '0202': { state: 'no_answer', q850: 19, errorCode: 'callee_no_answer', types: ['ringing', 'no_answer'] },
    '0203': { state: 'rejected', sipCode: 603, q850: 21, errorCode: 'callee_declined', types: ['ringing', 'rejected'] },
    '0204': {
      state: 'failed',
      sipCode: 404,
      q850: 1,
      errorCode: 'number_unallocated',
      hangupBy: 'carrier',
      types: ['failed'],
    },
    '0205': { ...human, answeredBy: 'machine', types: ['ringing', 'answered', 'machine_detected', 'completed'] },
    '0206': { ...human, types: ['rerouted', ...answeredTypes] },
    '0207': { ...human, earlyMedia: true, types: ['ringing', 'early_media', 'answered', 'completed'] },
    '0208': { ...human, types: ['ringing', 'answered', 'dtmf', 'dtmf', 'dtmf', 'dtmf', 'dtmf', 'completed'] },
    '0209': {
      state: 'failed',
      errorCode: 'media_timeout',
      hangupBy: 'system',
      types: ['ringing', 'answered', 'failed'],
    },
    '0210': {
      state: 'failed',
      sipCode: 403,
      errorCode: 'caller_id_not_allowed',
      hangupBy: 'carrier',
      types: ['failed'],
    },
  }

  for (const [last, { types, ...facts }] of Object.entries(expectations)) {
    test(`…${last}: ${outcomes[number(last)]?.title}`, async () => {
      const callId = await startCall(t, number(last), { timeoutSeconds: 6 })
      const call = await callIn(t, callId, terminal)
      assert.deepEqual(
        call.history.map(entry => entry.type),
        ['call.initiated', ...types.map(type => `call.${type}`)],
      )
      for (const [name, value] of Object.entries(facts)) assert.equal(call[name as keyof SeenCall], value, name)
      assert.equal(await leftovers(t, callId), 0)
    })
  }

  test('the history shows the digits that were typed and the trunk that refused', async () => {
    const [typing, rerouted] = await Promise.all([startCall(t, number('0208')), startCall(t, number('0206'))])
    const { history } = await callIn(t, typing, terminal)
    const digits = history.filter(entry => entry.type === 'call.dtmf').map(entry => entry.details?.['digit'])
    assert.deepEqual(digits, ['1', '2', '3', '4', '#'])
    const [, failover] = (await callIn(t, rerouted, terminal)).history
    assert.deepEqual(failover?.details, { trunk: 'simulator_1', sipCode: 503, nextTrunk: 'simulator_2' })
    assert.equal(failover?.state, 'initiated')
  })

  test('of a live tenant without a trunk it carries calls to its own numbers, and answers for no other', async () => {
    const see = async (to: string, body: Record<string, unknown> = {}) =>
      callIn(t, await startCall(t, to, body, t.main.liveKey), terminal, t.main.liveKey)
    const simulated = await see(number('0200'))
    assert.deepEqual([simulated.state, simulated.answeredBy, simulated.simulated], ['completed', 'human', true])
    for (const to of ['+4930123456', '+12025560200']) {
      const call = await see(to)
      const { state, errorCode, answeredAt, billableSeconds, sipCode, simulated: isSimulated } = call
      const shown = { state, errorCode, answeredAt, billableSeconds, sipCode, isSimulated }
      const expected = { state: 'failed', errorCode: 'no_route', answeredAt: null, billableSeconds: 0, sipCode: null }
      assert.deepEqual(shown, { ...expected, isSimulated: false }, to)
      assert.deepEqual(
        call.history.map(({ type }) => type),
        ['call.initiated', 'call.failed'],
      )
      assert.equal(await leftovers(t, call.callId), 0)
    }
    // Nor for a leg that instructions dial.
    const instructions = [{ verb: 'dial', targets: [{ type: 'number', number: '+4930123456' }] }]
    const parent = await see(number('0200'), { instructions })
    const { json } = await t.call('GET', `/v2/voice/calls?parentCallId=${parent.callId}`, { as: t.main.liveKey })
    assert.deepEqual(
      json.data.map((leg: SeenCall) => [leg.state, leg.errorCode]),
      [['failed', 'no_route']],
    )
  })
})
