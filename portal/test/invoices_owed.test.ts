// What is owed, as finance people see it: what a list comes to as it is filtered, how late an invoice is, and whom it is from.
// test: programs
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  streamOpen,
} from './browser.ts'
import { invoicesOf, sumOf } from './invoice_journeys.ts'
import { dayFromNow } from './pages.ts'

describe('what is owed', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const { create, act } = invoicesOf(portal)
  const day = dayFromNow
  /** 119 of it. */
  const sent = async (name: string, due: number, more: object = {}) => {
    const made = await create(name, 50, { due_date: day(due), ...more })
    await act(made.id, 'send')
    return made
  }
  let late: { id: number; number: string }
  before(async () => {
    const { json } = await portal.t.call('POST', '/v1/api/leads', {
      as: portal.t.main.testKey,
      body: { name: 'Grace Hopper', email: 'grace@navy.example' },
    })
    late = await sent('Late Payer', -12, { lead_id: json.lead.id })
    await sent('Soon Enough', 5)
    await sent('Far Away', 40, { currency: 'EUR' })
    await create('Not Sent', 50)
  })

  const tiles = (page: Page) => page.getByRole('region', { name: 'What these invoices come to' })
  const tile = (page: Page, name: RegExp) => tiles(page).getByRole('link', { name })
  const cell = (page: Page, customer: string, text: string) =>
    page.getByRole('table', { name: 'Invoices' }).getByRole('row').filter({ hasText: customer }).getByText(text)

  test('the list says what it comes to as it is filtered, and follows what happens', async t => {
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { role: 'Finance Manager', path: '/invoices' })
    await stream
    await tile(page, /^Still to come \$238\.00 ?€119\.00 ?3 invoices/).waitFor()
    await tile(page, /^Overdue \$119\.00 ?1 invoice$/).waitFor()
    await tile(page, /^Due within 7 days \$119\.00 ?1 invoice$/).waitFor()
    await tile(page, /^Drafts \$119\.00/).waitFor()
    await cell(page, 'Late Payer', '12 days late').waitFor()
    await cell(page, 'Soon Enough', 'due in 5 days').waitFor()
    assert.equal(await cell(page, 'Far Away', 'due in').count(), 0)
    assert.equal(await cell(page, 'Not Sent', 'due in').count(), 0)
    assert.ok(countCalls(page).total <= 5, JSON.stringify(countCalls(page).byRoute))
    await checkBothThemes(page, 'totals of invoices', 'invoices-owed')
    await act(late.id, 'payments', { amount: 19 })
    await tile(page, /^Overdue \$100\.00 ?1 invoice$/).waitFor()
    await tile(page, /^Overdue/).click()
    await tile(page, /^Still to come \$100\.00/).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('status'), 'Overdue')
    await tile(page, /^Drafts/).waitFor({ state: 'detached' })
  })

  test('what is due soon leads to just that', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/invoices' })
    await tile(page, /^Due within 7 days/).click()
    await page.getByText('1 of 1').waitFor()
    await cell(page, 'Soon Enough', 'due in 5 days').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('status'), 'Sent')
  })

  test('no decimal is left out, and a payment has the day that was typed, wherever the reader is', async t => {
    const lines = [{ description: 'Hours', quantity: 1.0625, unit_price: 1000.5, tax_rate: 8.3125 }]
    const { id } = await create('Exactly', 0, { currency: 'HUF', lines })
    await act(id, 'send')
    await act(id, 'payments', { amount: 0.4, paid_at: '2026-01-15' })
    const page = await portal.newPage(t, { timezoneId: 'Pacific/Pago_Pago' })
    await portal.logIn(page, { path: `/invoices/${id}` })
    const line = page.getByRole('table', { name: 'Lines of the invoice' }).getByRole('row').last()
    for (const text of ['1.0625', 'HUF 1,000.50', '8.3125 %', 'HUF 1,063.03'])
      await line.getByText(text, { exact: true }).waitFor()
    await sumOf(page, 'Still due', 'HUF 1,150.99')
    const payment = page.getByRole('table', { name: 'Payments of the invoice' }).getByRole('row').last()
    await payment.getByText('Jan 15, 2026', { exact: true }).waitFor()
    await payment.getByText('HUF 0.40', { exact: true }).waitFor()
  })

  test('the list is exported as it is filtered', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/invoices?status=Overdue' })
    await cell(page, 'Late Payer', '12 days late').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await download
    assert.equal(file.suggestedFilename(), 'invoices.csv')
    const text = await readFile((await file.path()) as string, 'utf8')
    assert.match(text, /^\ufeffid,number,status,/)
    assert.match(text, /Late Payer/)
    assert.doesNotMatch(text, /Soon Enough/)
  })

  test('an overdue invoice looks overdue, says who owes it, and what to do next comes first', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/invoices/${late.id}` })
    const main = page.getByRole('main')
    await main.getByText('12 days late').waitFor()
    await main.getByText('Still due').first().waitFor()
    await main.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await screenReady(page)
    assert.ok(countCalls(page).total <= 4, JSON.stringify(countCalls(page).byRoute))
    assert.equal(await main.getByRole('button').first().innerText(), 'Record a payment')
    await checkBothThemes(page, 'an overdue invoice', 'invoice-overdue')
    await main.getByRole('button', { name: 'Record a payment' }).click()
    assert.match(await page.getByRole('dialog').getByLabel('Amount in USD').inputValue(), /^(100|119)\.00$/)
  })

  test('who may not see leads has the name of the customer, and no link that leads nowhere', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { role: 'Finance Manager', path: `/invoices/${late.id}` })
    await page.getByRole('main').getByText('Late Payer').first().waitFor()
    await screenReady(page)
    assert.equal(await page.getByRole('main').getByRole('link', { name: 'Grace Hopper' }).count(), 0)
    assert.doesNotMatch(await page.getByRole('main').innerText(), /may not see/)
    await noHorizontalScroll(page, 'an invoice on a phone')
    await screenshot(page, 'invoice-390')
  })

  test('the page of a company has the invoices to it, not those to others whose names begin as its own does', async t => {
    const as = portal.t.main.testKey
    const { json } = await portal.t.call('POST', '/v1/api/companies', { as, body: { name: 'Acme' } })
    const { number } = await create('acme', 10)
    for (let n = 0; n < 6; n++) await create('Acme Holding', 10)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/companies/${json.company.id}` })
    const billed = page.getByRole('region', { name: 'Invoices (1)' })
    await billed.getByRole('link', { name: number }).waitFor()
    for (let n = 0; n < 5; n++) await create('Acme', 10)
    await page.reload()
    await page.getByRole('region', { name: 'Invoices (6)' }).getByRole('link', { name: 'All 6' }).click()
    await page.getByText('6 of 6').waitFor()
    await page.getByRole('button', { name: 'Filters (1)' }).click()
    assert.equal(await page.getByLabel('Customer is exactly').inputValue(), 'Acme')
  })
})
