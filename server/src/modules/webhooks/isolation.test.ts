// What must hold when things go wrong: one receiver's trouble is no other's, a worker may die at any moment, several work
// side by side, and nothing is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answering,
  deliveriesOf,
  deliveryOf,
  emitEvents,
  newWebhook,
  startReceiver,
  startSender,
  startWebhookTest,
  until,
} from '../../../test/webhooks.ts'
import { deliveryIdOf } from './delivery_id.ts'

const { t, receiver } = await startWebhookTest({ sender: false })

async function webhookOf(webhookId: string) {
  return (await t.call('GET', `/v2/webhooks/${webhookId}`, { as: t.main.liveKey })).json.data
}

test('a dead and a slow receiver hold up nobody else', async () => {
  const dead = await startReceiver()
  const { origin: deadOrigin } = dead
  await dead.close()
  const held: (() => void)[] = []
  receiver.answer = ({ path }, response) => {
    if (path.startsWith('/slow')) held.push(() => response.writeHead(204).end())
    else response.writeHead(204).end()
  }
  const slow = await newWebhook(t, `${receiver.origin}/slow`, { eventTypes: ['lead.*'] })
  const gone = await newWebhook(t, `${deadOrigin}/dead`, { eventTypes: ['lead.*'] })
  await emitEvents(t, 200)
  const sender = startSender(t)
  try {
    await until(() => held.length === 10, 'the slow one is busy')
    const healthy = await newWebhook(t, `${receiver.origin}/healthy`, { eventTypes: ['call.*'] })
    const ids = await emitEvents(
      t,
      Array.from({ length: 200 }, () => ({ type: 'call.ringing' })),
    )
    await until(() => receiver.ids('/healthy').length === 200, 'the healthy one has all')
    assert.deepEqual(receiver.ids('/healthy').sort(), ids)
    // All of them, while the slow one has not answered a single call.
    assert.equal(receiver.ids('/slow').length, 10)
    assert.equal((await webhookOf(healthy.webhookId)).health, 'ok')
    assert.equal((await webhookOf(slow.webhookId)).enabled, true)
    await until(async () => (await webhookOf(gone.webhookId)).health === 'probing', 'the dead one is probed only')
    const { failuresInRow, waiting, lastError } = await webhookOf(gone.webhookId)
    assert.ok(failuresInRow >= 20 && failuresInRow < 40, `${failuresInRow} failures`)
    assert.equal(lastError, 'connection_refused')
    assert.equal(waiting, 200, 'what was not delivered is stored')
    receiver.answer = answering(204)
    for (const release of held) release()
    await until(() => new Set(receiver.ids('/slow')).size === 200, 'the slow one has all')
  } finally {
    await sender.stop()
  }
})

test('a receiver that is probed gets one attempt at a time, each a minute after the other in the end, and everything once it is back', async () => {
  receiver.answer = answering(500)
  const { webhookId } = await newWebhook(t, receiver.origin)
  const ids = await emitEvents(t, 100)
  const sender = startSender(t)
  try {
    await until(async () => (await webhookOf(webhookId)).health === 'probing')
    await until(async () => (await t.sql('select from webhook_lanes where lease_token is not null')).length === 0)
    const probed = receiver.received.length
    assert.ok(probed >= 20 && probed <= 30 + 5, `${probed} attempts before it was probed only`)
    // From now on it has been failing for more than a minute.
    t.clock.advance(61_000)
    await until(() => receiver.received.length > probed)
    await until(async () => (await t.sql('select from webhook_lanes where lease_token is not null')).length === 0)
    const before = receiver.received.length
    for (let probe = 1; probe <= 2; probe++) {
      t.clock.advance(61_000)
      await until(() => receiver.received.length === before + probe, `probe ${probe}`)
      await until(async () => (await t.sql('select from webhook_lanes where lease_token is not null')).length === 0)
      assert.equal(receiver.received.length, before + probe)
    }
    receiver.answer = answering(204)
    receiver.received.length = 0
    t.clock.advance(61_000)
    // Those that were tried wait for their next attempt, the others come at once.
    t.clock.advance(600_000)
    await until(() => new Set(receiver.ids()).size === 100, 'all are delivered')
    assert.deepEqual([...new Set(receiver.ids())].sort(), ids)
    await until(async () => (await webhookOf(webhookId)).health === 'ok')
    assert.ok(receiver.most <= 50)
  } finally {
    await sender.stop()
    t.clock.advance(-61_000 * 4 - 600_000)
  }
})

test('a webhook gets as many calls at once as were granted it, and a tenant a hundred, over all workers', async () => {
  let underWay = 0
  let most = 0
  const perPath = new Map<string, number>()
  let maxOfOne = 0
  receiver.answer = async ({ path }, response) => {
    most = Math.max(most, ++underWay)
    perPath.set(path, (perPath.get(path) ?? 0) + 1)
    maxOfOne = Math.max(maxOfOne, perPath.get(path) as number)
    await sleep(30)
    underWay--
    perPath.set(path, (perPath.get(path) as number) - 1)
    response.writeHead(204).end()
  }
  for (let n = 0; n < 12; n++) await newWebhook(t, `${receiver.origin}/${n}`)
  await t.ownerSql('update webhook_lanes set concurrency = 50')
  await emitEvents(t, 150)
  // No lease ends meanwhile: the next one of a receiver that answered quickly is for more.
  const senders = [1, 2, 3].map(() => startSender(t, { tenureMs: 300_000 }))
  try {
    await until(() => receiver.received.length >= 12 * 150, 'all are delivered')
    assert.equal(receiver.received.length, 12 * 150, 'none twice')
    assert.ok(most <= 100, `${most} at once`)
    assert.ok(most > 50, `only ${most} at once`)
    // They share what the tenant has; while one is alone it gets no more than ten, as none has proved quick yet.
    assert.ok(maxOfOne <= 10, `${maxOfOne} at once to one`)
  } finally {
    for (const sender of senders) await sender.stop()
  }
})

test('a receiver that answers quickly gets more calls at once, lease by lease', async () => {
  await newWebhook(t, receiver.origin)
  receiver.answer = (_request, response) => void setTimeout(() => response.writeHead(204).end(), 20)
  receiver.most = 0
  await emitEvents(t, 600)
  const sender = startSender(t, { tenureMs: 500 })
  try {
    await until(() => receiver.received.length >= 600, 'all are delivered')
    assert.equal(new Set(receiver.ids()).size, 600)
    assert.ok(receiver.most > 10, `${receiver.most} at once`)
    assert.ok(receiver.most <= 50, `${receiver.most} at once`)
  } finally {
    await sender.stop()
  }
})

test('a receiver that says it is overloaded is asked less', async () => {
  receiver.answer = answering(429)
  const { webhookId } = await newWebhook(t, receiver.origin)
  await emitEvents(t, 60)
  const sender = startSender(t)
  try {
    await until(() => receiver.received.length >= 10)
    await until(async () => (await webhookOf(webhookId)).failuresInRow >= 10)
    const [lane] = await t.sql<{ concurrency: number; rests: boolean }>(
      'select concurrency, resume_at is not null as rests from webhook_lanes',
    )
    assert.equal(lane?.concurrency, 1)
    assert.equal(lane.rests, true)
  } finally {
    await sender.stop()
  }
})

test('a killed worker: its lease ends, another delivers the rest with the same ids, and what was written is not repeated', async () => {
  const holding: (() => void)[] = []
  receiver.answer = (_request, response) => {
    if (receiver.received.length <= 30) return void response.writeHead(204).end()
    holding.push(() => response.writeHead(204).end())
  }
  const { webhookId } = await newWebhook(t, receiver.origin)
  const ids = await emitEvents(t, 60)
  const first = startSender(t, { leaseSeconds: 2 })
  await until(() => holding.length === 10, 'ten calls hang')
  await until(async () => (await deliveriesOf(t, webhookId, '?status=delivered&limit=200')).length === 30)
  first.kill()
  for (const release of holding) release()
  receiver.answer = answering(204)
  const second = startSender(t, { leaseSeconds: 2 })
  try {
    await until(
      async () => (await deliveriesOf(t, webhookId, '?status=delivered&limit=200')).length === 60,
      'the rest is delivered',
    )
    assert.deepEqual([...new Set(receiver.ids())].sort(), ids, 'none is lost, and none has a new id')
    const counts = Map.groupBy(receiver.ids(), id => id)
    const twice = [...counts.values()].filter(list => list.length > 1)
    assert.equal(twice.length, 10, 'only what was under way came twice')
    assert.equal(receiver.received.length, 70)
    assert.deepEqual(await t.sql('select * from webhook_jobs'), [])
  } finally {
    await second.stop()
    await first.stop()
  }
})

test('a worker that stops ends what is under way, and leaves the rest to others at once', async () => {
  receiver.answer = async (_request, response) => {
    await sleep(100)
    response.writeHead(204).end()
  }
  await newWebhook(t, receiver.origin)
  await emitEvents(t, 100)
  const first = startSender(t)
  await until(() => receiver.received.length >= 15)
  await first.stop()
  const before = receiver.received.length
  assert.ok(before < 60, `${before} were sent while stopping`)
  assert.deepEqual(await t.sql('select id from webhook_lanes where lease_token is not null'), [])
  const second = startSender(t)
  try {
    await until(() => receiver.received.length === 100)
    await until(async () => (await t.sql('select from webhook_jobs')).length === 0)
    assert.equal(new Set(receiver.ids()).size, 100)
    assert.equal(receiver.received.length, 100, 'none twice')
  } finally {
    await second.stop()
  }
})

test('a receiver that never answers costs its own attempt only: the worker stops in time, and it is tried again', async () => {
  receiver.answer = () => {}
  const { webhookId } = await newWebhook(t, receiver.origin)
  const [eventId = ''] = await emitEvents(t)
  const first = startSender(t, { graceMs: 300 })
  await until(() => receiver.received.length === 1)
  await first.stop()
  const delivery = await deliveryOf(t, deliveryIdOf(eventId, webhookId))
  assert.equal(delivery.attempts, 0, 'an attempt that was cut short by us is not held against the receiver')
  receiver.answer = answering(204)
  const second = startSender(t)
  try {
    await until(() => receiver.received.length === 2)
    await until(async () => (await deliveryOf(t, delivery.deliveryId)).status === 'delivered')
  } finally {
    await second.stop()
  }
})

test('a connection that dies half-way is a failed attempt, with a word for it', async () => {
  receiver.answer = (_request, _response, raw) => void raw.socket.destroy()
  const { webhookId } = await newWebhook(t, receiver.origin)
  const [eventId = ''] = await emitEvents(t)
  const sender = startSender(t)
  try {
    const id = deliveryIdOf(eventId, webhookId)
    await until(async () => (await deliveryOf(t, id)).attempts === 1)
    assert.equal((await deliveryOf(t, id)).lastError, 'reset')
    receiver.answer = (_request, response, raw) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setTimeout(() => raw.socket.destroy(), 20)
    }
    t.clock.advance(7_000)
    await until(async () => (await deliveryOf(t, id)).attempts === 2)
    // The receiver has said that it took it.
    const delivery = await deliveryOf(t, id)
    assert.equal(delivery.status, 'delivered')
    assert.equal(delivery.attemptLog[1].reply, 'half')
  } finally {
    await sender.stop()
    t.clock.advance(-7_000)
  }
})

test('the outcome of a worker whose lease was lost is not written', async () => {
  let release = () => {}
  receiver.answer = (_request, response) => {
    release = () => response.writeHead(204).end()
  }
  const { webhookId } = await newWebhook(t, receiver.origin)
  const [eventId = ''] = await emitEvents(t)
  const sender = startSender(t)
  try {
    await until(() => receiver.received.length === 1)
    await t.sql("update webhook_lanes set lease_token = 'lse_another', leased_until = now() + interval '1 minute'")
    release()
    await sleep(300)
    const delivery = await deliveryOf(t, deliveryIdOf(eventId, webhookId))
    assert.equal(delivery.status, 'pending')
    assert.equal(delivery.attempts, 0)
    assert.equal((await t.sql('select from webhook_jobs')).length, 1)
    receiver.answer = answering(204)
    await t.sql("update webhook_lanes set leased_until = now() - interval '1 second'")
    await until(async () => (await deliveryOf(t, deliveryIdOf(eventId, webhookId))).status === 'delivered')
  } finally {
    await sender.stop()
  }
})

test('events that are rolled back are sent to nobody', async () => {
  await newWebhook(t, receiver.origin)
  const { emit } = await import('../../kernel/data/events.ts')
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  await assert.rejects(
    t.app.services.db.inTenant(scope, async tx => {
      await emit(tx, scope, { type: 'lead.created', resourceId: 1, sequence: 1, data: {} })
      throw new Error('no')
    }),
  )
  const ids = await emitEvents(t)
  const sender = startSender(t)
  try {
    await until(() => receiver.received.length === 1)
    assert.deepEqual(receiver.ids(), ids)
  } finally {
    await sender.stop()
  }
})
