// The frame around every screen: the palette that finds any endpoint with a few keys, shortcuts, themes, navigation on a
// telephone, and that all of it works without a mouse and without sight.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { navigation } from '../src/app/routes.ts'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  portalForTests,
  type Seeded,
  screenReady,
  seedBelievable,
  settled,
  showTheme,
  tabTo,
  untilFocused,
} from './browser.ts'

/** What a person types after Ctrl+K, and the endpoint they mean. Their cost is counted below, arrow keys included. */
const queries: [typed: string, meant: string][] = [
  ['sms', 'Send an SMS'],
  ['text', 'Send an SMS'],
  ['mess', 'List messages'],
  ['call', 'Start a call'],
  ['star', 'Start a call'],
  ['hang', 'Hang up a call'],
  ['logi', 'Log in'],
  ['logo', 'Log out'],
  ['refr', 'Refresh an access token'],
  ['who', 'Who am I'],
  ['lead', 'Create a lead'],
  ['rest', 'Restore a lead'],
  ['dele', 'Delete a lead'],
  ['invo', 'List invoices'],
  ['bill', 'Create an invoice'],
  ['canc', 'Cancel an invoice'],
  ['audi', 'Audit invoice numbers'],
  ['paym', 'Record a payment'],
  ['rota', 'Rotate an API key'],
  ['revo', 'Revoke an API key'],
  ['user', 'Create a user'],
  ['org', 'Get the organization'],
  ['even', 'List events'],
  ['log', 'List API requests'],
  ['req', 'List API requests'],
  ['prob', 'List the error reference'],
  ['err', 'List the error reference'],
  ['cata', 'Search the endpoint catalog'],
  ['open', 'Get the OpenAPI document'],
  ['jwks', 'Get the public signing keys'],
]
const keysAllowed = 6

describe('the frame of the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let seeded: Seeded
  before(async () => {
    seeded = await seedBelievable(portal.t)
  })

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search endpoints, pages, actions and ids' })
  const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  const heading = (page: Page, name: string) => page.getByRole('main').getByRole('heading', { level: 1, name })
  const theme = (page: Page) => page.locator('html').getAttribute('data-theme')

  async function openPalette(page: Page): Promise<void> {
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
  }

  /** Where the endpoint of that name stands in the list, from 0; -1 when it is not in it. */
  async function placeOf(page: Page, name: string): Promise<number> {
    const texts = await options(page).allInnerTexts()
    return texts.findIndex(
      text =>
        text
          .split('\n')
          .map(line => line.trim())
          .includes(name) && /\b(GET|POST|PUT|PATCH|DELETE)\b/.test(text),
    )
  }

  test('what is typed before the palette has come is in it', async t => {
    const page = await portal.newPage(t)
    const held = Promise.withResolvers<void>()
    await page.route(/\/assets\/palette-/, async route => {
      await held.promise
      await route.continue()
    })
    await portal.logIn(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('webhooks')
    held.resolve()
    await field(page).waitFor()
    assert.equal(await field(page).inputValue(), 'webhooks')
    await page.keyboard.press('Escape')
    await openPalette(page)
    assert.equal(await field(page).inputValue(), '')
  })

  test(`nine of ten endpoints are ${keysAllowed} keys away, Ctrl+K and Enter included`, async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await openPalette(page)
    const costs: [typed: string, keys: number][] = []
    for (const [typed, meant] of queries) {
      await field(page).fill('')
      await page.keyboard.type(typed)
      await page.waitForFunction(() => document.querySelector('[role=option]') !== null)
      const place = await placeOf(page, meant)
      costs.push([`${typed} → ${meant}`, place === -1 ? Number.POSITIVE_INFINITY : 1 + typed.length + place + 1])
    }
    const dear = costs.filter(([, keys]) => keys > keysAllowed)
    const told = dear.map(([what, keys]) => `${what}: ${keys}`).join('\n')
    assert.ok(dear.length <= queries.length * 0.1, `${dear.length} of ${queries.length} take more keys:\n${told}`)
    assert.ok(
      dear.every(([, keys]) => keys <= 9),
      `not to be found:\n${told}`,
    )
  })

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
    await page.getByLabel('Name', { exact: true }).fill('Brook Heading')
    await page.getByLabel('E-mail').fill('brook@example.com')
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

  test('those keys, really pressed, lead to the endpoint', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    // As fast as anybody types, and without waiting for anything to appear; but they have looked at the page first.
    const delay = 80
    await page.waitForTimeout(1_500)
    await page.keyboard.press('Control+k')
    await page.waitForTimeout(delay)
    await page.keyboard.type('sms', { delay })
    await page.keyboard.press('Enter')
    await page.waitForURL('**/explorer/v2/messaging/post-messages-sms')
    await screenReady(page)
  })

  test('it opens from every screen, and finds endpoints with typos, by address and by method', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const typed = ['sned sms', 'POST /v2/messages/sms', 'messages/sms', 'send text']
    for (const [i, { path }] of navigation.entries()) {
      await page.goto(path)
      await screenReady(page)
      await openPalette(page)
      await page.keyboard.type(typed[i % typed.length] as string)
      await options(page).first().waitFor()
      assert.equal(await placeOf(page, 'Send an SMS'), 0, `${typed[i % typed.length]} on ${path}`)
      await page.keyboard.press('Escape')
      await field(page).waitFor({ state: 'detached' })
    }
  })

  test('pages, actions and ids are found too', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    for (const { name } of navigation) {
      await openPalette(page)
      await page.keyboard.type(name)
      await options(page).first().waitFor()
      await page.keyboard.press('Enter')
      await heading(page, name).waitFor()
    }
    await openPalette(page)
    await page.keyboard.type('dark theme')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
    await openPalette(page)
    await page.keyboard.type('switch to live')
    await page.keyboard.press('Enter')
    await page.getByRole('banner').getByText('LIVE', { exact: true }).waitFor()
    await openPalette(page)
    await page.keyboard.type('switch to test')
    await page.keyboard.press('Enter')
    await page.getByRole('banner').getByText('TEST', { exact: true }).waitFor()
    for (const id of [seeded.messages[0]!, seeded.calls[0]!]) {
      await openPalette(page)
      await page.keyboard.type(id)
      await options(page).filter({ hasText: id }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByText(id).first().waitFor()
      assert.equal(new URL(page.url()).searchParams.get('inspect'), id)
      await checkAccessibility(page, { name: `the inspector of ${id}` })
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).searchParams.get('inspect'), null)
    }
  })

  test('arrow keys move the choice, which a screen reader hears; what nothing matches is said', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await openPalette(page)
    await page.keyboard.type('lead')
    await options(page).nth(1).waitFor()
    const chosen = async () => {
      const id = await field(page).getAttribute('aria-activedescendant')
      assert.ok(id !== null)
      assert.equal(await page.locator(`[id="${id}"]`).getAttribute('aria-selected'), 'true')
      return (await options(page).evaluateAll(list => list.map(option => option.id))).indexOf(id)
    }
    assert.equal(await chosen(), 0)
    await page.keyboard.press('ArrowDown')
    assert.equal(await chosen(), 1)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    assert.equal(await chosen(), (await options(page).count()) - 1)
    await untilFocused(field(page), 'the focus left the field')
    await field(page).fill('zzzzqqqq')
    await page.getByRole('dialog').getByRole('status').getByText('Nothing matches').waitFor()
    assert.equal(await options(page).count(), 0)
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
    for (const { key, name } of navigation) {
      assert.ok(key !== undefined, `${name} has no key`)
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
