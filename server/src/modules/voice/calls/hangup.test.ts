// Guards: hanging up in every state: it ends what lives, once, and changes nothing of what is over; an engine is asked only for what
// it was given.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { reportEvents, seeCall, startCall, waysTo } from '../../../../test/voice/calls.ts'
import { type CallEvent, callStates, liveCallStates } from '../call_records/rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const to = '+15005550200'

describe('hanging up', () => {
  const hangup = (callId: string, as = t.main.testKey) => t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as })

  for (const state of callStates) {
    const live = liveCallStates.includes(state)
    test(`in ${state}: ${live ? 'ends the call' : 'is refused and changes nothing'}`, async () => {
      const callId = await startCall(t, to)
      await reportEvents(t, callId, waysTo[state])
      const call = await seeCall(t, callId)
      assert.equal(call.state, state)
      const { status, json } = await hangup(callId)
      if (!live) {
        assert.deepEqual([status, json.error.code], [409, 'call_not_active'])
        assert.match(json.error.message, new RegExp(state))
        assert.deepEqual(await seeCall(t, callId), call)
        return
      }
      assert.equal(status, 200)
      const { state: end, hangupBy, billableSeconds } = json.data
      assert.deepEqual([end, hangupBy], [state === 'answered' ? 'completed' : 'canceled', 'api'])
      if (end === 'canceled') assert.equal(billableSeconds, 0)
      assert.equal((await hangup(callId)).status, 409)
      const { history } = await seeCall(t, callId)
      assert.equal(history.at(-1)?.type, `call.${end}`)
      assert.deepEqual(
        await reportEvents(t, callId, [{ type: 'answered' }, { type: 'ended', cause: 'normal', by: 'callee' }]),
        {
          applied: 0,
          over: [callId],
        },
      )
    })
  }

  test('of a call that waits in a queue: it has left that, once, before its end is written', async () => {
    const enter = (queue: string) =>
      ({ type: 'noted', event: 'queue.entered', details: { queue, size: 1 } }) as const satisfies CallEvent
    const leave = {
      type: 'noted',
      event: 'queue.left',
      details: { queue: 'a', reason: 'left', waitedSeconds: 1 },
    } as const
    const end = { type: 'ended', cause: 'node_lost', by: 'system' } as const
    const ways: Record<string, (callId: string) => Promise<unknown>> = {
      hangup,
      command: callId =>
        t.call('POST', `/v2/voice/calls/${callId}/commands`, { as: t.main.testKey, body: { verb: 'hangup' } }),
      'its process is lost': callId => reportEvents(t, callId, [end]),
    }
    for (const [way, endIt] of Object.entries(ways)) {
      const waiting = await startCall(t, to)
      await reportEvents(t, waiting, [{ type: 'answered' }, enter('a'), leave, enter('b')])
      await endIt(waiting)
      const { history } = await seeCall(t, waiting)
      assert.deepEqual(
        history.slice(-3).map(({ type }) => type),
        ['queue.entered', 'queue.left', 'call.completed'].with(
          2,
          way.startsWith('its') ? 'call.failed' : 'call.completed',
        ),
      )
      assert.deepEqual(history.at(-2)?.details, { queue: 'b', reason: 'hangup', waitedSeconds: 0 }, way)
      const gone = await startCall(t, to)
      await reportEvents(t, gone, [{ type: 'answered' }, enter('a'), leave])
      await endIt(gone)
      assert.equal((await seeCall(t, gone)).history.filter(({ type }) => type === 'queue.left').length, 1, way)
    }
  })

  test('asks the engine only when the call was given to one', async () => {
    const callId = await startCall(t, to)
    await hangup(callId)
    const jobs = await t.sql<{ kind: string }>('select kind from call_jobs where call_id = $1', [callId])
    assert.deepEqual(jobs, [{ kind: 'originate' }])
    const dialed = await startCall(t, to)
    await t.ownerSql(`update calls set engine = 'simulator', dialed_at = now() where id = $1`, [dialed])
    await hangup(dialed)
    const asked = await t.sql<{ kind: string; engine: string }>(
      `select kind, engine from call_jobs where call_id = $1 and kind = 'hangup'`,
      [dialed],
    )
    assert.deepEqual(asked, [{ kind: 'hangup', engine: 'simulator' }])
  })
})
