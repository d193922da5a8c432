// What the Playground keeps: a person replays, shares, saves and comes back; and what they wrote is neither lost nor leaks.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chromiumMissing, portalForTests, watchOf, withoutClipboard } from './browser.ts'
import {
  answerBody,
  bodyField,
  choose,
  editorReady,
  expectStatus,
  method,
  type Opened,
  openPlayground,
  send,
  smsBody,
} from './playground_page.ts'

describe('what the Playground keeps', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const open = (t: Parameters<typeof portal.newPage>[0], options?: Opened) => openPlayground(portal, t, options)

  test('history: a row fills the editors again, shows the answer that was kept, and sends nothing', async t => {
    const page = await open(t)
    const body = await editorReady(page)
    await body.fill(JSON.stringify({ ...smsBody, body: 'First text' }))
    await send(page).click()
    await expectStatus(page, 200)
    const first = (await answerBody(page).textContent()) ?? ''
    await body.fill(JSON.stringify({ ...smsBody, body: 'Second text' }))
    await page.reload()
    await send(page).waitFor()
    await editorReady(page)
    assert.match((await body.textContent()) ?? '', /Second text/)
    await page.getByRole('button', { name: 'History' }).click()
    const calls = watchOf(page).apiCalls.length
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /200.*POST.*\/v2\/messages\/sms/ })
      .first()
      .click()
    await page.getByText('Filled in from the history. Nothing is sent.').waitFor()
    await page.waitForFunction(() =>
      document.querySelector('[aria-label="JSON body"]')?.textContent?.includes('First text'),
    )
    await expectStatus(page, 200)
    assert.equal(await answerBody(page).textContent(), first)
    assert.deepEqual(
      watchOf(page)
        .apiCalls.slice(calls)
        .filter(call => call.method === 'POST'),
      [],
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(() =>
      document.querySelector('[aria-label="JSON body"]')?.textContent?.includes('Second text'),
    )
  })

  test('its address is written in any case, and with a slash at its end', async t => {
    for (const path of ['/playground/', '/Playground']) {
      const page = await openPlayground(portal, t, { path: `${path}?endpoint=leads.list` })
      await method(page, 'GET').and(page.locator(':checked')).waitFor()
      await page.close()
    }
  })

  test('a logged request is replayed from its id', async t => {
    const page = await open(t)
    const body = await editorReady(page)
    await body.fill(JSON.stringify({ ...smsBody, body: 'Replay me' }))
    await send(page).click()
    await expectStatus(page, 200)
    const id = /req_[0-9a-z]{26}/.exec((await page.getByLabel('List of response headers').textContent()) ?? '')?.[0]
    await body.fill('{}')
    await page.waitForTimeout(1_500)
    await page.goto(`/playground?replay=${id}`)
    await page.getByText('Loaded from the log. Nothing is sent yet.').waitFor()
    await editorReady(page)
    assert.match((await body.textContent()) ?? '', /"to": "\+15005550100"/)
    await page.waitForURL('**/playground?endpoint=messages.sms.send')
  })

  test('a shared link brings the request, not the credential, and sends nothing', async t => {
    const page = await open(t)
    const body = await editorReady(page)
    await body.fill(JSON.stringify({ ...smsBody, body: `key ${portal.t.main.testKey}`, tags: ['shared'] }))
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByText('It holds no credential.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(link, /\/playground#request=1\./)
    await body.fill('{}')
    const other = await portal.newPage(t)
    await portal.logIn(other, { path: link.slice(portal.address.length) })
    await other.getByText('Opened from a link. Nothing is sent yet.').waitFor()
    await editorReady(other)
    const text = (await bodyField(other).textContent()) ?? ''
    assert.match(text, /"shared"/)
    assert.match(text, /<removed>/)
    assert.equal(
      watchOf(other).apiCalls.some(call => call.path === '/v2/messages/sms'),
      false,
    )
    await other.goto('/playground#request=1.broken')
    await other.getByText('This link is damaged or incomplete.').waitFor()
  })

  test('a key against doubling is made where the portal is served by http in a network, too', async t => {
    const page = await open(t)
    // As browsers have it beyond secure origins.
    await page.evaluate(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'))
    await page.getByRole('tab', { name: /^Headers/ }).click()
    await page.getByRole('button', { name: 'Add Idempotency-Key', exact: true }).click()
    assert.match(await page.getByLabel('Header Idempotency-Key value').inputValue(), /^[0-9a-f]{32}$/)
  })

  test('a request is copied there, too, out of a menu that keeps the focus', async t => {
    const page = await open(t)
    await editorReady(page)
    const clipboard = await withoutClipboard(page)
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: /^cURL/ }).click()
    await page.getByText(/^Copied/).waitFor()
    assert.match(await clipboard(), /^curl /)
  })

  test('drafts survive a reload, one for each method, and reset can be undone', async t => {
    const page = await open(t, { path: '/playground?endpoint=leads.create' })
    const body = await editorReady(page)
    await body.fill('{"name": "Draft one"}')
    await choose(page, 'GET')
    await page.getByRole('button', { name: 'Add q', exact: true }).click()
    await page.getByLabel('Query parameter q value').fill('draft')
    await page.reload()
    await page.getByLabel('Query parameter q value').waitFor()
    assert.equal(await page.getByLabel('Query parameter q value').inputValue(), 'draft')
    await choose(page, 'POST')
    await editorReady(page)
    assert.equal(await body.textContent(), '{"name": "Draft one"}')
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.waitForFunction(() => document.querySelector('[aria-label="JSON body"]')?.textContent?.includes('Ada'))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(() =>
      document.querySelector('[aria-label="JSON body"]')?.textContent?.includes('Draft one'),
    )
  })

  test('what was written can be undone after a look at another tab, and line ends stay as they came', async t => {
    const page = await open(t)
    const body = await editorReady(page)
    await body.press('Control+End')
    await body.pressSequentially(' ')
    await page.getByRole('tab', { name: /^Headers/ }).click()
    await page.getByRole('tab', { name: /^Body/ }).click()
    await editorReady(page)
    assert.ok(await page.getByRole('button', { name: 'Reset' }).isEnabled())
    await body.press('Control+z')
    await page.getByRole('button', { name: 'Reset', disabled: true }).waitFor()
    await page.getByRole('button', { name: 'Paste cURL', exact: true }).click()
    const command = "curl http://x/v2/messages/sms -H 'Content-Type: application/json' -d $'{\\r\\n}'"
    await page.getByRole('textbox', { name: 'cURL command' }).fill(command)
    await page.getByRole('button', { name: 'Fill in the request' }).click()
    await page.getByRole('tab', { name: /^Code/ }).click()
    await page.getByLabel('Language').selectOption('javascript')
    await page.getByRole('region', { name: 'JavaScript code' }).getByText('{\\r\\n}').waitFor()
  })
})
