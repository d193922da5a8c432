// Single sign-on as people meet it, with a name server and an identity provider of the test's own, which is another site to the browser:
// an Admin sets it up and tests it; somebody new comes in by it; who is refused reads why; and a password leads on to it once it is enforced.
// test: programs
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type IdentityProvider, startIdentityProvider } from '../../server/test/identity_provider.ts'
import { type NameServer, startNameServer } from '../../server/test/name_server.ts'
import { ownPassword } from '../../server/test/people.ts'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests } from './browser.ts'

const domain = 'northwind.example'
/** Of this machine too, and to a browser another site than 127.0.0.1. */
const elsewhere = '127.0.0.2'

describe('single sign-on in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests({
    env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8', TANDEM_EGRESS_HTTP: '1' },
    flags: [`--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE ${elsewhere}`],
  })
  let idp: IdentityProvider
  let names: NameServer
  /** What the DNS says of the domain. */
  let texts: string[] = []
  before(async () => {
    idp = await startIdentityProvider(elsewhere)
    names = await startNameServer(({ name }) => (name === `_tandem.${domain}` ? { texts } : null))
    portal.t.app.services.mail.nameServers = [names.address]
  })
  after(async () => {
    await idp?.close()
    await names?.close()
  })

  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const says = (email: string, more: object = {}) => {
    idp.person = { sub: `sub of ${email}`, email, email_verified: true, name: 'Ada Park', ...more }
  }
  const newPage = (t: Parameters<typeof portal.newPage>[0], more: object = {}) =>
    portal.newPage(t, { visits: [idp.issuer], ...more })

  test('a domain is proved, and a provider is set up, tested, and switched on', async t => {
    const page = await newPage(t)
    await portal.logIn(page, { path: '/domains?create=1', mode: 'live', dialog: true })
    await page.getByRole('textbox', { name: 'Domain' }).fill(domain)
    await page.keyboard.press('Enter')
    await button(page, `DNS record of ${domain}`).click()
    const rows = page.getByRole('dialog', { name: `DNS record of ${domain}` })
    texts = [await rows.getByText(/^tandem-verification=/).innerText()]
    await button(page, 'Look up now').click()
    await rows.getByText('verified', { exact: true }).waitFor()
    await checkBothThemes(page, 'a domain that is verified', 'sso-domain')
    await page.keyboard.press('Escape')

    await page.goto('/single-sign-on')
    await button(page, 'Add an identity provider').first().click()
    const form = page.getByRole('dialog', { name: 'Add an identity provider' })
    await form.getByLabel('Name', { exact: true }).fill('Example ID')
    await form.getByLabel('Issuer').fill(idp.issuer)
    await form.getByLabel('Client ID').fill('tandem')
    await form.getByLabel('Client secret').fill('secret')
    await form.getByLabel('Create members').check()
    await form.getByLabel('Claim with the role').fill('groups')
    await form.getByLabel('Roles by that claim').fill('finance = Finance Manager')
    await form.getByRole('button', { name: 'Remove Admin' }).scrollIntoViewIfNeeded()
    await checkBothThemes(page, 'adding an identity provider', 'sso-add')
    await form.getByRole('button', { name: 'Add' }).click()
    await form.waitFor({ state: 'detached' })

    await button(page, 'Set-up of Example ID').click()
    await page.getByText(/^http.*\/callback$/).waitFor()
    await checkBothThemes(page, 'an identity provider that is a draft', 'sso-draft')
    says(`ada@${domain}`, { email_verified: undefined })
    await button(page, 'Run the test').click()
    await page.getByRole('link', { name: 'Log in' }).click()
    const verdict = page.getByRole('dialog', { name: 'Example ID' })
    await verdict.getByText(/does not say email_verified/).waitFor()
    await checkBothThemes(page, 'a test that failed', 'sso-test-failed')
    says(`ada@${domain}`, { groups: ['finance'] })
    await button(page, 'Run the test again').click()
    await page.getByRole('link', { name: 'Log in' }).click()
    await verdict.getByText('The claim groups gives the role Finance Manager.').waitFor()
    await checkBothThemes(page, 'a test that passed', 'sso-test-passed')
    await button(page, 'Turn on').click()
    await page.getByRole('main').getByText('active', { exact: true }).waitFor()
    await checkBothThemes(page, 'identity providers', 'sso-list')
  })

  test('somebody new is sent to the provider, and comes back as a member with the role of their group', async t => {
    says(`ada@${domain}`, { groups: ['finance'] })
    const page = await newPage(t, { width: 390, height: 844 })
    await page.goto('/invoices')
    await page.getByLabel('Email or admin ID').fill(`ada@${domain}`)
    await button(page, 'Continue with Example Company').waitFor()
    await noHorizontalScroll(page)
    await checkBothThemes(page, 'a login with a provider', 'sso-login')
    await button(page, 'Continue with Example Company').click()
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor()
    const members = await portal.t.ownerSql<{ name: string; role: string }>(
      'select name, role from users where email = $1',
      [`ada@${domain}`],
    )
    assert.deepEqual(members, [{ name: 'Ada Park', role: 'Finance Manager' }])
  })

  test('who gives up at the provider reads so on the login page, and tries again', async t => {
    says(`ada@${domain}`, { groups: ['finance'] })
    const page = await newPage(t)
    await page.goto('/login?next=%2Finvoices')
    await page.getByLabel('Email or admin ID').fill(`ada@${domain}`)
    await button(page, 'Continue with Example Company').click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page
      .getByRole('alert')
      .getByText(/identity provider didn’t let you in/)
      .waitFor()
    await checkBothThemes(page, 'a login that the provider refused', 'sso-refused')
    await page.getByLabel('Email or admin ID').fill(`ada@${domain}`)
    await button(page, 'Continue with Example Company').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor()
  })

  test('a link to the start address waits for a press, and then leads on', async t => {
    says(`ada@${domain}`, { groups: ['finance'] })
    const page = await newPage(t)
    const [row] = await portal.t.ownerSql<{ id: string }>("select id from sso_connections where status = 'active'")
    await page.goto(`/sso/${row!.id}/start?next=%2Finvoices`)
    await button(page, 'Continue with single sign-on').waitFor()
    await checkBothThemes(page, 'the start address of a provider', 'sso-start')
    assert.equal(new URL(page.url()).hash, '', 'a reload begins at the login')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor()
  })

  test('enforced, a password is refused, and the way on is offered', async t => {
    const { t: app } = portal
    const email = `grace@${domain}`
    const body = { email, name: 'Grace Hopper', role: 'Admin', password: ownPassword, temporaryPassword: false }
    const made = await app.call('POST', '/v1/api/users', { as: app.main.tokens.Admin, body })
    assert.equal(made.status, 201, made.text)
    const admin = await newPage(t)
    await portal.logIn(admin, { path: '/single-sign-on', mode: 'live' })
    await button(admin, 'Set-up of Example ID').click()
    await button(admin, 'Enforce').click()
    await checkBothThemes(admin, 'enforcing single sign-on', 'sso-enforce')
    await admin.getByRole('dialog', { name: 'Enforce Example ID?' }).getByRole('button', { name: 'Enforce' }).click()
    await admin.getByRole('main').getByText('enforced', { exact: true }).waitFor()

    const [row] = await app.ownerSql<{ admin_id: string }>('select admin_id from users where email = $1', [email])
    says(email)
    const page = await newPage(t, { allow: [/status of 403/] })
    await page.goto('/login')
    // By the identifier nothing is offered before.
    await page.getByLabel('Email or admin ID').fill(row!.admin_id)
    await page.getByLabel('Password').fill(ownPassword)
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/uses single sign-on/)
      .waitFor()
    await checkBothThemes(page, 'a password where single sign-on is enforced', 'sso-required')
    await button(page, 'Continue with single sign-on').click()
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  })
})
