// Members in the portal: invited, one or many, and what becomes of invitations; removed with all they own; logged out, freed of lost
// factors; whose the organization is. What would be refused is offered to nobody. Users themselves: users.test.ts.
// test: programs
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { insertRecords } from '../../server/test/noun_records.ts'
import { ownPassword, somebody, strongSomebody } from '../../server/test/people.ts'
import {
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  offeredIn,
  portalForTests,
  screenReady,
} from './browser.ts'

describe('members in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const dialog = (page: Page) => page.getByRole('dialog')
  const main = (page: Page) => page.getByRole('main')
  const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
  const row = (page: Page, text: string) => main(page).getByRole('row').filter({ hasText: text })
  const verbs = (page: Page) => page.getByRole('menu').getByRole('menuitem')
  const call = (method: string, path: string, body?: unknown) =>
    portal.t.call(method, path, { as: portal.t.main.tokens.Admin, body })

  /** Opens the menu of the only member that the list shows. */
  async function openMenu(page: Page, text: string): Promise<void> {
    await row(page, text)
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menu').waitFor()
  }
  async function choose(page: Page, text: string, verb: string): Promise<void> {
    await openMenu(page, text)
    await page.getByRole('menuitem', { name: verb, exact: true }).click()
  }
  async function enter(page: Page, email: string, next: string): Promise<void> {
    await page.goto(`/login?next=${next}`)
    await page.getByLabel('Email or admin ID').fill(email)
    await page.getByLabel('Password').fill(ownPassword)
    await page.keyboard.press('Enter')
    await main(page).getByRole('heading', { level: 1 }).waitFor()
    await screenReady(page)
  }

  test('several are invited at once with the keyboard; who is a member already is named, and the links can be copied', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/users' })
    await checkBothThemes(page, 'members', 'members')
    await page.keyboard.press('c')
    await dialog(page).getByLabel('Email addresses').fill('Ada Park <ada.invited@example.com>, not-an-address')
    await inDialog(page, 'Invite 2 people').click()
    await dialog(page)
      .getByRole('alert')
      .getByText(/not-an-address/)
      .waitFor()
    await checkBothThemes(page, 'inviting refused', 'members-invite')
    const member = portal.t.main.users['Sales Manager'].email
    await dialog(page).getByLabel('Email addresses').fill(`ada.invited@example.com\nbob.invited@example.com; ${member}`)
    await dialog(page).getByLabel('Role', { exact: true }).selectOption('Finance Manager')
    await inDialog(page, 'Invite 3 people').click()
    await dialog(page).getByText('2 people were invited').waitFor()
    await dialog(page)
      .getByRole('listitem')
      .filter({ hasText: member })
      .getByText(/member already/)
      .waitFor()
    await checkBothThemes(page, 'who was invited', 'members-invited')
    await inDialog(page, 'Copy bob.invited@example.com’s link').click()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(link, /\/invite#[\w-]{20,}$/)
    await inDialog(page, 'Done').click()
    await row(page, 'ada.invited@example.com').getByText('invited', { exact: true }).waitFor()
    assert.equal(await row(page, 'bob.invited@example.com').getByText('Finance Manager').count(), 1)
  })

  test('somebody is invited with a role of the organization’s own, by whose name the invitation calls it', async t => {
    const role = { name: 'Field sales', base: 'Sales Executive', permissions: ['leads:read'] }
    assert.equal((await call('POST', '/v2/roles', role)).status, 201)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/users?invite=1', dialog: true })
    await dialog(page).getByLabel('Email addresses').fill('field@example.com')
    await dialog(page).getByLabel('Role', { exact: true }).selectOption({ label: 'Field sales' })
    await inDialog(page, 'Invite').click()
    await dialog(page).getByRole('listitem').filter({ hasText: 'field@example.com' }).getByText('Field sales').waitFor()
    await inDialog(page, 'Copy field@example.com’s link').click()
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
    await inDialog(page, 'Done').click()
    await row(page, 'field@example.com').getByText('Field sales').waitFor()
    await page.goto(`/invite${link.hash}`)
    await main(page)
      .getByText(/Field sales/)
      .waitFor()
  })

  test('a password that ended unused is seen in the list and on the page, where another one is set', async t => {
    const email = `${randomUUID()}@example.com`
    const { json } = await call('POST', '/v1/api/users', { email, name: 'Late Comer', role: 'Sales Executive' })
    await portal.t.ownerSql("update accounts set password_ends_at = now() - interval '1 minute' where email = $1", [
      email,
    ])
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/users?q=${email}` })
    await row(page, email).getByText('Password expired', { exact: true }).waitFor()
    await page.goto(`/users/${json.user.id}`)
    await main(page)
      .getByText(/didn’t log in within seven days/)
      .waitFor()
    await checkBothThemes(page, 'a password that ended', 'members-password-ended')
    await main(page).getByRole('button', { name: 'Set password', exact: true }).click()
    await inDialog(page, 'Set password').click()
    await dialog(page).getByLabel('I’ve stored it safely').check()
    await inDialog(page, 'Done').click()
    await main(page).getByText('Password expired').first().waitFor({ state: 'detached' })
  })

  test('an invitation is opened, its link shown, sent again as often as it may be, and revoked', async t => {
    const email = 'carol.invited@example.com'
    const { json } = await call('POST', '/v2/invitations', { email, role: 'Sales Executive' })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/users?kind=invitation&q=${email}` })
    await main(page)
      .getByRole('button', { name: `Open ${email}` })
      .click()
    await dialog(page).getByText('never', { exact: true }).waitFor()
    await checkBothThemes(page, 'an invitation', 'members-invitation')
    await inDialog(page, 'Show link').click()
    await dialog(page).getByText(json.data.acceptUrl).waitFor()
    await inDialog(page, 'Done').click()
    await choose(page, email, 'Send again')
    await page.getByText(/the invitation again/).waitFor()
    for (let n = 1; n < 5; n++) await call('POST', `/v2/invitations/${json.data.invitationId}/resend`)
    await page.reload()
    await openMenu(page, email)
    assert.deepEqual(await offeredIn(verbs(page)), ['Show link', 'Revoke'])
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await inDialog(page, 'Revoke').click()
    await row(page, email).waitFor({ state: 'detached' })
    await page.goto('/users')
    await main(page).getByRole('button', { name: 'Who left or was invited' }).click()
    await dialog(page).getByText('Invitations', { exact: true }).click()
    await dialog(page).getByRole('listitem').filter({ hasText: email }).getByText('revoked').waitFor()
  })

  test('who is removed hands all over: it is counted before, and followed to its end', async t => {
    const [leaver, heir] = [await somebody(portal.t), await somebody(portal.t, 'Finance Manager')]
    await call('PATCH', `/v1/api/users/${heir.userId}`, { name: 'Takes Over' })
    const leads = [1, 2, 3].map(n => ({
      name: `Lead ${n}`,
      email: `${randomUUID()}@lead.example`,
      owner_id: leaver.userId,
    }))
    await insertRecords(portal.t, 'lead', leads)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/users?q=${leaver.email}` })
    await choose(page, leaver.email, 'Remove')
    const counted = dialog(page).getByRole('row').filter({ hasText: 'leads' })
    await counted.getByText('3', { exact: true }).waitFor()
    await dialog(page).getByRole('combobox', { name: 'Who gets it' }).fill('Takes')
    await page.getByRole('option', { name: 'Takes Over' }).click()
    await checkBothThemes(page, 'removing a member', 'members-remove')
    await inDialog(page, 'Remove').click()
    await dialog(page).getByText('Everything is handed over.').waitFor({ timeout: 20_000 })
    await dialog(page).getByText('3 of 3').waitFor()
    await checkBothThemes(page, 'a hand-over', 'members-hand-over')
    await inDialog(page, 'Done').click()
    await row(page, leaver.email).waitFor({ state: 'detached' })
    const [{ count } = { count: '' }] = await portal.t.ownerSql<{ count: string }>(
      'select count(*) from leads where owner_id = $1',
      [heir.userId],
    )
    assert.equal(Number(count), 3)
    assert.equal((await portal.t.call('GET', '/v2/users/me', { as: leaver.as })).status, 401)
    await page.goto('/users?past=1')
    await dialog(page).getByRole('listitem').filter({ hasText: 'Takes Over' }).getByText('completed').waitFor()
    await checkBothThemes(page, 'who left', 'members-past')
  })

  test('sessions are ended, and lost factors taken away for a reason; then neither is offered any more', async t => {
    const { email, as } = await strongSomebody(portal.t)
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: `/users?q=${email}` })
    await row(page, email).getByText('On', { exact: true }).waitFor()
    await choose(page, email, 'End sessions')
    await dialog(page).getByRole('listitem').first().waitFor()
    await checkBothThemes(page, 'sessions of a member', 'members-sessions')
    await inDialog(page, 'End all').click()
    await page.getByText(/was logged out of/).waitFor()
    assert.equal((await portal.t.call('GET', '/v2/users/me', { as })).status, 401)
    await choose(page, email, 'End sessions')
    await dialog(page).getByText('They aren’t logged in anywhere.').waitFor()
    assert.equal(await inDialog(page, 'End all').count(), 0)
    await page.keyboard.press('Escape')
    await choose(page, email, 'Reset two-step login')
    await dialog(page).getByLabel('Reason').fill('Lost it')
    await inDialog(page, 'Reset').click()
    await dialog(page).getByRole('alert').waitFor()
    await checkBothThemes(page, 'resetting factors', 'members-factors')
    await dialog(page).getByLabel('Reason').fill('Lost the phone; asked in person')
    await inDialog(page, 'Reset').click()
    await row(page, email).getByText('Off', { exact: true }).waitFor()
    await openMenu(page, email)
    assert.ok(!(await offeredIn(verbs(page))).includes('Reset two-step login'))
  })

  test('an account that is elsewhere too keeps its password and factors; the page of a person offers the same as the row', async t => {
    const { email, userId } = await strongSomebody(portal.t)
    await portal.t.sql(
      `insert into users (organization_id, account_id, email, name, role)
       select $1, id, email, name, 'Finance Manager' from accounts where email = $2`,
      [portal.t.other.organizationId, email],
    )
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: `/users?q=${email}` })
    await openMenu(page, email)
    assert.deepEqual(await offeredIn(verbs(page)), ['Change role', 'Disable', 'End sessions', 'Remove'])
    await page.keyboard.press('Escape')
    await page.goto(`/users/${userId}`)
    await main(page).getByRole('button', { name: 'Change role' }).waitFor()
    assert.equal(await main(page).getByRole('button', { name: 'Set password' }).count(), 0)
    assert.equal(await main(page).getByRole('button', { name: 'Edit email' }).count(), 0)
    await openMenuOfPage(page)
    assert.deepEqual(await offeredIn(verbs(page)), ['End sessions', 'Remove'])
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await inDialog(page, 'Remove').click()
    await inDialog(page, 'Done').click({ timeout: 20_000 })
    await main(page).getByRole('heading', { level: 1, name: 'Members' }).waitFor()
  })
  const openMenuOfPage = (page: Page) =>
    main(page)
      .getByRole('button', { name: /^Actions for/ })
      .click()

  test('the organization goes to another Admin who accepts, and back again; what the owner keeps is offered to nobody', async t => {
    const heir = await somebody(portal.t, 'Admin')
    await call('PATCH', `/v1/api/users/${heir.userId}`, { name: 'New Owner' })
    const owner = portal.t.main.users.Admin
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/organization' })
    await main(page).getByText('You own the organization.').waitFor()
    await main(page).getByRole('button', { name: 'Hand over to another admin' }).click()
    await dialog(page)
      .getByLabel('New owner')
      .selectOption({ label: `New Owner, ${heir.email}` })
    await checkBothThemes(page, 'choosing an owner', 'ownership-choose')
    await inDialog(page, 'Continue').click()
    await inDialog(page, 'Offer').click()
    await main(page)
      .getByText(/can accept until/)
      .waitFor()
    await checkBothThemes(page, 'an offered organization', 'ownership-offered')
    await main(page).getByRole('button', { name: 'Take the offer back' }).click()
    await inDialog(page, 'Take the offer back').click()
    await main(page).getByRole('button', { name: 'Hand over to another admin' }).waitFor()

    await page.goto(`/users?q=${heir.email}`)
    await choose(page, heir.email, 'Offer ownership')
    await inDialog(page, 'Offer').click()
    await page.getByText(/was offered to New Owner/).waitFor()
    const other = await portal.newPage(t)
    await enter(other, heir.email, '/organization')
    await main(other).getByRole('button', { name: 'Accept ownership' }).click()
    await inDialog(other, 'Accept ownership').click()
    await main(other).getByText('You own the organization.').waitFor()
    await other.goto(`/users?q=${owner.email}`)
    await openMenu(other, owner.email)
    const offered = await verbs(other).allInnerTexts()
    for (const verb of ['Change role', 'Disable', 'Remove', 'Offer ownership'])
      assert.ok(!offered.includes(verb), `${verb} of who may still take it back`)

    await page.goto('/organization')
    await main(page).getByRole('button', { name: 'Take the ownership back' }).click()
    await inDialog(page, 'Take the ownership back').click()
    await main(page).getByText('You own the organization.').waitFor()
    await call('POST', '/v2/organization/transfer', { toUserId: heir.userId })
    await other.goto('/organization')
    await main(other).getByRole('button', { name: 'Decline' }).click()
    await inDialog(other, 'Decline').click()
    // Who has just ceased to own it may see the card loaded again meanwhile; the answer is there with its notice.
    await other.getByText('You declined the ownership.').waitFor()
    for (const gone of [
      main(other).getByText(/can accept until/),
      main(other).getByRole('button', { name: 'Accept ownership' }),
    ])
      await gone.waitFor({ state: 'detached' })
    await other.goto(`/users/${owner.id}`)
    await main(other).getByRole('heading', { name: 'The owner of the organization' }).waitFor()
  })

  test('who leaves says so, and is out; the owner sees why that is not for them', async t => {
    const { email, as } = await somebody(portal.t)
    const page = await portal.newPage(t, { allow: [/status of 401/] })
    await enter(page, email, '/account')
    await main(page).getByRole('button', { name: 'Leave Example Company' }).click()
    await dialog(page).getByLabel('Type Example Company to confirm').fill('Example Company')
    await checkBothThemes(page, 'leaving', 'account-leave')
    await inDialog(page, 'Leave').click()
    await page.getByText('You’ve left Example Company.').waitFor()
    assert.equal((await portal.t.call('GET', '/v2/users/me', { as })).status, 401)
    await portal.logIn(page, { path: '/account' })
    await main(page)
      .getByText(/You own it. Hand it over/)
      .waitFor()
    assert.equal(await main(page).getByRole('button', { name: 'Leave Example Company' }).count(), 0)
  })

  test('somebody who only reads is offered no actions and sees no invitations', async t => {
    await call('POST', '/v2/invitations', { email: 'unseen@example.com', role: 'Sales Executive' })
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Manager', path: '/users?invite=1&past=1' })
    await row(page, portal.t.main.users.Admin.email).waitFor()
    assert.equal(await dialog(page).count(), 0)
    assert.equal(await row(page, 'unseen@example.com').count(), 0)
    for (const name of ['Invite people', 'Create a user', 'Who left or was invited', /^Actions for/])
      assert.equal(await main(page).getByRole('button', { name }).count(), 0, String(name))
  })

  test('of many organizations one is found by its name', async t => {
    const { email } = await somebody(portal.t)
    await portal.t.sql(
      `insert into users (organization_id, account_id, email, name, role)
       select $1, id, email, name, 'Finance Manager' from accounts where email = $2`,
      [portal.t.other.organizationId, email],
    )
    const page = await portal.newPage(t)
    await page.route('**/v2/users/me/organizations', async route => {
      const answer = await route.fetch()
      const json = await answer.json()
      const [first] = json.data.organizations
      for (let n = 1; n <= 28; n++)
        json.data.organizations.push({ ...first, organizationId: 1_000 + n, name: `Branch ${n}`, isCurrent: false })
      await route.fulfill({ response: answer, json })
    })
    await enter(page, email, '/account')
    await page.getByRole('button', { name: /^Organization: / }).click()
    assert.equal(await dialog(page).getByRole('listitem').count(), 30)
    await checkBothThemes(page, 'thirty organizations', 'organizations-many')
    const wanted = (
      await dialog(page)
        .getByRole('button', { name: /Company.*, you’re here/ })
        .innerText()
    ).startsWith('Example')
      ? 'Other Company'
      : 'Example Company'
    await dialog(page).getByLabel('Name').fill(wanted.toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Organization: ${wanted}` }).waitFor()
  })

  test('a telephone shows members and their dialogs without scrolling sideways', async t => {
    const { email } = await somebody(portal.t)
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    await portal.logIn(page, { path: `/users?q=${email}` })
    await noHorizontalScroll(page)
    await choose(page, 'Grace Hopper', 'Remove')
    await dialog(page).getByText('They own no records.').waitFor()
    await noHorizontalScroll(page)
    await checkBothThemes(page, 'removing on a telephone', 'members-remove-narrow')
    await page.goto('/users?invite=1')
    await dialog(page).getByLabel('Email addresses').waitFor()
    await noHorizontalScroll(page)
    await checkBothThemes(page, 'inviting on a telephone', 'members-invite-narrow')
  })
})
