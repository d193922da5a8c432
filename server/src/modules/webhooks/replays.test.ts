// Replays of webhooks: what was delivered, failed, or missed while a webhook was disabled is sent again, under the same id and
// with a new signature, once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answering,
  deliveriesOf,
  deliveryOf,
  emitEvents,
  newWebhook,
  ownerOf,
  type Received,
  startWebhookTest,
  until,
} from '../../../test/webhooks.ts'
import { deliveryIdOf } from './delivery_id.ts'
import { replayRange } from './replay_store.ts'

const running = await startWebhookTest()
const { t, receiver } = running
const { as, change, get, replay, settled } = ownerOf(t)

test('one delivery is sent again: same id and body, a new signature, and its attempts go on counting', async () => {
  const { webhookId } = await newWebhook(t, receiver.origin)
  const [eventId = ''] = await emitEvents(t)
  const deliveryId = deliveryIdOf(eventId, webhookId)
  await settled(webhookId, 1)
  const { attemptLog: before } = await deliveryOf(t, deliveryId)
  const [row] = await t.ownerSql<{ log: string; took: number }>(
    'select log::text, took_ms as took from webhook_deliveries where event_id = $1',
    [eventId],
  )
  // A success without a text has no entry in the row.
  assert.equal(row?.log, null)
  assert.deepEqual(
    [before[0].durationMs, before[0].status, before[0].error, before[0].reply],
    [row?.took, 204, null, null],
  )
  t.clock.advance(2_000)
  assert.deepEqual(await replay(webhookId, { deliveryId }), { replayed: 1, continueFrom: null })
  await until(() => receiver.received.length === 2)
  await until(async () => (await deliveryOf(t, deliveryId)).attempts === 2)
  const [first, second] = receiver.received as [Received, Received]
  assert.equal(second.body, first.body)
  assert.equal(second.headers['webhook-id'], eventId)
  assert.notEqual(second.headers['webhook-signature'], first.headers['webhook-signature'])
  const delivery = await deliveryOf(t, deliveryId)
  assert.equal(delivery.status, 'delivered')
  assert.deepEqual(
    delivery.attemptLog.map((entry: { attempt: number }) => entry.attempt),
    [1, 2],
  )
  assert.deepEqual(delivery.attemptLog[0], before[0], 'the first attempt is shown as before')
  t.clock.advance(-2_000)
})

test('a delivery that waits for its next attempt is replayed at once, and only once', async () => {
  receiver.answer = answering(500)
  const { webhookId } = await newWebhook(t, receiver.origin)
  const [eventId = ''] = await emitEvents(t)
  const deliveryId = deliveryIdOf(eventId, webhookId)
  await until(async () => (await deliveryOf(t, deliveryId)).attempts === 1)
  receiver.answer = answering(204)
  assert.equal((await replay(webhookId, { deliveryId })).replayed, 1)
  await until(async () => (await deliveryOf(t, deliveryId)).status === 'delivered')
  t.clock.advance(30_000)
  await emitEvents(t)
  await until(() => receiver.received.length >= 3)
  await until(async () => (await t.sql('select from webhook_jobs')).length === 0)
  assert.equal(receiver.ids().filter(id => id === eventId).length, 2)
  t.clock.advance(-30_000)
})

test('what was missed while a webhook was disabled is sent by a replay of that time', async () => {
  const { webhookId } = await newWebhook(t, receiver.origin, { eventTypes: ['lead.*'] })
  const from = new Date().toISOString()
  const before = await emitEvents(t, 2)
  await settled(webhookId, 2)
  await change(webhookId, { enabled: false })
  const { enabled, disabledReason, health } = await get(webhookId)
  assert.deepEqual([enabled, disabledReason, health], [false, 'request', 'disabled'])
  const missed = await emitEvents(t, [{ type: 'lead.created' }, { type: 'call.busy' }, { type: 'lead.deleted' }])
  const to = () => new Date(Date.now() + 60_000).toISOString()
  const refused = await t.call('POST', `/v2/webhooks/${webhookId}/replay`, { as: as(), body: { from, to: to() } })
  assert.equal(refused.json.error.code, 'webhook_disabled')
  await change(webhookId, { enabled: true })
  assert.equal(receiver.received.length, 2)
  assert.deepEqual(await replay(webhookId, { from, to: to() }), { replayed: 2, continueFrom: null })
  await settled(webhookId, 4)
  assert.deepEqual(receiver.ids().sort(), [...before, missed[0], missed[2]].sort())
  assert.equal((await replay(webhookId, { from, to: to() })).replayed, 0, 'nothing is undelivered any more')
  assert.equal((await replay(webhookId, { from, to: to(), scope: 'all', eventTypes: ['lead.created'] })).replayed, 1)
  assert.equal((await replay(webhookId, { from, to: to(), scope: 'failed' })).replayed, 0)
  await until(() => receiver.received.length === 5)
})

test('a request looks at so many events, and says where to go on', async () => {
  const { webhookId } = await newWebhook(t, receiver.origin, { eventTypes: ['lead.*'] })
  await change(webhookId, { enabled: false })
  const missed: string[] = []
  for (let n = 0; n < 5; n++) {
    missed.push(...(await emitEvents(t, 4)))
    await sleep(2)
  }
  await change(webhookId, { enabled: true })
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const range = { scope: 'undelivered', listensTo: ['lead.*'], eventTypes: undefined } as const
  const to = new Date(Date.now() + 60_000).toISOString()
  const answers: { replayed: number; continueFrom: string | null }[] = []
  for (let from: string | null = new Date(Date.now() - 3_600_000).toISOString(); from !== null; ) {
    const behind: string = from
    const answer = await t.app.services.db.inTenant(scope, tx =>
      replayRange(
        tx,
        scope,
        webhookId,
        { ...range, from: behind, to },
        { pageEvents: 15, maxPages: answers.length + 1 },
      ),
    )
    answers.push(answer)
    from = answer.continueFrom
  }
  assert.ok(answers.length > 1 && answers.length < 20, JSON.stringify(answers))
  assert.equal(answers.reduce((sum, { replayed }) => sum + replayed, 0) >= missed.length, true)
  await until(() => missed.every(id => receiver.ids().includes(id)))
})

test('a replay in several steps leaves out no event that was recorded before one with an earlier id', async () => {
  const { webhookId } = await newWebhook(t, receiver.origin, { eventTypes: ['lead.*'] })
  await change(webhookId, { enabled: false })
  const startedMs = Date.now()
  const missed = await emitEvents(t, 7)
  // Transactions that waited, and other nodes: what began first is recorded last.
  await t.ownerSql(
    `update events e set at = to_timestamp($1) - m.n * interval '50 milliseconds'
     from unnest($2::text[]) with ordinality as m (id, n) where e.id = m.id`,
    [startedMs / 1_000 + 1, missed],
  )
  await change(webhookId, { enabled: true })
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const range = { scope: 'undelivered', listensTo: ['lead.*'], eventTypes: undefined } as const
  const to = new Date(startedMs + 60_000).toISOString()
  let from: string | null = new Date(startedMs - 1).toISOString()
  let steps = 0
  for (; from !== null && steps < 20; steps++) {
    const step: typeof range & { from: string; to: string } = { ...range, from, to }
    const answer: { continueFrom: string | null } = await t.app.services.db.inTenant(scope, tx =>
      replayRange(tx, scope, webhookId, step, { most: 2 }),
    )
    from = answer.continueFrom
  }
  assert.ok(steps >= 4 && from === null, `${steps} steps`)
  await until(() => missed.every(id => receiver.ids().includes(id)))
})

test('failed deliveries of a time are replayed, with a new round of attempts', async () => {
  receiver.answer = ({ body }, response) => void response.writeHead(body.includes('call.') ? 410 : 204).end()
  const { webhookId } = await newWebhook(t, receiver.origin)
  const from = new Date().toISOString()
  const ids = await emitEvents(t, [{ type: 'call.busy' }])
  await until(async () => (await get(webhookId)).enabled === false)
  await change(webhookId, { enabled: true })
  receiver.answer = answering(204)
  const to = new Date(Date.now() + 60_000).toISOString()
  assert.equal((await replay(webhookId, { from, to, scope: 'failed' })).replayed, 1)
  await until(async () => (await deliveryOf(t, deliveryIdOf(ids[0] as string, webhookId))).status === 'delivered')
})

test('what waits for a later attempt is sent at once by a replay of its time, and only once', async () => {
  receiver.answer = answering(500)
  const { webhookId } = await newWebhook(t, receiver.origin)
  const from = new Date().toISOString()
  const ids = await emitEvents(t, 3)
  const tried = (times: number) => async () => {
    const rows: { attempts: number }[] = await deliveriesOf(t, webhookId)
    return rows.length === 3 && rows.every(({ attempts }) => attempts === times)
  }
  await until(tried(1))
  t.clock.advance(10_000)
  await until(tried(2))
  receiver.answer = answering(204)
  receiver.received.length = 0
  const to = new Date(Date.now() + 60_000).toISOString()
  assert.equal((await replay(webhookId, { from, to, scope: 'failed' })).replayed, 3)
  await settled(webhookId, 3)
  t.clock.advance(3_600_000)
  await until(async () => (await t.sql('select from webhook_jobs')).length === 0)
  assert.deepEqual(receiver.ids().sort(), ids.toSorted())
  t.clock.advance(-3_610_000)
})

test('a replay names either a delivery or a time', async () => {
  const { webhookId } = await newWebhook(t, receiver.origin)
  const post = (body: object) => t.call('POST', `/v2/webhooks/${webhookId}/replay`, { as: as(), body })
  const time = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
  for (const body of [
    { deliveryId: 'dlv_01k9r7d3w24b1f0c7e9d2a6835', ...time },
    { from: time.from },
    { scope: 'all' },
    { from: time.to, to: time.from },
    {},
  ])
    assert.equal((await post(body)).json.error.code, 'validation_failed', JSON.stringify(body))
  assert.equal((await post({ deliveryId: 'dlv_01k9r7d3w24b1f0c7e9d2a6835' })).status, 404)
})

test('what waits when a webhook is disabled is sent when it is enabled again', async () => {
  receiver.answer = answering(500)
  const { webhookId } = await newWebhook(t, receiver.origin)
  const ids = await emitEvents(t, 3)
  await until(async () => (await deliveriesOf(t, webhookId)).every((row: { attempts: number }) => row.attempts === 1))
  await change(webhookId, { enabled: false })
  t.clock.advance(3_600_000)
  receiver.answer = answering(204)
  receiver.received.length = 0
  await emitEvents(t)
  await until(async () => (await t.sql('select from webhook_lanes where lease_token is not null')).length === 0)
  assert.equal((await get(webhookId)).waiting, 3)
  await change(webhookId, { enabled: true })
  await settled(webhookId, 3)
  assert.deepEqual(receiver.ids().sort(), ids)
  t.clock.advance(-3_600_000)
})
