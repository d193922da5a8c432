// Webhooks from their making to their end: a secret that is seen once, with code that really checks signatures; a test whose
// outcome is told; deliveries that are followed, explained and sent again; receivers that fail, are disabled and come back.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  portalForTests,
  resetCalls,
  screenReady,
  screenshot,
  storeSecret,
  tabTo,
  untilFocused,
  watchOf,
} from './browser.ts'
import { type Received, type Sink, startSink } from './webhook_sink.ts'

describe('webhooks in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.1/32' } })
  let sink: Sink
  before(async () => {
    sink = await startSink()
  })
  after(() => sink?.close())
  beforeEach(async () => {
    // Each journey has the receiver to itself.
    const { json } = await api('GET', '/v2/webhooks?limit=200')
    for (const { webhookId } of json.data) await api('DELETE', `/v2/webhooks/${webhookId}`)
    sink.received.length = 0
    sink.answer = { status: 204 }
  })

  const api = async (method: string, path: string, body?: unknown, as = portal.t.main.testKey) => {
    const answer = await portal.t.call(method, path, { as, body })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }
  const makeWebhook = async (body: object = {}): Promise<string> =>
    (await api('POST', '/v2/webhooks', { url: sink.url, eventTypes: ['lead.*'], ...body })).json.data.webhookId
  const makeLead = async (name: string): Promise<number> =>
    (await api('POST', '/v1/api/leads', { name, email: `${name.replaceAll(' ', '.').toLowerCase()}@example.com` })).json
      .lead.id
  const typeOf = ({ body }: Received) => JSON.parse(body).type as string

  const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody').getByRole('row')
  const rowOf = (page: Page, text: string | RegExp) => rows(page).filter({ hasText: text })
  const notice = (page: Page) => page.getByRole('region', { name: 'Notices' })
  const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
  const address = (page: Page) => new URL(page.url())

  async function more(page: Page, action: string): Promise<void> {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  /** The function `verify` of the code that the page shows, run as it stands there. */
  async function verifierOf(shown: Locator): Promise<(headers: object, body: string, secret: string) => unknown> {
    const code = await shown.getByRole('region', { name: 'Verification' }).innerText()
    return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).verify
  }

  test('a webhook is made, its secret is seen once, its code checks what arrives, and a test tells its outcome', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/webhooks' })
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Create a webhook' }).last().click()
    const form = dialog(page, 'Create a webhook')
    await form.getByLabel('URL').fill(sink.url)
    await form.getByLabel('Description').fill('For the order system')
    await form.getByRole('radio', { name: 'Only these' }).check()
    await form.getByLabel('Search event types').fill('reached the phone')
    await form.getByLabel('message.delivered').check()
    assert.equal(await form.getByRole('checkbox').count(), 2, 'more than what was searched for')
    await form.getByLabel('Search event types').fill('lead')
    await form.getByLabel('lead.created').check()
    await form.getByLabel('All of leads').check()
    assert.ok(await form.getByLabel('lead.deleted').isDisabled(), 'a type can be ticked beside its whole group')
    assert.equal(await form.getByRole('status').innerText(), '2 chosen')
    await form.getByLabel('Search event types').fill('')
    await screenshot(page, 'webhook-form')
    await checkBothThemes(page, 'webhook form')
    await form.getByRole('button', { name: 'Create', exact: true }).click()

    const shown = dialog(page, 'The signing secret')
    await shown.waitFor()
    await screenshot(page, 'webhook-secret')
    await checkBothThemes(page, 'webhook secret')
    const verify = await verifierOf(shown)
    await shown.getByText('Python', { exact: true }).click()
    await shown.getByText('hmac.compare_digest').waitFor()
    await shown.getByText('Go', { exact: true }).click()
    await shown.getByText('hmac.Equal').waitFor()
    await page.keyboard.press('Escape')
    await shown.getByRole('alert').waitFor()
    const secret = await storeSecret(dialog(page, 'The signing secret'))
    await page.waitForURL(/\/webhooks\/whk_/)
    await page.getByText('lead.*').waitFor()
    assert.ok(!(await page.content()).includes(secret), 'the secret is still on the page')

    await page.getByRole('button', { name: 'Send a test event' }).click()
    await notice(page)
      .getByText(/The receiver answered 204 in \d/)
      .waitFor()
    await rowOf(page, 'webhook.test').getByText('delivered').waitFor()
    const { headers, body } = await sink.until(one => typeOf(one) === 'webhook.test')
    assert.deepEqual(verify(headers, body, secret), JSON.parse(body))
    assert.throws(() => verify(headers, body.replace('test', 'best'), secret), /does not fit/)
    assert.throws(() => verify(headers, body, `whsec_${Buffer.alloc(32, 1).toString('base64')}`), /does not fit/)
    const late = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) }
    assert.throws(() => verify(late, body, secret), /too old/)
    await notice(page).getByRole('button', { name: 'Look at it' }).click()
    await dialog(page, 'Delivery').getByText('"webhook.test"').waitFor()
  })

  test('what the server finds wrong stands at its field, what was typed stays, and the wrong one gets the focus', async t => {
    const page = await portal.newPage(t, { allow: [/status of 4(00|22)/] })
    await portal.logIn(page)
    await page.goto('/webhooks?create=1')
    const form = dialog(page, 'Create a webhook')
    const create = form.getByRole('button', { name: 'Create', exact: true })
    await form.getByLabel('Description').fill('Kept')
    for (const [url, words] of [
      ['not an address', /such as https:\/\/example\.com/],
      ['https://169.254.169.254/', /may not reach/],
      ['https://user:secret@example.com/', /user name or password/],
    ] as const) {
      await form.getByLabel('URL').fill(url)
      await create.click()
      await form.getByRole('alert').getByText(words).waitFor()
      await untilFocused(form.getByLabel('URL'))
    }
    await checkAccessibility(page, { name: 'webhook form, refused' })
    await form.getByRole('radio', { name: 'Only these' }).check()
    await form.getByLabel('URL').fill(sink.url)
    await create.click()
    await form.getByRole('alert').waitFor()
    await untilFocused(form.getByLabel('Search event types'))
    await form.getByLabel('call.completed').check()
    // The dialog may be closed: nothing typed is lost.
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('button', { name: 'Create a webhook' }).first().click()
    assert.equal(await form.getByLabel('Description').inputValue(), 'Kept')
    assert.ok(await form.getByLabel('call.completed').isChecked())
    await create.click()
    await storeSecret(dialog(page, 'The signing secret'))
    const { json } = await api('GET', '/v2/webhooks')
    assert.deepEqual(json.data[0].eventTypes, ['call.completed'])
    assert.equal(json.data[0].description, 'Kept')
  })

  test('deliveries appear as they are made; one opens with its payload, and leads to its event and what it is about', async t => {
    const id = await makeWebhook()
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await watchOf(page).quiet()
    resetCalls(page)
    const stream = page.waitForResponse(response => response.url().includes('/v2/stream'))
    await page.goto(`/webhooks/${id}`)
    await page.getByText('Nothing delivered yet').waitFor()
    await stream
    await watchOf(page).quiet()
    assert.ok(countCalls(page).total <= 4, JSON.stringify(countCalls(page).byRoute))
    const lead = await makeLead('Ada Lovelace')
    const row = rowOf(page, 'lead.created')
    await row.getByText('delivered').waitFor()
    assert.match(await row.innerText(), /204/)
    await page.waitForTimeout(600)
    resetCalls(page)
    await page.waitForTimeout(1_500)
    assert.equal(countCalls(page).total, 0, 'what rests is asked for again and again')
    await row.getByRole('button', { name: 'Open the delivery of lead.created, delivered' }).click()
    const drawer = dialog(page, 'Delivery')
    await drawer.getByText('"ada.lovelace@example.com"').waitFor()
    await drawer.getByText('Request headers').click()
    await drawer.getByText(/^user-agent: Tandem-Webhooks/m).waitFor()
    await screenshot(page, 'webhook-delivery-drawer')
    await checkBothThemes(page, 'delivery')
    await drawer.getByRole('button', { name: `Inspect lead:${lead}` }).click()
    await dialog(page, 'Lead').getByText('Ada Lovelace').first().waitFor()
    await page.goBack()
    await drawer.getByRole('button', { name: /^Inspect evt_/ }).click()
    await dialog(page, 'Event').getByRole('heading', { name: 'lead.created' }).waitFor()
    await page.goBack()
    await drawer.getByRole('link', { name: 'Open the page' }).click()
    await page.waitForURL(/\/webhooks\/deliveries\/dlv_/)
    await screenReady(page)
    await screenshot(page, 'webhook-delivery-page')
    assert.ok(countCalls(page).total <= 6)
    await page.getByRole('link', { name: 'Its webhook' }).click()
    await row.waitFor()
  })

  test('a failure is explained with what to do, followed, and delivered again when the receiver is well', async t => {
    const id = await makeWebhook()
    sink.answer = { status: 500, body: 'out of memory' }
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/webhooks/${id}` })
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await notice(page)
      .getByText(/The test failed after .*500.*Look into its log/)
      .waitFor()
    await page.getByRole('region', { name: 'State' }).getByText('The last attempt failed: HTTP 500').waitFor()
    const row = rowOf(page, 'webhook.test')
    await row.getByText('pending').waitFor()
    assert.match(await row.innerText(), /again in [3-6] sec/)
    await checkBothThemes(page, 'failing webhook', 'webhook-failing')
    await row.getByRole('button', { name: /^Open the delivery/ }).click()
    const drawer = dialog(page, 'Delivery')
    await drawer.getByText('out of memory').first().waitFor()
    await drawer.getByText('The receiver failed. Look into its log at this time.').first().waitFor()
    await screenshot(page, 'webhook-delivery-failed')
    await checkAccessibility(page, { name: 'failed delivery' })
    sink.answer = { status: 200, body: 'thanks' }
    await drawer.getByRole('button', { name: 'Deliver again' }).click()
    await drawer.getByText('thanks').waitFor()
    const attempts = drawer.getByRole('list', { name: 'Attempts, newest first' }).getByRole('listitem')
    assert.match(await attempts.first().innerText(), /200/)
    assert.match(await attempts.last().innerText(), /500/)
    await page.keyboard.press('Escape')
    await row.getByText('delivered').waitFor()
    await page.getByRole('region', { name: 'State' }).waitFor({ state: 'detached' })
    const ids = sink.received.map(({ headers }) => headers['webhook-id'])
    assert.ok(ids.length >= 2)
    assert.equal(new Set(ids).size, 1, 'a replay is another event to the receiver')
  })

  test('why nobody answered is told in words: no listener, a redirect, a page that is not there', async t => {
    const gone = await startSink()
    await gone.close()
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const id = await makeWebhook({ url: gone.url })
    await page.goto(`/webhooks/${id}`)
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await notice(page)
      .getByText(/connection refused\. Nothing listens at this address/)
      .waitFor()
    await rowOf(page, 'webhook.test').getByText('connection refused').waitFor()
    for (const [status, words] of [
      [301, /Redirects are not followed/],
      [404, /nothing at this path/],
    ] as const) {
      sink.answer = { status }
      await page.goto(`/webhooks/${await makeWebhook()}`)
      await page.getByRole('button', { name: 'Send a test event' }).click()
      await notice(page).getByText(words).waitFor()
    }
  })

  test('events of a time are sent again, and the dialog says how many', async t => {
    const id = await makeWebhook()
    for (const name of ['Anna One', 'Bert Two', 'Carl Three']) await makeLead(name)
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: `/webhooks/${id}` })
    await rows(page).nth(2).getByText('delivered').waitFor()
    const open = page.getByRole('button', { name: 'Send events again' })
    await open.click()
    const form = dialog(page, 'Send events again')
    const send = form.getByRole('button', { name: 'Send again' })
    await send.click()
    await dialog(page, 'Nothing to send again').getByRole('button', { name: 'Done' }).click()
    await open.click()
    await form.getByLabel('What', { exact: true }).selectOption('Everything')
    await form.getByLabel('When it happened').selectOption('Of a time of your own')
    await form.getByLabel('From').fill('2026-01-02T10:00')
    await form.getByLabel('To', { exact: true }).fill('2026-01-01T10:00')
    await screenshot(page, 'webhook-replay')
    await checkBothThemes(page, 'replay dialog')
    await send.click()
    await form.getByText('Must be later than from.').waitFor()
    await form.getByLabel('When it happened').selectOption('Of the last hour')
    await form.getByLabel('Events').selectOption('lead.created')
    await send.click()
    // Those before the webhook was made are among them.
    const { length: all } = (await api('GET', '/v2/events?type=lead.created&limit=200')).json.data
    const done = dialog(page, `${all} put in line`)
    await done.waitFor()
    await checkAccessibility(page, { name: 'replayed' })
    await done.getByRole('button', { name: 'Done' }).click()
    await rows(page).nth(2).getByRole('cell', { name: '2', exact: true }).waitFor()
    await sink.until(() => sink.received.length === 3 + all)
    assert.equal(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size, all)
    // Failed ones only: one of them is given up.
    await portal.t.ownerSql(
      `update webhook_deliveries set status = 'failed' where target = $1 and event_id =
         (select max(event_id) from webhook_deliveries where target = $1)`,
      [id],
    )
    await open.click()
    await send.click()
    await dialog(page, '1 put in line').waitFor()
    await sink.until(() => sink.received.length === 4 + all)
  })

  test('deliveries are filtered by status, type, day and event, in the address; older ones come by cursor', async t => {
    const id = await makeWebhook()
    const lead = await makeLead('Grace Hopper')
    for (let i = 0; i < 52; i++) await api('POST', `/v2/webhooks/${id}/test`)
    await sink.until(() => sink.received.length === 53)
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: `/webhooks/${id}` })
    await page.getByText('50 deliveries shown').waitFor()
    await page.getByRole('button', { name: 'Show older' }).click()
    await page.getByText('53 deliveries shown, no older ones').waitFor()
    await page.getByLabel('Event type').selectOption('All of leads')
    await page.getByText('1 delivery shown').waitFor()
    assert.equal(address(page).searchParams.get('eventType'), 'lead.*')
    await page.getByLabel('Status').selectOption('failed')
    await page.getByText('Nothing matches these filters').waitFor()
    await page.reload()
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('50 deliveries shown').waitFor()
    const { json } = await api('GET', `/v2/events?type=lead.created&resourceId=${lead}`)
    await page.getByLabel('Event', { exact: true }).fill(json.data[0].id)
    await page.getByText('1 delivery shown').waitFor()
    await page.getByLabel('Event', { exact: true }).fill('nonsense')
    await page
      .getByRole('alert')
      .getByText(/must be the id of an event/)
      .waitFor()
    await page.getByLabel('Event', { exact: true }).fill('')
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel('Since').fill(tomorrow)
    await page.getByText('Nothing matches these filters').waitFor()
  })

  test('disabled it keeps quiet and says so; enabled again it sends what happened meanwhile', async t => {
    const id = await makeWebhook()
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/webhooks/${id}` })
    await more(page, 'Disable')
    await dialog(page, 'Disable the webhook').getByRole('button', { name: 'Disable', exact: true }).click()
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText('Disabled by request').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Send a test event' }).isDisabled())
    assert.ok(await page.getByRole('button', { name: 'Send events again' }).isDisabled())
    await checkBothThemes(page, 'disabled webhook', 'webhook-disabled')
    await makeLead('Missed Meanwhile')
    assert.equal(sink.received.length, 0)
    await state.getByRole('button', { name: 'Enable' }).click()
    const form = dialog(page, 'Enable the webhook')
    assert.ok(await form.getByLabel('Send what happened meanwhile too').isChecked())
    await checkAccessibility(page, { name: 'enable dialog' })
    await form.getByRole('button', { name: 'Enable', exact: true }).click()
    await notice(page).getByText('Events from meanwhile, sent now: 1.').waitFor()
    await state.waitFor({ state: 'detached' })
    await rowOf(page, 'lead.created').getByText('delivered').waitFor()
    assert.equal(sink.received.length, 1)
  })

  test('a receiver that answers 410 disables the webhook, and the page that is open tells it', async t => {
    const id = await makeWebhook()
    sink.answer = { status: 410 }
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/webhooks/${id}` })
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByRole('region', { name: 'State' }).getByText('Disabled: its address answered 410 Gone').waitFor()
    await page.getByRole('link', { name: 'All webhooks' }).click()
    const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row').filter({ hasText: sink.url })
    await row.getByText('it answered 410').waitFor()
    await page.getByLabel('State').selectOption('Enabled')
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByLabel('State').selectOption('Disabled')
    await row.waitFor()
  })

  test('a rotation signs by both secrets for the overlap, or drops a leaked one at once', async t => {
    const made = (await api('POST', '/v2/webhooks', { url: sink.url, eventTypes: ['lead.*'] })).json.data
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/webhooks/${made.webhookId}` })
    await more(page, 'Rotate the secret')
    const form = dialog(page, 'Rotate the secret')
    await form.getByLabel('The old secret').selectOption('Signs for 2 days more')
    await checkAccessibility(page, { name: 'rotate dialog' })
    await form.getByRole('button', { name: 'Rotate', exact: true }).click()
    const shown = dialog(page, 'The signing secret')
    await shown.getByText(/each delivery is signed by both secrets/).waitFor()
    const verify = await verifierOf(shown)
    const second = await storeSecret(dialog(page, 'The signing secret'))
    await page.getByText(/Both secrets, the old one until/).waitFor()
    await makeLead('Signed Twice')
    const both = await sink.until(() => true)
    verify(both.headers, both.body, made.secret)
    verify(both.headers, both.body, second)
    await more(page, 'Rotate the secret')
    await form.getByText(/A secret from before signs until/).waitFor()
    await form.getByLabel('The old secret').selectOption('Leaked: ends now')
    await form.getByRole('button', { name: 'Rotate', exact: true }).click()
    const third = await storeSecret(dialog(page, 'The signing secret'))
    await page.getByText('One secret').waitFor()
    sink.received.length = 0
    await makeLead('Signed Once')
    const one = await sink.until(() => true)
    verify(one.headers, one.body, third)
    assert.throws(() => verify(one.headers, one.body, second), /does not fit/)
  })

  test('a change sends only what differs; a deletion asks for the host and leads back to the list', async t => {
    const id = await makeWebhook({ description: 'Before' })
    const page = await portal.newPage(t, { allow: [/status of 422/] })
    await portal.logIn(page, { path: `/webhooks/${id}` })
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = dialog(page, 'Change the webhook')
    await form.getByLabel('URL').fill('https://10.0.0.1/')
    await form.getByRole('button', { name: 'Save' }).click()
    await form
      .getByRole('alert')
      .getByText(/may not reach/)
      .waitFor()
    await form.getByLabel('URL').fill(`${sink.url}/next`)
    await form.getByRole('radio', { name: 'All events' }).check()
    // Somebody else changes another field meanwhile.
    await api('PATCH', `/v2/webhooks/${id}`, { description: 'By somebody else' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    const { json } = await api('GET', `/v2/webhooks/${id}`)
    assert.equal(json.data.url, `${sink.url}/next`)
    assert.equal(json.data.eventTypes, null)
    assert.equal(json.data.description, 'By somebody else')
    await page.getByRole('heading', { name: 'By somebody else' }).waitFor()
    await more(page, 'Delete')
    const confirm = dialog(page, 'Delete the webhook')
    const remove = confirm.getByRole('button', { name: 'Delete', exact: true })
    assert.ok(await remove.isDisabled())
    await confirm.getByLabel(/^Type .* to confirm/).fill(new URL(sink.url).host)
    await checkAccessibility(page, { name: 'delete dialog' })
    await remove.click()
    await page.waitForURL(url => url.pathname === '/webhooks')
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    assert.equal((await portal.t.call('GET', `/v2/webhooks/${id}`, { as: portal.t.main.testKey })).status, 404)
  })

  test('callback URLs: what was sent there, sent again, and the secret that signs it', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/webhooks' })
    await page.getByRole('link', { name: 'Callback URLs' }).click()
    await page.getByText('Nothing delivered yet').waitFor()
    assert.equal(await page.locator('code', { hasText: /^whsec_/ }).count(), 0, 'the secret is shown unasked')
    const message = (
      await api('POST', '/v2/messages/sms', {
        from: '+15005550006',
        to: '+15005550100',
        body: 'With a callback',
        callbackUrl: `${sink.url}/one-message`,
      })
    ).json.messageId
    const row = rowOf(page, 'message.delivered')
    await row.getByText('204').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const code = page.locator('code', { hasText: /^whsec_/ })
    const secret = await code.innerText()
    const verify = await verifierOf(page.locator('main'))
    const { headers, body } = await sink.until(one => typeOf(one) === 'message.delivered')
    verify(headers, body, secret)
    await checkBothThemes(page, 'callback URLs', 'webhook-callbacks')
    await page.getByRole('button', { name: 'Rotate' }).click()
    await dialog(page, 'Rotate the secret').getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText(/the one before signs as well/).waitFor()
    assert.notEqual(await code.innerText(), secret)
    await page.getByRole('button', { name: 'Hide' }).click()
    await code.waitFor({ state: 'detached' })
    sink.received.length = 0
    await row.getByRole('button', { name: 'Deliver message.delivered again' }).click()
    await notice(page)
      .getByText(/sent again now/)
      .waitFor()
    const again = await sink.until(() => true)
    assert.equal(again.headers['webhook-id'], headers['webhook-id'])
    assert.equal(again.path, '/hooks/one-message')
    await row.getByRole('button', { name: /^Open the delivery/ }).click()
    await dialog(page, 'Delivery')
      .getByRole('button', { name: `Inspect ${message}` })
      .waitFor()
  })

  test('ids of webhooks open in the inspector from the palette, which also creates one', async t => {
    const id = await makeWebhook({ description: 'Found by id' })
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Search endpoints/ }).fill(id)
    await page.keyboard.press('Enter')
    await dialog(page, 'Webhook').getByRole('heading', { name: 'Found by id' }).waitFor()
    await checkAccessibility(page, { name: 'webhook in the inspector' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.waitForURL('**/webhooks')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Search endpoints/ }).fill('create a web')
    await page.getByRole('option', { name: /^Do/ }).click()
    await dialog(page, 'Create a webhook').waitFor()
  })

  test('live and test webhooks are two worlds; ids that are not there are told in words', async t => {
    const id = await makeWebhook({ description: 'Of test data' })
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: '/webhooks', mode: 'live' })
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    await page.goto(`/webhooks/${id}`)
    await page.getByRole('heading', { name: 'This webhook is in the test data' }).waitFor()
    await page.getByRole('button', { name: 'Switch to test mode' }).click()
    await page.getByRole('heading', { name: 'Of test data' }).waitFor()
    await page.goto('/webhooks/whk_00000000000000000000000000')
    await page.getByRole('heading', { name: 'There is no such webhook' }).waitFor()
    await page.goto('/webhooks/deliveries/dlv_00000000000000000000000000')
    await page.getByRole('heading', { name: 'There is no such delivery' }).waitFor()
    await checkAccessibility(page, { name: 'no such delivery' })
    await page.getByRole('main').getByRole('link', { name: 'All webhooks' }).last().click()
    await page.getByRole('table', { name: 'Webhooks' }).waitFor()
  })

  test('a Sales Manager looks on without a control that would be refused; a Sales Executive is told why not', async t => {
    const id = await makeWebhook()
    await makeLead('Seen By Managers')
    await sink.until(() => true)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/webhooks', role: 'Sales Manager' })
    await page.getByRole('table', { name: 'Webhooks' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create a webhook' }).count(), 0)
    await page.goto(`/webhooks/${id}`)
    await rowOf(page, 'lead.created').waitFor()
    for (const name of [/test event/, /^Edit/, /More actions/, /again$/])
      assert.equal(await page.getByRole('main').getByRole('button', { name }).count(), 0, String(name))
    await rowOf(page, 'lead.created').getByRole('button', { name: /^Open/ }).click()
    await dialog(page, 'Delivery').getByText('"seen.by.managers@example.com"').waitFor()
    assert.equal(await dialog(page, 'Delivery').getByRole('button', { name: 'Deliver again' }).count(), 0)
    await page.goto('/webhooks/callbacks')
    await screenReady(page)
    assert.equal(await page.getByRole('heading', { name: 'Signing secret' }).count(), 0)
    const other = await portal.newPage(t)
    await portal.logIn(other, { path: '/webhooks', role: 'Sales Executive' })
    await other.getByRole('heading', { name: 'Your role may not see webhooks' }).waitFor()
    assert.equal(await other.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).count(), 0)
    assert.equal(countCalls(other).total, 0, 'what would be refused is asked for all the same')
  })

  test('on a telephone nothing sticks out, and the keyboard alone goes all the way', async t => {
    const id = await makeWebhook({ description: 'For a small window', eventTypes: null })
    await makeLead('Small Window')
    await sink.until(() => true)
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/webhooks' })
    await page.getByRole('table', { name: 'Webhooks' }).waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'webhooks-telephone')
    await page.goto('/webhooks?create=1')
    const form = dialog(page, 'Create a webhook')
    await form.getByRole('radio', { name: 'Only these' }).check()
    await form.getByLabel('lead.created').waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'webhook-form-telephone')
    await page.goto(`/webhooks/${id}`)
    await rowOf(page, 'lead.created').waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'webhook-telephone')
    await checkAccessibility(page, { name: 'a webhook on a telephone' })
    const link = rowOf(page, 'lead.created').getByRole('button', { name: /^Open/ })
    await tabTo(page, link)
    await page.keyboard.press('Enter')
    await dialog(page, 'Delivery').getByText('"small.window@example.com"').waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'webhook-delivery-telephone')
    await page.keyboard.press('Escape')
    await untilFocused(link)
  })
})
