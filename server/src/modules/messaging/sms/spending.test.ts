// What texts may cost a day: one that is taken back on the day on which it was counted makes room for another.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { keyWithPolicy, setPolicy } from '../../../../test/destinations.ts'
import { startSteps, taken } from '../../../../test/messages.ts'

const { t, s } = await startSteps()

/** A ceiling that every node has known for a while. */
async function setCeiling(amount: string): Promise<void> {
  await setPolicy(t, 'organization', { dailySpend: [{ currency: 'USD', amount }] }, s.as)
  await t.ownerSql("update destination_policies set updated_at = updated_at - interval '1 minute'")
}
const cancel = async (id: string) => (await t.call('POST', `/v2/messages/${id}/cancel`, { as: s.as })).status
const reached = '403 daily_spend_exceeded'
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

afterEach(async () => {
  await t.call('DELETE', '/v2/destinations/policies/organization', { as: s.as })
  await t.ownerSql('truncate destination_usage')
})

test('what is canceled costs nothing of the day, once', async () => {
  // A cent each.
  await setCeiling('0.03')
  const [queued, later, gone] = [await s.send(), await s.send({ sendAt: tomorrow() }), await s.send()]
  assert.equal(await s.refusal(), reached)
  for (const id of [queued, later]) {
    assert.deepEqual([await cancel(id), await cancel(id)], [200, 200])
    await s.send()
    assert.equal(await s.refusal(), reached)
  }
  const rows = await s.claim('t')
  await s.conclude('t', rows, row => taken(row.id))
  assert.equal(await cancel(gone), 409)
  assert.equal(await s.refusal(), reached, 'what a carrier has is spent')
})

test('what was not counted today is not given back', async () => {
  const before = await s.send()
  await t.ownerSql("update messages set created_at = created_at - interval '1 hour' where id = $1", [before])
  await setCeiling('0.01')
  const counted = await s.send()
  assert.equal(await cancel(before), 200)
  assert.equal(await s.refusal(), reached, 'accepted before there was a ceiling')
  await t.ownerSql("update messages set created_at = created_at - interval '1 day' where id = $1", [counted])
  await t.ownerSql("update destination_policies set updated_at = updated_at - interval '2 days'")
  assert.equal(await cancel(counted), 200)
  assert.equal(await s.refusal(), reached, 'counted on another day')
})

test('what is canceled costs nothing of the ceiling of the API key by which it came', async () => {
  const { secret } = await keyWithPolicy(t, { dailySpend: [{ currency: 'USD', amount: '0.03' }] })
  const body = (more: object = {}) => ({ from: '+15005550006', to: '+15005550999', body: 'Hello', ...more })
  const post = (more?: object) => t.call('POST', '/v2/messages/sms', { as: secret, body: body(more) })
  const send = async (more?: object): Promise<string> => (await post(more)).json.messageId
  const refusal = async () => {
    const { status, json } = await post()
    return `${status} ${json.error?.code}`
  }
  const [queued, later] = [await send(), await send({ sendAt: tomorrow() })]
  const messages = [body({ sendAt: tomorrow() }), body()]
  const batch = await t.call('POST', '/v2/messages/sms/batch', { as: secret, body: { messages } })
  assert.equal(batch.json.data.messages[1].code, 'daily_spend_exceeded')
  for (const id of [queued, later, batch.json.data.messages[0].messageId]) {
    assert.equal(await refusal(), reached)
    assert.deepEqual([await cancel(id), await cancel(id)], [200, 200])
    assert.ok(await send())
  }
  const others = await s.send()
  assert.equal(await cancel(others), 200)
  assert.equal(await refusal(), reached, 'not what came by another key')
  const counted = await t.ownerSql('select from messages where spend_key_id is not null')
  assert.equal(counted.length, 6)
  await t.ownerSql("update messages set created_at = created_at - interval '1 day' where status = 'queued'")
  const [last] = await t.ownerSql<{ id: string }>(
    "select id from messages where status = 'queued' and spend_key_id is not null",
  )
  assert.equal(await cancel(last!.id), 200)
  assert.equal(await refusal(), reached, 'counted on another day')
})
