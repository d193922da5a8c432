// Mail in the portal: the outbox like a mail program, one mail in a frame that may do nothing, templates with a live preview, suppressions.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../server/test/eventually.ts'
import { checkBothThemes, chromiumMissing, portalForTests, takePictures } from './browser.ts'

describe('mail in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ work: true })
  const dialog = (page: Page) => page.getByRole('dialog')
  const row = (page: Page, text: string) => page.getByRole('main').getByRole('row').filter({ hasText: text })
  const api = async (method: string, path: string, body?: unknown) =>
    (await portal.t.call(method, path, { as: portal.t.main.testKey, ...(body === undefined ? {} : { body }) })).json

  let mailId: string
  before(async () => {
    const body = {
      to: [{ address: 'ada@example.com', name: 'Ada Park' }],
      subject: 'Your appointment on Monday',
      text: 'Dear Ada,\n\nsee you on Monday: https://example.com/appointments/17.',
      html: '<h1>Monday</h1><p>Dear Ada</p><script>parent.hacked = true</script><img src="https://tracker.example/x.png">',
    }
    mailId = (await api('POST', '/v2/mails', body)).data.mailId
    await eventually('it is sent', async () => (await api('GET', `/v2/mails/${mailId}`)).data.state === 'sent')
  })

  test('a mail is found, shown without scripts and without anything from elsewhere, with its links and attempts', async t => {
    const page = await portal.newPage(t, { allow: [/Blocked script execution in 'blob:/] })
    await portal.logIn(page, { path: '/mails' })
    await row(page, 'Ada Park').getByText('In the outbox').waitFor()
    await takePictures(page, 'mails')
    await row(page, 'Ada Park').getByRole('link').first().click()
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Monday' }).waitFor()
    assert.equal(await page.evaluate(() => 'hacked' in globalThis), false)
    assert.equal(await page.locator('iframe').getAttribute('sandbox'), '')
    await page.getByText('https://example.com/appointments/17', { exact: true }).waitFor()
    await page.getByText('Kept in the outbox').waitFor()
    await page.getByRole('tab', { name: 'Text' }).click()
    await page
      .getByText(/see you on Monday/)
      .first()
      .waitFor()
    await checkBothThemes(page, 'a mail', 'mail')
  })

  test('a template is written with the mail beside it, and what does not work is named by line', async t => {
    const page = await portal.newPage(t, { allow: [/status of 4(00|22)/, /Blocked script execution in 'blob:/] })
    await portal.logIn(page, { path: '/mail-templates' })
    await page.getByRole('button', { name: 'Create a template' }).first().click()
    await dialog(page).getByLabel('Key').fill('appointment')
    await dialog(page).getByLabel('Subject').fill('See you, {{ name }}')
    await dialog(page).getByText('See you, Ada').waitFor()
    await dialog(page).getByLabel('Text').fill('Dear {{ name }},\n{{ nmae }}')
    await dialog(page)
      .getByText(/line 2: undefined variable: nmae/)
      .waitFor()
    await dialog(page).getByLabel('Text').fill('Dear {{ name }}.')
    await page.frameLocator('iframe').getByText('Dear Ada.').waitFor()
    await checkBothThemes(page, 'a template', 'mail-template')
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('appointment was created.').waitFor()
    await row(page, 'appointment').waitFor()
  })

  test('an address is suppressed and gets mail again', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/mail-suppressions' })
    await page.getByRole('button', { name: 'Suppress an address' }).first().click()
    await dialog(page).getByLabel('Address').fill('bob@example.com')
    await dialog(page).getByRole('button', { name: 'Suppress', exact: true }).click()
    await row(page, 'bob@example.com').getByText('Added by hand or API').waitFor()
    await row(page, 'bob@example.com').getByRole('button', { name: 'Remove bob@example.com' }).click()
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await row(page, 'bob@example.com').waitFor({ state: 'detached' })
  })
})
