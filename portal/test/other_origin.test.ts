// An app that runs in a page of another origin, with oauth4webapi unmodified: from its own address it gets tokens, refreshes and revokes
// them; from any other address the browser keeps the answers from it (CORS).
// test: programs
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { basic, startOAuth, walk } from '../../server/test/oauth.ts'
import { chromiumMissing, startChromium } from './chromium.ts'

const library = readFileSync(join(import.meta.dirname, '../../node_modules/oauth4webapi/build/index.js'))

/** A site with a page that has nothing but the library. */
async function openSite(): Promise<{ origin: string; server: Server }> {
  const server = createServer(({ url }, reply) => {
    const isLibrary = url === '/oauth4webapi.js'
    reply.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html')
    reply.end(isLibrary ? library : '<!doctype html><link rel=icon href=data:,><title>An app</title>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

type Asked = { base: string; clientId: string; answer: string; redirect: string; verifier: string }

/** Runs in the page. */
async function redeem({ base, clientId, answer, redirect, verifier }: Asked) {
  // biome-ignore lint/suspicious/noExplicitAny: the types of the library are not known in the page
  const oauth: any = await import(`${location.origin}/oauth4webapi.js`)
  const options = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(`${base}/oauth`)
  const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const client = { client_id: clientId }
  const none = oauth.None()
  const params = oauth.validateAuthResponse(server, client, new URL(answer), 'state')
  const redeemed = await oauth.authorizationCodeGrantRequest(server, client, none, params, redirect, verifier, options)
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeemed)
  const refreshed = await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token, options)
  const next = await oauth.processRefreshTokenResponse(server, client, refreshed)
  const revoked = await oauth.revocationRequest(server, client, none, next.refresh_token, options)
  return { accessToken: next.access_token as string, revoked: revoked.status }
}

const o = await startOAuth()

describe('an app in a page of another origin', { skip: chromiumMissing }, () => {
  const verifier = 'v'.repeat(43)
  let own: { origin: string; server: Server }
  let foreign: { origin: string; server: Server }
  let chromium: Awaited<ReturnType<typeof startChromium>>
  before(async () => {
    ;[own, foreign, chromium] = await Promise.all([openSite(), openSite(), startChromium()])
  })
  after(async () => {
    await chromium?.close()
    for (const site of [own, foreign]) site?.server.close()
  })

  async function asked(): Promise<Asked> {
    const redirect = `${own.origin}/signed-in`
    const fields = { kind: 'public', redirectUris: [redirect], scopes: ['leads:read', 'profile:read'] }
    const { live } = await o.newApp(fields)
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    const form = {
      response_type: 'code',
      client_id: live.clientId,
      redirect_uri: redirect,
      scope: 'leads:read profile:read',
      state: 'state',
      code_challenge: Buffer.from(hash).toString('base64url'),
      code_challenge_method: 'S256',
    }
    const end = await walk(o, `${o.base}/oauth/authorize?${new URLSearchParams(form)}`)
    return { base: o.base, clientId: live.clientId, answer: end.href, redirect, verifier }
  }

  async function tokenFor(clientId: string, redirect: string, scope: string): Promise<string> {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    const form = {
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirect, scope },
      ...{ code_challenge: Buffer.from(hash).toString('base64url'), code_challenge_method: 'S256' },
    }
    const end = await walk(o, `${o.base}/oauth/authorize?${new URLSearchParams(form)}`)
    const code = end.searchParams.get('code') ?? assert.fail(end.href)
    const fields = { grant_type: 'authorization_code', code, redirect_uri: redirect, client_id: clientId }
    const { json } = await o.post('/oauth/token', { ...fields, code_verifier: verifier })
    return json.access_token
  }

  async function pageAt(origin: string) {
    const context = await chromium.browser.newContext()
    const page = await context.newPage()
    await page.goto(origin)
    return page
  }

  test('from its own address it gets tokens, refreshes and revokes them', async () => {
    const page = await pageAt(own.origin)
    const { accessToken, revoked } = await page.evaluate(redeem, await asked())
    assert.equal(revoked, 200)
    assert.equal((await o.me(accessToken)).json.code, 'token_revoked')
  })

  test('from its own address it calls the API with the token, and reads answers, refusals and their headers', async () => {
    const { redirect } = await asked()
    const { live } = await o.newApp({
      kind: 'public',
      redirectUris: [redirect],
      scopes: ['leads:read', 'leads:create'],
    })
    const token = await tokenFor(live.clientId, redirect, 'leads:read leads:create')
    const work = async ({ base, token }: Record<string, string>) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'one' }
      const body = JSON.stringify({ name: 'Ada Lovelace', phone: '+15005550100' })
      const made = await fetch(`${base}/v1/api/leads`, { method: 'POST', headers, body })
      const refused = await fetch(`${base}/v1/api/auth/me`, { headers: { authorization: 'Bearer none' } })
      const login = await fetch(`${base}/v1/api/auth/login`, { method: 'POST', body: '{}' }).catch(String)
      return {
        status: made.status,
        name: (await made.json()).lead?.name,
        id: made.headers.get('x-request-id'),
        refused: [refused.status, (await refused.json()).code],
        login: String(login),
      }
    }
    const page = await pageAt(own.origin)
    const seen = await page.evaluate(work, { base: o.base, token })
    assert.deepEqual([seen.status, seen.name, seen.refused], [201, 'Ada Lovelace', [401, 'invalid_token']])
    assert.match(seen.id ?? '', /^req_/)
    assert.match(seen.login, /Failed to fetch/, 'who has no token reads nothing')
    const elsewhere = await pageAt(foreign.origin)
    await assert.rejects(elsewhere.evaluate(work, { base: o.base, token }), /Failed to fetch/)
  })

  test('from another address the answer of the token endpoint is kept from it', async () => {
    const page = await pageAt(foreign.origin)
    await assert.rejects(page.evaluate(redeem, await asked()), /Failed to fetch/)
  })

  test('a confidential app has no place in a page: its secret would be there', async () => {
    const redirect = `${own.origin}/signed-in`
    const { live } = await o.newApp({ redirectUris: [redirect] })
    const page = await pageAt(own.origin)
    const send = ({ base, authorization }: Record<string, string>) =>
      fetch(`${base}/oauth/token`, {
        method: 'POST',
        headers: { authorization: authorization! },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
      }).then(({ status }) => status)
    const given = { base: o.base, ...basic(live.clientId, live.secret) }
    await assert.rejects(page.evaluate(send, given), /Failed to fetch/)
  })
})
