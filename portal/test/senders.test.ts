// Numbers, messaging services and opt-outs in the portal: what an organization sends from, how, and to whom not.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  goByNavigation,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  tabTo,
  takePictures,
  untilFocused,
} from './browser.ts'
import { quietCarrier, type SeededMessaging, seedMessaging } from './seed_messaging.ts'

describe('senders in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let seeded: SeededMessaging
  before(async () => {
    seeded = await seedMessaging(portal.t, { carrier: false })
  })

  const dialog = (page: Page) => page.getByRole('dialog')
  const row = (page: Page, text: string) => page.getByRole('main').getByRole('row').filter({ hasText: text })
  const api = async (method: string, path: string, body?: unknown) =>
    (await portal.t.call(method, path, { as: portal.t.main.testKey, body })).json

  test('a number is added, refused beside its field at first, changed and released', async t => {
    const page = await portal.newPage(t, { allow: [/status of 4(00|09|22)/] })
    await portal.logIn(page, { path: '/numbers' })
    await page.getByRole('button', { name: 'Add a number' }).click()
    await untilFocused(dialog(page).getByLabel('Number', { exact: true }))
    await page.keyboard.type('+15005550006')
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByRole('alert')
      .getByText(/already/)
      .waitFor()
    await untilFocused(dialog(page).getByLabel('Number', { exact: true }))
    await dialog(page).getByLabel('Number', { exact: true }).fill('+49 40 123456')
    await dialog(page).getByLabel('Label').fill('Hamburg')
    await dialog(page).getByLabel('Segments per second').fill('2.5')
    await dialog(page).getByLabel('Creates leads').check()
    await checkBothThemes(page, 'adding a number', 'number-form')
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('+4940123456 was added.').waitFor()
    await row(page, 'Hamburg').getByText('texts, calls').waitFor()
    await row(page, 'Hamburg').getByRole('button', { name: 'Edit +4940123456' }).click()
    assert.match(page.url(), /edit=num_/)
    assert.ok(await dialog(page).getByRole('button', { name: 'Save' }).isDisabled(), 'nothing was changed')
    await dialog(page).getByLabel('Messaging service').selectOption({ label: 'Appointments' })
    await dialog(page).getByLabel('Segments per second').fill('')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await row(page, 'Hamburg').getByRole('link', { name: 'Appointments' }).waitFor()
    const { data } = await api('GET', '/v2/numbers?number=%2B4940123456')
    assert.deepEqual([data[0].segmentsPerSecond, data[0].createsLeads, data[0].serviceId], [null, true, seeded.service])
    await row(page, 'Hamburg')
      .getByRole('button', { name: /^Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Release' }).click()
    const confirm = dialog(page).getByRole('button', { name: 'Release', exact: true })
    assert.ok(await confirm.isDisabled())
    await dialog(page).getByLabel(/^Type/).fill('+4940123456')
    await confirm.click()
    await page.getByText('+4940123456 was released.').waitFor()
    await row(page, 'Hamburg').waitFor({ state: 'detached' })
  })

  test('a number says what its calls begin with: an example is changed, refused beside the field, kept and shown', async t => {
    const { data: made } = await api('POST', '/v2/numbers', { number: '+4940123457' })
    const page = await portal.newPage(t, { allow: [/status of 4(00|22)/] })
    await portal.logIn(page, { path: `/numbers?inspect=${made.numberId}` })
    await dialog(page).getByText('Nothing is set: callers hear an apology').waitFor()
    await page.keyboard.press('Escape')
    await row(page, '+4940123457')
      .getByRole('button', { name: /^Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Incoming calls' }).click()
    const list = dialog(page).getByLabel('Instructions')
    const example = dialog(page).getByLabel('Example')
    const names = await example.locator('option').allTextContents()
    assert.ok(names.length > 4, String(names))
    for (const label of names.slice(1)) {
      await example.selectOption({ label })
      const instructions = JSON.parse(await list.inputValue())
      const answer = await api('PUT', `/v2/numbers/${made.numberId}/voice`, { instructions })
      assert.equal(answer.status, 200, `${label}: ${JSON.stringify(answer)}`)
    }
    await list.fill('[{"verb": "say"}')
    const save = dialog(page).getByRole('button', { name: 'Save' })
    await save.click()
    await dialog(page)
      .getByRole('alert')
      .getByText(/^This isn’t valid JSON/)
      .waitFor()
    await list.fill('[{"verb": "say"}]')
    await save.click()
    await dialog(page).getByRole('alert').getByText('Instructions[0].text is required by say.').waitFor()
    await checkBothThemes(page, 'what calls to a number begin with', 'number-voice')
    await list.fill('[{"verb": "say", "text": "We are closed."}, {"verb": "hangup"}]')
    await save.click()
    await page.getByText('Calls to +4940123457 start with this from now on.').waitFor()
    const { data } = await api('GET', `/v2/numbers/${made.numberId}/voice`)
    assert.deepEqual(data.instructions, [{ verb: 'say', text: 'We are closed.' }, { verb: 'hangup' }])
    await row(page, '+4940123457')
      .getByRole('button', { name: /^Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Inspect' }).click()
    await dialog(page).getByText('say, hangup', { exact: true }).waitFor()
    t.after(() => api('DELETE', `/v2/numbers/${made.numberId}`))
  })

  test('numbers are filtered in the address, and any number is looked up', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/numbers?kind=short_code' })
    await row(page, '72345').waitFor()
    assert.equal(await row(page, 'Tandem').count(), 0)
    await page.getByLabel('Kind', { exact: true }).selectOption('')
    await row(page, 'Tandem').waitFor()
    await page.getByLabel('Any phone number').fill('+1 500 555 1999')
    await page.keyboard.press('Enter')
    const answer = page.getByRole('region', { name: 'Look up a number' }).getByRole('status')
    await answer.getByText('Opted out', { exact: true }).waitFor()
    await answer
      .getByRole('button', { name: /^Inspect opt_/ })
      .first()
      .click()
    await dialog(page).getByText('Opt-out of +15005551999').waitFor()
    await checkAccessibility(page, { name: 'a number looked up, inspected' })
    await page.keyboard.press('Escape')
    await page.getByLabel('Any phone number').fill('+49 151 23456789')
    await page.getByRole('button', { name: 'Look up' }).click()
    await answer.getByText(/Germany \(DE\)/).waitFor()
    await answer.getByText('mobile').waitFor()
    await screenshot(page, 'numbers-looked-up')
    await page.reload()
    await answer.getByText(/Germany \(DE\)/).waitFor()
  })

  test('a number that another organization has too is verified by the code that comes to it', async t => {
    const { main, other } = portal.t
    const body = { number: '+4940123499' }
    for (const as of [other.tokens.Admin, main.tokens.Admin]) await portal.t.call('POST', '/v2/numbers', { as, body })
    const page = await portal.newPage(t, { allow: [/status of 422/] })
    await portal.logIn(page, { path: '/numbers', mode: 'live' })
    await row(page, '+4940123499').getByText('Not verified').waitFor()
    await row(page, '+4940123499')
      .getByRole('button', { name: /^Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Verify' }).click()
    await dialog(page).getByRole('button', { name: 'Send the code' }).click()
    await dialog(page).getByText('has no carrier or trunk that reaches the number').waitFor()

    const as = main.tokens.Admin
    const carrier = await portal.t.call('POST', '/v2/carriers', { as, body: { ...quietCarrier, enabled: true } })
    t.after(() => portal.t.call('DELETE', `/v2/carriers/${carrier.json.data.carrierId}`, { as }))
    await portal.t.call('POST', '/v2/numbers', { as, body: { number: '+4940123498' } })
    await dialog(page).getByRole('button', { name: 'Send the code' }).click()
    await untilFocused(dialog(page).getByLabel('Code'))
    await checkBothThemes(page, 'verifying a number', 'number-verify')
    const [sent] = await portal.t.ownerSql<{ body: string }>(
      "select body from messages where to_address = '+4940123499'",
    )
    const code = sent?.body.slice(0, 6) ?? ''
    await page.keyboard.type(code === '000000' ? '000001' : '000000')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('is not the code that was sent; 4 more tries').waitFor()
    await dialog(page).getByLabel('Code').fill(code)
    await page.keyboard.press('Enter')
    await page.getByText('+4940123499 is verified.').waitFor()
    await row(page, '+4940123499').getByText('Not verified').waitFor({ state: 'detached' })
  })

  test('a service is created with senders, changed on its page, refused beside the word, and deleted', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/services' })
    await row(page, 'Appointments').waitFor()
    await page.getByRole('button', { name: 'Create a service' }).click()
    await page.keyboard.type('Codes')
    await dialog(page).getByRole('combobox', { name: 'Add a sender' }).fill('72345')
    // Until the numbers are there, Enter takes nothing.
    await dialog(page).getByRole('option').filter({ hasNotText: 'Loading' }).first().waitFor()
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Remove 72345' }).waitFor()
    await screenshot(page, 'service-create')
    await checkAccessibility(page, { name: 'creating a service' })
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Codes' }).waitFor()
    assert.deepEqual(new URL(page.url()).search, '')
    await page.getByText('Resend', { exact: true }).click()
    await page.getByText(/Somebody may get it twice/).waitFor()
    await page.getByLabel('Validity').fill('300')
    const english = page.getByRole('group', { name: 'English' })
    await english.getByLabel('Stop words').fill('STOP, two words!, HELP')
    await english.getByLabel('Help reply').fill('Call us.')
    await page.getByRole('button', { name: 'Save' }).click()
    await english.getByRole('alert').getByText('HELP always means help.').waitFor()
    await untilFocused(english.getByLabel('Stop words'))
    await checkBothThemes(page, 'a service refused', 'service-refused')
    await english.getByLabel('Stop words').fill('STOP, ENOUGH')
    await page.getByLabel('Another language').selectOption('nl')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const dutch = page.getByRole('group', { name: 'Dutch' })
    await dutch.getByLabel('Stop words').fill('STOPPEN')
    await dutch.getByLabel('Start words').fill('DOORGAAN')
    await dutch.getByLabel('Help words').fill('HULP')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Codes was saved/).waitFor()
    const id = page.url().split('/').at(-1) ?? ''
    const { data } = await api('GET', `/v2/messages/services/${id}`)
    assert.deepEqual([data.unknownOutcome, data.validityPeriod], ['resend', 300])
    const [first] = data.keywords
    assert.deepEqual([first.stop.words, first.help.reply], [['STOP', 'ENOUGH'], 'Call us.'])
    assert.equal(data.keywords.at(-1).language, 'nl')
    assert.equal(data.keywords.at(-1).stop.reply, null)
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled(), 'what was saved is still to be saved')
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByLabel(/^Type/).fill('Codes')
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL('**/services')
    await row(page, 'Appointments').waitFor()
    assert.equal(await row(page, 'Codes').count(), 0)
  })

  test('what was typed into a service outlives a look at another page, and is undone at once', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/services/${seeded.service}` })
    await page.getByLabel('Duplicate window').fill('90')
    await goByNavigation(page, 'Opt-outs')
    await page.getByRole('heading', { level: 1, name: 'Opt-outs' }).waitFor()
    // The way led over the first screen of the entry.
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    await page.goBack()
    await page.getByLabel('Duplicate window').waitFor()
    assert.equal(await page.getByLabel('Duplicate window').inputValue(), '90')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    assert.equal(await page.getByLabel('Duplicate window').inputValue(), '60')
  })

  test('saving a service undoes nothing that others changed meanwhile, unless one was shown it', async t => {
    const { data: own } = await api('POST', '/v2/messages/services', { name: 'Shared', duplicateWindow: 60 })
    const { data: number } = await api('POST', '/v2/numbers', { number: '+4940123458' })
    const path = `/v2/messages/services/${own.serviceId}`
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/services/${own.serviceId}` })
    await page.getByLabel('Duplicate window').fill('90')
    await page.getByLabel('Name', { exact: true }).fill('Shared by us')
    await api('PATCH', `/v2/numbers/${number.numberId}`, { serviceId: own.serviceId })
    await api('PATCH', path, { name: 'Shared by them', smartEncoding: true })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('changed this meanwhile: Name.').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Shared by us')
    assert.equal((await api('GET', path)).data.duplicateWindow, 60)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Shared by us was saved/).waitFor()
    const { data } = await api('GET', path)
    assert.deepEqual(
      [data.name, data.duplicateWindow, data.smartEncoding, data.senders],
      ['Shared by us', 90, true, [number.numberId]],
    )
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  test('an opt-out is added by hand with the keyboard alone, and appears by itself when somebody says STOP', async t => {
    const page = await portal.newPage(t)
    const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream' && answer.ok())
    // The list comes late: what is typed meanwhile is not taken for a sender of its own.
    const late = Promise.withResolvers<void>()
    await page.route(
      url => url.pathname === '/v2/messages/services',
      async route => {
        await late.promise
        await route.continue()
      },
    )
    await portal.logIn(page, { path: '/opt-outs' })
    await stream
    await row(page, '+1 500 555 1999').first().waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Create an opt-out' }))
    await page.keyboard.press('Enter')
    await untilFocused(dialog(page).getByLabel('Recipient'))
    await page.keyboard.type('+1 500 555 1998')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Appoint')
    await dialog(page).getByRole('option', { name: 'Loading…' }).waitFor()
    await page.keyboard.press('Enter')
    // Moving the focus scrolls a dialog, and the event of it comes a frame later: nothing has moved since the list was opened.
    await dialog(page).evaluate(frame => frame.dispatchEvent(new Event('scroll')))
    late.resolve()
    await dialog(page).getByRole('option', { name: 'Appointments' }).waitFor()
    await screenshot(page, 'opt-out-form')
    await checkAccessibility(page, { name: 'adding an opt-out' })
    await page.keyboard.press('Enter')
    await tabTo(page, dialog(page).getByRole('button', { name: 'Create', exact: true }))
    await page.keyboard.press('Enter')
    await row(page, '+1 500 555 1998').getByRole('link', { name: 'Appointments' }).waitFor()
    await api('POST', '/v2/test/inbound', { from: '+15005551997', to: '+15005550006', body: 'arrêt' })
    await row(page, '+1 500 555 1997').getByRole('cell', { name: 'The word ARRET' }).waitFor()
    await takePictures(page, 'opt-outs')
  })

  test('an Admin removes an opt-out, a Sales Manager may not, a Sales Executive only reads', async t => {
    await api('POST', '/v2/messages/opt-outs', { scope: seeded.service, recipient: '+15005551996' })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/opt-outs?recipient=%2B15005551996', role: 'Sales Manager' })
    await row(page, '+1 500 555 1996').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Create an opt-out' }).count(), 1)
    const reader = await portal.newPage(t)
    await portal.logIn(reader, { path: '/opt-outs', role: 'Sales Executive' })
    await row(reader, '+1 500 555 1996').waitFor()
    assert.equal(await reader.getByRole('button', { name: 'Create an opt-out' }).count(), 0)
    await reader.goto(`/services/${seeded.service}`)
    await reader.getByText('Sticky sender').waitFor()
    assert.equal(await reader.getByRole('button', { name: 'Save' }).count(), 0)
    await reader.goto('/numbers')
    await row(reader, 'Tandem').getByRole('button', { name: 'Inspect Tandem' }).click()
    await dialog(reader).getByText('Sender id').waitFor()
    const admin = await portal.newPage(t)
    await portal.logIn(admin, { path: '/opt-outs?recipient=%2B15005551996' })
    await admin.getByRole('button', { name: 'Remove the opt-out of +1 500 555 1996' }).click()
    await dialog(admin).getByLabel(/^Type/).fill('+15005551996')
    await dialog(admin).getByRole('button', { name: 'Remove', exact: true }).click()
    await admin.getByText('+1 500 555 1996 can get texts again.').waitFor()
    await admin.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
  })

  test('on a telephone the forms of numbers and services fit', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/numbers' })
    await page.getByRole('button', { name: 'Add a number' }).first().click()
    await dialog(page).waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'number-form-telephone')
    await page.goto(`/services/${seeded.service}`)
    await screenReady(page)
    await page.getByRole('group', { name: 'English' }).waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'service-telephone')
    await checkAccessibility(page, { name: 'a service on a telephone' })
  })
})
