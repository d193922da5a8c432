// The event log: live by the same stream, narrowed by what the address says, one event opened in the inspector; and said in
// words to who may not read it.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  breakDown,
  checkBothThemes,
  chromiumMissing,
  connected,
  countCalls,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  untilFocused,
  watchOf,
} from './browser.ts'

describe('events in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let leadId: number
  before(async () => {
    leadId = await createLead('First')
    const sms = { from: '+15005550006', to: '+15005550100', body: 'Hi' }
    await portal.t.call('POST', '/v2/messages/sms', { as: portal.t.main.testKey, body: sms })
  })

  async function createLead(name: string, as = portal.t.main.testKey): Promise<number> {
    const body = { name, email: `${name.toLowerCase().replaceAll(' ', '.')}@example.com` }
    const { json, text } = await portal.t.call('POST', '/v1/api/leads', { as, body })
    assert.ok(json.lead, text)
    return json.lead.id
  }

  const table = (page: Page) => page.getByRole('table', { name: 'Events' })
  const rows = (page: Page) => table(page).locator('tbody tr')
  const event = (page: Page, name: string) => table(page).getByRole('button', { name })

  test('what happens appears by itself; paused it holds still', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/events' })
    await connected(page)
    await watchOf(page).quiet()
    const { total } = countCalls(page)
    assert.ok(total <= 4)
    const id = await createLead('Second')
    await event(page, `Open lead.created of lead:${id}`).waitFor({ timeout: 2_000 })
    assert.equal(countCalls(page).total, total, 'it asked for it')
    await page.getByRole('checkbox', { name: 'Live' }).uncheck()
    const third = await createLead('Third')
    await page.waitForTimeout(1_200)
    assert.equal(await event(page, `Open lead.created of lead:${third}`).count(), 0)
    await page.getByRole('checkbox', { name: 'Live' }).check()
    await event(page, `Open lead.created of lead:${third}`).waitFor()
  })

  test('filters stand in the address, survive a reload, and hold for what is live', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/events' })
    await page.getByLabel('Kind').selectOption('All lead events')
    await page.waitForURL(url => url.searchParams.get('type') === 'lead.*')
    await page.reload()
    await rows(page).first().waitFor()
    for (const text of await rows(page).allInnerTexts()) assert.match(text, /^lead\./)
    await page.getByLabel('About').fill(`lead:${leadId}`)
    await page.waitForURL(url => url.searchParams.get('resourceId') === `lead:${leadId}`)
    await event(page, `Open lead.created of lead:${leadId}`).waitFor()
    assert.equal(await rows(page).count(), 1)
    await connected(page)
    await createLead('Elsewhere')
    const change = { status: 'Contacted' }
    await portal.t.call('PATCH', `/v1/api/leads/${leadId}`, { as: portal.t.main.testKey, body: change })
    await event(page, `Open lead.status_changed of lead:${leadId}`).waitFor({ timeout: 2_000 })
    for (const text of await rows(page).allInnerTexts()) assert.match(text, /First/, 'by its name')
    await page.getByLabel('Before').fill('2020-01-01')
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL(url => url.search === '')
    await page.getByLabel('Kind').selectOption('message.queued')
    await rows(page).first().waitFor()
    for (const text of await rows(page).allInnerTexts()) assert.match(text, /^message\.queued/)
  })

  test('every kind can be chosen, also one that no event on the page is of', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/events' })
    await page.getByLabel('Kind').selectOption('lead.*')
    await rows(page).first().waitFor()
    await page.getByLabel('Kind').selectOption('company.created')
    await page.getByText('Nothing matches these filters').waitFor()
    await connected(page)
    const body = { name: 'Seen by its kind' }
    const made = await portal.t.call('POST', '/v1/api/companies', { as: portal.t.main.testKey, body })
    assert.equal(made.status, 201, made.text)
    await rows(page).first().waitFor()
    assert.match(await rows(page).first().innerText(), /^company\.created/)
  })

  test('an event opens in the inspector, at an address of its own, and closing gives the focus back', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/events' })
    const opener = event(page, `Open lead.created of lead:${leadId}`)
    await opener.focus()
    await watchOf(page).quiet()
    const { total } = countCalls(page)
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Event' })
    await drawer.getByText('"lead.created"').waitFor()
    assert.equal(countCalls(page).total, total, 'it asks again for what it shows')
    assert.match(new URL(page.url()).searchParams.get('inspect') ?? '', /^evt_/)
    await screenshot(page, 'events-drawer')
    await checkBothThemes(page, 'event')
    await page.reload()
    await drawer.getByText('"lead.created"').waitFor()
    await drawer.getByRole('button', { name: `Inspect lead:${leadId}` }).click()
    await page.getByRole('dialog', { name: 'Lead' }).getByText('first@example.com').first().waitFor()
    await page.goBack()
    await drawer.getByText('"lead.created"').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await opener.click()
    await drawer.waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await untilFocused(opener, 'the focus is lost')
  })

  test('a role without events:read sees why not, and nothing is requested that would be refused', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/events', role: 'Sales Executive' })
    await page.getByRole('heading', { name: 'You don’t have access to events' }).waitFor()
    await page.getByText(/events:read/).waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'Live' }).count(), 0)
    assert.equal(await page.getByLabel('Kind').count(), 0)
    assert.equal(countCalls(page).total, 0)
    await checkBothThemes(page, 'events, not allowed')
    await page.getByRole('main').getByRole('link', { name: 'Open Messages' }).click()
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
  })

  test('a Finance Manager sees events of what they may read, and only those', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/events', role: 'Finance Manager' })
    await connected(page)
    await createLead('Not for finance')
    const sms = { from: '+15005550006', to: '+15005550100', body: 'Hi' }
    const { json } = await portal.t.call('POST', '/v2/messages/sms', { as: portal.t.main.testKey, body: sms })
    await event(page, `Open message.queued of ${json.messageId}`).waitFor({ timeout: 3_000 })
    for (const text of await rows(page).allInnerTexts()) assert.doesNotMatch(text, /^lead\./)
  })

  test('every state is shown: none yet, a server that does not answer; on a telephone too', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, allow: [/status of 500/] })
    await portal.logIn(page, { path: '/events', organization: 'other' })
    await page.getByText('Nothing has happened yet').waitFor()
    assert.equal(
      await page.getByRole('link', { name: 'Send an SMS' }).getAttribute('href'),
      '/playground?endpoint=messages.sms.send',
    )
    await connected(page)
    await createLead('Somebody', portal.t.other.testKey)
    await table(page).waitFor({ timeout: 3_000 })
    await noHorizontalScroll(page)
    const mend = await breakDown(page, /\/v2\/events\?/)
    await page.reload()
    await page.getByRole('alert').getByText('Out of order.').waitFor()
    mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await table(page).waitFor()
    await screenReady(page)
  })
})
