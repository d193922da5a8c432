// Users in the portal: an Admin makes one with a password shown once, changes name, e-mail, role and password, disables and enables;
// the only Admin keeps the role; others read, or are offered nothing.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../../server/test/harness.ts'
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

describe('users in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  const dialog = (page: Page) => page.getByRole('dialog')
  const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const open = (page: Page, name: string) => page.getByRole('link', { name: `Open ${name}`, exact: true })
  const fact = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Details' }).getByText(text, { exact: true })
  const api = (method: string, path: string, body?: unknown) =>
    portal.t.call(method, `/v1/api/users${path}`, { as: portal.t.main.liveKey, body })
  const logInAs = async (email: string, password: string) =>
    (await portal.t.call('POST', '/v1/api/auth/login', { body: { emailOrAdminId: email, password } })).status

  async function create(name: string, more: object = {}): Promise<{ id: number; email: string }> {
    const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}@example.com`
    const body = { name, email, role: 'Sales Executive', password: testPassword, temporaryPassword: false, ...more }
    const answer = await api('POST', '', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.json.user
  }

  test('a user is created with the keyboard: refused beside the field, nothing lost, the password shown once', async t => {
    const page = await portal.newPage(t, { allow: [/status of 4(00|09|22)/] })
    await portal.logIn(page, { path: '/users' })
    await tabTo(page, button(page, 'Create a user'))
    await page.keyboard.press('Enter')
    await untilFocused(dialog(page).getByLabel('Name', { exact: true }))
    await page.keyboard.type('Grace Hopper')
    await page.keyboard.press('Tab')
    await page.keyboard.type(portal.t.main.users['Sales Manager'].email)
    await dialog(page).getByLabel('Role', { exact: true }).selectOption('Finance Manager')
    await dialog(page).getByText('What the Finance Manager role allows').click()
    await dialog(page).getByText('Record payments on invoices.').waitFor()
    await page.keyboard.press('Enter')
    await dialog(page).getByText('What the Finance Manager role allows').click()
    await dialog(page).getByLabel('Email').press('Enter')
    await dialog(page)
      .getByRole('alert')
      .getByText(/the e-mail of another account/)
      .waitFor()
    await untilFocused(dialog(page).getByLabel('Email'))
    assert.equal(await dialog(page).getByLabel('Name', { exact: true }).inputValue(), 'Grace Hopper')
    assert.equal(await dialog(page).getByLabel('Role', { exact: true }).inputValue(), 'Finance Manager')
    await checkBothThemes(page, 'a user refused', 'user-refused')
    await dialog(page).getByLabel('Email').fill('grace@example.com')
    await dialog(page).getByLabel('Password').fill('password12')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('alert').waitFor()
    await untilFocused(dialog(page).getByLabel('Password'))
    await dialog(page).getByLabel('Password').fill('')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Grace Hopper’s password').waitFor()
    await checkBothThemes(page, 'the password of a new user', 'user-password')
    const password = await dialog(page).locator('code').innerText()
    await page.keyboard.press('Escape')
    await dialog(page).getByText('Confirm that you’ve stored it').waitFor()
    await dialog(page).getByLabel('I’ve stored it safely').check()
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await heading(page, 'Grace Hopper').waitFor()
    await fact(page, 'grace@example.com').waitFor()
    assert.equal(await page.getByText(password).count(), 0)
    // It is right, and good for one login.
    assert.equal(await logInAs('grace@example.com', password), 403)
  })

  test('users are found by name, role and state, which stand in the address; nothing is offered that the list lacks', async t => {
    const { id } = await create('Katherine Johnson')
    await api('PATCH', `/${id}`, { disabled: true })
    await create('Dorothy Vaughan')
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/users' })
    await open(page, 'Dorothy Vaughan').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('johnson')
    await page.waitForURL(url => url.searchParams.get('q') === 'johnson')
    await open(page, 'Dorothy Vaughan').waitFor({ state: 'detached' })
    await open(page, 'Katherine Johnson').waitFor()
    await page.getByLabel('State', { exact: true }).selectOption('active')
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await open(page, 'Dorothy Vaughan').waitFor()
    await page.getByLabel('Role', { exact: true }).selectOption('Admin')
    await open(page, 'Dorothy Vaughan').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).searchParams.get('role'), 'Admin')
    const main = page.getByRole('main')
    assert.equal(await main.getByRole('checkbox').count(), 0, 'nothing is done with several at once')
    for (const name of ['Filters', 'Trash', 'Name', 'Since'])
      assert.equal(await main.getByRole('button', { name, exact: true }).count(), 0, name)
    assert.equal(await main.getByRole('radio').count(), 0, 'no board')
    await page.goto(`/users/${id}`)
    await screenReady(page)
    assert.equal(await page.getByRole('tab', { name: 'History' }).count(), 0)
    assert.equal(await button(page, 'Delete').count(), 0)
  })

  test('name and e-mail are changed where they stand, the role by a dialog that says what it gives and takes', async t => {
    const { id, email } = await create('Mary Jackson')
    const page = await portal.newPage(t, { allow: [/status of 4(00|09)/] })
    await portal.logIn(page, { path: `/users/${id}` })
    await page.getByRole('button', { name: 'Edit email' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(portal.t.main.users.Admin.email)
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/another account/)
      .waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('mary@nasa.example')
    await page.keyboard.press('Enter')
    await fact(page, 'mary@nasa.example').waitFor()
    await button(page, 'Edit').click()
    await dialog(page).getByLabel('Name').fill('Mary W. Jackson')
    await page.keyboard.press('Enter')
    await heading(page, 'Mary W. Jackson').waitFor()
    await button(page, 'Change role').click()
    const submit = dialog(page).getByRole('button', { name: 'Change role' })
    assert.ok(await submit.isDisabled(), 'it is the role that she has')
    await dialog(page).getByLabel('Role', { exact: true }).selectOption('Finance Manager')
    await dialog(page).getByRole('list', { name: 'They can no longer' }).getByText('Create leads.').waitFor()
    await dialog(page).getByRole('list', { name: 'They gain' }).getByText('Cancel invoices.').waitFor()
    await checkBothThemes(page, 'changing a role', 'user-role')
    await submit.click()
    await page.getByText('Mary W. Jackson’s role is now Finance Manager.').waitFor()
    await page.getByRole('heading', { name: 'What the Finance Manager role allows' }).waitFor()
    const { user } = (await api('GET', `/${id}`)).json
    assert.deepEqual([user.name, user.email, user.role], ['Mary W. Jackson', 'mary@nasa.example', 'Finance Manager'])
    assert.notEqual(user.email, email)
  })

  test('a password is set, typed or made, which ends the keys unless they are to stay', async t => {
    const { id, email } = await create('Annie Easley', { role: 'Admin' })
    const { json } = await portal.t.call('POST', '/v1/api/auth/login', {
      body: { emailOrAdminId: email, password: testPassword },
    })
    await portal.t.call('POST', '/v2/auth/api-keys', { as: json.accessToken, body: { name: 'Hers', mode: 'live' } })
    const page = await portal.newPage(t, { allow: [/status of 422/] })
    await portal.logIn(page, { path: `/users/${id}` })
    await button(page, 'Set password').click()
    await untilFocused(dialog(page).getByLabel('Password'))
    await page.keyboard.type('password123')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('alert').waitFor()
    await untilFocused(dialog(page).getByLabel('Password'))
    assert.ok(
      await dialog(page)
        .getByLabel(/^Revoke their API keys/)
        .isChecked(),
    )
    await checkBothThemes(page, 'setting a password', 'user-set-password')
    await dialog(page).getByLabel('Password').fill('')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('One API key was revoked.').waitFor()
    const password = await dialog(page).locator('code').innerText()
    await dialog(page).getByLabel('I’ve stored it safely').check()
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    assert.equal(await logInAs(email, testPassword), 401)
    // It is right, and good for one login.
    assert.equal(await logInAs(email, password), 403)
  })

  test('a user is disabled and enabled again, and the page follows what others do', async t => {
    const { id, email } = await create('Evelyn Boyd')
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { path: `/users/${id}` })
    await stream
    await button(page, 'Disable').click()
    await dialog(page).getByLabel('Revoke their API keys for good').waitFor()
    await checkBothThemes(page, 'disabling a user', 'user-disable')
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    await fact(page, 'disabled').waitFor()
    assert.equal(await logInAs(email, testPassword), 401)
    await button(page, 'Enable').click()
    await fact(page, 'active').waitFor()
    assert.equal(await logInAs(email, testPassword), 200)
    await api('PATCH', `/${id}`, { name: 'Evelyn Boyd Granville' })
    await heading(page, 'Evelyn Boyd Granville').waitFor()
  })

  test('a user made elsewhere comes into the list, and a change is seen in the row', async t => {
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { path: '/users?role=Finance+Manager', mode: 'live' })
    await stream
    const { id } = await create('Valerie Thomas', { role: 'Finance Manager' })
    await open(page, 'Valerie Thomas').waitFor()
    await api('PATCH', `/${id}`, { disabled: true })
    await page.getByRole('row').filter({ hasText: 'Valerie Thomas' }).getByText('disabled').waitFor()
  })

  test('the only active Admin keeps role and standing, and the page says why; no deputy, but a second Admin frees the first', async t => {
    const { id } = portal.t.other.users.Admin
    await portal.t.ownerSql('update organizations set owner_user_id = null where id = $1', [
      portal.t.other.organizationId,
    ])
    const as = portal.t.other.tokens.Admin
    const body = { name: 'Deputy', base: 'Admin', permissions: ['leads:read'] }
    const { roleId } = (await portal.t.call('POST', '/v2/roles', { as, body })).json.data
    const deputy = portal.t.other.users['Finance Manager'].id
    const given = await portal.t.call('PATCH', `/v1/api/users/${deputy}`, { as, body: { roleId } })
    assert.equal(given.status, 200, given.text)
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { organization: 'other', path: `/users/${id}` })
    await stream
    await page.getByRole('heading', { name: 'The only active admin' }).waitFor()
    await button(page, 'Set password').waitFor()
    for (const name of ['Change role', 'Disable']) assert.equal(await button(page, name).count(), 0, name)
    await checkBothThemes(page, 'the only Admin', 'user-only-admin')
    const second = await portal.t.call('PATCH', `/v1/api/users/${portal.t.other.users['Sales Manager'].id}`, {
      as: portal.t.other.tokens.Admin,
      body: { role: 'Admin' },
    })
    assert.equal(second.status, 200, second.text)
    await button(page, 'Change role').waitFor()
    await page.getByRole('heading', { name: 'The only active admin' }).waitFor({ state: 'detached' })
    assert.equal(await button(page, 'Disable').count(), 0, 'nobody disables themselves')
  })

  test("one's own password is typed, ends the session, and logs in again", async t => {
    const { id, email } = await create('Hidden Figure', { role: 'Admin' })
    const page = await portal.newPage(t, { allow: [/status of 401/] })
    await page.goto('/login')
    await page.getByLabel('Email or admin ID').fill(email)
    await page.getByLabel('Password').fill(testPassword)
    await page.keyboard.press('Enter')
    await heading(page, 'Dashboard').waitFor()
    await page.goto(`/users/${id}`)
    await button(page, 'Set password').click()
    const submit = dialog(page).getByRole('button', { name: 'Set password' })
    assert.ok(await submit.isDisabled(), 'one that is made here would be lost with the session')
    await dialog(page).getByLabel('Password').fill('another good one 17')
    assert.ok(
      !(await dialog(page)
        .getByLabel(/^Revoke my API keys/)
        .isChecked()),
    )
    await submit.click()
    await page.getByText('Your password was changed. Log in with the new one.').waitFor()
    assert.equal(await logInAs(email, 'another good one 17'), 200)
  })

  for (const [role, section] of [
    ['Sales Manager', 'reads'],
    ['Sales Executive', 'nothing'],
  ] as const) {
    test(`a ${role} is offered ${section === 'reads' ? 'reading and no more' : 'nothing of it'}`, async t => {
      const { id } = portal.t.main.users['Finance Manager']
      const page = await portal.newPage(t)
      await portal.logIn(page, { role })
      await goByNavigation(page, 'Settings')
      await page.getByRole('link', { name: /^My account/ }).waitFor()
      assert.equal(await page.getByRole('link', { name: /^Members/ }).count(), section === 'reads' ? 1 : 0)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('user')
      assert.equal(await page.getByRole('option', { name: /Create a user$/ }).count(), 0)
      await page.keyboard.press('Escape')
      for (const path of ['/users?create=1', `/users/${id}?edit=1`]) {
        await page.goto(path)
        await screenReady(page)
        if (section === 'nothing') {
          await page.getByRole('heading', { name: /^You don’t have access to (members|users)$/i }).waitFor()
          continue
        }
        assert.equal(await dialog(page).count(), 0)
        for (const name of [/^Create/, /^Edit/, 'Change role', 'Set password', 'Disable'])
          assert.equal(await page.getByRole('main').getByRole('button', { name }).count(), 0, String(name))
      }
    })
  }

  test('a telephone shows list, user and form without scrolling sideways', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    const { id } = portal.t.main.users['Sales Manager']
    for (const path of ['/users', `/users/${id}`]) {
      await portal.logIn(page, { path })
      await noHorizontalScroll(page)
      await screenshot(page, `telephone ${path}`)
    }
    await page.goto('/users?create=1')
    await dialog(page).waitFor()
    await noHorizontalScroll(page)
  })
})
