// Clients that nobody registered: an MCP client as it is published finds its way by the challenge, registers itself, and gets in when an
// Admin lets it; what it may be is bounded, and an organization can block it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { startOAuth, walk } from '../../../../test/oauth.ts'

const o = await startOAuth()
const { t, base, me } = o
const redirectUrl = 'http://127.0.0.1:7777/callback'

/** What an MCP client keeps. */
function mcpClient(name: string) {
  const kept: { info?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; url?: URL } = {}
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'leads:read profile:read',
    },
    clientInformation: () => kept.info,
    saveClientInformation: info => {
      kept.info = info
    },
    tokens: () => kept.tokens,
    saveTokens: tokens => {
      kept.tokens = tokens
    },
    redirectToAuthorization: url => {
      kept.url = url
    },
    saveCodeVerifier: verifier => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier as string,
  }
  return { kept, provider }
}

async function connect(name: string, as = t.main.tokens.Admin) {
  const { kept, provider } = mcpClient(name)
  const begun = await auth(provider, {
    serverUrl: `${base}/v2`,
    resourceMetadataUrl: new URL(`${base}/.well-known/oauth-protected-resource`),
  })
  assert.equal(begun, 'REDIRECT')
  const finish = async () => {
    const back = await walk(o, kept.url as URL, { as, mode: 'live' })
    const authorizationCode = back.searchParams.get('code') as string
    return auth(provider, {
      serverUrl: `${base}/v2`,
      authorizationCode,
      resourceMetadataUrl: new URL(`${base}/.well-known/oauth-protected-resource`),
    })
  }
  return { kept, provider, finish }
}

test('the MCP SDK registers, is let in by an Admin, calls, and refreshes', async () => {
  const { kept, provider, finish } = await connect('Assistant')
  assert.match(kept.info?.client_id ?? '', /^dyn_/)
  assert.equal(await finish(), 'AUTHORIZED')
  const who = await me(kept.tokens?.access_token as string)
  assert.equal(who.status, 200, who.text)
  // It asks for what the server names first: to read, and nothing of those who administer.
  const may: string[] = who.json.permissions
  assert.ok(may.includes('leads:read'))
  assert.deepEqual(
    may.filter(name => !name.endsWith(':read') || /^(users|keys|apps|audit)/.test(name)),
    [],
  )
  const before = kept.tokens?.refresh_token
  const again = await auth(provider, {
    serverUrl: `${base}/v2`,
    resourceMetadataUrl: new URL(`${base}/.well-known/oauth-protected-resource`),
  })
  assert.equal(again, 'AUTHORIZED')
  assert.notEqual(kept.tokens?.refresh_token, before)
})

test('others than Admins wait for a decision, and a block ends what there is', async () => {
  const as = t.main.tokens['Sales Manager']
  const { kept, finish } = await connect('Tool', as)
  await assert.rejects(finish(), /app_not_allowed/)
  const list = await t.call('GET', '/v2/auth/clients', { as: t.main.tokens.Admin })
  const seen = list.json.data.find(({ name }: { name: string }) => name === 'Tool')
  assert.equal(seen.decision, null)
  const decide = (decision: string) =>
    t.call('PUT', `/v2/auth/clients/${encodeURIComponent(seen.clientId)}/policy`, {
      as: t.main.tokens.Admin,
      body: { decision },
    })
  assert.equal((await decide('allowed')).status, 200)
  const second = await connect('Tool', as)
  // Each registration is a client of its own: this one was not decided on.
  await assert.rejects(second.finish(), /app_not_allowed/)
  const third = await finishAgain(kept.url as URL, as)
  assert.ok(third)
  assert.equal((await decide('blocked')).status, 200)
  const standing = await t.call('GET', '/v2/auth/authorizations?active=true', { as })
  assert.deepEqual(standing.json.data, [])
})

async function finishAgain(url: URL, as: string): Promise<string | null> {
  return (await walk(o, url, { as, mode: 'live' })).searchParams.get('code')
}

describe('a registration', () => {
  const register = async (metadata: object) => {
    const response = await fetch(`${base}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    })
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }
  const refused: [string, object, string][] = [
    ['without addresses', {}, 'invalid_redirect_uri'],
    ['with http elsewhere', { redirect_uris: ['http://a.example/cb'] }, 'invalid_redirect_uri'],
    [
      'that wants to act in its own name',
      { redirect_uris: [redirectUrl], grant_types: ['client_credentials'] },
      'invalid_client_metadata',
    ],
    ['with a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  ]
  for (const [what, metadata, error] of refused)
    test(`${what} is refused`, async () => {
      const { status, json } = await register(metadata)
      assert.equal(json['error'], error, JSON.stringify(json))
      assert.equal(status, 400)
    })

  test('gets no secret, and what it says of itself beyond a name counts for nothing', async () => {
    const { json } = await register({
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'client_secret_basic',
      client_id: 'tdm_playground',
      scope: 'leads:read leads:fly',
    })
    assert.equal(json['token_endpoint_auth_method'], 'none')
    assert.equal(json['client_secret'], undefined)
    assert.match(String(json['client_id']), /^dyn_/)
    assert.equal(json['scope'], 'leads:read offline_access')
  })
})
