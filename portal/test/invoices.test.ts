// Invoices in the portal: a list that is searched, filtered and sorted, one invoice with lines, payments and its story, and the dialogs
// that create one and change a draft. What is done with an invoice after that: invoices_actions.test.ts.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  goByNavigation,
  holdBack,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  tabTo,
  untilFocused,
} from './browser.ts'
import { factOf, invoicesAddress, invoicesOf, sumOf } from './invoice_journeys.ts'

describe('invoices in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const { create, act, change, read } = invoicesOf(portal)
  before(async () => {
    for (let i = 1; i <= 24; i++) await create(i % 3 === 0 ? 'Blue Yonder' : 'Northwind Traders', i)
  })

  const rows = (page: Page) => page.getByRole('table', { name: 'Invoices' }).getByRole('row')
  const dialog = (page: Page, name: string | RegExp = 'Create an invoice') => page.getByRole('dialog', { name })
  const inDialog = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true })
  const press = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const params = (page: Page) => new URL(page.url()).searchParams
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

  test('totals are exact; search, filters and order stand in the address', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/invoices' })
    await page.getByText(/^(\d+) of \1$/).waitFor()
    assert.ok(countCalls(page).total <= 4)
    await page.keyboard.press('/')
    await untilFocused(page.getByLabel('Customer', { exact: true }))
    await page.keyboard.type('yonder')
    await page.getByText('8 of 8').waitFor()
    assert.equal(params(page).get('customer'), 'yonder')
    assert.equal(await rows(page).count(), 9)
    await rows(page).getByRole('button', { name: 'Total' }).click()
    await rows(page).nth(1).getByText('$7.14').first().waitFor()
    await rows(page).getByRole('button', { name: 'Total' }).click()
    await rows(page).nth(1).getByText('$57.12').first().waitFor()
    assert.equal(params(page).get('sort'), '-amount')
    await page.reload()
    await rows(page).nth(1).getByText('$57.12').first().waitFor()
    assert.equal(await page.getByLabel('Customer', { exact: true }).inputValue(), 'yonder')
    await page.getByLabel('Status', { exact: true }).selectOption('Open: sent or overdue')
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await dialog(page, 'Filter invoices').getByLabel('Due date until').fill('2020-01-01')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText(/^(\d+) of \1$/).waitFor()
  })

  test('an invoice shows lines, payments and its story in words, and follows what happens to it', async t => {
    const lead = await portal.t.call('POST', '/v1/api/leads', {
      as: portal.t.main.testKey,
      body: { name: 'Grace Hopper', email: 'grace@navy.example' },
    })
    const { id, number } = await create('Paying Customer', 100, { lead_id: lead.json.lead.id })
    await act(id, 'send')
    const page = await portal.newPage(t)
    const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream')
    await portal.logIn(page, { path: `/invoices/${id}` })
    await stream
    await heading(page, number).waitFor()
    await screenReady(page)
    assert.ok(countCalls(page).total <= 4)
    await page.getByRole('table', { name: 'Lines of the invoice' }).getByText('Consulting').waitFor()
    await sumOf(page, 'Total', '$238.00')
    await sumOf(page, 'Tax', '$38.00')
    await page.getByRole('main').getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await act(id, 'payments', { amount: 100, method: 'bank_transfer', reference: 'ABC-1' })
    await page.getByRole('table', { name: 'Payments of the invoice' }).getByText('ABC-1').waitFor()
    await sumOf(page, 'Still due', '$138.00')
    const story = page.getByRole('list', { name: 'Activity, newest first' })
    await story.getByText('Payment recorded').waitFor()
    await story.getByText('$100.00 · Bank transfer · ABC-1').waitFor()
    await change(id, { due_date: '2030-01-31', notes: 'Thank you.' })
    await story.getByText('Due date: ').waitFor()
    await factOf(page, 'Notes').getByText('Thank you.').waitFor()
    await checkBothThemes(page, 'an invoice', 'invoice-partly-paid')
  })

  test('all faults stand beside their fields, lines come and go, the form adds up as the server does', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/invoices' })
    await page.getByRole('button', { name: 'Create an invoice' }).click()
    await dialog(page).waitFor()
    await press(page, 'Add a line')
    await untilFocused(inDialog(page, 'Description of line 2'))
    await press(page, 'Add a line')
    await inDialog(page, 'Description of line 1').fill('Wrong, and taken away')
    await inDialog(page, 'Unit price of line 1').fill('10')
    await inDialog(page, 'Description of line 2').fill('Licence')
    await inDialog(page, 'Unit price of line 2').fill('much')
    await inDialog(page, 'Quantity of line 3').fill('some')
    await inDialog(page, 'Email (optional)').fill('not an address')
    await press(page, 'Create')
    await dialog(page).getByRole('alert').nth(4).waitFor()
    const wrong = async (...labels: string[]) => {
      for (const label of labels) {
        assert.equal(await inDialog(page, label).getAttribute('aria-invalid'), 'true', label)
      }
    }
    await wrong('Customer', 'Email (optional)', 'Unit price of line 2', 'Quantity of line 3')
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
    await inDialog(page, 'Email (optional)').fill('')
    await inDialog(page, 'Address (optional)').fill('Lindenstraße 12\n10969 Berlin')
    await inDialog(page, 'Unit price of line 1').fill('19,99')
    await inDialog(page, 'Quantity of line 1').fill('3')
    await inDialog(page, 'Tax % of line 1').fill('7')
    await inDialog(page, 'Currency (optional)').fill('eur')
    await dialog(page).getByText('€64.17').waitFor()
    await press(page, 'Create')
    await heading(page, /^INV-/).waitFor()
    await sumOf(page, 'Total', '€64.17')
    await sumOf(page, 'Tax', '€4.20')
    assert.equal(await factOf(page, 'Status').innerText(), 'Draft')
    assert.equal(await factOf(page, 'Address').innerText(), 'Lindenstraße 12\n10969 Berlin')
    await page.goBack()
    await rows(page).nth(1).getByText('Kaffeerösterei').waitFor()
    assert.equal(await dialog(page).count(), 0)
  })

  test('a draft is changed: only what differs is sent, and nobody is overwritten unseen', async t => {
    const { id, number } = await create('Changing Mind', 50, { notes: 'Kept' })
    const page = await portal.newPage(t, { allow: [/status of 412|ERR_FAILED|Failed to load/] })
    await page.route('**/v2/stream**', route => route.abort())
    await portal.logIn(page, { path: `/invoices/${id}` })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog(page, `Edit ${number}`).waitFor()
    assert.equal(await inDialog(page, 'Unit price of line 1').inputValue(), '50.00')
    await inDialog(page, 'Quantity of line 1').fill('3')
    await press(page, 'Add a line')
    assert.equal(await inDialog(page, 'Tax % of line 2').inputValue(), '19', 'the rate of the line before')
    await inDialog(page, 'Description of line 2').fill('Travel')
    await inDialog(page, 'Unit price of line 2').fill('10')
    await dialog(page, `Edit ${number}`).getByText('$190.40').waitFor()
    await change(id, { customer: { name: 'Changed Meanwhile' } })
    await press(page, 'Save')
    await dialog(page, `Edit ${number}`)
      .getByRole('alert')
      .getByText('Customer: Changed Meanwhile (before: Changing Mind)')
      .waitFor()
    assert.equal(await inDialog(page, 'Description of line 2').inputValue(), 'Travel')
    await press(page, 'Save')
    await sumOf(page, 'Total', '$190.40')
    assert.equal(await factOf(page, 'Customer').innerText(), 'Changed Meanwhile')
    const whole = await read(id)
    assert.deepEqual([whole.notes, whole.lines.length, whole.tax_rounding], ['Kept', 2, 'per_rate'])
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog(page, `Edit ${number}`).getByText('One amount').click()
    await inDialog(page, 'Amount').fill('75.5')
    await press(page, 'Save')
    await sumOf(page, 'Total', '$75.50')
    await page.getByText('One amount, without lines.').waitFor()
  })

  test('what was typed outlives closing the dialog; the keyboard alone gets in and out', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/invoices?customer=northwind' })
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
    await press(page, 'Clear the form')
    assert.equal(await inDialog(page, 'Description of line 2').count(), 0)
    await press(page, 'Remove line 1')
    await untilFocused(dialog(page).getByRole('button', { name: 'Add a line' }))
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await untilFocused(rows(page).nth(1).getByRole('link'))
    await page.keyboard.press('e')
    await dialog(page, /^Edit INV-/).waitFor()
    await inDialog(page, 'Description of line 1').waitFor()
  })

  test('a change that was typed is lost by no slip: closing and going back ask first', async t => {
    const { number } = await create('Careful', 20)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/invoices?customer=careful' })
    await rows(page).nth(1).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const edit = dialog(page, `Edit ${number}`)
    const question = dialog(page, 'Discard what you typed?')
    await page.keyboard.press('Escape')
    await edit.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await inDialog(page, 'Customer').fill('Carefully typed')
    await page.mouse.click(4, 400)
    const ways = [
      () => page.keyboard.press('Escape'),
      () => edit.getByRole('button', { name: 'Close', exact: true }).click(),
      () => page.goBack({ timeout: 2_000 }).catch(() => undefined),
    ]
    for (const leave of ways) {
      await leave()
      await question.getByRole('button', { name: 'Go on typing' }).click()
      await question.waitFor({ state: 'detached' })
      assert.equal(await inDialog(page, 'Customer').inputValue(), 'Carefully typed')
    }
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await edit.waitFor({ state: 'detached' })
  })

  test('anyone who may not read invoices is not offered them, and by address is shown why; nothing is requested', async t => {
    const { id } = await create('Not for sales', 1)
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Executive' })
    const links = page.getByRole('navigation', { name: 'Main' })
    await links.getByRole('link', { name: 'Leads' }).waitFor()
    assert.equal(await links.getByRole('link', { name: 'Invoices' }).count(), 0)
    for (const path of ['/invoices', '/invoices?create=1', `/invoices/${id}`]) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'You don’t have access to Invoices' }).waitFor()
      assert.equal(countCalls(page).byRoute[`GET ${invoicesAddress}`], undefined)
      assert.equal(await page.getByRole('dialog').count(), 0)
    }
    await checkAccessibility(page, { name: 'invoices refused' })
  })

  test('loading, failing and trying again', async t => {
    const page = await portal.newPage(t, { allow: [/ERR_CONNECTION_FAILED|Failed to load/] })
    await portal.logIn(page)
    const list = (url: URL) => url.pathname === invoicesAddress
    const go = await holdBack(page, list, route => route.abort('connectionfailed'))
    await goByNavigation(page, 'Invoices')
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
    const { id, number } = await create('Only Live', 5, {}, portal.t.main.liveKey)
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: `/invoices/${id}` })
    await page.getByRole('heading', { name: 'This is in your live data' }).waitFor()
    await page.getByRole('button', { name: 'Switch to live mode' }).click()
    await heading(page, number).waitFor()
    await page.goto('/invoices')
    await page.getByRole('link', { name: `Open ${number}` }).waitFor()
    assert.equal(await rows(page).count(), 2)
    await page.goto('/invoices/999999999')
    await page.getByRole('heading', { name: 'This doesn’t exist' }).waitFor()
  })

  test('a telephone shows list, invoice and dialog without scrolling sideways', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/invoices' })
    await page.getByText('Northwind Traders').filter({ visible: true }).first().waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'invoices-telephone')
    await rows(page).nth(1).getByRole('link').click()
    await heading(page, /^INV-/).waitFor()
    await screenReady(page)
    await noHorizontalScroll(page)
    await page.goto('/invoices?create=1')
    await press(page, 'Add a line')
    await noHorizontalScroll(page)
    await screenshot(page, 'invoice-form-telephone')
    await checkAccessibility(page, { name: 'the form of an invoice on a telephone' })
  })
})
