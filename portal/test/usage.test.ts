// Usage: charts that can be read as tables and taken away as files, over any range, by endpoint, key, status or source.
// test: programs
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  breakDown,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  watchOf,
} from './browser.ts'

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

describe('usage in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => {
    const { t } = portal
    const as = t.main.testKey
    const sms = { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' }
    for (let n = 0; n < 4; n++) await t.call('POST', '/v2/messages/sms', { as, body: sms })
    for (let n = 0; n < 3; n++) await t.call('GET', '/v2/messages', { as })
    await t.call('GET', '/v1/api/leads/999999', { as })
    const call = { from: '+15550100001', to: '+15005550200', timeoutSeconds: 5 }
    await t.call('POST', '/v2/voice/calls', { as, body: call })
    await t.call('GET', '/v2/organization', { as, headers: { 'sec-fetch-site': 'same-origin' } })
    await t.app.flush()
  })

  const card = (page: Page, name: string | RegExp) =>
    page.getByRole('region', { name }).filter({ has: page.getByRole('button', { name: /as CSV$/ }) })
  const chart = (page: Page, name: string) => page.getByRole('img', { name: new RegExp(`^${name}, `) })
  const legend = (card: Locator) => card.getByRole('list', { name: 'Legend' })

  async function openUsage(page: Page, search = '', options: object = {}): Promise<void> {
    await portal.logIn(page, { path: `/usage${search}`, ...options })
    await watchOf(page).quiet()
    await screenReady(page)
  }

  test('charts say what they show, as a picture, as a table and as a file', async t => {
    const page = await portal.newPage(t)
    await openUsage(page)
    assert.ok(countCalls(page).total <= 4, JSON.stringify(countCalls(page).byRoute))
    assert.match((await chart(page, 'Requests').getAttribute('aria-label')) ?? '', /in all: Requests 10$/)
    // Whatever they have come to by now.
    const messages = (await chart(page, 'Messages').getAttribute('aria-label')) ?? ''
    assert.equal(sum([...messages.matchAll(/\d+/g)].map(Number)), 4, messages)
    await chart(page, 'Calls').waitFor()
    await screenshot(page, 'usage')
    await checkBothThemes(page, 'usage')
    const requests = card(page, 'Requests')
    assert.match(await legend(requests).innerText(), /Requests\s+10\b/)
    await requests.getByText('Table', { exact: true }).click()
    const table = page.getByRole('table', { name: 'Requests' })
    const rows = table.locator('tbody tr')
    const counts = (await rows.allInnerTexts()).map(text => Number(text.split('\t').at(-1)))
    assert.equal(counts.length, await rows.count())
    assert.ok(counts.length === 24 || counts.length === 25, `${counts.length} hours`)
    assert.equal(sum(counts), 10)
    await checkBothThemes(page, 'usage table')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Requests as CSV' }).click()
    const file = await download
    assert.equal(file.suggestedFilename(), 'requests.csv')
    const [head, ...lines] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    assert.equal(head, '\ufefffrom,Requests')
    assert.equal(lines.length, counts.length)
    assert.equal(sum(lines.map(line => Number(line.split(',')[1]))), 10)
  })

  test('the pointer on a bar shows its bucket', async t => {
    const page = await portal.newPage(t)
    await openUsage(page)
    const picture = chart(page, 'Requests')
    const box = (await picture.boundingBox())!
    await page.mouse.move(box.x + box.width - 30, box.y + box.height / 2)
    await legend(card(page, 'Requests'))
      .getByText(/\d{1,2}:00/)
      .waitFor()
    await page.mouse.move(5, 5)
    await legend(card(page, 'Requests')).getByText('in all').waitFor()
  })

  test('range and grouping stand in the address and survive a reload', async t => {
    const page = await portal.newPage(t)
    await openUsage(page)
    await page.getByLabel('Time', { exact: true }).selectOption('Last 30 days')
    await page.getByLabel('Group by').selectOption('Endpoint')
    await page.waitForURL(
      url => url.searchParams.get('days') === '30' && url.searchParams.get('groupBy') === 'endpoint',
    )
    await page.reload()
    await screenReady(page)
    const requests = card(page, 'Requests')
    const text = await legend(requests).innerText()
    for (const words of [/Send an SMS\s+4\b/, /List messages\s+3\b/, /Get a lead\s+1\b/]) assert.match(text, words)
    await requests.getByText('Table', { exact: true }).click()
    const days = await page.getByRole('table', { name: 'Requests' }).locator('tbody tr').count()
    assert.ok(days >= 30 && days <= 32, `${days} days`)
    for (const [group, words] of [
      ['Key', /all rights/],
      ['Status', /4xx|404/],
      ['Source', /^playground\s*1$/],
    ] as const) {
      await page.getByLabel('Group by').selectOption(group)
      await requests.getByText('Chart', { exact: true }).click()
      await legend(requests).getByText(words).first().waitFor()
    }
    await page.getByLabel('Endpoint', { exact: true }).selectOption({ label: 'Send an SMS (v2)' })
    await page.waitForURL(url => url.searchParams.get('endpointId') === 'messages.sms.send')
    await page.getByLabel('Group by').selectOption('All together')
    await legend(requests)
      .getByText(/^Requests\s*4$/)
      .waitFor()
    await page.getByLabel('Endpoint', { exact: true }).selectOption({ label: 'Cancel an invoice (v1)' })
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await legend(requests)
      .getByText(/^Requests\s*10$/)
      .waitFor()
  })

  test('every state is shown: nothing yet, and a server that does not answer; on a telephone too', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, allow: [/status of 500/] })
    await openUsage(page, '', { organization: 'other' })
    await page.getByText('No requests in this time').waitFor()
    const mend = await breakDown(page, '**/v2/analytics/usage*')
    await page.reload()
    await page.getByRole('alert').getByText('Out of order.').waitFor()
    mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No requests in this time').waitFor()
    const busy = await portal.newPage(t, { width: 390, height: 844 })
    await openUsage(busy)
    await chart(busy, 'Requests').waitFor()
    await noHorizontalScroll(busy)
  })

  test('every role sees what it may: a Sales Executive own requests, and the page says so', async t => {
    for (const role of ['Sales Executive', 'Finance Manager', 'Sales Manager'] as const) {
      const page = await portal.newPage(t)
      await openUsage(page, '', { role })
      assert.equal(await page.getByRole('alert').count(), 0)
      await chart(page, 'Messages').waitFor()
      const own = role === 'Sales Executive'
      assert.equal(await page.getByText('No requests in this time').count(), own ? 1 : 0)
      assert.equal(await page.getByText(/^Your own requests/).count(), own ? 1 : 0)
    }
  })

  // The last one: the organization moves, and its requests count.
  test('days are those of the organization, wherever the reader is', async t => {
    const moved = await portal.t.call('PATCH', '/v2/organization', {
      as: portal.t.main.tokens.Admin,
      // Its days are never those of a reader in Pago Pago.
      body: { timeZone: 'Pacific/Kiritimati' },
    })
    assert.equal(moved.status, 200, moved.text)
    const page = await portal.newPage(t, { timezoneId: 'Pacific/Pago_Pago' })
    await openUsage(page, '?days=30')
    const dayIn = (ms: number) =>
      new Date(ms).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'Pacific/Kiritimati' })
    const picture = chart(page, 'Requests')
    const box = (await picture.boundingBox())!
    await page.mouse.move(box.x + box.width - 30, box.y + box.height / 2)
    const pointed = legend(card(page, 'Requests')).getByText(/^\w{3} \d+, \d{4}$/)
    await pointed.waitFor()
    // A new day may have begun meanwhile.
    const now = Date.now()
    assert.ok([now, now - 60_000].map(dayIn).includes(await pointed.innerText()), await pointed.innerText())
    await card(page, 'Requests').getByText('Table', { exact: true }).click()
    const newest = page.getByRole('table', { name: 'Requests' }).locator('tbody tr').first()
    const [day = ''] = (await newest.innerText()).split('\t')
    assert.ok([now, now - 60_000].map(dayIn).includes(day), day)
  })
})
