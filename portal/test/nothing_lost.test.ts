// What is typed, or shown once, is not lost by a key, and nothing leaves behind the back of who gave it up: the palette, Escape in a
// field with choices, an input method, and a browser that takes itself for offline.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumMissing, portalForTests, storeSecret } from './browser.ts'
import { expectStatus, openPlayground } from './playground_page.ts'

describe('what is under way in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => {
    const body = { name: 'Company of record', domain: 'record.example' }
    const { status, text } = await portal.t.call('POST', '/v1/api/companies', { as: portal.t.main.testKey, body })
    assert.equal(status, 201, text)
  })

  const palette = (page: Page) =>
    page.getByRole('combobox', { name: 'Search people, invoices, pages, actions and endpoints' })

  test('lists load while the browser takes itself for offline, and what was given up is not sent afterwards', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies' })
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await page.getByRole('link', { name: 'Open Company of record', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Company of record' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Create a company' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create a company' })
    await dialog.getByLabel('Name').fill('Sent at once')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('the palette does not open over a form with something typed, nor over a secret', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    await page.getByRole('button', { name: 'Create an API key' }).first().click()
    await page.getByRole('dialog', { name: 'Create an API key' }).getByLabel('Name').fill('Kept')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = page.getByRole('dialog', { name: 'The secret of Kept' })
    await secret.waitFor()
    await page.keyboard.press('Control+k')
    await secret.getByRole('button', { name: 'Copy the secret' }).waitFor()
    assert.equal(await palette(page).count(), 0)
    await storeSecret(secret)
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
  })

  test('Escape closes the list of a field first; an Enter or Escape of an input method closes nothing', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies' })
    await page.getByRole('button', { name: 'Create a company' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create a company' })
    const owner = dialog.getByRole('combobox', { name: 'Owner' })
    await owner.fill('a')
    await page.getByRole('listbox').waitFor()
    await owner.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    assert.equal(await owner.inputValue(), 'a')
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    assert.ok(await dialog.isVisible())
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+k')
    await palette(page).fill('Invoices')
    await page.getByRole('option').first().waitFor()
    await palette(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    assert.ok(await palette(page).isVisible())
    await palette(page).dispatchEvent('keydown', { key: 'Enter' })
    await palette(page).waitFor({ state: 'detached' })
  })
  test('an Enter of an input method neither takes a path in the Playground nor sends a request', async t => {
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=messages.list' })
    let sent = 0
    page.on('request', request => {
      if (request.method() === 'GET' && new URL(request.url()).pathname === '/v2/messages') sent++
    })
    await page.getByRole('button', { name: 'Write another path, or paste cURL' }).click()
    const path = page.getByRole('textbox', { name: 'Path or cURL command' })
    await path.fill('/v2/messages')
    await path.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    await path.dispatchEvent('keydown', { key: 'Enter', ctrlKey: true, isComposing: true })
    assert.equal(await path.inputValue(), '/v2/messages')
    await path.dispatchEvent('keydown', { key: 'Enter' })
    await path.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await expectStatus(page, 200)
    assert.equal(sent, 1)
  })
})
