// Deliveries of webhooks as receivers verify them: what the server signs is taken, in whatever form headers and body come; what
// is signed by another secret, changed, or too old is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TandemError, verifyWebhook } from '@tandem/sdk'
import { keyOf, newSecret, sign } from '../../server/src/kernel/data/signature.ts'

const secret = newSecret()
const other = newSecret()
const event = { id: 'evt_1', type: 'message.received', data: { body: 'Grüße 👋' } }
const body = JSON.stringify(event)

/** The headers of a delivery, signed by these secrets. */
function headersOf(secrets: readonly string[], ageSeconds = 0, text = body) {
  const seconds = Math.floor(Date.now() / 1000) - ageSeconds
  return {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': sign(secrets.map(keyOf), 'evt_1', seconds, Buffer.from(text)),
  }
}

async function refused(delivery: Parameters<typeof verifyWebhook>[0]): Promise<string> {
  const error = await verifyWebhook(delivery).then(
    () => assert.fail('it was taken'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof TandemError, String(error))
  assert.deepEqual([error.code, error.status, error.retriable], ['webhook_not_verified', 0, false])
  return error.message
}

test('a delivery is taken as Node, Fetch and frameworks hand it over', async () => {
  const headers = headersOf([secret])
  const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const given of [headers, new Headers(headers), capitals])
    for (const bytes of [body, Buffer.from(body), new TextEncoder().encode(body)])
      assert.deepEqual(await verifyWebhook({ headers: given, body: bytes, secret }), event)
})

test('while a secret is rotated either one verifies, and a receiver may have several', async () => {
  const both = headersOf([secret, other])
  assert.deepEqual(await verifyWebhook({ headers: both, body, secret }), event)
  assert.deepEqual(await verifyWebhook({ headers: both, body, secret: other }), event)
  assert.deepEqual(await verifyWebhook({ headers: headersOf([other]), body, secret: [secret, other] }), event)
})

test('another secret, a changed body, another id, no signature: refused', async () => {
  const headers = headersOf([secret])
  assert.match(await refused({ headers, body, secret: other }), /signature does not fit/)
  assert.match(await refused({ headers, body: body.replace('evt_1', 'evt_2'), secret }), /signature does not fit/)
  assert.match(await refused({ headers: { ...headers, 'webhook-id': 'evt_2' }, body, secret }), /does not fit/)
  const { 'webhook-signature': signature, ...unsigned } = headers
  assert.match(await refused({ headers: unsigned, body, secret }), /no header webhook-signature/)
  for (const wrong of ['', 'v1,', 'v1,***', signature.slice(3), signature.replace('v1,', 'v2,')])
    await refused({ headers: { ...headers, 'webhook-signature': wrong }, body, secret })
})

test('what is too old, of the future, or without a time is refused, however well it is signed', async () => {
  assert.deepEqual(await verifyWebhook({ headers: headersOf([secret], 290), body, secret }), event)
  for (const age of [400, -400])
    assert.match(await refused({ headers: headersOf([secret], age), body, secret }), /more than 300 seconds/)
  await refused({ headers: { ...headersOf([secret]), 'webhook-timestamp': 'now' }, body, secret })
  const headers = headersOf([secret], 400)
  assert.deepEqual(await verifyWebhook({ headers, body, secret, toleranceSeconds: 600 }), event)
})

test('a signed body that is no JSON is refused; a missing secret is a fault of the receiver', async () => {
  assert.match(await refused({ headers: headersOf([secret], 0, 'hello'), body: 'hello', secret }), /no JSON/)
  for (const none of [undefined as unknown as string, '', 'whsec_', 'whsec_***'])
    await assert.rejects(verifyWebhook({ headers: headersOf([secret]), body, secret: none }), TypeError)
})
