// Carriers in the portal: a form drawn from the schema of the kind, links that are watched, a test that shows what went over
// the wire, and what becomes of messages when a carrier goes. The remote peer is a message centre of our own on 127.0.0.1.
// test: programs
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startSmsc, type TestSmsc } from '../../server/test/smsc.ts'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  tabTo,
  untilFocused,
} from './browser.ts'
import { quietCarrier } from './seed_messaging.ts'

describe('carriers in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' } })
  let smsc: TestSmsc
  before(async () => {
    smsc = await startSmsc({ password: 'secret' })
  })
  after(() => smsc?.close())

  const dialog = (page: Page) => page.getByRole('dialog')
  const group = (page: Page, name: string) => page.getByRole('group', { name })
  const row = (page: Page, text: string) => page.getByRole('main').getByRole('row').filter({ hasText: text })
  const live = (method: string, path: string, body?: unknown) =>
    portal.t.call(method, path, { as: portal.t.main.liveKey, body })

  async function made(body: object = {}): Promise<string> {
    const { status, json, text } = await live('POST', '/v2/carriers', { ...quietCarrier, ...body })
    assert.equal(status, 201, text)
    return json.data.carrierId
  }
  const settings = () => ({ ...quietCarrier.settings, port: smsc.port, segmentsPerSecond: 50 })

  test('a carrier is added by a form drawn from its schema, comes up, carries a text, and shows it', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/carriers', mode: 'live' })
    await page.getByRole('heading', { name: 'No carriers yet' }).waitFor()
    await page.getByRole('button', { name: 'Create a carrier' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Create a carrier' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Remote Peer')
    await group(page, 'Connection').getByLabel('Host').fill('http://wrong')
    await page.getByRole('button', { name: 'Create carrier' }).click()
    await group(page, 'Connection')
      .getByRole('alert')
      .getByText(/host name/)
      .waitFor()
    await untilFocused(group(page, 'Connection').getByLabel('Host'))
    await checkBothThemes(page, "a carrier's form", 'carrier-form')
    await group(page, 'Connection').getByLabel('Host').fill('127.0.0.1')
    await group(page, 'Connection').getByLabel('Port').fill(String(smsc.port))
    await group(page, 'Account').getByLabel('System id').fill('example')
    const password = group(page, 'Account').getByLabel('Password')
    assert.equal(await password.getAttribute('type'), 'password')
    await password.fill('secret')
    const throughput = page.locator('summary').filter({ hasText: 'Throughput' })
    await throughput.click()
    await page.getByLabel('Segments per second').fill('50')
    await throughput.getByText('1 changed').waitFor()
    await page.getByLabel('Prefix (1)').fill('+1')
    await page.getByLabel('Cost (1)').fill('0,0075')
    await page.getByRole('button', { name: 'Create carrier' }).click()
    await page.getByRole('heading', { level: 1, name: 'Remote Peer' }).waitFor()
    const links = page.getByRole('region', { name: 'Links', exact: true })
    await links.getByText('up', { exact: true }).waitFor({ timeout: 20_000 })
    const id = page.url().split('/').at(-1)?.split('?')[0]
    await live('POST', '/v2/numbers', { number: '+15005550006' })
    const sent = await live('POST', '/v2/messages/sms', {
      from: '+15005550006',
      to: '+15005550100',
      body: 'Over the wire',
    })
    assert.equal(sent.status, 200, sent.text)
    await links
      .getByRole('row', { name: /transceiver/ })
      .getByRole('cell', { name: '1', exact: true })
      .first()
      .waitFor({ timeout: 20_000 })
    await page
      .getByRole('region', { name: 'Remote Peer', exact: true })
      .getByText(/1 of 1/)
      .waitFor({ timeout: 20_000 })
    await checkBothThemes(page, "a carrier's page", 'carrier-page')
    await page.goto(`/messages/${sent.json.messageId}`)
    await page
      .getByRole('region', { name: 'Message', exact: true })
      .getByRole('button', { name: `Inspect ${id}` })
      .waitFor()
    await page.getByRole('table', { name: 'Parts of the message' }).getByText('Remote Peer').first().waitFor()
    await page.goto('/carriers')
    await row(page, 'Remote Peer')
      .getByRole('cell', { name: /^1 of 1 up/ })
      .waitFor()
    await screenshot(page, 'carriers-list')
    await checkAccessibility(page, { name: 'the list of carriers' })
  })

  test('a test bind shows each step with what went over the wire, and the route of a message', async t => {
    const id = await made({ name: 'To be tested', settings: settings() })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/carriers/${id}`, mode: 'live' })
    const card = page.getByRole('region', { name: 'Test', exact: true })
    await card.getByRole('button', { name: 'Test bind' }).click()
    const steps = card.getByRole('list', { name: 'Steps of the test' })
    await steps.getByText('Bind', { exact: true }).waitFor({ timeout: 15_000 })
    await steps.getByText(/bind_transceiver_resp/).waitFor()
    assert.equal(await steps.getByText('secret', { exact: false }).count(), 0, 'the password is shown')
    await card.getByText('It works').waitFor()
    await card.scrollIntoViewIfNeeded()
    await checkBothThemes(page, 'a test bind', 'carrier-test')
    const binds = smsc.binds()
    await card.getByLabel('Find the route of a message to').fill('+49 151 23456789')
    await page.keyboard.press('Enter')
    const ways = card.getByRole('list', { name: 'Carriers in the order they are tried' })
    await ways.getByText('To be tested').waitFor()
    await screenshot(page, 'carrier-way')
    assert.equal(await steps.count(), 1, 'the trace of the bind is gone')
    assert.equal(smsc.binds(), binds, 'a dry run opened a link')
    t.after(() => live('DELETE', `/v2/carriers/${id}`))
  })

  test('a secret is kept when left empty, and changed settings are tried before they are saved', async t => {
    const id = await made({ name: 'Careful', settings: settings() })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/carriers/${id}`, mode: 'live' })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit Careful' }).waitFor()
    assert.equal(await page.getByLabel('Password').inputValue(), '')
    assert.equal(await page.getByLabel('Password').getAttribute('placeholder'), 'Stored. Leave it empty to keep it.')
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Test bind' }).click()
    await page.getByText('It doesn’t work').waitFor({ timeout: 15_000 })
    await page.getByText('failed', { exact: true }).waitFor()
    await screenshot(page, 'carrier-test-failed')
    await page.getByLabel('Password').fill('')
    await page.locator('summary').filter({ hasText: 'Answers of the carrier' }).click()
    await page.getByRole('button', { name: 'Add a line' }).click()
    await page.getByLabel('Status (1)').fill('0x0000000b')
    await page.getByLabel('Outcome (1)').selectOption('refuse')
    await page.getByRole('button', { name: 'Add a route' }).click()
    await page.getByLabel('Prefix (3)').fill('44 20')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Careful was saved.').waitFor()
    const { json } = await live('GET', `/v2/carriers/${id}`)
    assert.deepEqual(json.data.secretsSet, ['password'])
    assert.deepEqual(json.data.settings.statuses, [{ status: '0x0000000b', outcome: 'refuse' }])
    assert.deepEqual(json.data.routes.at(-1), { prefix: '+4420', priority: 10, cost: '0' })
    const tried = await live('POST', `/v2/carriers/${id}/test`, {})
    assert.equal(tried.json.data.ok, true, 'the password that was left empty is gone')
    t.after(() => live('DELETE', `/v2/carriers/${id}`))
  })

  test('with the keyboard alone a carrier is switched on and off, and deleted by its typed name', async t => {
    const id = await made({ name: 'Short lived', settings: settings() })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/carriers/${id}`, mode: 'live' })
    await tabTo(page, page.getByRole('button', { name: 'Switch on' }))
    await page.keyboard.press('Enter')
    const off = page.getByRole('button', { name: 'Switch off' })
    await off.waitFor()
    await untilFocused(off)
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByText(/Its links are closed.*No messages are waiting for it/)
      .waitFor()
    await tabTo(page, dialog(page).getByRole('button', { name: 'Switch off' }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Switch on' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Delete' }))
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByText(/Without any carrier, live texts aren’t sent/)
      .waitFor()
    await screenshot(page, 'carrier-delete')
    await checkAccessibility(page, { name: 'deleting a carrier' })
    await untilFocused(dialog(page).getByLabel(/^Type/))
    await page.keyboard.type('Short lived')
    await tabTo(page, dialog(page).getByRole('button', { name: 'Delete', exact: true }))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/carriers')
    await page.getByText('Short lived was deleted.').waitFor()
  })

  test('those who may not manage carriers watch them; those who may not read them are refused in words; test mode says where they are', async t => {
    const id = await made({ name: 'Watched' })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/carriers/${id}`, mode: 'live', role: 'Sales Manager' })
    await page.getByText('The carrier is switched off').waitFor()
    assert.equal(await page.getByRole('button', { name: /Edit|Delete|Test bind|Switch/ }).count(), 0)
    const reader = await portal.newPage(t)
    await portal.logIn(reader, { path: '/carriers', mode: 'live', role: 'Finance Manager' })
    await reader.getByText(/You don’t have access to Carriers/i).waitFor()
    const tester = await portal.newPage(t)
    await portal.logIn(tester, { path: '/carriers' })
    await tester.getByRole('heading', { name: 'Carriers are for live mode' }).waitFor()
    await tester.getByRole('button', { name: 'Switch to live mode' }).click()
    await row(tester, 'Watched').waitFor()
    // The pages are closed by then: one of a carrier that is gone asks for it once more, and hears 404.
    t.after(() => live('DELETE', `/v2/carriers/${id}`))
  })

  test('on a telephone list, page and form fit', async t => {
    const id = await made({ name: 'A carrier with quite a long name of its own' })
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/carriers', mode: 'live' })
    await row(page, 'quite a long name').waitFor()
    await noHorizontalScroll(page)
    for (const path of [`/carriers/${id}`, `/carriers/${id}?edit=1`, '/carriers?create=1']) {
      await page.goto(path)
      await screenReady(page)
      await noHorizontalScroll(page)
      await screenshot(page, `carrier-telephone-${path.split(/[?=]/).at(-2)}`)
      await checkAccessibility(page, { name: `${path} on a telephone` })
    }
    t.after(() => live('DELETE', `/v2/carriers/${id}`))
  })
})
