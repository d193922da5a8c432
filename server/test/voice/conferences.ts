// For tests of conferences: one that is under way, as its node would have reported it.
import assert from 'node:assert/strict'
import { newId } from '../../src/kernel/values/ids.ts'
import { createConferenceRecords } from '../../src/modules/voice/conferences/index.ts'
import type { TestApp, TestOrganization } from '../harness.ts'
import { startCall } from './calls.ts'

/** A call without a job. While it is begun no job falls due, so that a voice node at work here claims none. */
async function startUnclaimedCall(t: TestApp, who: TestOrganization): Promise<string> {
  await t.ownerSql("alter table call_jobs alter column due_at set default 'infinity'")
  try {
    const callId = await startCall(t, '+15005550200', {}, who.tokens.Admin)
    const taken = await t.ownerSql('delete from call_jobs where call_id = $1 returning call_id', [callId])
    assert.equal(taken.length, 1)
    return callId
  } finally {
    await t.ownerSql('alter table call_jobs alter column due_at set default now()')
    await t.ownerSql("update call_jobs set due_at = now() where due_at = 'infinity'")
  }
}

/** A call of the live mode that is dialled and answered, held by a node. */
export async function answeredCall(t: TestApp, who: TestOrganization = t.main, owner = 'node_test'): Promise<string> {
  const callId = await startUnclaimedCall(t, who)
  await t.ownerSql(
    `update calls set engine = 'test', dialed_at = created_at, state = 'answered', answered_at = created_at where id = $1`,
    [callId],
  )
  await t.ownerSql(
    `insert into call_leases (tenant_id, call_id, engine, owner) select tenant_id, id, 'test', $2 from calls where id = $1`,
    [callId, owner],
  )
  return callId
}

/** A conference of the live mode with one call in it, which is dialled and answered. */
export async function conferenceWith(t: TestApp, who: TestOrganization = t.main, owner = 'node_test') {
  const callId = await answeredCall(t, who, owner)
  const at = t.clock.now()
  const scope = { tenantId: who.liveTenantId, organizationId: who.organizationId }
  const records = createConferenceRecords(t.app.services)
  const conferenceId = newId('conf')
  const name = `daily ${conferenceId}`
  await records.open(scope, { id: conferenceId, name, owner, callbackUrl: null, atMs: at })
  const joining = { type: 'joined', atMs: at, callId, muted: false, coach: null, callbackUrl: null } as const
  records.report(scope, conferenceId, joining)
  records.report(scope, conferenceId, { type: 'started', atMs: at })
  await records.flush()
  return { scope, records, conferenceId, callId, name }
}
