// People by their names and numbers as people write them, in lists and pages of what was exchanged with them; words of people in the
// direction of their language; and lists that were refused for a while, which go on by themselves.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  portalForTests,
  screenshot,
  sendText,
  untilData,
  watchOf,
} from './browser.ts'
import { expectStatus, openPlayground, send } from './playground_page.ts'

describe('people by name in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const number = '+16125550196'
  let leadId: number
  before(async () => {
    leadId = await lead('Naomi Tanaka', number)
    await sendText(portal.t, { to: number, body: 'Shall we meet at eight?' })
    await sendText(portal.t, { to: '+15005550100', body: 'مرحبا، متى نلتقي؟' })
    await sendText(portal.t, { to: '+15005550101', body: 'Nobody has this number' })
  })

  async function lead(name: string, phone: string): Promise<number> {
    const { json, text } = await portal.t.call('POST', '/v1/api/leads', {
      as: portal.t.main.testKey,
      body: { name, phone },
    })
    assert.ok(json.lead, text)
    return json.lead.id
  }

  async function call(body: object): Promise<string> {
    const { json, text } = await portal.t.call('POST', '/v2/voice/calls', {
      as: portal.t.main.testKey,
      body: { from: '+15005550006', to: '+15005550200', ...body },
    })
    assert.ok(json.data, text)
    return json.data.callId
  }

  const row = (page: Page, text: string) => page.locator('tbody tr').filter({ hasText: text })

  test('a number is shown with whose it is, who is a link, and one request asks for all of a page', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages' })
    const shown = row(page, 'Shall we meet at eight?')
    await shown.getByText('(612) 555-0196').waitFor()
    await watchOf(page).quiet()
    assert.equal(countCalls(page).byRoute['GET /v1/api/people'], 1)
    await checkBothThemes(page, 'messages by name', 'names-messages')
    await shown.getByRole('link', { name: 'Naomi Tanaka' }).click()
    await page.waitForURL(`**/leads/${leadId}`)
  })

  test('what is copied of a number is what machines read', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages' })
    await row(page, 'Shall we meet at eight?').getByRole('link', { name: 'Naomi Tanaka' }).waitFor()
    const copied = await row(page, 'Shall we meet at eight?')
      .getByTitle(number)
      .evaluate(async shown => {
        getSelection()?.selectAllChildren(shown)
        const clipboardData = new DataTransfer()
        shown.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
        return clipboardData.getData('text/plain')
      })
    assert.equal(copied, number)
  })

  test('who may not see the lead sees the number', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages', role: 'Finance Manager' })
    await row(page, 'Shall we meet at eight?').getByText('(612) 555-0196').waitFor()
    await watchOf(page).quiet()
    assert.equal(await page.getByText('Naomi Tanaka').count(), 0)
  })

  test('states that are as they should be are plain, what needs somebody is not; words stand as their language does', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages' })
    const ground = (text: string, state: string) =>
      row(page, text)
        .getByText(state, { exact: true })
        .evaluate(chip => getComputedStyle(chip).backgroundColor)
    await row(page, 'مرحبا').getByText('delivered', { exact: true }).waitFor()
    assert.equal(await ground('مرحبا', 'delivered'), 'rgba(0, 0, 0, 0)')
    await row(page, 'Nobody has this number').getByText('undelivered', { exact: true }).waitFor()
    assert.notEqual(await ground('Nobody has this number', 'undelivered'), 'rgba(0, 0, 0, 0)')
    const directions = await Promise.all(
      ['مرحبا، متى نلتقي؟', 'Shall we meet at eight?'].map(text =>
        page.getByText(text).evaluate(element => getComputedStyle(element).direction),
      ),
    )
    assert.deepEqual(directions, ['rtl', 'ltr'])
    const heights = await page.locator('tbody tr').evaluateAll(rows => rows.map(one => one.clientHeight))
    assert.equal(new Set(heights).size, 1, `rows of ${heights} px`)
  })

  test('one conversation is one row among the calls, its legs where somebody asks for them', async t => {
    const instructions = [{ verb: 'dial', targets: [{ type: 'number', number: '+15005550201' }] }, { verb: 'hangup' }]
    const id = await call({ instructions })
    await untilData(portal.t, `/v2/voice/calls/${id}`, 'state', 'completed')
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/calls' })
    await row(page, '+1 500 555 0200').first().waitFor()
    assert.equal(await row(page, '+1 500 555 0201').count(), 0)
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByLabel('Legs').selectOption('true')
    await row(page, '+1 500 555 0201').getByText('outbound, leg').waitFor()
  })

  test('who calls from the portal is shown by name, and so is the lead that a call was about', async t => {
    const id = await call({ metadata: { leadId: String(leadId), order: '17' } })
    const page = await portal.newPage(t)
    const { email } = portal.t.main.users['Sales Manager']
    await page.route('**/v2/voice/calls?*', async route => {
      const answer = await route.fetch()
      const json = await answer.json()
      for (const one of json.data) if (one.callId === id) one.from = `client:${email}`
      await route.fulfill({ response: answer, json })
    })
    await portal.logIn(page, { path: '/calls' })
    const { json } = await portal.t.call('GET', `/v1/api/people?addresses=${email}`, { as: portal.t.main.testKey })
    await row(page, json.people[0].name).first().waitFor()
    assert.equal(await page.getByText('client:').count(), 0)
    await checkBothThemes(page, 'calls by name', 'names-calls')
    await page.goto(`/calls/${id}`)
    await page.getByText('order').first().waitFor()
    await page.locator('dd').getByRole('link', { name: 'Naomi Tanaka' }).click()
    await page.waitForURL(`**/leads/${leadId}`)
  })

  test('events say what they are about by name, and break between words only on a telephone', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/events' })
    await page
      .getByRole('button', { name: `Inspect lead:${leadId}` })
      .first()
      .getByText('Naomi Tanaka')
      .waitFor()
    await page
      .getByRole('button', { name: /^Inspect msg_/ })
      .first()
      .waitFor()
    await noHorizontalScroll(page)
    const broken = await page.locator('tbody td:first-child').evaluateAll(cells =>
      cells.flatMap(cell => {
        const words: string[] = []
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const range = document.createRange()
          range.selectNodeContents(node)
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
            words.push(node.textContent ?? '')
        }
        return words
      }),
    )
    assert.deepEqual(broken, [])
    await screenshot(page, 'names-events-390')
  })

  test('members stand with their initials, one line each', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/users' })
    await page.locator('tbody tr').first().waitFor()
    const heights = await page.locator('tbody tr').evaluateAll(rows => rows.map(one => one.clientHeight))
    assert.equal(new Set(heights).size, 1, `rows of ${heights} px`)
    await checkBothThemes(page, 'members with initials', 'names-members')
  })

  test('a list that is refused says when it goes on, and goes on by itself', async t => {
    const page = await portal.newPage(t, { allow: [/status of 429/] })
    let refusals = 2
    await page.route('**/v2/messages?*', route =>
      refusals-- > 0
        ? route.fulfill({
            status: 429,
            headers: { 'retry-after': '3' },
            json: { status: 429, error: { code: 'rate_limited', message: 'Too many.', retriable: true }, meta: {} },
          })
        : route.continue(),
    )
    await portal.logIn(page, { path: '/messages' })
    await page.getByRole('heading', { name: 'That was a lot at once' }).waitFor()
    await page.getByText('This continues by itself in 2 seconds.').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    await row(page, 'Shall we meet at eight?').waitFor({ timeout: 15_000 })
    assert.equal(refusals, -1, 'it was asked for again when it was time, and no sooner')
  })

  test('there is one way to replace look-alikes in the dialog that sends a text', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages?send=1', dialog: true })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('“Grüße” – bis gleich')
    await dialog.getByText('UCS-2', { exact: true }).waitFor()
    await dialog.getByRole('checkbox', { name: 'Replace look-alikes' }).waitFor()
    assert.equal(await dialog.getByText('Replace look-alikes').count(), 1)
  })

  test('a notice covers no button of what opens above a screen', async t => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      const page = await openPlayground(portal, t, { width, height })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await send(page).click()
      await expectStatus(page, 200)
      await page.getByRole('button', { name: 'Share' }).click()
      const notice = page.getByRole('region', { name: 'Notifications' }).locator('div').first()
      await notice.waitFor()
      await page
        .getByRole('button', { name: /^Inspect req_/ })
        .first()
        .click()
      const foot = page.getByRole('dialog').getByRole('link', { name: 'Open the page' })
      await foot.waitFor()
      const [one, other] = await Promise.all([notice.boundingBox(), foot.boundingBox()])
      assert.ok(one !== null && other !== null)
      const apart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y
      assert.ok(apart, `${JSON.stringify(one)} covers ${JSON.stringify(other)}`)
      await page.close()
    }
  })
})
