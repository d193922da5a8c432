// What the audit log says of changes, sign-ins and refusals, and how it is searched.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp, testPassword } from '../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const admin = () => t.main.tokens.Admin

// biome-ignore lint/suspicious/noExplicitAny: events of every shape
async function events(query = ''): Promise<any[]> {
  await t.app.flush()
  const { json, status, text } = await t.call('GET', `/v2/audit-events${query}`, { as: admin() })
  assert.equal(status, 200, text)
  return json.data
}

test('refused permissions are counted: one event for each kind and who met it', async () => {
  const as = t.main.tokens['Sales Executive']
  for (let round = 0; round < 5; round++) await t.call('GET', '/v2/webhooks', { as })
  await t.call('POST', '/v2/webhooks', { as, body: { url: 'https://example.com/' } })
  const denied = (await events('?action=permission.denied')).filter(
    ({ actor }) => actor.id === String(t.main.users['Sales Executive'].id),
  )
  assert.equal(denied.length, 1)
  assert.equal(denied[0].reason, 'insufficient_role')
  assert.equal(denied[0].context.more.count, 6)
  assert.equal(denied[0].context.more.permission, 'webhooks:manage')
})

test('a change of a role says who, from where, before and after', async () => {
  const { id } = t.main.users['Sales Executive']
  const headers = { 'user-agent': 'Curl of a test' }
  const asked = { as: admin(), body: { role: 'Sales Manager' }, headers, ip: '203.0.113.9' }
  const answer = await t.call('PATCH', `/v1/api/users/${id}`, asked)
  assert.equal(answer.status, 200, answer.text)
  const [event] = await events('?action=user.role_changed')
  assert.equal(event.outcome, 'ok')
  assert.deepEqual(event.actor, {
    type: 'user',
    id: String(t.main.users.Admin.id),
    onBehalfOf: null,
    name: t.main.users.Admin.email,
  })
  assert.deepEqual(event.targets, [{ type: 'user', id: String(id) }])
  assert.deepEqual([event.before, event.after], [{ role: 'Sales Executive' }, { role: 'Sales Manager' }])
  assert.equal(event.context.ip, '203.0.113.9')
  assert.equal(event.context.userAgent, 'Curl of a test')
  assert.equal(event.context.requestId, answer.headers['x-request-id'])
  assert.equal(event.context.mode, 'live')
  const one = await t.call('GET', `/v2/audit-events/${event.auditEventId}`, { as: admin() })
  assert.deepEqual(one.json.data, event)
})

test('a change of the security policy, or of an app, says what it was before', async () => {
  const call = async (method: string, path: string, body: object) => {
    const { status, json, text } = await t.call(method, path, { as: admin(), body })
    assert.ok(status < 300, text)
    return json.data
  }
  await call('PATCH', '/v2/organization/security', { sessionMaxHours: 720 })
  const [policy] = await events('?action=security_policy.updated')
  assert.deepEqual([policy.before, policy.after], [{ sessionMaxHours: 2_160 }, { sessionMaxHours: 720 }])
  const { appId } = await call('POST', '/v2/auth/apps', { kind: 'machine', name: 'Sync', scopes: ['profile:read'] })
  await call('PATCH', `/v2/auth/apps/${appId}`, { scopes: ['profile:read', 'leads:read'] })
  const [app] = await events('?action=app.updated')
  assert.deepEqual([app.before, app.after], [{ scopes: ['profile:read'] }, { scopes: ['profile:read', 'leads:read'] }])
})

test('a secret that changes is said to have changed, and nothing of it is kept', async () => {
  const { id } = t.main.users['Finance Manager']
  const password = 'a brand new secret phrase'
  await t.call('PATCH', `/v1/api/users/${id}`, { as: admin(), body: { password } })
  const [event] = await events('?action=user.password_changed')
  assert.deepEqual(event.after, { password: 'changed' })
  const kept = await t.ownerSql<{ text: string }>(
    `select (select string_agg(row_to_json(e)::text, '') from audit_events e)
       || (select string_agg(row_to_json(l)::text, '') from audit_labels l) as text`,
  )
  assert.ok(!kept[0]!.text.includes(password))
})

test('names and addresses of people stand beside the events, not in them', async () => {
  const { id } = t.main.users['Sales Manager']
  const email = 'new.address@example.com'
  await t.call('PATCH', `/v1/api/users/${id}`, {
    as: admin(),
    body: { email, name: 'Somebody New' },
    ip: '203.0.113.10',
  })
  const [event] = await events(`?target=user:${id}&action=user.updated`)
  assert.equal(event.after.email, email)
  assert.equal(event.after.name, 'Somebody New')
  const [row] = await t.ownerSql<{ text: string }>(
    'select row_to_json(e)::text as text from audit_events e where id = $1',
    [event.auditEventId],
  )
  for (const personal of [email, 'Somebody New', '203.0.113.10', t.main.users.Admin.email])
    assert.ok(!row!.text.includes(personal), personal)
})

test('a sign-in, its refusal and a sign-out are there', async () => {
  const body = { emailOrAdminId: t.main.users.Admin.email, password: testPassword }
  const { json } = await t.call('POST', '/v1/api/auth/login', { body, ip: '203.0.113.20' })
  const [entry] = await events('?action=user.signed_in')
  assert.equal(entry.actor.id, String(t.main.users.Admin.id))
  assert.equal(entry.context.ip, '203.0.113.20')
  await t.call('POST', '/v1/api/auth/login', { body: { ...body, password: 'wrong' }, ip: '203.0.113.21' })
  const [refused] = await events('?action=user.sign_in_refused')
  assert.equal(refused.actor.type, 'anonymous')
  assert.equal(refused.reason, 'invalid_credentials')
  assert.equal(refused.outcome, 'denied')
  assert.deepEqual(refused.targets, [{ type: 'user', id: String(t.main.users.Admin.id) }])
  assert.equal(refused.context.ip, '203.0.113.21')
  await t.call('POST', '/v1/api/auth/logout', { as: json.accessToken })
  const [ended] = await events('?action=user.signed_out')
  assert.deepEqual(ended.targets, [{ type: 'session', id: entry.targets[0].id }])
})

test('what a key does names the key and whose it is', async () => {
  await t.call('PATCH', '/v2/organization', { as: t.main.liveKey, body: { currency: 'EUR' } })
  const [event] = await events('?action=organization.updated&actorType=key')
  assert.match(event.actor.id, /^key_/)
  assert.equal(event.actor.onBehalfOf, String(t.main.users.Admin.id))
  assert.equal(event.after.currency, 'EUR')
})

test('filters find what they say, and pages hold every event once', async () => {
  for (const currency of ['USD', 'CHF', 'EUR'])
    await t.call('PATCH', '/v2/organization', { as: admin(), body: { currency }, ip: '198.51.100.7' })
  const all = await events('?limit=200')
  const check = async (query: string, isWanted: (event: (typeof all)[number]) => boolean) => {
    const found = await events(`?limit=200&${query}`)
    assert.deepEqual(
      found.map(event => event.auditEventId),
      all.filter(isWanted).map(event => event.auditEventId),
      query,
    )
    assert.ok(found.length > 0, query)
  }
  await check('ip=198.51.100.7', ({ context }) => context.ip === '198.51.100.7')
  await check('action=user.*', ({ action }) => action.startsWith('user.'))
  await check('outcome=denied', ({ outcome }) => outcome === 'denied')
  await check(`actor=${t.main.users.Admin.id}`, ({ actor }) =>
    [actor.id, actor.onBehalfOf].includes(String(t.main.users.Admin.id)),
  )
  await check('q=CHF', ({ before, after }) => JSON.stringify([before, after]).includes('CHF'))
  await check('q=new.address', event => JSON.stringify(event).includes('new.address'))
  await check(`from=${encodeURIComponent(all.at(2).at)}`, ({ at }) => at >= all.at(2).at)
  await check(`to=${encodeURIComponent(all.at(2).at)}`, ({ at }) => at < all.at(2).at)
  const paged: string[] = []
  let cursor = ''
  do {
    const { json } = await t.call('GET', `/v2/audit-events?limit=3${cursor}`, { as: admin() })
    paged.push(...json.data.map((event: { auditEventId: string }) => event.auditEventId))
    cursor = json.meta.pagination.nextCursor === null ? '' : `&cursor=${json.meta.pagination.nextCursor}`
  } while (cursor !== '')
  assert.deepEqual(
    paged,
    all.map(event => event.auditEventId),
  )
})

test('another organization sees none of it', async () => {
  const { json } = await t.call('GET', '/v2/audit-events', { as: t.other.tokens.Admin })
  assert.deepEqual(json.data, [])
})
