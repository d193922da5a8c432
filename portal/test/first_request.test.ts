// Somebody who has just been given an account: from the dashboard to a real request and its whole answer in a few clicks,
// without reading anything, and as well without a mouse.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility, chromiumMissing, portalForTests, screenshot, tabTo } from './browser.ts'

const clicksAllowed = 4
const secondsAllowed = 45

describe('the first request of a new user', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  /** What the server knows of it: the message is there, and the log names the Playground as its source. */
  async function arrived(page: Page): Promise<void> {
    const { t } = portal
    const answer = page.getByRole('region', { name: 'Response', exact: true })
    const id = /msg_[0-9a-z]{26}/.exec(await answer.innerText())?.[0]
    assert.ok(id !== undefined, 'the answer shows no message id')
    assert.equal((await t.call('GET', `/v2/messages/${id}`, { as: t.other.testKey })).status, 200)
    await t.app.flush()
    const { json } = await t.call('GET', '/v2/requests?source=playground', { as: t.other.testKey })
    const paths = json.data.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`)
    assert.ok(paths.includes('POST /v2/messages/sms'), `the log knows ${paths.join(', ') || 'nothing'}`)
  }

  /** Body, headers, status and time are in view together, without a click or a scroll. */
  async function fourFacets(page: Page): Promise<void> {
    const region = (name: string) => page.getByRole('region', { name, exact: true })
    const facets = {
      status: region('Status and time').getByText(/^200/).first(),
      time: region('Status and time')
        .getByText(/\b\d+(\.\d+)? ms\b/)
        .first(),
      header: region('Response headers').getByText('x-request-id').first(),
      body: region('Response').getByText('messageId').first(),
    }
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    for (const [name, facet] of Object.entries(facets)) {
      await facet.waitFor()
      const box = await facet.boundingBox()
      assert.ok(box !== null, `the ${name} is not shown`)
      const inside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
      assert.ok(inside, `the ${name} is out of view: ${JSON.stringify(box)}`)
    }
  }

  test(`at most ${clicksAllowed} clicks from the dashboard, and nothing to type`, async t => {
    const page = await portal.newPage(t, { width: 1440, height: 900 })
    await portal.logIn(page, { organization: 'other' })
    await page.evaluate(() => {
      addEventListener(
        'click',
        () => Object.assign(window, { clicks: Number(Reflect.get(window, 'clicks') ?? 0) + 1 }),
        {
          capture: true,
        },
      )
    })
    const startedMs = performance.now()
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByRole('listitem').filter({ hasText: 'Send your first request' }).getByRole('link').click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await fourFacets(page)
    const seconds = (performance.now() - startedMs) / 1000
    const clicks = await page.evaluate(() => Number(Reflect.get(window, 'clicks')))
    assert.ok(clicks >= 2 && clicks <= clicksAllowed, `${clicks} clicks`)
    assert.ok(seconds < secondsAllowed, `${seconds} s`)
    await arrived(page)
    await screenshot(page, 'first-request')
    await checkAccessibility(page, { name: 'the answer to the first request' })
  })

  test('category, endpoint, method, send: the way of the contract, by keyboard alone', async t => {
    const page = await portal.newPage(t, { width: 1440, height: 900 })
    await portal.logIn(page, { organization: 'other' })
    await tabTo(page, page.getByRole('link', { name: 'Open the Playground' }).first())
    await page.keyboard.press('Enter')
    const category = page.getByRole('combobox', { name: 'Category' })
    await category.waitFor()
    await tabTo(page, category)
    await page.keyboard.type('Messaging')
    await tabTo(page, page.getByRole('combobox', { name: 'Endpoint' }))
    await page.keyboard.type('/v2/messages/sms')
    await page.keyboard.press('Enter')
    const method = page.getByRole('group', { name: 'Method' })
    await tabTo(page, method.getByRole('radio', { checked: true }))
    assert.ok(await method.getByRole('radio', { name: 'POST' }).isChecked())
    await page.keyboard.press('Control+Enter')
    await fourFacets(page)
    await arrived(page)
  })

  test('on a telephone too', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { organization: 'other' })
    await page.getByRole('link', { name: 'Open the Playground' }).first().click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const answer = page.getByRole('region', { name: 'Response', exact: true })
    await answer.getByText('messageId').first().waitFor()
    await arrived(page)
  })
})
