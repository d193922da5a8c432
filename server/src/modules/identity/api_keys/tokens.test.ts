// Tokens made of API keys: they are the key for a quarter of an hour and nothing more, only its owner gets them, and they
// die with it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SignJWT } from 'jose'
import { type Answer, startTestApp, type TestApp, testPassword } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Role } from '../../../kernel/values/permission.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({ env: { TANDEM_RATE_LIMIT_IP: '100000', TANDEM_RATE_LIMIT_KEY: '50000' } })
})
after(() => t?.close())

const path = '/v2/auth/api-keys'
const mint = (keyId: string, as: string) => t.call('POST', `${path}/${keyId}/tokens`, { as })
const whoAmI = (as: string) => t.call('GET', '/v2/users/me', { as })

async function logIn(role: Role, mode = 'live', organization = t.main): Promise<string> {
  const body = { emailOrAdminId: organization.users[role].email, password: testPassword, mode }
  const { json } = await t.call('POST', '/v1/api/auth/login', { body })
  return json.accessToken
}

async function newKey(body: object = {}, as = t.main.tokens.Admin): Promise<{ keyId: string; secret: string }> {
  const { status, text, json } = await t.call('POST', path, { as, body: { name: 'k', mode: 'live', ...body } })
  assert.equal(status, 201, text)
  return json.data
}

async function tokenOf(keyId: string, as = t.main.tokens.Admin): Promise<string> {
  const { status, text, json } = await mint(keyId, as)
  assert.equal(status, 201, text)
  return json.data.token
}

function refused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.json.error?.code, code, answer.text)
  assert.equal(answer.status, status)
}

/** At once here, and on the other node once it looks. */
async function dies(as: string, code: string, other: Pick<TestApp, 'app' | 'call'>): Promise<void> {
  refused(await whoAmI(as), 401, code)
  await other.app.services.authenticator.poll()
  refused(await other.call('GET', '/v2/users/me', { as }), 401, code)
}

describe('a token', () => {
  test('is the key in everything: tenant, scopes, rights, limit, log and last use', async () => {
    const scopes = ['profile:read', 'leads:read', 'keys:manage']
    const { keyId, secret } = await newKey({ mode: 'test', scopes })
    const { json } = await mint(keyId, t.main.tokens.Admin)
    const { token, expiresAt, ...rest } = json.data
    assert.deepEqual(rest, { keyId })
    const left = Date.parse(expiresAt) - t.clock.now()
    assert.ok(left > 890_000 && left <= 900_000, String(left))
    const asToken = await whoAmI(token)
    assert.deepEqual(asToken.json.data, (await whoAmI(secret)).json.data)
    assert.equal(asToken.json.data.keyId, keyId)
    assert.equal(asToken.json.data.tenantId, t.main.testTenantId)
    assert.deepEqual(asToken.json.data.permissions, [...scopes].sort())
    assert.match(asToken.headers['ratelimit-policy'] ?? '', /^"key";q=50000/)
    refused(await t.call('GET', '/v2/messages', { as: token }), 403, 'insufficient_scope')
    const remaining = (answer: Answer) => Number(/r=(\d+)/.exec(answer.headers['ratelimit'] ?? '')?.[1])
    const [first, second] = [await whoAmI(secret), await whoAmI(token)]
    assert.equal(remaining(second), remaining(first) - 1, 'key and token share one limit')

    await t.app.flush()
    const logged = await t.sql<{ key_id: string; tenant_id: number }>(
      'select key_id, tenant_id::int from request_log where id = $1',
      [asToken.headers['x-request-id']],
    )
    assert.deepEqual(logged, [{ key_id: keyId, tenant_id: t.main.testTenantId }])
  })

  test('is refused in its sixteenth minute, and has no successor', async () => {
    const { keyId } = await newKey()
    const token = await tokenOf(keyId)
    assert.equal((await t.call('POST', '/v1/api/auth/refresh', { body: { refreshToken: token } })).status, 401)
    refused(await mint(keyId, token), 403, 'person_required')
    t.clock.advance(890_000)
    assert.equal((await whoAmI(token)).status, 200)
    t.clock.advance(10_000)
    refused(await whoAmI(token), 401, 'token_expired')
  })

  test('can do no more than the key, and makes nothing that outlives it: no keys, no end of sessions', async () => {
    const { keyId } = await newKey({ scopes: ['keys:manage', 'leads:read'] })
    const token = await tokenOf(keyId)
    const create = (body: object) => t.call('POST', path, { as: token, body: { name: 'k', mode: 'live', ...body } })
    refused(await create({}), 403, 'person_required')
    refused(await create({ scopes: ['leads:read'] }), 403, 'person_required')
    const wholeKey = await newKey()
    const whole = await tokenOf(wholeKey.keyId)
    refused(await t.call('POST', path, { as: whole, body: { name: 'k', mode: 'test' } }), 403, 'person_required')
    refused(await t.call('POST', `${path}/${wholeKey.keyId}/rotate`, { as: whole }), 403, 'person_required')
    const phone = await t.call('POST', '/v2/voice/client-tokens', { as: whole, body: { ttlSeconds: 86_400 } })
    assert.ok(Date.parse(phone.json.data.expiresAt) <= t.clock.now() + 900_000, 'a phone goes with the token it is of')
    const person = await logIn('Admin')
    assert.equal((await t.call('POST', '/v1/api/auth/logout', { as: whole })).status, 200)
    for (const as of [whole, person]) assert.equal((await whoAmI(as)).status, 200)
  })

  test('ends no later than its key', async () => {
    const expiresAt = new Date(Math.ceil(t.clock.now() / 1000) * 1000 + 60_000).toISOString()
    const { keyId } = await newKey({ expiresAt })
    const { json } = await mint(keyId, await logIn('Admin'))
    assert.equal(json.data.expiresAt, expiresAt)
  })
})

describe('who gets one', () => {
  test('every role, for keys of its own: of either mode from a live session, of test mode from one of test mode', async () => {
    for (const role of ['Sales Manager', 'Sales Executive', 'Finance Manager'] as const) {
      const live = await newKey({ mode: 'live' }, await logIn(role))
      for (const sessionMode of ['live', 'test']) {
        const as = await logIn(role, sessionMode)
        for (const mode of ['live', 'test']) {
          if (sessionMode === 'test' && mode === 'live') {
            refused(await t.call('POST', path, { as, body: { name: 'k', mode } }), 403, 'live_mode_required')
            refused(await t.call('POST', `${path}/${live.keyId}/rotate`, { as }), 403, 'live_mode_required')
            refused(await t.call('DELETE', `${path}/${live.keyId}`, { as }), 403, 'live_mode_required')
            refused(await mint(live.keyId, as), 403, 'live_mode_required')
            continue
          }
          const { keyId } = await newKey({ mode }, as)
          const { json } = await whoAmI(await tokenOf(keyId, as))
          assert.deepEqual([json.data.mode, json.data.role, json.data.keyId], [mode, role, keyId])
        }
      }
    }
  })

  test('nobody for the key of another, be it an Admin, and no key', async () => {
    const executive = await logIn('Sales Executive')
    const { keyId } = await newKey({}, executive)
    const admin = await logIn('Admin')
    refused(await mint(keyId, admin), 404, 'not_found')
    refused(await mint(keyId, await logIn('Admin', 'live', t.other)), 404, 'not_found')
    const own = await newKey({}, admin)
    for (const credential of [own.secret, t.main.liveKey, t.main.testKey]) {
      refused(await mint(own.keyId, credential), 403, 'person_required')
    }
    refused(await mint('key_nonsense', admin), 404, 'not_found')
  })

  test('nobody for a key that has ended', async () => {
    const as = await logIn('Admin')
    const [revoked, rotated, expired] = [await newKey({}, as), await newKey({}, as), await newKey({}, as)]
    await t.call('DELETE', `${path}/${revoked.keyId}`, { as })
    await t.call('POST', `${path}/${rotated.keyId}/rotate`, { as, body: { overlapSeconds: 0 } })
    await t.ownerSql('update api_keys set expires_at = now() where id = $1', [expired.keyId])
    for (const { keyId } of [revoked, rotated, expired]) refused(await mint(keyId, as), 409, 'key_not_active')
  })
})

describe('its end', () => {
  test('comes with that of the key, on every node', async () => {
    const node = await t.secondApp()
    const as = await logIn('Admin')
    const ends = {
      revoke: (keyId: string) => t.call('DELETE', `${path}/${keyId}`, { as }),
      rotate: (keyId: string) => t.call('POST', `${path}/${keyId}/rotate`, { as, body: { overlapSeconds: 0 } }),
    }
    for (const end of Object.values(ends)) {
      const { keyId } = await newKey({}, as)
      const token = await tokenOf(keyId, as)
      for (const on of [t, node]) assert.equal((await on.call('GET', '/v2/users/me', { as: token })).status, 200)
      assert.ok((await end(keyId)).status < 300)
      await dies(token, 'key_revoked', node)
    }
  })

  test('comes when the key ends by itself, without anybody being notified', async () => {
    const as = await logIn('Admin')
    const [expiring, rotating] = [await newKey({}, as), await newKey({}, as)]
    const tokens = [await tokenOf(expiring.keyId, as), await tokenOf(rotating.keyId, as)] as const
    await t.ownerSql("update api_keys set expires_at = $2::timestamptz + interval '5 seconds' where id = $1", [
      expiring.keyId,
      new Date(t.clock.now()).toISOString(),
    ])
    await t.ownerSql("update api_keys set revoked_at = $2::timestamptz + interval '5 seconds' where id = $1", [
      rotating.keyId,
      new Date(t.clock.now()).toISOString(),
    ])
    for (const token of tokens) assert.equal((await whoAmI(token)).status, 200)
    t.clock.advance(5_000)
    refused(await whoAmI(tokens[0]), 401, 'key_expired')
    refused(await whoAmI(tokens[1]), 401, 'key_revoked')
  })

  test('comes with the disabling of the user, and a narrower role narrows it', async () => {
    const node = await t.secondApp()
    const { id } = t.other.users['Sales Manager']
    const admin = await logIn('Admin', 'live', t.other)
    const as = await logIn('Sales Manager', 'live', t.other)
    const change = (body: object) => t.call('PATCH', `/v1/api/users/${id}`, { as: admin, body })
    const token = await tokenOf((await newKey({}, as)).keyId, as)
    const rights = async (): Promise<string[]> => (await whoAmI(token)).json.data.permissions
    assert.ok((await rights()).includes('leads:delete'))
    assert.equal((await node.call('GET', '/v2/users/me', { as: token })).status, 200)
    await change({ role: 'Sales Executive' })
    assert.ok(!(await rights()).includes('leads:delete'))
    await change({ disabled: true })
    await dies(token, 'key_revoked', node)
  })
})

test('a token that names a key of others, a session as well, or neither, is refused', async () => {
  const as = await logIn('Admin')
  const { keyId } = await newKey({}, as)
  const token = await tokenOf(keyId, as)
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map(part => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const signer = t.instance.signing().published[0].privateKey
  const forge = (change: object) => new SignJWT({ ...payload, ...change }).setProtectedHeader(header).sign(signer)
  assert.equal((await whoAmI(await forge({}))).status, 200, 'the way of forging is right')
  assert.deepEqual(Object.keys(payload).sort(), [
    'aud',
    'client_id',
    'exp',
    'iat',
    'iss',
    'jti',
    'role',
    'sub',
    'tenant_id',
  ])
  const { keyId: foreign } = await newKey({}, await logIn('Admin', 'live', t.other))
  const session = JSON.parse(Buffer.from(as.split('.')[1] as string, 'base64url').toString()).sid
  for (const change of [
    { client_id: foreign },
    { client_id: newId('key') },
    { client_id: 'key_x' },
    { client_id: undefined },
    { client_id: 7 },
    { sid: session },
    { tenant_id: t.main.testTenantId },
    { sub: String(t.main.users['Sales Manager'].id) },
    { client_id: undefined, sid: newId('ses') },
  ]) {
    refused(await whoAmI(await forge(change)), 401, 'invalid_token')
  }
  refused(await whoAmI(await forge({ role: 'Admin', exp: 1_700_000_000 })), 401, 'token_expired')
})
