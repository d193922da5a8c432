// The request log: it follows what happens by one stream, pauses on request, keeps its filters in the address, and
// reports one request all that is known.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  breakDown,
  checkBothThemes,
  chromiumMissing,
  connected,
  countCalls,
  goByNavigation,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  tabTo,
  testBanner,
  watchOf,
} from './browser.ts'

describe('logs in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => {
    const { t } = portal
    const as = t.main.testKey
    const sms = { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' }
    await t.call('POST', '/v2/messages/sms', { as, body: sms })
    await t.call('POST', '/v2/messages/sms', { as, body: { ...sms, to: '12' } })
    await t.call('GET', '/v2/messages?limit=2', { as })
    await t.call('GET', '/v1/api/leads/999999', { as })
    await t.call('GET', '/v2/organization', { as, headers: { 'sec-fetch-site': 'same-origin' } })
    await t.app.flush()
  })

  const table = (page: Page) => page.getByRole('table', { name: 'Requests' })
  const rows = (page: Page) => table(page).locator('tbody tr')
  const link = (page: Page, name: string | RegExp) => table(page).getByRole('link', { name })
  const live = (page: Page) => page.getByRole('checkbox', { name: 'Live' })

  /** A program's request, over the network. */
  async function ask(path: string, key = portal.t.main.testKey): Promise<number> {
    const response = await fetch(`${portal.address}${path}`, { headers: { authorization: `Bearer ${key}` } })
    await response.arrayBuffer()
    return response.status
  }

  async function openLogs(page: Page, search = '', options: object = {}): Promise<void> {
    await portal.logIn(page, { path: `/logs${search}`, ...options })
    await watchOf(page).quiet()
  }

  test('what a program asks appears within two seconds, by one stream and without asking again', async t => {
    const page = await portal.newPage(t)
    const streams: string[] = []
    page.on('request', request => {
      if (new URL(request.url()).pathname === '/v2/stream') streams.push(request.url())
    })
    await openLogs(page)
    await connected(page)
    const before = countCalls(page)
    assert.ok(before.total <= 4, JSON.stringify(before.byRoute))
    const startedMs = performance.now()
    await ask('/v2/messages?limit=1&mark=tail')
    await ask('/v1/api/leads/31337')
    await link(page, 'Open GET /v1/api/leads/31337, 404').waitFor({ timeout: 2_000 })
    assert.ok(performance.now() - startedMs < 2_000)
    await page.waitForTimeout(2_500)
    assert.equal(countCalls(page).total, before.total, 'it polls')
    assert.equal(streams.length, 1)
    await goByNavigation(page, 'Dashboard')
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await goByNavigation(page, 'Logs')
    await connected(page)
    await ask('/v1/api/leads/31338')
    await link(page, 'Open GET /v1/api/leads/31338, 404').waitFor({ timeout: 2_000 })
    assert.ok(streams.length <= 2, `${streams.length} streams for three screens`)
  })

  test('paused it holds still; going on, it has caught up', async t => {
    const page = await portal.newPage(t)
    await openLogs(page)
    await connected(page)
    await live(page).uncheck()
    await page.getByRole('status').filter({ hasText: 'paused' }).waitFor()
    const shown = await rows(page).count()
    await ask('/v1/api/leads/41001')
    await portal.t.app.flush()
    await page.waitForTimeout(1_200)
    assert.equal(await rows(page).count(), shown)
    assert.equal(await link(page, /41001/).count(), 0)
    await live(page).check()
    await link(page, /41001/).waitFor()
    await connected(page)
    await ask('/v1/api/leads/41002')
    await link(page, /41002/).waitFor({ timeout: 2_000 })
    assert.match(await rows(page).first().innerText(), /41002/, 'the newest is not on top')
  })

  test('the other mode has another stream: nothing of one is shown in the other', async t => {
    const page = await portal.newPage(t)
    await openLogs(page)
    await connected(page)
    await page.getByRole('group', { name: 'Mode' }).getByText('Live', { exact: true }).click()
    await testBanner(page).waitFor({ state: 'detached' })
    await screenReady(page)
    await connected(page)
    await ask('/v1/api/leads/51001', portal.t.main.testKey)
    await ask('/v1/api/leads/51002', portal.t.main.liveKey)
    await link(page, /51002/).waitFor({ timeout: 2_000 })
    await page.waitForTimeout(500)
    assert.equal(await link(page, /51001/).count(), 0, 'a test request is shown among the live ones')
  })

  test('every filter is in the address, narrows the list, and survives a reload', async t => {
    const page = await portal.newPage(t)
    await openLogs(page)
    const narrowed = async (name: string, value: string, check: RegExp) => {
      await page.waitForURL(url => url.searchParams.get(name) === value)
      await watchOf(page).quiet()
      await page.reload()
      await rows(page).first().waitFor()
      for (const text of await rows(page).allInnerTexts()) assert.match(text, check, `${name}=${value}`)
      await goByNavigation(page, 'Logs')
      await page.waitForURL(url => url.search === '')
      await screenReady(page)
    }
    await page.getByLabel('Path starts with').fill('/v2/messages')
    await narrowed('path', '/v2/messages', /\/v2\/messages/)
    await page.getByLabel('Status').selectOption('4xx')
    await narrowed('status', '4xx', /\b4\d\d\b/)
    await page.getByLabel('Method').selectOption('POST')
    await narrowed('method', 'POST', /POST/)
    await page.getByLabel('Error code').fill('not_found')
    await narrowed('problem', 'not_found', /not_found/)
    await page.getByLabel('About').fill('lead:999999')
    await narrowed('resourceId', 'lead:999999', /leads\/999999/)
    await page.getByLabel('Time').selectOption('Last hour')
    await narrowed('since', '1h', /ago|now/)
    await page.getByLabel('Source').selectOption('Playground')
    await narrowed('source', 'playground', /playground/)
    await page.getByLabel('Source').selectOption('API')
    await narrowed('source', 'api', /\bapi\b/)
  })

  test('what the portal asks for itself is left out until it is asked for', async t => {
    const page = await portal.newPage(t)
    await openLogs(page)
    for (const text of await rows(page).allInnerTexts()) assert.doesNotMatch(text, /\bportal\b/)
    await portal.t.app.flush()
    await page.getByLabel('Source').selectOption('This portal')
    await rows(page).filter({ hasText: '/v2/requests' }).first().waitFor()
    for (const text of await rows(page).allInnerTexts()) assert.match(text, /\bportal\b/)
  })

  test('filters set by a link can be seen and taken away', async t => {
    const page = await portal.newPage(t)
    await openLogs(page, `?endpointId=leads.get&userId=${portal.t.main.users.Admin.id}&status=404`)
    await page.getByRole('button', { name: 'Remove User: Admin' }).waitFor()
    for (const text of await rows(page).allInnerTexts()) assert.match(text, /Get a lead/)
    const pill = page.getByRole('button', { name: 'Remove Endpoint: Get a lead' })
    await pill.click()
    await pill.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).searchParams.get('endpointId'), null)
    assert.equal(new URL(page.url()).searchParams.get('status'), '404')
    await page.getByRole('button', { name: 'Clear 2 filters' }).click()
    await page.waitForURL(url => url.search === '')
  })

  test('an hour is chosen among the bars, by mouse and by keyboard, and given back', async t => {
    const page = await portal.newPage(t)
    await openLogs(page)
    const bars = page.getByRole('group', { name: /^Requests by hour/ })
    const now = bars.getByRole('button').last()
    assert.match((await now.getAttribute('aria-label')) ?? '', /[1-9]\d* requests, \d+ rejected, 0 failed/)
    await now.click()
    await page.waitForURL(url => url.searchParams.has('createdAfter') && url.searchParams.has('createdBefore'))
    assert.equal(await now.getAttribute('aria-pressed'), 'true')
    await rows(page).first().waitFor()
    await tabTo(page, now)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing matches these filters').waitFor()
    const { searchParams } = new URL(page.url())
    assert.equal(
      Date.parse(searchParams.get('createdBefore')!) - Date.parse(searchParams.get('createdAfter')!),
      3_600_000,
    )
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.search === '')
    await rows(page).first().waitFor()
  })

  test('a refused request is tinted, opened by keyboard, and explained', async t => {
    const page = await portal.newPage(t)
    await openLogs(page, '?status=4xx&method=POST')
    const refused = rows(page).filter({ hasText: 'POST' }).first()
    assert.equal(await refused.getAttribute('data-tone'), 'warn')
    await tabTo(page, link(page, 'Open POST /v2/messages/sms, 400'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'POST /v2/messages/sms' }).waitFor()
    await screenReady(page)
    for (const name of ['Request', 'Caller', 'Sent', 'Answer']) {
      await page.getByRole('region', { name, exact: true }).waitFor()
    }
    const main = page.getByRole('main')
    await page.getByRole('region', { name: 'Caller', exact: true }).getByRole('link', { name: 'Admin' }).waitFor()
    await main.getByText('What to do:').waitFor()
    assert.equal(
      await main.getByRole('link', { name: 'More about validation_failed' }).getAttribute('href'),
      '/errors/validation_failed',
    )
    assert.match(await page.getByRole('region', { name: 'Request body' }).innerText(), /"to": "12"/)
    assert.match(await page.getByRole('region', { name: 'Answer', exact: true }).innerText(), /"validation_failed"/)
    assert.ok(countCalls(page).total <= 5)
    await screenshot(page, 'log-refused')
    await checkBothThemes(page, 'log')
    await main.getByRole('button', { name: 'Copy as cURL', exact: true }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(copied, /^curl /)
    assert.match(copied, /\$API_KEY/)
    assert.ok(copied.includes(`${portal.address}/v2/messages/sms`))
    assert.ok(copied.includes('"to":"12"'))
    assert.ok(!copied.includes(portal.t.main.testKey))
    await main.getByRole('button', { name: /^Inspect key_/ }).click()
    await page.getByRole('dialog', { name: 'API key' }).getByRole('heading', { name: 'all rights' }).waitFor()
    await page.keyboard.press('Escape')
    await main.getByRole('link', { name: 'All requests' }).click()
    await table(page).waitFor()
    assert.equal(new URL(page.url()).search, '?status=4xx&method=POST', 'the filters are lost')
  })

  test('a request goes back into the Playground, and is not sent by that', async t => {
    const page = await portal.newPage(t)
    await openLogs(page, '?method=POST&status=4xx')
    await link(page, 'Open POST /v2/messages/sms, 400').click()
    const replay = page.getByRole('link', { name: 'Replay in the Playground' })
    await replay.waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    assert.equal(await replay.getAttribute('href'), `/playground?replay=${id}`)
    await replay.click()
    await page
      .getByText(/Nothing is sent yet/)
      .first()
      .waitFor()
    assert.equal(countCalls(page).byRoute['POST /v2/messages/sms'], undefined)
  })

  test('a request without a kept body says why', async t => {
    const page = await portal.newPage(t)
    await openLogs(page, '?path=/v2/messages&status=2xx')
    await link(page, /^Open GET \/v2\/messages, 200/)
      .first()
      .click()
    const sent = page.getByRole('region', { name: 'Sent', exact: true })
    await sent
      .getByText(/not kept|no body/)
      .first()
      .waitFor()
    await page.getByText(/Only answers to rejected requests are kept/).waitFor()
  })

  test('older requests come page by page, and none is lost while new ones arrive', async t => {
    const { t: app } = portal
    for (let n = 0; n < 70; n++) await app.call('GET', `/v1/api/leads/${70_000 + n}`, { as: app.other.testKey })
    await app.app.flush()
    const page = await portal.newPage(t, { height: 700 })
    await openLogs(page, '', { organization: 'other' })
    await connected(page)
    assert.equal(await rows(page).count(), 50)
    await ask('/v1/api/leads/79999', app.other.testKey)
    await link(page, /79999/).waitFor({ timeout: 2_000 })
    await page.getByRole('button', { name: 'Show older' }).click()
    await link(page, 'Open GET /v1/api/leads/70000, 404').waitFor()
    assert.equal(await rows(page).count(), 71)
    const names = await table(page)
      .getByRole('link', { name: /^Open / })
      .allInnerTexts()
    assert.equal(new Set(names).size, 71, 'a row stands there twice')
    await page.getByText('Showing all 71').waitFor()
  })

  test('every state is shown: none yet, filtered to nothing, a server that does not answer; on a telephone too', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, allow: [/status of 500/] })
    await openLogs(page, '', { organization: 'other', mode: 'live' })
    await page.getByText('No requests yet').waitFor()
    assert.equal(
      await page.getByRole('main').getByRole('link', { name: 'Open the Playground' }).getAttribute('href'),
      '/playground',
    )
    await ask('/v2/users/me', portal.t.other.liveKey)
    await link(page, 'Open GET /v2/users/me, 200').waitFor({ timeout: 2_000 })
    await noHorizontalScroll(page)
    await page.getByLabel('Path starts with').fill('/nowhere')
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await table(page).waitFor()
    const mend = await breakDown(page, /\/v2\/requests\?/)
    await page.reload()
    await page.getByRole('alert').getByText('Out of order.').waitFor()
    await checkBothThemes(page, 'logs, failed')
    mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await table(page).waitFor()
  })

  test('who is no Admin sees own requests only, live too', async t => {
    const { t: app } = portal
    for (const role of ['Sales Executive', 'Finance Manager'] as const) {
      const page = await portal.newPage(t)
      await openLogs(page, '', { role, mode: 'live' })
      await connected(page)
      assert.equal(await link(page, /51002/).count(), 0)
      await ask('/v1/api/leads/61001', app.main.liveKey)
      await ask('/v2/users/me', app.main.tokens[role])
      await link(page, 'Open GET /v2/users/me, 200').waitFor({ timeout: 2_000 })
      assert.equal(await link(page, /61001/).count(), 0)
    }
  })
})
