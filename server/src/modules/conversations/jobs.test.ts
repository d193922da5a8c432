// Whose log is followed next: however many tenants always have something new, none waits for ever.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { followConversations } from './jobs.ts'
import type { Tenant } from './position_store.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

test('tenants are followed in turn, also where more have something new than one claim takes', async () => {
  const { main, other } = t
  const all = [main.liveTenantId, main.testTenantId, other.liveTenantId, other.testTenantId].toSorted((a, b) => a - b)
  for (const as of [main.liveKey, main.testKey, other.liveKey, other.testKey]) {
    const made = await t.call('POST', '/v1/api/leads', { as, body: { name: 'Ada', email: 'ada@example.com' } })
    assert.ok(made.json.lead, made.text)
  }
  const queue = followConversations(t.app.services)
  const claim = async (): Promise<number[]> => {
    const rows: Tenant[] = await queue.claim('lse_x', 1)
    await queue.work(rows, 'lse_x', () => false)
    return rows.map(({ tenantId }) => tenantId)
  }
  const followed: number[] = []
  // What was written moments ago is looked for on and on: all of them stay behind.
  for (let n = 0; n < 8; n++) followed.push(...(await claim()))
  assert.deepEqual(
    followed.toSorted((a, b) => a - b),
    all.flatMap(id => [id, id]),
  )
  const [first] = await queue.claim('lse_y', 1)
  const others: Tenant[] = await queue.claim('lse_z', 4)
  assert.deepEqual(
    others.map(({ tenantId }) => tenantId).toSorted((a, b) => a - b),
    all.filter(id => id !== first.tenantId),
    'who is being followed is nobody else to follow',
  )
})
