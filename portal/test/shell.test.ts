// The frame around every screen: shortcuts, themes, navigation on a telephone, and that all of it works without a mouse and
// without sight. The palette: palette.test.ts.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../../server/test/harness.ts'
import { entriesOf, entryWith } from '../src/app/entries.ts'
import { navigation } from '../src/app/screens.ts'
import './words.ts'
import {
  checkBothThemes,
  chooseSide,
  chromiumMissing,
  goByNavigation,
  headingOf,
  mainNavigation,
  portalForTests,
  screenReady,
  seedBelievable,
  settled,
  shownSide,
  showTheme,
  startOf,
  tabTo,
  testBanner,
  untilFocused,
} from './browser.ts'

describe('the frame of the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => void (await seedBelievable(portal.t)))

  const field = (page: Page) =>
    page.getByRole('combobox', { name: 'Search people, invoices, pages, actions and endpoints' })
  const heading = (page: Page, name: string) =>
    page.getByRole('main').getByRole('heading', { level: 1, name: headingOf(name) })
  const theme = (page: Page) => page.locator('html').getAttribute('data-theme')

  async function openPalette(page: Page): Promise<void> {
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
  }

  test('every change of page brings the focus to its heading; a filter leaves it where it is', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await chooseSide(page, 'workspace')
    const h1 = page.getByRole('main').getByRole('heading', { level: 1 })
    await untilFocused(heading(page, startOf('workspace')))
    for (const list of ['Leads', 'Invoices', 'Calls']) {
      await mainNavigation(page).getByRole('link', { name: list, exact: true }).focus()
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
    await page.getByRole('dialog').getByLabel('Email').fill('brook@example.com')
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
    await page.getByRole('checkbox', { name: 'Use single-key shortcuts' }).uncheck()
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
    const skip = page.getByText('Skip to content')
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
    await choose('System theme')
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
    await drawer.getByRole('link', { name: 'Messaging' }).click()
    await heading(page, 'Messages').waitFor()
    await drawer.waitFor({ state: 'detached' })
  })

  test('the current screen is marked in the navigation, and a few clicks go to each', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const currentIn = async (name: string | RegExp) => {
      const marked = page.getByRole('navigation', { name }).locator('[aria-current=page]')
      return (await marked.allInnerTexts()).map(text => text.trim())
    }
    for (const screen of navigation) {
      await goByNavigation(page, screen.name)
      await heading(page, screen.name).waitFor()
      const entry = entryWith(entriesOf(await shownSide(page), navigation), screen)
      assert.deepEqual(await currentIn('Main'), [entry?.name], screen.name)
      if (entry !== undefined && entry.screens.length > 1)
        assert.deepEqual(await currentIn(/^Screens of/), [screen.name], screen.name)
    }
  })

  test('every screen has a place; at most nine entries are seen, and none is cut off in a low window', async t => {
    const page = await portal.newPage(t, { width: 1024, height: 768 })
    await portal.logIn(page)
    for (const side of ['workspace', 'developers'] as const) {
      await chooseSide(page, side)
      const links = mainNavigation(page).getByRole('link')
      const count = await links.count()
      assert.ok(count >= 5 && count <= 9, `${count} entries in the ${side}`)
      const box = await links.last().boundingBox()
      assert.ok(box !== null && box.y + box.height <= 768, `the last entry of the ${side} is cut off`)
    }
    const placed = new Set(
      (['workspace', 'developers'] as const).flatMap(side => entriesOf(side, navigation).flatMap(one => one.screens)),
    )
    assert.deepEqual(
      navigation.filter(screen => !placed.has(screen) && screen.setting === undefined).map(({ id }) => id),
      [],
    )
  })

  test('a side is chosen, and stays chosen; who sells and bills begins in the workspace, with live data', async t => {
    const admin = await portal.newPage(t)
    await portal.logIn(admin)
    assert.equal(await shownSide(admin), 'developers', 'who builds in test mode begins with the tools')
    await chooseSide(admin, 'workspace')
    await heading(admin, startOf('workspace')).waitFor()
    await admin.goto('/')
    await heading(admin, startOf('workspace')).waitFor()
    // What stands on the other side only is shown there, and changes nothing of the choice.
    await admin.goto('/explorer')
    await screenReady(admin)
    assert.equal(await shownSide(admin), 'developers')
    await admin.goto('/leads')
    await screenReady(admin)
    assert.equal(await shownSide(admin), 'workspace')
    const sales = await portal.newPage(t)
    await sales.goto('/login')
    await sales.getByLabel('Email or admin ID').fill(portal.t.main.users['Sales Executive'].email)
    await sales.getByLabel('Password').fill(testPassword)
    await sales.keyboard.press('Enter')
    await heading(sales, startOf('workspace')).waitFor()
    assert.equal(await shownSide(sales), 'workspace')
    assert.equal(await testBanner(sales).count(), 0)
    assert.ok(await sales.getByRole('radio', { name: 'Live' }).isChecked())
  })

  test("the organization's name and the person's stand at the top", async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Manager' })
    const banner = page.getByRole('banner')
    await banner.getByText('Example Company').waitFor()
    await banner.getByRole('button', { name: 'Account of Sales Manager' }).getByText('Sales Manager').waitFor()
  })

  test('all settings are on one page, and found by a word', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/settings' })
    const settings = page.getByRole('main').getByRole('region').getByRole('link')
    const count = await settings.count()
    assert.equal(count, navigation.filter(({ setting }) => setting !== undefined).length)
    await page.keyboard.press('/')
    await page.keyboard.type('time zone')
    await settings.nth(1).waitFor({ state: 'detached' })
    await checkBothThemes(page, 'settings found', 'settings')
    await settings.first().click()
    await heading(page, 'Organization').waitFor()
    await page.getByRole('link', { name: 'All settings' }).click()
    await page.getByRole('searchbox', { name: 'Find a setting' }).fill('xyzzy')
    await page.getByText('No setting matches “xyzzy”').waitFor()
  })

  test('back and forward go through the screens as they were', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await chooseSide(page, 'workspace')
    for (const name of ['Leads', 'Contacts', 'Companies']) {
      await goByNavigation(page, name)
      await heading(page, name).waitFor()
    }
    await page.goBack()
    await heading(page, 'Contacts').waitFor()
    await page.goBack()
    await heading(page, 'Leads').waitFor()
    await page.goForward()
    await heading(page, 'Contacts').waitFor()
  })
})
