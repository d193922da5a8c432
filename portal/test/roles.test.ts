// Roles and teams in the portal: a role is copied, cut down, given, compared and deleted; a team gets members and a lead; who may not
// change them reads them.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../../server/test/harness.ts'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests } from './browser.ts'

describe('roles and teams in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ work: false })

  const dialog = (page: Page) => page.getByRole('dialog')
  const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const as = () => portal.t.main.tokens.Admin
  const box = (page: Page, subject: string, verb: string) =>
    dialog(page).getByRole('group', { name: subject, exact: true }).getByRole('checkbox', { name: verb, exact: true })

  async function post(path: string, body: object) {
    const answer = await portal.t.call('POST', path, { as: as(), body })
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }
  const roleOf = async (name: string) => {
    const { json } = await portal.t.call('GET', '/v2/roles', { as: as() })
    return json.data.roles.find((role: { name: string }) => role.name === name)
  }

  test('a built-in role is copied, cut down to what teams see, and kept to what goes with that', async t => {
    const page = await portal.newPage(t, { allow: [/status of 409/] })
    await portal.logIn(page, { path: '/roles' })
    await page.getByRole('link', { name: 'Open Sales Manager' }).waitFor()
    await checkBothThemes(page, 'roles', 'roles-list')
    await page.getByRole('link', { name: 'Open Sales Manager' }).click()
    await heading(page, 'Sales Manager').waitFor()
    assert.equal(await button(page, 'Change').count(), 0, 'a built-in role does not change')
    assert.equal(await button(page, 'Delete').count(), 0)
    await page.getByRole('main').getByRole('link', { name: 'Copy', exact: true }).click()
    await dialog(page).getByLabel('Name').fill('sales manager')
    await dialog(page).getByText('People and organization').click()
    assert.ok(await box(page, 'Login security', 'Manage').isDisabled(), 'it is for roles made of Admin')
    assert.ok(await box(page, 'Own profile', 'See').isDisabled(), 'it is in every role')
    await dialog(page).getByText('Programs and traffic').click()
    assert.ok(await box(page, 'Events', 'See').isChecked())
    await dialog(page).getByRole('group', { name: 'Leads that are seen' }).getByText('Of teams').click()
    assert.ok(!(await box(page, 'Events', 'See').isChecked()), 'events show the records of everybody')
    await dialog(page)
      .getByRole('status')
      .getByText(/Ticked, but left out: .*Events: See/)
      .waitFor()
    await dialog(page).getByText('Customers and records').click()
    await box(page, 'Leads', 'Delete').uncheck()
    await checkBothThemes(page, 'a role as a form', 'role-form')
    const create = dialog(page).getByRole('button', { name: 'Create', exact: true })
    await create.click()
    await dialog(page)
      .getByText(/has this name/)
      .waitFor()
    await dialog(page).getByLabel('Name').fill('Team lead')
    await create.click()
    await heading(page, 'Team lead').waitFor()
    const { base, permissions, rows } = await roleOf('Team lead')
    assert.deepEqual([base, rows.leads, rows.contacts], ['Sales Manager', 'team', 'all'])
    assert.ok(permissions.includes('leads:update') && !permissions.includes('leads:delete'))
    assert.ok(!permissions.includes('events:read'))
  })

  test('a role is given to a user, changed for them, said to be in use, and deleted when nobody has it', async t => {
    const permissions = ['leads:read', 'tags:read']
    await post('/v2/roles', { name: 'Reader', base: 'Sales Executive', permissions })
    const page = await portal.newPage(t, { allow: [/status of 409/] })
    await portal.logIn(page, { path: '/users?create=1', dialog: true })
    await dialog(page).getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await dialog(page).getByLabel('Email').fill('grace.role@example.com')
    await dialog(page).getByLabel('Role', { exact: true }).selectOption({ label: 'Reader' })
    await dialog(page).getByText('What the Reader role allows').click()
    await dialog(page).getByRole('list', { name: 'What the Reader role allows' }).getByRole('listitem').nth(3).waitFor()
    await dialog(page).getByLabel('Password').fill(testPassword)
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await heading(page, 'Grace Hopper').waitFor()
    await page.getByRole('heading', { name: 'What the Reader role allows' }).waitFor()
    const reader = await roleOf('Reader')
    assert.equal(reader.members, 1)

    await page.goto(`/roles/${reader.roleId}`)
    await page.getByRole('region', { name: 'Who has it' }).getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await page.getByRole('region', { name: 'What it may do' }).getByText('Customers and records').click()
    await checkBothThemes(page, 'a role', 'role-page')
    await button(page, 'Edit').click()
    await dialog(page).getByText('Customers and records').click()
    await box(page, 'Tags', 'See').uncheck()
    await box(page, 'Leads', 'Change').check()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('The role Reader was changed.').waitFor()
    const changed = await roleOf('Reader')
    assert.ok(changed.permissions.includes('leads:update') && !changed.permissions.includes('tags:read'))

    await button(page, 'Delete').click()
    await dialog(page).getByRole('heading', { name: 'Reader is in use' }).waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: 'Grace Hopper' }).click()
    await button(page, 'Change role').click()
    await dialog(page).getByLabel('Role', { exact: true }).selectOption('Finance Manager')
    await dialog(page).getByRole('list', { name: 'They can no longer' }).waitFor()
    await dialog(page).getByRole('button', { name: 'Change role' }).click()
    await page.getByText('Grace Hopper’s role is now Finance Manager.').waitFor()
    // An invitation counts as well, which the page does not know of.
    await post('/v2/invitations', { email: 'ada.role@example.com', roleId: reader.roleId })
    await page.goto(`/roles/${reader.roleId}`)
    await button(page, 'Delete').click()
    const remove = dialog(page).getByRole('button', { name: 'Delete', exact: true })
    await remove.click()
    await dialog(page)
      .getByRole('alert')
      .getByText(/An open invitation has this role/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    const list = await portal.t.call('GET', '/v2/invitations', { as: as() })
    for (const { invitationId } of list.json.data)
      assert.equal((await portal.t.call('POST', `/v2/invitations/${invitationId}/revoke`, { as: as() })).status, 200)
    await button(page, 'Delete').click()
    await remove.click()
    await heading(page, 'Roles').waitFor()
    await page.getByRole('link', { name: 'Open Admin' }).waitFor()
    assert.equal(await roleOf('Reader'), undefined)
  })

  test('two roles are compared, and a role says which endpoints it opens', async t => {
    const body = { name: 'Lead reader', base: 'Sales Executive', permissions: ['leads:read'], rows: { leads: 'all' } }
    const { roleId } = (await post('/v2/roles', body)).data
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: `/roles/${roleId}` })
    await page.getByLabel('Other role', { exact: true }).selectOption({ label: 'Sales Executive' })
    await page.getByText('Lead reader: all. Sales Executive: own.').waitFor()
    await page.getByRole('region', { name: 'Compare with another role' }).getByText('Create leads.').waitFor()
    const endpoints = page.getByRole('region', { name: 'Which endpoints it opens' })
    await endpoints.getByText('CRM').click()
    await endpoints.getByRole('link', { name: 'List leads' }).waitFor()
    assert.equal(await endpoints.getByRole('link', { name: 'Create a lead' }).count(), 0)
    await noHorizontalScroll(page, 'a role compared')
    await checkBothThemes(page, 'a role compared', 'role-compared')
    await endpoints.getByRole('link', { name: 'List leads' }).click()
    await page.waitForURL('**/explorer/v1/**')
  })

  test('a team is made, gets members and a lead, is renamed, and deleted when nobody is in it', async t => {
    const manager = portal.t.main.users['Sales Manager']
    // The event of the deletion may be there before its answer: then the page looks once more.
    const page = await portal.newPage(t, { allow: [/status of 404.*\/v2\/teams\//] })
    await portal.logIn(page, { path: '/teams' })
    await button(page, 'Create a team').first().click()
    await dialog(page).getByLabel('Name').fill('North')
    await dialog(page).getByRole('button', { name: 'Create a team' }).click()
    await heading(page, 'North').waitFor()
    const { json } = await portal.t.call('GET', '/v2/teams', { as: as() })
    const { teamId } = json.data[0]
    const members = async () =>
      (await portal.t.call('GET', `/v2/teams/${teamId}`, { as: as() })).json.data.members as {
        userId: number
        name: string
        lead: boolean
      }[]
    const known = await portal.t.call('GET', `/v1/api/users/${manager.id}`, { as: as() })
    const { name } = known.json.user
    await page.getByRole('combobox', { name: 'Add a member' }).fill(name)
    await page.getByRole('option', { name }).click()
    await button(page, 'Add').click()
    const lead = page.getByRole('checkbox', { name: `Make ${name} team lead` })
    await lead.click()
    await page.getByText(`${name} now leads North.`).waitFor()
    assert.deepEqual(await members(), [{ userId: manager.id, name, lead: true }])
    await checkBothThemes(page, 'a team', 'team-page')
    await button(page, 'Delete').click()
    await dialog(page).getByRole('heading', { name: 'North still has members' }).waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await button(page, 'Edit').click()
    await dialog(page).getByLabel('Name').fill('Far north')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await heading(page, 'Far north').waitFor()
    await button(page, `Remove ${name}`).click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No members yet').waitFor()
    assert.deepEqual(await members(), [])
    await button(page, 'Delete').click()
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
    await heading(page, 'Teams').waitFor()
    await page.getByText('No teams yet').waitFor()
  })

  test('a Sales Manager reads roles and teams and is offered no change of them', async t => {
    await post('/v2/teams', { name: 'South' })
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Manager', path: '/teams' })
    await page.getByRole('link', { name: 'Open South' }).click()
    await heading(page, 'South').waitFor()
    await page.getByText('No members yet').waitFor()
    for (const name of ['Edit', 'Delete', 'Add']) assert.equal(await button(page, name).count(), 0, name)
    await page.goto('/roles/sales_executive')
    await heading(page, 'Sales Executive').waitFor()
    await page.getByText('Which endpoints it opens').waitFor()
    assert.equal(await page.getByRole('main').getByRole('link', { name: 'Copy', exact: true }).count(), 0)
    await page.goto('/roles')
    await page.getByRole('link', { name: 'Open Admin' }).waitFor()
    assert.equal(await button(page, 'Create a role').count(), 0)
  })

  test('who manages users by a smaller role gives no role that holds more, and does not change who has one', async t => {
    const permissions = ['users:read', 'users:manage', 'leads:read', 'teams:read']
    const rows = { leads: 'all', contacts: 'all', companies: 'all', tasks: 'all', mails: 'all' }
    const { roleId } = (await post('/v2/roles', { name: 'Clerk', base: 'Sales Manager', permissions, rows })).data
    const { id } = portal.t.main.users['Finance Manager']
    const change = { as: as(), body: { roleId } }
    const given = await portal.t.call('PATCH', `/v1/api/users/${id}`, change)
    assert.equal(given.status, 200, given.text)
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Finance Manager', path: `/users/${portal.t.main.users.Admin.id}` })
    await page.getByRole('heading', { name: 'What the Admin role allows' }).waitFor()
    for (const name of ['Change role', 'Set password', 'Disable'])
      assert.equal(await button(page, name).count(), 0, name)
    await page.goto('/users?create=1')
    const admin = dialog(page).getByRole('option', { name: 'Admin (more than you have)' })
    await admin.waitFor({ state: 'attached' })
    assert.ok(await admin.evaluate(option => (option as HTMLOptionElement).disabled))
    await dialog(page).getByLabel('Role', { exact: true }).selectOption({ label: 'Clerk' })
    // What they may call is said of what they hold, and not of the role that theirs is made of.
    await page.goto('/explorer/v1/crm/post-leads')
    await page
      .getByTestId('may-call')
      .getByText(/Your role doesn’t include leads:create/)
      .waitFor()
  })
})
