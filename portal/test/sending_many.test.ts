// One text to many, from the portal: numbers that are pasted with names, and records that are selected. What is refused stays with its reason,
// and nobody gets it twice.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests, untilFocused } from './browser.ts'

describe('one text to many', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ work: false })
  const dialog = (page: Page) => page.getByRole('dialog')
  const field = (page: Page, name: string) => dialog(page).getByRole('textbox', { name, exact: true })
  const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await portal.t.call(method, path, { as: portal.t.main.testKey, body })
    assert.ok(status < 300, JSON.stringify(json))
    return json
  }
  /** What was sent to numbers that begin so, as `number: text`. */
  const sentTo = async (begin: string) => {
    const { data } = await call('GET', '/v2/messages?limit=100')
    return (data as { to: string; body: string }[])
      .filter(({ to, body }) => to.startsWith(begin) && !body.includes('Reply START'))
      .map(({ to, body }) => `${to}: ${body}`)
      .sort()
  }

  test('pasted numbers get it once each, with their names; what is refused stays in the form', async t => {
    // One of them asked the sender to stop.
    await call('POST', '/v2/test/inbound', { from: '+15005557003', to: '+15005550006', body: 'STOP' })
    const page = await portal.newPage(t, { allow: [/status of 4\d\d/] })
    await portal.logIn(page, { path: '/messages' })
    await page.getByRole('button', { name: 'Send to many' }).click()
    await press(page, 'Send')
    await untilFocused(field(page, 'Recipients'))
    await dialog(page).getByText('Enter the phone numbers.').waitFor()
    await field(page, 'Recipients').fill(
      '+1 500 555 7001, Ada\nGrace Hopper\t(500) 555-7002\n+15005557001, Ada again\n+15005557003, Stopped\nnobody',
    )
    await field(page, 'Text').fill('Hello {{name}}, from {{company}}')
    await press(page, 'Send to 4 recipients')
    await dialog(page).getByText('“nobody” is no phone number.').waitFor()
    await dialog(page).getByText('{{company}} stands for nothing.').waitFor()
    const pasted = '+1 500 555 7001, Ada\nGrace Hopper\t+15005557002\n+15005557003\n1-500-555-7001'
    // What looks like a number, and is none for the server.
    await field(page, 'Text').fill('Hello')
    await field(page, 'Recipients').fill('+15005557001, Ada\n+(((500))), Nobody')
    await press(page, 'Send to 2 recipients')
    await dialog(page).getByText('“+(((500)))” is no phone number.').waitFor()
    await field(page, 'Recipients').fill(pasted)
    await field(page, 'Text').fill('Hello {{name}}')
    await press(page, 'Send to 3 recipients')
    await dialog(page).getByText('There’s no name for +15005557003.').waitFor()
    await field(page, 'Recipients').fill('+1 500 555 7001, Ada\nGrace Hopper\t+15005557002\n+15005557003, Stopped')
    await dialog(page).getByText('1 segment', { exact: true }).waitFor()
    await checkBothThemes(page, 'sending to many', 'many')
    await noHorizontalScroll(page)
    await press(page, 'Send to 3 recipients')
    await page.getByText('2 texts are on their way.').waitFor()
    const refusals = dialog(page).getByRole('listitem')
    await refusals.getByText(/^Stopped \(\+15005557003\): The recipient asked this sender to stop\./).waitFor()
    assert.equal(await field(page, 'Recipients').inputValue(), '+15005557003, Stopped')
    await checkBothThemes(page, 'one was refused', 'many-refused')
    assert.deepEqual(await sentTo('+1500555700'), ['+15005557001: Hello Ada', '+15005557002: Hello Grace Hopper'])
    await press(page, 'Cancel')
    await page.getByRole('cell', { name: 'Hello Ada' }).waitFor()
  })

  test('a sending whose answer is lost is sent again as it was', async t => {
    const page = await portal.newPage(t, { allow: [/Failed to load resource/, /ERR_FAILED/] })
    let isLost = true
    await page.route('**/v2/messages/sms/batch', async route => {
      if (!isLost) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await portal.logIn(page, { path: '/messages' })
    await page.getByRole('button', { name: 'Send to many' }).click()
    await field(page, 'Recipients').fill('+15005557101\n+15005557102')
    await field(page, 'Text').fill('Once')
    await press(page, 'Send to 2 recipients')
    await dialog(page).getByRole('alert').waitFor()
    isLost = false
    await press(page, 'Send to 2 recipients')
    await page.getByText('2 texts are on their way.').waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    assert.deepEqual(await sentTo('+1500555710'), ['+15005557101: Once', '+15005557102: Once'])
  })

  test('what was refused before the connection broke is still said when the rest was sent', async t => {
    await call('POST', '/v2/test/inbound', { from: '+15005558000', to: '+15005550006', body: 'STOP' })
    const page = await portal.newPage(t, { allow: [/Failed to load resource/, /ERR_FAILED/] })
    let isBroken = true
    let parts = 0
    await page.route('**/v2/messages/sms/batch', route => (parts++ > 0 && isBroken ? route.abort() : route.continue()))
    await portal.logIn(page, { path: '/messages' })
    await page.getByRole('button', { name: 'Send to many' }).click()
    const numbers = Array.from({ length: 402 }, (_, n) => `+1500555${8_000 + n}`)
    await field(page, 'Recipients').fill(numbers.join('\n'))
    await field(page, 'Text').fill('In parts')
    await press(page, 'Send to 402 recipients')
    await dialog(page).getByRole('button', { name: 'Send to 2 recipients' }).waitFor()
    const refusal = dialog(page)
      .getByRole('listitem')
      .getByText(/^\+15005558000: /)
    await refusal.waitFor()
    // Beside who was refused it says that the connection broke.
    await dialog(page).getByRole('alert').nth(1).waitFor()
    isBroken = false
    await press(page, 'Send to 2 recipients')
    await page.getByText('2 texts are on their way.').waitFor()
    await refusal.waitFor()
    assert.equal(await field(page, 'Recipients').inputValue(), '+15005558000')
    const [counted] = await portal.t.ownerSql<{ n: number }>(
      "select count(distinct to_address)::integer as n from messages where body = 'In parts'",
    )
    assert.equal(counted?.n, 401)
  })

  test('selected contacts get it, but for those without a number or consent; nothing is offered to who may not send', async t => {
    const contact = (name: string, number?: string, more: object = {}) =>
      call('POST', '/v1/api/contacts', {
        name,
        ...(number !== undefined && { phones: [{ value: number, is_primary: true }] }),
        ...more,
      })
    await contact('Agnes Agreed', '+15005557201', { sms_consent: true })
    await contact('Ulf Unasked', '+15005557202')
    await contact('Nora Numberless')
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/contacts' })
    for (const name of ['Agnes Agreed', 'Ulf Unasked', 'Nora Numberless'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const selection = page.getByRole('region', { name: 'Selected records' })
    await selection.getByRole('button', { name: 'Send a text' }).click()
    await dialog(page).getByText('To Agnes Agreed.').waitFor()
    await dialog(page).getByText('1 has no number, and is left out.').waitFor()
    const agreedOnly = dialog(page).getByRole('checkbox', { name: 'Leave out 1 who hasn’t agreed to texts' })
    assert.ok(await agreedOnly.isChecked())
    await field(page, 'Text').fill('Dear {{name}}')
    await checkBothThemes(page, 'a text to contacts', 'many-selected')
    await press(page, 'Send to 1 recipient')
    await page.getByText('1 text is on its way.').waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    await selection.waitFor({ state: 'detached' })
    assert.deepEqual(await sentTo('+1500555720'), ['+15005557201: Dear Agnes Agreed'])

    // Closed with one who was refused, it offers nobody who has it.
    await call('POST', '/v2/test/inbound', { from: '+15005557202', to: '+15005550006', body: 'STOP' })
    for (const name of ['Agnes Agreed', 'Ulf Unasked'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await selection.getByRole('button', { name: 'Send a text' }).click()
    await dialog(page)
      .getByRole('checkbox', { name: /^Leave out 1/ })
      .uncheck()
    await field(page, 'Text').fill('Once more')
    await press(page, 'Send to 2 recipients')
    await dialog(page).getByRole('button', { name: 'Send to 1 recipient' }).waitFor()
    await press(page, 'Cancel')
    await selection.waitFor({ state: 'detached' })

    const finance = await portal.newPage(t)
    await portal.logIn(finance, { role: 'Finance Manager', path: '/messages' })
    assert.equal(await finance.getByRole('button', { name: 'Send to many' }).count(), 0)
  })
})
