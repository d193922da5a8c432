// The inspector: every kind of id, from the palette, from a link and from the address; the object, what happened to it and
// who touched it; ids that are not there are explained in words.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  goTo,
  noHorizontalScroll,
  portalForTests,
  resetCalls,
  screenshot,
  untilFocused,
  watchOf,
} from './browser.ts'

type Ids = Record<'message' | 'call' | 'request' | 'key' | 'event' | 'lead' | 'invoice', string>

describe('the inspector', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let ids: Ids
  before(async () => {
    ids = await makeOneOfEach(portal.t.main.testKey)
  })

  async function makeOneOfEach(as: string): Promise<Ids> {
    const { t } = portal
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await t.call(method, path, { as, body })
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
      return answer
    }
    const sms = await ask('POST', '/v2/messages/sms', { from: '+15005550006', to: '+15005550100', body: 'Hello' })
    const call = await ask('POST', '/v2/voice/calls', { from: '+15550100001', to: '+15005550200', timeoutSeconds: 5 })
    const lead = await ask('POST', '/v1/api/leads', { name: 'Ada Lovelace', email: 'ada@example.com' })
    const invoice = await ask('POST', '/v1/api/finance/invoices', {
      customer: { name: 'Northwind' },
      lines: [{ description: 'Work', quantity: 1, unit_price: 12.5 }],
    })
    const keys = await ask('GET', '/v2/auth/api-keys?mode=test')
    await t.app.flush()
    const { json } = await ask('GET', `/v2/events?resourceId=${sms.json.messageId}`)
    return {
      message: sms.json.messageId,
      call: call.json.data.callId,
      request: sms.headers['x-request-id']!,
      key: keys.json.data.find(({ name }: { name: string }) => name === 'all rights').keyId,
      event: json.data.at(-1).id,
      lead: `lead:${lead.json.lead.id}`,
      invoice: `invoice:${invoice.json.invoice.id}`,
    }
  }

  const drawer = (page: Page, name: string | RegExp = /./) => page.getByRole('dialog', { name })
  const titles: Record<keyof Ids, string> = {
    message: 'Message',
    call: 'Call',
    request: 'Request',
    key: 'API key',
    event: 'Event',
    lead: 'Lead',
    invoice: 'Invoice',
  }
  const words: Record<keyof Ids, string | RegExp> = {
    message: 'Hello',
    call: '+15005550200',
    request: '/v2/messages/sms',
    key: 'all rights',
    event: '"message.queued"',
    lead: 'ada@example.com',
    invoice: 'Northwind',
  }
  const kinds = Object.keys(titles) as (keyof Ids)[]

  /** Follows an address that names it, within the portal. */
  async function inspect(page: Page, id: string): Promise<void> {
    await goTo(page, `/usage?inspect=${encodeURIComponent(id)}`)
    await drawer(page).waitFor()
    await watchOf(page).quiet()
  }

  /** Begins with such an address, as who was sent a link. */
  async function openInspector(page: Page, id: string): Promise<void> {
    await portal.logIn(page, { path: `/usage?inspect=${encodeURIComponent(id)}`, dialog: true })
    await drawer(page).waitFor()
    await watchOf(page).quiet()
  }

  for (const kind of kinds) {
    test(`${kind}: shown by address and from the palette`, async t => {
      const page = await portal.newPage(t)
      await openInspector(page, ids[kind])
      const opened = drawer(page, titles[kind])
      await opened.getByText(words[kind]).first().waitFor()
      await opened.getByText(ids[kind], { exact: true }).first().waitFor()
      await screenshot(page, `inspector-${kind}`)
      await checkBothThemes(page, `inspector of a ${kind}`)
      await page.keyboard.press('Escape')
      await opened.waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).search, '', 'the address still names it')
      await goTo(page, '/errors')
      await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor()
      await watchOf(page).quiet()
      resetCalls(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Search/ }).fill(ids[kind])
      await page.keyboard.press('Enter')
      await opened.getByText(words[kind]).first().waitFor()
      await watchOf(page).quiet()
      const { total, byRoute } = countCalls(page)
      assert.ok(total <= 4, JSON.stringify(byRoute))
    })
  }

  test('what is put on records, views, imports and phones are shown too, each with what it is about', async t => {
    const as = portal.t.main.testKey
    const make = async (path: string, body: object) => {
      const { json, text, status } = await portal.t.call('POST', path, { as, body })
      assert.ok(status < 300, text)
      return json
    }
    const headers = { 'content-type': 'text/csv' }
    const file = { as, headers, rawBody: 'Name,E-mail\nAda,ada@example.com\n' }
    const records = `/v1/api/attachments?record_id=${ids.lead}&name=people.csv`
    const octets = { 'content-type': 'application/octet-stream' }
    const attached = await portal.t.call('POST', records, { ...file, headers: octets })
    const sent = await portal.t.call('POST', '/v1/api/imports?noun=contacts&file_name=all_people.csv', file)
    const about = { record_id: ids.lead }
    const shown: [id: string, title: string, word: string][] = [
      [(await make('/v1/api/notes', { ...about, body: 'Asked twice.' })).note.id, 'Note', 'Asked twice.'],
      [(await make('/v1/api/tasks', { ...about, title: 'Call back' })).task.id, 'Task', 'Call back'],
      [attached.json.attachment.id, 'File', 'people.csv'],
      [(await make('/v1/api/tags', { name: 'Very important' })).tag.id, 'Tag', 'Very important'],
      [(await make('/v1/api/views', { noun: 'leads', name: 'Mine', filters: {} })).view.id, 'View', 'Mine'],
      [sent.json.import.id, 'Import', 'all_people.csv'],
      [
        (await make('/v2/voice/sip-credentials', { username: 'reception' })).data.credentialId,
        'SIP phone',
        'reception',
      ],
    ]
    const page = await portal.newPage(t)
    await portal.logIn(page)
    for (const [id, title, word] of shown) {
      await inspect(page, id)
      const opened = drawer(page, title)
      await opened
        .getByRole('heading', { name: word })
        .or(opened.getByText(word, { exact: true }))
        .first()
        .waitFor()
      if (['Note', 'Task', 'File'].includes(title))
        await opened.getByRole('button', { name: `Inspect ${ids.lead}` }).waitFor()
      await checkAccessibility(page, { name: `inspector of a ${title}` })
      await screenshot(page, `inspector-${title}`)
      await page.keyboard.press('Escape')
      await opened.waitFor({ state: 'detached' })
    }
  })

  test('what happened to it and the requests that touched it stand beside it', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await inspect(page, ids.message)
    const events = drawer(page).getByRole('list', { name: /^Activity/ })
    await events.getByRole('link', { name: 'message.queued' }).waitFor()
    const requests = drawer(page).getByRole('list', { name: /^Requests/ })
    await requests.getByRole('button', { name: `Inspect ${ids.request}` }).click()
    await drawer(page, 'Request').getByText('/v2/messages/sms').first().waitFor()
    assert.equal(new URL(page.url()).searchParams.get('inspect'), ids.request)
    await drawer(page)
      .getByRole('button', { name: `Inspect ${ids.message}` })
      .click()
    await drawer(page, 'Message').getByRole('link', { name: 'All in Logs' }).click()
    await page.getByRole('table', { name: 'Requests' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('resourceId'), ids.message)
  })

  test('it follows what happens to the object', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const as = portal.t.main.testKey
    const body = { from: '+15005550006', to: '+15005550100', body: 'On its way' }
    const { json } = await portal.t.call('POST', '/v2/messages/sms', { as, body })
    await inspect(page, json.messageId)
    await drawer(page)
      .getByRole('list', { name: /^Activity/ })
      .getByRole('link', { name: 'message.delivered' })
      .waitFor()
    await drawer(page)
      .getByRole('region', { name: 'Message', exact: true })
      .getByText('delivered', { exact: true })
      .waitFor()
  })

  test('a link opens it over the screen, and closing brings the focus back to the link', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/logs/${ids.request}` })
    const link = page.getByRole('main').getByRole('button', { name: `Inspect ${ids.message}` })
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => drawer(page).getByRole('button', { name: 'Close' }).click(),
    ]) {
      await link.focus()
      await page.keyboard.press('Enter')
      await drawer(page, 'Message').getByText('Hello').first().waitFor()
      await close()
      await drawer(page).waitFor({ state: 'detached' })
      await untilFocused(link, 'the focus is lost')
    }
    await link.click()
    await drawer(page).getByRole('link', { name: 'Open the page' }).click()
    await page.waitForURL(url => url.pathname === `/messages/${ids.message}` && url.search === '')
  })

  test('closing after the palette brings the focus back to where it was', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    const before = page.getByRole('button', { name: 'Create an API key' })
    await before.focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Search/ }).fill(ids.lead)
    await page.keyboard.press('Enter')
    await drawer(page, 'Lead').getByText('ada@example.com').first().waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    await untilFocused(before, 'the focus is lost')
  })

  test('an id of nobody, of others or of the other mode: explained in words, with a way on, and nothing more is requested', async t => {
    const foreign = await makeOneOfEach(portal.t.other.testKey)
    const zeros = '0'.repeat(26)
    const absent = {
      ...foreign,
      lead: 'lead:99999999',
      invoice: 'invoice:99999999',
    }
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: '/errors' })
    await watchOf(page).quiet()
    const nobody = [...Object.values(absent), `msg_${zeros}`, `evt_${zeros}`, `key_${zeros}`]
    for (const id of nobody) {
      resetCalls(page)
      await goTo(page, `/errors?inspect=${id}`)
      await drawer(page).getByRole('heading', { name: 'Not found in test mode' }).waitFor()
      await watchOf(page).quiet()
      assert.ok(countCalls(page).total <= 1, `${id}: ${JSON.stringify(countCalls(page).byRoute)}`)
      if (id === nobody.at(-1)) await checkBothThemes(page, 'inspector, nothing there')
      await page.keyboard.press('Escape')
      await drawer(page).waitFor({ state: 'detached' })
    }
    const { json } = await portal.t.call('POST', '/v1/api/leads', {
      as: portal.t.main.liveKey,
      body: { name: 'Of live', email: 'of.live@example.com' },
    })
    await goTo(page, `/errors?inspect=lead:${json.lead.id}`)
    await drawer(page).getByRole('button', { name: 'Look in live mode' }).click()
    await drawer(page, 'Lead').getByText('of.live@example.com').first().waitFor()
  })

  test('what is no id is reported as such', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    for (const id of ['hello', 'lead:0', 'lead:12345678901', 'msg_short', '<b>x</b>']) {
      await goTo(page, `/errors?inspect=${encodeURIComponent(id)}`)
      await drawer(page, 'Nothing to inspect').getByText('This isn’t a Tandem ID').waitFor()
      await page.keyboard.press('Escape')
      await drawer(page).waitFor({ state: 'detached' })
    }
  })

  test('a role that may not see the object is shown which permission is missing; it fits a telephone', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, allow: [/status of 403/] })
    await portal.logIn(page, { role: 'Finance Manager' })
    await inspect(page, ids.lead)
    await drawer(page)
      .getByText(/may not see this|don’t have access to this/)
      .first()
      .waitFor()
    await goTo(page, `/errors?inspect=${ids.invoice}`)
    await drawer(page, 'Invoice').getByText('Northwind').first().waitFor()
    await noHorizontalScroll(page)
    const executive = await portal.newPage(t)
    await portal.logIn(executive, { role: 'Sales Executive' })
    await inspect(executive, ids.message)
    await drawer(executive).getByText('Your role doesn’t include the activity log.').waitFor()
    await executive.keyboard.press('Escape')
    await drawer(executive).waitFor({ state: 'detached' })
    await goTo(executive, `/errors?inspect=${ids.event}`)
    await drawer(executive).getByText('Your role doesn’t include events:read, which this needs.').waitFor()
  })
})
