// For tests: API keys with a destination policy of their own, so that no test changes what holds for others.
import assert from 'node:assert/strict'
import type { Change } from '../src/modules/destinations/schemas.ts'
import type { TestApp, TestOrganization } from './harness.ts'

/** The secret of a new key with such a policy, and its id. */
export async function keyWithPolicy(
  t: TestApp,
  policy: Change,
  { mode = 'test', of = t.main }: { mode?: 'live' | 'test'; of?: TestOrganization } = {},
): Promise<{ secret: string; keyId: string }> {
  // A user has only so many keys at a time: those of earlier tests end.
  await t.sql(
    `update api_keys set revoked_at = clock_timestamp() where id in
       (select id from api_keys where name = 'Limited' and revoked_at is null order by id desc offset 20)`,
  )
  const { json } = await t.call('POST', '/v2/auth/api-keys', { as: of.liveKey, body: { name: 'Limited', mode } })
  const { secret, keyId } = json.data
  await setPolicy(t, keyId, policy, mode === 'live' ? of.liveKey : of.testKey)
  return { secret, keyId }
}

export async function setPolicy(t: TestApp, policy: string, body: Change, as: string): Promise<void> {
  const answer = await t.call('PATCH', `/v2/destinations/policies/${policy}`, { as, body })
  assert.equal(answer.status, 200, answer.text)
}
