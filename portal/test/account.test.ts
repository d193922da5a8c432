// A person's account in the portal: a password of one's own at the first login, a second factor with the keyboard, what is worth a fresh
// proof, sessions to end, and the way to another organization.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeOf, logIn, ownPassword, somebody, strongSomebody, tokenMailed } from '../../server/test/people.ts'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests, screenReady } from './browser.ts'

describe('accounts in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const dialog = (page: Page) => page.getByRole('dialog')
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })

  async function enter(page: Page, email: string, password = ownPassword): Promise<void> {
    await page.goto('/login?next=/account')
    await page.getByLabel('Email or admin ID').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
  }

  test('a password that somebody else set is followed by one of their own', async t => {
    const body = { email: 'first@example.com', name: 'First', role: 'Sales Manager' }
    const { json } = await portal.t.call('POST', '/v1/api/users', { as: portal.t.main.tokens.Admin, body })
    const page = await portal.newPage(t, { allow: [/status of 4(00|03|22)/] })
    await enter(page, body.email, json.generatedPassword)
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await checkBothThemes(page, 'choosing a password', 'login-password')
    await page.getByLabel('New password').fill('too short')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/at least 15 characters/)
      .waitFor()
    await page.getByLabel('New password').fill('seven brass lanterns drift')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
  })

  test('an app is added, its codes are asked for at the next login, and a browser that is trusted is not asked', async t => {
    const { email } = await somebody(portal.t)
    const page = await portal.newPage(t, { allow: [/status of 4(01|22)/] })
    await enter(page, email)
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    await screenReady(page)
    await checkBothThemes(page, 'the account', 'account')
    await noHorizontalScroll(page)
    await button(page, 'Add an authenticator app').click()
    const secret = (await dialog(page).locator('code').innerText()).replaceAll(' ', '')
    await dialog(page).getByRole('img', { name: 'QR code for the app' }).waitFor()
    await checkBothThemes(page, 'adding an app', 'account-app')
    await dialog(page).getByLabel('Code from the app').fill('000000')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('alert').waitFor()
    await dialog(page).getByLabel('Code from the app').fill(codeOf(portal.t, secret))
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Your recovery codes').waitFor()
    const codes = (await dialog(page).locator('code').innerText()).split('\n')
    assert.equal(codes.length, 10)
    await dialog(page).getByLabel('I’ve stored it safely').check()
    await button(page, 'Done').click()
    await page.getByText('10 recovery codes left').waitFor()

    await button(page, /^Account of/).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await enter(page, email)
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
    await checkBothThemes(page, 'the second factor', 'login-factor')
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codes[0] as string)
    await page.getByLabel('Trust this browser').check()
    await page.getByLabel('Code', { exact: true }).press('Enter')
    await page.getByText('9 recovery codes left').waitFor()

    await button(page, /^Account of/).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await enter(page, email)
    await page.getByText('9 recovery codes left').waitFor()
  })

  test('a second factor is renamed, to know it from others', async t => {
    const { email, secret } = await strongSomebody(portal.t)
    const page = await portal.newPage(t, { allow: [/status of 401/] })
    await enter(page, email)
    await page.getByLabel('Code', { exact: true }).fill(codeOf(portal.t, secret, 1))
    await page.keyboard.press('Enter')
    await button(page, 'Rename Authenticator app').click()
    const rename = dialog(page).getByRole('button', { name: 'Rename', exact: true })
    assert.ok(await rename.isDisabled(), 'nothing was changed')
    await dialog(page).getByLabel('Name').fill('  ')
    assert.ok(await rename.isDisabled(), 'nothing is no name')
    await dialog(page).getByLabel('Name').fill('Work phone')
    await checkBothThemes(page, 'renaming a second factor', 'account-factor-name')
    await page.keyboard.press('Enter')
    await page.getByText('It’s now called Work phone.').waitFor()
    await button(page, 'Remove Work phone').waitFor()
  })

  test('an app that the organization asks for is set up at the first login, which shows its recovery codes', async t => {
    const { organizationId, tokens } = portal.t.other
    const body = { email: 'set.up@example.com', name: 'Set Up', role: 'Sales Manager' }
    const { json } = await portal.t.call('POST', '/v1/api/users', { as: tokens.Admin, body })
    await portal.t.ownerSql(
      'insert into security_policies (organization_id, require_second_factor) values ($1, true) on conflict (organization_id) do update set require_second_factor = true',
      [organizationId],
    )
    t.after(() =>
      portal.t.ownerSql('update security_policies set require_second_factor = false where organization_id = $1', [
        organizationId,
      ]),
    )
    const page = await portal.newPage(t, { allow: [/status of 4(01|03)/] })
    await enter(page, body.email, json.generatedPassword)
    await page.getByLabel('New password').fill('seven brass lanterns drift')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Set up two-step login' }).waitFor()
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
    await page.getByLabel('Code', { exact: true }).fill(codeOf(portal.t, secret))
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Your recovery codes').waitFor()
    assert.equal((await dialog(page).locator('code').innerText()).split('\n').length, 10)
    await checkBothThemes(page, 'recovery codes at a login', 'login-codes')
    await dialog(page).getByLabel('I’ve stored it safely').check()
    await button(page, 'Done').click()
    await page.getByText('10 recovery codes left').waitFor()
  })

  test('what is worth a fresh proof asks for it, and is then done by itself', async t => {
    const { email, secret } = await strongSomebody(portal.t)
    const page = await portal.newPage(t, { allow: [/status of 4(01|22)/] })
    await enter(page, email)
    await page.getByLabel('Code', { exact: true }).fill(codeOf(portal.t, secret, 1))
    await page.keyboard.press('Enter')
    await page.getByText('10 recovery codes left').waitFor()
    await portal.t.ownerSql(
      `update sessions set auth_at = now() - interval '1 day', factor_at = now() - interval '1 day'
       where user_id in (select id from users where email = $1)`,
      [email],
    )
    portal.t.app.services.authenticator.forget()
    portal.t.clock.advance(60_000)
    const before = new Map((await page.context().cookies()).map(({ name, value }) => [name, value]))
    await button(page, 'Remove Authenticator app').click()
    await dialog(page).getByText('Confirm it’s you').waitFor()
    await checkBothThemes(page, 'the fresh proof', 'account-proof')
    await dialog(page).getByLabel('Code from your app, or a recovery code').fill('000000')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('alert').waitFor()
    await dialog(page)
      .getByLabel('Code from your app, or a recovery code')
      .fill(codeOf(portal.t, secret, 1))
    await page.keyboard.press('Enter')
    await page.getByText('Authenticator app was removed.').waitFor()
    const kept = (await page.context().cookies()).filter(({ name }) => /_(live|test)$/.test(name))
    assert.equal(kept.length, 2)
    for (const { name, value } of kept) assert.notEqual(value, before.get(name), name)
    await page.getByText('Only your password protects your account').waitFor()
  })

  test('other sessions are seen and ended; the password is changed with the present one', async t => {
    const { email, as } = await somebody(portal.t)
    const page = await portal.newPage(t, { allow: [/status of 4(00|22)/] })
    await enter(page, email)
    await page.getByText('This one').waitFor()
    await button(page, 'Log out everywhere else').click()
    await page.getByText('All other sessions were ended.').waitFor()
    assert.equal((await portal.t.call('GET', '/v2/users/me', { as })).status, 401)
    await button(page, 'Change password').click()
    await dialog(page).getByLabel('Current password').fill('not mine')
    await dialog(page).getByLabel('New password').fill('seven brass lanterns drift')
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByText(/is not the password/i)
      .waitFor()
    await dialog(page).getByLabel('Current password').fill(ownPassword)
    await page.keyboard.press('Enter')
    await page.getByText(/Your password was changed/).waitFor()
    assert.equal((await logIn(portal.t, email)).code, 'invalid_credentials')
  })

  test('a forgotten password is set again by the link of a mail, whose token stays in no address', async t => {
    const { email, as } = await somebody(portal.t)
    const page = await portal.newPage(t, { allow: [/status of 4(00|10|22)/] })
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    await checkBothThemes(page, 'a forgotten password', 'reset')
    await page.getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .getByText(/a link is on its way/)
      .waitFor()
    const token = await tokenMailed(portal.t, email)
    await page.goto(`/reset#${token}`)
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    assert.ok(!page.url().includes(token))
    await page.getByLabel('New password').fill('too short')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('New password').fill('seven brass lanterns drift')
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .getByText(/Your password is changed/)
      .waitFor()
    assert.equal((await portal.t.call('GET', '/v2/users/me', { as })).status, 401)
    assert.equal((await logIn(portal.t, email, { password: 'seven brass lanterns drift' })).success, true)
  })

  test('an invitation is accepted with a new account, or with that of its address and no other', async t => {
    const invite = async (email: string) => {
      const body = { email, role: 'Finance Manager' }
      const { json } = await portal.t.call('POST', '/v2/invitations', { as: portal.t.other.tokens.Admin, body })
      return new URL(json.data.acceptUrl).hash
    }
    const page = await portal.newPage(t, { allow: [/status of 4(00|10|22)/] })
    await page.goto(`/invite${await invite('invited@example.com')}`)
    await page.getByRole('heading', { name: 'Join Other Company' }).waitFor()
    assert.ok(!page.url().includes('#'))
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill('too short')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await checkBothThemes(page, 'accepting an invitation', 'invite')
    await page.getByLabel('Password').fill('seven brass lanterns drift')
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .getByText(/You’re in/)
      .waitFor()

    const { email } = await somebody(portal.t)
    await enter(page, email)
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    await page.goto(`/invite${await invite('another@example.com')}`)
    await page.getByText(/the invitation is for another@example.com/).waitFor()
    assert.equal(await button(page, 'Accept').count(), 0)
    await page.goto('/')
    await page.goto(`/invite${await invite(email)}`)
    await button(page, 'Accept').click()
    await button(page, /^Organization: /).waitFor()
  })

  test('who is in two organizations goes to the other by the menu, and begins again there', async t => {
    const { email } = await somebody(portal.t)
    const { t: app } = portal
    await app.sql(
      `insert into users (organization_id, account_id, email, name, role)
       select $1, id, email, name, 'Finance Manager' from accounts where email = $2`,
      [app.other.organizationId, email],
    )
    const page = await portal.newPage(t)
    await enter(page, email)
    await screenReady(page)
    await button(page, 'Organization: Example Company').click()
    await page.getByRole('menuitem', { name: 'Other Company, Finance Manager' }).click()
    await button(page, 'Organization: Other Company').waitFor()
  })
})
