// What the log keeps beside a row: where a request came from, what it was about, and its bodies without their secrets; who
// may read it, and how long it stays.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CallOptions, startTestApp, type TestApp, testPassword } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const playground = { 'sec-fetch-site': 'same-origin' }
const portal = { ...playground, 'x-tandem-source': 'portal' }
const lead = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+4915112345678', company: 'Engines' }

/** Makes a request and returns what the log keeps of it. */
async function logged(method: string, path: string, options: CallOptions = {}) {
  const answer = await t.call(method, path, { as: t.main.liveKey, ...options })
  await t.app.flush()
  const requestId = answer.headers['x-request-id'] as string
  const entry = await t.call('GET', `/v2/requests/${requestId}`, { as: t.main.tokens.Admin })
  assert.equal(entry.status, 200, entry.text)
  return { answer, requestId, entry: entry.json.data }
}

async function ids(query: string, as = t.main.tokens.Admin): Promise<string[]> {
  const { json } = await t.call('GET', `/v2/requests?${query}`, { as, headers: portal })
  return json.data.map((item: { requestId: string }) => item.requestId)
}

test('a source is returned, and filtered by', async () => {
  const path = '/v2/users/me'
  const [api, tried, own] = [
    await logged('GET', path),
    await logged('GET', path, { headers: playground }),
    await logged('GET', path, { headers: portal }),
  ]
  assert.deepEqual(
    [api, tried, own].map(({ entry }) => entry.source),
    ['api', 'playground', 'portal'],
  )
  assert.deepEqual(await ids(`path=${path}&source=api`), [api.requestId])
  assert.deepEqual(await ids(`path=${path}&source=playground,api`), [tried.requestId, api.requestId])
  assert.deepEqual(await ids(`path=${path}&source=portal`), [own.requestId])
  for (const source of ['', 'web', 'api,', 'api,,portal']) {
    const { json } = await t.call('GET', `/v2/requests?source=${source}`, { as: t.main.liveKey })
    assert.equal(json.error.code, 'validation_failed', source)
  }
})

test('every creation names what it made, every other request what its path names', async () => {
  const made = await logged('POST', '/v1/api/leads', { body: lead })
  const leadId = made.answer.json.lead.id
  assert.equal(made.entry.resourceId, `lead:${leadId}`)
  const read = await logged('GET', `/v1/api/leads/${leadId}`)
  const missing = await logged('GET', '/v1/api/leads/999999')
  const odd = await logged('GET', '/v1/api/leads/first')
  assert.deepEqual(
    [read, missing, odd].map(({ entry }) => entry.resourceId),
    [`lead:${leadId}`, 'lead:999999', null],
  )
  const sms = await logged('POST', '/v2/messages/sms', {
    body: {
      from: '+15005550006',
      to: '+15005550100',
      body: 'Hi',
      metadata: { messageId: 'msg_00000000000000000000000000' },
    },
  })
  assert.equal(sms.entry.resourceId, sms.answer.json.messageId)
  const call = await logged('POST', '/v2/voice/calls', { body: { from: '+15005550006', to: '+15005550100' } })
  assert.equal(call.entry.resourceId, call.answer.json.data.callId)
  const invoice = await logged('POST', '/v1/api/finance/invoices', {
    body: { customer: { name: 'Ada' }, lines: [{ description: 'Work', quantity: 1, unit_price: 12.5 }] },
  })
  const invoiceId = invoice.answer.json.invoice?.id
  assert.equal(invoice.entry.resourceId, `invoice:${invoiceId}`, invoice.answer.text)
  const paid = await logged('POST', `/v1/api/finance/invoices/${invoiceId}/payments`, { body: { amount: 1 } })
  assert.equal(paid.entry.resourceId, `invoice:${invoiceId}`)
  const key = await logged('POST', '/v2/auth/api-keys', { body: { name: 'k', mode: 'test' } })
  assert.equal(key.entry.resourceId, key.answer.json.data.keyId)
  const refused = await logged('POST', '/v1/api/leads', { body: { name: 1 } })
  assert.equal(refused.entry.resourceId, null)
  assert.deepEqual(await ids(`resourceId=lead:${leadId}`), [read.requestId, made.requestId])
  assert.deepEqual(await ids(`resourceId=lead:${leadId}&method=POST`), [made.requestId])
  assert.deepEqual(await ids(`resourceId=lead:${leadId}&createdBefore=2026-01-01`), [])
  assert.deepEqual(await ids('resourceId=lead:31337'), [])
})

test('requests of one resource are found by their own index, and page by page', async () => {
  const path = '/v1/api/leads/4711'
  const asked: string[] = []
  for (let n = 0; n < 5; n++)
    asked.unshift((await t.call('GET', path, { as: t.main.liveKey })).headers['x-request-id']!)
  await t.app.flush()
  const seen: string[] = []
  let cursor = ''
  do {
    const { json } = await t.call('GET', `/v2/requests?resourceId=lead:4711&limit=2${cursor}`, { as: t.main.liveKey })
    seen.push(...json.data.map((item: { requestId: string }) => item.requestId))
    cursor = json.meta.pagination.nextCursor === null ? '' : `&cursor=${json.meta.pagination.nextCursor}`
  } while (cursor !== '')
  assert.deepEqual(seen, asked)
  await t.ownerSql('set enable_seqscan = off')
  const plan = await t.ownerSql<{ 'QUERY PLAN': string }>(
    `explain select * from request_log where tenant_id = 1 and resource_id = 'lead:1' and id >= 'req_' and id < 'req_z'
     order by id desc limit 50000`,
  )
  assert.match(plan.map(row => row['QUERY PLAN']).join('\n'), /Index Scan Backward using request_log_resource/)
})

test('a refusal keeps what was sent and what was answered', async () => {
  const body = { name: 'Ada', email: 'nonsense', extra: [{ password: 'hunter2', note: t.main.testKey }] }
  const { entry, answer } = await logged('POST', '/v1/api/leads?dry=1&token=abc', {
    body,
    headers: { 'idempotency-key': 'one', 'user-agent': 'suite/1', accept: '*/*', cookie: 'a=b', 'x-other': 'y' },
  })
  assert.equal(entry.status, 400)
  assert.equal(entry.query, 'dry=1&token=[redacted]')
  assert.deepEqual(JSON.parse(entry.requestBody), {
    name: 'Ada',
    email: 'nonsense',
    extra: [{ password: '[redacted]', note: '[redacted]' }],
  })
  assert.deepEqual(JSON.parse(entry.responseBody), answer.json)
  const { 'content-type': type, 'user-agent': agent, accept, 'idempotency-key': key, ...others } = entry.requestHeaders
  assert.deepEqual([type, agent, accept, key, others], ['application/json', 'suite/1', '*/*', 'one', {}])
  assert.equal(entry.bodyNote, null)
})

test('no secret that goes through the API is anywhere in the database afterwards', async () => {
  const as = t.main.tokens.Admin
  const login = await logged('POST', '/v1/api/auth/login', {
    as,
    body: { emailOrAdminId: t.main.users.Admin.email, password: testPassword },
  })
  assert.equal(login.answer.status, 200)
  assert.deepEqual(JSON.parse(login.entry.requestBody).password, '[redacted]')
  await logged('POST', '/v1/api/auth/login', {
    as,
    body: { emailOrAdminId: t.main.users.Admin.email, password: 'wrong horse battery' },
  })
  await logged('POST', '/v1/api/auth/login', { as, rawBody: '{"password":"spilled horse" "x"}' })
  const key = await logged('POST', '/v2/auth/api-keys', { as, body: { name: 'secret', mode: 'test' } })
  const created = key.answer.json.data
  const refresh = await logged('POST', '/v1/api/auth/refresh', {
    as,
    body: { refreshToken: login.answer.json.refreshToken },
  })
  const user = { email: 'new@example.com', name: 'New', role: 'Admin', password: 'staple battery horse' }
  await logged('POST', '/v1/api/users', { as, body: user, headers: playground })
  await logged('GET', `/v2/nowhere/${created.secret}?key=${created.secret}`, { as, headers: { 'user-agent': as } })
  const secrets = [
    testPassword,
    'wrong horse',
    'spilled horse',
    'staple battery',
    created.secret,
    as,
    login.answer.json.accessToken,
    login.answer.json.refreshToken,
    refresh.answer.json.refreshToken,
  ]
  assert.ok(secrets.every(secret => typeof secret === 'string' && secret.length > 10))
  const rows = await t.ownerSql<{ text: string }>(
    `select r::text as text from request_log r union all select d::text from request_details d
     union all select f::text from request_refusals f`,
  )
  assert.ok(rows.length > 20)
  for (const { text } of rows) for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${text}`)
})

test('a long body is cut; a malformed one is kept as it came', async () => {
  const long = await logged('POST', '/v1/api/leads', { body: { name: 'ä'.repeat(10_000) } })
  assert.ok(Buffer.byteLength(long.entry.requestBody) <= 8_192)
  assert.match(long.entry.bodyNote, /^The request body had 20011 bytes; the first 8192 are kept/)
  const broken = await logged('POST', '/v1/api/leads', { rawBody: '{"name": "Ada",}' })
  assert.equal(broken.entry.problem, 'malformed_json')
  assert.equal(broken.entry.requestBody, '{"name": "Ada",}')
})

test('of the busiest endpoints only refusals keep a body, but all that the Playground sent', async () => {
  const body = { from: '+15005550006', to: '+15005550100', body: 'Hello' }
  const sent = await logged('POST', '/v2/messages/sms', { body })
  assert.deepEqual([sent.entry.requestBody, sent.entry.requestHeaders], [null, null])
  assert.match(sent.entry.bodyNote, /read what it made by its resourceId/)
  const tried = await logged('POST', '/v2/messages/sms', { body, headers: playground })
  assert.deepEqual(JSON.parse(tried.entry.requestBody), body, 'as it was sent, without defaults')
  const refused = await logged('POST', '/v2/messages/sms', { body: { ...body, to: '12' } })
  assert.deepEqual(JSON.parse(refused.entry.requestBody), { ...body, to: '12' })
  const changed = await logged('PATCH', '/v2/organization', { body: { currency: 'EUR' } })
  assert.equal(changed.entry.requestBody, '{"currency":"EUR"}')
  assert.equal(changed.entry.responseBody, null)
  const early = await logged('POST', '/v1/api/users', { as: t.main.tokens['Sales Executive'], body: { name: 'x' } })
  assert.equal(early.entry.status, 403)
  assert.equal(early.entry.bodyNote, 'The request was answered before its body was read.')
})

test('bodies are for anyone who sees the row: not for colleagues, other tenants or the other mode', async () => {
  const { requestId } = await logged('POST', '/v1/api/leads', { body: { name: 7 } })
  const status = async (as: string) => (await t.call('GET', `/v2/requests/${requestId}`, { as })).status
  assert.equal(await status(t.main.liveKey), 200)
  for (const as of [t.main.tokens['Sales Manager'], t.main.testKey, t.other.tokens.Admin, t.other.liveKey])
    assert.equal(await status(as), 404)
})

test('usage goes after 400 days, and nothing before', async () => {
  const insertAt = async (days: number) => {
    const at = `now() - interval '${days} days'`
    await t.sql(
      `insert into request_usage (tenant_id, hour, endpoint_id, user_id, key_id, source, status_class, requests, durations)
       values ($1, ${at}, 'purge', 1, '', 'api', '2xx', ${days}, '{1}')`,
      [t.main.liveTenantId],
    )
    await t.sql(
      `insert into request_refusals (tenant_id, hour, endpoint_id, problem, status, user_id, key_id, source, requests,
         last_request_id, last_at) values ($1, ${at}, 'purge', '', 500, 1, '', 'api', ${days}, 'req_1', ${at})`,
      [t.main.liveTenantId],
    )
  }
  for (const days of [6.9, 7.1, 399.9, 400.1]) await insertAt(days)
  const [purged] = await t.app.services.db.call<{ gone: number }>(
    'purge_expired',
    'select purge_expired($1) as gone',
    [1_000],
  )
  assert.equal(purged?.gone, 1 + 1)
  const left = (table: string, what: string, where: string) =>
    t.ownerSql<{ what: string }>(`select ${what}::text as what from ${table} where ${where} order by 1`)
  const left400 = [{ what: '400' }, { what: '7' }, { what: '7' }]
  assert.deepEqual(await left('request_usage', 'requests', "endpoint_id = 'purge'"), left400)
  assert.deepEqual(await left('request_refusals', 'requests', "endpoint_id = 'purge'"), left400)
})
