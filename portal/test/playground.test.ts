// The Playground in a real browser: a person sends, sees what went wrong, pastes, and chains answers; without a mouse, and in
// every width. Coming back to what was written: playground_kept.test.ts.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  checkBothThemes,
  chromiumMissing,
  goByNavigation,
  noHorizontalScroll,
  portalForTests,
  screenshot,
  tabTo,
} from './browser.ts'
import {
  answerBody,
  bodyField,
  choose,
  editorReady,
  expectStatus,
  method,
  type Opened,
  openPlayground,
  refused,
  send,
  status,
} from './playground_page.ts'

describe('the Playground', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const open = (t: Parameters<typeof portal.newPage>[0], options?: Opened) => openPlayground(portal, t, options)

  test('from the dashboard: category, endpoint, method, and a message is sent in at most four clicks', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/' })
    await goByNavigation(page, 'Playground')
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
    await page.getByText('which your login (Finance Manager) doesn’t have: expect 403').waitFor()
    await send(page).click()
    await expectStatus(page, 403)
    const card = page.getByRole('region', { name: 'What went wrong' })
    await card.getByText('insufficient_role').waitFor()
    await card.getByText(/Needs messages:send, which your login \(Finance Manager\) doesn’t have/).waitFor()
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
    await page.getByText('PUT isn’t documented for this path, only POST.').waitFor()
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
    await page.getByText('It was for https://api.example.com, and goes to this server here.').waitFor()
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
    await page.getByLabel('Include the credential').check()
    assert.ok((await page.getByRole('region', { name: 'cURL code' }).textContent())?.includes(key))
  })

  test('one of my keys sends by a short-lived token, counted and named as that key', async t => {
    const page = await open(t)
    const select = page.getByLabel('Credential')
    const options = await select.locator('option').allTextContents()
    const own = options.findIndex(text => text.startsWith('Key '))
    assert.ok(own > 0, options.join(', '))
    await select.selectOption({ index: own })
    await page.getByText(/the key “.+” has it/).waitFor()
    await send(page).click()
    await expectStatus(page, 200)
    await page.getByText(/left for this API key/).waitFor()
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
    await page.getByRole('combobox', { name: 'Endpoint' }).fill('get a lead')
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
    await page.getByText('The server hasn’t answered yet.').waitFor()
    await page.getByRole('button', { name: /^Cancel/ }).click()
    await page.getByText('You stopped waiting.').waitFor()
    await page.unroute('**/v2/messages/sms')
    await page.route('**/v2/messages/sms', route => route.abort('connectionrefused'))
    await send(page).click()
    await page.getByRole('heading', { name: 'No answer from the server' }).waitFor()
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
      [
        'history',
        async () => {
          await page.getByRole('button', { name: 'History' }).click()
          await page.getByRole('dialog').waitFor()
        },
      ],
    ]
    for (const [name, act] of cases) {
      await act()
      await checkBothThemes(page, name, `playground ${name}`)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
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
