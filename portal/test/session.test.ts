// The session of a person: in by the form, kept by a cookie no script can read, renewed in time, out everywhere; and the
// switch between live and test data, which must never be in doubt.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { testPassword } from '../../server/test/harness.ts'
import {
  checkBothThemes,
  chromiumMissing,
  goByNavigation,
  headingOf,
  portalForTests,
  screenReady,
  startOf,
  tabTo,
  testBanner,
} from './browser.ts'

describe('the session in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  const email = () => portal.t.main.users['Sales Manager'].email
  const identifier = (page: Page) => page.getByLabel('Email or admin ID')
  const password = (page: Page) => page.getByLabel('Password')
  const start = (page: Page) => page.getByRole('heading', { level: 1, name: headingOf(startOf('workspace')) })
  const loginHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Log in' })

  async function logInByForm(page: Page, word = testPassword): Promise<void> {
    await identifier(page).fill(email())
    await password(page).fill(word)
    await page.getByRole('button', { name: 'Log in' }).click()
  }

  async function logOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await loginHeading(page).waitFor()
  }

  test('who is not logged in comes to the form, and from there to where they wanted to go', async t => {
    const page = await portal.newPage(t)
    await page.goto('/messages?status=failed')
    await loginHeading(page).waitFor()
    assert.equal(new URL(page.url()).pathname, '/login')
    assert.equal(await page.getByRole('alert').count(), 0, 'nothing is wrong, but the form says so')
    await logInByForm(page)
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    assert.equal(new URL(page.url()).search, '?status=failed')
  })

  test('a wrong password is reported, and nothing typed is lost: it can be corrected', async t => {
    const page = await portal.newPage(t, { allow: [/status of 401.*\/portal\/session/] })
    await page.goto('/login')
    await logInByForm(page, 'wrong horse')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    assert.match(await alert.innerText(), /password/i)
    assert.equal(await identifier(page).inputValue(), email())
    await checkBothThemes(page, 'login refused')
    await password(page).fill(testPassword)
    await page.keyboard.press('Enter')
    await start(page).waitFor()
  })

  test('the form works with the keyboard alone, and password managers know its fields', async t => {
    const page = await portal.newPage(t)
    await page.goto('/login')
    assert.equal(await identifier(page).getAttribute('autocomplete'), 'username webauthn')
    assert.equal(await password(page).getAttribute('autocomplete'), 'current-password')
    await tabTo(page, identifier(page))
    await page.keyboard.type(email())
    await tabTo(page, password(page))
    await page.keyboard.type(testPassword)
    await tabTo(page, page.getByRole('button', { name: 'Log in' }))
    await page.keyboard.press('Enter')
    await start(page).waitFor()
  })

  test('the login leads to addresses of the portal only', async t => {
    for (const next of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
      '/login',
    ]) {
      const page = await portal.newPage(t)
      await page.goto(`/login?next=${encodeURIComponent(next)}`)
      await logInByForm(page)
      await page.waitForURL(url => url.pathname !== '/login')
      assert.equal(new URL(page.url()).origin, portal.address, next)
      await page.close()
    }
  })

  test('a reload keeps the session by a cookie that scripts cannot read and the API does not get', async t => {
    const page = await portal.newPage(t)
    await page.goto('/')
    await logInByForm(page)
    await start(page).waitFor()
    await page.reload()
    await start(page).waitFor()
    const cookies = await page.context().cookies(`${portal.address}/portal/session`)
    assert.ok(cookies.length > 0)
    for (const { httpOnly, sameSite, path } of cookies) {
      assert.deepEqual({ httpOnly, sameSite, path }, { httpOnly: true, sameSite: 'Strict', path: '/portal/session' })
    }
    assert.deepEqual(await page.context().cookies(`${portal.address}/v2/messages`), [])
    assert.equal(await page.evaluate(() => document.cookie), '')
  })

  test('nothing is stored but choices of the reader', async t => {
    const page = await portal.newPage(t)
    await page.goto('/')
    await logInByForm(page)
    await start(page).waitFor()
    const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
    const choices = /^tandem\.((mode|side)(\.\d+)?|locale|theme|shortcuts)$|^tsr-scroll-restoration/
    assert.deepEqual(
      kept.filter(name => !choices.test(name)),
      [],
    )
  })

  test('logging out ends the session here, in other tabs, and on the server', async t => {
    const page = await portal.newPage(t)
    let token = ''
    page.on('request', request => {
      token = request.headers()['authorization']?.replace('Bearer ', '') ?? token
    })
    await portal.logIn(page, { path: '/messages' })
    await goByNavigation(page, 'Leads')
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
    const other = await portal.newPage(t, { beside: page })
    await other.goto('/calls')
    await screenReady(other)
    assert.equal((await portal.t.call('GET', '/v1/api/auth/me', { as: token })).status, 200)
    await logOut(page)
    assert.equal((await portal.t.call('GET', '/v1/api/auth/me', { as: token })).status, 401)
    await page.goBack()
    await loginHeading(page).waitFor()
    await other.reload()
    await loginHeading(other).waitFor()
  })

  test('a session that was ended elsewhere leads to the form, says so, and comes back to the same place', async t => {
    const page = await portal.newPage(t, { allow: [/status of 401/] })
    await portal.logIn(page, { role: 'Sales Manager' })
    const gone = await page.context().request.delete('/portal/session', { headers: { 'x-tandem-portal': '1' } })
    assert.equal(gone.status(), 204)
    await goByNavigation(page, 'Leads')
    await loginHeading(page).waitFor()
    assert.match(await page.getByRole('alert').innerText(), /session has ended/i)
    await logInByForm(page)
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
  })

  test('the access token is renewed before it ends, without anybody noticing', async t => {
    const page = await portal.newPage(t)
    await page.clock.install()
    await portal.logIn(page)
    const asked: string[] = []
    const refused: string[] = []
    page.on('request', request => void asked.push(new URL(request.url()).pathname))
    page.on('response', response => void (response.status() === 401 && refused.push(response.url())))
    portal.t.clock.advance(59 * 60_000)
    await page.clock.fastForward(59 * 60_000)
    await goByNavigation(page, 'Messages')
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    await screenReady(page)
    const renewed = asked.indexOf('/portal/session/refresh')
    assert.ok(renewed !== -1 && renewed < asked.indexOf('/v2/messages'), asked.join(' '))
    assert.equal(asked.filter(path => path === '/portal/session/refresh').length, 1)
    assert.deepEqual(refused, [])
  })

  test('test and live are distinguished by word and colour, kept over a reload, and never mixed', async t => {
    const lead = { name: 'Only Live', email: 'only.live@example.com' }
    await portal.t.call('POST', '/v1/api/leads', { as: portal.t.main.liveKey, body: lead })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/leads' })
    const isLive = () => page.getByRole('radio', { name: 'Live' }).isChecked()
    await testBanner(page).getByText('TEST', { exact: true }).waitFor()
    assert.ok(await page.getByRole('radio', { name: 'Test' }).isChecked())
    const ground = (of: Locator) => of.evaluate(element => getComputedStyle(element).backgroundColor)
    assert.notEqual(await ground(testBanner(page)), await ground(page.locator('body')), 'it has no colour of its own')
    await page.getByText('Only Live').waitFor({ state: 'detached' })
    await page.getByRole('group', { name: 'Mode' }).getByText('Live', { exact: true }).click()
    await page.getByText('Only Live').first().waitFor()
    assert.ok(await isLive())
    assert.equal(await testBanner(page).count(), 0)
    await page.reload()
    await page.getByText('Only Live').first().waitFor()
    assert.ok(await isLive())
    await checkBothThemes(page, 'live mode')
    await page.getByRole('group', { name: 'Mode' }).getByText('Test', { exact: true }).click()
    await page.setViewportSize({ width: 390, height: 844 })
    assert.ok(await testBanner(page).getByText('TEST', { exact: true }).isVisible(), 'on a telephone the word is gone')
    await checkBothThemes(page, 'test mode on a telephone')
    await testBanner(page).getByRole('button', { name: 'Go to live data' }).click()
    await testBanner(page).waitFor({ state: 'detached' })
  })

  test('the mode is switched with the keyboard alone', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await tabTo(page, page.getByRole('radio', { name: 'Test' }))
    await page.keyboard.press('ArrowRight')
    await testBanner(page).waitFor({ state: 'detached' })
    assert.ok(await page.getByRole('radio', { name: 'Live' }).isChecked())
  })
})
