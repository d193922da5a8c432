// The palette: from any screen to any endpoint, page, action or id with a few keys, none of which is lost.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { navigation } from '../src/app/screens.ts'
import './words.ts'
import {
  checkAccessibility,
  checkBothThemes,
  chooseSide,
  chromiumMissing,
  countCalls,
  goTo,
  headingOf,
  portalForTests,
  resetCalls,
  type Seeded,
  screenReady,
  seedBelievable,
  testBanner,
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
  ['part', 'Update a participant'],
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

describe('the palette', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let seeded: Seeded
  before(async () => {
    seeded = await seedBelievable(portal.t)
  })

  const field = (page: Page) =>
    page.getByRole('combobox', { name: 'Search people, invoices, pages, actions and endpoints' })
  const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  const heading = (page: Page, name: string) =>
    page.getByRole('main').getByRole('heading', { level: 1, name: headingOf(name) })

  async function openPalette(page: Page): Promise<void> {
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
  }

  /** Where the endpoint of that name is in the list, from 0; -1 when it is not in it. */
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
    await page.route(/\/_built\/palette-/, async route => {
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

  test('no key is lost that is pressed in the moment in which it comes', async t => {
    const page = await portal.newPage(t)
    await page.route(/\/_built\/palette-/, async route => {
      await new Promise(resolve => setTimeout(resolve, 150))
      await route.continue()
    })
    await portal.logIn(page)
    const slow = await page.context().newCDPSession(page)
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await page.keyboard.press('Control+k')
    const typed = 'abcdefghijklmnopqrstuvwxyz'.repeat(2)
    await page.keyboard.type(typed)
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await slow.detach()
    await field(page).waitFor()
    assert.equal(await field(page).inputValue(), typed)
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
    const reported = dear.map(([what, keys]) => `${what}: ${keys}`).join('\n')
    assert.ok(dear.length <= queries.length * 0.1, `${dear.length} of ${queries.length} take more keys:\n${reported}`)
    assert.ok(
      dear.every(([, keys]) => keys <= 9),
      `not to be found:\n${reported}`,
    )
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
    for (const [i, { path, name }] of navigation.entries()) {
      await goTo(page, path)
      await heading(page, name).waitFor()
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
    await testBanner(page).waitFor({ state: 'detached' })
    await openPalette(page)
    await page.keyboard.type('switch to test')
    await page.keyboard.press('Enter')
    await testBanner(page).waitFor()
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

  test('in the workspace people, companies and invoices come first, then actions, and endpoints last', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await chooseSide(page, 'workspace')
    const first = () => options(page).first().innerText()
    const find = async (typed: string, wanted: RegExp) => {
      await openPalette(page)
      await page.keyboard.type(typed)
      await options(page).first().filter({ hasText: wanted }).waitFor()
      return first()
    }
    await find('ada love', /^(Lead|Contact)\s*Ada Lovelace/)
    await checkBothThemes(page, 'palette with records', 'palette-records')
    await page.keyboard.press('Enter')
    await heading(page, 'Ada Lovelace').waitFor()
    const { json } = await portal.t.call('GET', '/v1/api/finance/invoices?status=Sent&limit=1', {
      as: portal.t.main.testKey,
    })
    const { number } = json.invoices[0]
    await find(number, new RegExp(`^Invoice\\s*${number}`))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/invoices\/\d+/)
    await find('create a lead', /^Do\s*Create a lead/)
    const kinds = await options(page).allInnerTexts()
    const endpoint = kinds.findIndex(text => /^(GET|POST)\b/.test(text))
    assert.ok(
      endpoint > 0 && kinds.slice(endpoint).every(text => /^(GET|POST|PUT|PATCH|DELETE)\b/.test(text)),
      kinds.join('\n'),
    )
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Create a lead' }).waitFor()
  })

  test('records that one may not see are not asked for', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Finance Manager' })
    await openPalette(page)
    resetCalls(page)
    await page.keyboard.type('ada love')
    await page.waitForTimeout(600)
    assert.deepEqual(
      Object.keys(countCalls(page).byRoute).filter(route => /leads/.test(route)),
      [],
    )
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
})
