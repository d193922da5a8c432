// People let apps act for them: code with PKCE by foreign clients, refresh with rotation, its races and its grace, devices, and how it
// all ends.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import * as openid from 'openid-client'
import { basic, type RegisteredApp, startOAuth, walk } from '../../../../test/oauth.ts'

const o = await startOAuth()
const { t, base, newApp, discover, post, me } = o
const redirect = 'https://sync.example.com/callback'
const withCode = (fields: object = {}) => newApp({ redirectUris: [redirect], ...fields })

async function authorizationUrl(config: openid.Configuration, more: Record<string, string> = {}) {
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: 'leads:read profile:read',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...more,
  })
  return { url, checks: { pkceCodeVerifier: verifier, expectedState: state } }
}

type How = Parameters<typeof walk>[2] & { app?: RegisteredApp; more?: Record<string, string> }

async function tokens({ app, more, ...decision }: How = {}) {
  const used = app ?? (await withCode())
  const config = await discover(used.live.clientId, used.live.secret || undefined)
  const { url, checks } = await authorizationUrl(config, more)
  const back = await walk(o, url, decision)
  const answer = await openid.authorizationCodeGrant(config, back, checks)
  return { app: used, config, answer, refresh: answer.refresh_token as string, back, checks }
}

const refreshForm = (refresh_token: string) => ({ grant_type: 'refresh_token', refresh_token })

describe('code with PKCE', () => {
  test('gives a token that acts as the person, within what they allowed and their role may', async () => {
    const { answer } = await tokens()
    assert.equal(answer.scope, 'leads:read profile:read')
    const claims = decodeJwt(answer.access_token)
    assert.equal(claims.sub, String(t.main.users.Admin.id))
    assert.match(String(claims['grant_id']), /^gra_/)
    const who = await me(answer.access_token)
    assert.equal(who.json.user.email, t.main.users.Admin.email)
    assert.deepEqual(who.json.permissions, ['leads:read', 'profile:read'])
  })

  test('what the person unticks, or their role does not hold, is not given', async () => {
    const some = await tokens({ scopes: ['profile:read'] })
    assert.equal(some.answer.scope, 'profile:read')
    const app = await withCode({ scopes: ['profile:read', 'users:manage'] })
    const more = { scope: 'profile:read users:manage' }
    const { answer } = await tokens({ app, more, as: t.main.tokens['Sales Executive'] })
    assert.equal(answer.scope, 'profile:read')
  })

  test('who says no sends the app an error', async () => {
    const app = await withCode()
    const config = await discover(app.live.clientId, app.live.secret)
    const { url } = await authorizationUrl(config)
    const back = await walk(o, url, { allow: false })
    assert.equal(back.searchParams.get('error'), 'access_denied')
    assert.equal(back.searchParams.get('iss'), `${base}/oauth`)
    assert.equal(back.origin, 'https://sync.example.com')
  })

  test('asks each time, also the same person in the same browser', async () => {
    const app = await withCode()
    await tokens({ app })
    const { url } = await authorizationUrl(await discover(app.live.clientId, app.live.secret), { prompt: 'none' })
    assert.equal((await walk(o, url)).searchParams.get('error'), 'login_required')
  })

  test('refuses a request without PKCE, with plain, and with scopes that it does not know, by name', async () => {
    const app = await withCode()
    const config = await discover(app.live.clientId, app.live.secret)
    const plain = openid.buildAuthorizationUrl(config, { redirect_uri: redirect, scope: 'leads:read' })
    assert.equal((await walk(o, plain)).searchParams.get('error'), 'invalid_request')
    const weak = await authorizationUrl(config, { code_challenge_method: 'plain' })
    assert.equal((await walk(o, weak.url)).searchParams.get('error'), 'invalid_request')
    const unknown = await walk(o, (await authorizationUrl(config, { scope: 'leads:read leads:fly' })).url)
    assert.equal(unknown.searchParams.get('error'), 'invalid_scope')
    assert.match(unknown.searchParams.get('error_description') ?? '', /leads:fly/)
  })

  test('people of another organization cannot let it in', async () => {
    const app = await withCode()
    const { url } = await authorizationUrl(await discover(app.live.clientId, app.live.secret))
    await assert.rejects(walk(o, url, { as: t.other.tokens.Admin }), /app_not_allowed/)
  })

  test('the page hears only a person, on a page of the portal, in the browser that began', async () => {
    const app = await withCode()
    const { url } = await authorizationUrl(await discover(app.live.clientId, app.live.secret))
    const begun = await fetch(url, { redirect: 'manual' })
    const page = begun.headers.get('location') as string
    const cookie = begun.headers
      .getSetCookie()
      .map(line => line.split(';')[0])
      .join('; ')
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${page}/request`, { headers })
      const answer = (await response.json()) as { error?: { code: string }; over?: string }
      return answer.error?.code ?? answer.over
    }
    const authorization = `Bearer ${t.main.tokens.Admin}`
    const own = { 'x-tandem-portal': '1' }
    assert.equal(await ask({ authorization, cookie }), 'cross_site_request')
    assert.equal(await ask({ ...own, cookie }), 'missing_credentials')
    assert.equal(await ask({ ...own, cookie, authorization: `Bearer ${t.main.liveKey}` }), 'person_required')
    assert.match((await ask({ ...own, authorization })) ?? '', /opened in another browser/)
    assert.equal(await ask({ ...own, authorization, cookie }), undefined)
  })

  test('of many that redeem one code at once one gets tokens, and a code used twice ends what it gave', async () => {
    const app = await withCode()
    const config = await discover(app.live.clientId, app.live.secret)
    const { url, checks } = await authorizationUrl(config)
    const code = (await walk(o, url)).searchParams.get('code') as string
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect,
      code_verifier: checks.pkceCodeVerifier,
    }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => post('/oauth/token', form, basic(app.live.clientId, app.live.secret))),
    )
    const won = answers.filter(({ status }) => status === 200)
    assert.ok(won.length <= 1, `${won.length} won`)
    for (const { status, json } of answers) if (status !== 200) assert.equal(json.error, 'invalid_grant')
    const late = await post('/oauth/token', form, basic(app.live.clientId, app.live.secret))
    assert.equal(late.json.error, 'invalid_grant')
    for (const { json } of won) assert.equal((await me(json.access_token)).json.code, 'token_revoked')
  })
})

describe('refresh', () => {
  for (const count of [8, 64]) {
    test(`${count} at once get the same successor, and it works`, async () => {
      const { app, refresh } = await tokens()
      const answers = await Promise.all(
        Array.from({ length: count }, () =>
          post('/oauth/token', refreshForm(refresh), basic(app.live.clientId, app.live.secret)),
        ),
      )
      const successors = new Set(answers.map(({ json }) => json.refresh_token))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], String(answers[0]?.text))
      assert.equal(successors.size, 1)
      const next = answers[0]?.json.refresh_token as string
      assert.notEqual(next, refresh)
      assert.equal((await me(answers[0]?.json.access_token)).status, 200)
      const again = await post('/oauth/token', refreshForm(next), basic(app.live.clientId, app.live.secret))
      assert.equal(again.status, 200, again.text)
    })
  }

  test('of 32 on two nodes at once all get the same successor', async () => {
    const { app, refresh } = await tokens()
    const { app: node } = await t.secondApp({ TANDEM_PUBLIC_URL: o.base })
    await node.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = node.http.server.address() as { port: number }
    const answers = await Promise.all(
      Array.from({ length: 32 }, async (_, index) => {
        const response = await fetch(`${index % 2 === 0 ? o.base : `http://127.0.0.1:${port}`}/oauth/token`, {
          method: 'POST',
          headers: basic(app.live.clientId, app.live.secret),
          body: new URLSearchParams(refreshForm(refresh)),
        })
        return { status: response.status, json: (await response.json()) as Record<string, string> }
      }),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], JSON.stringify(answers[0]))
    const [next, ...others] = new Set(answers.map(({ json }) => json['refresh_token']))
    assert.equal(others.length, 0)
    for (const at of [0, 1]) assert.equal((await me(answers[at]?.json['access_token'] as string)).status, 200)
    const again = await post('/oauth/token', refreshForm(next as string), basic(app.live.clientId, app.live.secret))
    assert.equal(again.status, 200, again.text)
  })

  test('after the grace a used one ends the authorization: nothing it gave works any more', async () => {
    const { app, refresh, config } = await tokens()
    const next = await openid.refreshTokenGrant(config, refresh)
    await t.ownerSql(
      "update oauth_records set consumed_at = consumed_at - interval '21 seconds' where consumed_at is not null",
    )
    const reused = await post('/oauth/token', refreshForm(refresh), basic(app.live.clientId, app.live.secret))
    assert.equal(reused.json.error, 'invalid_grant')
    assert.equal((await me(next.access_token)).json.code, 'token_revoked')
    const after = await post(
      '/oauth/token',
      refreshForm(next.refresh_token as string),
      basic(app.live.clientId, app.live.secret),
    )
    assert.equal(after.json.error, 'invalid_grant')
    const list = await t.call('GET', `/v2/auth/apps/${app.appId}/authorizations`, { as: t.main.tokens.Admin })
    assert.equal(list.json.data[0].revokedBecause, 'reuse')
  })

  test('cannot widen what was allowed, may narrow it, and is of its client only', async () => {
    const { config, refresh } = await tokens()
    await assert.rejects(openid.refreshTokenGrant(config, refresh, { scope: 'leads:read leads:create' }), {
      error: 'invalid_scope',
    })
    const narrow = await openid.refreshTokenGrant(config, refresh, { scope: 'leads:read' })
    assert.equal(narrow.scope, 'leads:read')
    const stranger = await withCode()
    const stolen = await post('/oauth/token', refreshForm(refresh), basic(stranger.live.clientId, stranger.live.secret))
    assert.equal(stolen.json.error, 'invalid_grant')
  })

  test('a public app has no secret and rotates all the same', async () => {
    const app = await withCode({ kind: 'public' })
    const { config, refresh } = await tokens({ app })
    const next = await openid.refreshTokenGrant(config, refresh)
    assert.notEqual(next.refresh_token, refresh)
    // Bruno sends such clients with an empty secret.
    const empty = await post('/oauth/token', refreshForm(next.refresh_token as string), basic(app.live.clientId, ''))
    assert.equal(empty.status, 200, empty.text)
  })
})

describe('an authorization ends', () => {
  test('by the person, in their own list, and by nobody else’s hand', async () => {
    const as = t.main.tokens['Sales Executive']
    const { answer } = await tokens({ as })
    const own = await t.call('GET', '/v2/auth/authorizations?active=true', { as })
    assert.ok(own.json.data.length > 0)
    const { authorizationId } = own.json.data[0]
    const stranger = await t.call('DELETE', `/v2/auth/authorizations/${authorizationId}`, {
      as: t.main.tokens['Finance Manager'],
    })
    assert.equal(stranger.status, 404)
    const revoked = await t.call('DELETE', `/v2/auth/authorizations/${authorizationId}`, { as })
    assert.equal(revoked.json.data.revokedBecause, 'person')
    assert.equal((await me(answer.access_token)).json.code, 'token_revoked')
  })

  test('by the app: revoking the refresh token ends all of it', async () => {
    const { config, answer, refresh } = await tokens()
    assert.equal((await openid.tokenIntrospection(config, refresh)).active, true)
    await openid.tokenRevocation(config, refresh)
    assert.equal((await me(answer.access_token)).json.code, 'token_revoked')
    assert.deepEqual(await openid.tokenIntrospection(config, refresh), { active: false })
  })

  test('when the person is disabled', async () => {
    const { answer, config, refresh } = await tokens({
      as: t.main.tokens['Finance Manager'],
      more: { scope: 'profile:read' },
    })
    const path = `/v1/api/users/${t.main.users['Finance Manager'].id}`
    const disabled = await t.call('PATCH', path, { as: t.main.tokens.Admin, body: { disabled: true } })
    assert.equal(disabled.status, 200, disabled.text)
    assert.equal((await me(answer.access_token)).json.code, 'token_revoked')
    await assert.rejects(openid.refreshTokenGrant(config, refresh), { error: 'invalid_grant' })
  })
})

describe('devices', () => {
  async function device() {
    const app = await withCode()
    const config = await discover(app.live.clientId, app.live.secret)
    const begun = await openid.initiateDeviceAuthorization(config, { scope: 'leads:read profile:read' })
    const say = (path: string, body: object, as = t.main.tokens.Admin) =>
      t.call('POST', `/device/${path}`, {
        as,
        body,
        headers: { 'x-tandem-portal': '1' },
        ip: `10.9.${(Math.random() * 250) | 0}.9`,
      })
    const poll = () =>
      post(
        '/oauth/token',
        { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: begun.device_code },
        basic(app.live.clientId, app.live.secret),
      )
    return { begun, say, poll }
  }

  test('a person who types the code lets the device in', async () => {
    const { begun, say, poll } = await device()
    assert.equal(begun.verification_uri, `${base}/device`)
    assert.equal(begun.interval, 5)
    assert.match(begun.user_code, /^[A-Z]{4}-[A-Z]{4}$/)
    assert.equal((await poll()).json.error, 'authorization_pending')
    const shown = await say('request', { userCode: begun.user_code.toLowerCase() })
    assert.equal(shown.status, 200, shown.text)
    assert.deepEqual(
      shown.json.scopes.map(({ name }: { name: string }) => name),
      ['leads:read', 'profile:read'],
    )
    const userCode = begun.user_code
    const done = await say('decision', { userCode, allow: true, scopes: ['profile:read', 'leads:read'] })
    assert.deepEqual(done.json, { done: true }, done.text)
    assert.equal((await poll()).json.error, 'slow_down')
    t.clock.advance(5_000)
    const answer = await poll()
    assert.equal(answer.json.scope, 'leads:read profile:read', answer.text)
    assert.equal((await me(answer.json.access_token)).json.user.email, t.main.users.Admin.email)
    assert.equal((await say('request', { userCode })).json.error.code, 'authorization_request_over')
  })

  test('a no reaches the device, and an unknown code nobody', async () => {
    const { begun, say, poll } = await device()
    assert.equal((await say('decision', { userCode: begun.user_code, allow: false })).status, 200)
    assert.equal((await poll()).json.error, 'access_denied')
    assert.equal((await say('request', { userCode: 'AAAA-AAAA' })).status, 410)
  })
})
