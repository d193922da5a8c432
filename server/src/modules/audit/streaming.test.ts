// Streams of the audit log: every sealed event comes, in order, signed, and again until it is taken.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { startReceiver } from '../../../test/webhooks.ts'
import { startQueue } from '../../kernel/jobs/queue.ts'
import { newId } from '../../kernel/values/ids.ts'
import { sealEvents } from './sealing.ts'
import { sendAuditStreams } from './streaming.ts'

let t: TestApp
let receiver: Awaited<ReturnType<typeof startReceiver>>
before(async () => {
  t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8', TANDEM_EGRESS_HTTP: '1' } })
  receiver = await startReceiver()
})
after(async () => {
  await receiver?.close()
  await t?.close()
})

const as = () => t.main.tokens.Admin

async function change(times: number): Promise<void> {
  for (let round = 0; round < times; round++)
    await t.call('PATCH', '/v2/organization', { as: as(), body: { currency: ['EUR', 'CHF'][round % 2] } })
  const queue = sealEvents(t.app.services)
  await queue.work(await queue.claim('', 100), '', () => false)
}

const sendOnce = async () => {
  const queue = sendAuditStreams(t.app.services)
  const token = newId('lse')
  const streams = await queue.claim(token, 1)
  await queue.work(streams, token, () => false)
  return streams.length
}

const positions = () =>
  receiver.received.flatMap(({ body }) =>
    body
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).position as number),
  )
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('a batch that is sent again is the same, whatever was sealed meanwhile', async () => {
  await change(3)
  const body = { url: `${receiver.origin}/audit`, from: 'start' }
  const made = await t.call('POST', '/v2/audit-events/streams', { as: as(), body })
  assert.equal(made.status, 201, made.text)
  receiver.answer = (_request, response) => void response.writeHead(503).end()
  assert.equal(await sendOnce(), 1)
  await change(2)
  receiver.answer = (_request, response) => void response.writeHead(204).end()
  await t.ownerSql(`update audit_streams set next_at = now()`)
  assert.equal(await sendOnce(), 1)
  assert.equal(await sendOnce(), 1)
  const [first, again, next] = receiver.received
  assert.equal(again!.headers['webhook-id'], first!.headers['webhook-id'])
  assert.equal(again!.body, first!.body)
  assert.notEqual(next!.headers['webhook-id'], first!.headers['webhook-id'])
  assert.ok(next!.body.includes('"position":'))
  await t.call('DELETE', `/v2/audit-events/streams/${made.json.data.streamId}`, { as: as() })
  receiver.received.length = 0
})

test('events come in order, signed, and again until they are taken', async () => {
  await change(3)
  const body = { url: `${receiver.origin}/audit`, from: 'start' }
  const made = await t.call('POST', '/v2/audit-events/streams', { as: as(), body })
  assert.equal(made.status, 201, made.text)
  const { streamId, secret } = made.json.data
  const stream = async () => (await t.call('GET', `/v2/audit-events/streams/${streamId}`, { as: as() })).json.data
  receiver.answer = (_request, response) => void response.writeHead(503).end()
  assert.equal(await sendOnce(), 1)
  const failed = await stream()
  assert.deepEqual([failed.position, failed.failuresInRow, failed.lastError], [0, 1, 'HTTP 503'])
  assert.ok(failed.behind >= 3)
  assert.equal(await sendOnce(), 0, 'it waits')
  receiver.answer = (_request, response) => void response.writeHead(204).end()
  await t.ownerSql(`update audit_streams set next_at = now()`)
  assert.equal(await sendOnce(), 1)
  const [first, again] = receiver.received
  assert.equal(first!.headers['webhook-id'], again!.headers['webhook-id'])
  assert.equal(first!.body, again!.body)
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = again!.headers
  assert.equal(new Webhook(secret).sign(id!, new Date(Number(timestamp) * 1_000), again!.body), signature)
  receiver.received.shift()
  await change(2)
  const running = startQueue(sendAuditStreams(t.app.services), {
    log: t.app.services.log,
    newToken: () => newId('lse'),
  })
  try {
    await eventually('all was taken', async () => (await stream()).behind === 0)
  } finally {
    await running.stop()
  }
  const seen = positions()
  assert.deepEqual(seen, upTo(seen.length))
  const now = await stream()
  assert.deepEqual([now.failuresInRow, now.lastError, now.position], [0, null, seen.length])
})
