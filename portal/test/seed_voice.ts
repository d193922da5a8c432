// What an organization of a test calls by: in live mode a trunk that is switched off; and a conference that is under way there.
import assert from 'node:assert/strict'
import type { TestApp } from '../../server/test/harness.ts'
import { answeredCall, conferenceWith } from '../../server/test/voice/conferences.ts'

/** A trunk that nobody answers for: it is not asked while it is off. */
export const quietTrunk = {
  name: 'Example Voice',
  enabled: false,
  settings: {
    host: 'sip.example.com',
    transport: 'tls',
    username: 'example',
    password: 'secret12',
    register: true,
    sourceAddresses: ['203.0.113.0/24', '203.0.113.77'],
  },
  routes: [
    { prefix: '+49', priority: 10, weight: 3 },
    { prefix: '', priority: 20, weight: 1 },
  ],
}

export async function seedTrunk(t: TestApp, body: object = {}): Promise<string> {
  const answer = await t.call('POST', '/v2/voice/trunks', { as: t.main.liveKey, body: { ...quietTrunk, ...body } })
  assert.equal(answer.status, 201, `seeding met ${answer.status}: ${answer.text}`)
  return answer.json.data.trunkId
}

/** A conference with one call in it that is muted, and one that left; no other node takes it for lost. */
export async function seedConference(t: TestApp): Promise<string> {
  const { scope, records, conferenceId, callId } = await conferenceWith(t)
  const gone = await answeredCall(t)
  const atMs = t.clock.now()
  records.report(scope, conferenceId, {
    type: 'joined',
    atMs,
    callId: gone,
    muted: false,
    coach: null,
    callbackUrl: null,
  })
  records.report(scope, conferenceId, { type: 'left', atMs, callId: gone, reason: 'key', callbackUrl: null })
  await records.flush()
  await t.ownerSql("update call_leases set heartbeat_at = now() + interval '1 day' where owner = 'node_test'")
  const path = `/v2/voice/conferences/${conferenceId}/participants/${callId}`
  const muted = await t.call('PATCH', path, { as: t.main.liveKey, body: { muted: true } })
  assert.equal(muted.status, 200, `seeding met ${muted.status}: ${muted.text}`)
  return conferenceId
}
