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

  test('a mail server is changed: its password stays, and is asked for again before it would go to another server', async t => {
    const as = portal.t.main.tokens.Admin
    const settings = { host: 'mail.example.com', user: 'office@example.com', password: 'correct horse' }
    const body = { kind: 'smtp', name: 'Company', settings }
    const { json } = await portal.t.call('POST', '/v2/mail/transports', { as, body })
    const path = `/v2/mail/transports/${json.data.transportId}`
    const stored = async () => (await portal.t.call('GET', path, { as })).json.data
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { mode: 'live', path: '/mail-transports' })
    const save = dialog(page).getByRole('button', { name: 'Save' })
    await row(page, 'Company').getByText('default').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await dialog(page).getByText('Leave it empty to keep the current one.').waitFor()
    assert.ok(await save.isDisabled(), 'nothing was changed')
    await dialog(page).getByLabel('Name', { exact: true }).fill('Company mail')
    await dialog(page).getByLabel('In use').uncheck()
    await dialog(page).getByLabel('Port').fill('0')
    await dialog(page).getByText('Enter it again, because the server is another one.').waitFor()
    assert.ok(await save.isDisabled(), 'the password is not there again')
    await dialog(page).getByLabel('Password').fill('battery staple')
    await save.click()
    await dialog(page).getByRole('alert').waitFor()
    await dialog(page).getByLabel('Port').fill('587')
    await dialog(page).getByLabel('Password').fill('')
    await dialog(page).getByText('Leave it empty to keep the current one.').waitFor()
    await checkBothThemes(page, 'changing a mail server', 'mail-server-form')
    await save.click()
    await page.getByText('Company mail was saved.').waitFor()
    await row(page, 'Company mail').getByText('off').waitFor()
    const kept = await stored()
    assert.deepEqual([kept.name, kept.enabled, kept.hasSecret, kept.settings.port], ['Company mail', false, true, 587])

    await page.getByRole('button', { name: 'Edit Company mail' }).click()
    await dialog(page).getByLabel('Host').fill('smtp.example.com')
    assert.ok(await save.isDisabled(), 'the password is not there again')
    await dialog(page).getByLabel('Password').fill('battery staple')
    await dialog(page).getByLabel('In use').check()
    await save.click()
    await row(page, 'smtp.example.com:587').waitFor()
    await page.getByRole('button', { name: 'Edit Company mail' }).click()
    await dialog(page).getByLabel('Username').fill('')
    await save.click()
    await dialog(page).waitFor({ state: 'detached' })
    const open = await stored()
    assert.deepEqual([open.settings.user, open.hasSecret, open.enabled], [null, false, true])
  })

  test('a mail sender is changed: its name, where answers go, its mail server, and what it is the default for', async t => {
    const as = portal.t.main.tokens.Admin
    const live = async (path: string, body: object) =>
      (await portal.t.call('POST', `/v2/mail/${path}`, { as, body })).json.data
    const { transportId } = await live('transports', { kind: 'outbox', name: 'Kept here', enabled: false })
    const { senderId } = await live('senders', { address: 'sales@example.com', defaultFor: ['marketing', 'security'] })
    const other = await live('senders', { address: 'other@example.com', defaultFor: ['conversation'] })
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { mode: 'live', path: '/mail-senders' })
    await page.getByRole('button', { name: 'Edit sales@example.com' }).click()
    const save = dialog(page).getByRole('button', { name: 'Save' })
    assert.ok(await save.isDisabled(), 'nothing was changed')
    await dialog(page).getByLabel('Name').fill('Sales')
    await dialog(page).getByLabel('Replies go to').fill('nowhere')
    await dialog(page).getByLabel('Mail server').selectOption({ label: 'Kept here (off)' })
    await dialog(page).getByLabel('Marketing').uncheck()
    await dialog(page).getByLabel('Conversation').check()
    await save.click()
    await dialog(page).getByRole('alert').waitFor()
    await checkBothThemes(page, 'changing a mail sender', 'mail-sender-form')
    await dialog(page).getByLabel('Replies go to').fill('team@example.com')
    await save.click()
    await page.getByText('sales@example.com was saved.').waitFor()
    const stored = async (id: string) => (await portal.t.call('GET', `/v2/mail/senders/${id}`, { as })).json.data
    const { name, replyTo, transportId: way, defaultFor } = await stored(senderId)
    assert.deepEqual([name, replyTo, way], ['Sales', 'team@example.com', transportId])
    assert.deepEqual([...defaultFor].sort(), ['conversation', 'security'])
    assert.deepEqual((await stored(other.senderId)).defaultFor, [])

    const inTest = await portal.newPage(t)
    await portal.logIn(inTest, { path: '/mail-senders' })
    await inTest.getByRole('button', { name: 'Add a sender' }).first().click()
    await dialog(inTest).getByText('Mail servers are for live mode.').waitFor()
    assert.ok(await dialog(inTest).getByLabel('Mail server').isDisabled())
  })
})
