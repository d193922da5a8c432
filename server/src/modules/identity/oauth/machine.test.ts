// An app in its own name: client credentials by foreign clients, what the token may do, where it acts, and how it ends.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { basic, startOAuth } from '../../../../test/oauth.ts'

const { t, base, newApp, discover, post, me } = await startOAuth()

async function tokenOf({ clientId, secret }: { clientId: string; secret: string }, scope?: string): Promise<string> {
  const config = await discover(clientId, secret)
  return (await openid.clientCredentialsGrant(config, scope === undefined ? {} : { scope })).access_token
}

describe('openid-client', () => {
  test('gets a token of RFC 9068 that acts as the app in live mode, within its scopes', async () => {
    const app = await newApp()
    const config = await discover(app.live.clientId, app.live.secret)
    const answer = await openid.clientCredentialsGrant(config, { scope: 'leads:read profile:read' })
    assert.equal(answer.token_type, 'bearer')
    assert.equal(answer.expires_in, 3600)
    assert.equal(answer.scope, 'leads:read profile:read')
    const claims = decodeJwt(answer.access_token)
    assert.equal(decodeProtectedHeader(answer.access_token).typ, 'at+jwt')
    assert.deepEqual(
      [claims.iss, claims.aud, claims.sub, claims['client_id'], claims['tenant_id']],
      [`${base}/oauth`, base, app.live.clientId, app.live.clientId, t.main.liveTenantId],
    )
    assert.equal(claims['role'], undefined)
    const who = await me(answer.access_token)
    assert.equal(who.status, 200, who.text)
    assert.deepEqual(who.json.permissions, ['leads:read', 'profile:read'])
    assert.deepEqual(who.json.tenant, { id: t.main.liveTenantId, mode: 'live' })
    assert.equal((await t.call('GET', '/v1/api/leads', { as: answer.access_token })).status, 200)
  })

  test('takes the secret in the body too, and without a scope the app gets all of its own', async () => {
    const app = await newApp()
    const config = await discover(app.test.clientId, app.test.secret, openid.ClientSecretPost(app.test.secret))
    const { access_token, scope } = await openid.clientCredentialsGrant(config, {})
    assert.equal(scope, 'leads:read leads:create profile:read')
    const who = await me(access_token)
    assert.deepEqual(who.json.tenant, { id: t.main.testTenantId, mode: 'test' })
  })
})

test('oauth4webapi gets a token, and reads the challenges of RFC 6750', async () => {
  const app = await newApp({ scopes: ['profile:read'] })
  const issuer = new URL(`${base}/oauth`)
  const insecure = { [oauth.allowInsecureRequests]: true }
  const as = await oauth
    .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    .then(response => oauth.processDiscoveryResponse(issuer, response))
  const client = { client_id: app.live.clientId }
  const response = await oauth.clientCredentialsGrantRequest(
    as,
    client,
    oauth.ClientSecretBasic(app.live.secret),
    new URLSearchParams({ scope: 'profile:read' }),
    insecure,
  )
  const { access_token } = await oauth.processClientCredentialsResponse(as, client, response)
  const url = new URL(`${base}/v1/api/leads`)
  await assert.rejects(
    oauth.protectedResourceRequest(access_token, 'GET', url, undefined, undefined, insecure),
    (error: oauth.WWWAuthenticateChallengeError) => {
      const [challenge] = error.cause
      assert.equal(error.status, 403)
      assert.equal(challenge?.parameters.error, 'insufficient_scope')
      assert.equal(challenge?.parameters.scope, 'leads:read')
      assert.equal(challenge?.parameters['resource_metadata'], `${base}/.well-known/oauth-protected-resource`)
      return true
    },
  )
})

describe('what is refused', () => {
  const refusals: [string, (app: Awaited<ReturnType<typeof newApp>>) => [object, object], number, string][] = [
    ['a wrong secret', app => [{}, basic(app.live.clientId, 'tdm_cs_live_wrong')], 401, 'invalid_client'],
    ['the secret of the other mode', app => [{}, basic(app.live.clientId, app.test.secret)], 401, 'invalid_client'],
    ['an unknown client', () => [{}, basic('tdm_app_live_nobody', 'x')], 401, 'invalid_client'],
    ['no client', () => [{}, {}], 400, 'invalid_request'],
    [
      'an unknown scope',
      app => [{ scope: 'leads:read leads:fly' }, basic(app.live.clientId, app.live.secret)],
      400,
      'invalid_scope',
    ],
    [
      'scopes parted by commas',
      app => [{ scope: 'leads:read,leads:create' }, basic(app.live.clientId, app.live.secret)],
      400,
      'invalid_scope',
    ],
    [
      'a scope above the ceiling',
      app => [{ scope: 'users:manage' }, basic(app.live.clientId, app.live.secret)],
      400,
      'invalid_scope',
    ],
    [
      'a resource of another server',
      app => [{ resource: 'https://api.evil.example' }, basic(app.live.clientId, app.live.secret)],
      400,
      'invalid_target',
    ],
    [
      'another grant',
      app => [{ grant_type: 'password', username: 'a', password: 'b' }, basic(app.live.clientId, app.live.secret)],
      400,
      'unsupported_grant_type',
    ],
  ]
  for (const [what, request, status, error] of refusals) {
    test(what, async () => {
      const app = await newApp()
      const [form, headers] = request(app)
      const answer = await post(
        '/oauth/token',
        { grant_type: 'client_credentials', ...form },
        headers as Record<string, string>,
      )
      assert.equal(answer.json?.error, error, answer.text)
      assert.equal(answer.status, status)
    })
  }

  test('an unknown scope is named', async () => {
    const app = await newApp()
    const form = { grant_type: 'client_credentials', scope: 'leads:fly' }
    const { json } = await post('/oauth/token', form, basic(app.live.clientId, app.live.secret))
    assert.match(json.error_description, /leads:fly/)
  })
})

describe('an app ends', () => {
  test('when it is suspended, and goes on when it is active again', async () => {
    const app = await newApp()
    const token = await tokenOf(app.live)
    const change = (status: string) =>
      t.call('PATCH', `/v2/auth/apps/${app.appId}`, { as: t.main.tokens.Admin, body: { status } })
    assert.equal((await change('suspended')).status, 200)
    assert.equal((await me(token)).json.code, 'token_revoked')
    await assert.rejects(tokenOf(app.live), { error: 'invalid_client', status: 401 })
    assert.equal((await change('active')).status, 200)
    assert.equal((await me(token)).status, 200)
    assert.equal((await me(await tokenOf(app.live))).status, 200)
  })

  test('when it is deleted, on another node within two seconds too', async () => {
    const other = await t.secondApp({ TANDEM_PUBLIC_URL: base })
    const app = await newApp()
    const token = await tokenOf(app.live)
    assert.equal((await other.call('GET', '/v1/api/auth/me', { as: token })).status, 200)
    const gone = await t.call('DELETE', `/v2/auth/apps/${app.appId}`, { as: t.main.tokens.Admin })
    assert.deepEqual(gone.json.data, { appId: app.appId, deleted: true })
    assert.equal((await me(token)).json.code, 'token_revoked')
    await other.app.services.authenticator.poll()
    assert.equal((await other.call('GET', '/v1/api/auth/me', { as: token })).json.code, 'token_revoked')
  })

  test('everywhere, when it is signed out; its secrets stay', async () => {
    const app = await newApp()
    const token = await tokenOf(app.live)
    const out = await t.call('DELETE', `/v2/auth/apps/${app.appId}/tokens`, { as: t.main.tokens.Admin })
    assert.equal(out.status, 200, out.text)
    assert.equal((await me(token)).json.code, 'token_revoked')
  })

  test('with fewer scopes its tokens may do less at once', async () => {
    const app = await newApp()
    const token = await tokenOf(app.live)
    const body = { scopes: ['profile:read'] }
    await t.call('PATCH', `/v2/auth/apps/${app.appId}`, { as: t.main.tokens.Admin, body })
    assert.deepEqual((await me(token)).json.permissions, ['profile:read'])
  })

  test('with its secret: two work at a time, a deleted one does not', async () => {
    const app = await newApp()
    const as = t.main.tokens.Admin
    const second = await t.call('POST', `/v2/auth/apps/${app.appId}/secrets`, { as, body: { mode: 'live' } })
    const third = await t.call('POST', `/v2/auth/apps/${app.appId}/secrets`, { as, body: { mode: 'live' } })
    assert.equal(third.json.error.code, 'too_many_secrets')
    await tokenOf(app.live)
    await tokenOf({ clientId: app.live.clientId, secret: second.json.data.secret })
    const { secretId } = second.json.data
    await t.call('DELETE', `/v2/auth/apps/${app.appId}/secrets/${secretId}`, { as })
    await assert.rejects(tokenOf({ clientId: app.live.clientId, secret: second.json.data.secret }))
    await tokenOf(app.live)
  })
})

describe('revocation and introspection', () => {
  test('a token is active for its own client only, until it is revoked', async () => {
    const [app, stranger] = [await newApp(), await newApp()]
    const config = await discover(app.live.clientId, app.live.secret)
    const { access_token } = await openid.clientCredentialsGrant(config, {})
    const seen = await openid.tokenIntrospection(config, access_token)
    assert.equal(seen.active, true)
    assert.equal(seen.client_id, app.live.clientId)
    const other = await discover(stranger.live.clientId, stranger.live.secret)
    assert.deepEqual(await openid.tokenIntrospection(other, access_token), { active: false })
    await openid.tokenRevocation(other, access_token)
    assert.equal((await me(access_token)).status, 200, 'a stranger ends nothing')
    await openid.tokenRevocation(config, access_token)
    assert.equal((await me(access_token)).json.code, 'token_revoked')
    assert.deepEqual(await openid.tokenIntrospection(config, access_token), { active: false })
    await openid.tokenRevocation(config, 'no token at all')
  })
})
