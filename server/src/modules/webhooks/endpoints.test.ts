// Webhooks over HTTP, and what their owners see and hear: settings, the log of deliveries, notices, callback URLs, and that
// nobody sees what is another's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import {
  answering,
  deliveriesOf,
  deliveryOf,
  emitEvents,
  mailsAbout,
  newWebhook,
  ownerOf,
  type Received,
  startSender,
  startWebhookTest,
  until,
} from '../../../test/webhooks.ts'
import { deliveryIdOf } from './delivery_id.ts'
import { writeDueMails } from './mails.ts'

const running = await startWebhookTest()
const { t, receiver } = running
const { as, change, get, settled } = ownerOf(t)

test('an unknown type is refused with the one that was probably meant', async () => {
  const body = { url: receiver.origin, eventTypes: ['lead.created', 'mesage.deliverd', 'cals.*'] }
  const { status, json } = await t.call('POST', '/v2/webhooks', { as: as(), body })
  assert.equal(status, 400)
  assert.deepEqual(json.error.details, [
    {
      field: 'eventTypes[1]',
      code: 'unknown_event_type',
      message: 'is no type of event; did you mean message.delivered?',
    },
    { field: 'eventTypes[2]', code: 'unknown_event_type', message: 'is no type of event; did you mean call.*?' },
  ])
})

test('addresses are kept in their normal form, and bad ones say what is wrong with them', async () => {
  const { webhookId } = await newWebhook(t, 'HTTPS://Example.COM:443/a/../b')
  assert.equal((await get(webhookId)).url, 'https://example.com/b')
  for (const [url, code] of [
    ['ftp://example.com/', 'scheme_not_allowed'],
    ['https://10.0.0.1/', 'address_not_allowed'],
    ['https://u:p@example.com/', 'credentials_in_url'],
    ['https://example.com:22/', 'port_not_allowed'],
    ['nonsense', 'not_a_url'],
  ]) {
    const { status, json } = await t.call('POST', '/v2/webhooks', { as: as(), body: { url } })
    assert.equal(status, 422)
    assert.equal(json.error.details[0].code, code)
    assert.match(json.error.message, /^url /)
    assert.equal((await change(webhookId, { url })).json.error.code, 'invalid_webhook_url')
  }
})

test('a mode of an organization has a hundred webhooks, and not one more', async () => {
  await t.ownerSql(
    `insert into webhook_endpoints (tenant_id, id, url, secret)
     select $1, 'whk_' || lpad(n::text, 26, '0'), 'https://example.com/', '' from generate_series(1, 99) n`,
    [t.other.testTenantId],
  )
  const body = { url: 'https://example.com/' }
  const create = () => t.call('POST', '/v2/webhooks', { as: t.other.testKey, body })
  assert.equal((await create()).status, 201)
  const { status, json } = await create()
  assert.deepEqual([status, json.error.code], [409, 'webhook_limit_reached'])
})

test('the secret is in the answer that makes it, and nowhere else', async () => {
  const { webhookId, secret } = await newWebhook(t, 'https://example.com/')
  assert.equal(Buffer.from(secret.replace('whsec_', ''), 'base64').length, 32)
  for (const path of ['/v2/webhooks', `/v2/webhooks/${webhookId}`])
    assert.ok(!(await t.call('GET', path, { as: as() })).text.includes('whsec_'))
  assert.equal((await change(webhookId, { description: 'x' })).json.data.secret, null)
  const { json } = await change(webhookId, { rotateSecret: { overlapSeconds: 0 } })
  assert.notEqual(json.data.secret, secret)
  const rows = await t.sql<{ secret: string }>('select secret from webhook_endpoints')
  assert.ok(rows.every(row => !row.secret.includes(json.data.secret.slice(6))))
  const logs = await t.ownerSql<{ text: string }>(
    "select coalesce(response, '') || coalesce(body, '') as text from request_details",
  )
  assert.ok(logs.every(row => !row.text.includes(secret)))
})

test('nothing happens with a webhook of another organization or mode', async () => {
  const { webhookId } = await newWebhook(t, `${receiver.origin}/main`)
  await newWebhook(t, `${receiver.origin}/other`, { organization: t.other })
  await newWebhook(t, `${receiver.origin}/test`, { as: t.main.testKey })
  const own = await emitEvents(t, 3)
  const foreign = await emitEvents(t, 2, t.other)
  await until(() => receiver.received.length === 5)
  assert.deepEqual(receiver.ids('/main').sort(), own)
  assert.deepEqual(receiver.ids('/other').sort(), foreign)
  assert.deepEqual(receiver.ids('/test'), [])
  const deliveryId = deliveryIdOf(own[0] as string, webhookId)
  for (const key of [t.other.liveKey, t.main.testKey]) {
    for (const path of [`${webhookId}`, `${webhookId}/deliveries`, `deliveries/${deliveryId}`])
      assert.equal((await t.call('GET', `/v2/webhooks/${path}`, { as: key })).status, 404, path)
    for (const action of ['test', 'replay']) {
      const body = action === 'replay' ? { deliveryId } : undefined
      const { status } = await t.call('POST', `/v2/webhooks/${webhookId}/${action}`, {
        as: key,
        ...(body === undefined ? {} : { body }),
      })
      assert.equal(status, 404)
    }
    const others = await t.call('POST', '/v2/webhooks/callbacks/replay', { as: key, body: { deliveryId } })
    assert.equal(others.status, 404)
  }
  assert.equal(receiver.received.length, 5)
})

test('a test goes to its webhook alone, at once, whatever it listens to, and is logged', async () => {
  const { webhookId, secret } = await newWebhook(t, `${receiver.origin}/a`, { eventTypes: ['invoice.paid'] })
  await newWebhook(t, `${receiver.origin}/b`)
  const { json, status } = await t.call('POST', `/v2/webhooks/${webhookId}/test`, { as: as() })
  assert.equal(status, 201)
  await until(async () => (await deliveryOf(t, json.data.deliveryId)).status === 'delivered')
  const [request] = receiver.received as [Received]
  const event = new Webhook(secret).verify(request.body, request.headers) as { type: string; id: string; data: object }
  assert.equal(event.type, 'webhook.test')
  assert.equal(event.id, json.data.eventId)
  assert.equal(receiver.ids('/b').length, 0)
})

test('deliveries are listed newest first, filtered and paged, those that wait included', async () => {
  receiver.answer = ({ body }, response) => void response.writeHead(body.includes('lead.deleted') ? 500 : 204).end()
  const { webhookId } = await newWebhook(t, receiver.origin)
  const ids = await emitEvents(
    t,
    Array.from({ length: 12 }, (_, n) => ({
      type: n % 3 === 0 ? 'lead.deleted' : n % 3 === 1 ? 'call.busy' : 'lead.created',
    })),
  )
  await settled(webhookId, 8)
  await until(async () =>
    (await deliveriesOf(t, webhookId, '?status=pending')).every((row: { attempts: number }) => row.attempts === 1),
  )
  await running.sender?.stop()
  const more = await emitEvents(t, 3)
  const listed = async (query: string) =>
    (await deliveriesOf(t, webhookId, query)).map((row: { eventId: string }) => row.eventId)
  const all = [...more].reverse().concat([...ids].reverse())
  assert.deepEqual(await listed('?limit=200'), all)
  assert.deepEqual(
    await listed('?status=delivered'),
    [...ids].reverse().filter((_, n) => (11 - n) % 3 !== 0),
  )
  assert.deepEqual(await listed('?status=failed'), [])
  const pending = await deliveriesOf(t, webhookId, '?status=pending')
  assert.equal(pending.length, 7)
  assert.equal(pending[0].attempts, 0)
  assert.equal(pending[0].nextAttemptAt, null)
  assert.equal(pending[6].attempts, 1)
  assert.equal(pending[6].lastStatus, 500)
  assert.deepEqual(
    await listed('?eventType=call.busy'),
    [...ids].reverse().filter((_, n) => (11 - n) % 3 === 1),
  )
  assert.equal((await listed('?eventType=lead.*')).length, 11)
  assert.deepEqual(await listed(`?eventId=${ids[4]}`), [ids[4]])
  assert.deepEqual(await listed(`?eventId=${more[1]}`), [more[1]])
  const about = async (id: string) => (await deliveryOf(t, deliveryIdOf(id, webhookId))).payload.data.id
  assert.deepEqual(await listed(`?resourceId=${await about(ids[5] as string)}`), [ids[5]])
  assert.deepEqual(await listed(`?resourceId=${await about(more[2] as string)}`), [more[2]], 'also while it waits')
  assert.deepEqual(await listed('?resourceId=msg_01k9r7d3w2v8e6q4n5m1b0c9xz'), [])
  for (const { deliveryId, resourceId } of [pending[0], pending[6]])
    assert.equal(resourceId, String((await deliveryOf(t, deliveryId)).payload.data.id))
  const paged: string[] = []
  let cursor = ''
  do {
    const path = `/v2/webhooks/${webhookId}/deliveries?limit=4${cursor}`
    const { json } = await t.call('GET', path, { as: as() })
    paged.push(...json.data.map((row: { eventId: string }) => row.eventId))
    cursor = json.meta.pagination.nextCursor === null ? '' : `&cursor=${json.meta.pagination.nextCursor}`
  } while (cursor !== '')
  assert.deepEqual(paged, all)
  const waiting = await deliveryOf(t, deliveryIdOf(more[0] as string, webhookId))
  assert.equal(waiting.status, 'pending')
  assert.deepEqual(waiting.attemptLog, [])
  assert.equal(waiting.payload.id, more[0])
  const future = new Date(Date.now() + 60_000).toISOString()
  assert.deepEqual(await listed(`?createdAfter=${future}`), [])
  assert.equal((await listed(`?createdBefore=${future}&limit=200`)).length, 15)
  assert.equal((await get(webhookId)).waiting, 3 + 4)
  running.sender = startSender(t)
})

test('owners hear after 1, 24 and 72 hours of failing; after 120 the webhook is disabled; enabling forgets it all', async () => {
  receiver.answer = ({ path }, response) => void response.writeHead(path === '/dead' ? 500 : 204).end()
  const { webhookId } = await newWebhook(t, `${receiver.origin}/dead`)
  await newWebhook(t, `${receiver.origin}/watch`, { eventTypes: ['webhook.failing', 'webhook.disabled'] })
  const notices = () =>
    receiver.received.filter(request => request.path === '/watch').map(request => JSON.parse(request.body))
  let moved = 0
  const attempt = async (hoursLater = 0) => {
    // Read before the clock moves: then what waits is tried at once.
    const { failuresInRow } = await get(webhookId)
    moved += hoursLater * 3_600_000
    t.clock.advance(hoursLater * 3_600_000)
    await emitEvents(t)
    await until(async () => {
      const now = await get(webhookId)
      return now.failuresInRow > failuresInRow || !now.enabled
    }, 'one more failure')
    await until(async () => (await t.sql('select from webhook_lanes where lease_token is not null')).length === 0)
  }
  await emitEvents(t, 20)
  await until(async () => (await get(webhookId)).failuresInRow >= 20, 'twenty failures')
  await until(async () => (await t.sql('select from webhook_lanes where lease_token is not null')).length === 0)
  assert.deepEqual(notices(), [])
  for (const [hours, sent] of [
    [1.1, 1],
    [0.5, 1],
    [23, 2],
    [48, 3],
  ] as const) {
    await attempt(hours)
    await until(() => notices().length === sent, `notice ${sent}`)
    await writeDueMails(t.app.services)
  }
  assert.deepEqual(
    notices().map(notice => [notice.type, notice.data.webhookId, notice.data.failingForHours]),
    [1, 24, 72].map(hours => ['webhook.failing', webhookId, hours]),
  )
  assert.equal((await get(webhookId)).enabled, true)
  await attempt(48)
  await until(() => notices().length === 4)
  assert.equal(notices()[3].type, 'webhook.disabled')
  const after = await get(webhookId)
  assert.deepEqual([after.enabled, after.disabledReason, after.health], [false, 'failing', 'disabled'])
  assert.deepEqual(
    notices().map(notice => notice.sequence),
    [2, 3, 4, 5],
  )
  // Those who may manage webhooks get mails of them.
  await writeDueMails(t.app.services)
  const mails = await mailsAbout(t, '/dead')
  const subjects = ['1 hour', '24 hours', '72 hours'].map(time => `A webhook has been failing for ${time}`)
  assert.deepEqual(
    mails.map(mail => [mail.to, mail.subject]),
    [...subjects, 'A webhook was disabled'].map(subject => [t.main.users.Admin.email, subject]),
  )
  for (const { text } of mails)
    assert.match(text, new RegExp(`this webhook[^]*${receiver.origin}/dead\nlive mode,[^?]*$`))
  assert.match(mails[0]!.text, new RegExp(`disabled on ${notices()[0].data.disablesAt.slice(0, 10)}`))
  assert.match(mails[3]!.text, /no event has reached it for five days/)
  // None of them went to the webhook they are about.
  const types = receiver.received
    .filter(request => request.path === '/dead')
    .map(request => JSON.parse(request.body).type)
  assert.ok(types.every(type => !type.startsWith('webhook.')))

  receiver.answer = answering(204)
  await change(webhookId, { enabled: true })
  const fresh = await get(webhookId)
  assert.deepEqual([fresh.health, fresh.failuresInRow, fresh.failingSince], ['ok', 0, null])
  await until(async () => (await get(webhookId)).waiting === 0)
  t.clock.advance(-moved)
})

test('a callbackUrl hears of its own resource, signed with the secret of callbacks', async () => {
  const secretOf = async () => (await t.call('GET', '/v2/webhooks/signing-secret', { as: as() })).json.data.secret
  const first = await secretOf()
  assert.notEqual(first, (await t.call('GET', '/v2/webhooks/signing-secret', { as: t.other.liveKey })).json.data.secret)
  const body = { from: '+15550100001', to: '+15550100002', callbackUrl: `${receiver.origin}/call?x=1` }
  const call = await t.call('POST', '/v2/voice/calls', { as: as(), body })
  assert.equal(call.status, 200, call.text)
  await emitEvents(t, 2)
  await emitEvents(t, [{ callbackUrl: `${receiver.origin}/lead` }])
  await settled(undefined, 2)
  assert.equal(receiver.received.length, 2)
  const [request] = receiver.received.filter(({ path }) => path === '/call?x=1') as [Received]
  const event = new Webhook(first).verify(request.body, request.headers) as { type: string; data: { callId: string } }
  assert.equal(event.type, 'call.initiated')
  assert.equal(event.data.callId, call.json.data.callId)
  const [lead, ofCall] = await deliveriesOf(t, undefined)
  assert.deepEqual([lead.url, lead.webhookId], [`${receiver.origin}/lead`, null])
  assert.equal((await deliveryOf(t, ofCall.deliveryId)).attemptLog.length, 1)

  const path = '/v2/webhooks/signing-secret/rotate'
  const rotated = await t.call('POST', path, { as: as(), body: { overlapSeconds: 3_600 } })
  assert.equal(rotated.json.data.secret, await secretOf())
  const { rotatedAt, previousSecretUntil } = rotated.json.data
  assert.equal(Date.parse(previousSecretUntil) - Date.parse(rotatedAt), 3_600_000)
  receiver.received.length = 0
  const again = { deliveryId: ofCall.deliveryId }
  const { json } = await t.call('POST', '/v2/webhooks/callbacks/replay', { as: as(), body: again })
  assert.equal(json.data.replayed, 1)
  await until(() => receiver.received.length === 1)
  const [both] = receiver.received as [Received]
  new Webhook(first).verify(both.body, both.headers)
  new Webhook(rotated.json.data.secret).verify(both.body, both.headers)
  await t.call('POST', path, { as: as(), body: { overlapSeconds: 0 } })
  await until(async () => (await t.sql('select from webhook_lanes where lease_token is not null')).length === 0)
  await emitEvents(t, [{ callbackUrl: `${receiver.origin}/lead` }])
  await until(() => receiver.received.length === 2)
  const [, alone] = receiver.received as [Received, Received]
  assert.throws(() => new Webhook(rotated.json.data.secret).verify(alone.body, alone.headers))
  new Webhook(await secretOf()).verify(alone.body, alone.headers)
})

test('a callbackUrl that answers 410 is given up, and its host goes on', async () => {
  receiver.answer = ({ path }, response) => void response.writeHead(path === '/gone' ? 410 : 204).end()
  await emitEvents(t, [{ callbackUrl: `${receiver.origin}/gone` }, { callbackUrl: `${receiver.origin}/there` }])
  await settled(undefined, 2)
  const statuses = (await deliveriesOf(t, undefined)).map((row: { status: string }) => row.status)
  assert.deepEqual(statuses.sort(), ['delivered', 'failed'])
})

test('who may not read a resource does not read it in deliveries either', async () => {
  receiver.answer = answering(200, {}, 'echo of an invoice')
  const { webhookId } = await newWebhook(t, receiver.origin)
  const [invoice = '', lead = ''] = await emitEvents(t, [{ type: 'invoice.paid' }, { type: 'lead.created' }])
  await settled(webhookId, 2)
  const read = async (eventId: string) => {
    const path = `/v2/webhooks/deliveries/${deliveryIdOf(eventId, webhookId)}`
    return (await t.call('GET', path, { as: t.main.tokens['Sales Manager'] })).json.data
  }
  const hidden = await read(invoice)
  assert.equal(hidden.payload, null)
  assert.equal(hidden.resourceId, null)
  assert.equal(hidden.attemptLog[0].reply, null)
  assert.equal(hidden.attemptLog[0].status, 200)
  assert.notEqual((await read(lead)).payload, null)
})

test('deleting a webhook ends what waits for it; its log goes with the next purge, as do old deliveries', async () => {
  const keep = await newWebhook(t, receiver.origin)
  const { webhookId } = await newWebhook(t, receiver.origin)
  await emitEvents(t, 5)
  await settled(webhookId, 5)
  await settled(keep.webhookId, 5)
  receiver.answer = answering(500)
  await emitEvents(t)
  await until(async () => (await t.sql('select from webhook_jobs where tries = 1')).length === 2)
  await t.call('DELETE', `/v2/webhooks/${webhookId}`, { as: as() })
  assert.equal((await t.sql('select from webhook_jobs where lane = $1', [webhookId])).length, 0)
  await t.ownerSql(
    `update webhook_deliveries set event_id = first_id_at('evt', now() - interval '31 days')
     where (target, event_id) = (select target, min(event_id) from webhook_deliveries
       where target = (select number from webhook_endpoints where id = $1) group by target)`,
    [keep.webhookId],
  )
  const purge = async () => (await t.sql<{ n: number }>('select purge_webhooks(30, 100) as n'))[0]!.n
  assert.equal(await purge(), 6 + 1)
  assert.equal((await t.sql('select from webhook_deliveries')).length, 5)
  assert.equal(await purge(), 0)
  assert.equal((await get(keep.webhookId)).webhookId, keep.webhookId)
})

test('two changes at once: the later one gets 412 as the webhook has moved on', async () => {
  const { webhookId } = await newWebhook(t, 'https://example.com/')
  const path = `/v2/webhooks/${webhookId}`
  const { headers } = await t.call('GET', path, { as: as() })
  const options = { as: as(), headers: { 'if-match': headers['etag'] as string } }
  assert.equal((await t.call('PATCH', path, { ...options, body: { description: 'one' } })).status, 200)
  assert.equal((await t.call('PATCH', path, { ...options, body: { description: 'two' } })).status, 412)
  assert.equal((await get(webhookId)).description, 'one')
  await change(webhookId, { description: null, eventTypes: null })
  assert.equal((await get(webhookId)).description, null)
})
