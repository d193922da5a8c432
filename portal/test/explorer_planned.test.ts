// Categories that are planned: found in the Explorer by their words, explained, and never offered to be called.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests, screenReady } from './browser.ts'

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search endpoints' })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })

describe('planned categories', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  test('planned categories are found, say what is planned and what to use meanwhile, and offer nothing to call', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/explorer' })
    const found = page.getByRole('list', { name: 'Planned' })
    await page.getByRole('region', { name: 'Planned' }).getByRole('link', { name: 'Contact Center' }).waitFor()
    await search(page).fill('video')
    await found.getByRole('link', { name: 'Video' }).waitFor()
    await checkBothThemes(page, 'explorer, planned found')
    await search(page).fill('invoice')
    await found.waitFor({ state: 'detached' })
    await search(page).fill('video')
    await found.getByRole('link', { name: 'Video' }).click()
    await title(page, 'Video').waitFor()
    await page.getByText('Rooms: make one, list them').waitFor()
    assert.equal(await filter(page, 'Category').inputValue(), 'Video')
    assert.equal(await page.getByRole('link', { name: /Playground|Try/ }).count(), 1, 'only that of the navigation')
    await checkBothThemes(page, 'explorer, planned category', 'explorer-planned')
    await page.setViewportSize({ width: 390, height: 844 })
    await noHorizontalScroll(page)
    await title(page, 'Video').waitFor()
    await page.getByRole('link', { name: 'All endpoints' }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
    await filter(page, 'Category').selectOption('Billing')
    await title(page, 'Billing').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Create an invoice' }).click()
    await title(page, 'Create an invoice').waitFor()
    await page.goto(`${portal.address}/playground`)
    await screenReady(page)
    assert.doesNotMatch(await page.getByRole('main').innerText(), /Video|Contact Center|\bBilling\b/)
  })
})
