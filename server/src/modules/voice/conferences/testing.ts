// For tests of conferences: one that is under way, as its node would have told it.
import type { TestApp, TestOrganization } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/ids.ts'
import { startCall } from '../calls/testing.ts'
import { createConferenceRecords } from './index.ts'

/** A conference of the live mode with one call in it, which is dialled and answered. */
export async function conferenceWith(t: TestApp, who: TestOrganization = t.main, owner = 'node_test') {
  const callId = await startCall(t, '+15005550200', {}, who.tokens.Admin)
  const at = t.clock.now()
  await t.ownerSql(
    `update calls set engine = 'test', dialed_at = created_at, state = 'answered', answered_at = created_at where id = $1`,
    [callId],
  )
  await t.ownerSql('delete from call_jobs where call_id = $1', [callId])
  await t.ownerSql(
    `insert into call_leases (tenant_id, call_id, engine, owner) select tenant_id, id, 'test', $2 from calls where id = $1`,
    [callId, owner],
  )
  const scope = { tenantId: who.liveTenantId, organizationId: who.organizationId }
  const records = createConferenceRecords(t.app.services)
  const conferenceId = newId('conf')
  const name = `daily ${conferenceId}`
  await records.open(scope, { id: conferenceId, name, owner, callbackUrl: null, atMs: at })
  const joining = { type: 'joined', atMs: at, callId, muted: false, coach: null, callbackUrl: null } as const
  records.tell(scope, conferenceId, joining)
  records.tell(scope, conferenceId, { type: 'started', atMs: at })
  await records.flush()
  return { scope, records, conferenceId, callId, name }
}
