// Deliveries as receivers meet them: signed, tried again by the plan, ended by what the receiver says, and logged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { assertDocumented } from '../../../test/documented_request.ts'
import {
  answering,
  deliveriesOf,
  deliveryOf,
  emitEvents,
  mailsAbout,
  newWebhook,
  type Received,
  startReceiver,
  startSender,
  startWebhookTest,
  until,
} from '../../../test/webhooks.ts'
import { deliveryIdOf } from './delivery_id.ts'
import { writeDueMails } from './mails.ts'
import { retryDelaysMs } from './rules.ts'
import { sentEvent } from './sent_event.ts'

const running = await startWebhookTest()
const { t, receiver } = running

const verify = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers)

const settled = (webhookId: string, count = 1) =>
  until(async () => {
    const list = await deliveriesOf(t, webhookId, '?limit=200')
    return list.filter((row: { status: string }) => row.status !== 'pending').length >= count
  }, `${count} settled deliveries`)

test('an event arrives signed, in the documented form, and is logged', async () => {
  receiver.answer = answering(200, {}, 'thank you')
  const { webhookId, secret } = await newWebhook(t, `${receiver.origin}/hooks?a=b`)
  const [eventId = ''] = await emitEvents(t, [
    { type: 'lead.created', resourceId: 12, sequence: 7, data: { name: 'Zoë 🦊' } },
  ])
  await settled(webhookId)
  const [request] = receiver.received as [Received]
  assert.equal(request.path, '/hooks?a=b')
  const { timestamp, ...rest } = verify(secret, request) as Record<string, unknown>
  assert.match(timestamp as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, {
    id: eventId,
    type: 'lead.created',
    apiVersion: 'v2',
    livemode: true,
    organizationId: t.main.organizationId,
    sequence: 7,
    data: { name: 'Zoë 🦊' },
  })
  assertDocumented(sentEvent, JSON.parse(request.body))
  assert.equal(request.headers['webhook-id'], eventId)
  assert.equal(request.headers['content-type'], 'application/json')
  assert.equal(request.headers['user-agent'], 'Tandem-Webhooks/1.0')
  assert.equal(request.headers['accept-encoding'], 'identity')
  assert.equal(request.headers['content-length'], String(Buffer.byteLength(request.body)))
  assert.throws(() => verify(secret, { ...request, body: request.body.replace('Zoë', 'Zoe') }))

  const delivery = await deliveryOf(t, deliveryIdOf(eventId, webhookId))
  assert.equal(delivery.status, 'delivered')
  assert.equal(delivery.eventId, eventId)
  assert.equal(delivery.attempts, 1)
  assert.deepEqual(delivery.payload, JSON.parse(request.body))
  const [attempt] = delivery.attemptLog
  assert.equal(attempt.status, 200)
  assert.equal(attempt.reply, 'thank you')
  assert.equal(attempt.requestHeaders['webhook-timestamp'], request.headers['webhook-timestamp'])
  assert.ok(!JSON.stringify(delivery).includes('v1,'), 'the log shows no signature')
})

test('a webhook hears of the types it asked for and of nothing else', async () => {
  const some = await newWebhook(t, `${receiver.origin}/some`, { eventTypes: ['message.*', 'lead.created'] })
  const all = await newWebhook(t, `${receiver.origin}/all`)
  const ids = await emitEvents(t, [
    { type: 'lead.created' },
    { type: 'lead.updated' },
    { type: 'message.sent' },
    { type: 'message.received' },
    { type: 'call.ringing' },
  ])
  await settled(all.webhookId, 5)
  await settled(some.webhookId, 3)
  assert.deepEqual(receiver.ids('/all').sort(), ids)
  assert.deepEqual(receiver.ids('/some').sort(), [ids[0], ids[2], ids[3]])
})

test('during a rotation both secrets sign; without an overlap only the new one does', async () => {
  const { webhookId, secret: first } = await newWebhook(t, receiver.origin)
  const path = `/v2/webhooks/${webhookId}`
  const as = t.main.liveKey
  const rotate = async (overlapSeconds?: number) => {
    const rotateSecret = overlapSeconds === undefined ? {} : { overlapSeconds }
    return (await t.call('PATCH', path, { as, body: { rotateSecret } })).json.data
  }
  const next = async () => {
    receiver.received.length = 0
    await emitEvents(t)
    await until(() => receiver.received.length === 1)
    // A lane learns of new secrets within a second: let it be given back.
    await until(async () => (await t.sql('select from webhook_lanes where lease_token is not null')).length === 0)
    return receiver.received[0] as Received
  }
  const { secret: second, previousSecretUntil } = await rotate()
  assert.ok(Math.abs(Date.parse(previousSecretUntil) - Date.now() - 24 * 3_600_000) < 60_000)
  const both = await next()
  verify(first, both)
  verify(second, both)
  assert.equal(both.headers['webhook-signature']?.split(' ').length, 2)

  t.clock.advance(25 * 3_600_000)
  const later = await next()
  assert.equal(later.headers['webhook-signature']?.split(' ').length, 1)
  t.clock.advance(-25 * 3_600_000)

  const { secret: third, previousSecretUntil: none } = await rotate(0)
  assert.equal(none, null)
  const alone = await next()
  verify(third, alone)
  assert.throws(() => verify(second, alone))
  const { json } = await t.call('GET', path, { as })
  assert.equal(json.data.secret, undefined)
})

test('a lane that waits for events signs the next one with the secret of then', async () => {
  const { webhookId, secret: first } = await newWebhook(t, receiver.origin)
  const patient = startSender(t, { lingerMs: 5_000 })
  await running.sender?.stop()
  try {
    await emitEvents(t)
    await until(() => receiver.received.length === 1)
    await sleep(100)
    const body = { rotateSecret: { overlapSeconds: 0 } }
    const { json } = await t.call('PATCH', `/v2/webhooks/${webhookId}`, { as: t.main.liveKey, body })
    await emitEvents(t)
    await until(() => receiver.received.length === 2)
    verify(first, receiver.received[0] as Received)
    verify(json.data.secret, receiver.received[1] as Received)
  } finally {
    await patient.stop()
    running.sender = startSender(t)
  }
})

test('ten attempts by the plan with the same id and body, each with a new signature; then it has failed', async () => {
  receiver.answer = answering(500, {}, 'no')
  // Not those of the mails about its failing.
  const { webhookId, secret } = await newWebhook(t, receiver.origin, { eventTypes: ['lead.*'] })
  const [eventId = ''] = await emitEvents(t)
  const id = deliveryIdOf(eventId, webhookId)
  for (let attempt = 1; attempt <= 10; attempt++) {
    await until(async () => (await deliveryOf(t, id)).attempts === attempt, `attempt ${attempt}`)
    const delivery = await deliveryOf(t, id)
    if (attempt === 10) {
      assert.equal(delivery.status, 'failed')
      assert.equal(delivery.nextAttemptAt, null)
      break
    }
    assert.equal(delivery.status, 'pending')
    const planned = retryDelaysMs[attempt] as number
    const waitMs = Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.lastAttemptAt)
    assert.ok(waitMs >= planned * 0.8 && waitMs <= planned * 1.2 + 2_000, `attempt ${attempt + 1} after ${waitMs} ms`)
    t.clock.advance(planned * 0.8 - 2_500)
    const before = receiver.received.length
    t.clock.advance(planned * 0.4 + 4_000)
    assert.equal(receiver.received.length, before)
  }
  assert.equal(receiver.received.length, 10)
  assert.deepEqual(new Set(receiver.ids()), new Set([eventId]))
  assert.equal(new Set(receiver.received.map(request => request.body)).size, 1)
  const stamps = receiver.received.map(request => Number(request.headers['webhook-timestamp']))
  assert.ok((stamps[9] as number) - (stamps[0] as number) > 70 * 3600)
  assert.equal(new Set(receiver.received.map(request => request.headers['webhook-signature'])).size, 10)
  const last = receiver.received[9] as Received
  const lag = Date.now() / 1000 - (stamps[9] as number)
  assert.throws(() => verify(secret, last), lag < -300 ? /timestamp/ : /./)
  const { attemptLog } = await deliveryOf(t, id)
  assert.deepEqual(
    attemptLog.map((entry: { attempt: number }) => entry.attempt),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
})

test('Retry-After puts off the next attempt, up to twice the plan', async () => {
  const seconds = ['8', '3600', '1']
  receiver.answer = ({ path }, response) =>
    void response.writeHead(503, { 'retry-after': seconds[Number(path.slice(1))] as string }).end()
  const waits: number[] = []
  for (const index of seconds.keys()) {
    const { webhookId } = await newWebhook(t, `${receiver.origin}/${index}`, {
      eventTypes: [`${['lead', 'call', 'invoice'][index]}.*`],
    })
    const [eventId = ''] = await emitEvents(t, [
      { type: (['lead.created', 'call.ringing', 'invoice.paid'] as const)[index]! },
    ])
    const id = deliveryIdOf(eventId, webhookId)
    await until(async () => (await deliveryOf(t, id)).attempts === 1)
    const { lastAttemptAt, nextAttemptAt } = await deliveryOf(t, id)
    waits.push((Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt)) / 1000)
  }
  assert.ok(waits[0]! >= 8 && waits[0]! < 9.5, `asked for 8 s: ${waits[0]}`)
  assert.ok(waits[1]! >= 10 && waits[1]! < 11.5, `asked for an hour, twice the plan is 10 s: ${waits[1]}`)
  assert.ok(waits[2]! >= 4 && waits[2]! < 7.5, `asked for 1 s, less than the plan: ${waits[2]}`)
})

test('redirects are failures and are not followed; other 2xx are successes', async () => {
  const other = await startReceiver()
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = answering(status, { location: `${other.origin}/elsewhere` })
      const { webhookId } = await newWebhook(t, `${receiver.origin}/${status}`)
      const [eventId = ''] = await emitEvents(t)
      const id = deliveryIdOf(eventId, webhookId)
      await until(async () => (await deliveryOf(t, id)).attempts === 1)
      const delivery = await deliveryOf(t, id)
      assert.equal(delivery.status, 'pending')
      assert.equal(delivery.lastStatus, status)
      await t.call('DELETE', `/v2/webhooks/${webhookId}`, { as: t.main.liveKey })
    }
    assert.equal(other.received.length, 0)
    for (const status of [200, 201, 202, 204, 299]) {
      receiver.answer = answering(status)
      const { webhookId } = await newWebhook(t, `${receiver.origin}/${status}`)
      const [eventId = ''] = await emitEvents(t)
      await settled(webhookId)
      assert.equal((await deliveryOf(t, deliveryIdOf(eventId, webhookId))).status, 'delivered')
      await t.call('DELETE', `/v2/webhooks/${webhookId}`, { as: t.main.liveKey })
    }
  } finally {
    await other.close()
  }
})

test('a giant reply is read no further than 64 KiB and kept no further than 4 KiB', async () => {
  let sent = 0
  receiver.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const chunk = Buffer.alloc(65_536, 'é')
    const more = () => {
      while (!response.destroyed && sent < 1 << 30 && response.write(chunk)) sent += chunk.length
    }
    response.on('drain', more)
    more()
  }
  const { webhookId } = await newWebhook(t, receiver.origin)
  const [eventId = ''] = await emitEvents(t)
  await settled(webhookId)
  const delivery = await deliveryOf(t, deliveryIdOf(eventId, webhookId))
  assert.equal(delivery.status, 'delivered')
  assert.equal(delivery.attemptLog[0].reply, 'é'.repeat(2048))
  assert.ok(sent < 50_000_000, `the receiver could write ${sent} bytes`)
})

test('replies that are no text, or come packed, are not kept', async () => {
  for (const [headers, body] of [
    [{}, Buffer.from([0xff, 0xfe, 0x00])],
    [{}, Buffer.from('a\0b')],
    [{ 'content-encoding': 'gzip' }, Buffer.from('not really gzip')],
  ] as const) {
    receiver.answer = (_request, response) => void response.writeHead(500, headers).end(body)
    const { webhookId } = await newWebhook(t, receiver.origin)
    const [eventId = ''] = await emitEvents(t)
    const id = deliveryIdOf(eventId, webhookId)
    await until(async () => (await deliveryOf(t, id)).attempts === 1)
    const [attempt] = (await deliveryOf(t, id)).attemptLog
    assert.equal(attempt.status, 500)
    assert.equal(attempt.reply, null)
    await t.call('DELETE', `/v2/webhooks/${webhookId}`, { as: t.main.liveKey })
  }
})

test('410 of an address that a webhook was moved from disables nothing, and the event goes to the new one', async () => {
  const moving = Promise.withResolvers<void>()
  receiver.answer = async ({ path }, response) => {
    if (path === '/old') await moving.promise
    response.writeHead(path === '/old' ? 410 : 204).end()
  }
  const { webhookId } = await newWebhook(t, `${receiver.origin}/old`)
  const [eventId = ''] = await emitEvents(t)
  await until(() => receiver.ids('/old').length === 1, 'the call')
  const body = { url: `${receiver.origin}/new` }
  const moved = await t.call('PATCH', `/v2/webhooks/${webhookId}`, { as: t.main.liveKey, body })
  assert.equal(moved.status, 200, moved.text)
  moving.resolve()
  await until(() => receiver.ids('/new').includes(eventId), 'the event at the new address')
  const { json } = await t.call('GET', `/v2/webhooks/${webhookId}`, { as: t.main.liveKey })
  assert.equal(json.data.enabled, true)
})

test('410 disables the webhook at once and emits an event for the others', async () => {
  receiver.answer = ({ path }, response) => void response.writeHead(path.startsWith('/gone') ? 410 : 204).end()
  const gone = await newWebhook(t, `${receiver.origin}/gone`)
  await newWebhook(t, `${receiver.origin}/watch`, { eventTypes: ['webhook.*'] })
  const [eventId = ''] = await emitEvents(t)
  await until(() => receiver.ids('/watch').length === 1, 'the notice')
  const { json } = await t.call('GET', `/v2/webhooks/${gone.webhookId}`, { as: t.main.liveKey })
  assert.equal(json.data.enabled, false)
  assert.equal(json.data.disabledReason, 'gone')
  assert.equal(json.data.health, 'disabled')
  assert.equal((await deliveryOf(t, deliveryIdOf(eventId, gone.webhookId))).status, 'failed')
  const notice = JSON.parse(receiver.received.find(request => request.path === '/watch')!.body)
  assert.equal(notice.type, 'webhook.disabled')
  assert.equal(notice.data.webhookId, gone.webhookId)
  assert.equal(notice.data.disabledReason, 'gone')
  assert.ok(!JSON.stringify(notice).includes('whsec_'))
  await writeDueMails(t.app.services)
  const [mail, ...others] = await mailsAbout(t, '/gone')
  assert.deepEqual([mail?.to, mail?.subject, others], [t.main.users.Admin.email, 'A webhook was disabled', []])
  assert.match(mail!.text, /its server answered that it is gone/)
  await emitEvents(t)
  assert.equal(receiver.ids('/gone').length, 1)
})

test('a webhook of the test mode is written about in live mode, which is the one that sends', async () => {
  receiver.answer = answering(410)
  const as = t.main.testKey
  const { webhookId } = await newWebhook(t, `${receiver.origin}/test-gone`, { as, eventTypes: ['company.created'] })
  const { status, text } = await t.call('POST', '/v1/api/companies', { as, body: { name: 'Nimbus Ltd' } })
  assert.equal(status, 201, text)
  const isOn = async () => (await t.call('GET', `/v2/webhooks/${webhookId}`, { as })).json.data.enabled
  await until(async () => !(await isOn()), 'the end')
  await writeDueMails(t.app.services)
  const [mail] = await mailsAbout(t, '/test-gone')
  assert.match(mail!.text, /this webhook was disabled[\s\S]*test mode, because its server answered that it is gone/)
  const tenants = await t.ownerSql<{ tenant: number }>(
    "select distinct tenant_id::float8 as tenant from mails where template = 'webhook_disabled'",
  )
  assert.deepEqual(tenants, [{ tenant: t.main.liveTenantId }])
})
