// API keys from their making to their end: what each may do, a secret that is seen once and cannot be lost unasked, a
// rotation in which both secrets work, and a revocation that bites.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  breakDown,
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  storeSecret,
  tabTo,
  untilFocused,
  watchOf,
  withoutClipboard,
} from './browser.ts'

describe('API keys in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  const status = async (secret: string, path = '/v2/users/me') =>
    (await portal.t.call('GET', path, { as: secret })).status
  const row = (page: Page, name: string) => page.getByRole('table', { name: 'API keys' }).getByRole('row', { name })
  const secretOf = (dialog: Locator) => dialog.locator('code', { hasText: /^tdm_/ }).innerText()

  async function openForm(page: Page): Promise<Locator> {
    await page.getByRole('button', { name: 'Create an API key' }).first().click()
    return page.getByRole('dialog', { name: 'Create an API key' })
  }

  const secretDialog = (page: Page, name: string) => page.getByRole('dialog', { name: `The secret of ${name}` })

  async function createKey(page: Page, name: string): Promise<string> {
    const form = await openForm(page)
    await form.getByLabel('Name').fill(name)
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    return storeSecret(secretDialog(page, name))
  }

  async function act(page: Page, name: string, action: string): Promise<void> {
    await row(page, name)
      .first()
      .getByRole('button', { name: `Actions for ${name}` })
      .click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  test('a key is made with scopes by preset and by tick, and may do that and nothing else', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    const form = await openForm(page)
    assert.equal(await form.getByLabel('Mode').inputValue(), 'test', 'not the mode the portal is in')
    await form.getByLabel('Name').fill('Form of the website')
    await form.getByLabel('Expires').selectOption('In 90 days')
    await form.getByRole('radio', { name: 'Only these scopes' }).check()
    const create = form.getByRole('button', { name: 'Create', exact: true })
    assert.ok(await create.isDisabled(), 'a key without any right can be made')
    await form.getByRole('button', { name: 'Website lead form' }).click()
    await form.getByLabel('messages:read').check()
    assert.ok(await form.getByLabel('leads:create').isChecked())
    await screenshot(page, 'keys-form')
    await checkBothThemes(page, 'key form')
    await create.click()
    const secret = await storeSecret(secretDialog(page, 'Form of the website'))
    const made = row(page, 'Form of the website')
    await made.waitFor()
    assert.match(await made.innerText(), /leads: create; messages: read/)
    assert.equal(await status(secret, '/v2/messages'), 200)
    assert.equal(await status(secret, '/v1/api/leads'), 403)
    const lead = { name: 'From the form', email: 'form@example.com' }
    assert.equal((await portal.t.call('POST', '/v1/api/leads', { as: secret, body: lead })).status, 201)
    const { json } = await portal.t.call('GET', '/v2/auth/api-keys?mode=test', { as: portal.t.main.tokens.Admin })
    const { expiresAt, createdAt } = json.data.find(({ name }: { name: string }) => name === 'Form of the website')
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.parse(createdAt) - 90 * 86_400_000) < 60_000)
  })

  test('a secret is copied where the portal is served by http in a network, too', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    const form = await openForm(page)
    await form.getByLabel('Name').fill('In the office')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = secretDialog(page, 'In the office')
    const clipboard = await withoutClipboard(page)
    const copy = dialog.getByRole('button', { name: 'Copy the secret' })
    await copy.click()
    await dialog.getByText('Copied', { exact: true }).waitFor({ state: 'attached' })
    assert.equal(await clipboard(), await secretOf(dialog))
    await untilFocused(copy)
    await storeSecret(dialog)
  })

  test('a form that is refused says what to mend, at the field, and keeps what was typed', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page)
    await page.goto('/keys?create=1')
    const form = page.getByRole('dialog', { name: 'Create an API key' })
    await form.getByLabel('Expires').selectOption('In 30 days')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await form.getByRole('alert').waitFor()
    assert.equal(await form.getByLabel('Name').getAttribute('aria-invalid'), 'true')
    assert.equal(await form.getByLabel('Expires').inputValue(), '30')
    await checkAccessibility(page, { name: 'key form, refused' })
  })

  test('the secret is shown once, copied whole, and cannot be left before it is stored', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    const form = await openForm(page)
    await form.getByLabel('Name').fill('Kept safe')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'The secret of Kept safe' })
    const secret = await secretOf(dialog)
    await checkBothThemes(page, 'secret')
    await dialog.getByRole('button', { name: 'Copy the secret' }).click()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret)
    await page.evaluate(() => navigator.clipboard.writeText(''))
    assert.ok(await dialog.getByRole('button', { name: 'Done' }).isDisabled())
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 890),
      () => page.evaluate(() => history.back()),
    ]) {
      await leave()
      await dialog.getByRole('alert').waitFor()
      assert.equal(await secretOf(dialog), secret)
    }
    await dialog.getByLabel('I’ve stored it safely').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await row(page, 'Kept safe').waitFor()
    assert.ok(!(await page.content()).includes(secret), 'the secret is still on the page')
    await page.reload()
    await row(page, 'Kept safe').waitFor()
    assert.ok(!(await page.content()).includes(secret), 'the secret came back')
    assert.equal(await status(secret), 200)
  })

  test('a rotation gives a new secret while the old one works for the overlap', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    const old = await createKey(page, 'Turning')
    await act(page, 'Turning', 'Rotate')
    const dialog = page.getByRole('dialog', { name: 'Rotate Turning' })
    await dialog.getByLabel('Old secret').selectOption('1 hour')
    await checkAccessibility(page, { name: 'rotate dialog' })
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click()
    const next = await storeSecret(secretDialog(page, 'Turning'))
    assert.notEqual(next, old)
    assert.deepEqual([await status(old), await status(next)], [200, 200])
    const ending = row(page, 'Turning').filter({ hasText: 'ending' })
    await ending.waitFor()
    assert.match(await ending.innerText(), /in 1 hr|in 60 min|in 59 min/, 'when it ends is not shown')
    await act(page, 'Turning', 'Rotate')
    await dialog.getByLabel('Old secret').selectOption('Ends now')
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click()
    const last = await storeSecret(secretDialog(page, 'Turning'))
    assert.deepEqual([await status(next), await status(last)], [401, 200])
  })

  test('a revocation asks for the name, bites at once, and the key is found among the ended ones', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    const secret = await createKey(page, 'Leaving')
    await act(page, 'Leaving', 'Revoke')
    const dialog = page.getByRole('dialog', { name: 'Revoke Leaving' })
    const revoke = dialog.getByRole('button', { name: 'Revoke', exact: true })
    assert.ok(await revoke.isDisabled())
    await dialog.getByLabel('Type Leaving to confirm').fill('leaving')
    assert.ok(await revoke.isDisabled(), 'another name is taken')
    await dialog.getByLabel('Type Leaving to confirm').fill('Leaving')
    await checkAccessibility(page, { name: 'revoke dialog' })
    await revoke.click()
    await dialog.waitFor({ state: 'detached' })
    await row(page, 'Leaving').waitFor({ state: 'detached' })
    assert.equal(await status(secret), 401)
    await page.getByLabel('State', { exact: true }).selectOption('Revoked or expired')
    await row(page, 'Leaving').waitFor()
    assert.match(await row(page, 'Leaving').innerText(), /revoked/)
    await page.reload()
    await row(page, 'Leaving').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('active'), 'no')
    await row(page, 'Leaving').getByRole('button', { name: 'Actions for Leaving' }).click()
    for (const name of ['Rotate', 'Revoke']) {
      assert.equal(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled'), 'true')
    }
  })

  test('a row shows its last day: when it was used, how that went, with the way to its requests', async t => {
    const { t: app } = portal
    const as = app.main.tokens.Admin
    const body = { name: 'Busy', mode: 'live', scopes: ['messages:read', 'organization:read'] }
    const { data } = (await app.call('POST', '/v2/auth/api-keys', { as, body })).json
    for (const path of ['/v2/messages', '/v2/messages', '/v2/organization', '/v1/api/leads']) {
      await app.call('GET', path, { as: data.secret })
    }
    await app.app.flush()
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys', mode: 'test' })
    const busy = row(page, 'Busy')
    const link = busy.getByRole('link', { name: 'Logs of Busy: 4 requests: 0 over the limit, 1 rejected or failed' })
    await link.click()
    await page.getByRole('table', { name: 'Requests' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('keyId'), data.keyId)
    assert.ok(await page.getByRole('radio', { name: 'Live' }).isChecked(), 'its requests are not in this mode')
    assert.equal(await page.getByTestId('test-banner').count(), 0)
    assert.equal(await page.getByRole('table', { name: 'Requests' }).getByRole('row').count(), 1 + 4)
  })

  test('a key that nothing used for 30 days is pointed out, and one that ends soon', async t => {
    const { t: app } = portal
    const as = app.main.tokens.Admin
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const make = (body: object) => app.call('POST', '/v2/auth/api-keys', { as, body: { mode: 'test', ...body } })
    const { data } = (await make({ name: 'Dusty' })).json
    await make({ name: 'Fresh' })
    await make({ name: 'Short-lived', expiresAt: soon })
    await app.ownerSql("update api_keys set created_at = now() - interval '31 days' where id = $1", [data.keyId])
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    assert.match(await row(page, 'Dusty').innerText(), /Unused for 30 days/)
    assert.doesNotMatch(await row(page, 'Fresh').innerText(), /Unused/)
    assert.match(await row(page, 'Short-lived').innerText(), /Expires in [23] days/)
  })

  test('an id opens the inspector; filters stand in the address; the page asks little', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    await watchOf(page).quiet()
    assert.ok(countCalls(page).total <= 4, JSON.stringify(countCalls(page).byRoute))
    await page.getByLabel('Mode', { exact: true }).selectOption('Live')
    await row(page, 'Kept safe').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).searchParams.get('mode'), 'live')
    await page.getByLabel('Mode', { exact: true }).selectOption('Test')
    await row(page, 'Kept safe')
      .getByRole('button', { name: /^Inspect key_/ })
      .click()
    const drawer = page.getByRole('dialog', { name: 'API key' })
    await drawer.getByRole('heading', { name: 'Kept safe' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await untilFocused(row(page, 'Kept safe').getByRole('button', { name: /^Inspect key_/ }))
  })

  test('every state is shown: none yet, filtered to nothing, and a server that does not answer', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, allow: [/status of 500/] })
    await portal.logIn(page, { path: '/keys?mode=live&active=no', organization: 'other' })
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    await noHorizontalScroll(page)
    const mend = await breakDown(page, '**/v2/auth/api-keys?*')
    await page.reload()
    await page.getByRole('alert').getByText('Out of order.').waitFor()
    await checkAccessibility(page, { name: 'keys, failed' })
    mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    const empty = await portal.newPage(t)
    await portal.logIn(empty, { path: '/keys', role: 'Sales Executive', organization: 'other' })
    await empty.getByText('No API keys yet').waitFor()
    await empty.getByRole('main').getByRole('button', { name: 'Create an API key' }).last().click()
    await empty.getByRole('dialog', { name: 'Create an API key' }).waitFor()
  })

  test('roles are offered only scopes they hold, and see only their own keys; an Admin sees whose each is', async t => {
    for (const [role, held, not] of [
      ['Sales Executive', 'leads:create', 'invoices:read'],
      ['Finance Manager', 'invoices:send', 'leads:create'],
    ] as const) {
      const page = await portal.newPage(t)
      await portal.logIn(page, { path: '/keys', role })
      await screenReady(page)
      assert.equal(await row(page, 'Kept safe').count(), 0)
      const form = await openForm(page)
      await form.getByLabel('Name').fill(`Of a ${role}`)
      await form.getByRole('radio', { name: 'Only these scopes' }).check()
      await form.getByLabel(held).check()
      assert.equal(await form.getByLabel(not).count(), 0)
      const presets = await form
        .getByRole('group', { name: /^Scopes/ })
        .getByRole('button')
        .allInnerTexts()
      assert.equal(presets.includes('Billing'), role === 'Finance Manager')
      await form.getByRole('button', { name: 'Create', exact: true }).click()
      const secret = await storeSecret(secretDialog(page, `Of a ${role}`))
      assert.equal(await status(secret, '/v2/users/me'), 403)
      await row(page, `Of a ${role}`).waitFor()
    }
    const admin = await portal.newPage(t)
    await portal.logIn(admin, { path: '/keys' })
    for (const role of ['Sales Executive', 'Finance Manager'])
      await row(admin, `Of a ${role}`).getByText(role, { exact: true }).waitFor()
    await row(admin, 'Of a Sales Executive')
      .getByRole('button', { name: /^Inspect key_/ })
      .click()
    await admin.getByRole('dialog', { name: 'API key' }).getByRole('link', { name: 'Sales Executive' }).waitFor()
  })

  test('a key is made with the keyboard alone', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/keys' })
    await tabTo(page, page.getByRole('button', { name: 'Create an API key' }))
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Create an API key' })
    await form.waitFor()
    await untilFocused(form.getByLabel('Name'))
    await page.keyboard.type('By keyboard')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'The secret of By keyboard' })
    await dialog.waitFor()
    await tabTo(page, dialog.getByLabel('I’ve stored it safely'))
    await page.keyboard.press('Space')
    await tabTo(page, dialog.getByRole('button', { name: 'Done' }))
    await page.keyboard.press('Enter')
    await row(page, 'By keyboard').waitFor()
  })
})
