// What webhooks deliver: deliveries that are followed as they are made, explained when they fail, filtered, and sent again; to
// callback URLs of single requests too.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { closedPort } from '../../scripts/testing/free_port.ts'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  resetCalls,
  screenReady,
  screenshot,
  watchOf,
} from './browser.ts'
import { dialog, notice, rowOf, rows, typeOf, verifierOf, webhookJourneys } from './webhook_journeys.ts'

const address = (page: Page) => new URL(page.url())

describe('deliveries of webhooks in the portal', { skip: chromiumMissing }, () => {
  const { portal, sink, api, makeWebhook, makeLead } = webhookJourneys()

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
      .getByText(/The test failed after .*500.*Check its log/)
      .waitFor()
    await page.getByRole('region', { name: 'State' }).getByText('The last attempt failed: HTTP 500').waitFor()
    const row = rowOf(page, 'webhook.test')
    await row.getByText('pending').waitFor()
    assert.match(await row.innerText(), /again in [3-6] sec/)
    await checkBothThemes(page, 'failing webhook', 'webhook-failing')
    await row.getByRole('button', { name: /^Open the delivery/ }).click()
    const drawer = dialog(page, 'Delivery')
    await drawer.getByText('out of memory').first().waitFor()
    await drawer.getByText('The receiver failed. Check its log around this time.').first().waitFor()
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
    await api('PATCH', `/v2/webhooks/${id}`, { enabled: false })
    await row.getByRole('button', { name: /^Open the delivery/ }).click()
    const again = drawer.getByRole('button', { name: 'Deliver again' })
    await page.waitForFunction(button => (button as HTMLButtonElement).disabled, await again.elementHandle())
    assert.equal(await again.getAttribute('title'), 'Enable it first')
  })

  test('the webhook is read after its deliveries: nothing would ask again once these rest', async t => {
    const id = await makeWebhook()
    sink.answer = { status: 500 }
    const page = await portal.newPage(t, { allow: [/ERR_FAILED|Failed to load/] })
    await page.route('**/v2/stream**', route => route.abort())
    await portal.logIn(page, { path: `/webhooks/${id}` })
    await page.getByRole('button', { name: 'Send a test event' }).click()
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText('The last attempt failed: HTTP 500').waitFor()
    // After the second attempt it rests for minutes: nothing is read again by itself.
    await rowOf(page, /again in \d+ min/).waitFor()
    await watchOf(page).quiet()
    // While the deliveries are asked for, the receiver gets well; a webhook that is asked for beside them is not yet.
    let isWell = false
    await page.route(`**/v2/webhooks/${id}/deliveries?*`, async route => {
      if (!isWell) {
        isWell = true
        const beside = (answer: { url(): string }) => new URL(answer.url()).pathname === `/v2/webhooks/${id}`
        await page.waitForResponse(beside, { timeout: 1_000 }).catch(() => undefined)
        sink.answer = { status: 200 }
        const { json } = await api('GET', `/v2/webhooks/${id}/deliveries`)
        const [{ deliveryId }] = json.data
        await api('POST', `/v2/webhooks/${id}/replay`, { deliveryId })
        const status = async () => (await api('GET', `/v2/webhooks/deliveries/${deliveryId}`)).json.data.status
        for (let looks = 0; (await status()) !== 'delivered'; looks++) {
          assert.ok(looks < 200, 'it is not delivered')
          await new Promise(resolve => setTimeout(resolve, 50))
        }
      }
      await route.continue()
    })
    await page.getByRole('button', { name: 'Refresh the deliveries' }).click()
    await rowOf(page, 'webhook.test').getByText('delivered').waitFor()
    await state.waitFor({ state: 'detached' })
  })

  test('why nobody answered is explained in words: no listener, a redirect, a page that is not there', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const id = await makeWebhook({ url: `http://127.0.0.1:${closedPort}/` })
    await page.goto(`/webhooks/${id}`)
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await notice(page)
      .getByText(/connection refused\. Nothing listens at this address/)
      .waitFor()
    await rowOf(page, 'webhook.test').getByText('connection refused').waitFor()
    for (const [status, words] of [
      [301, /Redirects aren’t followed/],
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
    await form.getByLabel('When it happened').selectOption('Custom range')
    await form.getByLabel('From').fill('2026-01-02T10:00')
    await form.getByLabel('To', { exact: true }).fill('2026-01-01T10:00')
    await screenshot(page, 'webhook-replay')
    await checkBothThemes(page, 'replay dialog')
    await send.click()
    await form.getByText('Must be later than from.').waitFor()
    await form.getByLabel('When it happened').selectOption('Last hour')
    await form.getByLabel('Events').selectOption('lead.created')
    await send.click()
    // Those before the webhook was made are among them.
    const { length: all } = (await api('GET', '/v2/events?type=lead.created&limit=200')).json.data
    const done = dialog(page, `${all} queued`)
    await done.waitFor()
    await checkAccessibility(page, { name: 'replayed' })
    await done.getByRole('button', { name: 'Done' }).click()
    await rows(page).nth(2).getByRole('cell', { name: '2', exact: true }).waitFor()
    await sink.until(() => sink.received.length === 3 + all)
    assert.equal(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size, all)
    // Failed ones only: one of them is given up.
    await portal.t.ownerSql(
      `update webhook_deliveries set status = 'failed' where (target, event_id) = (select target, max(event_id)
         from webhook_deliveries where target = (select number from webhook_endpoints where id = $1) group by target)`,
      [id],
    )
    await open.click()
    await send.click()
    await dialog(page, '1 queued').waitFor()
    await sink.until(() => sink.received.length === 4 + all)
  })

  test('deliveries are filtered by status, type, day and event, in the address; older ones come by cursor', async t => {
    const id = await makeWebhook()
    const lead = await makeLead('Grace Hopper')
    for (let i = 0; i < 52; i++) await api('POST', `/v2/webhooks/${id}/test`)
    await sink.until(() => sink.received.length === 53)
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: `/webhooks/${id}` })
    await page.getByText('Showing 50').waitFor()
    await page.getByRole('button', { name: 'Show older' }).click()
    await page.getByText('Showing all 53').waitFor()
    await page.getByLabel('Event type').selectOption('All lead events')
    await page.getByText(/^Showing (all )?1$/).waitFor()
    assert.equal(address(page).searchParams.get('eventType'), 'lead.*')
    await page.getByLabel('Status').selectOption('failed')
    await page.getByText('Nothing matches these filters').waitFor()
    await page.reload()
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('Showing 50').waitFor()
    const { json } = await api('GET', `/v2/events?type=lead.created&resourceId=${lead}`)
    await page.getByLabel('Event', { exact: true }).fill(json.data[0].id)
    await page.getByText(/^Showing (all )?1$/).waitFor()
    await page.getByLabel('Event', { exact: true }).fill('nonsense')
    await page
      .getByRole('alert')
      .getByText(/must be the id of an event/)
      .waitFor()
    await page.getByLabel('Event', { exact: true }).fill('')
    // As it stands in the list, and in the inspector.
    await page.getByLabel('Resource').fill(`lead:${lead}`)
    await page.getByText(/^Showing (all )?1$/).waitFor()
    await page.getByLabel('Resource').fill(`invoice:${lead}`)
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByLabel('Resource').fill('')
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel('Since').fill(tomorrow)
    await page.getByText('Nothing matches these filters').waitFor()
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
    await page.getByText(/the previous one signs as well/).waitFor()
    assert.notEqual(await code.innerText(), secret)
    await page.getByRole('button', { name: 'Hide' }).click()
    await code.waitFor({ state: 'detached' })
    sink.received.length = 0
    await row.getByRole('button', { name: 'Deliver message.delivered again' }).click()
    await notice(page)
      .getByText(/being sent again/)
      .waitFor()
    const again = await sink.until(() => true)
    assert.equal(again.headers['webhook-id'], headers['webhook-id'])
    assert.equal(again.path, '/hooks/one-message')
    await row.getByRole('button', { name: /^Open the delivery/ }).click()
    await dialog(page, 'Delivery')
      .getByRole('button', { name: `Inspect ${message}` })
      .waitFor()
  })
})
