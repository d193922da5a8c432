// Screens where there is nothing to show: an empty organization, an id or address that is not there, a role that may not see
// it, a server that does not answer. Each says so in words, offers a way on, and is for everybody.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  checkAccessibility,
  chromiumMissing,
  goByNavigation,
  noHorizontalScroll,
  screenReady,
  screenshot,
} from './browser.ts'
import { everyScreen, mainScreens, modeOf, narrow, screensForTests, wide } from './every_screen.ts'

describe('screens without anything to show', { skip: chromiumMissing }, () => {
  const screens = screensForTests()

  for (const screen of mainScreens) {
    test(`${screen.id} in an empty organization says what to do next`, async t => {
      const page = await screens.visit(t, screen.path, { ...narrow, organization: 'other', mode: modeOf(screen) })
      await noHorizontalScroll(page, `${screen.id}, empty`)
      await screenshot(page, `${screen.id}-empty`)
      await checkAccessibility(page, { name: `${screen.id}, empty` })
      assert.equal(await page.title(), `${screen.name} · Tandem`)
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
    conference: '/conferences/conf_00000000000000000000000000',
    user: '/users/999999999',
    role: '/roles/rol_00000000000000000000000000',
    team: '/teams/team_00000000000000000000000000',
    lead: '/leads/999999999',
    invoice: '/invoices/999999999',
    import: '/imports/imp_00000000000000000000000000',
    change: '/imports/bat_00000000000000000000000000',
    request: '/logs/req_00000000000000000000000000',
    webhook: '/webhooks/whk_00000000000000000000000000',
    delivery: '/webhooks/deliveries/dlv_00000000000000000000000000',
    'error code': '/errors/no_such_code',
    endpoint: '/explorer/v2/messaging/no-such-endpoint',
    address: '/no/such/page',
  }
  for (const [name, path] of Object.entries(missing)) {
    test(`a ${name} that is not there: said in words, with a way on`, async t => {
      const page = await screens.visit(t, path, { ...wide, allow: [/status of 404/] })
      const main = page.getByRole('main')
      const words =
        /not found|no such|does not exist|doesn’t exist|isn’t one of|is gone|no longer|there is no|could not be loaded|unknown/i
      await main.getByText(words).first().waitFor()
      await main.getByRole('link').or(main.getByRole('button')).first().waitFor()
      await screenshot(page, `missing-${name}`)
      await checkAccessibility(page, { name: `missing ${name}` })
    })
  }

  for (const [role, ids] of [
    ['Sales Executive', ['invoices', 'webhooks', 'invoice', 'webhook', 'users', 'user', 'roles', 'role']],
    ['Finance Manager', ['leads', 'callbacks', 'lead', 'delivery']],
  ] as const) {
    test(`a ${role} reads in words that ${ids.join(' and ')} are not for them`, async t => {
      for (const id of ids) {
        const screen = everyScreen.find(screen => screen.id === id)
        assert.ok(screen !== undefined)
        const page = await screens.visit(t, screens.addressOf(screen), { ...wide, role, allow: [/status of 403/] })
        const text = await page.getByRole('main').innerText()
        assert.match(text, /role|permission|not allowed|may not/i, `${id}: ${text.slice(0, 300)}`)
        await checkAccessibility(page, { name: `${id} as ${role}` })
      }
    })
  }

  for (const role of ['Sales Manager', 'Sales Executive', 'Finance Manager'] as const) {
    test(`every screen stands for a ${role}`, async t => {
      for (const screen of mainScreens) {
        const visitor = { ...wide, role, mode: modeOf(screen), allow: [/status of 403/] }
        const page = await screens.visit(t, screen.path, visitor)
        assert.equal(await page.title(), `${screen.name} · Tandem`)
      }
    })
  }

  test('a server that cannot be reached is reported, and trying again works once it can', async t => {
    const page = await screens.portal.newPage(t, { ...wide, allow: [/ERR_CONNECTION_FAILED|Failed to load/] })
    await screens.portal.logIn(page)
    await page.route('**/v2/messages**', route => route.abort('connectionfailed'))
    await goByNavigation(page, 'Messages')
    await page.getByRole('alert').waitFor()
    await checkAccessibility(page, { name: 'server not reached' })
    await page.unroute('**/v2/messages**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('main').getByRole('table').waitFor()
    await screenReady(page)
    assert.equal(await page.getByRole('alert').count(), 0)
  })
})
