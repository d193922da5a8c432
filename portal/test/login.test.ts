// The way in: what the form says when it is refused, how long one waits after too many attempts, and where it leads on to,
// which is never another origin.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../../server/test/harness.ts'
import { safeNext } from '../src/login/next.ts'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  goByNavigation,
  headingOf,
  noHorizontalScroll,
  portalForTests,
  startOf,
  tabTo,
  untilFocused,
} from './browser.ts'

test('where the login leads to is checked as a browser reads addresses', () => {
  const origin = 'https://crm.example'
  const kept = ['/', '/messages?status=failed', '/explorer/v2/messaging/post-messages-sms#errors', '/login2']
  for (const next of kept) assert.equal(safeNext(next, origin), next)
  const refused = [
    undefined,
    '',
    'messages',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/login',
    '/login?next=/messages',
  ]
  for (const next of refused) assert.equal(safeNext(next, origin), '/', String(next))
})

describe('logging in to the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  const identifier = (page: Page) => page.getByLabel('Email or admin ID')
  const password = (page: Page) => page.getByLabel('Password')
  const submit = (page: Page) => page.getByRole('button', { name: /^(Log in$|Try again in)/ })

  async function logIn(page: Page, email: string, word = testPassword): Promise<void> {
    await identifier(page).fill(email)
    await password(page).fill(word)
    await page.keyboard.press('Enter')
  }

  test('who never chose a mode is shown the one in which the records are', async t => {
    const { main, other } = portal.t
    const body = { name: 'Ada Lovelace', email: 'ada@example.com' }
    const as = other.tokens.Admin
    const { json } = await portal.t.call('POST', '/v1/api/leads', { as, body })
    t.after(() => portal.t.call('DELETE', `/v1/api/leads/${json.lead.id}`, { as }))
    const seen = async ({ users }: typeof main) => {
      const page = await portal.newPage(t)
      await page.goto('/login?next=%2Fleads')
      await logIn(page, users.Admin.email)
      await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
      return page.getByRole('group', { name: 'Mode' }).getByRole('radio', { checked: true }).inputValue()
    }
    assert.deepEqual([await seen(other), await seen(main)], ['live', 'test'])
  })

  test('a wrong password is reported, and the keyboard is where it can be corrected', async t => {
    const { email } = portal.t.main.users['Sales Manager']
    const page = await portal.newPage(t, { allow: [/status of 401/], width: 390, height: 844 })
    await page.goto('/login')
    await identifier(page).waitFor()
    await untilFocused(identifier(page))
    await noHorizontalScroll(page)
    await logIn(page, email, 'wrong horse')
    await page
      .getByRole('alert')
      .getByText(/password is wrong/)
      .waitFor()
    await noHorizontalScroll(page)
    assert.equal(await identifier(page).inputValue(), email)
    await untilFocused(password(page))
    await checkBothThemes(page, 'login refused', 'login-refused')
    // What was wrong is selected: typing replaces it.
    await page.keyboard.type(testPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: headingOf(startOf('workspace')) }).waitFor()
  })

  test('after too many attempts the form says for how many seconds, counts them down, and works again', async t => {
    const { email } = portal.t.main.users['Sales Executive']
    const page = await portal.newPage(t, { allow: [/status of (401|429)/] })
    await page.goto('/login')
    const refusals = ['invalid_credentials', 'login_throttled']
    let code = ''
    for (let attempt = 0; attempt < 20 && code !== 'login_throttled'; attempt++) {
      const answer = page.waitForResponse(response => response.url().endsWith('/portal/session'))
      await logIn(page, email, `wrong ${attempt}`)
      code = (await (await answer).json()).error.code
      assert.ok(refusals.includes(code), code)
    }
    assert.equal(code, 'login_throttled')
    await page
      .getByRole('alert')
      .getByText(/Too many failed attempts/)
      .waitFor()
    assert.match(await submit(page).innerText(), /^Try again in \d+ s$/)
    assert.ok(await submit(page).isDisabled())
    await checkAccessibility(page, { name: 'login throttled' })
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
    await logIn(page, email)
    await page.getByRole('heading', { level: 1, name: headingOf(startOf('workspace')) }).waitFor()
  })

  test('a server that is not reached is reported', async t => {
    const page = await portal.newPage(t, { allow: [/ERR_CONNECTION_FAILED|Failed to load/] })
    await page.goto('/login')
    await page.route('**/portal/session', route => route.abort('connectionfailed'))
    await logIn(page, portal.t.main.users.Admin.email)
    await page
      .getByRole('alert')
      .getByText(/can’t reach the server/)
      .waitFor()
  })

  test('it leads back to where one was, with filters and open drawer', async t => {
    const page = await portal.newPage(t)
    await page.goto('/messages?status=failed&to=%2B15005550101')
    await page.waitForURL('**/login**')
    await tabTo(page, identifier(page))
    await logIn(page, portal.t.main.users.Admin.email)
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    const { pathname, searchParams } = new URL(page.url())
    assert.equal(pathname, '/messages')
    assert.equal(searchParams.get('status'), 'failed')
    assert.equal(searchParams.get('to'), '+15005550101')
    await page.goBack()
    await page.waitForTimeout(200)
    assert.notEqual(new URL(page.url()).pathname, '/login', 'going back shows the form to who is logged in')
  })

  test('it leads to no other origin, whatever the link says', async t => {
    for (const next of ['//evil.example/', '/\\evil.example', '/\t/evil.example', 'https://evil.example/']) {
      const page = await portal.newPage(t)
      await page.goto(`/login?next=${encodeURIComponent(next)}`)
      await logIn(page, portal.t.main.users.Admin.email)
      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
      assert.equal(new URL(page.url()).origin, portal.address)
      await page.close()
    }
  })

  test('nobody sees on the next login what another person was shown', async t => {
    await portal.t.call('POST', '/v1/api/leads', {
      as: portal.t.main.testKey,
      body: { name: 'Of the first organization', email: 'first@example.com' },
    })
    const page = await portal.newPage(t)
    await page.goto('/leads')
    await logIn(page, portal.t.main.users.Admin.email)
    await page.getByRole('link', { name: 'Open Of the first organization' }).waitFor()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await identifier(page).waitFor()
    await logIn(page, portal.t.other.users.Admin.email)
    await goByNavigation(page, 'Leads')
    await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  })
})
