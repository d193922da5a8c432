// The stream over real sockets: it sends what the lists return, to those who see it there, as it happens, whichever node
// wrote it, and it ends when it should. Resuming has a test of its own (resume.test.ts).
// test: waits

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp, testPassword } from '../../../../test/harness.ts'
import { listening, openStream, type StreamReader } from '../../../../test/stream_reader.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { EventType } from '../../../kernel/values/noun.ts'

let t: TestApp
let second: Awaited<ReturnType<TestApp['secondApp']>>
before(async () => {
  t = await startTestApp()
  second = await t.secondApp()
})
after(() => t?.close())

afterEach(closeAll)
const readers: StreamReader[] = []
async function open(as: string, query = '', app = t.app, headers: Record<string, string> = {}): Promise<StreamReader> {
  const reader = await openStream(app, { as, query, headers })
  readers.push(reader)
  if (reader.status === 200) await reader.until(message => message.event === 'ready')
  return reader
}

/** Closes what a test opened, and waits until the nodes know. */
async function closeAll(): Promise<void> {
  for (const reader of readers.splice(0)) reader.close()
  while (t.app.services.streams.count() + second.app.services.streams.count() > 0) await sleep(10)
}

const marked = (resourceId: string) => (message: { data: { resourceId?: string | null } }) =>
  message.data.resourceId === resourceId

/** Commits an event of this type. */
function emitEvent(type: EventType, resourceId: string, node = t.app, tenantId = t.main.liveTenantId, data = {}) {
  const scope = { tenantId, organizationId: t.main.organizationId }
  return node.services.db.inTenant(scope, tx => emit(tx, scope, { type, resourceId, sequence: 1, data }))
}

async function logIn(node: Pick<TestApp, 'call'> = t): Promise<string> {
  const body = { emailOrAdminId: t.main.users.Admin.email, password: testPassword }
  return (await node.call('POST', '/v1/api/auth/login', { body })).json.accessToken
}

test('a request and its event arrive, exactly as the lists show them', async () => {
  const reader = await open(t.main.tokens.Admin)
  assert.equal(reader.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(reader.headers['cache-control'], 'no-store')
  assert.equal(reader.headers['x-accel-buffering'], 'no')
  assert.match(reader.text(), /^retry: 2000\n\n/)
  assert.deepEqual(reader.messages[0]?.data, { topics: ['requests', 'events', 'conversations'] })
  const made = await t.call('POST', '/v1/api/leads', {
    as: t.main.liveKey,
    body: { name: 'A', email: 'a@example.com' },
  })
  const requestId = made.headers['x-request-id']
  const reported = await reader.until(message => message.data.requestId === requestId)
  const event = await reader.until(message => message.data.type === 'lead.created')
  assert.equal(reported.event, 'request')
  assert.equal(event.event, 'event')
  const as = t.main.tokens.Admin
  const { json: requests } = await t.call('GET', `/v2/requests?requestId=${requestId}`, { as })
  assert.deepEqual(reported.data, requests.data[0])
  const { json: events } = await t.call('GET', '/v2/events?type=lead.created', { as })
  assert.deepEqual(event.data, events.data[0])
})

test('what another node wrote arrives', async () => {
  const reader = await open(t.main.tokens.Admin)
  await emitEvent('lead.updated', 'from the second node', second.app)
  await reader.until(marked('from the second node'))
  const answer = await second.call('GET', '/v1/api/auth/me', { as: t.main.liveKey })
  await reader.until(message => message.data.requestId === answer.headers['x-request-id'])
})

test('one sees what the lists would show: roles, tenants and modes are apart', async () => {
  const admin = await open(t.main.tokens.Admin)
  const seller = await open(t.main.tokens['Sales Executive'])
  const finance = await open(t.main.tokens['Finance Manager'])
  const other = await open(t.other.tokens.Admin)
  const testMode = await open(t.main.testKey)
  assert.deepEqual(seller.messages[0]?.data.topics, ['requests', 'conversations'])
  await emitEvent('lead.updated', 'lead')
  await emitEvent('invoice.sent', 'invoice')
  await emitEvent('user.created', 'user')
  await emitEvent('lead.updated', 'of test mode', t.app, t.main.testTenantId)
  const mine = await t.call('GET', '/v1/api/auth/me', { as: t.main.tokens['Sales Executive'] })
  const last = await t.call('GET', '/v1/api/auth/me', { as: t.main.tokens.Admin })
  await admin.until(message => message.data.requestId === last.headers['x-request-id'])
  await seller.until(message => message.data.requestId === mine.headers['x-request-id'])
  await finance.until(marked('invoice'))
  await testMode.until(marked('of test mode'))
  await sleep(900)
  const seen = (reader: StreamReader) => reader.messages.flatMap(({ data }) => data.resourceId ?? [])
  assert.deepEqual(seen(admin).sort(), ['invoice', 'lead', 'user'])
  assert.deepEqual(seen(finance), ['invoice', 'user'])
  assert.deepEqual(seen(testMode), ['of test mode'])
  for (const message of seller.messages.slice(1))
    assert.equal(message.data.userId, t.main.users['Sales Executive'].id, JSON.stringify(message))
  assert.deepEqual(other.messages.slice(1), [])
})

test('topics, types and sources narrow what is sent; a topic one may not read is refused', async () => {
  const typed = await open(t.main.tokens.Admin, '?topics=events&eventTypes=lead.*,invoice.sent')
  const portal = await open(t.main.tokens.Admin, '?topics=requests&source=portal,playground')
  for (const type of ['lead.updated', 'invoice.sent', 'invoice.paid', 'message.sent'] as const)
    await emitEvent(type, `of ${type}`)
  const page = { 'sec-fetch-site': 'same-origin', 'x-tandem-source': 'portal' }
  await t.call('GET', '/v1/api/auth/me', { as: t.main.tokens.Admin })
  const asked = await t.call('GET', '/v1/api/auth/me', { as: t.main.tokens.Admin, headers: page })
  await portal.until(message => message.data.requestId === asked.headers['x-request-id'])
  await typed.until(marked('of invoice.sent'))
  await sleep(900)
  assert.deepEqual(
    typed.messages.slice(1).map(({ data }) => data.type),
    ['lead.updated', 'invoice.sent'],
  )
  assert.deepEqual(
    portal.messages.slice(1).map(({ data }) => data.source),
    ['portal'],
  )
  for (const [as, query, code] of [
    [t.main.tokens['Sales Executive'], '?topics=requests,events', 'insufficient_role'],
    [t.main.tokens.Admin, '?topics=requests,weather', 'validation_failed'],
    [t.main.tokens.Admin, '?eventTypes=Lead', 'validation_failed'],
    [t.main.tokens.Admin, '?source=moon', 'validation_failed'],
    [t.main.tokens.Admin, '?lastEventId=e-1-5.3.2.1', 'validation_failed'],
  ] as const) {
    const refused = await t.call('GET', `/v2/stream${query}`, { as, stream: true })
    assert.equal(refused.json.error?.code, code, `${query}: ${refused.text}`)
  }
})

test('of texts and calls one may hear of some numbers alone, also of those one missed', async () => {
  const query = '?topics=events&eventTypes=message.*,lead.*&numbers=%2B15550100001,%2B15550100002'
  const send = (resourceId: string, from: string, to: string) =>
    emitEvent('message.sent', resourceId, t.app, t.main.liveTenantId, { from, to })
  const all = async () => {
    await send('to one', '+493012345678', '+15550100001')
    await send('to another', '+493012345678', '+15550100009')
    await send('from two', '+15550100002', '+493012345678')
    await emitEvent('lead.updated', 'a lead')
    await emitEvent('call.answered', 'not asked for')
  }
  const seen = (reader: StreamReader) => reader.messages.flatMap(({ data }) => data.resourceId ?? [])
  const reader = await open(t.main.tokens.Admin, query)
  const place = reader.lastId() as string
  await all()
  await reader.until(marked('a lead'))
  const back = await open(t.main.tokens.Admin, query, second.app, { 'last-event-id': place })
  await back.until(marked('a lead'))
  for (const one of [reader, back]) assert.deepEqual(seen(one), ['to one', 'from two', 'a lead'])
  const refused = await t.call('GET', '/v2/stream?numbers=15550100001', { as: t.main.tokens.Admin, stream: true })
  assert.equal(refused.json.error?.code, 'validation_failed', refused.text)
})

test('a stream is in the request log when it opens, and no stream reports it', async () => {
  const watching = await open(t.main.tokens.Admin)
  const opened = await open(t.main.tokens.Admin)
  await t.app.flush()
  const as = t.main.tokens.Admin
  const { json } = await t.call('GET', `/v2/requests?requestId=${opened.headers['x-request-id']}`, { as })
  assert.equal(json.data[0].endpointId, 'stream.open')
  assert.equal(json.data[0].status, 200)
  const later = await t.call('GET', '/v1/api/auth/me', { as })
  await watching.until(message => message.data.requestId === later.headers['x-request-id'])
  assert.ok(!watching.messages.some(({ data }) => data.requestId === opened.headers['x-request-id']))
  opened.close()
  await opened.ended
  await t.app.flush()
  const after = await t.call('GET', `/v2/requests?requestId=${opened.headers['x-request-id']}`, { as })
  assert.deepEqual(after.json.data, json.data, 'its end adds nothing')
})

test('who reads one topic follows that one, whichever it is; who reads none is refused', async () => {
  const keyWith = async (scopes: string[]) => {
    const body = { name: 'one topic', mode: 'live', scopes: ['stream:open', ...scopes] }
    return (await t.call('POST', '/v2/auth/api-keys', { as: t.main.tokens.Admin, body })).json.data.secret as string
  }
  for (const topic of ['requests', 'events', 'conversations']) {
    const reader = await open(await keyWith([`${topic}:read`]))
    assert.deepEqual(reader.messages[0]?.data.topics, [topic])
    reader.close()
  }
  const { status, json } = await t.call('GET', '/v2/stream', { as: await keyWith(['leads:read']), stream: true })
  assert.deepEqual([status, json.error.code], [403, 'insufficient_scope'])
  assert.match(json.error.message, /conversations:read/)
})

test('a credential that dies ends its streams within two seconds, on every node', async () => {
  const token = await logIn()
  const key = await t.call('POST', '/v2/auth/api-keys', {
    as: t.main.tokens.Admin,
    body: { name: 'stream', mode: 'live', scopes: ['stream:open', 'requests:read'] },
  })
  const lost = [
    [await open(token), 'token_revoked'],
    [await open(token, '', second.app), 'token_revoked'],
    [await open(key.json.data.secret), 'key_revoked'],
    [await open(key.json.data.secret, '', second.app), 'key_revoked'],
  ] as const
  const stays = await open(t.main.tokens.Admin)
  const startedMs = performance.now()
  await t.call('POST', '/v1/api/auth/logout', { as: token })
  await t.call('DELETE', `/v2/auth/api-keys/${key.json.data.keyId}`, { as: t.main.tokens.Admin })
  for (const [reader, reason] of lost) {
    const end = await reader.until(message => message.event === 'end', 3_000)
    assert.deepEqual(end.data, { reason })
    await reader.ended
  }
  assert.ok(performance.now() - startedMs < 2_000, `took ${performance.now() - startedMs} ms`)
  assert.ok(!stays.messages.some(({ event }) => event === 'end'))
})

test('a reader whose rights change must ask again', async () => {
  const reader = await open(t.main.tokens['Sales Manager'])
  const path = `/v1/api/users/${t.main.users['Sales Manager'].id}`
  const changed = await t.call('PATCH', path, { as: t.main.tokens.Admin, body: { role: 'Sales Executive' } })
  assert.equal(changed.status, 200, changed.text)
  const end = await reader.until(message => message.event === 'end', 3_000)
  assert.ok(['permissions_changed', 'token_revoked'].includes(end.data.reason), end.data.reason)
})

test('a reader that does not read is cut, and holds up nobody else', async () => {
  const port = await listening(t.app)
  const lazy = connect(port, '127.0.0.1')
  lazy.on('error', () => {})
  lazy.write(`GET /v2/stream?topics=events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${t.main.tokens.Admin}\r\n\r\n`)
  lazy.pause()
  const quick = await open(t.main.tokens.Admin, '?topics=events')
  while (t.app.services.streams.count() < 2) await sleep(10)
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const data = { padding: 'x'.repeat(40_000) }
  let reported = 0
  for (; reported < 3_000 && t.app.services.streams.count() === 2; reported += 20) {
    const events = Array.from({ length: 20 }, (_, n) => {
      return { type: 'lead.updated' as const, resourceId: `large ${reported + n}`, sequence: 1, data }
    })
    await second.app.services.db.inTenant(scope, tx => emit(tx, scope, ...events))
    await sleep(10)
  }
  await quick.until(marked(`large ${reported - 1}`), 10_000)
  const giveUpMs = performance.now() + 5_000
  while (t.app.services.streams.count() > 1 && performance.now() < giveUpMs) await sleep(50)
  assert.equal(t.app.services.streams.count(), 1, 'only the one that reads is left')
  assert.equal(quick.messages.length, reported + 1)
  lazy.destroy()
})

test('twenty streams a user: the next is refused with the remedy, until one closes', async () => {
  for (let n = 0; n < 20; n++) await open(t.main.tokens.Admin)
  const refused = await t.call('GET', '/v2/stream', { as: t.main.tokens.Admin, stream: true })
  assert.equal(refused.status, 429)
  assert.equal(refused.json.error.code, 'too_many_streams')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  const sameUser = await t.call('GET', '/v2/stream', { as: t.main.liveKey, stream: true })
  assert.equal(sameUser.status, 429, 'keys count for their user')
  const someoneElse = await t.call('GET', '/v2/stream', { as: t.main.tokens['Finance Manager'], stream: true })
  assert.equal(someoneElse.status, 200)
  readers[0]?.close()
  while (t.app.services.streams.count() !== 19) await sleep(10)
  await open(t.main.tokens.Admin)
  const { text } = await t.call('GET', '/metrics')
  assert.ok(text.includes('\ntandem_streams_open 20\n'), 'the gauge counts them')
})

test('fifty listeners of a tenant share one poller, and nothing polls when nobody listens', async () => {
  const { db } = t.app.services
  const { inTenant } = db
  let queries = 0
  db.inTenant = (scope, work) => {
    queries++
    return inTenant(scope, work)
  }
  try {
    const users = [t.main.tokens.Admin, t.main.tokens['Finance Manager'], t.main.tokens['Sales Executive']]
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, n) => open(users[n % 3] as string, '?topics=requests')),
    )
    queries = 0
    const startedMs = performance.now()
    await sleep(2_400)
    await eventually('the third look', () => queries >= 3)
    const seconds = (performance.now() - startedMs) / 1000
    assert.ok(queries <= 3 * seconds, `${queries} transactions in ${seconds} s`)
    const asked = await t.call('GET', '/v1/api/auth/me', { as: t.main.tokens.Admin })
    const requestId = asked.headers['x-request-id']
    const admins = all.filter((_, n) => n % 3 === 0)
    await Promise.all(admins.map(reader => reader.until(message => message.data.requestId === requestId)))
    await closeAll()
    await sleep(500)
    queries = 0
    await sleep(1_200)
    assert.equal(queries, 0)
  } finally {
    db.inTenant = inTenant
  }
})

test('HEAD, other methods and any Accept are answered as on every address', async () => {
  const port = await listening(t.app)
  const ask = (method: string) =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown>; length: number }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${t.main.tokens.Admin}`, accept: 'application/json' }
      const sent = request({ port, host: '127.0.0.1', method, path: '/v2/stream', headers }, response => {
        let length = 0
        response.on('data', chunk => {
          length += chunk.length
        })
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, length }))
      })
      sent.on('error', reject)
      sent.end()
    })
  const head = await ask('HEAD')
  assert.equal(head.status, 200)
  assert.match(String(head.headers['content-type']), /^text\/event-stream/)
  assert.equal(head.length, 0)
  const post = await ask('POST')
  assert.equal(post.status, 405)
  assert.equal(post.headers['allow'], 'GET, HEAD')
  assert.equal(t.app.services.streams.count(), 0, 'a HEAD opens none')
  const reader = await open(t.main.tokens.Admin, '', t.app, { accept: 'application/json' })
  assert.equal(reader.status, 200)
})

test('a server that stops ends its streams first, and does not wait for them', async () => {
  const third = await t.secondApp()
  const reader = await open(t.main.tokens.Admin, '', third.app)
  const startedMs = performance.now()
  await third.app.stop()
  assert.ok(performance.now() - startedMs < 3_000, `took ${performance.now() - startedMs} ms`)
  const end = await reader.until(message => message.event === 'end')
  assert.deepEqual(end.data, { reason: 'stopping' })
  await reader.ended
  // What happens meanwhile is sent by another node.
  await emitEvent('lead.updated', 'while away')
  const again = await openStream(t.app, { as: t.main.tokens.Admin, lastEventId: reader.lastId() })
  readers.push(again)
  await again.until(marked('while away'))
})

// Last: it moves the clock.
test('a token that expires ends its stream', async () => {
  const reader = await open(await logIn())
  t.clock.advance(3_601_000)
  const end = await reader.until(message => message.event === 'end', 3_000)
  assert.deepEqual(end.data, { reason: 'token_expired' })
  await reader.ended
})
