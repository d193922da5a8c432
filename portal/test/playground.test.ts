// The Playground in a real browser: a person sends, is told what went wrong, pastes, replays, chains, shares, comes back; and
// what they wrote is neither lost nor leaks.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  checkAccessibility,
  chromiumMissing,
  inBothThemes,
  noHorizontalScroll,
  type PageOptions,
  type Portal,
  portalForTests,
  screenshot,
  tabTo,
  watchOf,
} from './browser.ts'

const status = (page: Page) => page.getByTestId('status')
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const bodyField = (page: Page) => page.getByRole('textbox', { name: 'JSON body' })
/** The answer in its editor; rows of our own stand there before. */
const answerBody = (page: Page) => page.locator('.cm-editor').getByRole('textbox', { name: 'Response body' })
const method = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
const smsBody = { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' }

/** Waits for the heavy editor: until it is there a plain field stands in its place. */
async function editorReady(page: Page): Promise<Locator> {
  await page.locator('.cm-editor [aria-label="JSON body"]').waitFor()
  return bodyField(page)
}

async function choose(page: Page, name: string): Promise<void> {
  // The radio lies under its label; a person presses the word.
  await page
    .locator('label')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .click()
  await method(page, name).and(page.locator(':checked')).waitFor()
}

async function expectStatus(page: Page, expected: number): Promise<void> {
  await status(page).getByText(String(expected)).waitFor()
}

const refused = /Failed to load resource: the server responded with a status of 4\d\d/

describe('the Playground', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  type Opened = PageOptions & { path?: string; mode?: 'live' | 'test'; role?: 'Admin' | 'Finance Manager' }
  async function open(t: Parameters<Portal['newPage']>[0], options: Opened = {}): Promise<Page> {
    const { path = '/playground?endpoint=messages.sms.send', mode, role, ...pageOptions } = options
    const page = await portal.newPage(t, pageOptions)
    await portal.logIn(page, { path, mode, role })
    await send(page).waitFor()
    return page
  }

  test('from the dashboard: category, endpoint, method, and a message is sent in at most four clicks', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/' })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Playground' }).click()
    await page.getByLabel('Category').selectOption('Messaging')
    await page.getByRole('combobox', { name: 'Endpoint' }).click()
    await page.getByRole('option', { name: /^\/v2\/messages\/sms POST/ }).click()
    await method(page, 'POST').and(page.locator(':checked')).waitFor()
    await send(page).click()
    await expectStatus(page, 200)
    assert.match((await answerBody(page).textContent()) ?? '', /"messageId": "msg_/)
    await page.getByText('your login (Admin) has it').waitFor()
  })

  test('body, headers, status and time stand side by side without a click', async t => {
    const page = await open(t)
    await page.keyboard.press('Control+Enter')
    await expectStatus(page, 200)
    for (const part of [
      status(page),
      page.getByTestId('time'),
      answerBody(page),
      page.getByText('x-request-id'),
      page.getByText('ratelimit-policy'),
    ]) {
      const box = await part.first().boundingBox()
      assert.ok(
        box !== null && box.y >= 0 && box.y + Math.min(box.height, 40) <= 900 && box.x + 10 <= 1440,
        String(part),
      )
    }
    const parts = await page.getByLabel('Status and time').textContent()
    for (const word of ['Wait', 'Download', 'Server', 'left for this user']) assert.ok(parts?.includes(word), word)
  })

  test('what the server would refuse is marked while one writes, and a refusal is explained at its field', async t => {
    const page = await open(t, { allow: [refused] })
    const body = await editorReady(page)
    await body.fill('{"from": "+15005550006", "to": "x", "bdy": "hi"}')
    await page.getByText('Line 1: body is required.').waitFor()
    assert.equal(await page.locator('.cm-fault').count(), 3)
    await send(page).click()
    await expectStatus(page, 400)
    const card = page.getByRole('region', { name: 'What went wrong' })
    await card.getByText('validation_failed').waitFor()
    await card.getByText('Correct every field listed').waitFor()
    await card.getByRole('button', { name: 'to', exact: true }).first().click()
    await page.waitForFunction(() => getSelection()?.toString() === '"x"')
    await card.getByRole('link', { name: 'In the error reference' }).click()
    await page.waitForURL('**/errors/validation_failed')
  })

  test('completion offers the fields and values of the endpoint', async t => {
    const page = await open(t, { path: '/playground?endpoint=leads.create' })
    const body = await editorReady(page)
    await body.fill('')
    await body.pressSequentially('{"pri')
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    await list.getByRole('option', { name: 'priority' }).waitFor()
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'hidden' })
    assert.equal(await body.textContent(), '{"priority": "Warm"}')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Space')
    await list.getByRole('option', { name: 'Hot' }).click()
    assert.equal(await body.textContent(), '{"priority": "Hot"}')
    await page.keyboard.press('Control+z')
    assert.equal(await body.textContent(), '{"priority": "Warm"}')
  })

  test('no credential, a missing permission and a spent limit each say what is wrong', async t => {
    const page = await open(t, { role: 'Finance Manager', allow: [refused] })
    await page.getByText('which your login (Finance Manager) does not have: expect 403').waitFor()
    await send(page).click()
    await expectStatus(page, 403)
    const card = page.getByRole('region', { name: 'What went wrong' })
    await card.getByText('insufficient_role').waitFor()
    await card.getByText(/Needs messages:send, which your login \(Finance Manager\) does not have/).waitFor()
    await page.getByLabel('Credential').selectOption('none')
    await page.getByText('no credential is chosen: expect 401').waitFor()
    await send(page).click()
    await expectStatus(page, 401)
    await card.getByText('missing_credentials').waitFor()
  })

  test('429 counts down and then offers to send again', async t => {
    const page = await open(t, { allow: [refused] })
    await page.route('**/v2/messages/sms', async (route, request) => {
      if (request.headers()['x-once'] === undefined) return route.continue()
      const error = { code: 'rate_limited', message: 'Rate limit of 100 requests a minute exceeded.', retriable: true }
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '2', ratelimit: '"ip";r=0;t=2', 'ratelimit-policy': '"ip";q=100;w=60' },
        contentType: 'application/json',
        body: JSON.stringify({ status: 429, error, meta: {} }),
      })
    })
    await page.getByRole('tab', { name: /^Headers/ }).click()
    await page.getByLabel('New header name').fill('X-Once')
    await page.getByLabel('Header X-Once value').fill('1')
    await send(page).click()
    await expectStatus(page, 429)
    assert.ok(await page.getByRole('button', { name: /Send again in [12] s/ }).isDisabled())
    await page.getByText('0 of 100 left for this IP address').waitFor()
    const again = page.getByRole('button', { name: 'Send again', exact: true })
    await again.waitFor()
    assert.ok(await again.isEnabled())
  })

  test('a method that is not documented may be sent, and the answer names those that are', async t => {
    const page = await open(t, { allow: [refused] })
    await choose(page, 'PUT')
    await page.getByText('PUT is not documented for this path (POST is)').waitFor()
    await send(page).click()
    await expectStatus(page, 405)
    const card = page.getByRole('region', { name: 'What went wrong' })
    await card.getByRole('button', { name: 'POST' }).click()
    await method(page, 'POST').and(page.locator(':checked')).waitFor()
  })

  test('a pasted cURL command fills everything; its token goes to memory only', async t => {
    const page = await open(t)
    const key = portal.t.main.testKey
    const command = [
      `curl -X PATCH 'https://api.example.com/v1/api/leads/12?notify=yes' -H 'Authorization: Bearer ${key}'`,
      `-H 'X-Duplicate-Mode: off' -H 'Content-Type: application/json' --data-raw '{"company":"O'\\''Hara"}'`,
    ].join(' ')
    await page.getByRole('button', { name: 'Write another path, or paste cURL' }).click()
    await page.evaluate(text => navigator.clipboard.writeText(text), command)
    await page.keyboard.press('Control+v')
    await page.getByText('It was for https://api.example.com; here it goes to this server.').waitFor()
    await method(page, 'PATCH').and(page.locator(':checked')).waitFor()
    assert.equal(await page.getByLabel('Path value id').inputValue(), '12')
    assert.equal(await bodyField(page).textContent(), '{"company":"O\'Hara"}')
    assert.equal(await page.getByLabel('Credential').inputValue(), 'pasted')
    await page.getByText('the pasted test key has it').waitFor()
    await page.getByRole('tab', { name: /^Code/ }).click()
    const code = (await page.getByRole('region', { name: 'cURL code' }).textContent()) ?? ''
    assert.match(code, /"Authorization: Bearer \$API_KEY"/)
    assert.match(code, /\/v1\/api\/leads\/12\?notify=yes/)
    assert.ok(!code.includes(key))
    await page.getByLabel('Include the secret').check()
    assert.ok((await page.getByRole('region', { name: 'cURL code' }).textContent())?.includes(key))
  })

  test('one of my keys sends by a short-lived token, counted and named as that key', async t => {
    const page = await open(t)
    const select = page.getByLabel('Credential')
    const options = await select.locator('option').allTextContents()
    const own = options.findIndex(text => text.startsWith('Key '))
    assert.ok(own > 0, options.join(', '))
    await select.selectOption({ index: own })
    await page.getByText(/the key ".+" has it/).waitFor()
    await send(page).click()
    await expectStatus(page, 200)
    await page.getByText(/left for this API key/).waitFor()
  })

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
    await page.getByText('Filled from the history. Nothing is sent.').waitFor()
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

  test('a value of an answer becomes a variable of the next request', async t => {
    const page = await open(t, { path: '/playground?endpoint=leads.create' })
    const body = await editorReady(page)
    await body.fill(JSON.stringify({ name: `Chained ${Date.now()}`, email: `chain${Date.now()}@example.com` }))
    await send(page).click()
    await expectStatus(page, 201)
    await page.locator('.tok-key', { hasText: '"id"' }).first().click()
    await page.getByText('/lead/id').waitFor()
    await page.getByRole('button', { name: 'Use as variable' }).click()
    const dialog = page.getByRole('dialog', { name: 'Use as variable' })
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'leadId')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('combobox', { name: 'Endpoint' }).fill('read a lead')
    await page.keyboard.press('Enter')
    await page.getByLabel('Path value id').fill('{{leadId}}')
    await send(page).click()
    await expectStatus(page, 200)
    assert.match((await answerBody(page).textContent()) ?? '', /"name": "Chained/)
    await page.getByLabel('Path value id').fill('{{nobody}}')
    await page.getByText('{{nobody}} has no value.').waitFor()
    await send(page).click()
    const question = page.getByRole('dialog', { name: 'A variable has no value' })
    await question.getByRole('button', { name: 'Cancel' }).click()
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
    await page.getByRole('button', { name: 'Fill the request' }).click()
    await page.getByRole('tab', { name: /^Code/ }).click()
    await page.getByLabel('Language').selectOption('javascript')
    await page.getByRole('region', { name: 'JavaScript code' }).getByText('{\\r\\n}').waitFor()
  })

  test('saved requests are found again, and taken along as a file', async t => {
    const page = await open(t)
    const body = await editorReady(page)
    await body.fill(JSON.stringify({ ...smsBody, body: 'Saved text' }))
    await page.getByRole('button', { name: 'Saved' }).click()
    const drawer = page.getByRole('dialog', { name: 'Saved requests' })
    await drawer.getByLabel('Name of this request').fill('Table is ready')
    await drawer.getByRole('button', { name: 'Save', exact: true }).click()
    await drawer
      .getByRole('button', { name: /Table is ready/ })
      .first()
      .waitFor()
    const downloading = page.waitForEvent('download')
    await drawer.getByRole('button', { name: 'Export' }).click()
    assert.equal((await downloading).suggestedFilename(), 'tandem-requests.json')
    await page.keyboard.press('Escape')
    await page.getByLabel('Category').selectOption('Voice')
    await page.getByRole('button', { name: 'Saved' }).click()
    await drawer
      .getByRole('button', { name: /Table is ready/ })
      .first()
      .click()
    await page.getByText('Opened Table is ready.').waitFor()
    await editorReady(page)
    assert.match((await body.textContent()) ?? '', /Saved text/)
  })

  test('ids in an answer open the inspector, the request opens in Logs', async t => {
    const page = await open(t)
    await send(page).click()
    await expectStatus(page, 200)
    await page.locator('.cm-id').first().click()
    await page.waitForURL(/inspect=msg_/)
    const inspector = page.getByRole('dialog')
    await inspector.getByText('+15005550100').first().waitFor()
    await page.keyboard.press('Escape')
    await inspector.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'open in Logs' }).click()
    await page.waitForURL(/\/logs\/req_/)
  })

  test('a request that is slow can be canceled, and one that fails says how', async t => {
    const page = await open(t, { allow: [/net::ERR/] })
    await page.route('**/v2/messages/sms', () => undefined)
    await send(page).click()
    await page.getByText('The server has not answered yet.').waitFor()
    await page.getByRole('button', { name: /^Cancel/ }).click()
    await page.getByText('You stopped waiting.').waitFor()
    await page.unroute('**/v2/messages/sms')
    await page.route('**/v2/messages/sms', route => route.abort('connectionrefused'))
    await send(page).click()
    await page.getByText('No answer from the server.').waitFor()
    await status(page).getByText('No status').waitFor()
  })

  test('everything is reached without a mouse', async t => {
    const page = await open(t, { path: '/playground' })
    await page.getByRole('heading', { name: 'Playground' }).waitFor()
    const category = page.getByLabel('Category')
    await tabTo(page, category)
    await category.selectOption('Messaging')
    await tabTo(page, page.getByRole('combobox', { name: 'Endpoint' }))
    await page.keyboard.type('send an sms')
    await page.keyboard.press('Enter')
    await tabTo(page, method(page, 'POST'))
    await editorReady(page)
    await tabTo(page, bodyField(page))
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    assert.notEqual(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'JSON body')
    await page.keyboard.press('Control+Enter')
    await expectStatus(page, 200)
    await answerBody(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.getByText('/messageId').waitFor()
  })

  test('fits every width, in both themes, by the rules of WCAG', async t => {
    const page = await open(t, { allow: [refused] })
    await editorReady(page)
    const cases: [name: string, act: () => Promise<void>][] = [
      ['start', async () => undefined],
      [
        'answer',
        async () =>
          send(page)
            .click()
            .then(() => expectStatus(page, 200)),
      ],
      [
        'tree',
        async () =>
          page
            .locator('label')
            .filter({ hasText: /^Tree$/ })
            .click(),
      ],
      ['headers', async () => page.getByRole('tab', { name: /^Headers/ }).click()],
      ['code', async () => page.getByRole('tab', { name: /^Code/ }).click()],
      ['history', async () => page.getByRole('button', { name: 'History' }).click()],
    ]
    for (const [name, act] of cases) {
      await act()
      await inBothThemes(page, async theme => {
        await checkAccessibility(page, { name: `${name} ${theme}` })
        await screenshot(page, `playground ${name} ${theme}`)
      })
    }
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: /^Body/ }).click()
    for (const [width, height] of [
      [1280, 800],
      [900, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await noHorizontalScroll(page, `${width} px`)
      await screenshot(page, `playground ${width}`)
    }
    await send(page).click()
    await expectStatus(page, 200)
  })
})
