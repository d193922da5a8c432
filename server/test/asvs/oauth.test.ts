// What ASVS 5.0 asks of the authorization server in V10.4, beside the tests of modules/identity/oauth.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { grantTypesOf, refreshLife } from '../../src/modules/identity/oauth/rules.ts'
import { basic, type RegisteredApp, startOAuth, walk } from '../oauth.ts'

const o = await startOAuth()
const { t, base, newApp, post } = o
const redirect = 'https://sync.example.com/callback'

/** A code, with what it is redeemed with. */
async function codeFor({ live }: RegisteredApp) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: live.clientId,
    response_type: 'code',
    redirect_uri: redirect,
    scope: 'leads:read',
    state: 'x',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const back = await walk(o, `${base}/oauth/authorize?${query}`)
  const code = back.searchParams.get('code') ?? assert.fail(back.href)
  return { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier }
}

describe('the authorization server', () => {
  test('wants a confidential client to prove itself, for tokens, pushed requests, revocation and introspection', async () => {
    const app = await newApp({ redirectUris: [redirect] })
    const { clientId } = app.live
    const form = await codeFor(app)
    const forms = {
      '/oauth/token': form,
      '/oauth/par': { response_type: 'code', redirect_uri: redirect, scope: 'leads:read' },
      '/oauth/revoke': { token: 'x' },
      '/oauth/introspect': { token: 'x' },
    }
    for (const [path, sent] of Object.entries(forms)) {
      for (const answer of [
        await post(path, { ...sent, client_id: clientId }),
        await post(path, sent, basic(clientId, 'a secret that is wrong')),
      ]) {
        assert.ok(answer.status === 400 || answer.status === 401, `${path} ${answer.status} ${answer.text}`)
        assert.match(answer.json.error, /^invalid_(client|request)$/, path)
      }
    }
    assert.equal((await post('/oauth/token', form, basic(clientId, app.live.secret))).status, 200)
  })

  test('gives no token by the implicit grant or a password, and a client only by the grants of its kind', async () => {
    const app = await newApp({ redirectUris: [redirect] })
    for (const response_type of ['token', 'id_token', 'code token', 'code id_token', 'id_token token', 'none']) {
      const query = new URLSearchParams({
        client_id: app.live.clientId,
        response_type,
        redirect_uri: redirect,
        scope: 'leads:read',
      })
      const answer = await fetch(`${base}/oauth/authorize?${query}`, { redirect: 'manual' })
      const to = answer.headers.get('location') ?? ''
      assert.doesNotMatch(to, /access_token|id_token=|code=/, response_type)
      assert.match(`${to} ${await answer.text()}`, /unsupported_response_type|invalid_request/, response_type)
    }
    const password = { grant_type: 'password', username: t.main.users.Admin.email, password: 'x' }
    const refused = await post('/oauth/token', password, basic(app.live.clientId, app.live.secret))
    assert.equal(refused.json.error, 'unsupported_grant_type')
    const machine = await newApp({ kind: 'machine' })
    const { clientId, secret } = machine.live
    const used = await post('/oauth/token', await codeFor(app), basic(clientId, secret))
    assert.equal(used.json.error, 'unauthorized_client')
    for (const kind of ['confidential', 'public', 'machine'] as const)
      assert.deepEqual(
        grantTypesOf(kind).filter(type => /implicit|password/.test(type)),
        [],
      )
  })

  test('takes a code for a minute, of the client, verifier and address that it was asked with', async () => {
    const app = await newApp({ redirectUris: [redirect, 'https://sync.example.com/other'] })
    const stranger = await newApp({ redirectUris: [redirect] })
    const own = basic(app.live.clientId, app.live.secret)
    await codeFor(app)
    const [stored] = await t.sql<{ seconds: number }>(
      `select extract(epoch from max(expires_at) - now())::float as seconds from oauth_records where kind = 'AuthorizationCode'`,
    )
    assert.ok(stored!.seconds > 0 && stored!.seconds <= 60, String(stored!.seconds))
    const faults: [object, Record<string, string>][] = [
      [{}, basic(stranger.live.clientId, stranger.live.secret)],
      [{ code_verifier: 'x'.repeat(43) }, own],
      [{ redirect_uri: 'https://sync.example.com/other' }, own],
    ]
    for (const [more, as] of faults) {
      const answer = await post('/oauth/token', { ...(await codeFor(app)), ...more }, as)
      assert.equal(answer.json.error, 'invalid_grant', answer.text)
    }
  })

  test('ends refresh tokens, however often they are renewed', () => {
    const day = 86_400
    assert.deepEqual(refreshLife(true), { idle: 30 * day, most: 90 * day })
    assert.deepEqual(refreshLife(false), { idle: 30 * day, most: 365 * day })
  })
})
