// Guards: under every interleaving of engine and API a call has one terminal state and event and an unbroken history, and batches
// in other orders neither deadlock nor lose a step.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { reportEvents, seeCall, startCall } from '../../../../test/voice/calls.ts'
import { inEachTenant, receiveCallEvents } from '../call_records/index.ts'
import { type CallEvent, type HangupCause, hangupCauses, terminalCallStates } from '../call_records/rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const to = '+15550100002'
const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })

describe('interleavings', () => {
  const causes = Object.keys(hangupCauses) as HangupCause[]
  const event: fc.Arbitrary<CallEvent> = fc.oneof(
    fc.constant<CallEvent>({ type: 'ringing' }),
    fc.constant<CallEvent>({ type: 'answered' }),
    fc.constant<CallEvent>({ type: 'dtmf', digit: '1' }),
    fc.constantFrom(...causes).map((cause): CallEvent => ({ type: 'ended', cause, by: 'callee' })),
  )
  const act = fc.oneof({ weight: 3, arbitrary: event }, { weight: 1, arbitrary: fc.constant('hangup' as const) })

  test('engine and API at the same time: one terminal state, one terminal event, an unbroken history', async () => {
    const acts = fc.array(act, { minLength: 2, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(acts, async happened => {
        const callId = await startCall(t, to)
        const outcomes = await Promise.all(
          [...happened, 'hangup' as const].map(async what => {
            if (what !== 'hangup') return (await reportEvents(t, callId, [what])).applied
            const { status } = await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: t.main.testKey })
            assert.ok(status === 200 || status === 409, String(status))
            return status === 200 ? 1 : 0
          }),
        )
        const { state, history } = await seeCall(t, callId)
        assert.ok(terminalCallStates.includes(state as never), state)
        assert.equal(history.filter(entry => terminalCallStates.includes(entry.state as never)).length, 1)
        assert.equal(history.at(-1)?.type, `call.${state}`)
        assert.deepEqual(
          history.map(entry => entry.sequence),
          history.map((_, index) => index + 1),
        )
        assert.equal(
          outcomes.reduce((sum, count) => sum + count, 1),
          history.length,
          'every change reported is in the history',
        )
      }),
      { numRuns: 60 },
    )
  })

  test('batches over the same calls in other orders neither deadlock nor lose a step', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => startCall(t, to)))
    const batch = (order: string[], event: CallEvent) => {
      const reports = order.map(callId => ({ callId, atMs: t.clock.now(), event }))
      return t.app.services.db.inTenant(scope(), tx => receiveCallEvents(tx, scope(), reports))
    }
    const ends: CallEvent = { type: 'ended', cause: 'normal', by: 'callee' }
    const received = await Promise.all([
      batch(ids, { type: 'dtmf', digit: '1' }),
      batch(ids.toReversed(), { type: 'answered' }),
      batch(
        ids.toSorted(() => 0.5),
        ends,
      ),
      batch(ids.toReversed(), ends),
    ])
    const applied = received.reduce((sum, { applied }) => sum + applied, 0)
    const rows = await t.ownerSql<{ steps: number }>(
      'select sum(sequence - 1)::int as steps from calls where id = any($1)',
      [ids],
    )
    assert.equal(applied, rows[0]?.steps)
    for (const callId of ids) assert.ok(terminalCallStates.includes((await seeCall(t, callId)).state as never))
  })

  test('rows of several tenants are worked in a transaction of each', async () => {
    const rows = [t.main.testTenantId, t.main.liveTenantId, t.main.testTenantId].map(tenant_id => ({
      tenant_id,
      organization_id: t.main.organizationId,
    }))
    const { results, faults } = await inEachTenant(t.app.services.db, rows, async (_tx, { tenantId }, group) => {
      if (tenantId === t.main.liveTenantId) throw new Error('this one fails')
      return group.length
    })
    assert.deepEqual([results, faults.length], [[2], 1])
  })
})
