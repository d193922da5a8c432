// The Playground on live data: it fills in nothing that would change a record, wherever a request comes from, and shows whose
// record it is and what becomes different before anything leaves.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  type PageOptions,
  type Portal,
  portalForTests,
  tabTo,
  watchOf,
} from './browser.ts'

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const pathValue = (page: Page) => page.getByLabel('Path value id')
const question = (page: Page) => page.getByRole('dialog', { name: 'This is live mode' })
const refused = /Failed to load resource: the server responded with a status of 4\d\d/

async function editorReady(page: Page) {
  await page.locator('.cm-editor [aria-label="JSON body"]').waitFor()
  return page.getByRole('textbox', { name: 'JSON body' })
}

async function expectStatus(page: Page, expected: number): Promise<void> {
  await page.getByTestId('status').getByText(String(expected)).waitFor()
}

/** What changed anything, of all that the page has sent. */
function changesSent(page: Page) {
  return watchOf(page).apiCalls.filter(({ method }) => method !== 'GET')
}

describe('the Playground on live data', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let lead: number
  let invoice: number

  before(async () => {
    const as = portal.t.main.liveKey
    const made = await portal.t.call('POST', '/v1/api/leads', {
      as,
      body: { name: 'Nora Winters', email: 'n@example.com' },
    })
    lead = made.json.lead.id
    const body = { customer: { name: 'Harbor Roast' }, lines: [{ description: 'Beans', quantity: 1, unit_price: 90 }] }
    invoice = (await portal.t.call('POST', '/v1/api/finance/invoices', { as, body })).json.invoice.id
  })

  type Opened = PageOptions & { path: string; mode?: 'live' | 'test' }
  async function open(t: Parameters<Portal['newPage']>[0], { path, mode = 'live', ...options }: Opened): Promise<Page> {
    const page = await portal.newPage(t, options)
    await portal.logIn(page, { path, mode })
    await send(page).waitFor()
    return page
  }

  test('no id and no change is filled in, and Send waits for them', async t => {
    const page = await open(t, { path: '/playground?endpoint=users.update' })
    await editorReady(page)
    assert.equal(await pathValue(page).inputValue(), '')
    await page.getByText('No body. Write JSON here').waitFor()
    assert.ok(await send(page).isDisabled())
    await page.keyboard.press('Control+Enter')
    await pathValue(page).fill('1')
    await page.getByRole('button', { name: 'The body is empty: write what to change' }).waitFor()
    assert.ok(await send(page).isDisabled())
    assert.deepEqual(changesSent(page), [])
    // Test data keep their examples: a first request is two clicks away.
    await page.locator('header').locator('label', { hasText: 'Test' }).click()
    await page.getByText('TEST', { exact: true }).waitFor()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[aria-label="Path value id"]')?.value === '12',
    )
    assert.ok(await send(page).isEnabled())
  })

  test('what changes a record shows its name and the change first, every time', async t => {
    const page = await open(t, { path: '/playground?endpoint=leads.update' })
    await pathValue(page).fill(String(lead))
    const body = await editorReady(page)
    await body.fill('{"status":"Contacted","company":"Harbor"}')
    for (const again of [false, true]) {
      await send(page).click()
      const dialog = question(page)
      await dialog.getByRole('heading', { name: 'Nora Winters' }).waitFor()
      await dialog.getByText(`Lead ${lead}`).waitFor()
      const change = dialog.getByRole('region', { name: 'What changes' })
      if (again) await dialog.getByText('Nothing would change.').waitFor()
      else assert.match(await change.innerText(), /status\s+New → Contacted\s+company\s+empty → Harbor/)
      if (!again) {
        assert.deepEqual(changesSent(page), [])
        await checkBothThemes(page, 'live question', 'playground live question')
      }
      await dialog.getByRole('button', { name: 'Send for real' }).click()
      await expectStatus(page, 200)
      await dialog.waitFor({ state: 'detached' })
    }
  })

  test('a payment names the invoice, and DELETE what is removed; both can be left by keyboard', async t => {
    const page = await open(t, { path: '/playground?endpoint=payments.create', width: 390, height: 844 })
    await pathValue(page).fill(String(invoice))
    await (await editorReady(page)).fill('{"amount":90,"method":"card"}')
    await send(page).click()
    const dialog = question(page)
    await dialog.getByRole('heading', { name: /^INV-/ }).waitFor()
    await dialog.getByText('Harbor Roast').waitFor()
    await dialog.getByRole('region', { name: 'What’s sent' }).getByText('90', { exact: true }).waitFor()
    await noHorizontalScroll(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.goto('/playground?endpoint=leads.delete')
    await pathValue(page).fill(String(lead))
    await tabTo(page, send(page))
    await page.keyboard.press('Enter')
    await dialog.getByRole('heading', { name: 'Nora Winters' }).waitFor()
    await tabTo(page, dialog.getByRole('button', { name: 'Cancel' }))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(changesSent(page), [])
  })

  test('a record that is not there says so, and one that cannot be read asks for its id', async t => {
    const page = await open(t, { path: '/playground?endpoint=leads.delete', allow: [refused] })
    await pathValue(page).fill('999999')
    for (let times = 0; times < 2; times++) {
      await send(page).click()
      await question(page).getByText('Lead 999999: the server can’t find it, so expect 404.').waitFor()
      await question(page).getByRole('button', { name: 'Delete for real' }).click()
      await expectStatus(page, 404)
    }
    await page.route(`**/v1/api/leads/${lead}`, route =>
      route.fulfill({ status: 403, json: { success: false, message: 'The key may not read leads.' } }),
    )
    await pathValue(page).fill(String(lead))
    await send(page).click()
    await question(page).getByText('The key may not read leads.').waitFor()
    const remove = question(page).getByRole('button', { name: 'Delete for real' })
    assert.ok(await remove.isDisabled())
    await question(page).getByLabel(`Type ${lead} to confirm`).fill(String(lead))
    assert.ok(await remove.isEnabled())
    await question(page).getByRole('button', { name: 'Cancel' }).click()
  })

  test('links, commands, logs and a pasted live key bring nothing that is ready to go', async t => {
    const page = await open(t, { path: `/playground?method=DELETE&path=/api/leads/${lead}` })
    await page.getByText(`This is live mode, so these aren’t filled in yet: id ${lead}`).waitFor()
    assert.equal(await pathValue(page).inputValue(), '')
    assert.ok(await send(page).isDisabled())
    await page.getByRole('button', { name: 'Fill them in' }).click()
    assert.equal(await pathValue(page).inputValue(), String(lead))
    await send(page).click()
    await question(page).getByRole('heading', { name: 'Nora Winters' }).waitFor()
    await question(page).getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByText('It holds no credential.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const other = await open(t, { path: link.slice(portal.address.length) })
    await other.getByText(`so these aren’t filled in yet: id ${lead}`).waitFor()
    assert.ok(await send(other).isDisabled())

    const command = `curl -X PATCH 'https://x.example/v1/api/leads/${lead}' -d '{"status":"Junk"}'`
    const paste = async (text: string) => {
      await page.getByRole('button', { name: 'Paste cURL', exact: true }).click()
      await page.getByRole('textbox', { name: 'cURL command' }).fill(text)
      await page.getByRole('button', { name: 'Fill in the request' }).click()
    }
    await paste(command)
    await page.getByText(`so these aren’t filled in yet: id ${lead} and the body`).waitFor()
    assert.ok(await send(page).isDisabled())

    const answer = await portal.t.call('PATCH', `/v1/api/leads/${lead}`, {
      as: portal.t.main.liveKey,
      body: { company: 'Logged' },
    })
    await portal.t.app.flush()
    await page.goto(`/playground?replay=${answer.headers['x-request-id']}`)
    await page.getByText(`so these aren’t filled in yet: id ${lead} and the body`).waitFor()
    assert.ok(await send(page).isDisabled())

    const inTest = await open(t, { path: '/playground?endpoint=leads.delete', mode: 'test' })
    assert.equal(await pathValue(inTest).inputValue(), '17')
    await inTest.getByLabel('Credential').selectOption('pasted')
    await inTest.getByLabel('Pasted key or token').fill(portal.t.main.liveKey)
    await inTest.keyboard.press('Enter')
    await inTest.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[aria-label="Path value id"]')?.value === '',
    )
    assert.ok(await send(inTest).isDisabled())
    for (const each of [page, other, inTest]) assert.deepEqual(changesSent(each), [])
  })

  test('what makes something new is asked about once', async t => {
    const page = await open(t, { path: '/playground?endpoint=messages.sms.send' })
    await send(page).click()
    await question(page).getByText('This sends a real SMS to +15005550100 from +15005550006').waitFor()
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(changesSent(page), [])
    await send(page).click()
    await question(page).getByRole('button', { name: 'Send for real' }).click()
    await expectStatus(page, 200)
    await send(page).click()
    await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  })
})
