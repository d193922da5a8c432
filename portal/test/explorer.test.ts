// The Explorer as a developer uses it: finding an endpoint by words, typos and filters, reading it, taking its samples
// along, linking to any of its rows, and knowing beforehand whether a key may call it.
// test: programs
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readCatalog } from '@tandem/catalog'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../server/test/eventually.ts'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  portalForTests,
  resetCalls,
  screenReady,
  tabTo,
  untilFocused,
  watchOf,
} from './browser.ts'
import { readEndpoint } from './endpoint_reader.ts'

const catalog = readCatalog(JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')))
const total = catalog.endpoints.length
const sms = '/explorer/v2/messaging/post-messages-sms'

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search endpoints' })
const list = (page: Page) => page.getByRole('navigation', { name: 'List of endpoints' })
const rows = (page: Page) => list(page).getByRole('link')
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const count = (page: Page) => page.getByRole('region', { name: 'Endpoints' }).getByRole('status')
const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const paramsOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

async function untilCount(page: Page, wanted: number): Promise<void> {
  await count(page)
    .getByText(new RegExp(`^${wanted} of ${total} endpoints$`))
    .waitFor()
}

/** Whether an element lies within the window, below the bar of the frame. */
async function inView(target: Locator): Promise<boolean> {
  return target.evaluate(element => {
    const { top } = element.getBoundingClientRect()
    return top >= 40 && top < window.innerHeight - 20
  })
}

describe('the Explorer', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  test('a search with a typo finds the endpoint, marks what it found, and Enter opens it', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/explorer' })
    await count(page).getByText(`${total} endpoints`).waitFor()
    await page.keyboard.press('/')
    await untilFocused(search(page), 'the key / goes to the search')
    await page.keyboard.type('create invocie')
    const best = rows(page).first()
    await best.getByText('Create an invoice').waitFor()
    assert.ok((await best.locator('mark').allInnerTexts()).includes('invoice'), 'the word a typo away is marked')
    assert.match(await count(page).innerText(), new RegExp(`^\\d+ of ${total} endpoints$`))
    await page.keyboard.press('Enter')
    await title(page, 'Create an invoice').waitFor()
    assert.equal(new URL(page.url()).pathname, '/explorer/v1/finance/post-finance-invoices')
    await page.waitForURL(/q=create\+invocie/)
  })

  test('a path, a method with a path, a category and a version are found too', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/explorer' })
    for (const [typed, found] of [
      ['/v2/messages/sms', 'Send an SMS'],
      ['DELETE /v1/api/leads', 'Delete a lead'],
      [`${portal.address}/v2/voice/calls/call_1/hangup`, 'Hang up a call'],
      ['voice', 'Start a call'],
      ['finance v1', 'List invoices'],
    ] as const) {
      await search(page).fill(typed)
      const best = async () => (await rows(page).locator('[class*=name]').allInnerTexts()).slice(0, 3)
      await eventually(`${typed} finds ${found} among the first three`, async () => (await best()).includes(found))
    }
    await search(page).fill('zzzzqqqq')
    await page.getByText('No endpoint matches').waitFor()
    await untilCount(page, 0)
    await page.keyboard.press('Escape')
    await count(page).getByText(`${total} endpoints`).waitFor()
  })

  test('arrows lead through the list, which stays where it is while endpoints are opened', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/explorer' })
    await search(page).focus()
    for (let presses = 0; presses < 40; presses++) await page.keyboard.press('ArrowDown')
    const row = rows(page).nth(39)
    await untilFocused(row)
    const scrolled = () => list(page).evaluate(element => element.scrollTop)
    const top = await scrolled()
    assert.ok(top > 100, `the list has its own scroll: ${top}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.pathname.startsWith('/explorer/v'))
    await page.getByTestId('endpoint-url').waitFor()
    assert.ok(Math.abs((await scrolled()) - top) <= 40, 'the list has not moved')
    await untilFocused(row, 'the arrows go on from the opened row')
    assert.equal(await row.getAttribute('aria-current'), 'page')
    assert.equal(await page.evaluate(() => window.scrollY), 0)
    for (let presses = 0; presses < 40; presses++) await page.keyboard.press('ArrowUp')
    await untilFocused(search(page), 'and back to the search')
  })

  test('filters combine, stand in the address, survive a reload and the way back, and are cleared', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/explorer' })
    await filter(page, 'Version').selectOption('v1')
    await untilCount(page, catalog.endpoints.filter(({ version }) => version === 'v1').length)
    await filter(page, 'Category').selectOption('CRM')
    await filter(page, 'Method').selectOption('POST')
    const both = catalog.endpoints.filter(({ category, method }) => category === 'CRM' && method === 'POST')
    assert.ok(both.length > 1)
    await untilCount(page, both.length)
    await search(page).fill('convert')
    await untilCount(page, 1)
    await page.waitForURL(/q=convert/)
    assert.deepEqual(paramsOf(page), { version: 'v1', category: 'CRM', method: 'POST', q: 'convert' })
    await page.reload()
    await untilCount(page, 1)
    assert.equal(await search(page).inputValue(), 'convert')
    await rows(page).first().click()
    await title(page, 'Convert a lead').waitFor()
    assert.deepEqual(paramsOf(page), { version: 'v1', category: 'CRM', method: 'POST', q: 'convert' })
    await page.goBack()
    await title(page, 'Explorer').waitFor()
    await untilCount(page, 1)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await count(page).getByText(`${total} endpoints`).waitFor()
    assert.deepEqual(paramsOf(page), {})
    assert.equal(await search(page).inputValue(), '')
  })

  test('what my role may call, and what one of my keys may, with the reason and one request', async t => {
    const made = await portal.t.call('POST', '/v2/auth/api-keys', {
      as: portal.t.main.tokens['Sales Manager'],
      body: { name: 'reader', mode: 'test', scopes: ['leads:read', 'messages:read'] },
    })
    assert.equal(made.status, 201, JSON.stringify(made.json))
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Manager', path: '/explorer' })
    await watchOf(page).quiet()
    resetCalls(page)
    const role = catalog.endpoints.filter(
      ({ permission }) =>
        permission.level === 'public' || (permission.roles.includes('Sales Manager') && permission.liveOnly !== true),
    )
    await filter(page, 'Callable by').selectOption('role')
    await untilCount(page, role.length)
    assert.equal(await rows(page).filter({ hasText: 'Create an invoice' }).count(), 0)

    await filter(page, 'Callable by').focus()
    const option = filter(page, 'Callable by').getByRole('option', { name: 'Key “reader”' })
    await option.waitFor({ state: 'attached' })
    await filter(page, 'Callable by').selectOption(made.json.data.keyId)
    const levels = ['public', 'leads:read', 'messages:read']
    await untilCount(page, catalog.endpoints.filter(({ permission }) => levels.includes(permission.level)).length)
    const { byRoute } = countCalls(page)
    assert.deepEqual(byRoute, { 'GET /v2/auth/api-keys': 1 })

    await page.goto(`${sms}?caller=${made.json.data.keyId}`)
    await page
      .getByTestId('may-call')
      .getByText('“reader” can’t call it. It doesn’t have the scope messages:send')
      .waitFor()
    await page.goto(`/explorer/v1/crm/get-leads?caller=${made.json.data.keyId}`)
    await page.getByTestId('may-call').getByText('leads:read is one of its scopes').waitFor()
    await checkAccessibility(page, { name: 'an endpoint with a key chosen' })
    await page.goto('/explorer/v1/finance/post-finance-invoices')
    await page.getByTestId('may-call').getByText('Your role, Sales Manager, doesn’t include invoices:create').waitFor()
    await page.goto('/explorer?caller=key_00000000000000000000000000')
    await page.getByText('not among your active keys').waitFor()
    await page.getByRole('button', { name: 'Show all endpoints' }).click()
    await count(page).getByText(`${total} endpoints`).waitFor()
  })

  test('every endpoint of the catalog is there in full, one behind the other', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: catalog.endpoints[0]?.address ?? '' })
    for (const endpoint of catalog.endpoints) {
      const { name, path, version, category, permission, problems, parameters, id, replies } = endpoint
      await page.waitForFunction(name => document.querySelector('main h1')?.textContent === name, name)
      await page.waitForFunction(() => document.querySelector('main table caption') !== null)
      assert.equal(new URL(page.url()).pathname, endpoint.address)
      const shown = await page.evaluate(readEndpoint)
      const open = version === 'oauth' ? permission.description : 'Anyone may call it'
      const level = permission.level === 'public' ? open : permission.level
      assert.ok(shown.permission.includes(level), `${id}: ${shown.permission}`)
      assert.match(shown.sample, /curl/, id)
      assert.ok(shown.texts.includes(version), `${id}: ${version}`)
      assert.equal(shown.links.filter(link => link === category).length, 1, `${id}: ${category}`)
      const { url, parameters: rows, errors, replies: samples } = shown
      assert.deepEqual(
        { url, rows, errors, samples },
        { url: portal.address + path, rows: parameters.length, errors: problems.length, samples: replies.length },
        id,
      )
      if (!shown.goesOn) break
    }
    assert.equal(new URL(page.url()).pathname, catalog.endpoints.at(-1)?.address, 'the last endpoint was reached')
    assert.equal(countCalls(page).total, 0, 'reading the catalog asks the API nothing')
  })

  test('required and optional parameters stand apart, with rules, defaults, nested fields and addresses', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/explorer/v1/finance/post-finance-invoices#param-body-lines-quantity' })
    const nested = page.locator('#param-body-lines-quantity')
    await nested.waitFor()
    await page.waitForFunction(() => window.scrollY > 0)
    assert.ok(await inView(nested), 'the field of the address is shown')
    assert.match(await nested.innerText(), /lines\[\]\.quantity[\s\S]*required in lines/)
    const optional = page.getByRole('list', { name: 'Optional body parameters' })
    const indentOf = (target: Locator) => target.evaluate(element => parseFloat(getComputedStyle(element).paddingLeft))
    assert.ok((await indentOf(nested)) > (await indentOf(optional.locator('#param-body-lines'))))

    await page.goto(sms)
    const required = page.getByRole('list', { name: 'Required body parameters' })
    await required.waitFor()
    assert.deepEqual(await required.locator('b').allInnerTexts(), ['to', 'body'])
    const validity = optional.getByRole('listitem').filter({ hasText: 'validityPeriod' })
    assert.match(await validity.innerText(), /integer[\s\S]*else 14400[\s\S]*1–36,000/)
    await validity.getByRole('link', { name: 'Link to validityPeriod' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#param-body-validityPeriod$/)
  })

  test('samples come in many languages, are copied as shown, and the choice is kept', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: sms })
    const language = page.getByRole('combobox', { name: 'Language of the sample' })
    const code = page.getByRole('region', { name: 'Sample request' })
    await language.waitFor()
    const offered = await language.getByRole('option').allInnerTexts()
    assert.ok(offered.length >= 8, offered.join(' '))
    const seen = new Set<string>()
    for (const label of offered) {
      await language.selectOption({ label })
      // Those who write other languages than cURL are fetched when the first of them is wanted.
      await code.getByText('TANDEM_TOKEN').first().waitFor()
      const text = await code.innerText()
      assert.ok(text.includes('messages'), label)
      assert.ok(text.includes('TANDEM_TOKEN'), `${label} reads the key from the environment`)
      seen.add(text)
    }
    assert.equal(seen.size, offered.length, 'every language has its own code')
    await language.selectOption('python')
    // It is said for a moment.
    await Promise.all([
      page.getByText('Copied', { exact: true }).waitFor({ state: 'attached' }),
      page.getByRole('button', { name: 'Copy sample request' }).click(),
    ])
    assert.equal((await copied(page)).trim(), (await code.innerText()).trim())
    await page.reload()
    await code.getByText('import requests').waitFor()
    await page.getByRole('link', { name: /^Next/ }).click()
    await title(page, 'Send many SMS').waitFor()
    await code.getByText('import requests').waitFor()
  })

  test('there is a sample reply of success and of every problem', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: sms })
    const reply = page.getByRole('region', { name: 'Sample reply' })
    await reply.waitFor()
    assert.deepEqual(JSON.parse(await reply.innerText()).status, 'queued')
    await page.getByRole('radio', { name: '403' }).check({ force: true })
    const problem = page.getByRole('combobox', { name: 'Problem of the sample reply' })
    const codes = catalog.byId.get('messages.sms.send')?.problems.filter(({ status }) => status === 403) ?? []
    assert.ok(codes.length > 2)
    for (const { code, title: name } of codes) {
      await problem.selectOption({ label: `${name} (${code})` })
      const body = JSON.parse(await reply.innerText())
      assert.deepEqual([body.status, body.error.code], [403, code])
    }
  })

  test('a row of the error table has an address, and leads to the code and back', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: sms })
    const row = page.getByRole('row').filter({ hasText: 'recipient_opted_out' })
    await row.getByRole('link', { name: 'Link to recipient_opted_out' }).click()
    await page.waitForURL(/#error-recipient_opted_out$/)
    await page.reload()
    await row.waitFor()
    await page.waitForFunction(() => window.scrollY > 0)
    assert.ok(await inView(row), 'the row of the address is shown')
    assert.equal(await row.getAttribute('data-target'), 'true')
    assert.match(await row.innerText(), /403[\s\S]*asked this sender to stop[\s\S]*opt in again[\s\S]*No/)
    await row.getByRole('link', { name: 'recipient_opted_out', exact: true }).click()
    await title(page, 'recipient_opted_out').waitFor()
    await page.getByRole('link', { name: 'Send an SMS' }).click()
    await title(page, 'Send an SMS').waitFor()
  })

  test('the page goes to the Playground, and along as Markdown and in other forms', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: sms })
    await page.getByRole('button', { name: 'Copy URL' }).click()
    assert.equal(await copied(page), `${portal.address}/v2/messages/sms`)
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByText('The page is copied as Markdown.').waitFor()
    assert.match(await copied(page), /^# Send an SMS[\s\S]*\/v2\/messages\/sms/)
    const taken = page.getByRole('navigation', { name: 'Other formats' }).getByRole('link')
    const addresses = await taken.evaluateAll(links => links.map(link => (link as HTMLAnchorElement).href))
    assert.ok(addresses.includes(`${portal.address}${sms}.md`))
    assert.ok(addresses.length >= 6)
    for (const address of addresses) {
      const answer = await page.request.get(address)
      assert.equal(answer.status(), 200, address)
      assert.ok((await answer.text()).includes('/v2/messages/sms'), `${address} reports the endpoint`)
    }
    const play = page.getByRole('link', { name: 'Open in Playground' })
    assert.equal(await play.getAttribute('href'), '/playground?endpoint=messages.sms.send')
  })

  test('in a narrow window the list and the endpoint are views of their own, with a way back', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/explorer?category=Voice' })
    await rows(page).filter({ hasText: 'Start a call' }).click()
    await title(page, 'Start a call').waitFor()
    await screenReady(page)
    assert.equal(await list(page).isVisible(), false)
    await noHorizontalScroll(page)
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'explorer-detail')
    await checkBothThemes(page, 'narrow endpoint', 'explorer-narrow')
    await page.getByRole('link', { name: 'All endpoints' }).click()
    await title(page, 'Explorer').waitFor()
    assert.equal(await list(page).isVisible(), true)
    await untilCount(page, catalog.endpoints.filter(({ category }) => category === 'Voice').length)
    await noHorizontalScroll(page)
  })

  test('the list can be skipped, and everything be reached and used by the keyboard alone', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: sms })
    await screenReady(page)
    await tabTo(page, page.getByRole('button', { name: 'Skip the list' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('link', { name: 'Open in Playground' }), { limit: 6 })
    await tabTo(page, page.getByRole('combobox', { name: 'Language of the sample' }))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('region', { name: 'Sample request' }).getByText('await fetch').waitFor()
    await tabTo(page, page.getByRole('radio', { name: '200' }))
    await page.keyboard.press('ArrowRight')
    await page.getByRole('combobox', { name: 'Problem of the sample reply' }).waitFor()
  })

  test('the landing names the addresses, how to be let in, and leads into every category', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/explorer' })
    const main = page.getByRole('main')
    await main.getByText(`${portal.address}/v1/`, { exact: true }).waitFor()
    await main.getByText('Authorization: Bearer <API key or access token>').waitFor()
    for (const { name, endpoints } of catalog.categories) {
      const card = main.getByRole('region', { name, exact: true }).filter({ hasText: /\d endpoint/ })
      assert.match(await card.innerText(), new RegExp(`\\b${endpoints.length} endpoints?`), name)
    }
    await main.getByRole('region', { name: 'Voice' }).getByRole('link', { name: 'Voice', exact: true }).click()
    await page.waitForURL(/category=Voice/)
    assert.equal(await filter(page, 'Category').inputValue(), 'Voice')
  })

  test('an address of no endpoint says so and offers what is close', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/explorer/v2/messaging/post-message-sm' })
    await page.getByText('There’s no such endpoint').waitFor()
    await page
      .getByRole('region', { name: 'Endpoints with a similar address' })
      .getByRole('link', { name: 'Send an SMS' })
      .click()
    await title(page, 'Send an SMS').waitFor()
  })

  test('an endpoint that cannot be loaded says so, and can be asked for again', async t => {
    const page = await portal.newPage(t, { allow: [/ERR_FAILED/] })
    // From the start: a row that the pointer happens to lie on is fetched before it is clicked.
    await page.route('**/_built/catalog/messages.sms.send-*.json', route => route.abort())
    await portal.logIn(page, { path: '/explorer' })
    await rows(page).filter({ hasText: 'Send an SMS' }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/_built/catalog/messages.sms.send-*.json')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'Errors this endpoint may return' }).waitFor()
  })
})
