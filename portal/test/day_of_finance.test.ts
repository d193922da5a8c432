// A day of a finance manager, from logging in to logging out, by mouse and by keyboard: what is late is paid, in part and in full, what
// was sold is billed, what was billed twice is cancelled, and what is still to come is seen by currency.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { chromiumMissing, portalForTests, screenReady, tabTo } from './browser.ts'
import { type Hand, hands, startHand } from './hand.ts'
import { factOf, invoicesOf, sumOf } from './invoice_journeys.ts'
import { dayFromNow } from './pages.ts'

type Made = { id: number; number: string }

for (const kind of hands)
  describe(`a day of a finance manager, by ${kind}`, { skip: chromiumMissing }, () => {
    const portal = portalForTests()
    const role = 'Finance Manager'
    const customer = 'Northwind Traders'
    const { create, act, read } = invoicesOf(portal)
    const day = dayFromNow
    /** Twice the price, and 19 % tax of it. */
    const sent = async (name: string, price: number, due: number, more: object = {}): Promise<Made> => {
      const made = await create(name, price, { due_date: day(due), ...more })
      await act(made.id, 'send')
      return made
    }
    let late: Made
    let twice: Made
    before(async () => {
      const company = { as: portal.t.main.testKey, body: { name: customer } }
      assert.equal((await portal.t.call('POST', '/v1/api/companies', company)).status, 201)
      late = await sent(customer, 500, -12)
      await sent('Blue Yonder', 100, 3)
      await sent(customer, 50, 40, { currency: 'EUR' })
      twice = await sent('Ordered Twice', 10, 20)
    })

    const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
    const main = (page: Page) => page.getByRole('main')
    const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
    const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
    const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
    const tile = (page: Page, name: RegExp) =>
      page.getByRole('region', { name: 'What these invoices come to' }).getByRole('link', { name })
    const rows = (page: Page) => page.getByRole('table', { name: 'Invoices' }).getByRole('row')
    const status = (page: Page, word: string) => factOf(page, 'Status').getByText(word, { exact: true }).waitFor()
    /** @param digits of month, day and year, as the field takes them one after another */
    const writeDay = async (page: Page, hand: Hand, field: Locator, digits: string) => {
      hand.steps++
      if (kind === 'mouse') await field.click({ position: { x: 14, y: 14 } })
      else await tabTo(page, field, { limit: 150 })
      await page.keyboard.type(digits)
    }
    const findByNumber = async (page: Page, hand: Hand, number: string) => {
      await page.keyboard.press('ControlOrMeta+k')
      await page.keyboard.type(number)
      const found = page.getByRole('option', { name: new RegExp(`^Invoice\\s*${number}`) })
      await found.first().waitFor()
      hand.steps++
      await (kind === 'mouse' ? found.first().click() : page.keyboard.press('Enter'))
      await heading(page, number).waitFor()
      await screenReady(page)
    }

    async function logIn(page: Page, hand: Hand) {
      await hand.logIn(portal.t.main.users[role].email)
      await heading(page, /^Good (morning|afternoon|evening)/).waitFor()
    }

    /** What is late is seen on Home, and paid in two payments. */
    async function morning(page: Page, hand: Hand) {
      const due = page.getByRole('list', { name: 'Invoices that are due' }).getByRole('listitem')
      await due.filter({ hasText: customer }).getByText('12 days late').waitFor()
      await page.getByRole('link', { name: /^Due within 7 days \$238\.00/ }).waitFor()
      await hand.press(page.getByRole('link', { name: /^Overdue \$1,190\.00/ }))
      await heading(page, 'Invoices').waitFor()
      await page.getByText('1 of 1').waitFor()
      await hand.press(page.getByRole('link', { name: `Open ${late.number}` }))
      await heading(page, late.number).waitFor()
      await main(page).getByText('12 days late').waitFor()

      const form = dialog(page, `Record a payment for ${late.number}`)
      await hand.press(button(page, 'Record a payment'))
      await hand.write(form.getByLabel('Amount in USD'), '190')
      await form.getByText('$1,000.00 will still be due').waitFor()
      await hand.choose(form.getByLabel('How it was paid'), 'Card')
      await hand.write(form.getByLabel('Reference (optional)'), 'Bank 4711')
      await hand.press(inDialog(page, 'Record'))
      await form.waitFor({ state: 'detached' })
      await page.getByRole('table', { name: 'Payments of the invoice' }).getByText('Bank 4711').waitFor()
      await sumOf(page, 'Still due', '$1,000.00')
      await status(page, 'Overdue')

      await hand.press(button(page, 'Record a payment'))
      await form.getByText('This pays the invoice in full').waitFor()
      await hand.press(inDialog(page, 'Record'))
      await status(page, 'Paid')
      const paid = (await read(late.id)).payments.map(({ amount, method }) => [amount, method])
      assert.deepEqual(paid, [
        [190, 'card'],
        [1000, 'bank_transfer'],
      ])
    }

    /** What was sold is billed: a draft with two lines is sent, and then gets more time and a note where they stand. */
    async function noon(page: Page, hand: Hand): Promise<string> {
      await hand.go('Invoices')
      await hand.press(button(page, 'Create an invoice'))
      const form = dialog(page, 'Create an invoice')
      const field = (name: string) => form.getByLabel(name, { exact: true })
      await hand.write(field('Customer'), customer)
      await hand.write(field('Email (optional)'), 'books@northwind.example')
      await hand.write(field('Description of line 1'), 'Licence')
      await hand.write(field('Quantity of line 1'), '3')
      await hand.write(field('Unit price of line 1'), '19.99')
      await hand.write(field('Tax % of line 1'), '7')
      await hand.press(form.getByRole('button', { name: 'Add a line' }))
      await hand.write(field('Description of line 2'), 'Support')
      await hand.write(field('Quantity of line 2'), '1')
      await hand.write(field('Unit price of line 2'), '100')
      await hand.write(field('Tax % of line 2'), '19')
      await form.getByText('$183.17').waitFor()
      await hand.press(form.getByRole('button', { name: 'Create', exact: true }))
      await heading(page, /^(INV-|Draft)/).waitFor()
      await sumOf(page, 'Total', '$183.17')
      await status(page, 'Draft')

      await hand.press(button(page, 'Send'))
      await dialog(page, new RegExp(`^Send .* to ${customer}\\?$`)).waitFor()
      await hand.press(inDialog(page, 'Send'))
      await status(page, 'Sent')
      const id = Number(new URL(page.url()).pathname.split('/').at(-1))
      await hand.press(button(page, 'Edit due date'))
      await writeDay(page, hand, page.getByRole('group', { name: 'Edit due date' }).getByLabel('Due date'), '06302030')
      await page.keyboard.press('Enter')
      await factOf(page, 'Due date').getByText('Jun 30, 2030').waitFor()
      await hand.press(button(page, 'Edit notes'))
      const notes = page.getByRole('group', { name: 'Edit notes' })
      await hand.write(notes.getByLabel('Notes'), 'By the end of June.')
      await hand.press(notes.getByRole('button', { name: 'Save' }))
      // The editor holds the words too, until they are saved.
      await notes.waitFor({ state: 'detached' })
      await factOf(page, 'Notes').getByText('By the end of June.').waitFor()
      const made = await read(id)
      assert.deepEqual(
        [made.status, made.due_date, made.notes, made.lines.length],
        ['Sent', '2030-06-30', 'By the end of June.', 2],
      )
      return heading(page, /^INV-/).innerText()
    }

    /** What was billed twice is found by its number and cancelled. */
    async function afternoon(page: Page, hand: Hand) {
      await findByNumber(page, hand, twice.number)
      await hand.press(button(page, 'Cancel the invoice'))
      await hand.write(dialog(page, `Cancel ${twice.number}?`).getByLabel('Reason'), 'Ordered twice.')
      await hand.press(inDialog(page, 'Cancel the invoice'))
      await status(page, 'Cancelled')
      await factOf(page, 'Why cancelled').getByText('Ordered twice.').waitFor()
      const { status: word, cancel_reason: reason } = await read(twice.id)
      assert.deepEqual([word, reason], ['Cancelled', 'Ordered twice.'])
    }

    /** The list says what is still to come, by currency, and for one customer. */
    async function accounts(page: Page, hand: Hand) {
      await hand.go('Invoices')
      await tile(page, /^Still to come \$421\.17 ?€119\.00 ?3 invoices/).waitFor()
      await hand.write(page.getByLabel('Customer', { exact: true }), 'northwind')
      await page.getByText('3 of 3').waitFor()
      await tile(page, /^Still to come (?=.*\$183\.17)(?=.*€119\.00).*2 invoices/).waitFor()
      const total = rows(page).getByRole('button', { name: 'Total' })
      await hand.press(total)
      await rows(page).nth(1).getByText('€119.00').first().waitFor()
      await hand.press(total)
      await rows(page).nth(1).getByText('$1,190.00').first().waitFor()
      await hand.choose(page.getByLabel('Status', { exact: true }), 'Open: sent or overdue')
      await page.getByText('2 of 2').waitFor()
      await rows(page).nth(1).getByText('$183.17').first().waitFor()
      await hand.choose(page.getByLabel('Status', { exact: true }), 'Paid')
      await page.getByText('1 of 1').waitFor()
      await tile(page, /^Paid \$1,190\.00/).waitFor()
      const { searchParams } = new URL(page.url())
      assert.deepEqual(
        ['customer', 'status', 'sort'].map(name => searchParams.get(name)),
        ['northwind', 'Paid', '-amount'],
      )
    }

    /** The customer's company has its invoices, Home what came in. */
    async function evening(page: Page, hand: Hand, number: string) {
      await hand.go('Companies')
      await hand.press(page.getByRole('link', { name: `Open ${customer}`, exact: true }))
      await heading(page, customer).waitFor()
      const billed = page.getByRole('region', { name: 'Invoices (3)' })
      await hand.press(billed.getByRole('link', { name: number }))
      await heading(page, number).waitFor()
      await status(page, 'Sent')
      await hand.go('Home')
      await page.getByRole('region', { name: 'Since yesterday' }).getByText('$1,190.00 received').waitFor()
      await hand.pick(page.getByRole('banner').getByRole('button', { name: /^Account/ }), 'Log out')
      await page.getByLabel('Email or admin ID').waitFor()
    }

    test('from the first log-in of the morning to the log-out at night', async t => {
      const page = await portal.newPage(t, { allow: [/status of 401/] })
      const hand = startHand(page, kind)
      await logIn(page, hand)
      await morning(page, hand)
      const number = await noon(page, hand)
      await afternoon(page, hand)
      await accounts(page, hand)
      await evening(page, hand, number)
      assert.ok(hand.steps >= 40, `${hand.steps} steps`)
    })
  })
