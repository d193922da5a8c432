// Screens where there is nothing to show: an empty organization, an id or address that is not there, a server that does not
// answer. Each says so in words, offers a way on, and is for everybody.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAccessibility, chromiumMissing, noHorizontalScroll, screenReady, screenshot } from './browser.ts'
import { mainScreens, narrow, screensForTests, wide } from './every_screen.ts'

describe('screens without anything to show', { skip: chromiumMissing }, () => {
  const screens = screensForTests()

  for (const screen of mainScreens) {
    test(`${screen.id} in an empty organization says what to do next`, async t => {
      const page = await screens.portal.newPage(t, narrow)
      await screens.open(page, screen, { organization: 'other' })
      await noHorizontalScroll(page, `${screen.id}, empty`)
      await screenshot(page, `${screen.id}-empty`)
      await checkAccessibility(page, { name: `${screen.id}, empty` })
      assert.equal(await page.getByRole('alert').count(), 0, 'it shows an error where nothing is wrong')
      const words = (await page.getByRole('main').innerText()).trim()
      assert.ok(words.length > screen.name.length + 10, `it shows nothing but "${words}"`)
    })
  }

  const missing: Record<string, string> = {
    message: '/messages/msg_00000000000000000000000000',
    service: '/services/msv_00000000000000000000000000',
    carrier: '/carriers/car_00000000000000000000000000',
    trunk: '/trunks/trk_00000000000000000000000000',
    call: '/calls/call_00000000000000000000000000',
    lead: '/leads/999999999',
    invoice: '/invoices/999999999',
    request: '/logs/req_00000000000000000000000000',
    webhook: '/webhooks/whk_00000000000000000000000000',
    delivery: '/webhooks/deliveries/dlv_00000000000000000000000000',
    'error code': '/errors/no_such_code',
    endpoint: '/explorer/v2/messaging/no-such-endpoint',
    address: '/no/such/page',
  }
  for (const [name, path] of Object.entries(missing)) {
    test(`a ${name} that is not there: said in words, with a way on`, async t => {
      const page = await screens.portal.newPage(t, { ...wide, allow: [/status of 404/] })
      await screens.portal.logIn(page, { path })
      const main = page.getByRole('main')
      const words = /not found|no such|does not exist|is gone|no longer|there is no|could not be loaded|unknown/i
      await main.getByText(words).first().waitFor()
      await main.getByRole('link').or(main.getByRole('button')).first().waitFor()
      await screenshot(page, `missing-${name}`)
      await checkAccessibility(page, { name: `missing ${name}` })
    })
  }

  test('a server that cannot be reached is told, and trying again works once it can', async t => {
    const page = await screens.portal.newPage(t, { ...wide, allow: [/ERR_CONNECTION_FAILED|Failed to load/] })
    await screens.portal.logIn(page)
    await page.route('**/v2/messages**', route => route.abort('connectionfailed'))
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click()
    await page.getByRole('alert').waitFor()
    await checkAccessibility(page, { name: 'server not reached' })
    await page.unroute('**/v2/messages**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('main').getByRole('table').waitFor()
    await screenReady(page)
    assert.equal(await page.getByRole('alert').count(), 0)
  })
})
