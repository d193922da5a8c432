// Letting programs in: a person sees who asks, where the answer goes and what it may do, unticks what they do not want, and the
// program gets that much; a device gets in by the code that it shows.
// test: programs
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { checkBothThemes, chromiumMissing, portalForTests } from './browser.ts'

describe('letting programs in', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let base = ''
  let redirect = ''
  let clientId = ''
  before(async () => {
    base = `http://127.0.0.1:${(portal.t.app.http.server.address() as AddressInfo).port}`
    // An address of this very server, so that the page that watches sees no other.
    redirect = `${base}/cb`
    const body = {
      kind: 'public',
      name: 'Route planner',
      scopes: ['leads:read', 'leads:create', 'users:manage', 'profile:read'],
      redirectUris: ['http://127.0.0.1/cb'],
    }
    const { json } = await portal.t.call('POST', '/v2/auth/apps', { as: portal.t.main.tokens.Admin, body })
    clientId = json.data.clients.find(({ mode }: { mode: string }) => mode === 'live').clientId
  })

  const post = async (path: string, form: Record<string, string>) =>
    (await fetch(`${base}${path}`, { method: 'POST', body: new URLSearchParams(form) })).json() as Promise<
      Record<string, string>
    >

  test('what is ticked is given, and no more', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Manager', mode: 'live' })
    const verifier = randomBytes(32).toString('base64url')
    const form = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirect,
      scope: 'leads:read leads:create users:manage profile:read',
      state: 'x',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    await page.goto(`${base}/oauth/authorize?${new URLSearchParams(form)}`)
    await page.getByRole('heading', { level: 1, name: 'Route planner wants to act for you' }).waitFor()
    await page.getByText('a program on this computer').waitFor()
    await page.getByText(/rights your role doesn’t have.*users:manage/).waitFor()
    await checkBothThemes(page, 'letting an app in')
    await page.getByRole('checkbox', { name: /Create leads/ }).uncheck()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(/\/cb\?/)
    const code = new URL(page.url()).searchParams.get('code') as string
    const own = { client_id: clientId, redirect_uri: redirect, code_verifier: verifier }
    const answer = await post('/oauth/token', { grant_type: 'authorization_code', code, ...own })
    assert.equal(answer['scope'], 'leads:read profile:read', JSON.stringify(answer))
  })

  test('who says no sends the app back without anything', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const form = { response_type: 'code', client_id: clientId, redirect_uri: redirect, scope: 'leads:read', state: 'x' }
    const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    await page.goto(`${base}/oauth/authorize?${new URLSearchParams({ ...form, ...pkce })}`)
    await page.getByRole('button', { name: 'Don’t allow' }).click()
    await page.waitForURL(/\/cb\?/)
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
  })

  test('a device gets in by its code, which does not stay in the address', async t => {
    const begun = await post('/oauth/device_authorization', { client_id: clientId, scope: 'leads:read' })
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await page.goto(begun['verification_uri_complete'] as string)
    assert.equal(await page.getByLabel('Code').inputValue(), begun['user_code'])
    assert.ok(!page.url().includes(begun['user_code'] as string))
    await checkBothThemes(page, 'letting a device in')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'The device is let in' }).waitFor()
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const device_code = begun['device_code'] as string
    const answer = await post('/oauth/token', { grant_type, device_code, client_id: clientId })
    assert.equal(answer['scope'], 'leads:read', JSON.stringify(answer))
  })
})
