// The Playground gets an OAuth token by itself: a person chooses scopes, is asked in a window of its own, and sends with what they
// allowed, which is kept nowhere and ended when it is forgotten. That it is renewed in time: src/playground/choose.test.ts.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../../server/test/harness.ts'
import { checkBothThemes, chromiumMissing, portalForTests } from './browser.ts'
import { expectStatus, openPlayground, refused, send } from './playground_page.ts'

describe('an OAuth token in the Playground', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  async function ask(page: Page, button: 'Allow' | 'Don’t allow'): Promise<void> {
    const opening = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Get the token' }).click()
    const popup = await opening
    await popup.getByRole('heading', { level: 1, name: 'Tandem Playground wants to act for you' }).waitFor()
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: button, exact: true }).click()
    await closed
  }

  const tokenCalls = (page: Page) => {
    const grants: string[] = []
    page.on('request', request => {
      if (!request.url().endsWith('/oauth/token')) return
      assert.equal(new URL(request.url()).origin, new URL(page.url()).origin)
      grants.push(String(new URLSearchParams(request.postData() ?? '').get('grant_type')))
    })
    return grants
  }

  test('is had by choosing scopes and allowing them, sent with, kept nowhere, and ended', async t => {
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=leads.list', allow: [refused] })
    const grants = tokenCalls(page)
    await page.getByLabel('Credential').selectOption('OAuth token')
    await page.getByText('Needs leads:read, and no credential is chosen').waitFor()
    await page.getByRole('button', { name: 'Get a token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Get an OAuth token' })
    for (const scope of ['leads:read', 'profile:read'])
      assert.ok(await dialog.getByRole('checkbox', { name: scope, exact: true }).isChecked(), scope)
    await checkBothThemes(page, 'scopes of an OAuth token')
    await ask(page, 'Allow')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Needs leads:read: the OAuth token has it.').waitFor()
    await page.getByText('2 scopes').waitFor()
    const sent = page.waitForRequest(request => new URL(request.url()).pathname === '/v1/api/leads')
    await send(page).click()
    await expectStatus(page, 200)
    const token = String((await sent).headers()['authorization']).slice('Bearer '.length)
    const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
    assert.deepEqual([claims.client_id, claims.scope], ['tdm_playground', 'leads:read profile:read'])
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    assert.ok(!kept.includes(token) && !page.url().includes(token))
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('button', { name: 'Get a token' }).waitFor()
    assert.deepEqual(grants, ['authorization_code'])
    await page.waitForFunction(
      async bearer =>
        (await fetch('/v1/api/leads?limit=1', { headers: { Authorization: `Bearer ${bearer}` } })).status === 401,
      token,
    )
  })

  test('is not had by who says no, and the Playground says so', async t => {
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=leads.list', allow: [refused] })
    await page.getByLabel('Credential').selectOption('OAuth token')
    await page.getByRole('button', { name: 'Get a token' }).click()
    await ask(page, 'Don’t allow')
    await page.getByText('the person did not allow it').waitFor()
  })

  test('is had on a page that has another name than the server has for itself', async t => {
    const { port } = new URL(portal.address)
    const context = await portal.browser.newContext()
    t.after(() => context.close())
    const data = { emailOrAdminId: portal.t.main.users.Admin.email, password: testPassword }
    for (const origin of [portal.address, `http://localhost:${port}`]) {
      const headers = { 'x-tandem-portal': '1', origin }
      assert.equal((await context.request.post(`${origin}/portal/session`, { headers, data })).status(), 200)
    }
    const page = await context.newPage()
    const grants = tokenCalls(page)
    await page.goto(`http://localhost:${port}/playground?endpoint=leads.list`)
    await page.getByLabel('Credential').selectOption('OAuth token')
    await page.getByRole('button', { name: 'Get a token' }).click()
    await ask(page, 'Allow')
    await page.getByText('Needs leads:read: the OAuth token has it.').waitFor()
    assert.deepEqual(grants, ['authorization_code'])
  })

  test('an answer that nobody waits for stays in no address', async t => {
    const page = await portal.newPage(t)
    await page.goto('/playground/authorized?code=stray&state=stray')
    await page.getByText('No Playground is waiting for this answer').waitFor()
    assert.ok(!page.url().includes('stray'))
  })

  test('the authorization server is in the catalog, and its forms are sent from the Playground', async t => {
    const as = portal.t.main.tokens.Admin
    const app = { name: 'Sync', kind: 'machine', scopes: ['leads:read', 'profile:read'] }
    const { json } = await portal.t.call('POST', '/v2/auth/apps', { as, body: app })
    const { appId, clients } = json.data
    const { clientId } = clients.find((client: { mode: string }) => client.mode === 'live')
    const made = await portal.t.call('POST', `/v2/auth/apps/${appId}/secrets`, { as, body: { mode: 'live' } })
    const page = await portal.newPage(t, { allow: [refused] })
    await portal.logIn(page, { path: '/explorer?version=oauth' })
    await page
      .getByRole('link', { name: /Get an OAuth token/ })
      .first()
      .click()
    await page.getByText('RFC 6749 §3.2').waitFor()
    await page.getByTestId('may-call').getByText('Needs no token.').waitFor()
    await checkBothThemes(page, 'an endpoint of OAuth')
    await page.getByRole('link', { name: 'Open in Playground' }).click()
    await page.getByLabel('Form field client_id value').fill(clientId)
    await page.getByLabel('Form field client_secret value').fill('wrong & none')
    await send(page).click()
    await expectStatus(page, 401)
    await page.getByText('OAuth: client not authenticated').first().waitFor()
    await checkBothThemes(page, 'a form that was refused')
    await page.getByLabel('Form field client_secret value').fill(made.json.data.secret)
    const sent = page.waitForRequest(request => request.url().endsWith('/oauth/token'))
    await send(page).click()
    await expectStatus(page, 200)
    const form = new URLSearchParams((await sent).postData() ?? '')
    assert.deepEqual([form.get('client_id'), form.get('scope')], [clientId, 'leads:read'])
    assert.equal((await sent).headers()['authorization'], undefined)
    const kept = await page.evaluate(async () => {
      const databases = await indexedDB.databases()
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases.length])
    })
    assert.ok(!kept.includes(made.json.data.secret) && !page.url().includes(made.json.data.secret))
  })
})
