// The virtual handset: texts arrive on it as on a phone, are answered, and their progress is shown live.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  type Mode,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  sendText,
  streamOpen,
  tabTo,
  untilFocused,
} from './browser.ts'
import { quietCarrier, seedMessaging } from './seed_messaging.ts'

describe('the handset in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => {
    await seedMessaging(portal.t, { carrier: false })
  })

  const phone = (page: Page) => page.getByRole('region', { name: /^Handset / })
  const log = (page: Page) => phone(page).getByRole('log')
  const textEvents = (page: Page) => page.getByRole('list', { name: 'Newest texts, with their status' })
  const number = (page: Page) => page.getByRole('combobox', { name: 'Number of this handset' })

  const send = (to: string, body: string, { mode, ...more }: { from?: string; mode?: Mode } = {}) =>
    sendText(portal.t, { to, body, ...more }, mode)

  async function open(page: Page, path: string, mode: Mode = 'test'): Promise<void> {
    const stream = streamOpen(page)
    await portal.logIn(page, { path, mode })
    await stream
    await screenReady(page)
  }

  test('a text arrives by itself, is opened and answered, and the sender hears it', async t => {
    const page = await portal.newPage(t)
    await open(page, '/handset?number=%2B15005552001')
    await phone(page).getByText('No texts yet').waitFor()
    await send('+15005552001', 'Your table is ready.')
    const row = phone(page).getByRole('button', { name: /\+1 500 555 0006/ })
    await row.getByText('Your table is ready.').waitFor()
    await row.getByText('unread').waitFor({ state: 'attached' })
    await phone(page)
      .getByRole('status')
      .filter({ hasText: 'New text from +15005550006: Your table is ready.' })
      .waitFor({ state: 'attached' })
    await textEvents(page).getByText('delivered').waitFor()
    await row.click()
    await log(page).getByText('Your table is ready.').waitFor()
    await untilFocused(phone(page).getByRole('textbox', { name: 'Text to send' }))
    await page.keyboard.type('We are on our way')
    await page.keyboard.press('Enter')
    await log(page).getByText('We are on our way').waitFor()
    await textEvents(page).getByText('received').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('with'), '+15005550006')
    const { json } = await portal.t.call('GET', '/v2/messages?from=%2B15005552001&direction=inbound', {
      as: portal.t.main.testKey,
    })
    assert.deepEqual([json.data[0].body, json.data[0].to], ['We are on our way', '+15005550006'])
    await checkBothThemes(page, 'a conversation', 'handset-conversation')
  })

  test('what is sent from beside it shows as on its way, then arrives, and its cost is shown before', async t => {
    const page = await portal.newPage(t)
    await open(page, '/handset?number=%2B15005550103')
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Grüße – bis “gleich”')
    await page.getByText('UCS-2', { exact: true }).waitFor()
    await page.getByText('1 segment', { exact: true }).waitFor()
    await page.getByText('$0.01').waitFor()
    await page.getByTitle('U+2013').waitFor()
    await screenshot(page, 'handset-preview')
    await page.getByRole('button', { name: 'Replace look-alikes' }).click()
    await page.getByText('GSM-7', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send to handset' }).click()
    await log(page)
      .getByText(/on its way/)
      .waitFor()
    await screenshot(page, 'handset-coming')
    await log(page).getByText('Grüße - bis "gleich"').waitFor()
    assert.equal(
      await log(page)
        .getByText(/on its way/)
        .count(),
      0,
    )
  })

  test('STOP, START and HELP are really sent: the service obeys and answers', async t => {
    const page = await portal.newPage(t, { allow: [/status of 403/, /status of 422/] })
    await open(page, '/handset?number=%2B15005552002&with=%2B15005550006')
    await phone(page).getByRole('button', { name: 'Send STOP' }).click()
    await log(page).getByText('STOP', { exact: true }).waitFor()
    await log(page)
      .getByText(/You will get no more messages/)
      .waitFor()
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('An offer')
    await page.getByRole('button', { name: 'Send to handset' }).click()
    await page
      .getByRole('alert')
      .getByText(/asked|opt/i)
      .waitFor()
    await phone(page).getByRole('button', { name: 'Send START' }).click()
    await log(page)
      .getByText(/You will get our messages again/)
      .waitFor()
    await page.getByRole('button', { name: 'Send to handset' }).click()
    await log(page).getByText('An offer').waitFor()
    await phone(page).getByRole('button', { name: 'Send HELP' }).click()
    await log(page)
      .getByText(/Reply STOP to get no more/)
      .waitFor()
  })

  test('a text that never arrives leaves a note with its reason; names take no answers', async t => {
    const page = await portal.newPage(t)
    await open(page, '/handset?number=%2B15005550101&with=Tandem')
    await send('+15005550101', 'Nobody reads this', { from: 'Tandem' })
    await log(page)
      .getByText(/A text didn’t arrive: undelivered/)
      .waitFor()
    await log(page).getByRole('link', { name: 'unknown_subscriber' }).waitFor()
    await phone(page).getByText('You can’t reply to a name').waitFor()
    assert.equal(await phone(page).getByRole('textbox').count(), 0)
  })

  test('the number is picked, typed by its end, taken fresh, and is in the address', async t => {
    const page = await portal.newPage(t)
    await open(page, '/handset')
    assert.equal(await number(page).inputValue(), '+1 500 555 0100')
    await number(page).click()
    await page.getByRole('option', { name: /0110/ }).click()
    await phone(page).and(page.getByLabel('Handset +1 500 555 0110')).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('number'), '+15005550110')
    await number(page).fill('4711')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Handset +1 500 555 4711' }).waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Handset +1 500 555 4711' }).waitFor()
    await page.getByRole('button', { name: 'Use a new number' }).click()
    await page.waitForURL(
      url => /^\+1500555\d{4}$/.test(url.searchParams.get('number') ?? '') && !url.search.includes('4711'),
    )
    await number(page).fill('+49 30 123456')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Use a number of the simulator').waitFor()
  })

  test('with the keyboard alone: write a new text, go back, open the conversation again', async t => {
    const page = await portal.newPage(t)
    await open(page, '/handset?number=%2B15005552003')
    await tabTo(page, phone(page).getByRole('button', { name: 'Write a new text' }))
    await page.keyboard.press('Enter')
    await tabTo(page, phone(page).getByRole('combobox', { name: 'To' }))
    await page.keyboard.type('7234')
    await page.keyboard.press('Enter')
    await tabTo(page, phone(page).getByRole('textbox', { name: 'Text to send' }))
    await page.keyboard.type('Line one')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('line two')
    await page.keyboard.press('Enter')
    await log(page).getByText('line two').waitFor()
    await untilFocused(phone(page).getByRole('textbox', { name: 'Text to send' }))
    await tabTo(page, phone(page).getByRole('button', { name: 'All conversations' }), { back: true })
    await page.keyboard.press('Enter')
    const row = phone(page).getByRole('button', { name: /72345/ })
    await untilFocused(row)
    await page.keyboard.press('Enter')
    await log(page).getByText('line two').waitFor()
  })

  test('on a telephone it fills the width, in both themes', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await send(
      '+15005552004',
      'A text that is longer than one line of a telephone, so that it has to be wrapped somewhere.',
    )
    await open(page, '/handset?number=%2B15005552004&with=%2B15005550006')
    await log(page)
      .getByText(/longer than one line/)
      .waitFor()
    await noHorizontalScroll(page)
    await checkBothThemes(page, 'handset on a telephone', 'handset-telephone')
  })

  test('those who may not read events see texts all the same; those who may not send are shown why', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/handset?number=%2B15005552005', role: 'Sales Executive' })
    await phone(page).getByText('No texts yet').waitFor()
    await page.getByText('Every 3 s').waitFor()
    await send('+15005552005', 'By looking again')
    await phone(page)
      .getByRole('button', { name: /By looking again/ })
      .click()
    const other = await portal.newPage(t)
    await portal.logIn(other, { path: '/handset?number=%2B15005552005&with=%2B15005550006', role: 'Finance Manager' })
    await phone(other).getByText('Your role can read texts but not send them').waitFor()
    assert.equal(await other.getByRole('button', { name: 'Send to handset' }).count(), 0)
  })

  test('in live mode it has its own texts, and lists what was not sent, until there is a carrier', async t => {
    const page = await portal.newPage(t)
    await open(page, '/handset?number=%2B15005550101', 'live')
    await send('+15005550101', 'Live, and on the handset', { mode: 'live' })
    await phone(page)
      .getByRole('button', { name: /Live, and on the handset/ })
      .click()
    await phone(page).getByRole('button', { name: 'Send HELP' }).click()
    await log(page).getByText('HELP', { exact: true }).waitFor()
    await send('+4915112345678', 'To a real phone', { mode: 'live' })
    const notSent = page.getByRole('list', { name: 'Texts that weren’t sent' })
    await notSent.getByText('To a real phone').waitFor()
    await notSent.getByText('no_route').waitFor()
    await checkAccessibility(page, { name: 'handset with texts that were not sent' })
    const { status, json } = await portal.t.call('POST', '/v2/carriers', {
      as: portal.t.main.liveKey,
      body: quietCarrier,
    })
    assert.equal(status, 201)
    await page.reload()
    await page.getByRole('heading', { name: 'The handset isn’t used in live mode' }).waitFor()
    await page.getByText(/Example Telecom/).waitFor()
    await screenshot(page, 'handset-not-in-use')
    await checkAccessibility(page, { name: 'handset not in use' })
    await page.getByRole('button', { name: 'Switch to test mode' }).click()
    await phone(page).waitFor()
    t.after(() => portal.t.call('DELETE', `/v2/carriers/${json.data.carrierId}`, { as: portal.t.main.liveKey }))
  })

  test('in live mode it offers a sender that is accepted, also after a carrier was removed', async t => {
    const as = portal.t.main.liveKey
    const { json } = await portal.t.call('POST', '/v2/carriers', { as, body: quietCarrier })
    await portal.t.call('DELETE', `/v2/carriers/${json.data.carrierId}`, { as })
    const page = await portal.newPage(t, { allow: [/status of 403/] })
    await open(page, '/handset?number=%2B15005552011', 'live')
    await page.getByText('Your organization has had a carrier').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Send to handset' }).count(), 0)
    await checkAccessibility(page, { name: 'handset without a live sender' })
    const added = await portal.t.call('POST', '/v2/numbers', { as, body: { number: '+15005552012' } })
    assert.equal(added.status, 201, added.text)
    await page.reload()
    await page.getByRole('combobox', { name: 'Sender' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Sender' }).inputValue(), '+15005552012')
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('From a number of ours')
    await page.getByRole('button', { name: 'Send to handset' }).click()
    await log(page).getByText('From a number of ours').waitFor()
  })
})
