// Calls whose process died behind their end: a process that starts tells their far sides at once, and so does one that learns of a death;
// those that somebody may still be ending are left alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { startCall } from '../../modules/voice/calls/testing.ts'
import { createForgotten } from './forgotten.ts'
import { insertStoredCalls } from './store.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })

/** A call that is stored, and over for so long; with a negative time, not yet. */
async function over(seconds: number): Promise<string> {
  const callId = await startCall(t, '+15005550200')
  const { db } = t.app.services
  await db.inTenant(scope(), tx => insertStoredCalls(tx, scope(), [{ callId, trunkId: null, stored: {} }]))
  await t.ownerSql(
    `update calls set state = 'canceled', hangup_cause = 'normal', hangup_by = 'api', created_at = now() - interval '5 minutes', changed_at = now(),
       ended_at = now() - make_interval(secs => $2) where id = $1`,
    [callId, seconds],
  )
  return callId
}

async function looking(fails: (callId: string) => boolean = () => false) {
  await t.ownerSql('delete from sip_calls')
  const told: string[] = []
  const forgotten = createForgotten(t.app.services, async ({ callId }) => {
    told.push(callId)
    if (fails(callId)) throw new Error('it cannot be reached')
  })
  const toldIn = async () => {
    await forgotten.round()
    return told.splice(0).toSorted()
  }
  return { forgotten, toldIn }
}

test('what had ended before a process began is told when it begins, and what ends behind that is not', async () => {
  const { toldIn } = await looking()
  const before = [await over(60), await over(30)].toSorted()
  assert.deepEqual(await toldIn(), before)
  await t.ownerSql('delete from sip_calls')
  await over(30)
  assert.deepEqual(await toldIn(), [])
})

test('who learns of the death of a process looks at once for what that had ended', async () => {
  const { forgotten, toldIn } = await looking()
  await toldIn()
  const [dead] = [await over(30), await over(-30)]
  assert.deepEqual(await toldIn(), [])
  forgotten.soon()
  assert.deepEqual(await toldIn(), [dead])
  assert.deepEqual(await toldIn(), [])
})

test('one that cannot be told rests for a while, so that it does not stand in the way of others', async () => {
  let dead = ''
  const { forgotten, toldIn } = await looking(callId => callId === dead)
  await toldIn()
  dead = await over(30)
  forgotten.soon()
  assert.deepEqual(await toldIn(), [dead])
  const later = await over(20)
  forgotten.soon()
  assert.deepEqual(await toldIn(), [later])
})

test('a call is ended once at a time, whoever asks, and who asks hears that it failed', async () => {
  const begun: string[] = []
  const { promise, reject } = Promise.withResolvers<void>()
  const forgotten = createForgotten(t.app.services, ({ callId }) => {
    begun.push(callId)
    return promise
  })
  await t.ownerSql('delete from sip_calls')
  const callId = await over(30)
  const asked = [forgotten.end({ ...scope(), callId }), forgotten.end({ ...scope(), callId })]
  await forgotten.round()
  assert.deepEqual(begun, [callId])
  reject(new Error('nobody answers'))
  for (const one of asked) await assert.rejects(one, /nobody answers/)
})
