// Apps in the portal: registered, given a secret that is seen once and works, suspended and deleted; what people let in is ended, and
// clients of others are decided on.
// test: programs
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkBothThemes, chromiumMissing, portalForTests } from './browser.ts'

describe('apps in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  test('an app is registered, gets a secret that works, and is suspended', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/apps' })
    await page.getByRole('button', { name: 'Register an app' }).first().click()
    const form = page.getByRole('dialog', { name: 'Register an app' })
    await form.getByLabel('Name').fill('Ledger sync')
    await form.getByLabel('Kind').selectOption('machine')
    await form.getByRole('checkbox', { name: 'leads:read' }).check()
    await checkBothThemes(page, 'registering an app')
    await form.getByRole('button', { name: 'Register', exact: true }).click()
    // Its page opens.
    await page.getByRole('heading', { level: 1, name: 'Ledger sync' }).waitFor()
    await page.getByRole('button', { name: 'Actions for Ledger sync' }).click()
    await page.getByRole('menuitem', { name: 'New test secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'The test secret of Ledger sync' })
    const secret = await dialog.locator('code', { hasText: /^tdm_cs_test_/ }).innerText()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const { json } = await portal.t.call('GET', '/v2/auth/apps', { as: portal.t.main.tokens.Admin })
    const { clientId } = json.data[0].clients.find(({ mode }: { mode: string }) => mode === 'test')
    const base = `http://127.0.0.1:${(portal.t.app.http.server.address() as AddressInfo).port}`
    const token = async () =>
      fetch(`${base}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: secret.trim(),
        }),
      })
    assert.equal((await token()).status, 200)
    await page.getByRole('button', { name: 'Actions for Ledger sync' }).click()
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('main').getByText('suspended', { exact: false }).first().waitFor()
    assert.equal((await token()).status, 401)
  })

  test('an app is changed: where people are sent back to, what it may do at most', async t => {
    const as = portal.t.main.tokens.Admin
    const body = {
      kind: 'public',
      name: 'Old name',
      redirectUris: ['https://old.example.com/cb'],
      scopes: ['leads:read', 'profile:read'],
    }
    const { appId } = (await portal.t.call('POST', '/v2/auth/apps', { as, body })).json.data
    const page = await portal.newPage(t, { allow: [/status of 4(00|22)/] })
    await portal.logIn(page, { path: `/apps/${appId}` })
    await page.getByRole('button', { name: 'Actions for Old name' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Old name' })
    const save = form.getByRole('button', { name: 'Save', exact: true })
    assert.equal(await save.isDisabled(), true, 'nothing differs yet')
    await form.getByLabel('Name').fill('New name')
    await form.getByLabel('Redirect addresses').fill('http://new.example.com/cb')
    await form.getByRole('checkbox', { name: 'leads:read' }).uncheck()
    await save.click()
    await form.getByRole('alert').waitFor()
    await checkBothThemes(page, 'changing an app', 'app-edit')
    await form.getByLabel('Redirect addresses').fill('https://new.example.com/cb')
    await save.click()
    await page.getByRole('heading', { level: 1, name: 'New name' }).waitFor()
    const { data } = (await portal.t.call('GET', `/v2/auth/apps/${appId}`, { as })).json
    assert.deepEqual([data.redirectUris, data.scopes], [['https://new.example.com/cb'], ['profile:read']])
  })

  test('the page of an app says what it was refused, with the cause and the way to its meaning', async t => {
    const { organizationId, tokens } = portal.t.main
    const body = { name: 'Mail merge', kind: 'machine', scopes: ['leads:read'] }
    const { json } = await portal.t.call('POST', '/v2/auth/apps', { as: tokens.Admin, body })
    const { appId, clients } = json.data
    for (const [n, error, mode] of [
      ['x', 'invalid_grant', 'live'],
      ['z', 'invalid_scope', 'test'],
    ])
      await portal.t.ownerSql(
        `insert into oauth_app_errors (organization_id, id, app_id, client_id, mode, path, status, error, description, detail, request_id)
         values ($1, $2, $3, $4, $5, '/oauth/token', 400, $6, 'refused', 'code is expired', 'req_x')`,
        [organizationId, `oer_01k9r7d3w2v8e6q4n5m1b0c9x${n}`, appId, clients[0].clientId, mode, error],
      )
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/apps' })
    await page.getByRole('link', { name: 'Open Mail merge' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mail merge' }).waitFor()
    await page.getByText('code is expired').first().waitFor()
    await page.getByLabel('Mode').selectOption('live')
    await page.getByRole('link', { name: 'invalid_scope' }).waitFor({ state: 'detached' })
    await checkBothThemes(page, 'the page of an app')
    await page.getByRole('link', { name: 'invalid_grant' }).click()
    await page.waitForURL('**/errors/invalid_grant')
  })

  test('the page of an app says whom it acts for, and only who may manage apps ends that of others', async t => {
    const { organizationId, liveTenantId, tokens, users } = portal.t.main
    const admin = { as: tokens.Admin }
    const body = {
      name: 'Planner',
      kind: 'public',
      scopes: ['leads:read'],
      redirectUris: ['https://a.example.com/back'],
    }
    const { json } = await portal.t.call('POST', '/v2/auth/apps', { ...admin, body })
    const { appId, clients } = json.data
    const people = ['Sales Manager', 'Sales Executive', 'Finance Manager'] as const
    const grant = (place: number) => `gra_01k9r7d3w2v8e6q4n5m1b0c9y${place}`
    for (const [place, role] of people.entries())
      await portal.t.ownerSql(
        `insert into oauth_grants (organization_id, id, tenant_id, mode, client_id, client_name, app_id, user_id, scopes, resource, last_used_at, expires_at)
         values ($1, $2, $3, 'live', $4, 'Planner', $5, $6, '{leads:read}', 'x', now(), now() + $7::interval)`,
        [
          organizationId,
          grant(place),
          liveTenantId,
          clients[0].clientId,
          appId,
          users[role].id,
          role === 'Finance Manager' ? '-1 day' : '1 day',
        ],
      )
    const nameOf = async (role: (typeof people)[number]) =>
      (await portal.t.call('GET', `/v1/api/users/${users[role].id}`, admin)).json.user.name as string
    const [first, second, past] = await Promise.all(people.map(nameOf))
    const row = (page: Page, name: string) =>
      page.getByRole('table', { name: 'Authorizations of the app' }).getByRole('row').filter({ hasText: name })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/apps/${appId}` })
    await row(page, first!).getByText('leads:read').waitFor()
    await row(page, second!).waitFor()
    assert.equal(await row(page, past!).count(), 0)
    await checkBothThemes(page, 'an app with authorizations')
    await page.getByRole('button', { name: `End the authorization of ${second}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await page.getByText(`Planner no longer acts for ${second}.`).waitFor()
    await row(page, second!).waitFor({ state: 'detached' })
    await page.getByLabel('State').selectOption({ label: 'Ended' })
    await row(page, past!).getByText('Expired').waitFor()
    await row(page, second!).getByText('Ended by an admin').waitFor()
    assert.equal(await page.getByRole('button', { name: /^End the authorization/ }).count(), 0)

    const role = { name: 'Looks at apps', base: 'Admin', permissions: ['apps:read', 'users:read'] }
    const { roleId } = (await portal.t.call('POST', '/v2/roles', { ...admin, body: role })).json.data
    const given = { ...admin, body: { roleId } }
    assert.equal((await portal.t.call('PATCH', `/v1/api/users/${users['Finance Manager'].id}`, given)).status, 200)
    const reader = await portal.newPage(t)
    await portal.logIn(reader, { role: 'Finance Manager', path: `/apps/${appId}` })
    await row(reader, first!).waitFor()
    assert.equal(await reader.getByRole('button', { name: /^(End the authorization|Actions for)/ }).count(), 0)
    await reader.goto('/authorizations')
    await reader.getByRole('main').getByRole('row').filter({ hasText: first! }).waitFor()
    assert.equal(await reader.getByRole('button', { name: /^End the authorization/ }).count(), 0)
    await portal.t.call('DELETE', `/v2/auth/authorizations/${grant(0)}`, admin)
  })

  test('a person ends what they let in, and an Admin decides on clients of others', async t => {
    const { organizationId, liveTenantId, users } = portal.t.main
    await portal.t.ownerSql(
      `insert into oauth_grants (organization_id, id, tenant_id, mode, client_id, client_name, user_id, scopes, resource, expires_at)
       values ($1, 'gra_01k9r7d3w2v8e6q4n5m1b0c9xz', $2, 'live', 'dyn_x', 'Assistant', $3, '{leads:read}', 'x', now() + interval '1 day')`,
      [organizationId, liveTenantId, users['Sales Manager'].id],
    )
    await portal.t.ownerSql(
      `insert into oauth_client_policies (organization_id, client_id, client_name) values ($1, 'dyn_x', 'Assistant')`,
      [organizationId],
    )
    const own = await portal.newPage(t)
    await portal.logIn(own, { role: 'Sales Manager', path: '/authorizations' })
    await own.getByRole('button', { name: 'End the authorization of Assistant' }).click()
    await own.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await own.getByText('No authorizations').waitFor()
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/clients' })
    await page.getByRole('button', { name: 'Allow Assistant' }).click()
    await page
      .getByRole('row', { name: /Assistant/ })
      .getByText('allowed', { exact: true })
      .waitFor()
    await checkBothThemes(page, 'clients of others')
  })
})
