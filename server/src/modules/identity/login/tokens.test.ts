// Credentials that only look right: edited, expired, unsigned, foreign and confused tokens; keys with a broken
// checksum, of disabled users, expired or revoked. None may pass, and each answer says which it is.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportSPKI, importJWK, SignJWT } from 'jose'
import { startTestApp, type TestApp, testPassword } from '../../../../test/harness.ts'
import { newSigningJwk, signingKeyFrom } from '../../../kernel/access/tokens.ts'
import { newId } from '../../../kernel/values/ids.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const me = (as: string, ip?: string) => t.call('GET', '/v1/api/auth/me', { as, ip })

async function refused(credential: string, code: string): Promise<void> {
  const answer = await me(credential)
  assert.equal(answer.status, 401, `${credential} passed`)
  assert.equal(answer.json.code, code)
  assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer /)
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const parts = (token: string) => token.split('.') as [string, string, string]
const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())

test('an edited token is refused, whatever part was edited', async () => {
  const token = t.main.tokens['Sales Executive']
  const [header, payload, signature] = parts(token)
  const claims = read(payload)
  await refused(`${header}.${part({ ...claims, role: 'Admin' })}.${signature}`, 'invalid_token')
  await refused(`${header}.${part({ ...claims, sub: String(t.main.users.Admin.id) })}.${signature}`, 'invalid_token')
  await refused(`${header}.${part({ ...claims, tenant_id: t.other.liveTenantId })}.${signature}`, 'invalid_token')
  await refused(`${header}.${part({ ...claims, exp: claims.exp + 3600 })}.${signature}`, 'invalid_token')
  const flipped = signature[10] === 'A' ? 'B' : 'A'
  await refused(`${header}.${payload}.${signature.slice(0, 10)}${flipped}${signature.slice(11)}`, 'invalid_token')
  await refused(`${header}.${payload}.`, 'invalid_token')
  await refused(`${header}.${payload}`, 'invalid_token')
  assert.equal((await me(token)).status, 200)
})

test('no algorithm, another algorithm, the public key as a secret: refused', async () => {
  const token = t.main.tokens.Admin
  const [header, payload, signature] = parts(token)
  const { kid } = read(header)
  for (const alg of ['none', 'None', 'NONE', '']) {
    await refused(`${part({ alg, typ: 'at+jwt', kid })}.${payload}.`, 'invalid_token')
    await refused(`${part({ alg, typ: 'at+jwt', kid })}.${payload}.${signature}`, 'invalid_token')
  }
  const { json } = await t.call('GET', '/.well-known/jwks.json')
  const publicJwk = json.keys[0]
  const publicKey = (await importJWK(publicJwk, 'ES256')) as CryptoKey
  for (const secret of [await exportSPKI(publicKey), JSON.stringify(publicJwk), publicJwk.x]) {
    const forged = await new SignJWT(read(payload))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
      .sign(Buffer.from(secret))
    await refused(forged, 'invalid_token')
  }
  assert.equal('d' in publicJwk, false, 'the private part is not published')
})

test('a token of another key, issuer, audience or kind is refused; headers that name keys are ignored', async () => {
  const [header, payload] = parts(t.main.tokens.Admin)
  const { kid } = read(header)
  const stranger = await signingKeyFrom(await newSigningJwk('stranger'))
  const ours = { alg: 'ES256', typ: 'at+jwt' }
  const sign = (head: object, claims = read(payload)) =>
    new SignJWT(claims).setProtectedHeader({ ...ours, ...head } as never).sign(stranger.privateKey)
  await refused(await sign({ kid: 'stranger' }), 'invalid_token')
  await refused(await sign({ kid }), 'invalid_token')
  await refused(await sign({ kid: 'stranger', jwk: stranger.publicJwk }), 'invalid_token')
  await refused(await sign({ kid, jku: 'http://127.0.0.1:1/jwks.json' }), 'invalid_token')
  await refused(await sign({}), 'invalid_token')

  const [own] = t.instance.signing().published
  const signOwn = (change: object, head: object = {}) =>
    new SignJWT({ ...read(payload), ...change })
      .setProtectedHeader({ ...ours, kid, ...head } as never)
      .sign(own.privateKey)
  assert.equal((await me(await signOwn({}))).status, 200, 'the way of forging is right')
  await refused(await signOwn({ iss: 'other' }), 'invalid_token')
  await refused(await signOwn({ aud: 'other' }), 'invalid_token')
  await refused(await signOwn({}, { typ: 'JWT' }), 'invalid_token')
  await refused(await signOwn({ sid: undefined }), 'invalid_token')
  await refused(await signOwn({ sid: newId('ses') }), 'invalid_token')
  await refused(await signOwn({ tenant_id: t.main.testTenantId }), 'invalid_token')
  await refused(await signOwn({ tenant_id: t.other.liveTenantId }), 'invalid_token')
  await refused(await signOwn({ sub: String(t.main.users['Sales Manager'].id) }), 'invalid_token')
  await refused(await signOwn({ exp: 1_700_000_000 }), 'token_expired')
})

test('tokens name the public address as their issuer, and stay good when it is set, changed or taken away', async () => {
  const addresses = ['https://crm.acme.example', 'https://new.acme.example/tandem']
  const nodes = [t, ...(await Promise.all(addresses.map(TANDEM_PUBLIC_URL => t.secondApp({ TANDEM_PUBLIC_URL }))))]
  const { email } = t.main.users.Admin
  for (const [i, node] of nodes.entries()) {
    const body = { emailOrAdminId: email, password: testPassword }
    const { accessToken } = (await node.call('POST', '/v1/api/auth/login', { body })).json
    assert.equal(read(parts(accessToken)[1]).iss, addresses[i - 1] ?? 'tandem')
    for (const other of nodes) {
      assert.equal((await other.call('GET', '/v1/api/auth/me', { as: accessToken })).status, 200)
    }
  }
})

test('what is no token at all is refused without harm', async () => {
  for (const junk of [
    'x',
    '..',
    '...',
    'a.b.c',
    'e30.e30.e30',
    'Basic',
    `${'a'.repeat(3000)}.b.c`,
    '%00',
    'null',
    'tdm_',
    'tdm_rt_x',
  ]) {
    const answer = await me(junk)
    assert.equal(answer.status, 401, junk)
    assert.match(answer.json.code, /^invalid_(token|api_key)$/)
  }
  for (const authorization of ['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', t.main.liveKey]) {
    const answer = await t.call('GET', '/v1/api/auth/me', { headers: { authorization } })
    assert.equal(answer.status, 401, authorization)
    assert.equal(answer.json.code, 'missing_credentials')
  }
})

test('a token ends after its hour, to the second', async () => {
  const { json } = await t.call('POST', '/v1/api/auth/login', {
    body: { emailOrAdminId: t.main.users['Finance Manager'].email, password: testPassword },
  })
  const { exp } = read(parts(json.accessToken)[1])
  t.clock.advance(exp * 1000 - t.clock.now() - 500)
  assert.equal((await me(json.accessToken)).status, 200)
  t.clock.advance(500)
  await refused(json.accessToken, 'token_expired')
})

test('a key with a broken checksum costs no look-up; a whole but unknown one does', async () => {
  const { db } = t.app.services
  const asked: string[] = []
  const { call } = db
  db.call = (name, ...rest) => {
    asked.push(name)
    return call(name, ...rest)
  }
  try {
    const key = t.main.liveKey
    const last = key.at(-1) === '0' ? '1' : '0'
    for (const broken of [
      key.slice(0, -1) + last,
      key.replace('live', 'test'),
      key.toLowerCase(),
      `${key}0`,
      key.slice(0, -1),
      'tdm_live_',
    ]) {
      await refused(broken, 'invalid_api_key')
    }
    assert.ok(!asked.includes('auth_api_key'), 'a broken key reached the database')
    const { newApiKey } = await import('../../../kernel/values/ids.ts')
    await refused(newApiKey('live'), 'invalid_api_key')
    assert.ok(asked.includes('auth_api_key'))
  } finally {
    db.call = call
  }
})

test('a key of a disabled user stops, an expired key says so, a role change narrows a key', async () => {
  const { id, email } = t.other.users['Sales Manager']
  // The clock was moved: a token of now is needed.
  const { json: session } = await t.call('POST', '/v1/api/auth/login', {
    body: { emailOrAdminId: email, password: testPassword },
  })
  const { json: admin } = await t.call('POST', '/v1/api/auth/login', {
    body: { emailOrAdminId: t.other.users.Admin.email, password: testPassword },
  })
  const create = async (body: object) =>
    (await t.call('POST', '/v2/auth/api-keys', { as: session.accessToken, body: { name: 'k', mode: 'live', ...body } }))
      .json.data.secret
  const [whole, narrow] = [await create({}), await create({ scopes: ['leads:delete', 'profile:read'] })]
  const expiring = await create({ expiresAt: new Date(t.clock.now() + 60_000).toISOString() })
  const change = (body: object) => t.call('PATCH', `/v1/api/users/${id}`, { as: admin.accessToken, body })
  const may = async (key: string): Promise<string[]> => (await me(key)).json.permissions

  assert.deepEqual(await may(narrow), ['leads:delete', 'profile:read'])
  assert.ok((await may(whole)).includes('leads:delete'))
  await change({ role: 'Sales Executive' })
  assert.deepEqual(await may(narrow), ['profile:read'])
  assert.ok(!(await may(whole)).includes('leads:delete'))

  assert.equal((await me(expiring)).status, 200)
  t.clock.advance(60_000)
  await refused(expiring, 'key_expired')

  await change({ disabled: true })
  for (const key of [whole, narrow, expiring]) await refused(key, 'key_revoked')
  await change({ disabled: false })
  assert.equal((await me(whole)).status, 200)
  await refused(session.accessToken, 'token_revoked')
})
