// A day of a developer, from logging in to logging out, by mouse and by keyboard: an endpoint is found, read and tried, a program gets a
// key and a webhook, what was refused is looked up, and the key is revoked.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { chromiumMissing, portalForTests } from './browser.ts'
import { type Hand, hands, startHand } from './hand.ts'
import { answerBody, editorReady, expectStatus, send, smsBody } from './playground_page.ts'
import { notice, rowOf, typeOf } from './webhook_journeys.ts'
import { sinkForTests } from './webhook_sink.ts'

for (const kind of hands)
  describe(`a day of a developer, by ${kind}`, { skip: chromiumMissing }, () => {
    const portal = portalForTests({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.1/32' } })
    const sink = sinkForTests()
    const keyName = 'Order system'

    const heading = (page: Page, name: string | RegExp) =>
      page.getByRole('heading', { level: 1, name, ...(typeof name === 'string' && { exact: true }) })
    const main = (page: Page) => page.getByRole('main')
    const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
    const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
    const keyRow = (page: Page) => page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: keyName })
    /** What the API says to a program of this key. */
    const statusFor = async (secret: string) => (await portal.t.call('GET', '/v2/users/me', { as: secret })).status
    /** Ticks that the secret is stored, and leaves; answers the secret. */
    const store = async (hand: Hand, shown: Locator) => {
      const secret = await shown.locator('code', { hasText: /^(tdm|whsec)_/ }).innerText()
      await hand.press(shown.getByLabel('I’ve stored it safely'))
      await hand.press(shown.getByRole('button', { name: 'Done' }))
      await shown.waitFor({ state: 'detached' })
      return secret
    }

    async function logIn(page: Page, hand: Hand) {
      await hand.logIn(portal.t.main.users.Admin.email)
      await heading(page, 'Dashboard').waitFor()
      await page.getByTestId('test-banner').waitFor()
    }

    /** An endpoint is found by what it does, and read. */
    async function reading(page: Page, hand: Hand) {
      await hand.go('Explorer')
      await hand.write(page.getByRole('searchbox', { name: 'Search endpoints' }), 'send an sms')
      const list = page.getByRole('navigation', { name: 'List of endpoints' })
      await hand.press(list.getByRole('link').filter({ hasText: 'Send an SMS' }).first())
      await heading(page, 'Send an SMS').waitFor()
      const required = page.getByRole('list', { name: 'Required body parameters' })
      assert.deepEqual(await required.locator('b').allInnerTexts(), ['to', 'body'])
      await main(page).getByText('messages:send').first().waitFor()
      await hand.choose(page.getByRole('combobox', { name: 'Language of the sample' }), 'python')
      await page.getByRole('region', { name: 'Sample request' }).getByText('import requests').waitFor()
      await hand.press(page.getByRole('link', { name: 'Open in Playground' }))
      await send(page).waitFor()
    }

    /** Who has no mouse comes to the editor by Tab, which is the editor's from then on, sends from within it, and leaves it by Escape. */
    const sendBody = async (page: Page, hand: Hand, body: object) => {
      await hand.write(await editorReady(page), JSON.stringify(body))
      if (kind === 'mouse') return hand.press(send(page))
      hand.steps++
      await page.keyboard.press('Control+Enter')
      await page.keyboard.press('Escape')
    }

    /** It is tried: refused at first, then answered, and kept for the team. */
    async function trying(page: Page, hand: Hand) {
      await sendBody(page, hand, { ...smsBody, to: '12' })
      await expectStatus(page, 400)
      await page.getByRole('region', { name: 'What went wrong' }).getByText('validation_failed').waitFor()
      await sendBody(page, hand, smsBody)
      await expectStatus(page, 200)
      const id = /msg_[0-9a-z]{26}/.exec((await answerBody(page).textContent()) ?? '')?.[0]
      assert.ok(id !== undefined, 'the answer shows no message')
      const { as, json } = { as: portal.t.main.testKey, json: smsBody }
      assert.equal((await portal.t.call('GET', `/v2/messages/${id}`, { as })).json.data.to, json.to)
      await page.getByRole('region', { name: 'Response headers', exact: true }).getByText('x-request-id').waitFor()
      await page.getByTestId('time').getByText(/ms|s$/).waitFor()

      await hand.press(button(page, 'Save'))
      const saving = dialog(page, 'Save the request')
      await hand.write(saving.getByLabel('Name of the request'), 'Table is ready')
      await hand.write(saving.getByLabel('Name of the collection'), 'Smoke test')
      await hand.press(saving.getByRole('button', { name: 'Save', exact: true }))
      await page.getByText('Table is ready is saved to Smoke test.').waitFor()
      const { data } = (await portal.t.call('GET', '/v2/playground/collections', { as: portal.t.main.tokens.Admin }))
        .json
      assert.deepEqual(
        data.map(({ name }: { name: string }) => name),
        ['Smoke test'],
      )
    }

    /** A program gets a key that may create leads and nothing else. */
    async function keyMade(page: Page, hand: Hand): Promise<string> {
      await hand.go('API keys')
      await hand.press(button(page, 'Create an API key').first())
      const form = dialog(page, 'Create an API key')
      await hand.write(form.getByLabel('Name'), keyName)
      await hand.choose(form.getByLabel('Expires'), 'In 30 days')
      await hand.press(form.getByRole('radio', { name: 'Only these scopes' }))
      await hand.press(form.getByRole('button', { name: 'Website lead form' }))
      await hand.press(form.getByRole('button', { name: 'Create', exact: true }))
      const secret = await store(hand, dialog(page, `The secret of ${keyName}`))
      assert.match(secret, /^tdm_test_/)
      assert.match(await keyRow(page).innerText(), /leads: create/)
      assert.equal(await statusFor(secret), 403, 'it may do what it was not given')
      return secret
    }

    /** What it does is heard of by a webhook, which is tried first. */
    async function webhookMade(page: Page, hand: Hand, secret: string) {
      await hand.go('Webhooks')
      await hand.press(button(page, 'Create a webhook').first())
      const form = dialog(page, 'Create a webhook')
      await hand.write(form.getByLabel('URL'), sink.url)
      await hand.write(form.getByLabel('Description'), 'For the order system')
      await hand.press(form.getByRole('radio', { name: 'Only these' }))
      await hand.write(form.getByLabel('Search event types'), 'lead')
      await hand.press(form.getByLabel('lead.created'))
      await hand.press(form.getByRole('button', { name: 'Create', exact: true }))
      await store(hand, dialog(page, 'The signing secret'))
      await main(page).getByRole('heading', { name: 'For the order system' }).waitFor()

      await hand.press(button(page, 'Send a test event'))
      await notice(page)
        .getByText(/^The receiver answered 204/)
        .waitFor()
      assert.equal(typeOf(await sink.until(() => true)), 'webhook.test')
      await rowOf(page, 'webhook.test').getByText('delivered').waitFor()
      const lead = { name: 'Ada Lovelace', email: 'ada@engines.example' }
      assert.equal((await portal.t.call('POST', '/v1/api/leads', { as: secret, body: lead })).status, 201)
      await sink.until(one => typeOf(one) === 'lead.created' && one.body.includes(lead.email))
      await hand.press(rowOf(page, 'lead.created').getByRole('button', { name: /^Open/ }))
      const delivery = dialog(page, 'Delivery')
      await delivery.getByText(`"${lead.email}"`).waitFor()
      await page.keyboard.press('Escape')
      await delivery.waitFor({ state: 'detached' })
    }

    /** Both requests are in the log: that of the program, and the one that was refused, whose code is looked up. */
    async function lookingBack(page: Page, hand: Hand) {
      await portal.t.app.flush()
      await hand.go('Logs')
      const requests = page.getByRole('table', { name: 'Requests' })
      await hand.press(requests.getByRole('link', { name: 'Open POST /v1/api/leads, 201' }))
      await heading(page, 'POST /v1/api/leads').waitFor()
      await hand.press(main(page).getByRole('button', { name: /^Inspect key_/ }))
      await dialog(page, 'API key').getByRole('heading', { name: keyName }).waitFor()
      await page.keyboard.press('Escape')
      await dialog(page, 'API key').waitFor({ state: 'detached' })
      await hand.press(main(page).getByRole('link', { name: 'All requests' }))
      await hand.choose(page.getByLabel('Status', { exact: true }), '4xx')
      await hand.press(requests.getByRole('link', { name: 'Open POST /v2/messages/sms, 400' }))
      await heading(page, 'POST /v2/messages/sms').waitFor()
      await page.getByRole('region', { name: 'Request body' }).getByText('"12"').waitFor()
      await hand.press(main(page).getByRole('link', { name: 'More about validation_failed' }))
      await heading(page, 'validation_failed').waitFor()

      await hand.press(main(page).getByRole('link', { name: 'All errors' }).first())
      await heading(page, 'Errors').waitFor()
      await hand.write(page.getByRole('searchbox', { name: 'Search' }), 'recipient opted')
      await page.getByText(/^1 of \d+ codes$/).waitFor()
      await hand.press(main(page).getByRole('link', { name: 'recipient_opted_out' }))
      await heading(page, 'recipient_opted_out').waitFor()
      await main(page)
        .getByText('What to do')
        .or(main(page).getByText('Fix', { exact: true }))
        .first()
        .waitFor()
    }

    /** The key was for a day: it is revoked, and refused from then on. */
    async function evening(page: Page, hand: Hand, secret: string) {
      await hand.go('API keys')
      await hand.pick(keyRow(page).getByRole('button', { name: `Actions for ${keyName}` }), 'Revoke')
      const revoking = dialog(page, `Revoke ${keyName}`)
      await hand.write(revoking.getByLabel(`Type ${keyName} to confirm`), keyName)
      await hand.press(revoking.getByRole('button', { name: 'Revoke', exact: true }))
      await revoking.waitFor({ state: 'detached' })
      await keyRow(page).waitFor({ state: 'detached' })
      assert.equal(await statusFor(secret), 401)
      await hand.choose(page.getByLabel('State', { exact: true }), 'Revoked or expired')
      await keyRow(page).getByText('revoked').waitFor()
      await hand.pick(page.getByRole('banner').getByRole('button', { name: /^Account/ }), 'Log out')
      await page.getByLabel('Email or admin ID').waitFor()
    }

    test('from the first log-in of the morning to the log-out at night', async t => {
      const page = await portal.newPage(t, { allow: [/status of 40[01]/] })
      const hand = startHand(page, kind)
      await logIn(page, hand)
      await reading(page, hand)
      await trying(page, hand)
      const secret = await keyMade(page, hand)
      await webhookMade(page, hand, secret)
      await lookingBack(page, hand)
      await evening(page, hand, secret)
      assert.ok(hand.steps >= 40, `${hand.steps} steps`)
    })
  })
