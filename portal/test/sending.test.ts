// Sending a text from the portal: its cost shown while it is typed, now or later, canceled, and its text redacted.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  sendText,
  tabTo,
  untilFocused,
} from './browser.ts'
import { type SeededMessaging, seedMessaging } from './seed_messaging.ts'

describe('sending in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let seeded: SeededMessaging
  before(async () => {
    seeded = await seedMessaging(portal.t, { carrier: false })
  })

  const dialog = (page: Page) => page.getByRole('dialog')
  const field = (page: Page, name: string) => dialog(page).getByRole('textbox', { name, exact: true })
  const rowOf = (page: Page, text: string) =>
    page.getByRole('table', { name: 'Messages' }).getByRole('row', { name: text })

  const send = (body: object) => sendText(portal.t, body)

  test('with the keyboard alone: a text of two segments by a service, seen with its parts and price', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages' })
    await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Send a message' }).first())
    await page.keyboard.press('Enter')
    const sender = dialog(page).getByRole('combobox', { name: 'Sender' })
    await untilFocused(sender)
    await page.keyboard.type('Appoint')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('+1 500 555 0100')
    await page.keyboard.press('Tab')
    await page.keyboard.type('x'.repeat(170))
    await dialog(page).getByText('2 segments').waitFor()
    await dialog(page).getByText('$0.02').waitFor()
    await checkBothThemes(page, 'sending', 'send-dialog')
    await tabTo(page, dialog(page).getByRole('button', { name: 'Send', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Text (to|from) / }).waitFor()
    await page
      .getByRole('list', { name: /^Statuses/ })
      .getByText('delivered')
      .waitFor()
    const parts = page.getByRole('table', { name: 'Parts of the message' })
    await parts.getByText('delivered').nth(1).waitFor()
    assert.equal(await parts.getByRole('row').count(), 3)
    await parts.getByText(/^sim_.*\.2$/).waitFor()
    const facts = page.getByRole('region', { name: 'Message', exact: true })
    await facts.getByText('$0.02').waitFor()
    await facts.getByText('2 in GSM-7, 2 delivered').waitFor()
    await facts.getByRole('button', { name: `Inspect ${seeded.service}` }).waitFor()
    await checkBothThemes(page, 'a message with parts', 'message-parts')
  })

  test('faults stand beside their fields, and what was typed outlives the dialog', async t => {
    const page = await portal.newPage(t, { allow: [/status of 4\d\d/] })
    await portal.logIn(page)
    await page.goto('/messages?send=1')
    await field(page, 'To').fill('12')
    await field(page, 'Text').fill('Kept')
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(page).getByRole('alert').first().waitFor()
    assert.equal(await field(page, 'To').getAttribute('aria-invalid'), 'true')
    await untilFocused(field(page, 'To'))
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('main').getByRole('button', { name: 'Send a message' }).first().click()
    assert.equal(await field(page, 'Text').inputValue(), 'Kept')
    await field(page, 'To').fill('+1 500 555 0003')
    await dialog(page)
      .getByText(/destination|not allowed/i)
      .first()
      .waitFor()
    await dialog(page).getByText('1 segment', { exact: true }).waitFor()
  })

  test('a text is scheduled, found by its status, canceled, and redacted with a typed word', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await page.goto('/messages?send=1')
    await field(page, 'To').fill('+15005550100')
    await field(page, 'Text').fill('Tomorrow')
    await dialog(page).getByText('Schedule', { exact: true }).click()
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 11)
    await dialog(page).getByLabel('Send at').fill(`${tomorrow}09:30`)
    await field(page, 'Tags (optional)').fill('reminder, spring')
    await screenshot(page, 'send-scheduled')
    await dialog(page).getByRole('button', { name: 'Schedule' }).click()
    await page.getByText('The text is scheduled.').waitFor()
    await page.getByText('To be sent').waitFor()
    await page.getByText('reminder, spring').waitFor()
    await page.goto('/messages?status=scheduled')
    await rowOf(page, 'Tomorrow')
      .getByRole('link', { name: /^Open the message/ })
      .click()
    await page.getByRole('button', { name: 'Cancel the message' }).click()
    await dialog(page).getByRole('button', { name: 'Cancel it' }).click()
    const line = page.getByRole('list', { name: /^Statuses of the message/ })
    await line.getByText('canceled').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Cancel the message' }).count(), 0)
    await page.getByRole('button', { name: 'Redact' }).click()
    const confirm = dialog(page).getByRole('button', { name: 'Redact', exact: true })
    assert.ok(await confirm.isDisabled())
    await checkAccessibility(page, { name: 'redacting' })
    await dialog(page).getByLabel('Type redact to confirm').fill('redact')
    await confirm.click()
    await page.getByText(/The text was removed \d|The text was removed now/).waitFor()
    await screenshot(page, 'message-redacted')
    assert.equal(await page.getByText('Tomorrow', { exact: true }).count(), 0)
    await page.goto('/messages?tag=reminder')
    await rowOf(page, '(redacted)').waitFor()
  })

  test('the list is filtered by person, service, carrier and tag', async t => {
    await send({
      serviceId: seeded.service,
      from: undefined,
      to: '+15005553001',
      body: 'By the service',
      tags: ['spring'],
    })
    await send({ to: '+15005553002', from: 'Tandem', body: 'By name' })
    await portal.t.call('POST', '/v2/test/inbound', {
      as: portal.t.main.testKey,
      body: { from: '+15005553001', to: '+15005550006', body: 'An answer' },
    })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages' })
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByLabel('With', { exact: true }).fill('+1 500 555 3001')
    await rowOf(page, 'An answer').waitFor()
    await rowOf(page, 'By the service').waitFor()
    await rowOf(page, 'By name').waitFor({ state: 'detached' })
    await page.getByLabel('Tag').fill('spring')
    // What is typed is taken when typing rests.
    await page.waitForURL(url => url.searchParams.get('tag') === 'spring')
    await rowOf(page, 'An answer').waitFor({ state: 'detached' })
    await page.getByLabel('Service').selectOption({ label: 'Appointments' })
    await page.waitForURL(url => url.searchParams.get('serviceId') === seeded.service)
    await rowOf(page, 'By the service').waitFor()
    await page.getByLabel('Carrier').selectOption('simulator')
    await rowOf(page, 'By the service').waitFor()
    await screenshot(page, 'messages-filters')
    await page.reload()
    await rowOf(page, 'By the service').waitFor()
    assert.equal(await page.getByLabel('Tag').inputValue(), 'spring')
    await checkAccessibility(page, { name: 'all filters of messages' })
  })

  test('live mode says who gets it, the palette opens the dialog, and a telephone shows it whole', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/', mode: 'live' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Send a message')
    await page
      .getByRole('combobox', { name: /^Search/ })
      .and(page.locator('[value="Send a message"]'))
      .waitFor()
    await page.getByRole('option', { name: /Send a message/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByText(/has no carrier: only the handset’s numbers/)
      .waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'send-telephone')
    await checkAccessibility(page, { name: 'sending on a telephone' })
  })

  test('who may not send is offered neither button nor dialog', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/messages?send=1', role: 'Finance Manager' })
    await screenReady(page)
    assert.equal(await dialog(page).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Send a message' }).count(), 0)
  })
})
