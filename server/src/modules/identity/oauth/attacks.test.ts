// What must not work: tokens taken for others, Host headers, and a database that is read: none of it gives anything away.
import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { describe, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, exportJWK, importJWK, type JWTPayload, SignJWT } from 'jose'
import * as openid from 'openid-client'
import { basic, startOAuth, walk } from '../../../../test/oauth.ts'
import { newSigningJwk } from '../../../kernel/access/tokens.ts'

const o = await startOAuth()
const { t, base, newApp, discover, post, me } = o
const redirect = 'https://sync.example.com/callback'

async function signingKey() {
  const { privateJwk: jwk, privateKey: key } = t.instance.signing().published[0]
  return { jwk, key }
}

async function machineToken() {
  const app = await newApp()
  const config = await discover(app.live.clientId, app.live.secret)
  const { access_token } = await openid.clientCredentialsGrant(config, { scope: 'profile:read' })
  return {
    app,
    config,
    token: access_token,
    claims: decodeJwt(access_token),
    header: decodeProtectedHeader(access_token),
  }
}

describe('a token is taken for what it is, and for nothing else', () => {
  test('signed by our own key, but with other claims', async () => {
    const { claims, header } = await machineToken()
    const { key } = await signingKey()
    const signed = (changed: JWTPayload, protectedHeader: object = {}) =>
      new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: header.kid as string, ...protectedHeader })
        .sign(key)
    assert.equal((await me(await signed({}))).status, 200, 'the same claims work')
    const variants: [string, Promise<string>][] = [
      ['for another resource', signed({ aud: 'https://other.example' })],
      ['for /mcp', signed({ aud: `${base}/mcp` })],
      ['for sessions', signed({ aud: 'tandem-api' })],
      ['of another issuer', signed({ iss: `${base}/oauth/` })],
      ['of the issuer of sessions', signed({ iss: 'tandem', aud: 'tandem-api' })],
      ['bound to a key', signed({ cnf: { jkt: 'x' } })],
      ['of another client', signed({ client_id: 'tdm_app_live_other' })],
      ['of another subject', signed({ sub: String(t.main.users.Admin.id) })],
      ['in another tenant', signed({ tenant_id: t.main.testTenantId })],
      ['in the tenant of others', signed({ tenant_id: t.other.liveTenantId })],
      ['with a grant that is none', signed({ grant_id: 'gra_01k9r7d3w2v8e6q4n5m1b0c9xz' })],
      ['without jti', signed({ jti: undefined })],
      ['of another type', signed({}, { typ: 'JWT' })],
      ['of a foreign key', signed({}, { kid: 'stranger' })],
      ['that has expired', signed({ exp: Math.floor(Date.now() / 1000) - 1 })],
      [
        'of a session that is none',
        signed({ sid: 'ses_01k9r7d3w2v8e6q4n5m1b0c9xz', iss: base, aud: 'tandem-api', client_id: undefined }),
      ],
    ]
    for (const [what, making] of variants) {
      const answer = await me(await making)
      assert.equal(answer.status, 401, `${what}: ${answer.text}`)
      assert.match(
        answer.headers['www-authenticate'] ?? '',
        /^Bearer realm="tandem", error="invalid_token", resource_metadata="/,
        what,
      )
    }
  })

  test('not signed by us: none, HS256 with the public key, a key of one’s own', async () => {
    const { claims, header } = await machineToken()
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const none = `${encode({ alg: 'none', typ: 'at+jwt', kid: header.kid })}.${encode(claims)}.`
    const { json } = await t.call('GET', '/.well-known/jwks.json')
    const secret = createSecretKey(Buffer.from(JSON.stringify(json.keys[0])))
    const hmac = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: header.kid as string })
      .sign(secret)
    const own = await importJWK(await newSigningJwk(header.kid as string), 'ES256')
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: header.kid as string })
      .sign(own)
    for (const token of [none, hmac, forged]) assert.equal((await me(token)).json.code, 'invalid_token')
    assert.ok((await exportJWK(secret)).k)
  })

  test('without scopes it may do nothing', async () => {
    const { claims, header } = await machineToken()
    const { key } = await signingKey()
    const { scope: _, ...bare } = claims
    const token = await new SignJWT(bare)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: header.kid as string })
      .sign(key)
    for (const path of ['/v1/api/auth/me', '/v1/api/leads', '/v2/users/me'])
      assert.equal((await t.call('GET', path, { as: token })).status, 403, path)
  })

  test('a refresh token is no access token, and the token of a session nothing to the authorization server', async () => {
    const app = await newApp({ redirectUris: [redirect] })
    const config = await discover(app.live.clientId, app.live.secret)
    assert.deepEqual(await openid.tokenIntrospection(config, t.main.tokens.Admin), { active: false })
    const form = { grant_type: 'refresh_token', refresh_token: t.main.tokens.Admin }
    assert.equal(
      (await post('/oauth/token', form, basic(app.live.clientId, app.live.secret))).json.error,
      'invalid_grant',
    )
  })

  test('an app makes no keys and no tokens, and hands nothing out for longer than it lasts', async () => {
    const app = await newApp({ scopes: ['keys:manage', 'users:manage', 'apps:manage', 'phone:use', 'profile:read'] })
    const config = await discover(app.live.clientId, app.live.secret)
    const { access_token: as } = await openid.clientCredentialsGrant(config, {})
    const key = await t.call('POST', '/v2/auth/api-keys', {
      as,
      body: { name: 'x', mode: 'live', scopes: ['profile:read'] },
    })
    assert.equal(key.json.error.code, 'person_required')
    const user = await t.call('POST', '/v1/api/users', {
      as,
      body: { email: 'x@example.com', name: 'X', role: 'Sales Executive' },
    })
    assert.equal(user.json.code, 'scope_not_held')
    const other = await t.call('POST', '/v2/auth/apps', {
      as,
      body: { name: 'x', kind: 'machine', scopes: ['profile:read'] },
    })
    assert.equal(other.json.error.code, 'scope_not_held')
    const phone = await t.call('POST', '/v2/voice/client-tokens', { as, body: {} })
    assert.ok([403, 404].includes(phone.status), phone.text)
  })
})

test('no header of a request gets into what the server says of itself', async () => {
  const { port } = new URL(base)
  const names = [
    'host',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-for',
    'forwarded',
    'x-original-url',
    'x-rewrite-url',
    'x-forwarded-prefix',
    'x-host',
    'x-forwarded-server',
  ]
  const values = ['evil.example', 'evil.example:80', 'evil.example/oauth', '"evil.example"', 'host=evil.example']
  const get = (path: string, headers: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const asked = httpRequest({ host: '127.0.0.1', port, path, headers }, response => {
        let text = JSON.stringify(response.headers)
        response.on('data', chunk => (text += chunk)).on('end', () => resolve(text))
      })
      asked.on('error', reject).end()
    })
  const paths = [
    '/.well-known/oauth-authorization-server/oauth',
    '/oauth/.well-known/openid-configuration',
    '/.well-known/oauth-protected-resource',
    '/oauth/device',
    '/oauth/authorize?client_id=x',
  ]
  let variants = 0
  for (const name of names)
    for (const value of values) {
      variants++
      for (const path of paths) {
        const text = await get(path, { [name]: value })
        assert.doesNotMatch(text, /evil/, `${name}: ${value} at ${path}`)
      }
    }
  assert.ok(variants >= 50)
  const { issuer, token_endpoint, code_challenge_methods_supported } = JSON.parse(
    await (await fetch(`${base}/.well-known/oauth-authorization-server/oauth`)).text(),
  )
  assert.deepEqual(
    [issuer, token_endpoint, code_challenge_methods_supported],
    [`${base}/oauth`, `${base}/oauth/token`, ['S256']],
  )
})

test('no secret that was given out is in the database', async () => {
  const app = await newApp({ redirectUris: [redirect] })
  const config = await discover(app.live.clientId, app.live.secret)
  const verifier = openid.randomPKCECodeVerifier()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: 'leads:read',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const back = await walk(o, url)
  const code = back.searchParams.get('code') as string
  const first = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier })
  const next = await openid.refreshTokenGrant(config, first.refresh_token as string)
  const device = await openid.initiateDeviceAuthorization(config, { scope: 'leads:read' })
  const secrets = [
    code,
    first.access_token,
    first.refresh_token,
    next.refresh_token,
    next.access_token,
    device.device_code,
    device.user_code,
    device.user_code.replace('-', ''),
    app.live.secret,
    app.test.secret,
    verifier,
  ]
  const tables = await t.ownerSql<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  )
  let rows = 0
  for (const { name } of tables) {
    for (const { row } of await t.ownerSql<{ row: string }>(`select r::text as row from ${name} r`)) {
      rows++
      for (const secret of secrets)
        assert.ok(!row.includes(secret as string), `${name} holds a secret: ${row.slice(0, 200)}`)
    }
  }
  assert.ok(rows > 20)
})
