// Home: what waits for whom, by role; what is done there at once; the first day of an organization that has nothing; and that it follows
// what happens.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../server/src/kernel/values/ids.ts'
import { eventually } from '../../server/test/eventually.ts'
import {
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  streamOpen,
  tabTo,
  watchOf,
} from './browser.ts'
import { dayFromNow } from './pages.ts'

const phones = { lead: '+15005550161', stranger: '+15005550162', caller: '+15005550163' }

describe('Home', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const call = async (method: string, path: string, body?: object, as = portal.t.main.testKey) => {
    const answer = await portal.t.call(method, path, { as, body })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json
  }
  const mine = () => portal.t.main.users['Sales Executive'].id
  const day = dayFromNow
  const invoice = async (name: string, amount: number, more: object = {}) => {
    const made = await call('POST', '/v1/api/finance/invoices', { customer: { name }, amount, ...more })
    await call('POST', `/v1/api/finance/invoices/${made.invoice.id}/send`)
    return made.invoice as { id: number; number: string }
  }

  before(async () => {
    const { lead } = await call('POST', '/v1/api/leads', {
      name: 'Ada Lovelace',
      company: 'Analytical Engines',
      phone: phones.lead,
      priority: 'Hot',
      owner_id: mine(),
    })
    await call('POST', '/v1/api/leads', { name: 'Free For All', email: 'free@example.com' })
    await call('POST', '/v1/api/contacts', { name: 'Grace Hopper', phones: [{ value: phones.caller }] })
    for (const [from, body] of [
      [phones.lead, 'Is it ready?'],
      [phones.stranger, 'Who are you?'],
    ])
      await call('POST', '/v2/test/inbound', { from, to: '+15005550006', body })
    const waiting = async (count: number) => (await call('GET', '/v2/conversations?view=waiting')).data.length === count
    await eventually('who texted waits', () => waiting(2))
    // There is no such call: only who follows the log by now hears of it.
    await portal.t.ownerSql(
      `insert into events (tenant_id, id, type, resource_id, sequence, data)
       values ($1, $2, 'call.no_answer', $3, 2, json_build_object('callId', $3::text, 'direction', 'inbound', 'from', $4::text,
         'to', '+15005550006', 'state', 'no_answer', 'bridgedTo', null, 'answeredAt', null, 'createdAt', now()))`,
      [portal.t.main.testTenantId, newId('evt'), newId('call'), phones.caller],
    )
    await eventually('who called waits', () => waiting(3))
    const task = { assignee_id: mine(), record_id: `lead:${lead.id}` }
    await call('POST', '/v1/api/tasks', { ...task, title: 'Send the offer', due_on: day(-5) })
    await invoice('Northwind Traders', 1200, { due_date: day(-12) })
    await invoice('Blue Yonder', 80, { due_date: day(3), currency: 'EUR' })
    const paid = await invoice('Paid Up Ltd', 50)
    await call('POST', `/v1/api/finance/invoices/${paid.id}/payments`, { amount: 50 })
  })

  const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
  const row = (page: Page, list: string, text: string) =>
    page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text })
  const cards = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
  const open = async (page: Page, options: Parameters<typeof portal.logIn>[1] = {}) => {
    await portal.logIn(page, { path: '/home', ...options })
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await screenReady(page)
  }

  test('a sales person sees people who wait, by name, and goes to each with one click', async t => {
    const page = await portal.newPage(t)
    await open(page, { role: 'Sales Executive' })
    await page.getByRole('heading', { level: 1, name: /^Good (morning|afternoon|evening), / }).waitFor()
    assert.ok(countCalls(page).total <= 2, JSON.stringify(countCalls(page).byRoute))
    const shown = (await cards(page)).map(text => text.replaceAll(/\s+/g, ' '))
    assert.deepEqual(shown, ['Waiting for an answer 3', 'New leads 2', 'Tasks due 1', 'Your week', 'Since yesterday'])
    await row(page, 'New leads', 'Free For All').getByText('not assigned yet').waitFor()
    await row(page, 'Tasks due', 'Send the offer').getByText('5 days late').waitFor()
    await row(page, 'Waiting for an answer', 'Grace Hopper')
      .getByRole('button', { name: 'Call Grace Hopper back' })
      .waitFor()
    await row(page, 'Waiting for an answer', '+1 500 555 0162').getByText('Who are you?').waitFor()
    // Nothing shows a number of a record, or an id.
    assert.doesNotMatch(await page.getByRole('main').innerText(), /(lead|msg|call|task|con)[_:]\w+|\/v[12]\//)
    await checkBothThemes(page, 'home of sales', 'home-sales')
    await row(page, 'New leads', 'Ada Lovelace').getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
    await page.goBack()
    const waiting = row(page, 'Waiting for an answer', 'Ada Lovelace')
    await waiting.getByRole('link', { name: 'Answer Ada Lovelace' }).click()
    await page.waitForURL(/\/inbox\/cnv_/)
    await page.getByRole('log').getByText('Is it ready?').waitFor()
  })

  test('a task is ticked off where it stands, by keyboard', async t => {
    const { task } = await call('POST', '/v1/api/tasks', { assignee_id: mine(), title: 'Ring back', due_on: day(0) })
    const page = await portal.newPage(t)
    await open(page, { role: 'Sales Executive' })
    await row(page, 'Tasks due', 'Ring back').getByText('due today').waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Mark “Ring back” as done' }))
    await page.keyboard.press('Enter')
    await row(page, 'Tasks due', 'Ring back').waitFor({ state: 'detached' })
    assert.equal((await call('GET', `/v1/api/tasks/${task.id}`)).task.status, 'done')
  })

  test('finance sees what is owed, by currency, and nothing about leads, texts or calls', async t => {
    const page = await portal.newPage(t)
    await open(page, { role: 'Finance Manager' })
    const shown = (await cards(page)).map(text => text.replaceAll(/\s+/g, ' '))
    assert.deepEqual(shown, ['Invoices to collect 2', 'This week', 'Since yesterday'])
    await page.getByRole('link', { name: /^Overdue \$1,200\.00/ }).waitFor()
    const soon = page.getByRole('link', { name: /^Due within 7 days €80\.00/ })
    const { data } = await call('GET', '/v2/home')
    const { searchParams } = new URL((await soon.getAttribute('href')) ?? '', page.url())
    const until = new Date(Date.parse(data.today) + 7 * 86_400_000).toISOString().slice(0, 10)
    assert.equal(searchParams.get('due_date[lte]'), until)
    await row(page, 'Invoices that are due', 'Northwind Traders').getByText('12 days late').waitFor()
    await row(page, 'Invoices that are due', 'Blue Yonder').getByText('due in 3 days').waitFor()
    await card(page, 'Since yesterday').getByText('$50.00 received').waitFor()
    await card(page, 'This week').getByText('Payments received').waitFor()
    await checkBothThemes(page, 'home of finance', 'home-finance')
    await page.getByRole('link', { name: /^Overdue \$1,200\.00/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('status'), 'Overdue')
  })

  test('an Admin sees both, and what happens meanwhile, without a reload', async t => {
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await open(page)
    await stream
    await card(page, /^Waiting for an answer/).waitFor()
    await card(page, /^Invoices to collect/).waitFor()
    await call('POST', '/v1/api/leads', { name: 'Just Arrived', email: 'just@example.com' })
    await row(page, 'New leads', 'Just Arrived').waitFor()
    await call('POST', '/v2/messages/sms', { from: '+15005550006', to: phones.stranger, body: 'Tandem.' })
    await row(page, 'Waiting for an answer', 'Who are you?').waitFor({ state: 'detached' })
  })

  test('on a phone it is one column, without a sideways scroll', async t => {
    for (const role of ['Sales Executive', 'Finance Manager'] as const) {
      const page = await portal.newPage(t, { width: 390, height: 844 })
      await open(page, { role })
      await noHorizontalScroll(page, `home of ${role}`)
      await screenshot(page, `home-${role}-390`)
    }
  })

  test('what cannot be read says so, and is read again', async t => {
    const page = await portal.newPage(t, { allow: [/status of 500/] })
    let broken = true
    await page.route('**/v2/home', route =>
      broken
        ? route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Out of order.' } } })
        : route.continue(),
    )
    await portal.logIn(page, { path: '/home' })
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await card(page, /^New leads/).waitFor()
  })
})

describe('Home of an organization that has nothing', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const step = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Let’s get you set up' }).getByRole('listitem').filter({ hasText: name })

  test('an Admin is led on: leads, people, a carrier, an invoice', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/home', organization: 'other', mode: 'live' })
    await step(page, 'Add your first leads').getByRole('link', { name: 'Import a file' }).waitFor()
    await step(page, 'Connect a carrier').getByRole('link', { name: 'Connect a carrier' }).waitFor()
    await step(page, 'Write your first invoice').getByRole('link', { name: 'Create an invoice' }).waitFor()
    await checkBothThemes(page, 'home of nobody', 'home-first')
    await step(page, 'Add your first leads').getByRole('link', { name: 'Add a lead' }).click()
    const form = page.getByRole('dialog', { name: 'Create a lead' })
    await form.getByLabel('Name').fill('The First')
    await form.getByLabel('Email').fill('first@example.com')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'The First' }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    // It has begun: what is left stands above what waits.
    await page.getByRole('list', { name: 'Left to set up' }).getByText('Connect a carrier').first().waitFor()
    await page.getByRole('list', { name: 'New leads' }).getByRole('link', { name: 'The First' }).waitFor()
    await page.getByRole('button', { name: 'Hide what’s left to set up' }).click()
    await page.reload()
    await page.getByRole('list', { name: 'New leads' }).waitFor()
    assert.equal(await page.getByRole('list', { name: 'Left to set up' }).count(), 0)
  })

  test('a sales person is offered leads only, and finance invoices only', async t => {
    const sales = await portal.newPage(t)
    await portal.logIn(sales, { path: '/home', role: 'Sales Executive', mode: 'live' })
    await step(sales, 'Add your first leads').waitFor()
    assert.equal(await sales.getByRole('region', { name: 'Let’s get you set up' }).getByRole('listitem').count(), 1)
    const finance = await portal.newPage(t)
    await portal.logIn(finance, { path: '/home', role: 'Finance Manager', mode: 'live', organization: 'other' })
    await step(finance, 'Write your first invoice').waitFor()
    assert.equal(await finance.getByRole('region', { name: 'Let’s get you set up' }).getByRole('listitem').count(), 1)
    await watchOf(finance).quiet()
  })

  test('where nothing waits, it is said', async t => {
    await portal.t.call('POST', '/v1/api/leads', {
      as: portal.t.main.liveKey,
      body: { name: 'Of somebody', email: 'of@example.com', owner_id: portal.t.main.users['Sales Manager'].id },
    })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/home', role: 'Sales Executive', mode: 'live' })
    await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor()
    await checkBothThemes(page, 'home without work', 'home-done')
  })
})
