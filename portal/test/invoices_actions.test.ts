// What is done with an invoice in the portal: sending it, recording payments in part and in full, cancelling it, changing what may still
// be changed. Each is offered only where the server lets it happen.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  offeredIn,
  portalForTests,
  tabTo,
  untilFocused,
} from './browser.ts'
import { factOf, invoicesOf, sumOf } from './invoice_journeys.ts'

describe('what is done with an invoice', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const { create, act, read } = invoicesOf(portal)
  const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
  const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
  const press = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const status = (page: Page, word: string) => factOf(page, 'Status').getByText(word, { exact: true }).waitFor()
  const offered = async (page: Page) => {
    const names = ['Send', 'Record a payment', 'Cancel the invoice', 'Edit', 'Edit notes', 'Edit due date']
    const shown = await Promise.all(names.map(name => button(page, name).count()))
    return names.filter((_, at) => shown[at] !== 0)
  }

  test('a draft is sent, paid in parts, and then rests; too much is refused beside its field', async t => {
    const { id, number } = await create('In Parts', 100)
    const page = await portal.newPage(t, { allow: [/status of 4(00|22)/] })
    await portal.logIn(page, { path: `/invoices/${id}` })
    await status(page, 'Draft')
    assert.deepEqual(await offered(page), ['Send', 'Cancel the invoice', 'Edit', 'Edit notes', 'Edit due date'])
    await tabTo(page, button(page, 'Send'))
    await page.keyboard.press('Enter')
    await dialog(page, `Send ${number} to In Parts?`).waitFor()
    await checkBothThemes(page, 'sending an invoice', 'invoice-send')
    await press(page, 'Send')
    await status(page, 'Sent')
    await button(page, 'Send').waitFor({ state: 'detached' })
    assert.deepEqual(await offered(page), [
      'Record a payment',
      'Cancel the invoice',
      'Edit',
      'Edit notes',
      'Edit due date',
    ])

    await button(page, 'Record a payment').click()
    const form = dialog(page, `Record a payment for ${number}`)
    const amount = form.getByLabel('Amount in USD')
    await untilFocused(amount)
    assert.equal(await amount.inputValue(), '238.00')
    await form.getByText('This pays the invoice in full').waitFor()
    await amount.fill('300')
    await form.getByLabel('Reference (optional)').fill('ABC-1')
    await form.getByText('More than is due').waitFor()
    await press(page, 'Record')
    await form.getByRole('alert').getByText('Must be at most 238.00 USD, which is what is due.').waitFor()
    assert.equal(await amount.getAttribute('aria-invalid'), 'true')
    await untilFocused(amount)
    await checkBothThemes(page, 'a payment refused', 'invoice-payment-refused')
    assert.equal(await form.getByLabel('Reference (optional)').inputValue(), 'ABC-1')
    await amount.fill('38,00')
    await form.getByText('$200.00 will still be due').waitFor()
    await form.getByLabel('Day it arrived (optional)').fill('2030-01-01')
    await press(page, 'Record')
    await form.getByRole('alert').getByText('Must not be in the future.').waitFor()
    await form.getByLabel('Day it arrived (optional)').fill('')
    await press(page, 'Record')
    await form.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Payments of the invoice' }).getByText('ABC-1').waitFor()
    await sumOf(page, 'Still due', '$200.00')
    await button(page, 'Cancel the invoice').waitFor({ state: 'detached' })

    await button(page, 'Record a payment').click()
    await form.getByLabel('How it was paid').selectOption('Card')
    await press(page, 'Record')
    await status(page, 'Paid')
    await button(page, 'Record a payment').waitFor({ state: 'detached' })
    assert.deepEqual(await offered(page), ['Edit', 'Edit notes', 'Edit due date'])
    assert.deepEqual(
      (await read(id)).payments.map(({ amount, method, reference }) => [amount, method, reference]),
      [
        [38, 'bank_transfer', 'ABC-1'],
        [200, 'card', null],
      ],
    )
  })

  test('a payment is reversed with a reason: it stays, struck out, and the invoice waits for money again', async t => {
    const { id } = await create('Bounced', 100)
    await act(id, 'send')
    await act(id, 'payments', { amount: 238, method: 'check', reference: 'CHK-7' })
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: `/invoices/${id}` })
    await status(page, 'Paid')
    await button(page, 'Reverse the payment of $238.00').click()
    const form = dialog(page, 'Reverse the payment of $238.00?')
    await form.waitFor()
    await press(page, 'Reverse')
    await form.getByRole('alert').getByText('Must not be empty').waitFor()
    await untilFocused(form.getByLabel('Reason'))
    await page.keyboard.type('The check bounced.')
    await checkBothThemes(page, 'reversing a payment', 'invoice-payment-reverse')
    await press(page, 'Reverse')
    await status(page, 'Sent')
    const payments = page.getByRole('table', { name: 'Payments of the invoice' })
    const reversed = payments.getByText(/^Reversed .*: The check bounced\.$/)
    await reversed.filter({ visible: true }).waitFor()
    await payments.locator('s', { hasText: '$238.00' }).waitFor()
    await button(page, 'Reverse the payment of $238.00').waitFor({ state: 'detached' })
    assert.deepEqual((await offered(page)).slice(0, 2), ['Record a payment', 'Cancel the invoice'])
    await sumOf(page, 'Still due', '$238.00')
    await page.getByText('$238.00 · Check · CHK-7 · The check bounced.').waitFor()
    await checkBothThemes(page, 'a reversed payment', 'invoice-payment-reversed')
    await noHorizontalScroll(page, 'a reversed payment')
  })

  test('an invoice is cancelled with a reason, and nothing more is offered', async t => {
    const { id, number } = await create('Ordered Twice', 10)
    await act(id, 'send')
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: `/invoices/${id}` })
    await button(page, 'Cancel the invoice').click()
    const form = dialog(page, `Cancel ${number}?`)
    await form.waitFor()
    await press(page, 'Cancel the invoice')
    await form.getByRole('alert').getByText('Must not be empty').waitFor()
    await untilFocused(form.getByLabel('Reason'))
    await page.keyboard.type('Ordered twice.')
    await press(page, 'Cancel the invoice')
    await status(page, 'Cancelled')
    await factOf(page, 'Why cancelled').getByText('Ordered twice.').waitFor()
    await button(page, 'Edit').waitFor({ state: 'detached' })
    assert.deepEqual(await offered(page), [])
    assert.equal((await read(id)).cancel_reason, 'Ordered twice.')
  })

  test('of what was sent, due date and notes are still changed, in the form and where they stand', async t => {
    const { id, number } = await create('More Time', 10)
    await act(id, 'send')
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/invoices/${id}` })
    await button(page, 'Edit').click()
    const form = dialog(page, `Edit ${number}`)
    await form.getByLabel('Due date').fill('2030-02-28')
    assert.equal(await form.getByLabel('Customer').count(), 0)
    await press(page, 'Save')
    await factOf(page, 'Due date').getByText('Feb 28, 2030').waitFor()
    await button(page, 'Edit notes').click()
    await page.getByRole('group', { name: 'Edit notes' }).getByLabel('Notes').fill('By the end of February.')
    await page.getByRole('group', { name: 'Edit notes' }).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('group', { name: 'Edit notes' }).waitFor({ state: 'detached' })
    await factOf(page, 'Notes').getByText('By the end of February.').waitFor()
    const { due_date, notes } = await read(id)
    assert.deepEqual([due_date, notes], ['2030-02-28', 'By the end of February.'])
  })

  test('an invoice without figures is not offered to be sent', async t => {
    const { id } = await create('Nothing Yet', 1, { lines: [] })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/invoices/${id}` })
    await page.getByText('Nothing yet. Add a line or an amount before you send it.').waitFor()
    assert.deepEqual(await offered(page), ['Cancel the invoice', 'Edit', 'Edit notes', 'Edit due date'])
  })

  test('somebody else was quicker: it is said, and the invoice is shown as it is', async t => {
    const { id, number } = await create('Two At Once', 10)
    // Without the stream the page does not hear of it by itself.
    const page = await portal.newPage(t, { allow: [/status of 412/, /ERR_FAILED/] })
    await page.route('**/v2/stream**', route => route.abort())
    await portal.logIn(page, { path: `/invoices/${id}` })
    await button(page, 'Send').click()
    await dialog(page, `Send ${number} to Two At Once?`).waitFor()
    await act(id, 'send')
    await press(page, 'Send')
    await page.getByRole('alert').getByText('Someone changed this invoice in the meantime.').waitFor()
    await page.keyboard.press('Escape')
    await status(page, 'Sent')
  })

  test('a role is offered what it may do and nothing else', async t => {
    const { id } = await create('Only To Be Read', 10)
    await act(id, 'send')
    const page = await portal.newPage(t)
    const held = ['invoices:read', 'events:read', 'organization:read']
    await page.route('**/portal/session**', async route => {
      const answer = await route.fetch()
      const reply = await answer.json()
      await route.fulfill({ response: answer, json: { ...reply, permissions: held } })
    })
    await portal.logIn(page, { path: `/invoices/${id}` })
    await status(page, 'Sent')
    assert.deepEqual(await offered(page), [])
    await page.goto('/invoices?layout=board')
    await page
      .getByRole('region', { name: /^Sent, / })
      .getByRole('listitem')
      .first()
      .waitFor()
    assert.equal(await page.getByRole('button', { name: /^Move / }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Create an invoice' }).count(), 0)
  })

  test('on the board an invoice moves by what is done with it', async t => {
    const { id, number } = await create('On The Board', 25)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/invoices?layout=board' })
    const lane = (word: string) => page.getByRole('region', { name: new RegExp(`^${word}, `) })
    await lane('Draft').getByRole('link', { name: number }).waitFor()
    await noHorizontalScroll(page)
    await page.getByRole('button', { name: `Move ${number}` }).click()
    assert.deepEqual(await offeredIn(page.getByRole('menuitem')), ['Move to Sent', 'Move to Cancelled'])
    await page.getByRole('menuitem', { name: 'Move to Sent' }).click()
    await press(page, 'Send')
    await lane('Sent').getByRole('link', { name: number }).waitFor()
    await page.getByRole('button', { name: `Move ${number}` }).click()
    await page.getByRole('menuitem', { name: 'Move to Paid' }).click()
    await press(page, 'Record')
    await lane('Paid').getByRole('link', { name: number }).waitFor()
    assert.equal((await read(id)).status, 'Paid')
    assert.equal(await page.getByRole('button', { name: `Move ${number}` }).count(), 0)
  })

  test('the numbers of a year are checked', async t => {
    await create('Counted', 1)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/invoices' })
    await button(page, 'Check the numbers').click()
    await dialog(page, 'Check the numbers').getByText('None is missing, and none is there twice.').waitFor()
    await checkBothThemes(page, 'the check of numbers', 'invoice-numbers')
    await dialog(page, 'Check the numbers').getByLabel('Year').selectOption({ index: 1 })
    await dialog(page, 'Check the numbers')
      .getByText(/^No invoice has a number from/)
      .waitFor()
  })
})
