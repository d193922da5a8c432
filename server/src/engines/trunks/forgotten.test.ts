// Calls whose process died behind their end: a process that starts notifies their remote parties at once, and so does one that learns of a death;
// those that somebody may still be ending are left alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { startCall } from '../../../test/voice/calls.ts'
import { insertRemoteParties } from '../../modules/voice/call_records/index.ts'
import { createForgotten } from './forgotten.ts'

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
  await db.inTenant(scope(), tx => insertRemoteParties(tx, scope(), [{ callId, trunkId: null, stored: {} }]))
  await t.ownerSql(
    `update calls set state = 'canceled', hangup_cause = 'normal', hangup_by = 'api', created_at = now() - interval '5 minutes', changed_at = now(),
       ended_at = now() - make_interval(secs => $2) where id = $1`,
    [callId, seconds],
  )
  return callId
}

async function looking(fails: (callId: string) => boolean = () => false) {
  await t.ownerSql('delete from sip_calls')
  const ended: string[] = []
  const forgotten = createForgotten(t.app.services, async ({ callId }) => {
    ended.push(callId)
    if (fails(callId)) throw new Error('it cannot be reached')
  })
  const endedIn = async () => {
    await forgotten.round()
    return ended.splice(0).toSorted()
  }
  return { forgotten, endedIn }
}

test('what had ended before a process started is reported when it starts, and what ends behind that is not', async () => {
  const { endedIn } = await looking()
  const before = [await over(60), await over(30)].toSorted()
  assert.deepEqual(await endedIn(), before)
  await t.ownerSql('delete from sip_calls')
  await over(30)
  assert.deepEqual(await endedIn(), [])
})

test('who learns of the death of a process looks at once for what that had ended', async () => {
  const { forgotten, endedIn } = await looking()
  await endedIn()
  const [dead] = [await over(30), await over(-30)]
  assert.deepEqual(await endedIn(), [])
  forgotten.soon()
  assert.deepEqual(await endedIn(), [dead])
  assert.deepEqual(await endedIn(), [])
})

test('one that cannot be notified rests for a while, so that it does not stand in the way of others', async () => {
  let dead = ''
  const { forgotten, endedIn } = await looking(callId => callId === dead)
  await endedIn()
  dead = await over(30)
  forgotten.soon()
  assert.deepEqual(await endedIn(), [dead])
  const later = await over(20)
  forgotten.soon()
  assert.deepEqual(await endedIn(), [later])
})

test('a call is ended once at a time, no matter who asks, and who asks hears that it failed', async () => {
  const started: string[] = []
  const { promise, reject } = Promise.withResolvers<void>()
  const forgotten = createForgotten(t.app.services, ({ callId }) => {
    started.push(callId)
    return promise
  })
  await t.ownerSql('delete from sip_calls')
  const callId = await over(30)
  const asked = [forgotten.end({ ...scope(), callId }), forgotten.end({ ...scope(), callId })]
  await forgotten.round()
  assert.deepEqual(started, [callId])
  reject(new Error('nobody answers'))
  for (const one of asked) await assert.rejects(one, /nobody answers/)
})
