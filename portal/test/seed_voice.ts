// What an organization of a test calls by: in live mode a trunk that is switched off.
import assert from 'node:assert/strict'
import type { TestApp } from '../../server/test/harness.ts'

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
