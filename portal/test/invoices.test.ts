// Invoices in the portal: a searchable list with exact totals, one invoice with lines, payments and events, and the dialog
// that creates one from lines whose amounts the server reckons.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  holdBack,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  tabTo,
  untilFocused,
} from './browser.ts'

const address = '/v1/api/finance/invoices'

describe('invoices in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => {
    for (let i = 1; i <= 24; i++) await create(i % 3 === 0 ? 'Blue Yonder' : 'Northwind Traders', i)
  })

  async function create(
    name: string,
    price: number,
    as = portal.t.main.testKey,
  ): Promise<{ id: number; number: string }> {
    const lines = [{ description: 'Consulting', quantity: 2, unit_price: price, tax_rate: 19 }]
    const answer = await portal.t.call('POST', address, { as, body: { customer: { name }, lines } })
    assert.equal(answer.status, 201, answer.text)
    return answer.json.invoice
  }
  async function act(id: number, action: string, body?: object): Promise<void> {
    const answer = await portal.t.call('POST', `${address}/${id}/${action}`, { as: portal.t.main.testKey, body })
    assert.ok(answer.status < 300, answer.text)
  }

  const rows = (page: Page) => page.getByRole('table', { name: 'Invoices' }).getByRole('row')
  const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create an invoice' })
  const inDialog = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
  const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
  const params = (page: Page) => new URL(page.url()).searchParams
  const fact = (page: Page, term: string) =>
    page.getByRole('region', { name: 'Invoice', exact: true }).locator('dt', { hasText: term }).locator('+ dd')

  test('totals are exact, filters and pages stand in the address', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/invoices' })
    await pages(page)
      .getByText(/^1–20 of \d+$/)
      .waitFor()
    assert.ok(countCalls(page).total <= 4)
    await page.getByLabel('Customer').fill('yonder')
    await pages(page).getByText('1–8 of 8').waitFor()
    assert.equal(params(page).get('customer'), 'yonder')
    assert.equal(await rows(page).count(), 9)
    await page.getByLabel('Order').selectOption('-amount')
    await rows(page).nth(1).getByText('57.12').first().waitFor()
    await page.reload()
    await pages(page).getByText('1–8 of 8').waitFor()
    assert.equal(await page.getByLabel('Customer').inputValue(), 'yonder')
    await page.getByLabel('Status').selectOption('Paid')
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await pages(page)
      .getByText(/^1–20 of \d+$/)
      .waitFor()
    await pages(page).getByRole('button', { name: 'Next' }).click()
    await pages(page)
      .getByText(/^21–\d+ of \d+$/)
      .waitFor()
    assert.equal(params(page).get('page'), '2')
    await page.goBack()
    await pages(page)
      .getByText(/^1–20 of \d+$/)
      .waitFor()
  })

  test('an invoice shows lines, payments and events, and follows what happens to it', async t => {
    const { id, number } = await create('Paying Customer', 100)
    await act(id, 'send')
    const page = await portal.newPage(t)
    const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream')
    await portal.logIn(page, { path: `/invoices/${id}` })
    await stream
    await page.getByRole('heading', { level: 1, name: number }).waitFor()
    await screenReady(page)
    assert.ok(countCalls(page).total <= 4)
    await page.getByRole('table', { name: 'Lines of the invoice' }).getByText('Consulting').waitFor()
    assert.match(await fact(page, 'Amount').innerText(), /238\.00/)
    assert.match(await fact(page, 'Of which tax').innerText(), /38\.00/)
    await act(id, 'payments', { amount: 100, method: 'bank_transfer', reference: 'ABC-1' })
    await page.getByRole('table', { name: 'Payments of the invoice' }).getByText('ABC-1').waitFor()
    assert.match(await fact(page, 'Still due').innerText(), /138\.00/)
    await page
      .getByRole('list', { name: /^Events of this invoice/ })
      .getByText('invoice.payment_recorded')
      .waitFor()
    await checkBothThemes(page, 'an invoice', 'invoice-partly-paid')
  })

  test('all faults stand beside their fields, lines come and go, the server reckons the amount', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/invoices' })
    await page.getByRole('button', { name: 'Create an invoice' }).click()
    await dialog(page).waitFor()
    assert.ok(
      await dialog(page).getByRole('button', { name: 'Remove line 1' }).isDisabled(),
      'the only line can be removed',
    )
    await press(page, 'Add a line')
    await untilFocused(inDialog(page, 'Description of line 2'))
    await press(page, 'Add a line')
    await inDialog(page, 'Description of line 1').fill('Wrong, and taken away')
    await inDialog(page, 'Unit price of line 1').fill('10')
    await inDialog(page, 'Description of line 2').fill('Licence')
    await inDialog(page, 'Unit price of line 2').fill('much')
    await inDialog(page, 'Quantity of line 3').fill('some')
    await inDialog(page, "Customer's e-mail (optional)").fill('not an address')
    await press(page, 'Create')
    await dialog(page).getByRole('alert').nth(4).waitFor()
    const wrong = async (...labels: string[]) => {
      for (const label of labels) {
        assert.equal(await inDialog(page, label).getAttribute('aria-invalid'), 'true', label)
      }
    }
    await wrong('Customer', "Customer's e-mail (optional)", 'Unit price of line 2', 'Quantity of line 3')
    await wrong('Description of line 3', 'Unit price of line 3')
    assert.equal(await inDialog(page, 'Unit price of line 1').getAttribute('aria-invalid'), null)
    await untilFocused(inDialog(page, 'Customer'))
    await checkBothThemes(page, 'an invoice refused', 'invoice-refused')
    await press(page, 'Remove line 1')
    assert.equal(await inDialog(page, 'Description of line 1').inputValue(), 'Licence')
    // The faults have moved with their lines.
    await wrong('Unit price of line 1', 'Quantity of line 2')
    await press(page, 'Remove line 2')
    await untilFocused(inDialog(page, 'Description of line 1'))
    await inDialog(page, 'Customer').fill('Kaffeerösterei Müller & Söhne GmbH')
    await inDialog(page, "Customer's e-mail (optional)").fill('')
    await inDialog(page, 'Unit price of line 1').fill('19.99')
    await inDialog(page, 'Quantity of line 1').fill('3')
    await inDialog(page, 'Tax % of line 1').fill('7')
    await inDialog(page, 'Currency (optional)').fill('eur')
    await press(page, 'Create')
    await page.getByRole('heading', { level: 1, name: /^INV-/ }).waitFor()
    assert.equal(await fact(page, 'Amount').innerText(), '€64.17')
    assert.equal(await fact(page, 'Of which tax').innerText(), '€4.20')
    assert.equal(await fact(page, 'Status').innerText(), 'Draft')
    await page.goBack()
    await rows(page).nth(1).getByText('Kaffeerösterei').filter({ visible: true }).waitFor()
    assert.equal(await dialog(page).count(), 0)
  })

  test('what was typed outlives closing the dialog; the keyboard alone gets in and out', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/invoices' })
    const opener = page.getByRole('button', { name: 'Create an invoice' })
    await tabTo(page, opener)
    await page.keyboard.press('Enter')
    await dialog(page).waitFor()
    await page.keyboard.type('Half a custom')
    await tabTo(page, dialog(page).getByRole('button', { name: 'Add a line' }))
    await page.keyboard.press('Enter')
    await page.keyboard.type('Second')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await untilFocused(opener, 'the focus did not come back')
    await page.keyboard.press('Enter')
    assert.equal(await inDialog(page, 'Customer').inputValue(), 'Half a custom')
    assert.equal(await inDialog(page, 'Description of line 2').inputValue(), 'Second')
    await press(page, 'Empty the form')
    assert.equal(await inDialog(page, 'Description of line 2').count(), 0)
  })

  test('who may not read invoices is not offered them, and is told why by address; nothing is asked', async t => {
    const { id } = await create('Not for sales', 1)
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Executive' })
    const links = page.getByRole('navigation', { name: 'Main' })
    await links.getByRole('link', { name: 'Leads' }).waitFor()
    assert.equal(await links.getByRole('link', { name: 'Invoices' }).count(), 0)
    for (const path of ['/invoices', '/invoices?create=1', `/invoices/${id}`]) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Your role may not see invoices' }).waitFor()
      assert.equal(countCalls(page).byRoute[`GET ${address}`], undefined)
      assert.equal(await page.getByRole('dialog').count(), 0)
    }
    await checkAccessibility(page, { name: 'invoices refused' })
  })

  test('loading, failing and trying again', async t => {
    const page = await portal.newPage(t, { allow: [/ERR_CONNECTION_FAILED|Failed to load/] })
    await portal.logIn(page)
    const list = (url: URL) => url.pathname === address
    const go = await holdBack(page, list, route => route.abort('connectionfailed'))
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Invoices' }).click()
    await page.getByRole('status', { name: 'Loading invoices' }).waitFor()
    go()
    await page.getByRole('alert').waitFor({ timeout: 20_000 })
    await page.unroute(list)
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows(page).nth(1).waitFor()
  })

  test('an empty list offers the first step', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { organization: 'other', path: '/invoices' })
    await page.getByRole('heading', { name: 'No invoices yet' }).waitFor()
    await page.getByRole('button', { name: 'Create an invoice' }).last().click()
    await dialog(page).waitFor()
  })

  test('live and test invoices are never mixed, and the page of one says in which it is', async t => {
    const { id, number } = await create('Only Live', 5, portal.t.main.liveKey)
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: `/invoices/${id}` })
    await page.getByRole('heading', { name: 'This invoice is in the live data' }).waitFor()
    await page.getByRole('button', { name: 'Switch to live mode' }).click()
    await page.getByRole('heading', { level: 1, name: number }).waitFor()
    await page.goto('/invoices')
    await page.getByRole('link', { name: `Open invoice ${number}` }).waitFor()
    assert.equal(await rows(page).count(), 2)
    await page.goto('/invoices/999999999')
    await page.getByRole('heading', { name: 'There is no such invoice' }).waitFor()
  })

  test('a telephone shows list, invoice and dialog without scrolling sideways', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/invoices' })
    await page.getByText('Northwind Traders').filter({ visible: true }).first().waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'invoices-telephone')
    await rows(page).nth(1).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: /^INV-/ }).waitFor()
    await screenReady(page)
    await noHorizontalScroll(page)
    await page.goto('/invoices?create=1')
    await press(page, 'Add a line')
    await noHorizontalScroll(page)
    await screenshot(page, 'invoice-form-telephone')
    await checkAccessibility(page, { name: 'the form of an invoice on a telephone' })
  })
})
