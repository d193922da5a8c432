// The dashboard: a newcomer's first steps tick themselves, the figures count on live, errors lead to their requests, and
// the way to the first request is short.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  breakDown,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  goByNavigation,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  storeSecret,
  testBanner,
  watchOf,
} from './browser.ts'

const sms = { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' }

describe('the dashboard for who is new', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => {
    // Who is new has no key.
    await portal.t.ownerSql('update api_keys set revoked_at = now()')
  })

  const steps = (page: Page) => page.getByRole('list', { name: 'First steps' })
  const step = (page: Page, name: string) => steps(page).getByRole('listitem').filter({ hasText: name })
  const done = (page: Page, name: string) => step(page, name).getByText('Done', { exact: true }).waitFor()

  test('three steps tick themselves while they are taken, without a reload', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await watchOf(page).quiet()
    assert.ok(countCalls(page).total <= 4, JSON.stringify(countCalls(page).byRoute))
    assert.equal(await steps(page).getByText('Done', { exact: true }).count(), 0)
    await screenshot(page, 'dashboard-first')
    await checkBothThemes(page, 'first steps')
    let loads = 0
    page.on('load', () => void loads++)
    await step(page, 'Create an API key').getByRole('link', { name: 'Create a key' }).click()
    const form = page.getByRole('dialog', { name: 'Create an API key' })
    await form.getByLabel('Name').fill('My first')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    const key = await storeSecret(page.getByRole('dialog', { name: 'The secret of My first' }))
    await goByNavigation(page, 'Dashboard')
    await done(page, 'Create an API key')
    await page.waitForTimeout(300)
    const response = await fetch(`${portal.address}/v2/messages/sms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(sms),
    })
    assert.equal(response.status, 200)
    await done(page, 'Send your first request')
    await page.getByRole('list', { name: 'Newest requests' }).getByRole('link', { name: '/v2/messages/sms' }).waitFor()
    await page.getByRole('link', { name: /^Requests 1/ }).waitFor()
    await done(page, 'See it delivered')
    assert.equal(loads, 0)
    await page.getByRole('heading', { name: 'First steps: all done' }).waitFor()
    await step(page, 'See it delivered').getByRole('link', { name: 'The message' }).click()
    // The address changes before the page does, and what is left is hidden before it is gone: who goes back at once has never left.
    await page.getByRole('heading', { level: 1, name: /^Text (to|from) / }).waitFor()
    assert.match(page.url(), /\/messages\/msg_/)
    await page.goBack()
    await screenReady(page)
    // Anyone who has done it all no longer sees the first steps.
    await steps(page).waitFor({ state: 'detached' })
  })

  test('the way from here to the first request is four clicks at most', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Manager', path: '/dashboard' })
    const answered = page.waitForResponse(
      response => response.request().method() === 'POST' && response.url().endsWith('/v2/messages/sms'),
    )
    let clicks = 0
    const startedMs = performance.now()
    const click = async (name: string) => {
      await page
        .getByRole('main')
        .getByRole('link', { name })
        .or(page.getByRole('button', { name, exact: true }))
        .first()
        .click()
      clicks++
    }
    await click('Open the Playground')
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor()
    await click('Send')
    assert.equal((await answered).status(), 200)
    assert.ok(clicks <= 4)
    assert.ok(performance.now() - startedMs < 45_000)
  })

  test('who may not send messages gets the steps they can take, and can hide them for good', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { role: 'Finance Manager', organization: 'other', path: '/dashboard' })
    await step(page, 'Send your first request').waitFor()
    assert.equal(await step(page, 'See it delivered').count(), 0)
    await noHorizontalScroll(page)
    await page.getByRole('button', { name: 'Hide these steps' }).click()
    await steps(page).waitFor({ state: 'detached' })
    await page.reload()
    await screenReady(page)
    await watchOf(page).quiet()
    assert.equal(await steps(page).count(), 0)
  })

  test('who may not hear events sees the delivery ticked all the same', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Executive', organization: 'other', path: '/dashboard' })
    await step(page, 'See it delivered').waitFor()
    await page.waitForTimeout(300)
    await goByNavigation(page, 'Explorer')
    await screenReady(page)
    const { json } = await portal.t.call('POST', '/portal/session', {
      headers: { 'x-tandem-portal': '1' },
      body: {
        emailOrAdminId: portal.t.other.users['Sales Executive'].email,
        password: 'correct horse battery staple',
      },
    })
    const as = json.accessTokens.test.accessToken
    assert.equal((await portal.t.call('GET', '/v2/messages', { as })).status, 200)
    // What was done while another screen stood, which nobody of the dashboard heard, is ticked too.
    await portal.t.app.flush()
    await page.waitForTimeout(1_500)
    await goByNavigation(page, 'Dashboard')
    await done(page, 'Send your first request')
    assert.equal((await portal.t.call('POST', '/v2/messages/sms', { as, body: sms })).status, 200)
    await done(page, 'See it delivered')
  })

  test('in live mode nobody is led to real people: test mode is offered', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { mode: 'live', organization: 'other', path: '/dashboard' })
    await page.getByText(/Nothing was asked of live data/).waitFor()
    assert.equal(await steps(page).count(), 0)
    await page.getByRole('button', { name: 'Switch to test mode' }).click()
    await testBanner(page).waitFor()
  })
})

describe('the dashboard of a day with traffic', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => {
    const { t } = portal
    const ask = (method: string, path: string, body?: unknown) =>
      t.call(method, path, { as: t.main.testKey, ...(body === undefined ? {} : { body }) })
    await ask('POST', '/v2/messages/sms', sms)
    for (let n = 0; n < 3; n++) await ask('POST', '/v2/messages/sms', { ...sms, to: '12' })
    await ask('GET', '/v1/api/leads/999999')
    for (let n = 0; n < 5; n++) await ask('GET', '/v2/messages')
    const deadlineMs = performance.now() + 15_000
    for (;;) {
      const { json } = await ask('GET', '/v2/messages?status=delivered')
      if (json.data.length > 0) break
      assert.ok(performance.now() < deadlineMs, 'the message is not delivered')
      await new Promise(resolve => setTimeout(resolve, 200))
    }
    await t.app.flush()
  })

  const figure = (page: Page, name: RegExp) => page.getByRole('main').getByRole('link', { name })
  const count = async (page: Page, name: string) =>
    Number(/\d+/.exec(await figure(page, new RegExp(`^${name}`)).innerText())?.[0])
  const newest = (page: Page) => page.getByRole('list', { name: 'Newest requests' })

  test('figures and newest requests count on by one stream; four calls, and no more', async t => {
    const page = await portal.newPage(t)
    const streams: string[] = []
    page.on('request', request => {
      if (new URL(request.url()).pathname === '/v2/stream') streams.push(request.url())
    })
    await portal.logIn(page)
    await watchOf(page).quiet()
    const { total, byRoute } = countCalls(page)
    assert.ok(total <= 4, JSON.stringify(byRoute))
    const [requests, refused] = [await count(page, 'Requests'), await count(page, 'Rejected')]
    assert.ok(requests >= 10 && refused >= 4, `${requests} requests, ${refused} refused`)
    await figure(page, /^Messages 1/).waitFor()
    const headers = { authorization: `Bearer ${portal.t.main.testKey}` }
    await fetch(`${portal.address}/v1/api/leads/4242`, { headers })
    await newest(page).getByRole('link', { name: '/v1/api/leads/4242' }).waitFor({ timeout: 2_000 })
    await figure(page, new RegExp(`^Requests ${requests + 1}\\b`)).waitFor()
    await figure(page, new RegExp(`^Rejected ${refused + 1}\\b`)).waitFor()
    assert.equal(await newest(page).getByRole('listitem').count(), 8)
    assert.equal(countCalls(page).total, total)
    assert.equal(streams.length, 1)
    await screenshot(page, 'dashboard-busy')
    await checkBothThemes(page, 'dashboard')
  })

  test('what goes wrong most leads to those requests, and to what the code means', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const errors = page.getByRole('list', { name: /^What goes wrong most/ })
    const first = errors.getByRole('listitem').first()
    assert.match(await first.innerText(), /400\s+Send an SMS\s+validation_failed\s+3/)
    assert.equal(
      await first.getByRole('link', { name: 'validation_failed', exact: true }).getAttribute('href'),
      '/errors/validation_failed',
    )
    await first.getByRole('link', { name: '3 in Logs: Send an SMS, 400 validation_failed' }).click()
    const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr')
    await rows.first().waitFor()
    assert.equal(await rows.count(), 3)
    await page.goBack()
    await figure(page, /^Rejected/).click()
    await rows.first().waitFor()
    assert.equal(new URL(page.url()).searchParams.get('status'), '4xx')
    for (const text of await rows.allInnerTexts()) assert.match(text, /\b4\d\d\b/)
    await page.goBack()
    await newest(page).getByRole('link').first().click()
    await page.waitForURL(/\/logs\/req_/)
  })

  test('each part that fails says so and can be tried again, the others stand', async t => {
    const page = await portal.newPage(t, { allow: [/status of 500/] })
    const mend = await breakDown(page, /\/v2\/(analytics\/usage|requests\?)/)
    await portal.logIn(page)
    await page.getByRole('list', { name: /^What goes wrong most/ }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 2)
    mend()
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await figure(page, /^Requests/).waitFor()
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await newest(page).waitFor()
  })

  test('every role has a dashboard that works', async t => {
    for (const role of ['Sales Manager', 'Sales Executive', 'Finance Manager'] as const) {
      const page = await portal.newPage(t, { width: 390, height: 844 })
      await portal.logIn(page, { role, path: '/dashboard' })
      await watchOf(page).quiet()
      assert.equal(await page.getByRole('alert').count(), 0, role)
      assert.ok(countCalls(page).total <= 4)
      await figure(page, /^Requests/).waitFor()
      await noHorizontalScroll(page, role)
    }
  })
})
