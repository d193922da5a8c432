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

async function looking() {
  await t.ownerSql('delete from sip_calls')
  const told: string[] = []
  const forgotten = createForgotten(t.app.services, async ({ callId }) => void told.push(callId))
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
