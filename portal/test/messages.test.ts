// Messages in the portal: a list that follows what happens without asking again, filters that live in the address, and a
// page for one message with everything that became of it.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  goByNavigation,
  holdBack,
  type Mode,
  noHorizontalScroll,
  portalForTests,
  resetCalls,
  screenReady,
  screenshot,
  sendText,
  streamOpen,
  tabTo,
  untilData,
  untilFocused,
  watchOf,
} from './browser.ts'

describe('messages in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  /** Ends undelivered, with a reason. */
  let refused: string
  before(async () => {
    for (let i = 0; i < 54; i++) await send('+15005550104', `Number ${i} of many`)
    refused = await send('+15005550101', 'Nobody has this number')
    await untilStatus(refused, 'undelivered')
  })

  const send = (to: string, body: string, mode?: Mode) => sendText(portal.t, { to, body }, mode)
  const untilStatus = (id: string, wanted: string) => untilData(portal.t, `/v2/messages/${id}`, 'status', wanted)
  const rows = (page: Page) => page.getByRole('table', { name: 'Messages' }).getByRole('row')
  const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
  const address = (page: Page) => new URL(page.url())

  test('a message sent elsewhere is counted, shown when asked for, and moves to delivered by itself', async t => {
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { path: '/messages' })
    await stream
    await page.evaluate(() => Object.assign(window, { notReloaded: true }))
    await page
      .getByRole('link', { name: /^Open the message/ })
      .first()
      .waitFor()
    await screenReady(page)
    await watchOf(page).quiet()
    resetCalls(page)
    const id = await send('+15005550103', 'Follow me')
    await page.getByRole('status').getByRole('button', { name: 'Show 1 new' }).click()
    await rowOf(page, 'Follow me').getByText('delivered').waitFor()
    assert.equal(await page.getByRole('button', { name: /new message/ }).count(), 0)
    const { total, byRoute } = countCalls(page)
    // And one that asks whose the new number is.
    assert.ok(
      total <= 2 && (byRoute['GET /v2/messages'] ?? 0) <= 1,
      `following one message cost ${JSON.stringify(byRoute)}`,
    )
    assert.ok(await page.evaluate(() => 'notReloaded' in window))
    await rowOf(page, 'Follow me').getByRole('link').click()
    await page.getByText(id).first().waitFor()
  })

  test('the page of a message moves from queued to delivered while it is open', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages' })
    const id = await send('+15005550103', 'Watch me')
    await page.goto(`/messages/${id}`)
    const line = page.getByRole('list', { name: /^Statuses of the message/ })
    await line.getByText('queued').first().waitFor()
    await page.evaluate(() => Object.assign(window, { notReloaded: true }))
    await line.getByText('delivered').waitFor()
    assert.deepEqual(
      (await line.getByRole('listitem').allInnerTexts()).map(text => text.split('\n')[0]),
      ['queued', 'sending', 'queued', 'sending', 'queued', 'sending', 'sent', 'delivered'],
    )
    assert.ok(await page.evaluate(() => 'notReloaded' in window))
    await page.waitForTimeout(400)
    resetCalls(page)
    await page.waitForTimeout(1_000)
    assert.equal(countCalls(page).total, 0, 'a message that rests is asked for again')
  })

  test('what does not fit the filters is not announced', async t => {
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { path: '/messages?to=%2B15005550101' })
    await stream
    await rowOf(page, 'Nobody has this number').waitFor()
    const other = await send('+15005550100', 'Not for this list')
    await untilStatus(other, 'delivered')
    const mine = await send('+15005550101', 'For this list')
    await page.getByRole('button', { name: 'Show 1 new' }).click()
    await rowOf(page, 'For this list').waitFor()
    assert.equal(await rowOf(page, 'Not for this list').count(), 0)
    await untilStatus(mine, 'undelivered')
  })

  test('filters stand in the address, outlive a reload, can be gone back from, and are cleared together', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages' })
    await page.getByLabel('Status', { exact: true }).selectOption('undelivered')
    await rowOf(page, 'Nobody has this number').waitFor()
    assert.equal(address(page).searchParams.get('status'), 'undelivered')
    await page.getByLabel('To', { exact: true }).fill('+1 500 555 0101')
    await page.waitForURL(url => url.searchParams.get('to') === '+1 500 555 0101')
    await page.reload()
    await rowOf(page, 'Nobody has this number').waitFor()
    assert.equal(await page.getByLabel('To', { exact: true }).inputValue(), '+1 500 555 0101')
    assert.equal(await page.getByLabel('Status', { exact: true }).inputValue(), 'undelivered')
    await page.getByLabel('Direction', { exact: true }).selectOption('inbound')
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await checkAccessibility(page, { name: 'messages filtered to nothing' })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rowOf(page, 'Number 50 of many').waitFor()
    assert.equal(address(page).search, '')
  })

  test('since a day means since its beginning here', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const asked = page.waitForRequest(request => /\/v2\/messages\?.*createdAfter/.test(request.url()))
    await page.goto('/messages?createdAfter=2026-07-01')
    const { searchParams } = new URL((await asked).url())
    assert.equal(searchParams.get('createdAfter'), '2026-06-30T22:00:00.000Z')
    await screenReady(page)
  })

  test('a filter the server cannot read is reported in its words', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/messages?to=%2B%2B1' })
    await page
      .getByRole('alert')
      .getByText(/telephone number/)
      .waitFor()
    await page.getByLabel('To', { exact: true }).fill('')
    await rowOf(page, 'Number 50 of many').waitFor()
  })

  test('older messages come by cursor, fifty at a time, until there are no more', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages?to=%2B15005550104' })
    await page.getByText('Showing 50').waitFor()
    // Only the rows in sight are drawn.
    const table = page.getByRole('table', { name: 'Messages' })
    assert.equal(await table.getAttribute('aria-rowcount'), '51')
    const asked = page.waitForRequest(request => /\/v2\/messages\?.*cursor=/.test(request.url()))
    await page.getByRole('button', { name: 'Show older' }).click()
    await asked
    await page.getByText('Showing all 54').waitFor()
    assert.equal(await table.getAttribute('aria-rowcount'), '55')
    assert.equal(await page.getByRole('button', { name: 'Show older' }).count(), 0)
    await page.getByRole('region', { name: 'Messages' }).evaluate(frame => frame.scrollTo(0, frame.scrollHeight))
    await rowOf(page, 'Number 0 of many').waitFor()
  })

  test('a message has its timeline, and its reason leads to the error reference', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages?status=undelivered' })
    await rowOf(page, 'Nobody has this number').getByRole('link', { name: 'unknown_subscriber' }).waitFor()
    await rowOf(page, 'Nobody has this number').getByText('Nobody has this number').filter({ visible: true }).click()
    await page.waitForURL(`**/messages/${refused}`)
    await screenReady(page)
    assert.ok(countCalls(page).total <= 4)
    const line = page.getByRole('list', { name: /^Statuses of the message/ })
    await line
      .getByText(/after \d/)
      .first()
      .waitFor()
    await checkBothThemes(page, 'a message', 'message-refused')
    await line.getByRole('link', { name: 'unknown_subscriber' }).click()
    await page.waitForURL('**/errors/unknown_subscriber')
    await page.goBack()
    await line.waitFor()
    await page.reload()
    await line.waitFor()
  })

  test('loading and failing are shown, and trying again works', async t => {
    const page = await portal.newPage(t, { allow: [/ERR_CONNECTION_FAILED|Failed to load/] })
    await portal.logIn(page)
    const go = await holdBack(page, /\/v2\/messages(\?|$)/, route => route.abort('connectionfailed'))
    await goByNavigation(page, 'Messages')
    await page.getByRole('status', { name: 'Loading messages' }).waitFor()
    await checkAccessibility(page, { name: 'messages on their way' })
    go()
    await page.getByRole('alert').waitFor()
    await checkAccessibility(page, { name: 'messages not reached' })
    await page.unroute(/\/v2\/messages(\?|$)/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await rowOf(page, 'Number 50 of many').waitFor()
  })

  test('where there are none the next step is named, and leads to the Playground', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { organization: 'other', path: '/messages' })
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
    await page.getByRole('link', { name: 'Send an SMS in the Playground' }).click()
    await page.waitForURL('**/playground?endpoint=messages.sms.send')
  })

  test('live and test messages are never mixed; the page of one says in which it is, and switches', async t => {
    const live = await send('+15005550100', 'Only live', 'live')
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: '/messages', mode: 'live' })
    await rowOf(page, 'Only live').waitFor()
    assert.equal(await rows(page).count(), 2)
    await rowOf(page, 'Only live')
      .getByRole('link', { name: /^Open the message/ })
      .click()
    await page.getByText('Only live').first().waitFor()
    await page.getByRole('group', { name: 'Mode' }).getByText('Test', { exact: true }).click()
    await page.getByRole('heading', { name: 'This is in your live data' }).waitFor()
    await checkBothThemes(page, 'a message of the other mode')
    assert.equal(await page.getByText('Only live').count(), 0)
    await page.getByRole('button', { name: 'Switch to live mode' }).click()
    await page.getByText('Only live').first().waitFor()
    assert.ok(page.url().endsWith(`/messages/${live}`))
    await page.goto('/messages/msg_00000000000000000000000000')
    await page.getByRole('heading', { name: 'This doesn’t exist' }).waitFor()
    await page.getByRole('link', { name: 'All messages' }).last().click()
    await rowOf(page, 'Only live').waitFor()
  })

  test('the keyboard alone filters the list, opens a message, and comes back', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages' })
    await page.keyboard.press('/')
    await untilFocused(page.getByLabel('To', { exact: true }))
    await page.keyboard.type('+15005550101')
    await page.keyboard.press('Enter')
    await rowOf(page, 'Nobody has this number').waitFor()
    const link = rowOf(page, 'Nobody has this number').getByRole('link', { name: /^Open the message/ })
    await tabTo(page, link)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Text (to|from) / }).waitFor()
    await tabTo(page, page.getByRole('link', { name: 'Requests about it' }))
    await page.goBack()
    await link.waitFor()
  })

  test('on a telephone the text is under the number, and nothing sticks out', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/messages?to=%2B15005550101' })
    await page.getByText('Nobody has this number').filter({ visible: true }).first().waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'messages-telephone')
    await page
      .getByRole('link', { name: /^Open the message/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: /^Text (to|from) / }).waitFor()
    await screenReady(page)
    await noHorizontalScroll(page)
    await checkAccessibility(page, { name: 'a message on a telephone' })
  })
})
