// The frame around every screen: shortcuts, themes, navigation on a telephone, and that all of it works without a mouse and
// without sight. The palette: palette.test.ts.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { navigation } from '../src/app/screens.ts'
import {
  checkBothThemes,
  chromiumMissing,
  portalForTests,
  screenReady,
  seedBelievable,
  settled,
  showTheme,
  tabTo,
  untilFocused,
} from './browser.ts'

describe('the frame of the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => void (await seedBelievable(portal.t)))

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search endpoints, pages, actions and ids' })
  const heading = (page: Page, name: string) => page.getByRole('main').getByRole('heading', { level: 1, name })
  const theme = (page: Page) => page.locator('html').getAttribute('data-theme')

  async function openPalette(page: Page): Promise<void> {
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
  }

  test('every change of page brings the focus to its heading; a filter leaves it where it is', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const h1 = page.getByRole('main').getByRole('heading', { level: 1 })
    for (const list of ['Leads', 'Invoices', 'Messages', 'Calls']) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: list, exact: true }).focus()
      await page.keyboard.press('Enter')
      await untilFocused(heading(page, list))
      await tabTo(page, page.getByRole('main').getByRole('table').getByRole('link').first())
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/\w+\/\w+/)
      await untilFocused(h1)
      await page.goBack()
      await untilFocused(heading(page, list))
    }
    await page.goto('/leads')
    await screenReady(page)
    const search = page.getByRole('main').getByLabel('Search', { exact: true })
    await search.fill('Ada')
    await page.waitForURL(/q=Ada/)
    await page.getByRole('cell', { name: 'Open Ada Lovelace' }).waitFor()
    await untilFocused(search)
    await page.getByRole('button', { name: 'Create a lead' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Brook Heading')
    await page.getByRole('dialog').getByLabel('E-mail').fill('brook@example.com')
    await page.keyboard.press('Enter')
    await untilFocused(heading(page, 'Brook Heading'))
    // By the palette, and on a telephone by the drawer of the navigation.
    await openPalette(page)
    await page.keyboard.type('invoices')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/invoices**')
    await untilFocused(h1)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('dialog', { name: 'Navigation' }).getByRole('link', { name: 'Calls' }).click()
    await untilFocused(heading(page, 'Calls'))
  })

  test('the palette, the list of shortcuts, the menus: nothing against WCAG 2.2 A and AA, in both themes', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const check = (name: string) => checkBothThemes(page, name, name)
    await openPalette(page)
    await check('palette')
    await page.keyboard.type('invoice')
    await check('palette with results')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await check('shortcuts')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await check('account menu')
  })

  test('g and a letter leads to each screen, / to its search, ? to the list; none of them while one writes', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const keys = navigation.flatMap(({ key }) => key ?? [])
    assert.equal(new Set(keys).size, keys.length, 'a key leads to one screen')
    assert.ok(keys.length >= 20, keys.join(' '))
    for (const { key, name } of navigation) {
      if (key === undefined) continue
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await heading(page, name).waitFor()
    }
    await page.goto('/explorer')
    await screenReady(page)
    await page.keyboard.press('/')
    const search = page.getByRole('main').locator('[data-page-search]')
    await untilFocused(search, '/ does not focus the search')
    await page.keyboard.type('gm?/')
    assert.equal(await search.inputValue(), 'gm?/')
    await heading(page, 'Explorer').waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  test('single keys can be turned off, and stay off; those with Ctrl work on (WCAG 2.1.4)', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('checkbox', { name: 'Shortcuts of single keys' }).uncheck()
    await page.keyboard.press('Escape')
    await page.reload()
    await screenReady(page)
    await page.keyboard.press('?')
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await openPalette(page)
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count(), 0)
    await heading(page, 'Dashboard').waitFor()
  })

  test('the focus comes back to where it was, and stays inside while something is open', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const opener = page.getByRole('button', { name: 'Keyboard shortcuts' })
    await tabTo(page, opener)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press('Tab')
      assert.ok(await dialog.evaluate(element => element.contains(document.activeElement)), 'the focus left the dialog')
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await untilFocused(opener, 'the focus did not come back')
  })

  test('the first stop of Tab skips the navigation', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await page.keyboard.press('Tab')
    const skip = page.getByText('Skip to the content')
    await untilFocused(skip)
    assert.ok(await skip.isVisible())
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const place = await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))
    assert.equal(place, true, 'after the jump Tab goes on elsewhere')
  })

  test('the theme follows the system until one is chosen, and a choice outlives a reload', async t => {
    const page = await portal.newPage(t, { theme: 'dark' })
    await portal.logIn(page)
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const ground = async () => {
      await settled(page)
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    }
    assert.equal(await theme(page), 'dark')
    const dark = await ground()
    await showTheme(page, 'light')
    assert.notEqual(await ground(), dark)
    await choose('Dark theme')
    assert.equal(await theme(page), 'dark')
    await page.reload()
    await screenReady(page)
    assert.equal(await theme(page), 'dark')
    assert.equal(await ground(), dark)
    await choose('Theme of the system')
    assert.equal(await theme(page), 'light')
  })

  test('on a telephone the navigation is behind a button, and closes after a choice', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    const drawer = page.getByRole('dialog', { name: 'Navigation' })
    await drawer.waitFor()
    await checkBothThemes(page, 'navigation drawer')
    await drawer.getByRole('radio', { name: 'Test' }).waitFor()
    await drawer.getByRole('link', { name: 'Messages' }).click()
    await heading(page, 'Messages').waitFor()
    await drawer.waitFor({ state: 'detached' })
  })

  test('the current screen is marked in the navigation, and each click goes to one', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const links = page.getByRole('navigation', { name: 'Main' })
    for (const { name } of navigation) {
      await links.getByRole('link', { name, exact: true }).click()
      await heading(page, name).waitFor()
      const current = await links.locator('[aria-current=page]').allInnerTexts()
      assert.deepEqual(
        current.map(text => text.trim()),
        [name],
      )
    }
  })

  test('back and forward go through the screens as they were', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const links = page.getByRole('navigation', { name: 'Main' })
    for (const name of ['Messages', 'Leads', 'Logs']) {
      await links.getByRole('link', { name, exact: true }).click()
      await heading(page, name).waitFor()
    }
    await page.goBack()
    await heading(page, 'Leads').waitFor()
    await page.goBack()
    await heading(page, 'Messages').waitFor()
    await page.goForward()
    await heading(page, 'Leads').waitFor()
  })
})
