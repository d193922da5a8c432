// The menu button: opened by a press, by touch, by keys and by what presses nothing, such as a screen reader; the focus goes into the list
// and comes back. The list's script is fetched only from the first sign of a person on.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumMissing, type PageOptions, portalForTests, screenReady, untilFocused } from './browser.ts'

describe('menus', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const open = async (t: Parameters<typeof portal.newPage>[0], options: PageOptions = {}) => {
    const page = await portal.newPage(t, options)
    await portal.logIn(page, { mode: 'live', path: '/inbox' })
    await screenReady(page)
    return page
  }
  const button = (page: Page) => page.getByRole('button', { name: 'More views' })
  const first = (page: Page) => page.getByRole('menuitem').first()

  test('by keys: Enter and the arrow open it at its first entry, Escape comes back', async t => {
    const page = await open(t)
    await button(page).focus()
    // The first key of a visit has the list fetched.
    await page.keyboard.press('Shift')
    for (const key of ['Enter', 'ArrowDown', 'Space']) {
      await page.keyboard.press(key)
      await untilFocused(first(page))
      assert.equal(await button(page).getAttribute('aria-expanded'), 'true')
      await page.keyboard.press('Escape')
      await first(page).waitFor({ state: 'detached' })
      await untilFocused(button(page))
      assert.equal(await button(page).getAttribute('aria-expanded'), 'false')
    }
  })

  test('a key that comes before the list does opens it at its first entry, too', async t => {
    const page = await portal.newPage(t)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/menu_list-/, async route => {
      await held
      await route.continue()
    })
    await portal.logIn(page, { mode: 'live', path: '/inbox' })
    await screenReady(page)
    await button(page).focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-expanded') === 'true')
    release()
    await untilFocused(first(page))
  })

  test('a press opens it and another closes it; one elsewhere leaves the focus there', async t => {
    const page = await open(t)
    await button(page).click()
    await first(page).waitFor()
    await button(page).click()
    await first(page).waitFor({ state: 'detached' })
    await button(page).click()
    await first(page).waitFor()
    const elsewhere = page.getByRole('button', { name: /^Unassigned/ })
    await elsewhere.click()
    await first(page).waitFor({ state: 'detached' })
    await untilFocused(elsewhere)
  })

  test('what presses nothing opens it too', async t => {
    const page = await open(t)
    await button(page).evaluate(element => (element as HTMLButtonElement).click())
    await first(page).waitFor()
  })

  test('the list comes with the first sign of a person, and not before', async t => {
    const page = await portal.newPage(t)
    const scripts: string[] = []
    page.on('request', request => scripts.push(request.url()))
    await portal.logIn(page, { mode: 'live', path: '/inbox' })
    await screenReady(page)
    const isList = (url: string) => /\/menu_list-/.test(url)
    assert.ok(!scripts.some(isList))
    const fetched = page.waitForRequest(request => isList(request.url()))
    await page.mouse.move(200, 200)
    await fetched
  })
})
