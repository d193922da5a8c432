// The settings of the organization in the portal: one form, refused beside its fields, in which nothing is lost when somebody else
// saves meanwhile; others only read.
// test: programs
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkBothThemes,
  chromiumMissing,
  goByNavigation,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  streamOpen,
  tabTo,
  untilFocused,
} from './browser.ts'

describe('settings of the organization in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const stored = async () => (await portal.t.call('GET', '/v2/organization', { as: portal.t.main.liveKey })).json.data
  async function change(body: object): Promise<void> {
    const answer = await portal.t.call('PATCH', '/v2/organization', { as: portal.t.main.liveKey, body })
    assert.equal(answer.status, 200, answer.text)
  }
  afterEach(() =>
    change({
      name: 'Example Company',
      timeZone: 'Europe/Berlin',
      currency: 'USD',
      defaultCountry: 'US',
      duplicateMode: 'warn',
      invoiceNumbering: 'on_create',
    }),
  )

  const main = (page: Page) => page.getByRole('main')
  const save = (page: Page) => main(page).getByRole('button', { name: 'Save settings' })
  const name = (page: Page) => main(page).getByLabel('Name', { exact: true })
  const box = (page: Page, label: string) => main(page).getByRole('combobox', { name: label })
  const meanwhile = (page: Page) => page.getByRole('region', { name: 'Changed meanwhile' })

  test('every setting is changed with the keyboard, in test mode, too, and only what was changed is sent', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/organization' })
    await name(page).waitFor()
    assert.ok(await save(page).isDisabled(), 'nothing was changed')
    await tabTo(page, name(page))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Northwind')
    await page.keyboard.press('Tab')
    await untilFocused(box(page, 'Time zone'))
    await page.keyboard.type('tokyo')
    await page.keyboard.press('Enter')
    assert.equal(await box(page, 'Time zone').inputValue(), 'Asia/Tokyo')
    await page.keyboard.press('Tab')
    await untilFocused(box(page, 'Currency'))
    await page.keyboard.type('yen')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await untilFocused(box(page, 'Country'))
    await page.keyboard.type('japan')
    await page.keyboard.press('Enter')
    await main(page).getByLabel('Duplicate leads').selectOption('block')
    await main(page).getByLabel('Invoice numbers').selectOption('on_issue')
    await checkBothThemes(page, 'settings changed', 'settings-changed')
    const sent = page.waitForRequest(request => request.method() === 'PATCH')
    await tabTo(page, save(page))
    await page.keyboard.press('Enter')
    const headers = await (await sent).allHeaders()
    assert.match(headers['if-match'] ?? '', /^"\d+"$/)
    await page.getByText('The settings were saved.').waitFor()
    const { timeZone, currency, defaultCountry, duplicateMode, invoiceNumbering, ...rest } = await stored()
    assert.deepEqual(
      [rest.name, timeZone, currency, defaultCountry, duplicateMode, invoiceNumbering],
      ['Northwind', 'Asia/Tokyo', 'JPY', 'JP', 'block', 'on_issue'],
    )
    assert.ok(await save(page).isDisabled())
    await box(page, 'Country').click()
    await page.getByRole('option', { name: 'None', exact: true }).click()
    const second = page.waitForResponse(answer => answer.request().method() === 'PATCH')
    await save(page).click()
    assert.deepEqual((await second).request().postDataJSON(), { defaultCountry: null })
    assert.equal((await stored()).defaultCountry, null)
  })

  test('what is refused stands beside its field, and nothing is lost, not even by going away', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/organization' })
    await name(page).fill('')
    await box(page, 'Time zone').fill('Mars/Olympus')
    await page.keyboard.press('Enter')
    await main(page).getByLabel('Invoice numbers').selectOption('on_issue')
    await save(page).click()
    await main(page).getByRole('alert').first().waitFor()
    await untilFocused(name(page), 'the first field to mend has the focus')
    assert.equal(await name(page).getAttribute('aria-invalid'), 'true')
    await name(page).fill('Mended')
    await save(page).click()
    await main(page)
      .getByRole('alert')
      .getByText(/IANA database/)
      .waitFor()
    await untilFocused(box(page, 'Time zone'))
    await checkBothThemes(page, 'settings refused', 'settings-refused')
    await goByNavigation(page, 'Members')
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.goBack()
    assert.equal(await name(page).inputValue(), 'Mended')
    assert.equal(await box(page, 'Time zone').inputValue(), 'Mars/Olympus')
    await main(page).getByRole('button', { name: 'Discard changes' }).click()
    assert.equal(await name(page).inputValue(), 'Example Company')
    await untilFocused(name(page))
    assert.ok(await save(page).isDisabled())
  })

  test('what another Admin saves is seen at once; what was typed stays, and is saved over it only when that was said', async t => {
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { path: '/organization' })
    await stream
    await name(page).fill('Mine')
    await change({ name: 'Theirs', currency: 'EUR' })
    await meanwhile(page).getByText('Name: Theirs (before: Example Company)').waitFor()
    await meanwhile(page).getByText('Currency: EUR, Euro (before: USD, US Dollar)').waitFor()
    await checkBothThemes(page, 'settings changed meanwhile', 'settings-conflict')
    assert.equal(await name(page).inputValue(), 'Mine')
    assert.equal(await box(page, 'Currency').inputValue(), 'EUR')
    await save(page).click()
    await page.getByText('The settings were saved.').waitFor()
    await meanwhile(page).waitFor({ state: 'detached' })
    const { name: kept, currency } = await stored()
    assert.deepEqual([kept, currency], ['Mine', 'EUR'])
  })

  test('a save that is too late is refused with the reason, and the next one holds', async t => {
    const page = await portal.newPage(t, { allow: [/status of 412|ERR_FAILED|Failed to load/] })
    // No stream: what another saves is learned by the refusal only.
    await page.route('**/v2/stream**', route => route.abort())
    await portal.logIn(page, { path: '/organization', mode: 'live' })
    await name(page).fill('Mine')
    await change({ name: 'Theirs' })
    await save(page).click()
    await meanwhile(page).getByText('Name: Theirs (before: Example Company)').waitFor()
    assert.equal((await stored()).name, 'Theirs')
    await save(page).click()
    await page.getByText('The settings were saved.').waitFor()
    assert.equal((await stored()).name, 'Mine')
  })

  for (const role of ['Sales Manager', 'Sales Executive', 'Finance Manager'] as const) {
    test(`a ${role} reads the settings in words, and is offered no field`, async t => {
      const page = await portal.newPage(t)
      await portal.logIn(page, { role })
      await goByNavigation(page, 'Organization')
      await main(page).getByText('USD, US Dollar').waitFor()
      await main(page).getByText('Create them, and name the others').waitFor()
      for (const control of ['textbox', 'combobox', 'button'] as const)
        assert.equal(await main(page).getByRole(control).count(), 0, control)
      await checkBothThemes(page, `settings as ${role}`)
    })
  }

  test('a telephone shows the form without scrolling sideways', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    await portal.logIn(page, { path: '/organization' })
    await name(page).waitFor()
    await screenReady(page)
    await noHorizontalScroll(page)
    await screenshot(page, 'settings-telephone')
  })
})
